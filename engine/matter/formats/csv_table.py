"""CSV: one row a link, columns for each end. Holds every field of a link; not the documents' texts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import msgspec

from engine.matter.errors import UnreadableImport
from engine.matter.formats.bundle import Bundle, Gathering, Written
from engine.matter.records import Link, LinkEnd

NAME = "links.csv"
_FIELDS = tuple(field for field in Link.__struct_fields__ if field != "ends")
_END_FIELDS = LinkEnd.__struct_fields__
#: A cell that a spreadsheet would take for a formula, or that begins with our mark, gets the mark ' before it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def write(bundle: Bundle) -> Written:
    """The table, UTF-8 with a byte-order mark so that spreadsheets read Chinese."""
    width = max((len(link.ends) for link in bundle.links), default=2)
    names = {annotator.id: annotator.name for annotator in bundle.annotators}
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow([*_FIELDS, "annotator_name", *(f"end{i}_{f}" for i in range(1, width + 1) for f in _END_FIELDS)])
    for link in bundle.links:
        row = [getattr(link, field) for field in _FIELDS] + [names.get(link.annotator, "")]
        for end in link.ends:
            row += [getattr(end, field) for field in _END_FIELDS]
        table.writerow([_guarded(value) for value in row])
    return Written({NAME: out.getvalue().encode("utf-8-sig")}, ())


def _guarded(value: object) -> str:
    text = repr(value) if isinstance(value, float) else str(value)
    return "'" + text if text.startswith(_FORMULA) else text


def read(files: Mapping[str, bytes]) -> Bundle:
    """The links of a table that :func:`write` made, perhaps edited in a spreadsheet; rows that are none are named.

    Raises:
        UnreadableImport: it is no such table.
    """
    gathering = Gathering()
    for name, data in files.items():
        try:
            rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
            missing = [field for field in (*_FIELDS, "end1_document", "end2_document") if field not in
                       (rows.fieldnames or ())]  # fmt: skip
        except (csv.Error, UnicodeDecodeError) as error:
            raise UnreadableImport("{name} is no table of links ({error}).", name=name, error=error) from error
        if missing:
            raise UnreadableImport(
                "{name} is no table of links: the column {column} is missing.", name=name, column=missing[0]
            )
        _read_rows(name, rows, gathering)
    return gathering.bundle()


def _read_rows(name: str, rows: csv.DictReader[str], gathering: Gathering) -> None:
    before = 0
    while True:
        # A quoted cell may hold line breaks: a row begins on the line after the one before.
        line, before = before + 1, rows.line_num
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            gathering.note(UnreadableImport("the row is no link ({error})", error=error), rows.line_num, name)
            return
        line, before = max(line, before + 1), rows.line_num
        with gathering.at(line, name):
            try:
                link = _link({key: value for key, value in row.items() if key and value is not None})
            except (KeyError, ValueError, msgspec.ValidationError) as error:
                raise UnreadableImport("the row is no link ({error})", error=error) from error
            gathering.add(link, line, name, _plain(row.get("annotator_name") or ""))


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell


def _link(row: Mapping[str, str]) -> Link:
    record: dict[str, object] = {field: _plain(row[field]) for field in _FIELDS}
    record["confidence"] = float(row["confidence"])
    ends: list[dict[str, object]] = []
    while row.get(f"end{len(ends) + 1}_document"):
        i = len(ends) + 1
        end: dict[str, object] = {field: _plain(row[f"end{i}_{field}"]) for field in _END_FIELDS}
        ends.append({**end, "start": int(row[f"end{i}_start"]), "end": int(row[f"end{i}_end"])})
    return msgspec.convert({**record, "ends": ends}, Link)
