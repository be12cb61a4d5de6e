"""The differences between two versions as a table, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from PySide6.QtCore import QObject

from engine.protocol.comparison import ChangeKind, ClausePlace
from gui.state.comparison_view import ComparisonView, Filter
from gui.state.comparison_words import finding_state_words, kind_words, value_kind_words
from gui.state.issue_list import plain_cell, write_issue_list
from gui.state.workbook import write_book

_WIDTHS = {"earlier text": 60, "later text": 60, "changed values": 36, "heading": 28, "change": 18, "new findings": 40}
_NUMBERS = frozenset({"earlier page", "later page", "similarity"})


def comparison_table(view: ComparisonView) -> list[list[str]]:
    """The header, a line for each clause that differs, then the findings that were introduced or resolved."""
    header = [
        "change", "earlier number", "later number", "heading", "earlier page", "later page", "similarity",
        "changed values", "new findings", "earlier text", "later text",
    ]  # fmt: skip
    lines = []
    for row in view.rows(Filter.ALL):
        change = row.change
        if change.kind is ChangeKind.SAME:
            continue
        values = "; ".join(f"{value_kind_words(v.kind)}: {view.value(v)}" for v in change.values)
        found = [view.finding(each.finding) for each in view.introduced.get(row.clause, ())]
        summaries = "; ".join(finding.summary for finding in found if finding is not None)
        sides = [(change.old, view.old.text), (change.new, view.new.text)]
        texts = [text[place.start : place.end].strip() if place is not None else "" for place, text in sides]
        heading = (change.new or change.old or ClausePlace("", "", "", 0, 0, 0)).heading
        similarity = f"{change.similarity:.2f}" if change.kind is ChangeKind.CHANGED else ""
        lines.append([
            kind_words(change), _number(change.old), _number(change.new), heading, _page(change.old),
            _page(change.new), similarity, values, summaries, *texts,
        ])  # fmt: skip
    for which in (Filter.INTRODUCED, Filter.RESOLVED):
        for row in view.rows(which):
            assert row.finding is not None
            what = QObject().tr("finding {state}").format(state=finding_state_words(row.finding.state))
            lines.append([what, "", "", row.title, _page(row.change.old), _page(row.change.new), "", "", row.excerpt])
    return [header, *([*line, *[""] * (len(header) - len(line))] for line in lines)]


def _number(place: ClausePlace | None) -> str:
    return place.number if place is not None else ""


def _page(place: ClausePlace | None) -> str:
    return str(place.page + 1) if place is not None else ""


def write_comparison(path: Path, view: ComparisonView) -> None:
    """Write the table, whole or not at all: a workbook for ``.xlsx``, else CSV.

    Raises:
        OSError: it cannot be written there.
    """
    table = comparison_table(view)
    if path.suffix.lower() == ".xlsx":
        write_book(path, "comparison", table, _WIDTHS, _NUMBERS)
        return
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerows([plain_cell(cell) for cell in line] for line in table)
    write_issue_list(path, text.getvalue())
