"""Paragraphs into lines: greedy, with tab stops, numbers that hang, justification and long words broken."""

from __future__ import annotations

import bisect
import dataclasses
import math

import numpy as np

from engine.reading.layout.measure import MeasuredText
from engine.reading.layout.model import Alignment, LabelFollow, Paragraph, TabStop

#: A line's natural height and where its baseline stands, in em of its largest size.
LINE_HEIGHT, BROAD_LINE_HEIGHT, BASELINE = 1.15, 1.3, 0.78
MIN_TAB_PT = 9.0
#: A word space is never stretched by more than this many points; the line stays ragged instead.
MAX_STRETCH_PT = 18.0
#: Lines narrower than this are widened: a cell or indent gone wrong must not make a column of letters.
MIN_WIDTH_PT = 12.0
#: How far a line may begin left of the text area.
MAX_OUTDENT_PT = 54.0


@dataclasses.dataclass(slots=True)
class Line:
    """A line: code points ``[start, end)``, left edge from the text area, height, baseline from its top.

    ``adjusted``: widths in it are not those of :attr:`MeasuredText.pen` (tabs, justification, a number).
    """

    start: int
    end: int
    x: float
    height: float
    baseline: float
    adjusted: bool = False


class _Breaker:
    """Breaks one paragraph; ``available`` is the width in points between the paragraph's indents."""

    def __init__(self, measured: MeasuredText, paragraph: Paragraph, width_pt: float) -> None:
        self.text = measured
        self.paragraph = paragraph
        self.style = paragraph.style
        self.left = self.style.left_pt
        self.right = max(width_pt - self.style.right_pt, self.left + MIN_WIDTH_PT)
        low = bisect.bisect_right(measured.starts, paragraph.start)
        high = bisect.bisect_left(measured.starts, paragraph.end)
        self.breaks: list[int] = [*measured.starts[low:high], paragraph.end]
        index = np.array(self.breaks)
        self.reach: list[float] = measured.pen[measured.visible[index]].tolist()
        span = measured.text[paragraph.start : paragraph.end]
        self.feeds = _positions(span, "\n", paragraph.start)
        self.tabs = _positions(span, "\t", paragraph.start)
        self.label_gap = self._label_gap()

    def _label_gap(self) -> int:
        """Offset of the space after an automatic number, -1 without one."""
        p = self.paragraph
        return p.label_end if p.start < p.label_end < p.end else -1

    def lines(self) -> list[Line]:
        p = self.paragraph
        result: list[Line] = []
        start = p.start
        while start < p.end:
            indent = max(self._indent(first=not result), -MAX_OUTDENT_PT)
            end, adjusted = self._one_line(start, indent)
            result.append(self._finish(start, end, indent, adjusted))
            start = end
        if not result or (self.feeds and self.feeds[-1] == p.end - 1):
            result.append(self._finish(p.end, p.end, self.left, False))
        return result

    def _indent(self, *, first: bool) -> float:
        """Left edge of a line; a number may end or be centred at the first line's indent instead."""
        if not first:
            return self.left
        indent = self.left + self.style.first_line_pt
        if self.label_gap > 0 and self.paragraph.label_alignment is not Alignment.LEFT:
            width = float(self.text.pen[self.label_gap] - self.text.pen[self.paragraph.start])
            indent -= width if self.paragraph.label_alignment is Alignment.RIGHT else width / 2
        return indent

    def _one_line(self, start: int, indent: float) -> tuple[int, bool]:
        """Where the line from ``start`` ends; sets the widths of the tabs in it."""
        pen, width = self.text.pen, self.text.width
        limit = self.paragraph.end
        i = bisect.bisect_left(self.feeds, start)
        if i < len(self.feeds):
            limit = self.feeds[i] + 1
        extra, adjusted = 0.0, False
        if start == self.paragraph.start and self.label_gap > 0:
            at = indent + float(pen[self.label_gap] - pen[start])
            width[self.label_gap] = self._after_label(at)
            extra += float(width[self.label_gap] - self.text.set_width[self.label_gap])
            adjusted = True
        t = bisect.bisect_left(self.tabs, start)
        while t < len(self.tabs) and self.tabs[t] < limit:
            tab = self.tabs[t]
            end = self._fit(start, limit, self.right - indent - extra)
            if end <= tab:
                return end, adjusted
            at = indent + extra + float(pen[tab] - pen[start])
            advance = self._tab_advance(at, tab, limit)
            if at + advance > self.right + 1 and tab > start:
                return tab + 1, True
            width[tab] = advance
            extra += advance
            adjusted = True
            t += 1
        return self._fit(start, limit, self.right - indent - extra), adjusted

    def _fit(self, start: int, limit: int, room: float) -> int:
        """The farthest end of a line from ``start`` that leaves at most ``room`` points of ink."""
        pen = self.text.pen
        goal = float(pen[start]) + room + 0.01
        i = bisect.bisect_right(self.reach, goal) - 1
        best = min(self.breaks[i], limit) if i >= 0 else start
        if best > start:
            return best
        i = bisect.bisect_right(self.breaks, start)
        first = min(self.breaks[i] if i < len(self.breaks) else limit, limit)
        # The first word alone is too long: break inside it, at least one character in.
        inside = int(np.searchsorted(pen[start : first + 1], goal, side="right")) - 1 + start
        return max(start + 1, min(inside, first))

    def _after_label(self, at: float) -> float:
        follow = self.paragraph.label_follow
        if follow is LabelFollow.NOTHING:
            return 0.0
        if follow is LabelFollow.SPACE:
            return float(self.text.set_width[self.label_gap])
        return self._next_stop(at)[0] - at

    def _next_stop(self, at: float) -> tuple[float, Alignment]:
        """The next tab stop right of ``at``: own ones, the hanging indent, then the default grid."""
        stops = [s for s in self.style.tabs if s.position_pt > at + 0.5]
        if self.style.first_line_pt < 0 and self.left > at + 0.5:
            stops.append(TabStop(self.left))
        if stops:
            stop = min(stops, key=lambda s: s.position_pt)
            return stop.position_pt, stop.alignment
        grid = max(MIN_TAB_PT, self.style.default_tab_pt)
        return (math.floor((at + 0.5) / grid) + 1) * grid, Alignment.LEFT

    def _tab_advance(self, at: float, tab: int, limit: int) -> float:
        """Width of a tab at ``at``; for right and centre stops the text after it decides."""
        position, alignment = self._next_stop(at)
        if alignment in (Alignment.RIGHT, Alignment.CENTRE):
            i = bisect.bisect_right(self.tabs, tab)
            until = min(self.tabs[i] if i < len(self.tabs) else limit, limit)
            until = max(tab + 1, int(self.text.visible[until]))
            after = float(self.text.pen[until] - self.text.pen[tab + 1])
            position -= after if alignment is Alignment.RIGHT else after / 2
        return max(position - at, 1.0)

    def _finish(self, start: int, end: int, indent: float, adjusted: bool) -> Line:
        text, style = self.text, self.style
        size = text.largest_size(start, end, self.paragraph.size_pt)
        broad = bool(text.broad[start:end].any())
        natural = size * (BROAD_LINE_HEIGHT if broad else LINE_HEIGHT)
        if style.line_grid_pt > 0:
            natural = math.ceil(natural / style.line_grid_pt - 0.02) * style.line_grid_pt
        height = max(natural * style.line_spacing, style.line_height_pt, size)
        baseline = (height - size) / 2 + BASELINE * size + 0.08 * size
        x = indent
        if text.spaced and not adjusted:
            adjusted = bool((text.width[start:end] != text.own[start:end]).any())
        if style.alignment is not Alignment.LEFT and end > start:
            seen = max(start, int(text.visible[end]))
            inked = float(text.width[start:seen].sum()) if adjusted else float(text.pen[seen] - text.pen[start])
            slack = self.right - indent - inked
            if slack > 0:
                if style.alignment is Alignment.RIGHT:
                    x += slack
                elif style.alignment is Alignment.CENTRE:
                    x += slack / 2
                elif end < self.paragraph.end and text.text[end - 1] != "\n":
                    adjusted = self._justify(start, seen, slack) or adjusted
        return Line(start, end, x, height, baseline, adjusted)

    def _justify(self, start: int, end: int, slack: float) -> bool:
        """Stretch the spaces (and the places between full-width characters) of a line."""
        text = self.text
        i = bisect.bisect_left(self.tabs, end) - 1
        if i >= 0 and self.tabs[i] >= start:
            start = self.tabs[i] + 1
        if start <= self.label_gap < end:
            start = self.label_gap + 1
        # Not where there is no width: zero-width spaces stay without.
        stretch = text.blank[start:end] & (text.own[start:end] > 0)
        pair = text.broad[start : end - 1] & text.broad[start + 1 : end]
        stretch[: len(pair)] |= pair
        places = np.flatnonzero(stretch) + start
        if places.size == 0 or slack / places.size > MAX_STRETCH_PT:
            return False
        text.width[places] = text.set_width[places] + slack / places.size
        return True


def _positions(span: str, character: str, offset: int) -> list[int]:
    """Offsets of a character in a paragraph's text."""
    result = []
    at = span.find(character)
    while at >= 0:
        result.append(at + offset)
        at = span.find(character, at + 1)
    return result


def break_lines(measured: MeasuredText, paragraph: Paragraph, width_pt: float) -> list[Line]:
    """The lines of a paragraph in a column of ``width_pt``; at least one, also for an empty paragraph."""
    return _Breaker(measured, paragraph, width_pt).lines()
