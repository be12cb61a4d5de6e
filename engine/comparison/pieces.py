"""A document cut into pieces: each clause's own words, without those of the clauses inside it."""

from __future__ import annotations

import dataclasses
import itertools
import re
from functools import cached_property

from engine.comparison.words import Word, same_text, words_of
from engine.document import Clause, ClauseKind, Document
from engine.protocol.comparison import ClausePlace

#: A clause of more own words than this (two pages) is compared paragraph by paragraph.
MOST_CHARACTERS = 6_000
_PARAGRAPH_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}[.)）、．]?\s+(?=\S)")
_PARAGRAPH_END = re.compile(r"\n\s*")

#: A stretch of text and the innermost clause around it.
Stretch = tuple[Clause | None, int, int]


@dataclasses.dataclass(frozen=True)
class Piece:
    """A stretch of text that belongs to one clause (None: to none). The pieces of a document cover its whole text.

    Attributes:
        start, end: span in the document's text; ``body`` is where the words after the printed number begin.
        part: 0 where the clause begins, 1, 2, … where it goes on after clauses inside it, or in further paragraphs.
    """

    document: Document
    clause: Clause | None
    start: int
    end: int
    body: int
    part: int

    @cached_property
    def key(self) -> str:
        """Equal for pieces that say the same under whatever number."""
        return same_text(self.document.text[self.body : self.end])

    @cached_property
    def words(self) -> list[Word]:
        """The words after the printed number."""
        return words_of(self.document.text, self.body, self.end)

    @cached_property
    def bag(self) -> frozenset[str]:
        """The different words, in lower case."""
        return frozenset(word.key.lower() for word in self.words)

    @cached_property
    def label(self) -> str:
        """The number as printed here, as it is compared."""
        return same_text(self.document.text[self.start : self.body])

    @property
    def heading(self) -> str:
        """The clause's heading where it stands here."""
        return self.clause.heading if self.clause is not None and not self.part else ""

    @property
    def is_contents(self) -> bool:
        """Whether this is a line of a table of contents, which says nothing of its own."""
        return self.clause is not None and self.clause.kind is ClauseKind.CONTENTS

    @property
    def place(self) -> ClausePlace:
        """Where it stands."""
        page, clause = self.document.page_at(self.start), self.clause
        if clause is None:
            return ClausePlace("", "", "", page, self.start, self.end, self.part)
        return ClausePlace(clause.id, clause.number, clause.heading, page, self.start, self.end, self.part)


def pieces_of(document: Document) -> list[Piece]:
    """The pieces in the order of the text; white space between clauses goes with the piece before it."""
    text = document.text
    cuts = {0, len(text)}
    for clause in document.clauses:
        cuts.update((clause.start, clause.end))
    edges = sorted(cut for cut in cuts if 0 <= cut <= len(text))
    stretches: list[Stretch] = []
    for start, end in itertools.pairwise(edges):
        owner = document.clause_at(start)
        before = stretches[-1] if stretches else None
        same = before is not None and (before[0] is owner or not text[start:end].strip())
        if before is not None and (same or not text[before[1] : before[2]].strip()):
            # What is blank at the very beginning goes with the first words.
            stretches[-1] = (before[0] if same else owner, before[1], end)
        else:
            stretches.append((owner, start, end))
    parts: dict[str, int] = {}
    pieces = []
    for owner, start, end in itertools.chain.from_iterable(_paragraphs(text, each) for each in stretches):
        name = owner.id if owner is not None else ""
        part = parts[name] = parts.get(name, -1) + 1
        pieces.append(Piece(document, owner, start, end, _body(text, owner, start, end, part), part))
    return pieces


def _paragraphs(text: str, stretch: Stretch) -> list[Stretch]:
    """A stretch as it is, or, when it is too long to be read as one, its paragraphs."""
    owner, start, end = stretch
    if end - start <= MOST_CHARACTERS:
        return [stretch]
    cuts = [start, *(m.end() for m in _PARAGRAPH_END.finditer(text, start, end) if m.end() < end), end]
    return [(owner, a, b) for a, b in itertools.pairwise(cuts)]


def _body(text: str, clause: Clause | None, start: int, end: int, part: int) -> int:
    if part:
        # A numbered paragraph inside a long clause; as a clause's number it is no part of what it says.
        number = _PARAGRAPH_NUMBER.match(text, start, end)
        return number.end() if number else start
    if clause is None or not clause.label:
        return start
    at = text.find(clause.label, start, min(end, start + len(clause.label) + 8))
    if at < 0 or text[start:at].strip():
        return start
    at += len(clause.label)
    # "1." and "1" are one number; the stop is printed with it.
    while at < end and text[at] in ".、．:： \t":
        at += 1
    return at
