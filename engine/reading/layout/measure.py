"""A whole text measured at once: faces, glyphs, widths and places where lines may end, as arrays."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.reading.layout import breaks, fonts
from engine.reading.layout.model import Flow, Footnotes, Paragraph, Picture, Section, Span, Table, TextStyle

#: Code points measured at a time; about 10 ms.
CHUNK = 1 << 15
SPACE, HAN_CHARACTER = np.uint32(0x20), np.uint32(0x4E00)

#: Face → glyph → (first code point shown with it, width in 1/1000 em): what a PDF must embed.
UsedGlyphs = dict[int, dict[int, tuple[int, int]]]

#: Size of raised and lowered characters, and how far they move, in em of the full size.
RAISED_SIZE, RAISED_BY, LOWERED_BY = 0.65, 0.35, -0.14


def face_of(style: TextStyle) -> int:
    """The face number that a style asks for."""
    if style.mono:
        return fonts.MONO
    return (fonts.SERIF if style.serif else fonts.SANS) + style.bold + 2 * style.italic


class MeasuredText:
    """Arrays over the code points of a text of length n.

    Attributes:
        styles: the distinct styles; ``style`` int32 ``[n]`` points into them.
        face, glyph: see :class:`engine.reading.layout.fonts.Glyphs`.
        width: float64 ``[n]`` points; tabs and stretched spaces are set while lines are broken.
        set_width: the same before stretching.
        own: without the styles' letter spacing too: what the glyph itself takes.
        spaced: whether a style has letter spacing.
        pen: float64 ``[n + 1]``, running sum of the widths before stretching.
        visible: int64 ``[n + 1]``, the end of the last character at or before an offset that is no blank.
        starts: sorted offsets at which a line may begin.
        blank, broad: bool ``[n]``, spaces at which a line may end; full-width characters.
        changes: sorted offsets at which style or face changes.
        hexes: the glyph numbers as text, four digits each.
        used: the glyphs that the text needs.
    """

    def __init__(self, text: str) -> None:
        n = len(text)
        self.text = text
        self.styles: list[TextStyle] = [TextStyle()]
        self._style_numbers: dict[TextStyle, int] = {self.styles[0]: 0}
        self.style = np.zeros(n, np.int32)
        self.face = np.zeros(n, np.uint8)
        self.glyph = np.zeros(n, np.uint16)
        self.width = np.zeros(n, np.float64)
        self.own = self.set_width = self.width
        self.spaced = False
        self.pen = np.zeros(n + 1, np.float64)
        self.visible = np.zeros(n + 1, np.int64)
        self.blank = np.zeros(n, bool)
        self.broad = np.zeros(n, bool)
        self.starts: list[int] = []
        self.changes: list[int] = []
        self.hexes = ""
        self.used: UsedGlyphs = {}
        self.size = np.zeros(0, np.float64)

    def set_spans(self, spans: Sequence[Span]) -> None:
        """Give code points their styles; before :meth:`measure`."""
        for span in spans:
            number = self._style_numbers.get(span.style)
            if number is None:
                number = self._style_numbers[span.style] = len(self.styles)
                self.styles.append(span.style)
            self.style[span.start : span.end] = number

    def measure(self) -> Iterator[int]:
        """Fill the arrays; yields the number of code points done after each chunk."""
        n = len(self.text)
        # Lone surrogates cannot come out of a decoder, but a caller's text may hold them.
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
        wanted = np.array([face_of(s) for s in self.styles], np.uint8)
        self.size = np.array([s.size_pt * (RAISED_SIZE if s.raised else 1.0) for s in self.styles])
        upper = np.array([s.upper for s in self.styles], bool)
        underlined = np.array([s.underline for s in self.styles], bool)
        raised = np.array([s.raised > 0 for s in self.styles], bool)
        starts: list[NDArray[np.int64]] = []
        for low in range(0, n, CHUNK):
            high = min(low + CHUNK, n)
            here, style = codes[low:high], self.style[low:high]
            shown = _capitals(here, upper[style]) if upper.any() else here
            shown = _lowered(shown, raised[style]) if raised.any() else shown
            found = fonts.glyphs(shown, wanted[style])
            for face, glyph, code, advance in found.distinct:
                if face < fonts.MISSING:
                    self.used.setdefault(face, {}).setdefault(glyph, (code, round(advance * 1000)))
            self.face[low:high], self.glyph[low:high] = found.face, found.glyph
            self.width[low:high] = found.advance * self.size[style]
            self.broad[low:high] = breaks.wide(here)
            # Underlined blanks are places to fill in: they take room on a line and break like Han characters.
            back = min(2, low)
            ink = codes[low - back : high]
            ink = np.where((ink == SPACE) & underlined[self.style[low - back : high]], HAN_CHARACTER, ink)
            self.blank[low:high] = breaks.spaces(ink[back:])
            starts.append(np.flatnonzero(breaks.may_start(ink)[back:]) + low)
            yield high
        self.own = self.width.copy()
        spacing = np.array([s.spacing_pt for s in self.styles])
        self.spaced = bool(spacing.any())
        if self.spaced:
            # Never so condensed that characters lie upon each other.
            tight = np.maximum(self.own + spacing[self.style], 0.5 * self.own)
            self.width = np.where(self.own > 0, tight, self.own)
        self.set_width = self.width.copy() if self.spaced else self.own
        np.cumsum(self.width, out=self.pen[1:])
        yield n
        self.visible[1:] = np.maximum.accumulate(np.where(self.blank, 0, np.arange(1, n + 1))) if n else 0
        yield n
        self.starts = np.concatenate(starts).tolist() if starts else []
        yield n
        key = self.style * 32 + self.face
        self.changes = (np.flatnonzero(np.diff(key)) + 1).tolist()
        yield n
        self.hexes = self.glyph.astype(">u2").tobytes().hex()
        yield n

    def share_glyphs(self, used: UsedGlyphs) -> None:
        """Add the glyphs of this text to those of another."""
        for face, found in self.used.items():
            into = used.setdefault(face, {})
            for glyph, entry in found.items():
                into.setdefault(glyph, entry)

    def largest_size(self, start: int, end: int, default: float) -> float:
        """The largest font size (points) in ``[start, end)``; ``default`` when that is empty."""
        if start >= end:
            return default
        low = bisect.bisect_right(self.changes, start)
        high = bisect.bisect_left(self.changes, end)
        numbers = {int(self.style[start]), *(int(self.style[c]) for c in self.changes[low:high])}
        return max(self.styles[i].size_pt for i in numbers)


def _capitals(codes: NDArray[np.uint32], where: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Small letters as capitals where asked, one for one (a sharp s stays)."""
    result = codes.copy()
    for code in np.unique(codes[where]):
        capital = chr(int(code)).upper()
        if len(capital) == 1:
            result[where & (codes == code)] = ord(capital)
    return result


def _lowered(codes: NDArray[np.uint32], where: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Superscript digits and letters as plain ones where the style raises them already."""
    result = codes.copy()
    for code in np.unique(codes[where]):
        plain = fonts.SUPERSCRIPTS.get(int(code))
        if plain is not None:
            result[where & (codes == code)] = plain
    return result


def paragraphs_of(content: Flow) -> Iterator[Paragraph]:
    """All paragraphs of a flow, those in tables and notes included, in order."""
    stack: list[Iterator[Paragraph | Table | Section | Footnotes | Picture]] = [iter(content)]
    while stack:
        item = next(stack[-1], None)
        if item is None:
            stack.pop()
        elif isinstance(item, Paragraph):
            yield item
        elif isinstance(item, Footnotes):
            yield from item.content
        elif isinstance(item, Table):
            stack.append(iter([inner for row in item.rows for cell in row.cells for inner in cell.content]))
