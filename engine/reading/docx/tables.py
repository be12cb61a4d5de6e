"""Tables: grid, merged cells, borders, rows and cells in content controls, nested tables.

Source: ECMA-376 part 1, section 17.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.reading.docx.names import VAL, w
from engine.reading.docx.paragraphs import edge_width
from engine.reading.docx.records import CellRecord, ParagraphRecord, RevisionView, RowRecord, TableRecord
from engine.reading.docx.styles import Styles, children, is_on, number, points, shade

#: Grids wider than this are a trick; the columns beyond it share the last one.
MAX_COLUMNS = 256
_ROW, _CELL = w("tr"), w("tc")
_THROUGH = frozenset(map(w, ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")))
_DELETED = frozenset(map(w, ("del", "moveFrom")))
_SIDES = ("top", "right", "bottom", "left")
_OTHER = {"right": "end", "left": "start"}

Edges = dict[str, Any]


class TableReader:
    """Reads tables; ``read_content`` reads the blocks of a cell."""

    def __init__(
        self, styles: Styles, view: RevisionView, read_content: Callable[[Any], Iterator[ParagraphRecord | TableRecord]]
    ) -> None:
        self._styles = styles
        self._view = view
        self._read_content = read_content

    def read_table(self, element: Any) -> TableRecord | None:
        """A ``w:tbl`` element; None when no row of it is left."""
        properties = children(element.find(w("tblPr")))
        grid = element.find(w("tblGrid"))
        columns = [points(c.get(w("w"))) for c in grid.iterchildren(w("gridCol"))] if grid is not None else []
        edges = self._table_edges(properties)
        rows: list[RowRecord] = []
        open_cells: dict[int, CellRecord] = {}
        for row in _descend(element, _ROW):
            if self._is_gone(row):
                continue
            rows.append(self._row(row, edges, open_cells, first=not rows))
        rows = [row for row in rows if row.cells]
        if not rows:
            return None
        _close_outer_edges(rows, edges)
        indent = properties.get("tblInd")
        alignment = properties.get("jc")
        return TableRecord(
            columns[:MAX_COLUMNS],
            rows,
            max(0.0, min(300.0, points(indent.get(w("w"))) if indent is not None else 0.0)),
            {"center": "centre", "right": "right", "end": "right"}.get(alignment.get(VAL, ""), "left")
            if alignment is not None
            else "left",
        )

    def _is_gone(self, row: Any) -> bool:
        """Whether a revision takes the whole row away in the view that is read."""
        properties = row.find(w("trPr"))
        if properties is None:
            return False
        if self._view is RevisionView.ACCEPTED:
            return properties.find(w("del")) is not None
        return self._view is RevisionView.ORIGINAL and properties.find(w("ins")) is not None

    def _row(self, row: Any, edges: Edges, open_cells: dict[int, CellRecord], *, first: bool) -> RowRecord:
        properties = children(row.find(w("trPr")))
        before = properties.get("gridBefore")
        column = int(min(MAX_COLUMNS - 1, max(0.0, number(before.get(VAL)) if before is not None else 0.0)))
        cells: list[CellRecord] = []
        for element in _descend(row, _CELL):
            if column >= MAX_COLUMNS and cells:
                cells[-1].content.extend(self._read_content(element))
                continue
            column = self._cell(element, column, edges, open_cells, cells, first=first)
        covered = {cell.column for cell in cells}
        for key in [k for k in open_cells if k not in covered and not _continued(cells, k)]:
            del open_cells[key]
        height = properties.get("trHeight")
        return RowRecord(
            [cell for cell in cells if cell.row_span > 0],
            min(600.0, points(height.get(VAL))) if height is not None else 0.0,
            is_on(properties.get("cantSplit")),
        )

    def _cell(
        self,
        element: Any,
        column: int,
        edges: Edges,
        open_cells: dict[int, CellRecord],
        cells: list[CellRecord],
        *,
        first: bool,
    ) -> int:
        """Read a cell into ``cells``; answers the column after it."""
        properties = children(element.find(w("tcPr")))
        span_of = properties.get("gridSpan")
        span = (
            int(max(1.0, min(float(MAX_COLUMNS - column), number(span_of.get(VAL), 1.0)))) if span_of is not None else 1
        )
        content = list(self._read_content(element))
        merge, across = properties.get("vMerge"), properties.get("hMerge")
        if across is not None and across.get(VAL, "continue") == "continue" and cells:
            cells[-1].column_span += span
            cells[-1].content.extend(_worded(content))
            return column + span
        above = open_cells.get(column)
        if merge is not None and merge.get(VAL, "continue") == "continue" and above is not None:
            above.row_span += 1
            # Word hides the content of a merged-away cell; LibreOffice and older files may still hold words there.
            cells.append(CellRecord(column, span, 0, []))
            return column + span
        cell = CellRecord(column, span, 1, content, shade=shade(properties.get("shd")))
        cell.border = _cell_border(properties.get("tcBorders"), edges, first_row=first, first_column=column == 0)
        cells.append(cell)
        if merge is not None:
            open_cells[column] = cell
        else:
            open_cells.pop(column, None)
        return column + span

    def _table_edges(self, properties: dict[str, Any]) -> Edges:
        """The table's own border edges over those of its style chain."""
        edges: Edges = {}
        named = properties.get("tblStyle")
        style_id = named.get(VAL, "") if named is not None else self._styles.default_style("table")
        for style in reversed(self._styles.chain(style_id)):
            if style.table is not None:
                edges.update(children(style.table.find(w("tblBorders"))))
        edges.update(children(properties.get("tblBorders")))
        return edges


def _descend(parent: Any, wanted: str) -> Iterator[Any]:
    """Rows or cells in an element, through content controls and other wrappers."""
    for element in parent:
        if element.tag == wanted:
            yield element
        elif element.tag in _THROUGH:
            yield from _descend(element, wanted)


def _continued(cells: list[CellRecord], column: int) -> bool:
    return any(cell.column == column and cell.row_span == 0 for cell in cells)


def _worded(content: list[ParagraphRecord | TableRecord]) -> list[ParagraphRecord | TableRecord]:
    return [item for item in content if isinstance(item, TableRecord) or item.runs or item.label]


def _edge(edges: Edges, side: str) -> Any | None:
    found = edges.get(side)
    return found if found is not None else edges.get(_OTHER.get(side, ""))


def _cell_border(
    own: Any | None, edges: Edges, *, first_row: bool, first_column: bool
) -> tuple[float, float, float, float]:
    """top, right, bottom, left in points: the cell's own edges over the table's."""
    direct = children(own)
    widths = []
    for side in _SIDES:
        element = _edge(direct, side)
        if element is None:
            outer = (side == "top" and first_row) or (side == "left" and first_column)
            element = _edge(edges, side) if outer else edges.get("insideH" if side in ("top", "bottom") else "insideV")
        widths.append(edge_width(element))
    return widths[0], widths[1], widths[2], widths[3]


def _close_outer_edges(rows: list[RowRecord], edges: Edges) -> None:
    """The right edge of each row's last cell and the lower edge of the last row are the table's outer ones."""
    right, bottom = edge_width(_edge(edges, "right")), edge_width(_edge(edges, "bottom"))
    count = len(rows)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row.cells):
            top, own_right, own_bottom, left = cell.border
            if j == len(row.cells) - 1:
                own_right = max(own_right, right)
            if i + cell.row_span >= count:
                own_bottom = max(own_bottom, bottom)
            cell.border = (top, own_right, own_bottom, left)
