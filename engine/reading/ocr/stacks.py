"""Short lines that stand close above each other (a column of numbers) and were found as one box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import GreyImage
from engine.reading.ocr.skew import dark_below

#: A box so many times higher than the page's usual one, and not much wider than high, may hold several lines.
_TALL, _NARROW = 1.55, 2.5
#: A line is no lower than this share of the usual height (a full stop is), and gets this share as a margin.
_LEAST, _MARGIN = 0.25, 0.15
_FEWEST_BOXES = 5


def apart(boxes: NDArray[np.float32], grey: GreyImage) -> NDArray[np.float32]:
    """The boxes, those of several lines divided where no ink is.

    Args:
        boxes: float32 ``[n, 4]`` in pixels of ``grey``.
        grey: the page.
    """
    if len(boxes) < _FEWEST_BOXES:
        return boxes
    heights = boxes[:, 3] - boxes[:, 1]
    usual = float(np.median(heights))
    made: list[NDArray[np.float32]] = []
    for box, height in zip(boxes, heights, strict=True):
        narrow = box[2] - box[0] < _NARROW * height
        parts = _parts(box, grey, usual) if height > _TALL * usual and narrow else []
        made += parts if len(parts) > 1 else [box]
    return np.stack(made)


def _parts(box: NDArray[np.float32], grey: GreyImage, usual: float) -> list[NDArray[np.float32]]:
    left, top, right, bottom = (int(value) for value in box)
    crop = grey[top:bottom, left:right]
    inked = np.concatenate([[False], (crop < dark_below(crop)).any(axis=1), [False]])
    edges = np.flatnonzero(np.diff(inked.astype(np.int8)))
    runs = [(a, b) for a, b in edges.reshape(-1, 2).tolist() if b - a >= _LEAST * usual]
    if not runs or max(b - a for a, b in runs) > 1.3 * usual:
        return []  # one large letter, or a drawing
    margin = _MARGIN * usual
    return [np.array([left, max(0, top + a - margin), right, top + b + margin], np.float32) for a, b in runs]
