"""Lines and table rows onto pages: page breaks, keeps, borders, headers and footers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from engine.document import Furniture, FurnitureKind
from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError
from engine.reading.layout.drawing import PageDrawing
from engine.reading.layout.images import Images
from engine.reading.layout.lines import Line, break_lines
from engine.reading.layout.measure import MeasuredText, UsedGlyphs
from engine.reading.layout.model import (
    Alignment,
    PageFurniture,
    PageGeometry,
    Paragraph,
    ParagraphStyle,
    Picture,
    Section,
    Span,
    TabStop,
)

PAGE_NUMBER, PAGE_COUNT = "\ue000", "\ue001"
#: Space between text and header or footer, lines of one header paragraph, length of a mere page number.
FURNITURE_GAP_PT, MAX_FURNITURE_LINES, MAX_NUMBER_LINE = 6.0, 4, 16
#: Room for the rule above the notes at a page's foot.
NOTE_RULE_PT = 10.0
#: More pages than this are not laid out.
MAX_PAGES = 10_000


@dataclasses.dataclass(slots=True)
class PlacedPage:
    """A page being filled: its geometry, drawing, the section it belongs to and its number in it."""

    geometry: PageGeometry
    drawing: PageDrawing
    section: Section
    first_of_section: bool
    number: int


class Pages:
    """Places lines on pages and remembers where each went.

    Attributes:
        y, top: the top of the free part of the current page and of its text area, in points.
        placed: per line (start, end, page, x, baseline), in the order placed.
    """

    def __init__(self, text: MeasuredText, section: Section) -> None:
        self.text = text
        self.section = section
        self.pages: list[PlacedPage] = []
        self.images = Images()
        self.placed: list[tuple[int, int, int, float, float]] = []
        self.y = 0.0
        self.top = 0.0
        self.fresh = True
        self._notes: list[tuple[Line, float]] = []
        self._notes_height = 0.0
        self._margins = (section.geometry.top_pt, section.geometry.bottom_pt)
        self._known_furniture: dict[tuple[PageFurniture, float], _SetFurniture] = {}
        self._known_margins: dict[tuple[int, bool], tuple[float, float]] = {}
        self._first_of_section = True
        self._next_number = section.first_number if section.first_number >= 0 else 1
        self.new_page()

    @property
    def geometry(self) -> PageGeometry:
        """The current page's."""
        return self.pages[-1].geometry

    @property
    def drawing(self) -> PageDrawing:
        """The current page's."""
        return self.pages[-1].drawing

    @property
    def column_width(self) -> float:
        """Width in points of the text area."""
        return _text_width(self.section.geometry)

    @property
    def bottom(self) -> float:
        """Lower edge of the text area."""
        return self.geometry.height_pt - self._margins[1] - self._notes_height

    @property
    def room(self) -> float:
        """Height that is left on the current page."""
        return self.bottom - self.y

    @property
    def full_height(self) -> float:
        """Height of an empty page's text area."""
        return max(72.0, self.section.geometry.height_pt - sum(self._margins))

    def start_section(self, section: Section) -> None:
        """Go on in another section; on a new page unless it is continuous and of the same page size."""
        same = section.geometry == self.section.geometry
        self.section = section
        if section.first_number >= 0:
            self._next_number = section.first_number
        if section.continuous and same:
            return
        self._first_of_section = True
        if self.fresh and not self._notes:
            self.pages.pop()
            if section.first_number < 0:
                self._next_number = max(0, self._next_number - 1)
        self.new_page()

    def new_page(self) -> None:
        """Begin a page of the current section.

        Raises:
            ReadingError: there are ``MAX_PAGES`` already.
        """
        self.finish()
        if len(self.pages) >= MAX_PAGES:
            words = "This file has more than {most} pages. Split it."
            raise ReadingError(FaultCode.TOO_LARGE, words, most=f"{MAX_PAGES:,}")
        g = self.section.geometry
        page = PlacedPage(g, PageDrawing(g.height_pt), self.section, self._first_of_section, self._next_number)
        self.pages.append(page)
        self._first_of_section = False
        self._next_number += 1
        self._margins = self._margins_of(page)
        self.y = self.top = self._margins[0]
        self.fresh = True

    def _margins_of(self, page: PlacedPage) -> tuple[float, float]:
        """Top and bottom margin, grown where a header or footer needs more than the margin."""
        section, g = page.section, page.geometry
        key = (id(section), page.first_of_section)
        known = self._known_margins.get(key)
        if known is None:
            width, limit = _text_width(g), g.height_pt / 3
            header = _furniture_height(_furniture_of(section, FurnitureKind.HEADER, first=page.first_of_section), width)
            footer = _furniture_height(_furniture_of(section, FurnitureKind.FOOTER, first=page.first_of_section), width)
            top = min(section.header_pt, g.top_pt / 2) + header + FURNITURE_GAP_PT if header else 0.0
            bottom = min(section.footer_pt, g.bottom_pt / 2) + footer + FURNITURE_GAP_PT if footer else 0.0
            known = max(g.top_pt, min(top, limit)), max(g.bottom_pt, min(bottom, limit))
            self._known_margins[key] = known
        return known

    def note_room(self, height: float) -> float:
        """What notes of ``height`` take from the current page, the rule above the first included."""
        return height + (0.0 if self._notes else NOTE_RULE_PT)

    def add_notes(self, lines: list[tuple[Line, float]]) -> None:
        """Set lines (each with the space before it) at the foot of the current page."""
        self._notes_height += self.note_room(sum(line.height + gap for line, gap in lines))
        self._notes.extend(lines)
        self.fresh = False

    def finish(self) -> None:
        """Draw the notes of the current page; no more lines are put on it."""
        if not self._notes:
            return
        g = self.geometry
        y = g.height_pt - self._margins[1] - self._notes_height + NOTE_RULE_PT
        self.drawing.rule(g.left_pt, y - NOTE_RULE_PT / 2, g.left_pt + 144, y - NOTE_RULE_PT / 2, 0.5)
        for line, gap in self._notes:
            y += gap
            self.put_line(line, g.left_pt, y)
            y += line.height
        self._notes = []
        self._notes_height = 0.0

    def need(self, height: float) -> None:
        """Begin a page unless ``height`` fits on this one or this one is empty."""
        if height > self.room + 0.01 and not self.fresh:
            self.new_page()

    def put_line(self, line: Line, left: float, top: float) -> None:
        """Draw a line of the text; ``left`` is the left edge of its column."""
        x, baseline = left + line.x, top + line.baseline
        self.drawing.line(self.text, line, x, baseline)
        self.placed.append((line.start, line.end, len(self.pages) - 1, x, baseline))

    def put_picture(self, item: Picture) -> None:
        """Draw a picture at the pen, or its frame when it cannot be shown; begins a page when it must."""
        width, height = max(1.0, item.width_pt), max(1.0, item.height_pt)
        shrink = min(1.0, self.column_width / width, self.full_height / height)
        width, height = width * shrink, height * shrink
        self.need(height)
        share = {Alignment.CENTRE: 0.5, Alignment.RIGHT: 1.0}.get(item.alignment, 0.0)
        slack = self.column_width - width
        x = self.geometry.left_pt + (slack * share if share else max(0.0, min(item.left_pt, slack)))
        name = self.images.add(item.data)
        if name is None:
            self.drawing.frame(x, self.y, x + width, self.y + height)
        else:
            self.drawing.picture(name, x, self.y, x + width, self.y + height)
        self.y += height
        self.fresh = False

    def draw_furniture(self) -> Iterator[list[Furniture]]:
        """Draw headers and footers, now that the number of pages is known; yields each page's."""
        count = len(self.pages)
        for index, page in enumerate(self.pages):
            section, g = page.section, page.geometry
            found: list[Furniture] = []
            for kind in (FurnitureKind.HEADER, FurnitureKind.FOOTER):
                lines = [
                    self._set_once(item, _filled(item.text, page.number, count), _text_width(g))
                    for item in _furniture_of(section, kind, first=page.first_of_section)
                ]
                if kind is FurnitureKind.HEADER:
                    top = min(section.header_pt, g.top_pt / 2)
                else:
                    height = sum(piece.height for piece in lines)
                    top = g.height_pt - min(section.footer_pt, g.bottom_pt / 2) - height
                found.extend(_draw_lines(page, index, lines, top, kind, self.text.used))
            yield found

    def _set_once(self, item: PageFurniture, shown: str, width: float) -> _SetFurniture:
        """A header or footer line, broken once when it is the same on all pages."""
        if shown != item.text:
            return _set(item, shown, width)
        key = (item, width)
        known = self._known_furniture.get(key)
        if known is None:
            known = self._known_furniture[key] = _set(item, shown, width)
        return known


def _filled(text: str, number: int, count: int) -> str:
    return text.replace(PAGE_NUMBER, str(number)).replace(PAGE_COUNT, str(count))


def _furniture_of(section: Section, kind: FurnitureKind, *, first: bool) -> tuple[PageFurniture, ...]:
    """The header or footer of a page of a section."""
    if kind is FurnitureKind.HEADER:
        return section.first_header if first and section.first_header is not None else section.header
    return section.first_footer if first and section.first_footer is not None else section.footer


@dataclasses.dataclass(slots=True)
class _SetFurniture:
    """A header or footer line broken into lines."""

    item: PageFurniture
    text: MeasuredText
    lines: list[Line]

    @property
    def height(self) -> float:
        return sum(line.height for line in self.lines)


def _set(item: PageFurniture, shown: str, width: float) -> _SetFurniture:
    """Break one header or footer line in a column of ``width`` points."""
    text = MeasuredText(shown)
    text.set_spans([Span(0, len(shown), item.style)])
    for _ in text.measure():
        pass
    stops = (TabStop(width / 2, Alignment.CENTRE), TabStop(width, Alignment.RIGHT))
    style = ParagraphStyle(item.alignment, tabs=stops)
    paragraph = Paragraph(0, len(shown), style, size_pt=item.style.size_pt)
    return _SetFurniture(item, text, break_lines(text, paragraph, width)[:MAX_FURNITURE_LINES])


def _furniture_height(lines: tuple[PageFurniture, ...], width: float) -> float:
    return sum(_set(item, item.text, width).height for item in lines)


def _text_width(g: PageGeometry) -> float:
    return max(72.0, g.width_pt - g.left_pt - g.right_pt)


def _draw_lines(
    page: PlacedPage, index: int, lines: list[_SetFurniture], top: float, kind: FurnitureKind, used: UsedGlyphs
) -> list[Furniture]:
    """One header or footer; each of its paragraphs becomes a Furniture with the box it was drawn in."""
    result = []
    left, width = page.geometry.left_pt, _text_width(page.geometry)
    for piece in lines:
        text, item = piece.text, piece.item
        text.share_glyphs(used)
        y, right = top, left
        for line in piece.lines:
            page.drawing.line(text, line, left + line.x, y + line.baseline)
            seen = max(line.start, int(text.visible[line.end]))
            right = max(right, left + line.x + float(text.width[line.start : seen].sum()))
            y += line.height
        page.drawing.edges(item.border, left, top - 1, left + width, y + 1)
        shown = text.text.strip()
        if shown:
            short = PAGE_NUMBER in item.text and len(item.text.strip()) < MAX_NUMBER_LINE
            result.append(Furniture(FurnitureKind.PAGE_NUMBER if short else kind, index, shown, (left, top, right, y)))
        top = y
    return result
