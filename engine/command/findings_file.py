"""The file of a review: schema ``antinomy.findings/1``, quads filled in from the Documents' boxes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine import APP_VERSION
from engine.document import Document, quads
from engine.protocol.findings import (
    FINDINGS_SCHEMA,
    ClauseLine,
    DocumentLine,
    EngineLine,
    Finding,
    FindingsFile,
    Passage,
)
from engine.protocol.messages import EngineStatus


def findings_file(
    documents: Sequence[Document], findings: Sequence[Finding], status: EngineStatus | None
) -> FindingsFile:
    """The whole file's content."""
    by_id = {document.id: document for document in documents}
    engine = EngineLine("cpu", "", "") if status is None else EngineLine(status.device, status.encoder, status.verifier)
    return FindingsFile(
        schema=FINDINGS_SCHEMA,
        app_version=APP_VERSION,
        engine=engine,
        documents=tuple(document_line(document) for document in documents),
        findings=tuple(
            msgspec.structs.replace(finding, passages=tuple(with_quads(p, by_id) for p in finding.passages))
            for finding in findings
        ),
    )


def document_line(document: Document) -> DocumentLine:
    """A document as the file lists it."""
    clauses = tuple(
        ClauseLine(clause.id, clause.number, clause.heading, clause.start, clause.end, clause.page)
        for clause in document.clauses
    )
    return DocumentLine(
        document.id, document.name, document.language, len(document.pages), len(document.text), clauses
    )


def with_quads(passage: Passage, documents: dict[str, Document]) -> Passage:
    """The passage with its rectangles on its page, in points rounded to hundredths."""
    document = documents.get(passage.document)
    if document is None or passage.quads:
        return passage
    found = tuple(
        (round(quad.x0, 2), round(quad.y0, 2), round(quad.x1, 2), round(quad.y1, 2))
        for quad in quads(document, passage.start, passage.end)
        if quad.page == passage.page
    )
    return msgspec.structs.replace(passage, quads=found)


def to_json(content: FindingsFile) -> bytes:
    """The file's bytes: UTF-8, indented, a line break at the end."""
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
