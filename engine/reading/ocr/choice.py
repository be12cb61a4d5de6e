"""Which recogniser there is on this machine, and what to do when there is none."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import psutil

from engine.reading.ocr.model import Recogniser
from engine.reading.ocr.weights import RUNTIME, model_files

#: Asks for a recogniser by name: ``rapidocr``, ``tesseract`` or ``none``; without it the first that is there.
CHOICE_VARIABLE = "ANTINOMY_OCR"
RAPIDOCR, TESSERACT, NONE = "rapidocr", "tesseract", "none"
INSTALL_LINE = "pip install rapidocr onnxruntime"
TESSERACT_LINE = "apt-get install tesseract-ocr-eng tesseract-ocr-chi-sim"
#: What Tesseract reads by; both, because contracts mix them.
TESSERACT_LANGUAGES = ("eng", "chi_sim")
_TESSDATA = (
    "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata",
    "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata", r"C:\Program Files\Tesseract-OCR\tessdata",
)  # fmt: skip


def tessdata_folder() -> Path | None:
    """Where Tesseract's language data lie, None when nowhere."""
    for name in (os.environ.get("TESSDATA_PREFIX", ""), *_TESSDATA):
        if name and any(Path(name, f"{language}.traineddata").is_file() for language in TESSERACT_LANGUAGES):
            return Path(name)
    return None


def available() -> list[str]:
    """The recognisers that this machine has, the better first."""
    found = []
    if model_files() is not None and importlib.util.find_spec(RUNTIME) is not None:
        found.append(RAPIDOCR)
    if tessdata_folder() is not None:
        found.append(TESSERACT)
    return found


def chosen(wanted: str = "") -> str | None:
    """The recogniser to use: its name, ``none`` when recognising is switched off, None when there is none.

    Args:
        wanted: a name; "" takes :data:`CHOICE_VARIABLE`'s, else the first there is.
    """
    wanted = wanted or os.environ.get(CHOICE_VARIABLE, "")
    if wanted == NONE:
        return NONE
    found = [name for name in available() if wanted in ("", name)]
    return found[0] if found else None


def make_recogniser(name: str) -> Recogniser:
    """Load one of :func:`available`.

    Raises:
        ValueError: there is none of that name here.
    """
    files, folder = model_files(), tessdata_folder()
    if name == RAPIDOCR and files is not None:
        from engine.reading.ocr.paddle import PaddleRecogniser

        return PaddleRecogniser(files, psutil.cpu_count(logical=False) or 1)
    if name == TESSERACT and folder is not None:
        from engine.reading.ocr.tesseract import TesseractRecogniser

        return TesseractRecogniser(folder)
    raise ValueError(f"there is no recogniser {name!r} on this machine")
