"""Ruled tables: the cells between the lines drawn on a page."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.reading.mupdf import turned_as_shown
from engine.reading.pdf.line import Line

#: A drawn shape this thin is a rule; rules nearer than the gap meet.
_THIN_PT, _MEET_PT = 2.5, 3.5
_SHORTEST_PT = 8.0
#: Narrowest empty strip that parts columns without rules.
_GUTTER_PT = 7
_NEAREST_EDGES_PT = 30.0
#: More shapes than this on a page are a drawing, not a table.
_MAX_SHAPES = 3_000
_MAX_RULES = 800


@dataclasses.dataclass(slots=True)
class Rule:
    """A straight rule: ``at`` is its place across, ``low`` to ``high`` its reach, in points."""

    at: float
    low: float
    high: float


@dataclasses.dataclass(slots=True)
class RuledTable:
    """A grid: the y of its row edges, the x of its column edges, and which inner column edges are drawn where."""

    ys: list[float]
    xs: list[float]
    vertical: list[Rule]
    _edges: dict[int, list[Rule]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in self.vertical:
            nearest = min(range(len(self.xs)), key=lambda index: abs(self.xs[index] - rule.at))
            self._edges.setdefault(nearest, []).append(rule)

    @property
    def top(self) -> float:
        """y of the upper edge."""
        return self.ys[0]

    @property
    def bottom(self) -> float:
        """y of the lower edge."""
        return self.ys[-1]

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """(row, first grid column) of the cell around a place, merged cells by their first column; None outside."""
        row, column = bisect.bisect_right(self.ys, y) - 1, bisect.bisect_right(self.xs, x) - 1
        if not (0 <= row < len(self.ys) - 1 and 0 <= column < len(self.xs) - 1):
            return None
        middle = (self.ys[row] + self.ys[row + 1]) / 2
        while column > 0 and not self._drawn(column, middle):
            column -= 1
        return row, column

    def _drawn(self, edge: int, y: float) -> bool:
        return any(rule.low - 1 <= y <= rule.high + 1 for rule in self._edges.get(edge, ()))


def find_tables(page: Any, lines: Sequence[Line]) -> list[RuledTable]:
    """The ruled tables of an upright page, top to bottom; at least two rows or columns of cells each.

    Tables with rules between rows alone get their columns from the empty strips between ``lines``.
    """
    shapes = page.get_cdrawings()
    if len(shapes) > _MAX_SHAPES:
        return []
    horizontal, vertical = _rules(shapes, turned_as_shown(page))
    return tables_of_rules(horizontal, vertical, lines)


def tables_of_rules(horizontal: list[Rule], vertical: list[Rule], lines: Sequence[Line]) -> list[RuledTable]:
    """The tables that rules on a page make, in the frame of the rules; see :func:`find_tables`."""
    if len(horizontal) < 2 or len(horizontal) + len(vertical) > _MAX_RULES:
        return []
    tables: list[RuledTable] = []
    loose: list[Rule] = []
    for group in _touching(horizontal, vertical):
        table = _grid(*group)
        if table is not None:
            tables.append(table)
        elif not group[1]:
            loose += group[0]
    tables += _open_tables(loose, lines)
    return sorted(tables, key=lambda table: table.top)


def _rules(shapes: Sequence[dict[str, Any]], matrix: Any) -> tuple[list[Rule], list[Rule]]:
    horizontal: list[Rule] = []
    vertical: list[Rule] = []
    turn = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    for shape in shapes:
        stroked = "s" in shape["type"]
        for item in shape["items"]:
            boxes = []
            if item[0] == "l":
                boxes.append((*item[1], *item[2]))
            elif item[0] == "re":
                x0, y0, x1, y1 = item[1]
                if min(abs(x1 - x0), abs(y1 - y0)) <= _THIN_PT:
                    boxes.append((x0, y0, x1, y1))
                elif stroked:
                    boxes += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
            for box in boxes:
                x0, y0, x1, y1 = _turned(box, turn)
                if y1 - y0 <= _THIN_PT and x1 - x0 >= _SHORTEST_PT:
                    horizontal.append(Rule((y0 + y1) / 2, x0, x1))
                elif x1 - x0 <= _THIN_PT and y1 - y0 >= _SHORTEST_PT:
                    vertical.append(Rule((x0 + x1) / 2, y0, y1))
    return horizontal, vertical


def _turned(box: tuple[float, ...], turn: tuple[float, ...]) -> tuple[float, float, float, float]:
    """A rectangle under a matrix of quarter turns, its corners in order; plain arithmetic, for there are thousands."""
    (a, b, c, d, e, f), (x0, y0, x1, y1) = turn, box
    left, right = sorted((x0 * a + y0 * c + e, x1 * a + y1 * c + e))
    top, bottom = sorted((x0 * b + y0 * d + f, x1 * b + y1 * d + f))
    return left, top, right, bottom


def _touching(horizontal: list[Rule], vertical: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Groups of rules that meet each other."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    across = np.array([(rule.at, rule.low, rule.high) for rule in horizontal]).reshape(-1, 3, 1)
    down = np.array([(rule.at, rule.low, rule.high) for rule in vertical]).reshape(-1, 3).T[None]
    meets = (across[:, 1] - _MEET_PT <= down[:, 0]) & (down[:, 0] <= across[:, 2] + _MEET_PT)
    meets &= (down[:, 1] - _MEET_PT <= across[:, 0]) & (across[:, 0] <= down[:, 2] + _MEET_PT)
    for i, j in np.argwhere(meets):
        parent[root(int(i))] = root(len(horizontal) + int(j))
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for index in range(len(parent)):
        group = groups.setdefault(root(index), ([], []))
        if index < len(horizontal):
            group[0].append(horizontal[index])
        else:
            group[1].append(vertical[index - len(horizontal)])
    return list(groups.values())


def _grid(horizontal: list[Rule], vertical: list[Rule]) -> RuledTable | None:
    ys, xs = _edges(horizontal), _edges(vertical)
    if len(ys) < 2 or len(xs) < 2 or (len(ys) == 2 and len(xs) == 2):
        return None  # a box around text, or underlined words
    if len(xs) == 2 and len(ys) > 2:
        return None  # one column: a frame with rules across
    return RuledTable(ys, xs, vertical)


def _open_tables(rules: Sequence[Rule], lines: Sequence[Line]) -> list[RuledTable]:
    """Tables whose rows are parted by rules of one length, without rules between the columns."""
    tables: list[RuledTable] = []
    group: list[Rule] = []
    for rule in [*sorted(rules, key=lambda rule: (round(rule.low / 4), round(rule.high / 4), rule.at)), None]:
        last = group[-1] if group else None
        alike = rule is not None and last is not None and abs(rule.low - last.low) + abs(rule.high - last.high) < 8
        if rule is not None and (last is None or alike):
            group.append(rule)
            continue
        table = _open_grid(group, lines) if len(group) >= 3 else None
        if table is not None:
            tables.append(table)
        group = [rule] if rule is not None else []
    return tables


def _open_grid(rules: Sequence[Rule], lines: Sequence[Line]) -> RuledTable | None:
    ys, low, high = _edges(rules), rules[0].low, rules[0].high
    inside = [line for line in lines if not line.turned and ys[0] < line.baseline < ys[-1] and line.x0 > low - 4]
    width = int(high - low)
    if len(ys) < 3 or len(inside) < 4 or width < 100 or high - low > 5_000:
        return None
    rows = [[line for line in inside if top < line.baseline <= bottom] for top, bottom in itertools.pairwise(ys)]
    cover = np.stack([_cover(row, low, width) for row in rows])
    crossed = cover.sum(axis=0)
    middles: list[float] = []
    for most in range(int(0.35 * len(rows)) + 1):  # rows that one cell fills may cross a column's edge
        for strip in _runs(np.flatnonzero(crossed <= most)):
            middle = low + float(strip.mean())
            fresh = all(abs(middle - known) > _NEAREST_EDGES_PT for known in middles)
            if len(strip) >= _GUTTER_PT and fresh and _has_both_sides(ys, middle, inside):
                middles.append(middle)
    if not middles:
        return None
    drawn = [
        Rule(x, top, bottom)
        for x in middles
        for (top, bottom), row in zip(itertools.pairwise(ys), rows, strict=True)
        if not any(line.x0 < x < line.x1 for line in row)
    ]
    edges = [Rule(x, ys[0], ys[-1]) for x in (low, high)]
    return RuledTable(ys, [low, *sorted(middles), high], [*edges, *drawn])


def _cover(row: Sequence[Line], low: float, width: int) -> NDArray[np.bool_]:
    """Per point of a row's width, whether a line stands there."""
    cover = np.zeros(width + 2, np.bool_)
    for line in row:
        cover[max(0, int(line.x0 - low)) : max(0, int(line.x1 - low)) + 1] = True
    return cover


def _runs(places: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []


def _has_both_sides(ys: Sequence[float], x: float, lines: Sequence[Line]) -> bool:
    """Whether most rows, but for those that one cell fills, have words left and right of a strip."""
    left = {bisect.bisect_right(ys, line.baseline) for line in lines if line.x1 <= x}
    right = {bisect.bisect_right(ys, line.baseline) for line in lines if line.x0 >= x}
    return len(left & right) >= max(2, 0.5 * (len(ys) - 1))


def _edges(rules: Sequence[Rule]) -> list[float]:
    edges: list[float] = []
    for at in sorted(rule.at for rule in rules):
        if not edges or at - edges[-1] > _MEET_PT:
            edges.append(at)
    return edges


def lines_in(table: RuledTable, lines: Sequence[Line]) -> dict[tuple[int, int], list[Line]]:
    """The lines of each cell that has any, cells in reading order."""
    cells: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        if line.turned or not table.top - 2 <= (line.y0 + line.y1) / 2 <= table.bottom + 2:
            continue
        cell = table.cell_at((line.x0 + min(line.x1, line.x0 + 2 * line.size)) / 2, (line.y0 + line.y1) / 2)
        if cell is not None:
            cells.setdefault(cell, []).append(line)
    return dict(sorted(cells.items()))
