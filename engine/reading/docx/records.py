"""What a Word file's body is read into, before text, blocks and pages are made of it."""

from __future__ import annotations

import dataclasses

from engine.reading.docx.references import ReferenceMark
from engine.reading.layout import Alignment, Border, LabelFollow, PageGeometry, ParagraphStyle, TextStyle, Vertical

PLAIN_PARAGRAPH, PLAIN_TEXT, NO_BORDER = ParagraphStyle(), TextStyle(), Border()


@dataclasses.dataclass(frozen=True, slots=True)
class CommentMark:
    """Where a comment's words begin, end, or (``place`` "at") its mark stands: characters into the paragraph."""

    comment: str
    place: str
    offset: int


@dataclasses.dataclass(slots=True)
class RunRecord:
    """Characters in one style. ``page_break``: a page break stands before them."""

    text: str
    style: TextStyle
    page_break: bool = False


@dataclasses.dataclass(slots=True)
class ParagraphRecord:
    """A paragraph as displayed.

    Attributes:
        label: the automatic number, without what follows it.
        contextual: no space between it and neighbours of the same ``style_id``.
        on_grid: its lines keep to the section's line grid.
        list_level, outline_level: -1 for none.
        notes: numbers of the foot- and endnotes whose marks stand in it, in order.
        pictures: (relationship id, width, height) of the pictures in it, points.
        boxes: contents of the text boxes anchored in it, in order.
        comments: the marks of comments in it, in order.
        references: the marks of cross-references, and of what they lead to, in order.
        mark: a note's own mark, when the paragraph begins a note.
    """

    runs: list[RunRecord] = dataclasses.field(default_factory=list)
    style: ParagraphStyle = PLAIN_PARAGRAPH
    size_pt: float = 11.0
    label: str = ""
    label_style: TextStyle = PLAIN_TEXT
    label_follow: LabelFollow = LabelFollow.TAB
    label_alignment: Alignment = Alignment.LEFT
    list_level: int = -1
    outline_level: int = -1
    style_id: str = ""
    contextual: bool = False
    on_grid: bool = True
    notes: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    pictures: list[tuple[str, float, float]] = dataclasses.field(default_factory=list)
    boxes: list[list[ParagraphRecord | TableRecord]] = dataclasses.field(default_factory=list)
    comments: list[CommentMark] = dataclasses.field(default_factory=list)
    references: list[ReferenceMark] = dataclasses.field(default_factory=list)

    @property
    def text(self) -> str:
        """The words, without the label."""
        return "".join(run.text for run in self.runs)


@dataclasses.dataclass(slots=True)
class CellRecord:
    """A cell; ``row_span`` 0 marks the continuation of the one above."""

    column: int
    column_span: int
    row_span: int
    content: list[ParagraphRecord | TableRecord]
    border: Border = NO_BORDER
    shade: int = -1
    #: top, right, bottom, left; points; None for the table's.
    padding_pt: tuple[float, float, float, float] | None = None
    vertical: Vertical = Vertical.TOP


@dataclasses.dataclass(slots=True)
class RowRecord:
    """A table row."""

    cells: list[CellRecord]
    min_height_pt: float = 0.0
    keep_together: bool = False


@dataclasses.dataclass(slots=True)
class TableRecord:
    """A table; ``alignment`` left, center, right."""

    columns_pt: list[float]
    rows: list[RowRecord]
    left_pt: float = 0.0
    alignment: str = "left"
    padding_pt: tuple[float, float, float, float] = (0.0, 5.4, 0.0, 5.4)


@dataclasses.dataclass(slots=True)
class SectionRecord:
    """Begins a section. Furniture lists hold paragraphs; the ``first`` ones are None when not told apart."""

    geometry: PageGeometry
    continuous: bool
    first_number: int
    header: list[ParagraphRecord]
    footer: list[ParagraphRecord]
    first_header: list[ParagraphRecord] | None = None
    first_footer: list[ParagraphRecord] | None = None
    header_pt: float = 36.0
    footer_pt: float = 36.0
    line_grid_pt: float = 0.0


BodyRecord = ParagraphRecord | TableRecord | SectionRecord
