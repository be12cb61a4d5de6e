"""Tables as workbooks (XLSX): what a contract says is text there, never a formula or a link."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gui.state.anchor_export import printable
from gui.state.whole_file import whole_file

_USUAL_WIDTH = 12
#: A cell holds no more.
_MOST_CHARACTERS = 32_767


def write_book(
    path: Path, sheet_name: str, table: Sequence[Sequence[str]], widths: Mapping[str, int], numbers: Collection[str]
) -> None:
    """Write a workbook of one sheet, whole or not at all; the table's first line is its header.

    Args:
        widths: of columns by their heads, in characters; the others have the usual one.
        numbers: the heads of columns whose cells are numbers.

    Raises:
        OSError: it cannot be written there.
    """
    # A tenth of a second to import, wanted once in a while.
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with whole_file(path) as draft:
        book = Workbook(str(draft), options)
        sheet = book.add_worksheet(sheet_name)
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
        header, *lines = table
        for column, name in enumerate(header):
            sheet.set_column(column, column, widths.get(name, _USUAL_WIDTH))
            sheet.write_string(0, column, name, bold)
        for number, line in enumerate(lines, 1):
            for column, (name, cell) in enumerate(zip(header, line, strict=True)):
                if name in numbers and cell:
                    sheet.write_number(number, column, float(cell), wrapped)
                elif cell:
                    sheet.write_string(number, column, printable(cell)[:_MOST_CHARACTERS], wrapped)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, len(lines), len(header) - 1)
        try:
            book.close()
        except FileCreateError as error:
            cause = error.args[0] if error.args else error
            raise (cause if isinstance(cause, OSError) else OSError(str(error))) from error
