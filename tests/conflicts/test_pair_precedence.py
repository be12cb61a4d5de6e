"""Between documents: an amendment that replaces a clause, and an agreed order of precedence."""

from __future__ import annotations

import pytest
from check_document import document_of
from test_review_documents import review

from engine.conflicts.precedence import order_of, superseded_spans

BASE = (
    "1. Term. This Agreement continues for three years from the Effective Date.\n"
    "2. Payment. The Buyer shall pay each invoice within thirty (30) days after receipt of the invoice.\n"
    "3. Notices. Each notice under this Agreement shall be in writing and signed by the sender.\n"
)
AMENDMENT = (
    "Amendment No. 1 to the Supply Agreement\n"
    "1. Section 2 of the Agreement is hereby deleted in its entirety and replaced as follows.\n"
    "2. The Buyer shall pay each invoice within sixty (60) days after receipt of the invoice.\n"
)
BASE_ZH = "第一条 期限。本合同自生效之日起三年内有效。\n第二条 付款。买方应在收到发票后三十日内支付全部货款。\n"
AMENDMENT_ZH = "补充协议\n1. 原合同第二条修改为以下内容。\n2. 买方应在收到发票后六十日内支付全部货款。\n"


@pytest.mark.parametrize(("base", "amendment"), [(BASE, AMENDMENT), (BASE_ZH, AMENDMENT_ZH)])
def test_a_replaced_clause_is_superseded_before_comparison(base: str, amendment: str) -> None:
    documents = [document_of(base, "base.txt"), document_of(amendment, "second.txt", "sha256:01")]
    spans, own = superseded_spans(documents)
    assert own == []
    assert len(spans) == 1
    start, end = spans[0]
    assert "thirty" in base[start:end] or "三十" in base[start:end]
    shown = [passage.text for finding in review(*documents) for passage in finding.passages]
    assert not [text for text in shown if "thirty" in text or "三十" in text]


def test_without_the_words_that_replace_both_passages_hold() -> None:
    plain = AMENDMENT.replace("is hereby deleted in its entirety and replaced as follows", "remains in force")
    documents = [document_of(BASE, "base.txt"), document_of(plain, "second.txt", "sha256:01")]
    assert superseded_spans(documents) == [[], []]
    assert [f for f in review(*documents) if f.code == "document.value.period"]


def test_an_order_of_precedence_settles_what_two_documents_say() -> None:
    order = "4. Order. In the event of a conflict between this Agreement and any Order, this Agreement shall prevail.\n"
    other = "Order Form\n1. The Buyer shall pay each invoice within sixty (60) days after receipt of the invoice.\n"
    documents = [document_of(BASE + order, "base.txt"), document_of(other, "order.txt", "sha256:01")]
    found = order_of(documents)
    assert found is not None
    assert found.winner == 0
    assert not [f for f in review(*documents) if f.code == "document.value.period"]


def test_one_document_has_no_order() -> None:
    assert order_of([document_of(BASE)]) is None
