"""Reading order on a page: columns found by their gutters, lines put together from their pieces."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.reading.pdf.line import Line

#: Narrower columns than this are labels or table cells, not columns of prose.
_MIN_COLUMN_PT = 90.0
#: The longest side that a page may have (ISO 32000-1, annex C).
_WIDEST_PT = 14_400
_MIN_GUTTER_PT = 7.0
_MIN_LINES = 5
#: The likeliest strips only: a wide table has dozens.
_TRIED = 6


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """Whole visual lines of a page, top to bottom within each column, columns left to right.

    Pieces of one baseline are put together; :attr:`Line.column` is numbered in reading order.
    """
    upright = [line for line in lines if not line.turned]
    turned = [line for line in lines if line.turned]
    segments = _merge_close(upright)
    ordered: list[Line] = []
    for column, region in enumerate(_regions(segments, 0)):
        for line in _rows(region):
            line.column = column
            ordered.append(line)
    return ordered + turned


def _merge_close(lines: Sequence[Line]) -> list[Line]:
    """Put pieces of a line together that no more than a wide space divides."""
    merged: list[Line] = []
    for row in _by_baseline(lines):
        row.sort(key=lambda line: line.x0)
        current = row[0]
        for line in row[1:]:
            if line.x0 - current.x1 < 0.6 * max(current.size, line.size, 4):
                current = join(current, line)
            else:
                merged.append(current)
                current = line
        merged.append(current)
    return merged


def _by_baseline(lines: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.baseline, line.x0)):
        for row in reversed(rows[-6:]):
            head = row[0]
            overlap = min(head.y1, line.y1) - max(head.y0, line.y0)
            if overlap > 0.55 * min(head.height, line.height) and abs(head.baseline - line.baseline) < 0.45 * max(
                head.size, line.size, 1
            ):
                row.append(line)
                break
        else:
            rows.append([line])
    return rows


def join(left: Line, right: Line) -> Line:
    """Two pieces of one line as one, with a space between them when there is a gap."""
    gap = right.x0 - left.x1
    spaced = gap > 0.12 * max(left.size, right.size) and not (
        _is_han(left.text[-1]) and _is_han(right.text[0]) and gap < 0.9 * left.size
    )
    space = np.empty((0, 4), np.float32)
    if spaced:
        last = left.rect[-1]
        space = np.array([[last[2], last[1], last[2], last[3]]], np.float32)
    text = left.text + (" " if spaced else "") + right.text
    leading = left.all_bold
    return Line(
        text,
        np.concatenate([left.rect, space, right.rect]),
        left.x0,
        min(left.y0, right.y0),
        max(left.x1, right.x1),
        max(left.y1, right.y1),
        left.size if len(left.text) >= 3 else right.size,
        left.baseline if len(left.text) >= len(right.text) else right.baseline,
        left.bold,
        left.all_bold and right.all_bold,
        len(left.text) + spaced + right.bold_end if leading else left.bold_end,
        page=left.page,
        confidence=_joined_confidence(left, right, spaced),
    )


def _joined_confidence(left: Line, right: Line, spaced: bool) -> NDArray[np.float32] | None:
    if left.confidence is None and right.confidence is None:
        return None
    first, second = (
        np.ones(len(line.text), np.float32) if line.confidence is None else line.confidence for line in (left, right)
    )
    return np.concatenate([first, np.ones(int(spaced), np.float32), second])


def _is_han(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"


def _rows(segments: Sequence[Line]) -> list[Line]:
    rows = []
    for row in _by_baseline(segments):
        row.sort(key=lambda line: line.x0)
        line = row[0]
        for piece in row[1:]:
            line = join(line, piece)
        rows.append(line)
    return rows


def _regions(segments: list[Line], depth: int) -> list[list[Line]]:
    """The segments by column, in reading order; lines across a gutter stand between the columns."""
    gutter = _gutter(segments, depth) if depth < 3 else None
    if gutter is None:
        return [segments] if segments else []
    crossing = sorted((line for line in segments if line.x0 < gutter < line.x1), key=lambda line: line.baseline)
    regions: list[list[Line]] = []
    top = -1e9
    for bar in [*crossing, None]:
        bottom = bar.baseline if bar is not None else 1e9
        band = [line for line in segments if top < line.baseline < bottom and not line.x0 < gutter < line.x1]
        left = [line for line in band if line.x1 <= gutter]
        right = [line for line in band if line.x0 >= gutter]
        if left and right and not _are_rows(left, right):
            regions += _regions(left, depth + 1) + _regions(right, depth + 1)
        elif band:
            regions.append(band)
        if bar is not None:
            if regions and regions[-1] and regions[-1][-1].x0 < gutter < regions[-1][-1].x1:
                regions[-1].append(bar)
            else:
                regions.append([bar])
            top = bar.baseline
    return regions


def _are_rows(left: list[Line], right: list[Line]) -> bool:
    """A band of one or two lines side by side reads across (a signature line, a table's row)."""
    return len(left) <= 1 and len(right) <= 1


def _gutter(segments: list[Line], depth: int) -> float | None:
    """The x of an empty strip with columns of prose on both sides, or None."""
    if len(segments) < 2 * _MIN_LINES:
        return None
    low, high = min(line.x0 for line in segments), max(line.x1 for line in segments)
    width = high - low
    # A damaged file may put letters miles away: what is wider than any page has no columns.
    if not 2 * _MIN_COLUMN_PT <= width <= _WIDEST_PT:
        return None
    cover = np.zeros(int(width) + 3, np.int32)
    for line in segments:
        cover[int(line.x0 - low)] += 1
        cover[int(line.x1 - low) + 1] -= 1
    cover = np.cumsum(cover)
    strips = _clear_strips(cover, int(0.15 * width), int(0.85 * width), 0.2 * len(segments))
    for start, stop in sorted(strips, key=lambda strip: 2.0 * float(cover[strip[0]]) - (strip[1] - strip[0]))[:_TRIED]:
        middle = low + (start + stop) / 2
        if _divides(segments, middle, depth):
            return middle
    return None


def _clear_strips(cover: NDArray[np.int32], first: int, last: int, most: float) -> Iterator[tuple[int, int]]:
    """Strips ``[start, stop)`` wide enough for a gutter in which the cover is at its local least, at most ``most``."""
    x = first
    while x < last:
        stop = x + 1
        while stop < last and cover[stop] == cover[x]:
            stop += 1
        if cover[x] <= most and stop - x >= _MIN_GUTTER_PT:
            yield x, stop
        x = stop


def _divides(segments: list[Line], gutter: float, depth: int) -> bool:
    left = [line for line in segments if line.x1 <= gutter]
    right = [line for line in segments if line.x0 >= gutter]
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return False
    if not all(_is_prose(side, depth) for side in (left, right)):
        return False
    top = max(min(line.y0 for line in left), min(line.y0 for line in right))
    bottom = min(max(line.y1 for line in left), max(line.y1 for line in right))
    shorter = min(max(line.y1 for line in side) - min(line.y0 for line in side) for side in (left, right))
    return bottom - top > 0.5 * shorter


def _is_prose(side: list[Line], depth: int) -> bool:
    """Lines that fill their column, or columns again."""
    width = max(line.x1 for line in side) - min(line.x0 for line in side)
    if width < _MIN_COLUMN_PT:
        return False
    if statistics.median(line.width for line in side) >= 0.6 * width:
        return True
    return depth < 2 and _gutter(side, depth + 1) is not None
