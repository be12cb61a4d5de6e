"""Where each recognised character stands: the ink of its line, parted between the characters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import GreyImage, RecognisedLine
from engine.reading.ocr.recognition import Reading
from engine.reading.ocr.skew import dark_below

#: A row or column of a line's picture has ink from this share of the fullest one on.
_INKED = 0.02
#: Characters meet where there is least ink within this share of the way between their middles.
_MEETING = 0.35


def placed(reading: Reading, crop: GreyImage, left: int, top: int, core: tuple[float, float]) -> RecognisedLine:
    """The line with a box for each character, which covers the character's ink.

    Args:
        reading: what stands in the picture of the line.
        crop: that picture.
        left, top: its place in the page's picture.
        core: rows of the crop, from and to, between which the line surely runs.
    """
    dark = crop < dark_below(crop)
    first, last = _rows(dark, core)
    columns = dark[first:last].sum(axis=0).astype(np.float32)
    inked = np.flatnonzero(columns)
    low, high = (float(inked[0]), float(inked[-1]) + 1.0) if len(inked) else (0.0, float(crop.shape[1]))
    middle = np.clip(reading.middle * crop.shape[1], low, high)
    edges = np.concatenate([[min(low, middle[0])], _meetings(middle, columns), [max(high, middle[-1])]])
    boxes = np.empty((len(middle), 4), np.float32)
    boxes[:, 0], boxes[:, 2] = edges[:-1] + left, edges[1:] + left
    boxes[:, 1], boxes[:, 3] = first + top, last + top
    return RecognisedLine(reading.text, boxes, reading.confidence)


def _rows(dark: NDArray[np.bool_], core: tuple[float, float]) -> tuple[int, int]:
    """The rows of the line's own ink: from its core up and down to the first empty ones."""
    rows = dark.sum(axis=1)
    empty = rows <= _INKED * max(1, int(rows.max()))
    first = last = min(len(rows) - 1, max(0, round((core[0] + core[1]) / 2)))
    while first > 0 and not (first <= core[0] and empty[first - 1]):
        first -= 1
    while last < len(rows) and not (last >= core[1] and empty[last]):
        last += 1
    return first, max(last, first + 1)


def _meetings(middle: NDArray[np.float64], columns: NDArray[np.float32]) -> NDArray[np.float64]:
    """Where neighbouring characters meet, one place for each pair."""
    found = np.empty(max(0, len(middle) - 1))
    for index in range(len(found)):
        a, b = middle[index], middle[index + 1]
        centre = (a + b) / 2
        reach = _MEETING * (b - a)
        start, stop = int(max(0, centre - reach)), int(min(len(columns), centre + reach + 1))
        if stop - start < 2:
            found[index] = centre
            continue
        away = np.abs(np.arange(start, stop) + 0.5 - centre)
        found[index] = start + 0.5 + int((columns[start:stop] + 0.01 * away).argmin())
    return found
