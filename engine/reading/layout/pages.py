"""Lines and table rows onto pages: page breaks, keeps, borders, headers and footers."""

from __future__ import annotations

import dataclasses

from engine.document import Furniture, FurnitureKind
from engine.reading.layout.drawing import PageDrawing
from engine.reading.layout.lines import Line, break_lines
from engine.reading.layout.measure import MeasuredText, UsedGlyphs
from engine.reading.layout.model import (
    Alignment,
    PageFurniture,
    PageGeometry,
    Paragraph,
    ParagraphStyle,
    Section,
    Span,
    TabStop,
)

PAGE_NUMBER, PAGE_COUNT = "\ue000", "\ue001"
#: More pages than this are not laid out; the text after them goes on in the last one's place.
MAX_PAGES = 20_000


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
        x, y: pen; ``y`` is the top of the free part of the current page, in points.
        placed: per line (start, end, page, x, baseline), in the order placed.
    """

    def __init__(self, text: MeasuredText, section: Section) -> None:
        self.text = text
        self.section = section
        self.pages: list[PlacedPage] = []
        self.placed: list[tuple[int, int, int, float, float]] = []
        self.y = 0.0
        self.fresh = True
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
        g = self.section.geometry
        return max(72.0, g.width_pt - g.left_pt - g.right_pt)

    @property
    def bottom(self) -> float:
        """Lower edge of the text area."""
        return self.geometry.height_pt - self.geometry.bottom_pt

    @property
    def room(self) -> float:
        """Height that is left on the current page."""
        return self.bottom - self.y

    @property
    def full_height(self) -> float:
        """Height of an empty page's text area."""
        g = self.section.geometry
        return max(72.0, g.height_pt - g.top_pt - g.bottom_pt)

    def start_section(self, section: Section) -> None:
        """Go on in another section; on a new page unless it is continuous and of the same page size."""
        same = section.geometry == self.section.geometry
        self.section = section
        if section.first_number >= 0:
            self._next_number = section.first_number
        if section.continuous and same:
            return
        self._first_of_section = True
        if self.fresh:
            self.pages.pop()
            if section.first_number < 0:
                self._next_number = max(0, self._next_number - 1)
        self.new_page()

    def new_page(self) -> None:
        """Begin a page of the current section."""
        g = self.section.geometry
        page = PlacedPage(g, PageDrawing(g.height_pt), self.section, self._first_of_section, self._next_number)
        self.pages.append(page)
        self._first_of_section = False
        self._next_number += 1
        self.y = g.top_pt
        self.fresh = True

    def need(self, height: float) -> None:
        """Begin a page unless ``height`` fits on this one or this one is empty."""
        if height > self.room + 0.01 and not self.fresh and len(self.pages) < MAX_PAGES:
            self.new_page()

    def put_line(self, line: Line, left: float, top: float) -> None:
        """Draw a line of the text; ``left`` is the left edge of its column."""
        x, baseline = left + line.x, top + line.baseline
        self.drawing.line(self.text, line, x, baseline)
        self.placed.append((line.start, line.end, len(self.pages) - 1, x, baseline))

    def draw_furniture(self) -> list[Furniture]:
        """Draw headers and footers on all pages, now that the number of pages is known."""
        result: list[Furniture] = []
        count, used = len(self.pages), self.text.used
        for index, page in enumerate(self.pages):
            s = page.section
            header, footer = s.header, s.footer
            if page.first_of_section:
                header = s.first_header if s.first_header is not None else header
                footer = s.first_footer if s.first_footer is not None else footer
            g = page.geometry
            edge = min(s.header_pt, g.top_pt / 2)
            result.extend(_draw_lines(page, index, header, edge, count, FurnitureKind.HEADER, used))
            edge = min(s.footer_pt, g.bottom_pt / 2)
            height = sum(f.style.size_pt * 1.3 for f in footer)
            top = g.height_pt - edge - height
            result.extend(_draw_lines(page, index, footer, top, count, FurnitureKind.FOOTER, used))
        return result


def _draw_lines(
    page: PlacedPage,
    index: int,
    lines: tuple[PageFurniture, ...],
    top: float,
    count: int,
    kind: FurnitureKind,
    used: UsedGlyphs,
) -> list[Furniture]:
    """One header or footer; each of its paragraphs becomes a Furniture with the box it was drawn in."""
    result = []
    g = page.geometry
    width = max(72.0, g.width_pt - g.left_pt - g.right_pt)
    for item in lines:
        shown = item.text.replace(PAGE_NUMBER, str(page.number)).replace(PAGE_COUNT, str(count))
        text = MeasuredText(shown)
        text.set_spans([Span(0, len(shown), item.style)])
        for _ in text.measure():
            pass
        text.share_glyphs(used)
        stops = (TabStop(width / 2, Alignment.CENTRE), TabStop(width, Alignment.RIGHT))
        style = ParagraphStyle(item.alignment, tabs=stops)
        paragraph = Paragraph(0, len(shown), style, size_pt=item.style.size_pt)
        y = top
        right = g.left_pt
        for line in break_lines(text, paragraph, width)[:4]:
            page.drawing.line(text, line, g.left_pt + line.x, y + line.baseline)
            seen = max(line.start, int(text.visible[line.end]))
            right = max(right, g.left_pt + line.x + float(text.width[line.start : seen].sum()))
            y += line.height
        page.drawing.edges(item.border, g.left_pt, top - 1, g.left_pt + width, y + 1)
        if shown.strip():
            number = shown.strip() == str(page.number) or (PAGE_NUMBER in item.text and len(item.text.strip()) < 16)
            sort = FurnitureKind.PAGE_NUMBER if number and PAGE_NUMBER in item.text else kind
            result.append(Furniture(sort, index, shown.strip(), (g.left_pt, top, right, y)))
        top = y
    return result
