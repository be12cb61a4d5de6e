"""Finding a link's passage again in a document that was read once more, or in a newer version of it."""

from __future__ import annotations

import enum
import re

import msgspec

from engine.document import Document
from engine.matter.records import LinkEnd


class Found(enum.StrEnum):
    """How a passage was found again."""

    EXACT = "exact"
    MOVED = "moved"
    RESPACED = "respaced"
    LOST = "lost"


class Relocation(msgspec.Struct, frozen=True):
    """Where a passage stands now; ``end`` is the old one, unchanged, when it is lost."""

    found: Found
    end: LinkEnd


def relocate(document: Document, end: LinkEnd) -> Relocation:
    """Look for ``end``'s words in ``document``.

    First at the same offsets, then the nearest place with equal words, then the nearest whose words
    differ in white space alone (a line broken elsewhere). Offsets are code points.
    """
    quote = end.quote
    if not quote:
        return Relocation(Found.LOST, end)
    if document.quote(end.start, end.end) == quote:
        return Relocation(Found.EXACT, _at(document, end.start, end.end))
    spans = [(m.start(), m.end()) for m in re.finditer(f"(?={re.escape(quote)})", document.text)]
    if spans:
        start = min((s for s, _ in spans), key=lambda s: abs(s - end.start))
        return Relocation(Found.MOVED, _at(document, start, start + len(quote)))
    letters = [re.escape(letter) for letter in quote if not letter.isspace()]
    if letters:
        spans = [m.span() for m in re.finditer(r"\s*".join(letters), document.text)]
        if spans:
            start, stop = min(spans, key=lambda span: abs(span[0] - end.start))
            return Relocation(Found.RESPACED, _at(document, start, stop))
    return Relocation(Found.LOST, end)


def _at(document: Document, start: int, stop: int) -> LinkEnd:
    clause = document.clause_at(start)
    return LinkEnd(
        document=document.id,
        clause_id=clause.id if clause else "",
        clause_number=clause.number if clause else "",
        quote=document.quote(start, stop),
        start=start,
        end=stop,
    )
