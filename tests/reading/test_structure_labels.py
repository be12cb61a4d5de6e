from __future__ import annotations

import pytest

from engine.reading.source import Block
from engine.reading.structure import numerals
from engine.reading.structure.headings import heading_after_label, is_heading_line
from engine.reading.structure.labels import label_at
from engine.reading.structure.language import language_of


@pytest.mark.parametrize(
    ("text", "printed", "style", "value", "path"),
    [
        ("1. Payment", "1.", "1.", 1, (1,)),
        ("12) Payment", "12)", "1)", 12, (12,)),
        ("5.2 Payment", "5.2", "decimal", 2, (5, 2)),
        ("5.2.10. Payment", "5.2.10.", "decimal", 10, (5, 2, 10)),
        ("(b) the price", "(b)", "(a)", 2, ("b",)),
        ("(iv) the price", "(iv)", "(i)", 4, ("iv",)),
        ("B. The Seller", "B.", "A.", 2, ("b",)),
        ("Article IV Payment", "Article IV", "article", 4, (4,)),
        ("ARTICLE 7: TERM", "ARTICLE 7:", "article", 7, (7,)),
        ("Section 2.03 Payment", "Section 2.03", "section decimal", 3, (2, 3)),
        ("第三条 租赁期限", "第三条", "第条", 3, (3,)),
        ("第十二章　违约责任", "第十二章", "第章", 12, (12,)),
        ("一、合同当事人", "一、", "一、", 1, (1,)),
        ("（二）租金", "（二）", "(一)", 2, (2,)),
        ("1、水费", "1、", "1、", 1, (1,)),
        ("［１］ 付款", "［１］", "[1]", 1, (1,)),
        ("（２）交货", "（２）", "(1)", 2, (2,)),
        ("③ 验收", "③", "①", 3, (3,)),
        ("１．１ 标的", "１．１", "decimal", 1, (1, 1)),
    ],
)
def test_labels(text: str, printed: str, style: str, value: int, path: tuple[int | str, ...]) -> None:
    label = label_at(text, 0, len(text))
    assert label is not None
    assert text[label.start : label.end] == printed
    assert (label.readings[0].style, label.readings[0].value, label.readings[0].path) == (style, value, path)


@pytest.mark.parametrize(
    "text",
    [
        "30 days after delivery",
        "2023年5月1日签订",
        "1.5 million dollars",
        "7.5% of the price",
        "U.S. Government property",
        "Section 5 of this Agreement applies",
        "第三条规定的期限",
        "12 March 2024 is the date",
        "[ x ] Agreed",
        "Party A pays",
        "Exhibit A is attached hereto",
        "Exhibit A, which forms part hereof",
    ],
)
def test_what_only_looks_like_a_label(text: str) -> None:
    assert label_at(text, 0, len(text)) is None


def test_an_i_can_be_a_letter_or_one() -> None:
    label = label_at("(i) the price", 0, 13)
    assert label is not None
    assert {(reading.style, reading.value) for reading in label.readings} == {("(a)", 9), ("(i)", 1)}


@pytest.mark.parametrize(("text", "value"), [("iv", 4), ("XIX", 19), ("iiii", None), ("", None), ("mcmxc", 1990)])
def test_roman(text: str, value: int | None) -> None:
    assert numerals.roman(text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("十", 10), ("十二", 12), ("二十", 20), ("一百零三", 103), ("三〇", 30), ("第", None)]
)
def test_han(text: str, value: int | None) -> None:
    assert numerals.han(text) == value


@pytest.mark.parametrize(
    ("rest", "heading", "body"),
    [
        ("Payment. The Buyer pays on delivery.", "Payment", "The Buyer pays on delivery."),
        ("Payment", "Payment", ""),
        ("GOVERNING LAW. This Agreement", "GOVERNING LAW", "This Agreement"),
        ("Term of agreement. The initial term is one year.", "Term of agreement", "The initial term is one year."),
        ("Minimum Purchase The Distributor agrees to buy.", "Minimum Purchase", "The Distributor agrees to buy."),
        ("The Buyer shall pay. The Seller shall deliver.", "", "The Buyer shall pay. The Seller shall deliver."),
        ('"Loss" means any loss.', "", '"Loss" means any loss.'),
        ("租赁期限", "租赁期限", ""),
        ("租赁期限：自2024年1月1日起。", "租赁期限", "自2024年1月1日起。"),
        ("乙方应在收货后：立即检验。", "", "乙方应在收货后：立即检验。"),
    ],
)
def test_headings(rest: str, heading: str, body: str) -> None:
    found, start = heading_after_label(rest, 0, len(rest), Block(0, len(rest)))
    assert (found, rest[start:]) == (heading, body)


@pytest.mark.parametrize("line", ["the goods", "Address: 1 High Street", "{name}", "The Buyer shall pay", "fees, and;"])
def test_lines_that_are_no_headings(line: str) -> None:
    assert not is_heading_line(line, emphasised=True)


def test_language() -> None:
    assert language_of("The Buyer pays.") == "en"
    assert language_of("甲方应付款 USD 100") == "zh"
    assert language_of("123 — 456") == "und"
