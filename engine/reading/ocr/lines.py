"""Recognised lines as lines of a page: level frame for the layout, boxes on the page as displayed, even sizes."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import PagePicture, RecognisedLine
from engine.reading.pdf.extract import PageLines
from engine.reading.pdf.line import HAN, Line

#: What letters reach above and below the baseline, as shares of the font's size.
_ASCENDER, _X_HEIGHT, _DESCENDER = 0.71, 0.48, 0.21
_HAN_TOP, _HAN_BOTTOM = 0.82, 0.1
#: A line's box, which always covers its ink, reaches at least so far.
_BOX_TOP, _BOX_BOTTOM = 0.76, 0.24
_HIGH = re.compile(r"[A-Zbdfhijklt0-9\"'“”‘’()\[\]{}/|&%$§!?]")
_LOW = re.compile(r"[gjpqyQ,;()\[\]{}|@$_]")
#: Sizes nearer to the page's usual one than this share are that.
_ALIKE = 0.17
_FULL_WIDTH = dict(zip(",:;!?", "，：；！？", strict=True))
_HAN_LETTER = re.compile("[\u3400-\u9fff]")
_JOINING = re.compile("[\u3400-\u9fff，。；：！？、（）《》“”]")


def page_lines(index: int, picture: PagePicture, lines: Sequence[RecognisedLine], turns: int) -> PageLines:
    """The page as the PDF reader's layout takes it.

    Args:
        index: of the page.
        picture: what was recognised.
        lines: what stands in it, in the frame turned by ``turns`` quarters counter-clockwise.
        turns: see :meth:`engine.reading.ocr.model.Recogniser.recognise`.
    """
    height, width = picture.grey.shape if turns % 2 == 0 else picture.grey.shape[::-1]
    made = [line for each in lines if (line := _line(index, picture, each, turns)) is not None]
    _even_sizes(made)
    characters = sum(len(line.text) for line in made)
    return PageLines(index, width / picture.scale, height / picture.scale, made, characters, 0, turns % 4 == 0)


def _line(index: int, picture: PagePicture, found: RecognisedLine, turns: int) -> Line | None:
    keep = _kept(found.text)
    if not len(keep):
        return None
    text = _with_paired_quotes(_with_full_width_marks("".join(found.text[place] for place in keep)))
    level = found.boxes[keep]
    bounds = np.concatenate([level[:, :2].min(axis=0), level[:, 2:].max(axis=0)]) / picture.scale
    x0, y0, x1, y1 = (float(value) for value in bounds)
    size, baseline = _font(text, y0, y1)
    top, bottom = min(y0, baseline - _BOX_TOP * size), max(y1, baseline + _BOX_BOTTOM * size)
    level = level.copy()
    level[:, 1], level[:, 3] = top * picture.scale, bottom * picture.scale
    rect = _on_page(level, picture, turns)
    line = Line(text, rect, x0, top, x1, bottom, size, baseline, False, False, 0, page=index)
    line.confidence = found.confidence[keep]
    return line


def _kept(text: str) -> NDArray[np.intp]:
    """Places of the characters that stay: no spaces at the ends, none doubled, none inside Chinese."""
    kept: list[int] = []
    for place, character in enumerate(text):
        if character == " ":
            before = text[kept[-1]] if kept else " "
            after = text[place + 1 : place + 2]
            if before == " " or not after or (_JOINING.match(before) and _JOINING.match(after)):
                continue
        kept.append(place)
    while kept and text[kept[-1]] == " ":
        kept.pop()
    return np.array(kept, np.intp)


def _with_full_width_marks(text: str) -> str:
    """Half-width marks between Chinese characters, which the recogniser cannot tell from full-width ones."""
    if _HAN_LETTER.search(text) is None:
        return text
    made = list(text)
    opened: list[tuple[int, bool]] = []
    for place, character in enumerate(text):
        before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
        if character in _FULL_WIDTH:
            if _JOINING.match(before) and (not after.isascii() or after in ("", " ", "_", "(")):
                made[place] = _FULL_WIDTH[character]
        elif character in "(（":
            opened.append((place, character == "（" or bool(_HAN_LETTER.match(after))))
        elif character in ")）":
            place_open, wide = opened.pop() if opened else (-1, False)
            if wide or character == "）" or _HAN_LETTER.match(before):
                made[place] = "）"
                if place_open >= 0:
                    made[place_open] = "（"
    return "".join(made)


def _with_paired_quotes(text: str) -> str:
    """Quotes of a line that has curly ones, all curly: recognisers take a small one for a straight one."""
    if '"' not in text or not ("“" in text or "”" in text):
        return text
    made = list(text)
    for place, character in enumerate(text):
        if character == '"':
            before, after = text[place - 1 : place] if place else " ", text[place + 1 : place + 2] or " "
            made[place] = "“" if (before in " ([（" and after != " ") else "”"
    return "".join(made)


def _font(text: str, top: float, bottom: float) -> tuple[float, float]:
    """Size and baseline of a line, in points, from its ink's height and what its letters reach."""
    if HAN.search(text):
        above, below = _HAN_TOP, _HAN_BOTTOM
    else:
        above = _ASCENDER if _HIGH.search(text) else _X_HEIGHT
        below = _DESCENDER if _LOW.search(text) else 0.0
    size = (bottom - top) / (above + below)
    return size, bottom - below * size


def _even_sizes(lines: Sequence[Line]) -> None:
    """Give lines of about the usual size that size: measured ink makes neighbours differ by a pixel."""
    weighed = [line.size for line in lines for _ in range(1 + len(line.text) // 8)]
    if not weighed:
        return
    usual = statistics.median(weighed)
    for line in lines:
        if abs(line.size - usual) < _ALIKE * usual:
            line.size = usual


def _on_page(level: NDArray[np.float32], picture: PagePicture, turns: int) -> NDArray[np.float32]:
    """Boxes of the turned picture, in pixels, as boxes on the page as displayed, in points."""
    corners = level[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2).astype(np.float64)
    x, y = corners[..., 0], corners[..., 1]
    height, width = picture.grey.shape
    if turns % 4 == 1:
        x, y = width - y, x
    elif turns % 4 == 2:
        x, y = width - x, height - y
    elif turns % 4 == 3:
        x, y = y, height - x
    places = np.stack([x, y, np.ones_like(x)], axis=-1) @ picture.to_page
    return np.concatenate([places.min(axis=1), places.max(axis=1)], axis=1).astype(np.float32)
