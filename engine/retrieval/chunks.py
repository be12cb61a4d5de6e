"""Clause-aware chunks: neighbouring sentences of one clause, with the headings they stand under."""

from __future__ import annotations

import msgspec

from engine.document import ClauseKind, Document, Sentence

#: A chunk takes sentences in while it stays under so many characters; one longer sentence is a chunk of its own.
LONGEST = 500
#: Chinese says the same in about a third of the characters.
LONGEST_CHINESE = 200
_SKIPPED = frozenset({ClauseKind.CONTENTS, ClauseKind.SIGNATURE})
_HEADINGS = 2


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """A passage that can be found. ``sentences`` are spans in the document's canonical text; ``heading`` are the
    words of the headings above it, outermost first; ``number`` is the innermost clause's, as displayed."""

    start: int
    end: int
    clause: str
    number: str
    heading: str
    page: int
    language: str
    sentences: tuple[tuple[int, int], ...]


def chunks_of(document: Document, longest: int = 0) -> list[Chunk]:
    """A document's chunks in reading order; together they hold every sentence but those of tables of contents and
    signature blocks. ``longest`` in characters, 0 for the default of the clause's language."""
    out: list[Chunk] = []
    held: list[Sentence] = []

    def close() -> None:
        if held:
            out.append(_chunk(document, held))
            held.clear()

    for sentence in document.sentences:
        clause = document.clause_by_id.get(sentence.clause)
        if clause is not None and clause.kind in _SKIPPED:
            continue
        limit = longest or (LONGEST_CHINESE if clause is not None and clause.language == "zh" else LONGEST)
        if held and (held[-1].clause != sentence.clause or sentence.end - held[0].start > limit):
            close()
        held.append(sentence)
    close()
    return out


def _chunk(document: Document, sentences: list[Sentence]) -> Chunk:
    start, end = sentences[0].start, sentences[-1].end
    clause = document.clause_by_id.get(sentences[0].clause)
    spans = tuple((sentence.start, sentence.end) for sentence in sentences)
    page = document.page_at(start)
    if clause is None:
        return Chunk(start, end, "", "", "", page, document.language, spans)
    headings = [each.heading for each in (clause, *document.ancestors(clause)) if each.heading]
    return Chunk(
        start, end, clause.id, clause.number, " / ".join(reversed(headings[:_HEADINGS])), page, clause.language, spans
    )


def shown_to_encoder(document: Document, chunk: Chunk) -> str:
    """A chunk's words with its headings before them: "Payment / Late interest: The Buyer shall …"."""
    words = document.text[chunk.start : chunk.end]
    lead = _lead_in(document, chunk)
    return ": ".join(part for part in (chunk.heading, lead, words) if part)


def _lead_in(document: Document, chunk: Chunk) -> str:
    """What introduces the list that a chunk begins with an item of."""
    first = document.sentence_at(chunk.start)
    if first is None or first.lead_in < 0:
        return ""
    lead = document.sentences[first.lead_in]
    return document.text[lead.start : lead.end][-160:]
