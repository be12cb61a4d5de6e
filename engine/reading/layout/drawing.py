"""Lines, borders and shades as PDF content, one page at a time."""

from __future__ import annotations

import bisect

from engine.reading.layout import fonts
from engine.reading.layout.lines import Line
from engine.reading.layout.measure import LOWERED_BY, RAISED_BY, MeasuredText
from engine.reading.layout.model import Border, TextStyle

#: Faces without a bold cut are made bold by stroking their outlines, this wide in em.
BOLD_STROKE = 0.03
#: Slant of faces without an italic cut, around this height in em, so that the ink stays in its box.
SLANT, SLANT_AXIS = 0.15, 0.35
#: A kern of less than this many 1/1000 em is not worth writing.
MIN_KERN = 0.5


def _colour(colour: int, operator: str) -> str:
    if colour == 0:
        return f"0 {'g' if operator == 'rg' else 'G'}"
    channels = ((colour >> 16) & 255, (colour >> 8) & 255, colour & 255)
    return " ".join(f"{c / 255:.3g}" for c in channels) + " " + operator


class PageDrawing:
    """The content of one page. Places are points from the top left corner, as everywhere in Antinomy."""

    def __init__(self, height_pt: float) -> None:
        self._height = height_pt
        self._under: list[str] = []
        self._over: list[str] = []
        self._text: list[str] = []
        self._state: tuple[str, str, bool] = ("", "0 g", False)

    def content(self) -> bytes:
        """The content stream: shades, then lines and frames, then text."""
        return "\n".join([*self._under, "0 G 0 g", *self._over, "BT 0 g", *self._text, "ET"]).encode()

    def rule(self, x0: float, y0: float, x1: float, y1: float, width_pt: float, colour: int = 0) -> None:
        """A straight line."""
        y0, y1 = self._height - y0, self._height - y1
        ink = _colour(colour, "RG")
        self._over.append(f"{ink} {width_pt:.2f} w {x0:.2f} {y0:.2f} m {x1:.2f} {y1:.2f} l S")

    def edges(self, border: Border, x0: float, y0: float, x1: float, y1: float) -> None:
        """The edges of a rectangle that have a width."""
        if border.top > 0:
            self.rule(x0, y0, x1, y0, border.top, border.colour)
        if border.bottom > 0:
            self.rule(x0, y1, x1, y1, border.bottom, border.colour)
        if border.left > 0:
            self.rule(x0, y0, x0, y1, border.left, border.colour)
        if border.right > 0:
            self.rule(x1, y0, x1, y1, border.right, border.colour)

    def shade(self, x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        """A filled rectangle under the text."""
        self._under.append(f"{_colour(colour, 'rg')} {x0:.2f} {self._height - y1:.2f} {x1 - x0:.2f} {y1 - y0:.2f} re f")

    def picture(self, name: str, x0: float, y0: float, x1: float, y1: float) -> None:
        """A picture under the text."""
        self._under.append(f"q {x1 - x0:.2f} 0 0 {y1 - y0:.2f} {x0:.2f} {self._height - y1:.2f} cm /{name} Do Q")

    def frame(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """An empty frame, for a character without a glyph."""
        self._over.append(f"0 G 0.5 w {x0:.2f} {self._height - y1:.2f} {x1 - x0:.2f} {y1 - y0:.2f} re S")

    def line(self, text: MeasuredText, line: Line, x: float, baseline: float) -> None:
        """Draw a line of text whose first character starts at ``x``."""
        end = max(line.start, int(text.visible[line.end]))
        at = line.start
        low = bisect.bisect_right(text.changes, at)
        while at < end:
            until = min(text.changes[low], end) if low < len(text.changes) else end
            width = float(text.width[at:until].sum()) if line.adjusted else float(text.pen[until] - text.pen[at])
            self._run(text, at, until, x, baseline, width, line.adjusted)
            x += width
            at = until
            low += 1

    def _run(
        self, text: MeasuredText, start: int, end: int, x: float, baseline: float, width: float, adjusted: bool
    ) -> None:
        """Characters of one face and one style."""
        number = int(text.style[start])
        style, size, face = text.styles[number], float(text.size[number]), int(text.face[start])
        if style.raised:
            baseline -= style.size_pt * (RAISED_BY if style.raised > 0 else LOWERED_BY)
        if style.underline or style.strike or style.highlight >= 0:
            self._decorate(style, size, x, width, baseline)
        if face == fonts.BLANK:
            return
        if face >= fonts.MISSING:
            self._frames(text.text[start:end], x, baseline, width / (end - start), size)
            return
        bold = style.bold and face >= fonts.MONO
        font, colour = f"/F{face} {size:g} Tf", _colour(style.colour, "rg")
        now = (font, colour, bold)
        if now != self._state:
            self._switch(now, style, size)
        slant = "0"
        if style.italic and face >= fonts.MONO:
            slant = f"{SLANT}"
            x -= SLANT * SLANT_AXIS * size
        shown = _kerned(text, start, end, size) if adjusted else f"<{text.hexes[4 * start : 4 * end]}>Tj"
        self._text.append(f"1 0 {slant} 1 {x:.3f} {self._height - baseline:.3f} Tm {shown}")

    def _frames(self, characters: str, x: float, baseline: float, advance: float, size: float) -> None:
        """Boxes to tick, ticked or not, and empty frames for characters without a glyph."""
        for character in characters:
            x0, y0, x1, y1 = x + 0.08 * size, baseline - 0.72 * size, x + advance - 0.08 * size, baseline
            self.frame(x0, y0, x1, y1)
            if character in fonts.CROSSED:
                self.rule(x0, y0, x1, y1, 0.05 * size)
                self.rule(x0, y1, x1, y0, 0.05 * size)
            elif character in fonts.CHECKED:
                self.rule(x0 + 0.1 * size, baseline - 0.35 * size, x0 + 0.28 * size, y1 - 0.1 * size, 0.07 * size)
                self.rule(x0 + 0.28 * size, y1 - 0.1 * size, x1 - 0.06 * size, y0 + 0.08 * size, 0.07 * size)
            x += advance

    def _switch(self, now: tuple[str, str, bool], style: TextStyle, size: float) -> None:
        font, colour, bold = now
        before = self._state
        if font != before[0]:
            self._text.append(font)
        if colour != before[1]:
            self._text.append(colour)
        if bold:
            self._text.append(f"2 Tr {BOLD_STROKE * size:.3g} w {_colour(style.colour, 'RG')}")
        elif before[2]:
            self._text.append("0 Tr")
        self._state = now

    def _decorate(self, style: TextStyle, size: float, x: float, width: float, baseline: float) -> None:
        if style.highlight >= 0:
            self.shade(x, baseline - 0.9 * size, x + width, baseline + 0.25 * size, style.highlight)
        if style.underline:
            self.rule(x, baseline + 0.12 * size, x + width, baseline + 0.12 * size, 0.05 * size, style.colour)
        if style.strike:
            self.rule(x, baseline - 0.28 * size, x + width, baseline - 0.28 * size, 0.05 * size, style.colour)


def _kerned(text: MeasuredText, start: int, end: int, size: float) -> str:
    """A TJ array that moves the pen where widths were stretched."""
    added = (text.width[start:end] - text.own[start:end]) * (1000 / size)
    places = (abs(added) > MIN_KERN).nonzero()[0].tolist()
    if not places:
        return f"<{text.hexes[4 * start : 4 * end]}>Tj"
    parts = ["["]
    at = start
    for place in places:
        after = start + place + 1
        parts.append(f"<{text.hexes[4 * at : 4 * after]}>{-added[place]:.1f}")
        at = after
    if at < end:
        parts.append(f"<{text.hexes[4 * at : 4 * end]}>")
    parts.append("]TJ")
    return "".join(parts)
