"""What holds of every Document, whatever it was read from."""

from __future__ import annotations

from engine.document import ClauseKind, Document


def check(document: Document) -> None:
    text = document.text
    assert len(document.boxes) == len(text)
    _check_pages(document)
    _check_clauses(document)
    _check_sentences(document)


def _check_pages(document: Document) -> None:
    end = 0
    for page in document.pages:
        assert page.start >= end or page.start == page.end or page.index == 0
        assert 0 <= page.start <= page.end <= len(document.text)
        end = page.end
    if document.text:
        assert document.pages[0].start == 0
        assert max(page.end for page in document.pages) == len(document.text)
        rect = document.boxes.rect
        assert (rect[:, 2] >= rect[:, 0]).all()
        assert (rect[:, 3] >= rect[:, 1]).all()


def _check_clauses(document: Document) -> None:
    by_id = document.clause_by_id
    assert len(by_id) == len(document.clauses)
    start = 0
    for clause in document.clauses:
        assert 0 <= clause.start < clause.end <= len(document.text), clause
        assert clause.start <= clause.body_start <= clause.end, clause
        assert clause.start >= start, clause
        start = clause.start
        if clause.parent:
            parent = by_id[clause.parent]
            assert parent.start <= clause.start, (parent, clause)
            assert clause.end <= parent.end, (parent, clause)
            assert clause.level == parent.level + 1
        else:
            assert clause.level == 0


def _check_sentences(document: Document) -> None:
    end = 0
    for index, sentence in enumerate(document.sentences):
        words = document.text[sentence.start : sentence.end]
        assert words == words.strip(), sentence
        assert any(character.isalnum() for character in words), repr(words)
        assert sentence.start >= end, (sentence, words)
        end = sentence.end
        clause = document.clause_by_id[sentence.clause]
        assert clause.kind is not ClauseKind.CONTENTS
        assert clause.start <= sentence.start, (clause, words)
        assert sentence.end <= clause.end, (clause, words)
        assert -1 <= sentence.lead_in < index


def words_outside(document: Document) -> list[str]:
    """Pieces of text that are in no sentence, and no number, heading or table of contents either."""
    taken = bytearray(len(document.text))
    for clause in document.clauses:
        stop = clause.end if clause.kind is ClauseKind.CONTENTS else clause.body_start
        taken[clause.start : stop] = b"x" * (stop - clause.start)
    for sentence in document.sentences:
        taken[sentence.start : sentence.end] = b"x" * (sentence.end - sentence.start)
    pieces, piece = [], ""
    for character, mark in zip(document.text + " ", bytes(taken) + b"x", strict=True):
        if not mark:
            piece += character
        else:
            if any(one.isalnum() for one in piece):
                pieces.append(piece)
            piece = ""
    return pieces
