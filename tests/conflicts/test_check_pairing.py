from __future__ import annotations

import pytest
from check_document import codes_of
from hypothesis import given
from hypothesis import strategies as st

from engine.conflicts.checks.pairing import longest_run, unpaired


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("The Buyer (or its agent shall inspect the goods.", True),
        ("The Buyer or its agent) shall inspect the goods.", False),
        ("“Products means the goods of Exhibit A.", True),
        ("Products” means the goods of Exhibit A.", False),
        ('"Products means the goods of Exhibit A.', True),
        ("The price [as amended is final.", True),
        ("买方（或者其代理人应当验收货物。", True),
        ("买方或者其代理人）应当验收货物。", False),
        ("“产品是指附件一所列的货物。", True),
        ("按照《民法典第五百条的规定办理。", True),
        ("It ends (ii)) when the work is done.", False),
        ("the words ‘‘herein, “hereof” and “hereunder”", True),
        ("The Seller shall: (a) deliver; b) insure; and (c) invoice.", False),
    ],
)
def test_a_mark_without_its_pair(text: str, opens: bool) -> None:
    (mark,) = unpaired(text)
    assert mark.opens is opens


@pytest.mark.parametrize(
    "text",
    [
        "1) The Seller delivers. 2) The Buyer pays. a) at once; b) in time; iv) never.",
        "一）交货；二）付款；（三）验收；1）数量。",
        'A sheet of 8½" x 11" and a pipe of 12" in diameter and 1.1"Affiliates" means all.',
        "“First paragraph of a quotation.\n“Second paragraph, opened anew.\n“Third and last.”",
        '"First paragraph of a quotation.\n"Second paragraph, opened anew.\n"Third and last."',
        "The goods (that is:\n(a) tables;\n(b) chairs;\nand all else) are sold.",
        "STATE OF NEW YORK )\n) ss.:\nCOUNTY OF KINGS )",
        "The factor lies in [0, 1) and never in (1, 2].",
        "The Seller's goods, the Sellers' duty and rock ’n’ roll; it’s ‘quoted’.",
        "”Products” means goods, and “Services“ means work.",
        "*) see the note. The price*) is final.",
        "The “Effective Date\" is today; (全角与半角) 混用（也行).",
        "“甲方”是指“买方”；《合同》（以下简称“本合同”）生效。",
        "9.3 or 9.4 thereof), Section 9.3".replace("9.3 or", "under 9.3 or"),
    ],
)
def test_what_only_looks_unpaired(text: str) -> None:
    assert unpaired(text) == []


def test_it_is_told_in_the_language_of_the_text() -> None:
    assert codes_of("1. Price. The price (in dollars is final and the goods are sold.") == ["draft.unpaired"]
    assert codes_of("第一条 价款。价款（以人民币计为最终价款，不再调整。") == ["draft.unpaired"]


def test_a_badly_read_text_is_left_alone() -> None:
    assert codes_of("\n".join(f"{i}. The price (in dollars is final." for i in range(1, 12))) == []


@given(st.text(alphabet='()[]“”"（）「」\'’ a1.\n', max_size=80))
def test_any_text_is_read(text: str) -> None:
    marks = unpaired(text)
    assert marks == sorted(marks)
    assert all(text[mark.at] in "()[]“”\"（）「」'’" for mark in marks)


@given(st.text(alphabet="()[]{}（）a b.", max_size=30), st.sampled_from(["()", "[]", "（）"]))
def test_a_pair_around_a_balanced_text_changes_nothing(text: str, pair: str) -> None:
    if not unpaired(text):
        assert unpaired(f"x {pair[0]}y {text} z{pair[1]}") == [] or "\n" in text or any(c in text for c in "()（）[]{}")


@given(st.lists(st.text(alphabet="abc", max_size=2), max_size=12))
def test_the_longest_run_is_in_order_and_longest(keys: list[str]) -> None:
    run = longest_run(keys)
    assert [keys[i] for i in run] == sorted(keys[i] for i in run)
    assert run == sorted(set(run))
    best = [1] * len(keys)
    for i in range(len(keys)):
        best[i] = 1 + max((best[j] for j in range(i) if keys[j] <= keys[i]), default=0)
    assert len(run) == max(best, default=0)


LIST = ("Affiliate", "Agreement", "Buyer", "Closing", "Data Room", "Database", "Delay", "Fees", "Goods", "Seller")


def _definitions(terms: tuple[str, ...], chinese: bool = False) -> str:
    means = "“{}”是指本合同附件所列的内容。" if chinese else "“{}” means what is set out in the schedule below."
    return "\n".join(means.format(term) for term in terms)


def _order(text: str) -> list[str]:
    return [code for code in codes_of(text) if code == "term.order"]


def test_one_definition_out_of_order() -> None:
    assert _order(_definitions(LIST)) == []
    assert _order(_definitions((*LIST[:2], "Goods", *LIST[2:8], "Seller", "Term"))) == ["term.order"]


@pytest.mark.parametrize(
    "terms",
    [
        ("Seller", "Buyer", "Goods", "Agreement", "Term", "Fees", "Affiliate", "Closing", "Price"),
        ("Buyer", "Agreement", "Closing"),
        ("Data Room", "Database", "Effective Date", "Fees", "Goods", "Price", "Seller", "Term", "Work"),
        ("Database", "Data Room", "Effective Date", "Fees", "Goods", "Price", "Seller", "Term", "Work"),
    ],
)
def test_lists_that_are_not_alphabetical_or_are(terms: tuple[str, ...]) -> None:
    assert _order(_definitions(terms)) == []


def test_chinese_definitions_go_by_sound() -> None:
    terms = ("保证金", "产品", "订单", "服务", "关联方", "合同", "客户", "买方", "设备", "验收")
    assert _order(_definitions(terms, chinese=True)) == []
    assert _order(_definitions((*terms[:2], "验收", *terms[2:9]), chinese=True)) == ["term.order"]


@pytest.mark.parametrize(
    "text",
    ["1. The Buyer pays [***] and the report) at once.", "1. Costs (including [***] are borne by the Buyer."],
)
def test_the_other_half_may_have_been_struck_out(text: str) -> None:
    assert "draft.unpaired" not in codes_of(text)
