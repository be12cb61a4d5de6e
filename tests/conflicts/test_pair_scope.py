"""Passages alike in words that apply to different things: lead-ins, cases, exchanged parties, other triggers."""

from __future__ import annotations

import msgspec
import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.encoding import encode_units
from engine.conflicts.grounds import Case
from engine.conflicts.pairs import score_pairs, weigh_pairs
from engine.conflicts.scope import INTRODUCES, is_case
from engine.conflicts.stated import STATED_FLOOR
from engine.conflicts.units import Unit, build_units
from engine.document import Document
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder


def cases_of(document: Document) -> list[Case]:
    """All compared pairs of a document."""
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    return [scored.case for scored in score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)]


def verdict_of(first: str, second: str) -> State:
    (case,) = cases_of(document_of(f"1. {first}\n2. {second}\n"))
    return arbitrate(case)[0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "租赁期间，甲方有以下行为之一的，乙方有权解除合同：",
            "租赁期间，乙方有下列行为之一的，甲方有权解除合同，收回出租房屋；",
        ),
        (
            "The Tenant may terminate this Lease if the Landlord does any of the following:",
            "The Landlord may terminate this Lease if the Tenant does any of the following:",
        ),
        ("甲方在下列情况下应退还押金：", "甲方在下列情况下不退还押金："),
        (
            "The Owner shall refund the deposit in the following cases:",
            "The Owner shall not refund the deposit in the following cases:",
        ),
    ],
)
def test_two_lead_ins_are_no_conflict(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONSISTENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The Seller shall indemnify the Buyer for losses up to USD 50,000 caused by the Seller.",
            "The Buyer shall indemnify the Seller for losses up to USD 80,000 caused by the Buyer.",
        ),
        (
            "If the Lessor is in default, the Lessee may terminate this Lease on 30 days' notice to the Lessor.",
            "If the Lessee is in default, the Lessor may terminate this Lease on 10 days' notice to the Lessee.",
        ),
        ("甲方需提前收回房屋的，应提前三十日通知乙方。", "乙方需提前收回房屋的，应提前六十日通知甲方。"),
        ("委托人迟延付款的，应当向受托人支付违约金。", "受托人迟延交付的，应当向委托人支付违约金。"),
    ],
)
def test_each_party_has_its_own(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONSISTENT


def test_who_bears_a_cost_is_no_mirror() -> None:
    assert verdict_of("The Seller shall bear the freight.", "The Buyer shall bear the freight.") is not State.CONSISTENT
    assert verdict_of("运费由甲方承担并支付。", "运费由乙方承担并支付。") is not State.CONSISTENT


def test_an_exclusive_right_is_no_mirror() -> None:
    first = "Only the Seller may sell the goods in the territory of the Buyer."
    assert verdict_of(first, "The Buyer may sell the goods in the territory of the Seller.") is not State.CONSISTENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("租赁期满，甲方有权收回该房屋及附属设施。", "租赁期满，乙方应当交还该房屋及附属设施。"),
        (
            "At the end of the term the Lessor may take back the building.",
            "At the end of the term the Lessee shall give back the building.",
        ),
    ],
)
def test_a_right_and_the_duty_that_answers_it(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONSISTENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The Licensee shall not use the marks of the Licensor after the end of the term.",
            "The Licensee shall cease using the marks of the Licensor after the end of the term.",
        ),
        (
            "The Distributor shall not change the packaging without the written consent of the Supplier.",
            "The Distributor shall obtain the consent of the Supplier to each change of the packaging.",
        ),
        (
            "At the end of the engagement the Consultant shall return all papers of the Company.",
            "At the end of the engagement the Consultant shall not retain any papers of the Company.",
        ),
        ("乙方未经甲方书面同意不得改变房屋结构。", "乙方改变房屋结构的，应当取得甲方书面同意。"),
    ],
)
def test_a_duty_and_a_prohibition_that_ask_for_one_thing(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONSISTENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The Operator shall deliver the monthly report within 10 days.",
            "The Operator shall deliver the quarterly report within 45 days.",
        ),
        ("乙方应在每月结束后五日内提交月度报表。", "乙方应在每季度结束后十五日内提交季度报表。"),
        (
            "If the goods arrive damaged, the Carrier shall pay within 10 days.",
            "If an invoice is disputed, the Carrier shall pay within 30 days.",
        ),
    ],
)
def test_other_occasions_are_no_plain_conflict(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CHECK


def _listed(text: str, lead: int, items: range) -> list[Unit]:
    """Units of a text whose sentences in ``items`` are introduced by sentence ``lead``."""
    plain = document_of(text)
    sentences = [msgspec.structs.replace(s, lead_in=lead) if i in items else s for i, s in enumerate(plain.sentences)]
    document = msgspec.structs.replace(plain, sentences=tuple(sentences))
    return build_units([document], {document.id: extract_anchors(document)})


def test_items_of_a_list_of_cases() -> None:
    units = _listed(
        "1. 甲方有以下行为之一的，乙方有权解除合同：\n(1) 不能提供房屋，严重影响乙方居住。\n"
        "(2) 未尽房屋修缮义务，严重影响乙方居住的。\n"
        "2. 甲方应当按时提供房屋，不得影响乙方居住。\n",
        0,
        range(1, 3),
    )
    assert [unit.case for unit in units] == [False, True, True, False]
    assert units[0].introduces
    assert units[1].lead_at == units[2].lead_at == (0, 0)


def test_an_item_with_a_rule_of_its_own_is_no_case() -> None:
    assert not is_case("乙方应当在三日内付款；", "有下列情形的，按以下约定处理：", states=False)
    assert is_case("擅自转租的；", "乙方不得：", states=True)
    assert is_case("the Buyer shall become insolvent;", "Each of the following events is a default:", states=False)
    assert not is_case("the Buyer shall pay;", "The parties agree on the following conditions:", states=False)
    assert not is_case("delivers the goods;", "The Seller shall do the following acts at once:", states=False)


@pytest.mark.parametrize(
    ("text", "introduces"),
    [
        ("The Seller shall:", True),
        ("The price is made up as follows", True),
        ("The Seller shall deliver the following: goods and papers.", False),
        ("乙方有下列行为之一的，甲方有权解除合同；", True),
        ("双方同意按下列价格结算。", False),
    ],
)
def test_what_introduces_a_list(text: str, introduces: bool) -> None:
    assert (INTRODUCES.search(text) is not None) is introduces


@pytest.mark.parametrize(
    ("line", "clause", "differs"),
    [
        ("Monthly rent: USD 11,540.", "The rent is USD 11,450 per month, payable in advance.", True),
        ("Monthly rent: USD 11,450.", "The rent is USD 11,450 per month, payable in advance.", False),
        ("Arrangement fee: USD 7,500.", "The Borrower pays an arrangement fee of USD 5,600.", True),
        ("Late fee: USD 30.", "The Borrower pays an arrangement fee of USD 5,600.", False),
        ("月租金：人民币5,000元。", "乙方每月应向甲方支付月租金人民币5,500元。", True),
        ("押金：人民币5,000元。", "乙方每月应向甲方支付租金人民币5,500元。", False),
    ],
)
def test_a_line_that_states_a_term_otherwise(line: str, clause: str, differs: bool) -> None:
    document = document_of(f"1. {line}\n2. {clause}\n")
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    weighed = weigh_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    assert bool(weighed.least[0] >= STATED_FLOOR) is differs
