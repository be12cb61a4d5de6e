"""Character boxes from where the lines were put and how wide their characters are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.document import CharacterBoxes
from engine.reading.layout import fonts
from engine.reading.layout.measure import LOWERED_BY, RAISED_BY, MeasuredText

#: A line as placed: start, end, page, x of its first character, y of its baseline.
PlacedLine = tuple[int, int, int, float, float]
#: Lines worked on between two steps; about 5 ms.
LINES_A_STEP = 1500


class BoxBuilder:
    """Builds :attr:`boxes` (one per code point) in steps."""

    def __init__(self, text: MeasuredText, placed: list[PlacedLine]) -> None:
        self._text = text
        self._placed = [line for line in placed if line[1] > line[0]]
        n = len(text.text)
        self._rect = np.zeros((n, 4), np.float32)
        self._page = np.zeros(n, np.int32)
        self._inked = np.zeros(n, bool)
        self._full = np.array([s.size_pt for s in text.styles])
        raised = np.array([s.raised for s in text.styles])
        self._shift = self._full * np.where(raised > 0, RAISED_BY, np.where(raised < 0, LOWERED_BY, 0.0))
        plain = (fonts.FACES[fonts.SERIF][2], fonts.FACES[fonts.SERIF][3])
        self._edges = np.array([*((f[2], f[3]) for f in fonts.FACES), *([plain] * (256 - len(fonts.FACES)))])

    @property
    def boxes(self) -> CharacterBoxes:
        """The boxes; complete when :meth:`steps` is exhausted."""
        return CharacterBoxes(self._rect, self._page)

    def steps(self) -> Iterator[None]:
        """Do the work."""
        pen = np.concatenate(([0.0], np.cumsum(self._text.width)))
        yield None
        for i in range(0, len(self._placed), LINES_A_STEP):
            self._lines(self._placed[i : i + LINES_A_STEP], pen)
            yield None
        yield from self._collapse_unplaced()

    def _lines(self, lines: list[PlacedLine], pen: NDArray[np.float64]) -> None:
        text, rect = self._text, self._rect
        start, end, on, x, baseline = (np.array(column) for column in zip(*lines, strict=True))
        length = end - start
        where = np.repeat(start - np.concatenate(([0], np.cumsum(length)[:-1])), length) + np.arange(length.sum())
        left = np.repeat(x - pen[start], length) + pen[where]
        style, face = text.style[where], text.face[where]
        size, base = text.size[style], np.repeat(baseline, length) - self._shift[style]
        width = np.where(text.blank[where], text.width[where], text.own[where])
        rect[where, 0] = left
        rect[where, 1] = base - self._edges[face, 0] * size
        rect[where, 2] = left + np.where((text.own[where] == 0) & (text.width[where] <= 0), 0.0, width)
        rect[where, 3] = base - self._edges[face, 1] * size
        self._page[where] = np.repeat(on, length)
        self._inked[where] = True

    def _collapse_unplaced(self) -> Iterator[None]:
        """Give code points outside all lines an empty box at the end of the one before (or the first after)."""
        n = len(self._page)
        rect, page = self._rect, self._page
        before = np.maximum.accumulate(np.where(self._inked, np.arange(n), -1))
        yield None
        lost = np.flatnonzero(~self._inked)
        source = before[lost]
        known = source >= 0
        rect[lost[known]] = rect[source[known]]
        page[lost[known]] = page[source[known]]
        rect[lost[known], 0] = rect[lost[known], 2]
        placed = np.flatnonzero(self._inked)
        if not known.all() and placed.size:
            first = int(placed[0])
            rect[lost[~known]] = rect[first]
            rect[lost[~known], 2] = rect[first, 0]
            page[lost[~known]] = page[first]
        yield None
