"""The findings with their decisions as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path

from gui.state.finding_row import FindingRow
from gui.state.whole_file import whole_file
from gui.state.wording import code_words, reason_words, severity_words, tier_words, verdict_words

#: A spreadsheet would take a cell that begins with one of these for a formula: a contract is no program.
_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
MOST_PASSAGES = 2


def issue_list(rows: Iterable[FindingRow], document_name: Callable[[str], str]) -> str:
    """CSV: one line a finding, its first two passages beside each other. ``document_name`` names an id."""
    text = io.StringIO()
    header, *lines = issue_table(rows, document_name)
    table = csv.writer(text)
    table.writerow(header)
    table.writerows([plain_cell(value) for value in line] for line in lines)
    return text.getvalue()


def issue_table(rows: Iterable[FindingRow], document_name: Callable[[str], str]) -> list[list[str]]:
    """The table's header, then a line a finding that is not gone."""
    header = ["rank", "severity", "kind", "code", "tier", "score", "summary", "state", "reason", "note", "settle"]
    for n in range(1, MOST_PASSAGES + 1):
        header += [f"document {n}", f"clause {n}", f"page {n}", f"passage {n}"]
    lines = [_line(row, document_name) for row in rows if not row.is_gone]
    return [[*header, "further passages", "id"], *lines]


def _line(row: FindingRow, document_name: Callable[[str], str]) -> list[str]:
    finding = row.finding
    cells = [
        str(finding.rank), severity_words(finding.severity), code_words(finding.code), finding.code,
        tier_words(finding.tier), f"{finding.score:.2f}", finding.summary, verdict_words(row.verdict),
        reason_words(row.reason), row.note, finding.settle,
    ]  # fmt: skip
    for passage in finding.passages[:MOST_PASSAGES]:
        cells += [document_name(passage.document), passage.clause, str(passage.page + 1), passage.text]
    cells += [""] * 4 * (MOST_PASSAGES - len(finding.passages))
    further = max(0, len(finding.passages) - MOST_PASSAGES)
    return [*cells, str(further), finding.id]


def plain_cell(value: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + value if value.startswith(_FORMULA_STARTS) else value


def write_issue_list(path: Path, text: str) -> None:
    """Write the table, whole or not at all, with the mark that makes spreadsheets read UTF-8.

    Raises:
        OSError: it cannot be written there.
    """
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8-sig", newline="")
