"""Records to the canonical text, its blocks, and the flow that the layout sets."""

from __future__ import annotations

import dataclasses
import itertools
import re
import time
from collections.abc import Callable, Collection, Generator, Sequence

from engine.document import CrossReference
from engine.reading.docx.comments import CommentPlaces
from engine.reading.docx.records import (
    BodyRecord,
    CellRecord,
    ParagraphRecord,
    RunRecord,
    SectionRecord,
    TableRecord,
)
from engine.reading.docx.references import ReferencePlaces, note_target
from engine.reading.docx.sections import section_of
from engine.reading.layout import (
    Alignment,
    Border,
    Cell,
    Flow,
    Footnotes,
    LabelFollow,
    Paragraph,
    ParagraphStyle,
    Picture,
    Row,
    Span,
    Table,
    TextStyle,
)
from engine.reading.source import Block, BlockKind

NOTE_SIZE_PT = 9.0
NOTE_INDENT_PT = 12.0
BOX_INDENT_PT = 12.0
#: A soft line break inside a sentence stays inside its block; one after these, or before a number, parts blocks.
_CONTINUES = re.compile(r"[a-z0-9,&(]*[a-z,&(]\s*\n\s*[a-z]")
#: A list nested deeper than tables can be read.
MAX_TABLE_DEPTH = 24
#: Reading and assembling hand back control after this long, in seconds.
STEP_S = 0.015

#: A picture's bytes by relationship id, None when there are none.
Pictures = Callable[[str], bytes | None]
#: Contents of a note by (sort, id), with the mark that stands before it.
Notes = Callable[[str, str], tuple[str, list[ParagraphRecord | TableRecord]]]


@dataclasses.dataclass(slots=True)
class Assembled:
    """The canonical text, its blocks in order, the flow over it, and the words that comments concern, by their ids."""

    text: str
    blocks: list[Block]
    flow: Flow
    comments: dict[str, tuple[int, int]]
    cross_references: tuple[CrossReference, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class _Place:
    """Where paragraphs stand: in the body, a note, or a cell (table, row, column)."""

    kind: BlockKind = BlockKind.PARAGRAPH
    table: tuple[int, int, int] | None = None


class Assembler:
    """Builds the text piece by piece; blocks are separated by one line feed."""

    def __init__(self, notes: Notes, pictures: Pictures, bookmarks: Collection[str]) -> None:
        """``bookmarks``: the names of all bookmarks of the file."""
        self._bookmarks = bookmarks
        self._notes = notes
        self._pictures = pictures
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._flow: Flow = []
        self._tables = 0
        self._due: list[tuple[str, str]] = []
        self._break_before = False
        self._grid_pt = 0.0
        self._comments = CommentPlaces()
        self._references = ReferencePlaces()

    def steps(self, records: Sequence[BodyRecord]) -> Generator[None, None, Assembled]:
        """Work through the records in short steps; the generator's value is the result."""
        _close_up(records)
        since = time.perf_counter()
        for record in records:
            if time.perf_counter() - since > STEP_S:
                yield
                since = time.perf_counter()
            if isinstance(record, SectionRecord):
                self._grid_pt = record.line_grid_pt
                self._flow.append(section_of(record))
            else:
                content = self._content([record], _Place(), 0)
                pictures = self._pictures_of(record) if isinstance(record, ParagraphRecord) else []
                if pictures and not any(isinstance(c, Table) or c.end > c.start for c in content):
                    content = []
                self._flow.extend(content)
                self._flow.extend(pictures)
                self._flow.extend(self._due_notes())
        text = "".join(self._parts)
        references = self._references.cross_references(self._bookmarks)
        return Assembled(text, self._blocks, self._flow, self._comments.spans(text), references)

    # --- content --------------------------------------------------------------------------------------

    def _content(
        self, records: Sequence[ParagraphRecord | TableRecord], place: _Place, depth: int
    ) -> list[Paragraph | Table]:
        result: list[Paragraph | Table] = []
        if depth:
            _close_up(records)
        for record in records:
            if isinstance(record, TableRecord):
                if depth < MAX_TABLE_DEPTH:
                    result.append(self._table(record, depth))
                else:
                    for row in record.rows:
                        for cell in row.cells:
                            result.extend(self._content(cell.content, place, depth))
            else:
                result.extend(self._paragraph(record, place))
                for box in record.boxes:
                    result.extend(_boxed(item) for item in self._content(box, place, depth + 1))
        return result

    def _pictures_of(self, record: ParagraphRecord) -> list[Picture]:
        """The pictures of a body paragraph; they follow its words."""
        found = []
        for relation, width, height in record.pictures:
            data = self._pictures(relation)
            if data is not None:
                style = record.style
                left = style.left_pt + style.first_line_pt
                found.append(Picture(data, width, height, style.alignment, left))
        return found

    def _table(self, record: TableRecord, depth: int) -> Table:
        number = self._tables
        self._tables += 1
        rows = []
        for i, row in enumerate(record.rows):
            cells = [
                self._cell(cell, _Place(BlockKind.TABLE_CELL, (number, i, cell.column)), depth) for cell in row.cells
            ]
            rows.append(Row(tuple(cells), row.min_height_pt, row.keep_together))
        alignment = Alignment(record.alignment)
        return Table(tuple(record.columns_pt), tuple(rows), record.left_pt, record.padding_pt, alignment)

    def _cell(self, cell: CellRecord, place: _Place, depth: int) -> Cell:
        content = self._content(cell.content, place, depth + 1)
        return Cell(
            cell.column,
            tuple(content),
            cell.column_span,
            cell.row_span,
            cell.border,
            cell.shade,
            cell.padding_pt,
            cell.vertical,
        )

    def _due_notes(self) -> Flow:
        """The notes whose marks stand in what was just placed."""
        result: list[Paragraph | Table] = []
        due, self._due = self._due, []
        for sort, key in due:
            mark, content = self._notes(sort, key)
            first = True
            for record in content:
                if isinstance(record, ParagraphRecord):
                    record.style = dataclasses.replace(record.style, left_pt=NOTE_INDENT_PT, first_line_pt=0.0)
                    if first:
                        _put_mark(record, mark)
                        first = False
            said = self._content(content, _Place(BlockKind.FOOTNOTE), 1)
            words = next((item for item in said if isinstance(item, Paragraph) and item.end > item.start), None)
            if words is not None:
                self._references.lead_to(note_target(sort, key), words.start)
            result.extend(said)
        self._due.clear()
        notes = tuple(item for item in result if isinstance(item, Paragraph) and item.end > item.start)
        return [*([Footnotes(notes)] if notes else []), *(item for item in result if isinstance(item, Table))]

    # --- paragraphs -----------------------------------------------------------------------------------

    def _paragraph(self, record: ParagraphRecord, place: _Place) -> list[Paragraph]:
        self._due.extend(record.notes)
        pieces = _at_page_breaks(record.runs)
        result = []
        before = 0
        for i, runs in enumerate(pieces):
            breaks = self._break_before or i > 0
            self._break_before = False
            if i == len(pieces) - 1 and i > 0 and not any(r.text.strip() for r in runs):
                # Nothing but the paragraph's end after the break: the next paragraph takes it along.
                self._break_before = True
                break
            result.append(self._piece(record, runs, place, first=i == 0, page_break=breaks and place.table is None))
            length = sum(len(run.text) for run in runs)
            if record.comments:
                self._comments.take(record, before, length, self._length)
            if record.references:
                self._references.take(record, before, length, self._length)
            before += length
        return result

    def _piece(
        self, record: ParagraphRecord, runs: list[RunRecord], place: _Place, *, first: bool, page_break: bool
    ) -> Paragraph:
        label = record.label if first else ""
        body = "".join(run.text for run in runs)
        style = record.style
        if self._grid_pt and record.on_grid and place.table is None and not style.line_height_pt:
            style = dataclasses.replace(style, line_grid_pt=self._grid_pt)
        if page_break and not style.page_break_before:
            style = dataclasses.replace(style, page_break_before=True)
        elif style.page_break_before and not first:
            style = dataclasses.replace(style, page_break_before=page_break)
        if not first and style.first_line_pt < 0:
            style = dataclasses.replace(style, first_line_pt=0.0)
        if not label and not body.strip(" \t\n"):
            return Paragraph(self._length, self._length, style, size_pt=record.size_pt)
        start = self._begin()
        spans = []
        if label:
            shown = label + (" " if body else "")
            spans.append(Span(start, start + len(shown), record.label_style))
            self._append(shown)
        body_start = self._length
        joined = _soft_breaks(body)
        at = body_start
        for run in runs:
            spans.append(Span(at, at + len(run.text), run.style))
            at += len(run.text)
        self._append(joined)
        self._add_blocks(record, runs, place, start, start + len(label), body_start, joined)
        return Paragraph(
            start,
            self._length,
            style,
            tuple(spans),
            start + len(label) if label else -1,
            record.label_follow,
            record.size_pt,
            record.label_alignment,
        )

    def _add_blocks(
        self,
        record: ParagraphRecord,
        runs: list[RunRecord],
        place: _Place,
        start: int,
        label_end: int,
        body_start: int,
        body: str,
    ) -> None:
        """One block, or one per forced line; blanks at their edges are left out."""
        sizes = _sizes(runs, body_start)
        at = body_start
        for i, piece in enumerate(body.split("\n")):
            end = at + len(piece)
            labelled = i == 0 and label_end > start
            low = start if labelled else at + len(piece) - len(piece.lstrip())
            high = end - (len(piece) - len(piece.rstrip()))
            if labelled:
                high = max(high, label_end)
            if high > low:
                self._blocks.append(
                    Block(
                        low,
                        high,
                        place.kind,
                        label_end if labelled else low,
                        record.list_level if labelled else -1,
                        record.outline_level,
                        _indent(record.style, first=i == 0),
                        _main_size(sizes, low, high) or record.size_pt,
                        _starts_bold(runs, body_start, max(at, body_start), piece),
                        record.style.alignment is Alignment.CENTRE,
                        place.table,
                    )
                )
            at = end + 1

    def _begin(self) -> int:
        """Offset of a new block, after the line feed that parts it from the one before."""
        if self._length:
            self._append("\n")
        return self._length

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _close_up(records: Sequence[BodyRecord]) -> None:
    """Take away the space between paragraphs of one style that ask for it."""
    for above, below in itertools.pairwise(records):
        if not isinstance(above, ParagraphRecord) or not isinstance(below, ParagraphRecord):
            continue
        if above.style_id == below.style_id:
            if above.contextual:
                above.style = dataclasses.replace(above.style, space_after_pt=0.0)
            if below.contextual:
                below.style = dataclasses.replace(below.style, space_before_pt=0.0)


def _put_mark(record: ParagraphRecord, mark: str) -> None:
    """The note's mark becomes its label; a mark of the note's own text is not doubled."""
    record.label = mark
    record.label_follow = LabelFollow.SPACE
    record.list_level = -1
    style = record.runs[0].style if record.runs else TextStyle(size_pt=NOTE_SIZE_PT)
    record.label_style = dataclasses.replace(style, raised=1)
    record.style = dataclasses.replace(record.style, tabs=())
    if record.runs:
        record.runs[0].text = record.runs[0].text.lstrip()


def _boxed(item: Paragraph | Table) -> Paragraph | Table:
    """A text box's content: set in, with a line at its left."""
    if isinstance(item, Table):
        return item
    style = dataclasses.replace(
        item.style, left_pt=item.style.left_pt + BOX_INDENT_PT, page_break_before=False, border=Border(0, 0, 0, 0.75)
    )
    return dataclasses.replace(item, style=style)


def _at_page_breaks(runs: list[RunRecord]) -> list[list[RunRecord]]:
    pieces: list[list[RunRecord]] = [[]]
    for run in runs:
        if run.page_break:
            pieces.append([])
        if run.text:
            pieces[-1].append(run)
    return pieces


def _soft_breaks(body: str) -> str:
    """A forced line end in the middle of a sentence becomes a space; the others stay."""
    if "\n" not in body:
        return body
    lines = body.split("\n")
    result = lines[0]
    for line in lines[1:]:
        before, after = result.rstrip()[-1:], line.lstrip()[:1]
        inside = (before.islower() or before in (",", "&", "、", "，")) and after.islower() and after.isascii()
        result += (" " if inside else "\n") + line
    return result


def _sizes(runs: list[RunRecord], start: int) -> list[tuple[int, int, float]]:
    result = []
    for run in runs:
        result.append((start, start + len(run.text), run.style.size_pt))
        start += len(run.text)
    return result


def _main_size(sizes: list[tuple[int, int, float]], low: int, high: int) -> float:
    """The size of most characters in ``[low, high)``, 0 without any."""
    totals: dict[float, int] = {}
    for start, end, size in sizes:
        count = min(end, high) - max(start, low)
        if count > 0:
            totals[size] = totals.get(size, 0) + count
    return max(totals, key=lambda s: totals[s]) if totals else 0.0


def _starts_bold(runs: list[RunRecord], start: int, at: int, piece: str) -> bool:
    """Whether the first word of a line is bold."""
    first = at + len(piece) - len(piece.lstrip())
    for run in runs:
        if start <= first < start + len(run.text):
            return run.style.bold
        start += len(run.text)
    return False


def _indent(style: ParagraphStyle, *, first: bool) -> float:
    return max(0.0, style.left_pt + (style.first_line_pt if first else 0.0))
