"""The findings with their decisions as a workbook (XLSX), or as JSON like the command line's with the decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from engine import APP_VERSION
from engine.document import Document, quads
from engine.protocol.findings import FINDINGS_SCHEMA, ClauseLine, DocumentLine, EngineLine, Finding, FindingsFile
from engine.protocol.messages import EngineStatus
from gui.state.finding_row import FindingRow
from gui.state.issue_list import issue_table
from gui.state.whole_file import whole_file
from gui.state.workbook import write_book

#: Widths of columns in characters; the others have the usual one.
_WIDTHS = {"summary": 60, "settle": 40, "note": 30, "passage 1": 60, "passage 2": 60, "kind": 28, "id": 22}
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
    write_book(path, "findings", issue_table(rows, document_name), _WIDTHS, _NUMBERS)


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
    with whole_file(path) as draft:
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")


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
