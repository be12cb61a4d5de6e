"""Tesseract as MuPDF has it built in: only its language data must be installed.

Slower on Chinese, and silent about its confidence: with it no word is marked as uncertain.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from engine.reading.mupdf import pymupdf
from engine.reading.ocr.choice import TESSERACT_LANGUAGES
from engine.reading.ocr.model import GreyImage, PagePicture, RecognisedLine, RecognitionStopped

_POINTS_AN_INCH = 72
#: What a page turned the wrong way does not give: words with vowels, Chinese characters.
_SENSE = re.compile(r"\b[A-Za-z]*[aeiouy][A-Za-z]{2,}\b|[\u3400-\u9fff]{2,}", re.IGNORECASE)
_UPRIGHT = 0.6


class TesseractRecogniser:
    """See :class:`engine.reading.ocr.model.Recogniser`."""

    name = "tesseract"
    # MuPDF must not be called from two threads.
    in_background = False

    def __init__(self, folder: Path) -> None:
        """``folder``: where the language data lie."""
        self._folder = folder
        present = [name for name in TESSERACT_LANGUAGES if (folder / f"{name}.traineddata").is_file()]
        self._language = "+".join(present)

    def recognise(self, picture: PagePicture, stopped: Callable[[], bool]) -> tuple[list[RecognisedLine], int]:
        """See :meth:`engine.reading.ocr.model.Recogniser.recognise`."""
        best: tuple[float, list[RecognisedLine], int] = (-1.0, [], 0)
        for turns in (0, 2, 1, 3):
            if stopped():
                raise RecognitionStopped
            lines = self._lines(np.rot90(picture.grey, turns), picture.scale)
            sense = _sense(lines)
            if sense > best[0]:
                best = (sense, lines, turns)
            if sense >= _UPRIGHT:
                break
        return best[1], best[2]

    def _lines(self, grey: GreyImage, scale: float) -> list[RecognisedLine]:
        height, width = grey.shape
        # Of a grey picture MuPDF gives Tesseract nothing to read.
        colour = np.repeat(np.ascontiguousarray(grey)[:, :, None], 3, axis=2)
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, width, height, colour.tobytes(), False)
        resolution = round(scale * _POINTS_AN_INCH)
        pixmap.set_dpi(resolution, resolution)
        data = pixmap.pdfocr_tobytes(language=self._language, tessdata=str(self._folder))
        with pymupdf.open(stream=data, filetype="pdf") as file:
            page = file[0]
            pixels = width / page.rect.width
            raw = page.get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
        found = []
        for block in raw["blocks"]:
            for line in block.get("lines", ()):
                characters = [each for span in line["spans"] for each in span["chars"]]
                if not any(each["c"].strip() for each in characters):
                    continue
                text = "".join(each["c"] for each in characters)
                boxes = np.array([each["bbox"] for each in characters], np.float32) * np.float32(pixels)
                found.append(RecognisedLine(text, boxes, np.ones(len(text), np.float32)))
        return found

    def close(self) -> None:
        """See :meth:`engine.reading.ocr.model.Recogniser.close`."""


def _sense(lines: list[RecognisedLine]) -> float:
    """The share of characters that stand in words that may be words; 1 for a page with next to nothing."""
    text = "\n".join(line.text for line in lines)
    letters = sum(character.isalnum() for character in text)
    if letters < 20:
        return _UPRIGHT / 2
    return sum(len(match[0]) for match in _SENSE.finditer(text)) / letters
