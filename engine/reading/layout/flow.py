"""A flow of paragraphs and tables set onto pages, item by item."""

from __future__ import annotations

from collections.abc import Iterator

from engine.reading.layout.lines import Line, break_lines
from engine.reading.layout.measure import MeasuredText
from engine.reading.layout.model import Border, Flow, Footnotes, Paragraph, Picture, Section, Table
from engine.reading.layout.pages import Pages
from engine.reading.layout.tables import (
    Gap,
    Piece,
    RowBox,
    build_rows,
    split_row,
    untie,
)

#: Lines of a paragraph that stay together at a page's foot and head.
ORPHANS = 2
#: A chain of headings that keep with the next is not followed further than this.
MAX_KEPT = 12
#: Space before each note; notes taller than this share of a page stand in the text.
NOTE_GAP_PT, NOTE_LIMIT = 2.0, 0.6
#: An item taller than this share of a page is never kept whole.
KEEP_LIMIT = 0.9


class FlowSetter:
    """Sets the items of a flow one after the other."""

    def __init__(self, text: MeasuredText, flow: Flow, pages: Pages) -> None:
        self._text = text
        self._flow = flow
        self._pages = pages
        self._space_after = 0.0
        self._lines: dict[int, list[Line]] = {}
        self._kept_until = -1

    def set_all(self) -> Iterator[int]:
        """Place everything; yields the end offset of what is placed, after each paragraph or row."""
        for index, item in enumerate(self._flow):
            if isinstance(item, Section):
                if index > 0:
                    self._pages.start_section(item)
                    self._space_after = 0.0
            elif isinstance(item, Footnotes):
                self._set_notes(item)
            elif isinstance(item, Picture):
                self._pages.put_picture(item)
                self._space_after = 4.0
            elif isinstance(item, Paragraph):
                self._set_paragraph(index, item)
                yield item.end
            else:
                yield from self._set_table(item)

    # --- paragraphs -----------------------------------------------------------------------------------

    def _lines_of(self, index: int, item: Paragraph) -> list[Line]:
        lines = self._lines.get(index)
        if lines is None:
            lines = self._lines[index] = break_lines(self._text, item, self._pages.column_width)
        return lines

    def _set_paragraph(self, index: int, item: Paragraph) -> None:
        pages, style = self._pages, item.style
        if style.page_break_before and not pages.fresh:
            pages.new_page()
        lines = self._lines_of(index, item)
        del self._lines[index]
        gap = 0.0 if pages.fresh else max(self._space_after, style.space_before_pt)
        height = sum(line.height for line in lines)
        if style.keep_with_next and index > self._kept_until:
            self._keep_chain(index, gap + height)
        elif style.keep_lines and height < KEEP_LIMIT * pages.full_height:
            pages.need(gap + height)
        else:
            pages.need(gap + sum(line.height for line in lines[:ORPHANS]))
        if not pages.fresh:
            pages.y += gap
        top = pages.y
        last = len(lines) - 1
        notes = self._notes_after(index)
        for i, line in enumerate(lines):
            # The last two lines go over together rather than one alone.
            rest = lines[i + 1].height if 0 < i == last - 1 and i >= ORPHANS else 0.0
            if notes and (i == last or rest):
                rest += pages.note_room(notes)
            if line.height + rest > pages.room + 0.01 and not pages.fresh:
                self._rules(style.border, item, top, pages.y, first=top != pages.top, last=False)
                pages.need(line.height + rest)
                top = pages.y
            pages.put_line(line, pages.geometry.left_pt, pages.y)
            pages.y += line.height
            pages.fresh = False
        self._rules(style.border, item, top, pages.y, first=True, last=True)
        self._space_after = style.space_after_pt

    def _note_lines(self, item: Footnotes) -> list[tuple[Line, float]]:
        """The lines of notes, each with the space before it."""
        lines = []
        for paragraph in item.content:
            for i, line in enumerate(break_lines(self._text, paragraph, self._pages.column_width)):
                lines.append((line, 0.0 if i else NOTE_GAP_PT))
        return lines

    def _notes_after(self, index: int) -> float:
        """Height of the notes to a paragraph, 0 without any or when they are too long for a page's foot."""
        item = self._flow[index + 1] if index + 1 < len(self._flow) else None
        if not isinstance(item, Footnotes):
            return 0.0
        height = sum(line.height + gap for line, gap in self._note_lines(item))
        return height if height < NOTE_LIMIT * self._pages.full_height else 0.0

    def _set_notes(self, item: Footnotes) -> None:
        pages = self._pages
        lines = self._note_lines(item)
        height = pages.note_room(sum(line.height + gap for line, gap in lines))
        if height <= pages.room + 0.01:
            pages.add_notes(lines)
            return
        for line, gap in lines:
            # Too long for the foot of a page: they stand in the text, over as many pages as they need.
            pages.need(line.height + gap)
            pages.put_line(line, pages.geometry.left_pt, pages.y + gap)
            pages.y += line.height + gap
            pages.fresh = False

    def _keep_chain(self, index: int, height: float) -> None:
        """Begin a page when a heading and the first lines of what it heads do not fit on this one."""
        i = index + 1
        while i < len(self._flow) and i - index < MAX_KEPT:
            item = self._flow[i]
            if isinstance(item, Section | Footnotes | Picture):
                break
            if isinstance(item, Table):
                height += 30.0
                break
            if item.style.page_break_before:
                break
            lines = self._lines_of(i, item)
            height += max(item.style.space_before_pt, 0.0)
            if not item.style.keep_with_next:
                height += sum(line.height for line in lines[:ORPHANS])
                break
            height += sum(line.height for line in lines)
            i += 1
        self._kept_until = i - 1
        if height < KEEP_LIMIT * self._pages.full_height:
            self._pages.need(height)

    def _rules(self, border: Border, item: Paragraph, y0: float, y1: float, *, first: bool, last: bool) -> None:
        """The border lines of a paragraph, or of its part on one page."""
        if not (border.top or border.right or border.bottom or border.left):
            return
        pages, style = self._pages, item.style
        x0 = pages.geometry.left_pt + style.left_pt + min(0.0, style.first_line_pt) - 4 * (border.left > 0)
        x1 = pages.geometry.left_pt + pages.column_width - style.right_pt + 4 * (border.right > 0)
        edges = Border(
            border.top if first else 0, border.right, border.bottom if last else 0, border.left, border.colour
        )
        pages.drawing.edges(edges, x0, y0, x1, y1 + 1)

    # --- tables ---------------------------------------------------------------------------------------

    def _set_table(self, table: Table) -> Iterator[int]:
        pages = self._pages
        rows = build_rows(self._text, table, pages.column_width)
        if not pages.fresh:
            pages.y += max(self._space_after, 2.0)
        self._space_after = 6.0
        i = 0
        while i < len(rows):
            tied = _group_end(rows, i)
            group = rows[i:tied]
            height = sum(row.height for row in group)
            if height > KEEP_LIMIT * pages.full_height and len(group) > 1:
                untie(group)
            elif len(group) > 1:
                pages.need(height)
            for row in group:
                self._set_row(row)
                yield _last_offset(row)
            i = tied

    def _set_row(self, row: RowBox) -> None:
        pages = self._pages
        while row.height > pages.room + 0.01 and not row.tied:
            split_ok = not row.keep_together or row.height > KEEP_LIMIT * pages.full_height
            parts = split_row(row, pages.room) if split_ok and pages.room > 40 else None
            if parts is not None:
                self._place_row(parts[0], pages.geometry.left_pt, pages.y)
                row = parts[1]
                pages.new_page()
            elif pages.fresh:
                break
            else:
                pages.new_page()
        self._place_row(row, pages.geometry.left_pt, pages.y)
        pages.y += row.height
        pages.fresh = False

    def _place_row(self, row: RowBox, left: float, top: float) -> None:
        """Draw a row and all in it, in reading order."""
        pages = self._pages
        for cell in row.cells:
            x0, x1 = left + cell.x, left + cell.x + cell.width
            height = cell.frame_height or row.height
            if cell.shade >= 0:
                pages.drawing.shade(x0, top, x1, top + height, cell.shade)
            pages.drawing.edges(cell.border, x0, top, x1, top + height)
            self._place_pieces(cell.pieces, x0 + cell.padding[3], top + cell.content_top)

    def _place_pieces(self, pieces: list[Piece], left: float, top: float) -> None:
        for piece in pieces:
            if isinstance(piece, Line):
                self._pages.put_line(piece, left, top)
            elif not isinstance(piece, Gap):
                self._place_row(piece, left, top)
            top += piece.height


def _group_end(rows: list[RowBox], start: int) -> int:
    """One past the last row that is tied to ``start`` by a cell over several rows."""
    end, i = start + 1, start
    while i < end and i < len(rows):
        end = max(end, min(len(rows), i + rows[i].tied + 1))
        i += 1
    return end


def _last_offset(row: RowBox) -> int:
    """The end of the text placed with a row."""
    last = 0
    for cell in row.cells:
        for piece in cell.pieces:
            if isinstance(piece, Line):
                last = max(last, piece.end)
            elif isinstance(piece, RowBox):
                last = max(last, _last_offset(piece))
    return last
