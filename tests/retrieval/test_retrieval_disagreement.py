"""Passages of an answer that give different values for the same thing, in both languages."""

from __future__ import annotations

import pytest

from engine.anchors.extract import extract_from_text
from engine.protocol.answers import PassageConflict
from engine.retrieval.answer import answer_question
from engine.retrieval.disagreement import disagreements
from engine.retrieval.document_index import ChunkAnchor
from engine.retrieval.matter_index import MatterIndex


def held(text: str) -> tuple[list[ChunkAnchor], str, int]:
    language = "zh" if "\u4e00" <= text[0] <= "\u9fff" else "en"
    found = extract_from_text(text, language)
    return [ChunkAnchor(a.kind.value, a.value, a.role, a.start + 100, a.end + 100) for a in found], text, 100


PAY_30 = "The Customer shall pay each invoice within thirty (30) days after it receives the invoice."
PAY_45 = "The Customer shall pay each invoice within 45 days after it receives the invoice."
PAY_15 = "Notwithstanding Section 6.3, the Customer shall pay it within 15 days after it receives the invoice."


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (PAY_30, PAY_45, ("differ", "thirty (30) days", "45 days")),
        (PAY_30, PAY_15, ("second_prevails", "thirty (30) days", "15 days")),
        ("Subject to clause 9, the Customer shall pay each invoice within 60 days after receipt of it.", PAY_30,
         ("second_prevails", "60 days", "thirty (30) days")),
        (PAY_15, PAY_30, ("first_prevails", "15 days", "thirty (30) days")),
        (PAY_30, "The Supplier shall pay each invoice within 45 days after it receives the invoice.", None),
        (PAY_30, PAY_30, None),
        (PAY_30, "This Agreement is governed by the laws of England.", None),
        ("Overdue amounts bear interest at 1% per month.", "Overdue amounts bear interest at 1.5% per month.",
         ("differ", "1%", "1.5%")),
        ("甲方逾期付款的，每逾期一日，应当按照逾期金额的万分之五向乙方支付违约金。",
         "甲方逾期付款的，按逾期金额每日千分之一计收违约金。", ("differ", "万分之五", "千分之一")),
        ("甲方逾期付款的，每日按万分之五支付违约金。", "乙方逾期交货的，每日按千分之一支付违约金。", None),
    ],
)  # fmt: skip
def test_pairs(first: str, second: str, found: tuple[str, str, str] | None) -> None:
    told = disagreements([held(first), held(second)])
    if found is None:
        assert told == ()
        return
    ((conflict),) = told
    assert isinstance(conflict, PassageConflict)
    assert (conflict.code, conflict.values[0].strip(), conflict.values[1].strip()) == found
    assert (conflict.first, conflict.second) == (0, 1)


def test_an_answer_says_so(read_text, index_of, encoder) -> None:
    document = read_text(f"1. Payment. {PAY_30}\n\n2. Accounts. {PAY_45}\n", "two.txt")
    index = MatterIndex([index_of(document)])
    answer = answer_question(index, encoder, "Within how many days does the Customer pay an invoice?")
    assert len(answer.passages) == 2
    (conflict,) = answer.conflicts
    assert "30" in conflict.summary
    assert "45" in conflict.summary
    index.close()
