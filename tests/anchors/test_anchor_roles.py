from __future__ import annotations

import pytest

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.roles import comparable, role_of

_VALUED = (AnchorKind.PERIOD, AnchorKind.AMOUNT, AnchorKind.PERCENT, AnchorKind.DATE)


def _value(text: str) -> Anchor:
    return next(a for a in extract_from_text(text) if a.kind in _VALUED)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("The Buyer shall pay each invoice within thirty (30) days.", "payment period"),
        ("Either party may terminate on sixty (60) days' written notice.", "notice of termination"),
        ("fails to cure the breach within ten (10) days", "cure period"),
        ("The aggregate liability of the Seller shall not exceed $1,000,000.", "liability cap"),
        ("Overdue sums bear late interest at 5% a year.", "late interest"),
        ("The initial term of this Agreement is three (3) years.", "term"),
        ("a security deposit of $500", "deposit"),
        ("the base rent is $900 per month", "rent"),
        ("effective as of March 4, 2019", "effective date"),
        ("甲方应在三十日内付款。", "payment period"),
        ("出具验收确认单后二十日内，甲方支付余款。", "payment period"),
        ("到货后七日内，买方应当验收。", "acceptance period"),
        ("乙方应提前三十日书面通知对方解除合同。", "notice of termination"),
        ("逾期的，按合同总价的20%支付违约金。", "liquidated damages"),
        ("赔偿责任不超过人民币100万元。", "liability cap"),
        ("租赁期限为2年。", "term"),
        ("押金为3000元。", "deposit"),
    ],
)
def test_roles(text: str, role: str) -> None:
    assert _value(text).role == role


def test_the_heading_helps_where_the_sentence_is_silent() -> None:
    text = "It is thirty days."
    assert role_of(AnchorKind.PERIOD, text, 6, 17)[0] == ""
    assert role_of(AnchorKind.PERIOD, text, 6, 17, "Payment")[0] == "payment period"


def test_comparable() -> None:
    pay = _value("The Buyer shall pay within thirty (30) days after receipt of the invoice.")
    other = _value("Invoices are payable within forty-five (45) days after receipt of the invoice.")
    notice = _value("Either party may terminate on sixty (60) days' written notice.")
    amount = _value("a deposit of $500")
    bare = _value("It is thirty days.")
    assert comparable(pay, other) == 1.0
    assert comparable(pay, notice) == 0.0
    assert comparable(pay, amount) == 0.0
    assert 0 < comparable(pay, bare) < 0.5
    assert comparable(pay, other) == comparable(other, pay)


def test_what_lowers_comparability() -> None:
    month = _value("the base rent is $900 per month")
    year = _value("the base rent is $9,000 per year")
    floor = _value("The Buyer shall pay within not less than 10 days.")
    ceiling = _value("The Buyer shall pay no later than 20 days.")
    assert comparable(month, year) == 0.5
    assert comparable(floor, ceiling) < 0.5
