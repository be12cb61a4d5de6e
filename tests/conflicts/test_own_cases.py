"""A case and its denial, and the instalments of one price, are no clashes; the same values without a case are."""

from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.encoding import encode_units
from engine.conflicts.pairs import score_pairs
from engine.conflicts.units import build_units
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder


def verdict(text: str) -> State:
    document = document_of(text)
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    scored = score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    pair = next(each for each in scored if {each.case.a.order, each.case.b.order} == {units[-2].order, units[-1].order})
    return arbitrate(pair.case)[0]


@pytest.mark.parametrize(
    "text",
    [
        (
            "1. 租赁用途为居住的，甲方应自本合同订立之日起7日内办理登记手续。\n"
            "2. 租赁用途为非居住的，甲方应自本合同订立之日起30日内办理登记手续。"
        ),
        (
            "1. If the premises are residential, the Landlord shall register the lease within 7 days.\n"
            "2. If the premises are non-residential, the Landlord shall register the lease within 30 days."
        ),
    ],
)
def test_a_case_and_its_denial(text: str) -> None:
    assert verdict(text) is State.CONSISTENT


@pytest.mark.parametrize(
    "text",
    [
        (
            "1. 付款方式\n1.1 合同签订后10个工作日内，甲方支付总费用的50%作为预付款；\n"
            "1.2 服务期满6个月且通过验收后15个工作日内，甲方支付总费用的30%；"
        ),
        (
            "1. Payment\n1.1 The Customer shall pay 50% of the price after signing this Agreement.\n"
            "1.2 The Customer shall pay 30% of the price after acceptance of the goods."
        ),
    ],
)
def test_instalments(text: str) -> None:
    assert verdict(text) is State.CONSISTENT


@pytest.mark.parametrize(
    "text",
    [
        # The same occasion.
        (
            "1. Payment\n1.1 The Customer shall pay 50% of the price after signing this Agreement.\n"
            "1.2 The Customer shall pay 30% of the price after signing this Agreement."
        ),
        # More than the whole.
        "1. 付款方式\n1.1 签订后10个工作日内，甲方支付总费用的80%；\n1.2 验收后10个工作日内，甲方支付总费用的40%；",
        "1. 本合同订立之日起7日内，甲方应办理租赁登记手续。\n2. 本合同订立之日起30日内，甲方应办理租赁登记手续。",
    ],
)
def test_what_is_still_a_clash(text: str) -> None:
    assert verdict(text) in (State.CONFLICT, State.CHECK)
