"""From spans to rectangles on pages and back."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

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

    Two neighbouring characters share a line when their boxes overlap across the line by at least half of
    the smaller one and the pen has not gone back by more than a character. Empty boxes are skipped. On a
    page that is shown turned, lines run up or down.
    """
    rect = document.boxes.rect[start:end]
    page = document.boxes.page[start:end]
    inked = np.flatnonzero((rect[:, 2] > rect[:, 0]) & (rect[:, 3] > rect[:, 1]))
    if inked.size == 0:
        return []
    rect, page = rect[inked], page[inked]
    along = _turned(rect) if _runs_upright(rect, page) else rect
    same_line = (page[1:] == page[:-1]) & _follows(along)
    starts = np.concatenate(([0], np.flatnonzero(~same_line) + 1))
    low = np.minimum.reduceat(rect, starts, axis=0)
    high = np.maximum.reduceat(rect, starts, axis=0)
    return [
        Quad(int(page[s]), float(a[0]), float(a[1]), float(b[2]), float(b[3]))
        for s, a, b in zip(starts, low, high, strict=True)
    ]


def quads_of(document: Document, spans: Sequence[tuple[int, int]]) -> list[list[Quad]]:
    """:func:`quads` of many spans. Those on one level line, as the hits of a search are, are measured together."""
    found: list[list[Quad] | None] = [None] * len(spans)
    ends = np.array(spans, np.int64).reshape(-1, 2)
    ends = np.clip(ends, 0, len(document.boxes))
    lengths = np.maximum(0, ends[:, 1] - ends[:, 0])
    owner = np.repeat(np.arange(len(spans)), lengths)
    before = np.concatenate(([0], np.cumsum(lengths)[:-1])) if len(spans) else lengths
    at = np.arange(len(owner)) - before[owner] + ends[owner, 0] if len(owner) else owner
    rect, page = document.boxes.rect[at], document.boxes.page[at]
    inked = (rect[:, 2] > rect[:, 0]) & (rect[:, 3] > rect[:, 1])
    rect, page, owner = rect[inked], page[inked], owner[inked]
    if len(owner):
        inside = owner[1:] == owner[:-1]
        broken = inside & ~((page[1:] == page[:-1]) & _follows(rect))
        bent = set(owner[1:][broken].tolist())
        starts = np.concatenate(([0], np.flatnonzero(~inside) + 1))
        low = np.minimum.reduceat(rect, starts, axis=0).tolist()
        high = np.maximum.reduceat(rect, starts, axis=0).tolist()
        for i, number, a, b in zip(owner[starts].tolist(), page[starts].tolist(), low, high, strict=True):
            if i not in bent:
                found[i] = [Quad(number, a[0], a[1], b[2], b[3])]
            else:
                found[i] = quads(document, *spans[i])
    return [each if each is not None else [] for each in found]


def _follows(rect: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether each box after the first, of shape ``[n - 1]``, goes on in the line of the one before it."""
    height = rect[:, 3] - rect[:, 1]
    overlap = np.minimum(rect[1:, 3], rect[:-1, 3]) - np.maximum(rect[1:, 1], rect[:-1, 1])
    on_line: NDArray[np.bool_] = overlap >= 0.5 * np.minimum(height[1:], height[:-1])
    return on_line & (rect[1:, 0] >= rect[:-1, 0] - height[:-1])


def _turned(rect: NDArray[np.float32]) -> NDArray[np.float32]:
    """The boxes as if their lines ran from left to right; they run down, or up when most steps go up."""
    middle = rect[:, 1] + rect[:, 3]
    if _median(np.diff(middle)) < 0:
        return np.stack([-rect[:, 3], rect[:, 0], -rect[:, 1], rect[:, 2]], axis=1)
    return np.stack([rect[:, 1], rect[:, 0], rect[:, 3], rect[:, 2]], axis=1)


def _runs_upright(rect: NDArray[np.float32], page: NDArray[np.int32]) -> bool:
    """Whether from one character to the next the pen moves up or down rather than along."""
    steps = np.diff(rect[:, :2] + rect[:, 2:], axis=0)[page[1:] == page[:-1]]
    if len(steps) < 2:
        return False
    across, down = _median(np.abs(steps))
    return bool(down > across)


def _median(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median over the first axis. numpy's own costs twenty times as much for a few values, and a page has many."""
    ordered = np.sort(values, axis=0)
    middle = len(ordered) // 2
    half: NDArray[np.float32] = (ordered[middle] + ordered[(len(ordered) - 1) // 2]) / 2
    return half
