"""Passages that are about two things, or that the contract itself reconciles; and their neighbours that do clash."""

from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.encoding import encode_units
from engine.conflicts.forum import forum_conflicts
from engine.conflicts.grounds import Case
from engine.conflicts.labels import labels_apart, payments_apart
from engine.conflicts.notes import silent_spans
from engine.conflicts.pairs import score_pairs
from engine.conflicts.units import Unit, build_units
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder

CLEAR = (State.CONSISTENT, State.RESOLVED)


def case_of(text: str, first: str, second: str) -> Case:
    """The pair of the two units that hold the two phrases."""
    document = document_of(text)
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    scored = score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    return next(
        item.case
        for item in scored
        if {first in item.case.a.text, second in item.case.b.text} == {True}
        or {second in item.case.a.text, first in item.case.b.text} == {True}
    )


def verdict_of(first: str, second: str) -> State:
    return arbitrate(case_of(f"1. {first}\n2. {second}\n", first[:40], second[:40]))[0]


def units_of(text: str) -> list[Unit]:
    document = document_of(text)
    return build_units([document], {document.id: extract_anchors(document)})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "If the Buyer exercises Option #1, notice must be given 30 days before the work begins.",
            "If the Buyer exercises Option #2, notice must be given 60 days before the work begins.",
        ),
        (
            "The Provider shall answer a critical fault within one hour.",
            "The Provider shall answer a minor fault within two working days.",
        ),
        (
            "The first instalment of USD 5,000 is payable on 1 March 2026.",
            "The second instalment of USD 7,000 is payable on 1 June 2026.",
        ),
        ("乙方应当在2026年3月1日前支付第一期款项5,000元。", "乙方应当在2026年6月1日前支付第二期款项7,000元。"),
        ("一级故障应当在二十四小时内修复。", "二级故障应当在七十二小时内修复。"),
        ("预付款为合同总价的百分之三十，签约后支付。", "尾款为合同总价的百分之七十，签约后支付。"),
        (
            "If the Buyer cancels between 31 and 60 days before delivery, it shall pay 80% of the price.",
            "If the Buyer cancels between 61 and 90 days before delivery, it shall pay 65% of the price.",
        ),
    ],
)
def test_two_things_of_one_kind(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONSISTENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The first instalment of USD 5,000 is payable on 1 March 2026.",
            "The first instalment of USD 7,000 is payable on 1 March 2026.",
        ),
        (
            "The Provider shall answer a critical fault within one hour.",
            "The Provider shall answer a critical fault within six hours.",
        ),
        ("乙方应当在签约后五日内支付第一期款项5,000元。", "乙方应当在签约后五日内支付第一期款项7,000元。"),
        ("一级故障应当在二十四小时内修复。", "一级故障应当在七十二小时内修复。"),
    ],
)
def test_the_same_thing_still_clashes(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONFLICT


def test_one_thing_under_two_names_of_its_number() -> None:
    assert labels_apart("In Year 1 the fee is 5.", "In the first contract year the fee is 6.") == ("", "")
    assert labels_apart("In Years 2 and 3 the fee is 5.", "In Year 3 the fee is 6.") == ("", "")
    assert labels_apart("Levels 1 to 3 pay 5.", "Level 2 pays 6.") == ("", "")
    assert labels_apart("首期款为五万元。", "第一期款为六万元。") == ("", "")
    assert labels_apart("Phase II ends in May.", "Phase 3 ends in June.") == ("Phase II", "Phase 3")


def test_a_deposit_is_no_rent() -> None:
    assert payments_apart("The deposit is USD 500.", "The rent is USD 900.")[0] == "deposit"
    assert payments_apart("押金为五千元。", "租金为每月三千元。")[0] == "押金"
    assert payments_apart("押金为五千元。", "履约保证金为三千元。") == ("", "")
    assert payments_apart("The fee is USD 500.", "The rent is USD 900.") == ("", "")


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            ("1. The Supplier shall not subcontract any service, except as set out in Section 2.\n"
            "2. The Supplier may subcontract any service of transport.\n"),
            "shall not subcontract",
            "may subcontract",
        ),
        (
            ("The Provider may train its models using the data of the Customer.\n"
            "1. Unless the Cover Page says otherwise, the Provider may not train its models using the data.\n"),
            "may train its models",
            "may not train",
        ),
        (
            "第一条 除第二条另有约定外，乙方不得将服务分包给第三方。\n第二条 乙方可以将运输服务分包给第三方。\n",
            "不得将服务",
            "可以将运输",
        ),
    ],
)
def test_an_exception_that_names_the_other(text: str, first: str, second: str) -> None:
    assert arbitrate(case_of(text, first, second))[0] in CLEAR


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            ("1. Except as provided in Section 3, the liability of the Supplier shall not exceed USD 500,000.\n"
            "2. The liability of the Supplier shall not exceed USD 200,000.\n3. Fraud is fraud and stays so.\n"),
            "USD 500,000",
            "USD 200,000",
        ),
        (
            ("第一条 除第三条另有约定外，乙方的赔偿责任总额不超过五十万元。\n"
            "第二条 乙方的赔偿责任总额不超过二十万元。\n第三条 故意行为按照法律规定承担责任。\n"),
            "五十万元",
            "二十万元",
        ),
    ],
)
def test_an_exception_for_another_clause_excuses_nothing(text: str, first: str, second: str) -> None:
    assert arbitrate(case_of(text, first, second))[0] is State.CONFLICT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "[Drafting note: the Supplier shall not use the data of the Customer for tests.]",
            "The Supplier may use the data of the Customer for tests.",
        ),
        ("【注：乙方不得将客户数据用于测试。】", "乙方可以将客户数据用于测试。"),
    ],
)
def test_a_note_to_the_drafter_binds_nobody(first: str, second: str) -> None:
    assert [unit.note for unit in units_of(f"1. {first}\n2. {second}\n")] == [True, False]


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ('Section 3 previously read: "The Buyer shall pay in ten days." It now reads: "The Buyer shall pay soon."', 1),
        ('Section 3 is deleted and replaced with "The Buyer shall pay within thirty days."', 0),
        ("将第三条“买方应当在十日内付款”修改为“买方应当在三十日内付款”。", 1),
        ("Note that the Buyer shall pay. [Note: delete if not needed]", 1),
        ("The note: is payable on demand and shall be paid.", 0),
    ],
)
def test_words_that_bind_nobody(text: str, silent: int) -> None:
    assert len(silent_spans(document_of(f"1. {text}\n"))) == silent


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            'This Supply Agreement (this "Agreement") is effective as of 1 March 2026 between the parties.',
            "The parties signed that certain Loan Agreement effective as of 1 May 2024 between the parties.",
        ),
        ("本合同自2026年3月1日起生效。", "双方于2024年5月1日签订的《借款合同》同时生效。"),
    ],
)
def test_another_documents_date(first: str, second: str) -> None:
    assert verdict_of(first, second) in (State.CONSISTENT, State.CHECK)


def test_this_contracts_two_dates() -> None:
    first = 'This Supply Agreement (this "Agreement") is effective as of 1 March 2026 between the parties.'
    second = "This Agreement is effective as of 12 March 2026 between the parties."
    assert verdict_of(first, second) is State.CONFLICT
    assert verdict_of("本合同自2026年3月1日起生效。", "本合同自2026年3月12日起生效。") is State.CONFLICT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The Buyer shall pay each invoice within 10 days after its receipt.",
            "If the Buyer does not pay an invoice within 30 days after its receipt, the Seller may stop deliveries.",
        ),
        ("乙方应当在收到发票后十日内付款。", "乙方逾期付款超过三十日的，甲方有权解除合同。"),
    ],
)
def test_a_period_of_grace_is_no_time_for_payment(first: str, second: str) -> None:
    assert not case_of(f"1. {first}\n2. {second}\n", first[:30], second[:30]).rivals


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The Recipient may not use the data other than as described in this annex.",
            "The Recipient may only use the data as is necessary for the services of this annex.",
        ),
        (
            "This Agreement may not be modified except in a writing signed by the Parties.",
            "This Agreement may be modified and its terms waived only by a writing signed by the Parties.",
        ),
        ("接收方应当对保密信息严格保密，不得公开。", "接收方不得将保密信息披露给任何第三方。"),
        ("乙方应当合理使用房屋及附属设施。", "因自然损耗导致房屋及附属设施损坏的，乙方不承担责任。"),
        ("The Company may sell the goods in shops.", "The Company may sell the goods at fairs."),
        (
            "If the works fail for any reason other than the architect, the fees will not be refunded.",
            "If the works fail because of the architect, the architect shall refund the fees.",
        ),
        ("供方逾期交货的，每日按货款的千分之二支付违约金。", "需方逾期付款的，每日按货款的千分之一支付违约金。"),
    ],
)
def test_both_can_hold(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONSISTENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Tenant shall repair the roof.", "The Tenant is not responsible for repairing the roof."),
        ("乙方负责维修房屋的屋顶。", "乙方不负责维修房屋的屋顶。"),
        ("The Recipient may use the data for tests.", "The Recipient may not use the data for tests."),
    ],
)
def test_their_neighbours_cannot(first: str, second: str) -> None:
    assert verdict_of(first, second) is State.CONFLICT


def test_who_is_named_later_in_a_case_does_not_act_in_it() -> None:
    first = "货物在交付买方之前发生毁损的，由卖方按市场价格赔偿。"
    assert verdict_of(first, "卖方运输途中发生毁损的，由买方自行承担。") is not State.CONSISTENT


def test_lines_of_one_table() -> None:
    text = (
        "1. The charges are these.\nHosting, 12 months from the start: USD 125 per person and hour plus costs.\n"
        "Hosting, 12 months from the start: USD 175 per person and hour plus costs.\n"
    )
    assert arbitrate(case_of(text, "USD 125", "USD 175"))[0] is State.CHECK


def test_laws_for_two_cases() -> None:
    text = (
        "1. If the Buyer has its seat in Texas, this Agreement is governed by the laws of the State of Texas.\n"
        "2. If the Buyer has its seat elsewhere, this Agreement is governed by the laws of England.\n"
    )
    assert not forum_conflicts(units_of(text))
    plain = (
        "1. This Agreement is governed by the laws of the State of Texas.\n"
        "2. This Agreement is governed by the laws of England.\n"
    )
    assert [conflict.code for conflict in forum_conflicts(units_of(plain))] == ["forum.law"]
