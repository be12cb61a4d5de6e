"""Amounts, percentages, periods, quantities: small inputs of kinds that are often read wrong."""

from __future__ import annotations

import pytest

from engine.anchors.extract import extract_from_text
from engine.anchors.model import AnchorKind


def _found(text: str, kind: AnchorKind) -> list[tuple[str, str]]:
    return [(a.value, text[a.start : a.end]) for a in extract_from_text(text) if a.kind is kind]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("U.S.$2,500,000.00 in all", [("USD 2500000", "U.S.$2,500,000.00")]),
        ("3 seats from $49 each", [("USD 49", "$49")]),
        ("Kaufpreis 1.712,40 EUR", [("EUR 1712.4", "1.712,40 EUR")]),
        ("HK$ 5,000 and C$20", [("HKD 5000", "HK$ 5,000"), ("CAD 20", "C$20")]),
        ("one million dollars", [("USD 1000000", "one million dollars")]),
        ("$2.5 million", [("USD 2500000", "$2.5 million")]),
        ("Ten Dollars and Fifty Cents ($10.50)", [("USD 10.5", "Ten Dollars and Fifty Cents ($10.50)")]),
        ("five ($0.05) cents", [("USD 0.05", "five ($0.05) cents")]),
        ("RMB 50,000 per month", [("CNY 50000", "RMB 50,000")]),
        (
            "伍仟贰佰壹拾柒圆叁角陆分；壹佰零肆元玖角",
            [("CNY 5217.36", "伍仟贰佰壹拾柒圆叁角陆分"), ("CNY 104.9", "壹佰零肆元玖角")],
        ),
        ("叁拾万零柒仟壹佰元整（¥307,100.00）", [("CNY 307100", "叁拾万零柒仟壹佰元整（¥307,100.00）")]),
        ("拾伍元；人民币拾万元整", [("CNY 15", "拾伍元"), ("CNY 100000", "人民币拾万元整")]),
        ("贰万伍仟元零捌分（25000.08）", [("CNY 25000.08", "贰万伍仟元零捌分（25000.08）")]),
        ("合计1.5亿元，其中30万美元", [("CNY 150000000", "1.5亿元"), ("USD 300000", "30万美元")]),
        ("金额３２１．５元", [("CNY 321.5", "３２１．５元")]),
        ("每平方米人民币80元", [("CNY 80", "人民币80元")]),
    ],
)
def test_amounts(text: str, expected: list[tuple[str, str]]) -> None:
    assert _found(text, AnchorKind.AMOUNT) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one-half of one percent (0.5%)", ["0.5%"]),
        ("forty-four hundredths of one percent (0.44%)", ["0.44%"]),
        ("twenty one-hundredths of one percent (0.20%)", ["0.2%"]),
        ("fifty basis points", ["0.5%"]),
        ("one and one-half percent (1 1/2%)", ["1.5%"]),
        ("Fifteen (15) per cent of the price", ["15%"]),
        ("eighty-two point five percent", ["82.5%"]),
        ("按日千分之五支付，年利率百分之三点五，不超过20%", ["0.5%", "3.5%", "20%"]),
        ("万分之五的滞纳金", ["0.05%"]),
    ],
)
def test_percentages(text: str, expected: list[str]) -> None:
    assert [value for value, _ in _found(text, AnchorKind.PERCENT)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two hundred and sixty-four (264) days", ["P264D"]),
        ("thirty-three (33) weeks; thirty three (33) weeks", ["P231D", "P231D"]),
        ("a 12-month period; over 18 months", ["P1Y", "P18M"]),
        ("ten (10) Business Days", ["P10BD"]),
        ("a third notice; within a third period of 20 days", ["P20D"]),
        ("half a year; one and one-half years", ["P6M", "P18M"]),
        ("48 hours after; 90 minutes", ["PT48H", "PT90M"]),
        ("one year", ["P1Y"]),
        ("半小时内响应；半年内付清", ["PT0.5H", "P6M"]),
        ("三十日内；15个工作日；两年；3个月；一个半月", ["P30D", "P15BD", "P2Y", "P3M", "P1.5M"]),
        ("2025年内完成；二十四小时", ["PT24H"]),
        ("每月15日前支付", []),
        ("三周内；两个星期", ["P21D", "P14D"]),
        ("付款期限为三十\n日", []),
    ],
)
def test_periods(text: str, expected: list[str]) -> None:
    assert [value for value, _ in _found(text, AnchorKind.PERIOD)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total 3,456,789.125 units", ["3456789.125 unit"]),
        ("weight 2.345,5 t", ["2345.5 t"]),
        ("28万5；3万6千", ["285000", "36000"]),
        ("Six (6,000,000) Million shares", ["6000000"]),
        ("in the 3rd month of the Term", ["#3 month"]),
    ],
)
def test_quantities(text: str, expected: list[str]) -> None:
    assert [value for value, _ in _found(text, AnchorKind.QUANTITY)] == expected


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("no later than thirty (30) days", "at_most"),
        ("at least 30 days", "at_least"),
        ("not less than 30 days", "at_least"),
        ("within thirty (30) days", "at_most"),
        ("over 24 months", "more_than"),
        ("30 days or more", "at_least"),
        ("In no event shall the liability of Seller exceed $100", "at_most"),
        ("up to $100", "at_most"),
        ("approximately 30 days", "about"),
        ("thirty days", "exact"),
        ("不少于三十日", "at_least"),
        ("不得超过30日", "at_most"),
        ("三十日以上", "at_least"),
        ("三十日以内", "at_most"),
        ("至少提前30日", "at_least"),
    ],
)
def test_bounds(text: str, bound: str) -> None:
    values = [a for a in extract_from_text(text) if a.kind in (AnchorKind.PERIOD, AnchorKind.AMOUNT)]
    assert [a.bound for a in values] == [bound]


def test_words_and_figures_are_one_anchor_that_keeps_both() -> None:
    (anchor,) = extract_from_text("thirty (45) days")
    assert (anchor.value, anchor.detail["words"], anchor.detail["figures"], anchor.detail["agree"]) == (
        "P30D",
        "thirty",
        "45",
        "no",
    )
    (anchor,) = extract_from_text("人民币贰拾元整（¥200000）")
    assert (anchor.value, anchor.detail["words_value"], anchor.detail["figures_value"]) == ("CNY 20", "20", "200000")


def test_events() -> None:
    (anchor,) = extract_from_text("30 days after receipt of the invoice")
    assert anchor.detail == {"event": "receipt of the invoice", "direction": "after"}
    (anchor,) = [a for a in extract_from_text("收到发票之日起三十日内") if a.kind is AnchorKind.PERIOD]
    assert anchor.detail["event"] == "收到发票"


@pytest.mark.parametrize("text", ["9" * 31, "1" * 5000, "", "   ", "°½㎏…", "....,,,,", "(((((", "第" * 50, "元" * 50])
def test_nonsense_is_survived(text: str) -> None:
    for anchor in extract_from_text(text):
        assert 0 <= anchor.start < anchor.end <= len(text)
