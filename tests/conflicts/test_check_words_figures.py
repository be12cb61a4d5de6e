from __future__ import annotations

import pytest
from check_document import codes_of, findings_of

from engine.protocol.findings import Severity


@pytest.mark.parametrize(
    "text",
    [
        "The Buyer shall pay within sixty (45) days after delivery.",
        "Payment falls due on the tenth (15th) day after delivery.",
        "The cure period is ninety (30) Business Days.",
        "The price is Four Hundred Thousand Dollars ($40,000.00).",
        "The price is TWO MILLION FIVE THOUSAND AND NO/100 ($2,500,000.00) DOLLARS.",
        "A royalty of three percent (5%) is due.",
        "The fee is 12 (twenty) dollars a unit.",
        "Five Million, Two Hundred Thousand Three Hundred Thousand Dollars ($5,203,000) is due.",
        "The warrants carry an exercise price of one dollar ($1.50) a share.",
        "The cap is Ten Thousand Dollars ($10,00) in all.",
        "合同总价为人民币叁拾元整（¥300000）。",
        "违约金为壹拾伍万元（105000元）。",
        "甲方应在三十（20）日内付款。",
        "租金每月人民币5,000.00元（大写：人民币伍万元整）。",
    ],
)
def test_a_clash_is_found(text: str) -> None:
    assert codes_of(text) == ["value.words_figures"]


@pytest.mark.parametrize(
    "text",
    [
        "rounded to the next 1/16 of one percent (0.0625%) upward",
        "a fee of one-quarter of one percent (0.25%) a year",
        "$3-Million Dollars ($3,000,000) of coverage",
        "Two (2,000,000) Million units",
        "Three Hundred Twelve Thousand, Four Hundred Fifty Dollars ($312,450)",
        "One Hundred, Fifty Thousand Dollars ($150,000.00)",
        "a factor of two point five (2.5)",
        "eighty-two point five percent (82.5%)",
        "noon means twelve (1200) o'clock midday",
        "five ($0.05) cents a copy",
        "two hundred <PAGE> ten (210) days",
        "for one six (6) month period",
        "Year Three (2001), Year Four (2002)",
        "the lower of (1) zero and (2) the index",
        "sixty-six and two-thirds percent (66-2/3%)",
        "the year nineteen ninety-seven (1997)",
        "ten percent (.10) of the price",
        "one hundred basis points (1.00%)",
        "Ten Dollars and Fifty Cents ($10.50)",
        "two (2) one (1) year renewals",
        "Section twelve (14) copies",
        "贰拾万零柒仟壹佰捌拾陆元整（¥207,186.00）",
        "叁万伍仟元零捌分（35000.08）",
        "百分之五（5%）的违约金",
        "三十（30）个工作日",
        "人民币（大写）壹拾贰万元整（小写：120000元）",
    ],
)
def test_look_alikes_are_left_alone(text: str) -> None:
    assert codes_of(text) == []


def test_the_finding_says_where_and_what() -> None:
    (finding,) = findings_of("1. Term. Short.\n2. Payment. The Buyer shall pay within sixty (45) days.")
    assert finding.summary == "Section 2 says “sixty” in words but “45” in figures."
    assert finding.severity is Severity.HIGH
    assert [step.state for step in finding.path] == ["same_matter", "different", "conflict"]
    (passage,) = finding.passages
    assert passage.clause == "2"
    assert passage.text == "The Buyer shall pay within sixty (45) days."
    (mark,) = passage.anchors
    assert mark.kind == "period"
    assert mark.value == "P60D"
