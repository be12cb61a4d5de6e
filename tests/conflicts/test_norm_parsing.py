"""Sentences taken apart: who, must or may or must not, what, under which condition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.conflicts.norms import Modality, clash, parse_norm

CASES = [
    ("The Seller shall deliver the goods.", Modality.MUST, "The Seller", "deliver"),
    ("The Seller will deliver the goods.", Modality.MUST, "The Seller", "deliver"),
    ("Buyer agrees to pay on delivery.", Modality.MUST, "Buyer", "pay"),
    ("The Seller may deliver in parts.", Modality.MAY, "The Seller", "deliver"),
    ("The Seller shall be entitled to deliver in parts.", Modality.MAY, "The Seller", "deliver"),
    ("Cinram will have the right to use the software.", Modality.MAY, "Cinram", "to use"),
    ("The Seller shall not deliver in parts.", Modality.MUST_NOT, "The Seller", "deliver"),
    ("The Seller cannot deliver in parts.", Modality.MUST_NOT, "The Seller", "deliver"),
    ("Cinram will have no right to use the software.", Modality.MUST_NOT, "Cinram", "to use"),
    ("The Buyer is prohibited from reselling the goods.", Modality.MUST_NOT, "The Buyer", "reselling"),
    ("Neither party may assign this Agreement.", Modality.MUST_NOT, "Neither party", "assign"),
    ("No employee shall disclose the formula.", Modality.MUST_NOT, "No employee", "disclose"),
    ("The Buyer is not required to pay in advance.", Modality.NEED_NOT, "The Buyer", "to pay"),
    ("The Buyer shall have no obligation to pay in advance.", Modality.NEED_NOT, "The Buyer", "to pay"),
    ("The Buyer is not responsible for customs duties.", Modality.NEED_NOT, "The Buyer", "for customs"),
    ("The Buyer may refuse to accept late goods.", Modality.NEED_NOT, "The Buyer", "to accept"),
    ("If the goods are late, the Buyer may cancel the order.", Modality.MAY, "the Buyer", "cancel"),
    ("Unless it has shall-issue rights, the Buyer must pay the duties.", Modality.MUST, "the Buyer", "pay"),
    ("3.7 Seller shall keep sixty days of stock.", Modality.MUST, "3.7 Seller", "keep"),
    ("Title passes on delivery.", Modality.STATEMENT, "", "Title passes"),
    ("甲方应在收到发票后三十日内付款。", Modality.MUST, "甲方", "在收到"),
    ("甲方可以分期付款。", Modality.MAY, "甲方", "分期"),
    ("如乙方逾期，甲方有权解除合同。", Modality.MAY, "甲方", "解除"),
    ("乙方不得转让本合同。", Modality.MUST_NOT, "乙方", "转让"),
    ("未经甲方事先书面同意，乙方不得将服务分包给第三方。", Modality.MUST_NOT, "乙方", "将服务"),
    ("甲方无需承担运费。", Modality.NEED_NOT, "甲方", "承担"),
    ("乙方不承担任何责任。", Modality.NEED_NOT, "乙方", "任何责任"),
    ("其所有权自交付之日起归甲方所有。", Modality.STATEMENT, "", "其所有权"),
]


@pytest.mark.parametrize(("text", "modality", "bearer", "act"), CASES)
def test_the_parts_of_a_norm(text: str, modality: Modality, bearer: str, act: str) -> None:
    norm = parse_norm(text)
    assert norm.modality is modality
    assert text[slice(*norm.bearer)].strip(" ,，") == bearer
    assert text[slice(*norm.act)].strip().startswith(act)


@pytest.mark.parametrize(
    ("text", "condition", "leading"),
    [
        ("If the goods are late, the Buyer may cancel.", "If the goods are late", True),
        ("The Buyer may cancel if the goods are late.", "if the goods are late", False),
        ("The Buyer may cancel.", "", False),
        ("除非双方另有约定，乙方应当付款。", "除非双方另有约定", True),
    ],
)
def test_conditions(text: str, condition: str, leading: bool) -> None:
    norm = parse_norm(text)
    assert text[slice(*norm.condition)] == condition
    assert norm.leading is leading


def test_a_list_mark_is_no_bearer() -> None:
    text = "(a) Seller shall deliver."
    norm = parse_norm(text, skip=4)
    assert text[slice(*norm.bearer)].strip() == "Seller"


def test_clashes_are_symmetric_and_graded() -> None:
    assert clash(Modality.MUST, Modality.MUST_NOT) == 2
    assert clash(Modality.MUST, Modality.MAY) == 1
    assert clash(Modality.MUST_NOT, Modality.NEED_NOT) == 0
    for a in Modality:
        assert clash(a, a) == 0
        for b in Modality:
            assert clash(a, b) == clash(b, a)


@given(st.text(max_size=200))
def test_any_text_has_spans_inside_it(text: str) -> None:
    norm = parse_norm(text)
    for start, end in (norm.cue, norm.bearer, norm.act, norm.condition, *((s, e) for _, s, e in norm.cues)):
        assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("This provision may not be enforceable under federal law.", Modality.MAY),
        ("Output of the service may not be protectable as intellectual property.", Modality.MAY),
        ("The products may not be available in all states.", Modality.MAY),
        ("The license may not be assigned.", Modality.MUST_NOT),
        ("The rights may not be transferable without consent.", Modality.MUST_NOT),
    ],
)
def test_what_may_turn_out_so_is_not_forbidden(text: str, modality: Modality) -> None:
    assert parse_norm(text).modality is modality
