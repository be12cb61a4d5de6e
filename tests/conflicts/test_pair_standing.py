"""A pair's conditions, what the packs know of it, and how it stands among the others."""

from __future__ import annotations

import numpy as np
import pytest

from engine.conflicts.comparison import COMPARED, FEATURES
from engine.conflicts.conditions import CONDITION_FEATURES, conditions_between, halves_of
from engine.conflicts.knowledge_features import KNOWLEDGE_FEATURES, knowledge_between, named_in
from engine.conflicts.norms import is_chinese, parse_norm
from engine.conflicts.standing import STANDING_FEATURES, standing
from engine.conflicts.words import content_tokens, tokenize
from engine.states.knowledge_facts import shipped_knowledge


def conditions(first: str, second: str) -> dict[str, float]:
    sides = []
    for text in (first, second):
        tokens = tokenize(text)
        norm = parse_norm(text)
        sides.append(halves_of(text, norm, tokens, content_tokens(tokens), {}, chinese=is_chinese(text)))
    return dict(zip(CONDITION_FEATURES, conditions_between(sides[0], sides[1], {}), strict=True))


def known(first: str, second: str) -> dict[str, float]:
    knowledge = shipped_knowledge()
    numbers = knowledge_between(knowledge, named_in(knowledge, first), named_in(knowledge, second))
    return dict(zip(KNOWLEDGE_FEATURES, numbers, strict=True))


def test_a_norm_turned_round_under_a_condition() -> None:
    found = conditions("The seller shall deliver the goods.", "If it rains, the seller shall not deliver the goods.")
    assert found["denied_differs"] == 1
    assert found["denied_when"] == 1
    assert found["when_from_main"] == 0
    assert conditions("卖方应当交付货物。", "如果下雨，卖方不得交付货物。")["denied_when"] > 0.5


def test_a_condition_made_of_the_duty_itself() -> None:
    found = conditions(
        "The seller shall deliver the goods.", "If the goods are not delivered then the seller may keep the goods."
    )
    assert found["when_from_main"] > 0.5
    assert found["duty_as_case"] > 0
    assert found["when_denials_differ"] == 1


def test_two_rules_without_conditions() -> None:
    found = conditions("The seller shall deliver the goods.", "The seller shall cease to deliver the goods.")
    assert found == {**dict.fromkeys(CONDITION_FEATURES, 0.0), "denied_differs": 1.0}
    assert conditions("", "") == dict.fromkeys(CONDITION_FEATURES, 0.0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The supplier pays the freight for the goods.", "Vendor settles carriage for all products."),
        ("甲方支付水电费。", "能源费由乙方付清。"),
    ],
)
def test_concepts_in_other_words(first: str, second: str) -> None:
    found = known(first, second)
    assert found["concepts_reworded"] >= 1
    assert found["exclusive_pair"] == 0


def test_concepts_of_one_field_and_what_excludes_each_other() -> None:
    assert known("The deposit is due.", "The rent is due.")["concepts_apart"] == 1
    assert known("The licence is exclusive.", "A non-exclusive licence is granted.")["exclusive_pair"] == 1
    assert set(known("", "The rent is due.").values()) == {0.0}


def test_standing_among_other_pairs() -> None:
    table = np.zeros((3, len(FEATURES)), np.float32)
    near = COMPARED.index("soft_weighted")
    table[:, near] = (0.9, 0.5, 0.4)
    table[:, COMPARED.index("values_rival")] = (0, 1, 1)
    table[:, COMPARED.index("clash")] = (2, 0, 2)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    found = standing(pairs, table, COMPARED)
    column = {name: found[:, i].tolist() for i, name in enumerate(STANDING_FEATURES)}
    assert column["soft_weighted_margin_low"] == pytest.approx([0.4, -0.4, -0.5], abs=1e-6)
    assert column["soft_weighted_margin_high"] == pytest.approx([0.5, 0.1, -0.1], abs=1e-6)
    assert column["values_best"] == [-1, 1, 0]
    assert column["clashes"] == [1, 1, 1]
    assert np.isfinite(standing(pairs[:1], table[:1], COMPARED)).all()
    assert standing(pairs[:0], table[:0], COMPARED).shape == (0, len(STANDING_FEATURES))
