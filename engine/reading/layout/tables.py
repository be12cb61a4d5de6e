"""Table rows as boxes of lines that can be split between pages."""

from __future__ import annotations

import dataclasses

from engine.reading.layout.lines import Line, break_lines
from engine.reading.layout.measure import MeasuredText
from engine.reading.layout.model import Alignment, Border, Cell, Paragraph, Row, Table, Vertical

#: Columns are never narrower, nor paddings larger.
MIN_COLUMN_PT = 14.0
MAX_PADDING_PT = 30.0


@dataclasses.dataclass(slots=True)
class Gap:
    """Empty height."""

    height: float


@dataclasses.dataclass(slots=True)
class CellBox:
    """A cell's place in its row (points from the row's left edge) and what is in it, top to bottom."""

    x: float
    width: float
    #: top, right, bottom, left.
    padding: tuple[float, float, float, float]
    border: Border
    shade: int
    pieces: list[Piece]
    vertical: Vertical = Vertical.TOP
    row_span: int = 1
    #: Lower edge of the frame from the row's top; set when the table's row heights are known.
    frame_height: float = 0.0

    @property
    def content_top(self) -> float:
        """Where the content begins, from the row's top."""
        slack = max(0.0, self.frame_height - self.height)
        share = {Vertical.TOP: 0.0, Vertical.CENTRE: 0.5, Vertical.BOTTOM: 1.0}[self.vertical]
        return self.padding[0] + slack * share

    @property
    def height(self) -> float:
        """Height of the content with padding."""
        return sum(p.height for p in self.pieces) + self.padding[0] + self.padding[2]


@dataclasses.dataclass(slots=True)
class RowBox:
    """A row: cells side by side, all from the row's top."""

    cells: list[CellBox]
    height: float
    keep_together: bool = False
    #: Rows after this one that a cell of this one reaches into.
    tied: int = 0


Piece = Line | Gap | RowBox
Padding = tuple[float, float, float, float]


def build_rows(text: MeasuredText, table: Table, width_pt: float) -> list[RowBox]:
    """The rows of a table in a column of ``width_pt``, with their heights."""
    edges = _column_edges(table, width_pt)
    left = _left(table, edges[-1], width_pt)
    rows = [_build_row(text, row, edges, left, table.padding_pt) for row in table.rows]
    _settle_heights(rows)
    return rows


def _column_edges(table: Table, width_pt: float) -> list[float]:
    """Left edges of the grid's columns and the right edge of the last, scaled into the room."""
    reach = max((c.column + c.column_span for row in table.rows for c in row.cells), default=1)
    columns = [max(0.0, c) for c in table.columns_pt[:reach]]
    columns += [0.0] * (reach - len(columns))
    known = [c for c in columns if c > 0]
    spare = sum(known) / len(known) if known else width_pt / max(1, reach)
    columns = [c if c > 0 else spare for c in columns]
    room = max(MIN_COLUMN_PT, width_pt - max(0.0, table.left_pt))
    total = sum(columns)
    if total > room:
        columns = [c * room / total for c in columns]
    edges = [0.0]
    for c in columns:
        edges.append(edges[-1] + c)
    return edges


def _left(table: Table, total: float, width_pt: float) -> float:
    slack = max(0.0, width_pt - total)
    if table.alignment is Alignment.CENTRE:
        return slack / 2
    if table.alignment is Alignment.RIGHT:
        return slack
    return table.left_pt


def _build_row(text: MeasuredText, row: Row, edges: list[float], left: float, padding: Padding) -> RowBox:
    cells = []
    for cell in row.cells:
        last = min(cell.column + cell.column_span, len(edges) - 1)
        x = edges[min(cell.column, len(edges) - 1)]
        width = max(edges[last] - x, MIN_COLUMN_PT)
        top, right, bottom, inset = (min(MAX_PADDING_PT, width / 4, max(0.0, p)) for p in cell.padding_pt or padding)
        pieces = cell_pieces(text, cell, width - inset - right)
        inner = (top, right, bottom, inset)
        box = CellBox(left + x, width, inner, cell.border, cell.shade, pieces, cell.vertical, max(1, cell.row_span))
        cells.append(box)
    height = max([row.min_height_pt, 6.0, *(c.height for c in cells if c.row_span == 1)])
    return RowBox(cells, height, row.keep_together)


def cell_pieces(text: MeasuredText, cell: Cell, width_pt: float) -> list[Piece]:
    """A cell's lines, spaces and nested rows."""
    pieces: list[Piece] = []
    last = len(cell.content) - 1
    for i, item in enumerate(cell.content):
        if isinstance(item, Paragraph):
            if item.style.space_before_pt and pieces:
                pieces.append(Gap(item.style.space_before_pt))
            pieces.extend(break_lines(text, item, width_pt))
            if item.style.space_after_pt and i < last:
                pieces.append(Gap(item.style.space_after_pt))
        else:
            pieces.extend(build_rows(text, item, width_pt))
    return pieces


def _settle_heights(rows: list[RowBox]) -> None:
    """Grow the last row under each cell that spans rows until its content fits; note which rows are tied."""
    for i, row in enumerate(rows):
        for cell in row.cells:
            if cell.row_span > 1:
                under = rows[i : i + cell.row_span]
                lack = cell.height - sum(r.height for r in under)
                if lack > 0:
                    under[-1].height += lack
                row.tied = max(row.tied, len(under) - 1)
    for i, row in enumerate(rows):
        for cell in row.cells:
            cell.frame_height = sum(r.height for r in rows[i : i + cell.row_span])


def untie(rows: list[RowBox]) -> None:
    """Give up row spans (a tied group taller than a page): each cell's content counts in its own row."""
    for row in rows:
        row.tied = 0
        row.height = max([row.height, *(c.height for c in row.cells)])
        for cell in row.cells:
            cell.row_span = 1
            cell.frame_height = row.height


def split_row(row: RowBox, room: float) -> tuple[RowBox, RowBox] | None:
    """The part of a row that fits into ``room`` points and the rest, or None when nothing fits."""
    heads, tails, moved = [], [], False
    for cell in row.cells:
        taken, rest = split_pieces(cell.pieces, room - cell.padding[0] - cell.padding[2])
        moved = moved or any(not isinstance(p, Gap) for p in taken)
        heads.append(dataclasses.replace(cell, pieces=taken, vertical=Vertical.TOP, row_span=1))
        tails.append(dataclasses.replace(cell, pieces=rest, vertical=Vertical.TOP, row_span=1))
    if not moved:
        return None
    result = []
    for cells in (heads, tails):
        height = max(6.0, *(c.height for c in cells))
        for cell in cells:
            cell.frame_height = height
        result.append(RowBox(cells, height))
    return result[0], result[1]


def split_pieces(pieces: list[Piece], room: float) -> tuple[list[Piece], list[Piece]]:
    """The pieces that fit into ``room`` points, and the rest; a nested row may be split itself."""
    used = 0.0
    for i, piece in enumerate(pieces):
        if used + piece.height > room + 0.01:
            if isinstance(piece, RowBox):
                parts = split_row(piece, room - used)
                if parts is not None:
                    return [*pieces[:i], parts[0]], [parts[1], *pieces[i + 1 :]]
            return pieces[:i], pieces[i:]
        used += piece.height
    return pieces, []
