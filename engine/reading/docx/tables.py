"""Tables: grid, merged cells, borders, rows and cells in content controls, nested tables.

Source: ECMA-376 part 1, section 17.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.document import RevisionView
from engine.reading.docx.names import VAL, w
from engine.reading.docx.paragraphs import edge_colour, edge_width
from engine.reading.docx.records import CellRecord, ParagraphRecord, RowRecord, TableRecord
from engine.reading.docx.styles import Styles, children, is_on, number, points, shade
from engine.reading.layout import Border, Vertical

#: Grids wider than this are a trick; the columns beyond it share the last one.
MAX_COLUMNS = 256
_ROW, _CELL = w("tr"), w("tc")
_THROUGH = frozenset(map(w, ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")))
_DELETED = frozenset(map(w, ("del", "moveFrom")))
_SIDES = ("top", "right", "bottom", "left")
_OTHER = {"right": "end", "left": "start"}

_VERTICAL = {"center": Vertical.CENTRE, "bottom": Vertical.BOTTOM}

Edges = dict[str, Any]
Padding = tuple[float, float, float, float]


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
        edges, padding = self._table_look(properties)
        rows: list[RowRecord] = []
        drawn: list[tuple[int, CellRecord, Any]] = []
        open_cells: dict[int, CellRecord] = {}
        for row in _descend(element, _ROW):
            if self._is_gone(row):
                continue
            rows.append(self._row(row, len(rows), drawn, open_cells))
        if not any(row.cells for row in rows):
            return None
        _draw_borders(rows, drawn, edges)
        for _, cell, own in drawn:
            cell.padding_pt = _padding(own.get("tcMar"), padding)
        indent = properties.get("tblInd")
        alignment = properties.get("jc")
        return TableRecord(
            columns[:MAX_COLUMNS],
            rows,
            max(0.0, min(300.0, points(indent.get(w("w"))) if indent is not None else 0.0)),
            {"center": "centre", "right": "right", "end": "right"}.get(alignment.get(VAL, ""), "left")
            if alignment is not None
            else "left",
            padding,
        )

    def _is_gone(self, row: Any) -> bool:
        """Whether a revision takes the whole row away in the view that is read."""
        properties = row.find(w("trPr"))
        if properties is None:
            return False
        if self._view is RevisionView.ACCEPTED:
            return properties.find(w("del")) is not None
        return self._view is RevisionView.ORIGINAL and properties.find(w("ins")) is not None

    def _row(
        self, row: Any, index: int, drawn: list[tuple[int, CellRecord, Any]], open_cells: dict[int, CellRecord]
    ) -> RowRecord:
        """One row; its cells are added to ``drawn`` with their row and properties."""
        properties = children(row.find(w("trPr")))
        before = properties.get("gridBefore")
        column = int(min(MAX_COLUMNS - 1, max(0.0, number(before.get(VAL)) if before is not None else 0.0)))
        cells: list[CellRecord] = []
        for element in _descend(row, _CELL):
            if column >= MAX_COLUMNS and cells:
                cells[-1].content.extend(self._read_content(element))
                continue
            properties_of = children(element.find(w("tcPr")))
            known = len(cells)
            column = self._cell(element, properties_of, column, open_cells, cells)
            drawn.extend((index, cell, properties_of) for cell in cells[known:] if cell.row_span)
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
        properties: dict[str, Any],
        column: int,
        open_cells: dict[int, CellRecord],
        cells: list[CellRecord],
    ) -> int:
        """Read a cell into ``cells``; answers the column after it."""
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
        vertical = properties.get("vAlign")
        if vertical is not None:
            cell.vertical = _VERTICAL.get(vertical.get(VAL, ""), Vertical.TOP)
        cells.append(cell)
        if merge is not None:
            open_cells[column] = cell
        else:
            open_cells.pop(column, None)
        return column + span

    def _table_look(self, properties: dict[str, Any]) -> tuple[Edges, Padding]:
        """The table's own border edges and cell margins over those of its style chain."""
        edges: Edges = {}
        padding: Padding = (0.0, 5.4, 0.0, 5.4)
        named = properties.get("tblStyle")
        style_id = named.get(VAL, "") if named is not None else self._styles.default_style("table")
        for style in reversed(self._styles.chain(style_id)):
            if style.table is not None:
                edges.update(children(style.table.find(w("tblBorders"))))
                padding = _padding(style.table.find(w("tblCellMar")), padding)
        edges.update(children(properties.get("tblBorders")))
        return edges, _padding(properties.get("tblCellMar"), padding)


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


def _padding(element: Any | None, below: Padding) -> Padding:
    """Cell margins in points (top, right, bottom, left), side by side over those below."""
    sides = children(element)
    if not sides:
        return below
    found = [
        max(0.0, points(item.get(w("w")))) if (item := _edge(sides, side)) is not None else under
        for side, under in zip(_SIDES, below, strict=True)
    ]
    return found[0], found[1], found[2], found[3]


def _draw_borders(rows: list[RowRecord], drawn: list[tuple[int, CellRecord, Any]], edges: Edges) -> None:
    """Each cell's own edges, over the table's inner or outer ones where it has none."""
    last = [max((cell.column for cell in row.cells), default=0) for row in rows]
    for index, cell, properties in drawn:
        own = children(properties.get("tcBorders"))
        outer = {
            "top": index == 0,
            "left": cell.column == 0,
            "bottom": index + cell.row_span >= len(rows),
            "right": cell.column == last[index],
        }
        found = []
        for side in _SIDES:
            edge = _edge(own, side)
            if edge is None:
                inner = "insideH" if side in ("top", "bottom") else "insideV"
                edge = _edge(edges, side) if outer[side] else edges.get(inner)
            found.append(edge)
        width = [edge_width(edge) for edge in found]
        cell.border = Border(width[0], width[1], width[2], width[3], edge_colour(*found))
