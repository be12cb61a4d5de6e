"""value.arithmetic in tables: a total that is not the sum of the rows above it.

A row of the tree holds its cells one a line (or between tabs); empty cells are left out. The total's own cell is its
row's last, so the parts are the last cells of the rows above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple

from engine.conflicts.checks.evidence import Evidence, make
from engine.conflicts.checks.sentences import say
from engine.document import Clause, ClauseKind
from engine.protocol.findings import Finding, Severity

_TOTAL = re.compile(r"(?:grand )?total(?: (?:price|amount|fees?|cost))?\b|合计|总计|共计|总额", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:[$€£¥￥]|USD|EUR|GBP|CNY|RMB|人民币)?[ ]?(\d{1,3}(?:[,，]\d{3})+|\d+)(\.\d{1,4})?[ ]?(?:元|%)?"
)
#: With so many rows or more above it a total is looked at.
FEWEST_ROWS = 2
_CELL = re.compile(r"[^\n\t|]+")


class Row(NamedTuple):
    """A row's first cell and its last number, with the span of that number's cell."""

    clause: Clause
    first: str
    cells: int
    value: Decimal | None
    start: int
    end: int


def _row(evidence: Evidence, clause: Clause, end: int) -> Row:
    cells = [
        (match.group().strip(), match.start(), match.end())
        for match in _CELL.finditer(evidence.text, clause.start, end)
        if match.group().strip()
    ]
    if not cells:
        return Row(clause, "", 0, None, clause.start, clause.start)
    last, start, stop = cells[-1]
    return Row(clause, cells[0][0], len(cells), _value(last), start, stop)


def _value(cell: str) -> Decimal | None:
    match = _NUMBER.fullmatch(cell)
    return Decimal(re.sub("[,，]", "", match[1]) + (match[2] or "")) if match else None


def _tables(evidence: Evidence) -> Iterator[list[Row]]:
    """The rows of each table. The last row of a table may have swallowed what follows it: it ends at its children."""
    rows = [c for c in evidence.document.clauses if c.kind is ClauseKind.TABLE_ROW]
    first_child: dict[str, int] = {}
    for clause in evidence.document.clauses:
        first_child.setdefault(clause.parent, clause.start)
    for _, group in groupby(rows, key=lambda clause: clause.parent):
        yield [_row(evidence, c, min(c.end, first_child.get(c.id, c.end))) for c in group]


def check_tables(evidence: Evidence) -> Iterator[Finding]:
    """A total in a table that misses the sum of the rows above it, where all of them give a number."""
    for table in _tables(evidence):
        for i, total in enumerate(table):
            if total.value is None or total.cells < 2 or not _TOTAL.match(total.first):
                continue
            parts: list[Row] = []
            for row in reversed(table[:i]):
                if row.value is None or row.cells < 2 or _TOTAL.match(row.first):
                    break
                parts.insert(0, row)
            if len(parts) >= FEWEST_ROWS and _even(parts):
                yield from _sum(evidence, total, total.value, parts)


def _even(parts: list[Row]) -> bool:
    """Whether the rows have the same cells: with one missing, the last number may be of another column."""
    return len({row.cells for row in parts}) == 1


def _sum(evidence: Evidence, total: Row, shown: Decimal, parts: list[Row]) -> Iterator[Finding]:
    values = [row.value for row in parts if row.value is not None]
    added = sum(values, Decimal(0))
    # A sum far from the total adds up other things (rates, years), or rows that are not the total's parts.
    if added == shown or not shown / 2 <= added <= shown * 2:
        return
    yield make(
        "value.arithmetic",
        0.82,
        Severity.HIGH,
        say(
            "value.arithmetic/table",
            evidence.chinese(total.start),
            place=evidence.place(total.start),
            where=evidence.where(total.start),
            shown=f"{shown:,f}",
            added=f"{added:,f}",
            sum=" + ".join(f"{v:,f}" for v in values),
        ),
        [evidence.passage(total.start, total.end)],
    )
