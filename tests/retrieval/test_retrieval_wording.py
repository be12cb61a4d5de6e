"""Other words for what a question asks: clause types in both languages, synonyms of the packs, their share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.lexical import LexicalIndex
from engine.retrieval.ranking import RankingSettings, rank
from engine.retrieval.wording import clause_types, wording_of
from engine.retrieval.words import index_words
from engine.states.knowledge import Knowledge, load_knowledge

PACKS = load_knowledge()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Is there a cap on liability?", {"aggregate", "exceed"}),
        ("CAP ON LIABILITY", {"aggregate"}),
        ("liability cap carveouts", {"except", "exceed"}),
        ("May we compete with the seller?", {"competing"}),
        ("Who is the vendor?", {"supplier"}),
        ("责任上限是多少？", {"累计"}),
        ("房租什么时候付？", {"租金"}),
    ],
)
def test_a_name_brings_its_wording(question, words):
    assert words <= set(wording_of(question, PACKS).words)


def test_a_question_without_a_name_stays_as_it_is():
    assert wording_of("Where is the warehouse?", Knowledge([])) == ((), "")
    assert wording_of("", PACKS) == ((), "")
    # Half a word is no name.
    assert "aggregate" not in wording_of("recap on liability", Knowledge([])).words


@given(st.text(max_size=200))
def test_any_question(text):
    found = wording_of(text, PACKS)
    assert not set(found.words) & set(index_words(text))
    assert len(found.words) <= 48


def test_a_pasted_page_brings_little():
    page = " ".join(name for each, _ in clause_types() for name in each.names) * 20
    assert len(wording_of(page, PACKS).words) <= 48


def test_every_type_has_names_and_words():
    for each, pattern in clause_types():
        assert each.language in ("en", "zh")
        assert all(pattern.search(name) for name in each.names)
        assert any(index_words(words) for words in each.says)


def test_other_words_count_their_share():
    index = LexicalIndex()
    index.add(0, [("", "The buyer pays the price."), ("", "The purchaser settles the price."), ("", "Nothing else.")])
    assert [c for _, c, _ in index.search("buyer", 5)] == [0]
    found = index.search("buyer", 5, others=["purchaser"], share=0.5)
    assert [c for _, c, _ in found] == [0, 1]
    assert found[1][2] == pytest.approx(0.5 * found[0][2], rel=0.2)
    assert [c for _, c, _ in index.search("", 5, others=["purchaser"], share=0.5)] == [1]
    assert index.search("buyer", 5, documents=[], others=["purchaser"], share=0.5) == []
    index.close()


def test_wording_can_be_switched_off(matter, encoder):
    question = "What is the early payment penalty?"
    plain = RankingSettings(synonyms=0.0, wording=0.0)
    off, on = rank(matter, encoder, question, plain), rank(matter, encoder, question)
    assert off
    assert on
    assert not np.isclose(off[0].score, on[0].score)
    # A user's packs are asked too, and without any there are no synonyms.
    assert rank(matter, encoder, question, knowledge=Knowledge([]))
