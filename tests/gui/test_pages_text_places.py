"""From places to text: carets, words, clauses, in English, Chinese and with characters beyond 16 bits."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from painted_pages import LEFT_PT, TOP_PT, contract, middle_of

from engine.document import CharacterBoxes, Clause, ClauseKind, quads, quads_of
from gui.pages.marks import Mark, MarkSet, Places, first_height
from gui.pages.text_places import ClausePlaces, caret_near, character_at, character_near, word_at
from gui.pages.text_selection import TextSelection, Unit
from gui.theme import Layer

LINES = ("1. Pay 🧾 USD 1,000.50 within thirty-five (35) days.", "第二条 甲方的违约金为3%。", "(a) Buyer's café")
DOCUMENT = contract(2, LINES)
ANY_TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("inside", "word"),
    [("USD", "USD"), ("1,000.50", "1,000.50"), ("thirty", "thirty-five"), ("35", "35"), ("甲方", "甲方的违约金为"),
     ("Buyer", "Buyer's"), ("café", "café"), ("🧾", "🧾"), ("3%", "3")],
)  # fmt: skip
def test_words_are_what_a_reader_calls_one(inside, word):
    start, end = word_at(DOCUMENT.text, DOCUMENT.text.index(inside))
    assert DOCUMENT.text[start:end] == word


@given(ANY_TEXT, st.integers(-3, 70))
def test_a_word_holds_its_offset_and_is_the_same_from_each_of_its_characters(text, offset):
    start, end = word_at(text, offset)
    if not 0 <= offset < len(text):
        assert start == end
        return
    assert 0 <= start <= offset < end <= len(text)
    assert word_at(text, start) == (start, end)


@given(st.integers(0, len(DOCUMENT.text) - 1))
def test_the_character_under_a_place_is_the_one_that_stands_there(offset):
    page, x, y = middle_of(DOCUMENT, offset)
    box = DOCUMENT.boxes.rect[offset]
    if box[0] == box[2]:
        return
    assert character_at(DOCUMENT, page, x, y) == offset
    assert caret_near(DOCUMENT, page, x - 1, y) == offset
    assert caret_near(DOCUMENT, page, x + 1, y) == offset + 1


def test_carets_snap_to_the_nearest_line_and_its_ends():
    first, second = DOCUMENT.clauses[0], DOCUMENT.clauses[1]
    assert caret_near(DOCUMENT, 0, 0, TOP_PT + 2) == first.start
    assert caret_near(DOCUMENT, 0, 590, TOP_PT + 2) == first.end
    assert caret_near(DOCUMENT, 0, 590, TOP_PT + 30) == second.end
    assert character_at(DOCUMENT, 0, 590, TOP_PT) is None
    assert caret_near(DOCUMENT, 1, LEFT_PT, TOP_PT) is None, "a page without text"
    assert character_near(DOCUMENT, 7, 0, 0) is None


def nested():
    """An article of two lines, of which the second is a clause of its own."""
    first, second, third = DOCUMENT.clauses
    article = msgspec.structs.replace(first, end=second.end)
    child = msgspec.structs.replace(second, parent=first.id, level=1)
    return msgspec.structs.replace(DOCUMENT, clauses=(article, child, third))


def test_a_clause_is_pointed_at_by_its_own_words():
    document = nested()
    places = ClausePlaces(document)
    article, child, item = document.clauses
    start, end = places.own_span(article)
    assert document.quote(start, end) == LINES[0]
    assert places.passage(child.start + 2) == (child.start, child.end)
    assert places.next(article.start, 1) is child
    assert places.next(child.start + 3, 1) is item
    assert places.next(item.start, 1) is None
    assert places.next(article.start, -1) is None
    assert places.beside(0, 10, TOP_PT + 5) is article
    assert places.beside(0, 10, TOP_PT + 300) is None


def test_only_the_printed_number_is_a_number():
    places = ClausePlaces(DOCUMENT)
    first = DOCUMENT.clauses[0]
    assert places.number_at(first.start) is first
    assert places.number_at(first.start + 4) is None
    other = msgspec.structs.replace(DOCUMENT, clauses=(msgspec.structs.replace(first, label="Section 9"),))
    assert ClausePlaces(other).number_at(first.start) is None, "the label is not what stands there"


def test_a_passage_without_clauses_is_a_sentence_or_a_word():
    bare = msgspec.structs.replace(DOCUMENT, clauses=())
    sentence = bare.sentences[0]
    assert ClausePlaces(bare).passage(sentence.start + 3) == (sentence.start, sentence.end)
    barer = msgspec.structs.replace(bare, sentences=())
    at = barer.text.index("USD")
    assert ClausePlaces(barer).passage(at) == (at, at + 3)


@given(st.lists(st.tuples(st.integers(0, 90), st.sampled_from(Unit)), min_size=1, max_size=6))
def test_selections_stay_in_the_text_and_hold_where_they_began(steps):
    selection = TextSelection()
    selection.set_document(DOCUMENT, ClausePlaces(DOCUMENT))
    limit = len(DOCUMENT.text)
    origin, unit = steps[0]
    selection.begin(min(origin, limit), unit)
    for offset, _ in steps[1:]:
        selection.extend(min(offset, limit))
        assert 0 <= selection.start <= selection.end <= limit
        if unit is Unit.CHARACTER:
            assert (selection.start, selection.end) == tuple(sorted((min(origin, limit), min(offset, limit))))
    selection.clear()
    assert selection.is_empty


def test_extending_by_words_takes_whole_words(qapp):
    selection = TextSelection()
    selection.set_document(DOCUMENT, ClausePlaces(DOCUMENT))
    selection.begin(DOCUMENT.text.index("within") + 2, Unit.WORD)
    selection.extend(DOCUMENT.text.index("five") + 1)
    assert selection.text == "within thirty-five"
    selection.extend(DOCUMENT.text.index("USD") + 1)
    assert selection.text == "USD 1,000.50 within"


def test_marks_are_found_on_their_pages_with_their_heights():
    marks = MarkSet()
    marks.set_layer(Layer.CONFLICT, [Mark("a", Layer.CONFLICT, 0, 10, ((3, 6),)), Mark("b", Layer.CONFLICT, 2, 4)])
    assert marks.on_page(0) == ()
    assert marks.heights() == []
    marks.set_document(DOCUMENT)
    placed = marks.on_page(0)
    assert [p.mark.id for p in placed] == ["a", "b"]
    assert len(placed[0].emphasis) == 1
    assert marks.on_page(1) == ()
    assert [(mark.id, page, y) for mark, page, y in marks.heights()] == [("a", 0, TOP_PT), ("b", 0, TOP_PT)]
    page, x, y = middle_of(DOCUMENT, 3)
    found = marks.at(page, x, y)
    assert found is not None
    assert found.id == "b", "the mark drawn last lies on top"
    gap = len(LINES[0])
    assert first_height(DOCUMENT, gap, gap + 5) == (0, TOP_PT + 28.0), "a line break has no ink; the next line has"
    assert first_height(DOCUMENT, gap, gap + 1) is None


def test_a_mark_over_a_page_break_is_on_both_pages():
    document = contract(3)
    last, first = document.clauses[19], document.clauses[20]
    marks = MarkSet()
    marks.set_document(document)
    marks.set_layer(Layer.LINK, [Mark("x", Layer.LINK, last.start, first.end)])
    assert len(marks.on_page(0)) == len(marks.on_page(1)) == 1
    assert {q.page for q in marks.on_page(0)[0].quads} == {0}
    assert {q.page for q in marks.on_page(1)[0].quads} == {1}


def test_many_places_are_marked_like_single_marks():
    document = contract(3)
    spans = np.array([(clause.start, clause.start + 3) for clause in document.clauses], np.int64)
    single, many = MarkSet(), MarkSet()
    for marks in (single, many):
        marks.set_document(document)
    single.set_layer(Layer.FIND, [Mark("find", Layer.FIND, int(a), int(b)) for i, (a, b) in enumerate(spans) if i != 7])
    many.set_layer(Layer.FIND, Places("find", spans, without=7))
    assert many.layer(Layer.FIND) == single.layer(Layer.FIND)
    for page in range(3):
        assert many.on_page(page) == single.on_page(page)
    pages, heights = many.heights_of(Places("find", spans))
    many.set_layer(Layer.FIND, single.layer(Layer.FIND))
    expected = list(zip(pages.tolist(), heights.tolist(), strict=True))
    assert [(page, y) for _, page, y in many.heights()][:7] == expected[:7]


def test_a_place_over_a_page_break_is_on_both_pages():
    document = contract(3)
    last, first = document.clauses[19], document.clauses[20]
    marks = MarkSet()
    marks.set_document(document)
    marks.set_layer(Layer.FIND, Places("x", np.array([(last.start, first.end)], np.int64)))
    assert len(marks.on_page(0)) == len(marks.on_page(1)) == 1
    assert marks.on_page(2) == ()


def test_clause_kinds_do_not_matter_to_pointing():
    for kind in ClauseKind:
        clause = Clause("c0", "", (), "", "", 0, kind, 0, len(LINES[0]), 0, "", 0, "en")
        document = msgspec.structs.replace(DOCUMENT, clauses=(clause,))
        assert ClausePlaces(document).passage(5) == (0, len(LINES[0]))


@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 60)), max_size=12), st.booleans())
def test_many_spans_have_the_rectangles_of_each(parts, turned):
    document = contract(2)
    if turned:
        boxes = document.boxes
        rect = boxes.rect[:, [1, 0, 3, 2]]
        document = msgspec.structs.replace(document, boxes=CharacterBoxes(np.ascontiguousarray(rect), boxes.page))
    spans = [(start, start + length) for start, length in parts]
    assert quads_of(document, spans) == [quads(document, *span) for span in spans]
