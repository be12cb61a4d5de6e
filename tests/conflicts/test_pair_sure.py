"""Clashes of values that a rule is sure of, and the like of them that it leaves to others."""

from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.encoding import encode_units
from engine.conflicts.pairs import score_pairs
from engine.conflicts.sure import SCORE, sure_of_values
from engine.conflicts.units import build_units
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder

FILLER = (
    "2. Headings are for convenience of reading and bind nobody at all.\n"
    "3. The schedules form a part of the framework once they are signed.\n"
    "4. Counterparts of this paper count as one and the same original.\n"
)
FILLER_ZH = "二、标题仅为阅读方便而设。\n三、附件经签署后成为框架的组成部分。\n四、本合同一式两份，具有同等效力。\n"


def sure(first: str, second: str) -> tuple[bool, float]:
    """Whether the rule is sure of the two sentences, which stand apart, and their score."""
    chinese = "。" in first
    text = f"一、{first}\n{FILLER_ZH}五、{second}\n" if chinese else f"1. {first}\n{FILLER}5. {second}\n"
    document = document_of(text)
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    scored = score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    found = [s for s in scored if first[:20] in s.case.a.text and second[:20] in s.case.b.text]
    return (sure_of_values(found[0].case), found[0].score) if found else (False, 0.0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "Overdue amounts bear interest at one percent (1%) per month from the due date.",
            "Overdue amounts attract interest at two percent (2%) per month from the due date.",
        ),
        (
            "The total liability of the Supplier in a calendar year shall not exceed USD 2,500,000.",
            "The aggregate liability of the Supplier in a calendar year is limited to USD 2,000,000.",
        ),
        ("甲方逾期付款的，每日按欠款的万分之五支付违约金。", "甲方逾期付款的，每日按欠款的千分之一支付违约金。"),
        ("乙方应当在签约后交纳履约保证金163,000元。", "乙方应当在签约后交纳履约保证金150,000元。"),
    ],
)
def test_one_thing_with_two_values(first: str, second: str) -> None:
    certain, score = sure(first, second)
    assert certain
    assert score >= SCORE


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The Company may terminate the engagement by giving the Consultant 60 days prior written notice.",
            "The Consultant may terminate the engagement by giving the Company 120 days prior written notice.",
        ),
        (
            "The total liability of the Supplier in a calendar year shall not exceed USD 2,500,000.",
            "If the Supplier acts wilfully, its total liability in a calendar year shall not exceed USD 9,000,000.",
        ),
        (
            "The royalty for the goods is ten percent of the price of the goods.",
            "The additional royalty for the goods is two percent of the price of the goods.",
        ),
        ("甲方逾期付款的，每日按欠款的万分之五支付违约金。", "乙方逾期交货的，每日按货款的千分之一支付违约金。"),
        ("乙方应当向甲方交纳履约保证金人民币163,000元。", "乙方应当向甲方另行交纳履约保证金人民币50,000元。"),
    ],
)
def test_what_a_rule_can_doubt(first: str, second: str) -> None:
    assert not sure(first, second)[0]
