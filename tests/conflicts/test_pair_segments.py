"""Sentences cut at their modals, their own words after a signature block, and the table of differences."""

from __future__ import annotations

import numpy as np
import pytest

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.compensation import ENTRIES, THINGS, Difference, entry, entry_name, value_difference
from engine.conflicts.norms import Modality
from engine.conflicts.segments import align, parts_of, segments_of
from engine.conflicts.units import own_words
from engine.conflicts.word_states import nearest_of, stated_words


def _cut(text: str, chinese: bool = False):
    words = stated_words(text)
    return segments_of(text, words, chinese), words


def test_each_modal_opens_a_segment() -> None:
    text = "Such rights may be exercised by any agent; provided, however, ECC shall not be charged any expense."
    found, words = _cut(text)
    assert [norm.modality for norm in found.norms] == [Modality.MAY, Modality.MUST_NOT]
    assert [words[i].lower for i in found.norms[1].subject] == ["ecc"]
    assert "expense" in [words[i].lower for i in found.norms[1].act]
    assert "expense" not in [words[i].lower for i in found.norms[0].act]


def test_conditions_stand_apart() -> None:
    found, words = _cut("If the goods are late, the Buyer may cancel the order.")
    assert [words[i].lower for i in found.condition] == ["goods", "late"]
    assert [words[i].lower for i in found.norms[0].act] == ["cancel", "order"]


def test_the_segments_that_speak_of_one_act_are_compared() -> None:
    long, long_words = _cut("The Agent may act alone; the Bank shall not charge any fee.")
    short, short_words = _cut("The Bank shall charge a fee.")
    same = np.array([[float(x.stem == y.stem) for y in long_words] for x in short_words], np.float32)
    weights = [np.ones(len(words), np.float32) for words in (short_words, long_words)]
    found = align(same, nearest_of(same), parts_of(short, weights[0]), parts_of(long, weights[1]))
    assert found.cover == pytest.approx(1.0)
    assert found.clash == 2
    assert found.clash_cover == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("By: /s/ A. Smith Name: Ann Smith Title: Vice President Costs will not be adjusted.", "Costs will not"),
        ("DELIVERY AND FORCE MAJEURE Seller shall deliver in May.", "Seller shall deliver in May."),
        ("14 Buyer shall not delay any shipment.", "Buyer shall not delay any shipment."),
        ("Seller shall deliver the goods at the price of $5 in the Name: field.", "Seller"),
        ("The Buyer shall pay.", "The Buyer shall pay."),
        ("甲方应当付款。", "甲方应当付款。"),
    ],
)  # fmt: skip
def test_a_sentences_own_words(text: str, own: str) -> None:
    assert text[own_words(text) :].startswith(own)


def test_the_table_has_217_entries() -> None:
    assert ENTRIES == 217
    assert {entry(thing, difference) for thing in THINGS for difference in Difference} == set(range(217))
    assert entry_name(entry("period, one role", Difference.FAR)) == "period, one role: far"


@pytest.mark.parametrize(
    ("a", "b", "difference"),
    [
        ("P30D", "P30D", Difference.SAME),
        ("P30D", "P45D", Difference.NEAR),
        ("P30D", "P90D", Difference.FAR),
        ("P10D", "P10BD", Difference.UNIT),
    ],
)
def test_how_values_differ(a: str, b: str, difference: Difference) -> None:
    first, second = (Anchor(AnchorKind.PERIOD, value, 0, 4) for value in (a, b))
    assert value_difference(first, second) is difference
