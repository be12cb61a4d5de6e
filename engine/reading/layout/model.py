"""What is laid out: paragraphs and tables over one canonical text. All lengths are PDF points."""

from __future__ import annotations

import dataclasses
import enum


class Alignment(enum.StrEnum):
    """How the lines of a paragraph stand between its indents."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"
    JUSTIFY = "justify"


class LabelFollow(enum.StrEnum):
    """What stands between an automatic number and the text after it."""

    TAB = "tab"
    SPACE = "space"
    NOTHING = "nothing"


@dataclasses.dataclass(frozen=True, slots=True)
class TextStyle:
    """The look of characters.

    ``colour`` and ``highlight`` are 0xRRGGBB (``highlight`` -1 for none); ``raised`` is 1 for
    superscript, -1 for subscript. ``upper`` shows small letters as capitals, the text stays as it is.
    ``spacing_pt`` is added after each character (negative: condensed).
    ``serif`` chooses the Times-like family, otherwise the Helvetica-like one; ``mono`` a fixed pitch.
    """

    size_pt: float = 11.0
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    colour: int = 0x000000
    highlight: int = -1
    raised: int = 0
    upper: bool = False
    serif: bool = True
    mono: bool = False
    spacing_pt: float = 0.0


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """Code points ``[start, end)`` of the canonical text in one style."""

    start: int
    end: int
    style: TextStyle


@dataclasses.dataclass(frozen=True, slots=True)
class TabStop:
    """A tab stop at ``position_pt`` from the left edge of the text area; LEFT, CENTRE or RIGHT."""

    position_pt: float
    alignment: Alignment = Alignment.LEFT
    leader: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Border:
    """The four edges of a cell or paragraph: line widths in points, 0 for none; one colour, 0xRRGGBB."""

    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    left: float = 0.0
    colour: int = 0x000000


@dataclasses.dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """The look of a paragraph.

    ``first_line_pt`` is added to ``left_pt`` for the first line (negative: hanging).
    ``line_spacing`` multiplies the line's natural height; ``line_height_pt`` (0: natural) is a minimum.
    ``default_tab_pt`` is the grid of tab stops beyond the own ones. ``line_grid_pt`` (0: none) is the pitch to
    whose multiples natural line heights are rounded up, as Chinese documents have it.
    """

    alignment: Alignment = Alignment.LEFT
    left_pt: float = 0.0
    right_pt: float = 0.0
    first_line_pt: float = 0.0
    space_before_pt: float = 0.0
    space_after_pt: float = 0.0
    line_spacing: float = 1.0
    line_height_pt: float = 0.0
    keep_with_next: bool = False
    keep_lines: bool = False
    page_break_before: bool = False
    tabs: tuple[TabStop, ...] = ()
    border: Border = Border()
    default_tab_pt: float = 36.0
    line_grid_pt: float = 0.0


@dataclasses.dataclass(frozen=True, slots=True)
class Paragraph:
    """Code points ``[start, end)`` of the canonical text as one paragraph.

    Attributes:
        spans: in order, without gaps; empty for the whole paragraph in ``TextStyle()``.
        label_end: where an automatic number ends; the one space after it is drawn as ``label_follow``.
            Equal to ``start`` or -1 without a number.
        label_alignment: which part of the number stands at the first line's indent: its LEFT end, its
            CENTRE or its RIGHT end.
        size_pt: the height of an empty paragraph's line.
    """

    start: int
    end: int
    style: ParagraphStyle = ParagraphStyle()
    spans: tuple[Span, ...] = ()
    label_end: int = -1
    label_follow: LabelFollow = LabelFollow.TAB
    size_pt: float = 11.0
    label_alignment: Alignment = Alignment.LEFT


class Vertical(enum.StrEnum):
    """Where the content of a cell stands when the row is higher."""

    TOP = "top"
    CENTRE = "centre"
    BOTTOM = "bottom"


@dataclasses.dataclass(frozen=True, slots=True)
class Cell:
    """A table cell; ``content`` may hold tables again. ``column`` is its first grid column.

    ``row_span`` counts the rows it covers; the rows below leave its columns out.
    ``shade`` is 0xRRGGBB or -1. ``padding_pt`` is (top, right, bottom, left), None for the table's.
    """

    column: int
    content: tuple[Paragraph | Table, ...]
    column_span: int = 1
    row_span: int = 1
    border: Border = Border(0.5, 0.5, 0.5, 0.5)
    shade: int = -1
    padding_pt: tuple[float, float, float, float] | None = None
    vertical: Vertical = Vertical.TOP


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A row of cells in column order; ``header`` rows are plain rows (not repeated)."""

    cells: tuple[Cell, ...]
    min_height_pt: float = 0.0
    keep_together: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """Rows over a grid of column widths; scaled down when wider than the text area.

    ``padding_pt`` is the cells' (top, right, bottom, left).
    """

    columns_pt: tuple[float, ...]
    rows: tuple[Row, ...]
    left_pt: float = 0.0
    padding_pt: tuple[float, float, float, float] = (1.5, 5.4, 1.5, 5.4)
    alignment: Alignment = Alignment.LEFT


@dataclasses.dataclass(frozen=True, slots=True)
class PageGeometry:
    """A page's size and margins."""

    width_pt: float = 595.28
    height_pt: float = 841.89
    top_pt: float = 72.0
    right_pt: float = 72.0
    bottom_pt: float = 72.0
    left_pt: float = 72.0

    @classmethod
    def a4(cls) -> PageGeometry:
        """A4 with margins of an inch."""
        return cls()

    @classmethod
    def letter(cls) -> PageGeometry:
        """US Letter with margins of an inch."""
        return cls(width_pt=612.0, height_pt=792.0)


@dataclasses.dataclass(frozen=True, slots=True)
class PageFurniture:
    """A header or footer line: drawn on each page, kept out of the canonical text.

    In ``text``, U+E000 stands for the page's number and U+E001 for the number of pages.
    """

    text: str
    alignment: Alignment = Alignment.LEFT
    style: TextStyle = TextStyle(size_pt=9.0)
    border: Border = Border()


@dataclasses.dataclass(frozen=True, slots=True)
class Section:
    """Starts a section (on a new page unless ``continuous``) with its own page and furniture.

    ``first_number`` is its first page's number, -1 to go on counting. ``header_pt`` and ``footer_pt`` are
    the distances of header and footer from the page's edges.
    """

    geometry: PageGeometry
    header: tuple[PageFurniture, ...] = ()
    footer: tuple[PageFurniture, ...] = ()
    first_header: tuple[PageFurniture, ...] | None = None
    first_footer: tuple[PageFurniture, ...] | None = None
    continuous: bool = False
    first_number: int = -1
    header_pt: float = 36.0
    footer_pt: float = 36.0


@dataclasses.dataclass(frozen=True, slots=True)
class Footnotes:
    """Notes to the item before: set at the foot of the page on which that item ends."""

    content: tuple[Paragraph, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG or PNG picture on a line of its own; scaled down when larger than the text area.

    One that cannot be shown (another format, damaged, too large) leaves its frame empty.
    """

    data: bytes
    width_pt: float
    height_pt: float
    alignment: Alignment = Alignment.LEFT
    left_pt: float = 0.0


Flow = list[Paragraph | Table | Section | Footnotes | Picture]
