"""The anchors as a table for a spreadsheet: CSV or XLSX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from engine.document import Document
from gui.state.anchor_book import Value, place_words
from gui.state.issue_list import plain_cell
from gui.state.whole_file import whole_file
from gui.state.wording import anchor_words, role_words, standing_words

_COLUMNS = (
    ("kind", 14), ("value", 18), ("as written", 28), ("role", 22), ("bound", 10), ("agreement", 16),
    ("differs from", 28), ("document", 28), ("clause", 12), ("page", 6), ("start", 10), ("end", 10), ("context", 60),
)  # fmt: skip
Table = Iterable[list[str | int]]
#: A sheet of Excel's has 1,048,576 lines.
MOST_LINES = 1_000_000


def lines(
    values: Iterable[Value], documents: Mapping[str, Document], names: Mapping[str, str]
) -> Iterator[list[str | int]]:
    """One line a place. ``names`` names the documents; a document whose text is not known has no context."""
    for value in values:
        rivals = "; ".join(rival.words for rival in value.rivals)
        for spot in value.spots:
            document = documents.get(spot.document)
            clause, page, around = place_words(document, spot)
            written = document.text[spot.start : spot.end] if document else ""
            yield [
                anchor_words(value.kind), value.value, " ".join(written.split()), role_words(spot.role), spot.bound,
                standing_words(value.standing.name), rivals, names.get(spot.document, spot.document), clause,
                page + 1 if document else "", spot.start, spot.end, around,
            ]  # fmt: skip


def write_csv(path: Path, table: Table) -> None:
    """Write CSV, whole or not at all, with the mark that makes spreadsheets read UTF-8; no cell is a formula.

    Raises:
        OSError: it cannot be written there.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([name for name, _ in _COLUMNS])
    for line in table:
        writer.writerow([plain_cell(cell) if isinstance(cell, str) else cell for cell in line])
    with whole_file(path) as draft:
        draft.write_text(text.getvalue(), encoding="utf-8-sig", newline="", errors="replace")


def write_xlsx(path: Path, table: Table) -> None:
    """Write a workbook of one sheet, whole or not at all; every cell is text or a number, never a formula or a link.

    Raises:
        OSError: it cannot be written there.
    """
    # A tenth of a second to import, wanted once in a while.
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    # write_string below makes no formulas; the options say the same to whatever is added later.
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with whole_file(path) as draft:
        book = Workbook(str(draft), options)
        sheet = book.add_worksheet("anchors")
        bold = book.add_format({"bold": True})
        for column, (name, width) in enumerate(_COLUMNS):
            sheet.set_column(column, column, width)
            sheet.write_string(0, column, name, bold)
        sheet.freeze_panes(1, 0)
        row = 0
        for row, line in enumerate(table, 1):
            if row > MOST_LINES:
                break
            for column, cell in enumerate(line):
                if isinstance(cell, int):
                    sheet.write_number(row, column, cell)
                elif cell:
                    sheet.write_string(row, column, printable(cell))
        sheet.autofilter(0, 0, row, len(_COLUMNS) - 1)
        try:
            book.close()
        except FileCreateError as error:
            cause = error.args[0] if error.args else error
            raise (cause if isinstance(cause, OSError) else OSError(str(error))) from error


def printable(cell: str) -> str:
    """A cell without the signs that XML cannot hold, and no longer than Excel's 32,767."""
    return "".join(c for c in cell if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")[:32_000]
