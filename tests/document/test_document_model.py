"""Looking up pages, clauses and sentences by offset."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Page, Sentence


def tree() -> Document:
    def clause(name: str, number: str, start: int, end: int, parent: str, level: int) -> Clause:
        return Clause(name, number, (), number, "", level, ClauseKind.CLAUSE, start, end, start, parent, 0, "en")

    clauses = (
        clause("c0", "1", 0, 50, "", 0),
        clause("c1", "1.1", 10, 30, "c0", 1),
        clause("c2", "1.2", 30, 50, "c0", 1),
        clause("c3", "2", 60, 80, "", 0),
    )
    pages = (Page(0, 1.0, 1.0, 0, 40), Page(1, 1.0, 1.0, 40, 80))
    sentences = (Sentence(0, 9, "c0"), Sentence(10, 29, "c1"))
    return Document(
        "sha256:0", "x", Media.TEXT, "en", "x" * 80, pages, clauses, sentences, (), (), CharacterBoxes.empty()
    )


@pytest.mark.parametrize(
    ("offset", "wanted"),
    [(0, "c0"), (10, "c1"), (29, "c1"), (30, "c2"), (55, None), (60, "c3"), (79, "c3"), (80, None)],
)
def test_the_innermost_clause_around_an_offset(offset: int, wanted: str | None) -> None:
    found = tree().clause_at(offset)
    assert (found.id if found else None) == wanted


def test_pages_sentences_and_ancestors() -> None:
    document = tree()
    assert [document.page_at(i) for i in (0, 39, 40, 79, 500)] == [0, 0, 1, 1, 1]
    assert document.sentence_at(9) is None
    assert document.sentence_at(12) == document.sentences[1]
    assert [c.id for c in document.ancestors(document.clauses[1])] == ["c0"]


def test_boxes_must_match_their_pages() -> None:
    with pytest.raises(ValueError, match="do not match"):
        CharacterBoxes(np.zeros((3, 4), np.float32), np.zeros(2, np.int32))
