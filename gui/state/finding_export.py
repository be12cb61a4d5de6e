"""The findings with their decisions as a workbook (XLSX), or as JSON like the command line's with the decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from engine import APP_VERSION
from engine.document import Document, quads
from engine.protocol.findings import FINDINGS_SCHEMA, ClauseLine, DocumentLine, EngineLine, Finding, FindingsFile
from engine.protocol.messages import EngineStatus
from gui.state.anchor_export import printable
from gui.state.finding_row import FindingRow
from gui.state.issue_list import issue_table

#: Widths of columns in characters; the others have the usual one.
_WIDTHS = {"summary": 60, "settle": 40, "note": 30, "passage 1": 60, "passage 2": 60, "kind": 28, "id": 22}
_USUAL_WIDTH = 12
_NUMBERS = frozenset({"rank", "score", "page 1", "page 2", "further passages"})


class DecisionLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was decided about a finding: its id, the state's and the reason's code, the note."""

    finding: str
    state: str
    reason: str = ""
    note: str = ""


class DecidedFindings(FindingsFile, frozen=True):
    """A findings file (antinomy.findings/1) with one more field, which other readers of the format pass over."""

    decisions: tuple[DecisionLine, ...] = ()


def write_issue_book(path: Path, rows: Iterable[FindingRow], document_name: Callable[[str], str]) -> None:
    """Write a workbook of one sheet, whole or not at all; every cell is text or a number, never a formula or a link.

    Raises:
        OSError: it cannot be written there.
    """
    # A tenth of a second to import, wanted once in a while.
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    fresh = path.with_name(path.name + ".new")
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = Workbook(str(fresh), options)
    sheet = book.add_worksheet("findings")
    bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
    header, *lines = issue_table(rows, document_name)
    for column, name in enumerate(header):
        sheet.set_column(column, column, _WIDTHS.get(name, _USUAL_WIDTH))
        sheet.write_string(0, column, name, bold)
    for number, line in enumerate(lines, 1):
        for column, (name, cell) in enumerate(zip(header, line, strict=True)):
            if name in _NUMBERS and cell:
                sheet.write_number(number, column, float(cell), wrapped)
            elif cell:
                sheet.write_string(number, column, printable(cell), wrapped)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(lines), len(header) - 1)
    try:
        book.close()
    except FileCreateError as error:
        raise OSError(str(error)) from error
    fresh.replace(path)


def write_findings_json(
    path: Path, rows: Sequence[FindingRow], documents: Iterable[Document], engine: EngineStatus | None
) -> None:
    """Write the findings file with the decisions, whole or not at all.

    Raises:
        OSError: it cannot be written there.
    """
    kept = [row for row in rows if not row.is_gone]
    texts = {document.id: document for document in documents}
    status = engine or EngineStatus("", "", "", "", "")
    file = DecidedFindings(
        FINDINGS_SCHEMA,
        APP_VERSION,
        EngineLine(status.device, status.encoder, status.verifier),
        tuple(_document_line(document) for document in texts.values()),
        tuple(_with_places(row.finding, texts) for row in kept),
        tuple(DecisionLine(row.id, row.verdict.value, row.reason, row.note) for row in kept),
    )
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")
    fresh.replace(path)


def _with_places(finding: Finding, documents: Mapping[str, Document]) -> Finding:
    """The finding with its passages' rectangles on their page, in points rounded to hundredths."""
    passages = []
    for passage in finding.passages:
        document = documents.get(passage.document)
        found = quads(document, passage.start, passage.end) if document is not None and not passage.quads else []
        here = (q for q in found if q.page == passage.page)
        places = [(round(q.x0, 2), round(q.y0, 2), round(q.x1, 2), round(q.y1, 2)) for q in here]
        passages.append(msgspec.structs.replace(passage, quads=tuple(places) or passage.quads))
    return msgspec.structs.replace(finding, passages=tuple(passages))


def _document_line(document: Document) -> DocumentLine:
    clauses = tuple(
        ClauseLine(clause.id, clause.number, clause.heading, clause.start, clause.end, clause.page)
        for clause in document.clauses
    )
    pages, characters = len(document.pages), len(document.text)
    return DocumentLine(document.id, document.name, document.language, pages, characters, clauses)
