"""From a file's text and blocks to the Document: the clause tree, then the sentences in it."""

from __future__ import annotations

import bisect
from collections.abc import Generator, Sequence

import msgspec

from engine.document import Clause, CrossReference, Document, Media, Sentence
from engine.reading.source import SourceText
from engine.reading.structure.language import language_of
from engine.reading.structure.prepare import prepare_steps
from engine.reading.structure.reader import StructureReader
from engine.reading.structure.tree import Node

#: Blocks between two steps of :func:`build_steps`: a few milliseconds' work.
_BLOCKS_A_STEP = 30
_CLAUSES_A_STEP = 150
_SENTENCES_A_STEP = 2_000
#: A document's language shows in this many of its first characters.
_LANGUAGE_SAMPLE = 400_000


def build_document(source: SourceText, id: str, name: str) -> Document:
    """The Document of a source text, in one go.

    Args:
        source: what a format's reader made of the file.
        id: ``sha256:`` and the digest of the file's bytes.
        name: the file's name, without folders.
    """
    steps = build_steps(source, id, name)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            document: Document = stop.value
            return document


def build_steps(source: SourceText, id: str, name: str) -> Generator[tuple[str, int, int], None, Document]:
    """As :func:`build_document`, in steps of some milliseconds; the generator's return value is the Document.

    Yields:
        ("structure", blocks done, blocks in all).
    """
    total = len(source.blocks)
    steps = prepare_steps(source.text, source.blocks, by_depth=source.media is Media.MARKDOWN)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            reader = StructureReader(source, stop.value)
            break
        yield "structure", 0, total
    total = len(reader.blocks)
    for done in range(total):
        reader.take(done)
        if done % _BLOCKS_A_STEP == _BLOCKS_A_STEP - 1:
            yield "structure", done + 1, total
    yield "structure", total, total
    return (yield from _assemble(source, reader, id, name))


def _assemble(
    source: SourceText, reader: StructureReader, id: str, name: str
) -> Generator[tuple[str, int, int], None, Document]:
    total = len(reader.blocks)
    nodes = sorted(reader.nodes, key=lambda node: (node.start, node.level))
    ids = {node: f"c{index}" for index, node in enumerate(nodes)}
    clauses: list[Clause] = []
    for node in nodes:
        clauses.append(_clause(source, node, ids))
        if len(clauses) % _CLAUSES_A_STEP == 0:
            yield "structure", total, total
    sentences: list[Sentence] = []
    for span in reader.sentences:
        sentences.append(Sentence(span.start, span.end, ids[span.node], span.lead_in))
        if len(sentences) % _SENTENCES_A_STEP == 0:
            yield "structure", total, total
    yield "structure", total, total
    return Document(
        id=id,
        name=name,
        media=source.media,
        language=language_of(source.text[:_LANGUAGE_SAMPLE]),
        text=source.text,
        pages=source.pages,
        clauses=tuple(clauses),
        sentences=tuple(sentences),
        furniture=source.furniture,
        notices=source.notices,
        boxes=source.boxes,
        uncertain=source.uncertain,
        outline=source.outline,
        cross_references=_with_clauses(source.cross_references, clauses),
    )


def _with_clauses(references: Sequence[CrossReference], clauses: Sequence[Clause]) -> tuple[CrossReference, ...]:
    """Each with the innermost clause around its target."""
    starts = [clause.start for clause in clauses]
    by_id = {clause.id: clause for clause in clauses} if references else {}
    found = []
    for reference in references:
        at = bisect.bisect_right(starts, reference.target) - 1
        clause = clauses[at] if at >= 0 else None
        while clause is not None and not clause.start <= reference.target < max(clause.end, clause.start + 1):
            clause = by_id.get(clause.parent)
        found.append(msgspec.structs.replace(reference, clause=clause.id if clause is not None else ""))
    return tuple(found)


def _clause(source: SourceText, node: Node, ids: dict[Node, str]) -> Clause:
    return Clause(
        id=ids[node],
        number=node.number,
        path=node.path,
        label=node.label,
        heading=node.heading,
        level=node.level,
        kind=node.kind,
        start=node.start,
        end=node.end,
        body_start=min(node.body_start, node.end),
        parent=ids[node.parent] if node.parent is not None else "",
        page=int(source.boxes.page[node.start]) if len(source.boxes) else 0,
        language=language_of(source.text[node.start : min(node.end, node.start + 2000)]),
    )
