from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_from_text
from engine.conflicts.checks.outcomes import CODES, CheckResult, Outcome, check_results


def results(text: str) -> dict[str, CheckResult]:
    document = document_of(text)
    return {each.code: each for each in check_results(document, extract_from_text(text, document.language))}


@pytest.mark.parametrize(
    ("text", "code", "outcome"),
    [
        ("1. Pay within thirty (30) days.", "value.words_figures", Outcome.OK),
        ("1. Pay within thirty (45) days.", "value.words_figures", Outcome.VIOLATION),
        ("1. Pay within 30 days.", "value.words_figures", Outcome.CANNOT_TELL),
        ("1. Price. See Section 2.\n2. Goods. None.", "reference.dangling", Outcome.OK),
        ("1. Price. Paid.\n2. Goods. None.", "reference.dangling", Outcome.CANNOT_TELL),
        ("Words without numbers.", "number.gap", Outcome.CANNOT_TELL),
        ("\n".join(f"{i}. Price. Paid." for i in (1, 2, 3, 4, 6, 7)), "number.gap", Outcome.VIOLATION),
        ("1. Price. See Exhibit A.", "reference.attachment", Outcome.CANNOT_TELL),
        ("1. Price. Paid.", "reference.attachment", Outcome.OK),
        ("1. Price (in dollars). Paid.", "draft.unpaired", Outcome.OK),
        ("1. Price (in dollars. Paid.", "draft.unpaired", Outcome.VIOLATION),
        ("\n".join(f"{i}. The price (in dollars. Paid." for i in range(1, 12)), "draft.unpaired", Outcome.CANNOT_TELL),
        ("The total price is $5,000.", "value.arithmetic", Outcome.OK),
        ("Nothing is paid.", "value.arithmetic", Outcome.CANNOT_TELL),
        ("第一条 价款。合同总价为人民币壹佰元整（¥100）。", "value.words_figures", Outcome.OK),
        ("第一条 价款。合同总价为人民币壹佰元整（¥200）。", "value.words_figures", Outcome.VIOLATION),
        ("第一条 价款。价款另行约定。", "value.words_figures", Outcome.CANNOT_TELL),
    ],
)
def test_each_check_says_what_it_comes_to(text: str, code: str, outcome: Outcome) -> None:
    result = results(text)[code]
    assert result.outcome is outcome
    assert all(result.why) is (outcome is Outcome.CANNOT_TELL)
    assert bool(result.found) is (outcome is Outcome.VIOLATION)


def test_there_is_one_result_a_check() -> None:
    assert tuple(results("1. Price. Paid.")) == CODES
    assert tuple(results("")) == CODES
