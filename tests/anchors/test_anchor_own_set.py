"""A set of our own writing: each line is one anchor in a sentence, English or Chinese, with its canonical value."""

from __future__ import annotations

import itertools

import pytest

from engine.anchors.extract import extract_from_text

#: kind: (sentence frames), then written form -> canonical value. ``{}`` stands for the anchor.
_SET: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "amount": (
        ("The Buyer shall pay {} to the Seller.", "The price is {}, plus tax."),
        {"$1,250": "USD 1250", "US$3 million": "USD 3000000", "€712.40": "EUR 712.4", "USD 90,000": "USD 90000",
         "Five Hundred Dollars ($500)": "USD 500", "£2,000": "GBP 2000", "$0.075": "USD 0.075"},
    ),
    "amount zh": (
        ("乙方应支付{}。", "押金为{}，于签约时付清。"),
        {"人民币壹佰万元整": "CNY 1000000", "2000元": "CNY 2000", "两万元": "CNY 20000", "3.5万元": "CNY 35000",
         "人民币 4,200 元": "CNY 4200", "50美元": "USD 50"},
    ),
    "percent": (
        ("The rate is {} of the price.", "A fee of {} applies."),
        {"5%": "5%", "twelve percent (12%)": "12%", "fifty basis points": "0.5%", "0.05 %": "0.05%",
         "one and one-half percent (1.5%)": "1.5%", "20 per cent": "20%"},
    ),
    "percent zh": (
        ("按逾期金额的{}支付违约金。", "比例为{}。"),
        {"百分之三": "3%", "5％": "5%", "0.05%": "0.05%", "千分之五": "0.5%"},
    ),
    "period": (
        ("It ends {} after the notice.", "Payment is due within {} of delivery."),
        {"thirty (30) days": "P30D", "ten business days": "P10BD", "six months": "P6M", "two weeks": "P14D",
         "one year": "P1Y", "24 months": "P2Y", "48 hours": "PT48H", "three (3) working days": "P3BD"},
    ),
    "period zh": (
        ("乙方应在收到通知后{}内答复。", "应提前{}通知对方。"),
        {"三十天": "P30D", "10个工作日": "P10BD", "一个月": "P1M", "十五天": "P15D", "24小时": "PT24H",
         "两年": "P2Y"},
    ),
    "date": (
        ("It was signed on {} in London.", "The term begins on {} and runs on."),
        {"March 1, 2004": "2004-03-01", "October 1,1996": "1996-10-01", "5 June 2019": "2019-06-05",
         "the 1st day of May, 2007": "2007-05-01", "2021-11-30": "2021-11-30",
         "03/04/2025": "2025-04-03|2025-03-04", "4/30/97": "1997-04-30", "July 31": "XXXX-07-31"},
    ),
    "date zh": (
        ("本合同于{}签订。", "租期自{}起算。"),
        {"2024年9月1日": "2024-09-01", "二〇二五年三月八日": "2025-03-08", "２０２４年９月１日": "2024-09-01",
         "2026年8月": "2026-08"},
    ),
    "reference": (
        ("It is subject to {} only.", "See {} for the terms."),
        {"Section 4.2(c)": "clause:4.2(c)", "Article IV": "clause:IV", "Exhibit B": "exhibit:B",
         "Schedule 2.1": "schedule:2.1", "paragraph 6.2": "clause:6.2", "this Section 7": "clause:7",
         "Section 12 of the Credit Agreement": "other:Credit Agreement 12"},
    ),
    "reference zh": (
        ("按{}执行。", "依据{}的约定处理。"),
        {"第三条": "clause:3", "本合同第五条第二款": "clause:5(2)", "附件一": "attachment:1",
         "第十条（二）款": "clause:10(2)", "第5.2条": "clause:5.2"},
    ),
    "law": (
        ("This Agreement is governed by the laws of {}.", "It shall be construed in accordance with the laws of {}."),
        {"the State of New York": "New York", "Ohio": "Ohio", "England and Wales": "England and Wales",
         "the Province of Québec": "Québec", "Japan": "Japan"},
    ),
    "law zh": (("本合同适用{}法律。", "未尽事宜遵照{}有关法律执行。"), {"中华人民共和国": "PRC", "中国": "PRC"}),
    "term": (
        ('"{}" means the thing. ', 'all of it (the "{}") is covered.'),
        {"Net Sales": "Net Sales", "Effective Date": "Effective Date", "Workers' Council": "Workers' Council",
         "1933 Act": "1933 Act", "Services": "Services"},
    ),
    "term zh": (("“{}”是指下列各项。", "上述款项（以下简称“{}”）。"), {"保密信息": "保密信息", "价款": "价款"}),
    "party": (
        ("The {} shall deliver the goods.", "Notice is given to {}."),
        {"Buyer": "Buyer", "Licensee": "Licensee", "Customer": "Customer", "Tenant": "Tenant"},
    ),
    "party zh": (("{}应当交付房屋。", "通知{}后生效。"), {"甲方": "甲方", "承租人": "承租人", "乙方": "乙方"}),
}  # fmt: skip
_CASES = [
    (kind.split()[0], frame, written, value)
    for kind, (frames, forms) in _SET.items()
    for frame, (written, value) in itertools.product(frames, forms.items())
]


def test_the_set_is_large_enough() -> None:
    assert len(_CASES) >= 150


@pytest.mark.parametrize(("kind", "frame", "written", "value"), _CASES)
def test_own_set(kind: str, frame: str, written: str, value: str) -> None:
    found = extract_from_text(frame.replace("{}", written))
    assert value in [a.value for a in found if a.kind.value == kind]


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ('"Agent" means the bank. The Escrow Agent keeps it.', ("term", "Escrow Agent")),
        ("The Chief Executive Officer signs.", ("party", "Executive")),
        ("the 1999 Fiscal Year ended", ("period", "P1999Y")),
        ("EXHIBIT 10.1\nAGREEMENT", ("reference", "exhibit:10.1")),
        ("The parties hereby agree", ("reference", "this:agreement")),
    ],
)
def test_what_is_none(text: str, unwanted: tuple[str, str]) -> None:
    assert unwanted not in [(a.kind.value, a.value) for a in extract_from_text(text)]


def test_a_cycle_of_ten_thousand_references() -> None:
    text = " ".join(f"Section {i} refers to Section {i % 10000 + 1}." for i in range(1, 5001))
    assert sum(a.kind.value == "reference" for a in extract_from_text(text)) == 10000


@pytest.mark.parametrize(
    "text", ["9" * 5000, "$" + "9," * 3000, "人民币" + "壹" * 3000 + "元", "5% %% ‰‰", "7 zorkmids", "____ days"]
)
def test_bad_numbers_do_no_harm(text: str) -> None:
    assert all(0 <= a.start < a.end <= len(text) for a in extract_from_text(text))
