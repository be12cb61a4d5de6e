"""From spans to rectangles on pages and back."""

from __future__ import annotations

import msgspec
import numpy as np

from engine.document.model import Document


class Quad(msgspec.Struct, frozen=True, array_like=True):
    """A rectangle on a page, in PDF points on the page as displayed, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


def quads(document: Document, start: int, end: int) -> list[Quad]:
    """One rectangle per line and page that the span ``[start, end)`` touches, in reading order.

    Two neighbouring characters share a line when their boxes overlap vertically by at least half of
    the smaller height and the pen has not gone back by more than a character. Empty boxes are skipped.
    """
    rect = document.boxes.rect[start:end]
    page = document.boxes.page[start:end]
    inked = np.flatnonzero((rect[:, 2] > rect[:, 0]) & (rect[:, 3] > rect[:, 1]))
    if inked.size == 0:
        return []
    rect, page = rect[inked], page[inked]
    height = rect[:, 3] - rect[:, 1]
    overlap = np.minimum(rect[1:, 3], rect[:-1, 3]) - np.maximum(rect[1:, 1], rect[:-1, 1])
    same_line = (
        (page[1:] == page[:-1])
        & (overlap >= 0.5 * np.minimum(height[1:], height[:-1]))
        & (rect[1:, 0] >= rect[:-1, 0] - height[:-1])
    )
    starts = np.concatenate(([0], np.flatnonzero(~same_line) + 1))
    low = np.minimum.reduceat(rect, starts, axis=0)
    high = np.maximum.reduceat(rect, starts, axis=0)
    return [
        Quad(int(page[s]), float(a[0]), float(a[1]), float(b[2]), float(b[3]))
        for s, a, b in zip(starts, low, high, strict=True)
    ]
