from __future__ import annotations

import pytest

from engine.document import Media
from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError
from engine.reading.structure.inline import contents_span, split_points
from engine.reading.text import opened as module
from engine.reading.text.decode import decode
from engine.reading.text.markdown import paragraphs_of_markdown, plain
from engine.reading.text.pagination import without_page_numbers
from engine.reading.text.paragraphs import paragraphs_of
from engine.reading.text.source import content_of

CHINESE = "第一条 租金为每月人民币五千元整，由乙方按月支付。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_chinese_in_any_encoding(encoding: str) -> None:
    text = "Lease 2024\n" + CHINESE
    assert decode(text.encode(encoding), "a.txt") == text


def test_a_rare_character_beyond_gb2312() -> None:
    text = "甲方：朱镕基\n乙方：张三"
    assert decode(text.encode("gb18030"), "a.txt") == text


@pytest.mark.parametrize("text", ["The “Buyer” pays €5 — at the café.", "§ 5 applies; it’s final."])
def test_windows_1252(text: str) -> None:
    assert decode(text.encode("cp1252"), "a.txt") == text


def test_line_ends() -> None:
    assert decode(b"a\r\nb\rc\n", "a.txt") == "a\nb\nc\n"


def test_one_bad_byte_does_not_change_the_encoding() -> None:
    data = (CHINESE * 50).encode() + b"\xff" + CHINESE.encode()
    assert decode(data, "a.txt").startswith(CHINESE)


def test_what_is_no_text() -> None:
    with pytest.raises(ReadingError) as caught:
        decode(bytes(range(32)) * 20, "a.txt")
    assert "not a text file" in caught.value.fault.sentence


def texts(text: str) -> list[str]:
    return [paragraph.text for paragraph in paragraphs_of(text)]


def test_hard_wrapped_lines_make_paragraphs() -> None:
    text = """
                         LEASE AGREEMENT

     This Lease is made on the first day of May by and between the Landlord
and the Tenant, who have agreed on what follows and sign it below in
witness of it, as set forth in Section
11.11 and elsewhere.

1.   Rent.  The Tenant pays the rent on the first day of every month with-
out deduction of any kind to the account that the Landlord names.
2.   Term.  The term is one year and begins on the first day of June next
year.

<PAGE>   2

It goes on from year to year unless one of the parties ends it in writing.
"""
    assert texts(text) == [
        "LEASE AGREEMENT",
        (
            "This Lease is made on the first day of May by and between the Landlord and the Tenant, who have agreed on "
            "what follows and sign it below in witness of it, as set forth in Section 11.11 and elsewhere."
        ),
        (
            "1. Rent. The Tenant pays the rent on the first day of every month with-out deduction of any kind to the "
            "account that the Landlord names."
        ),
        "2. Term. The term is one year and begins on the first day of June next year.",
        "It goes on from year to year unless one of the parties ends it in writing.",
    ]


def test_a_sentence_over_a_page_mark_is_joined() -> None:
    lines = ["The Seller shall deliver the goods to the place that the Buyer names in", "writing, and"] * 4
    text = "\n".join(lines) + "\n\n   12\n<PAGE>   13\n\nshall insure them until they arrive there in good order.\n"
    assert len(texts(text)) == 1
    assert "12" not in texts(text)[0]


def test_one_line_a_paragraph() -> None:
    long = "The Buyer pays the price within thirty days of delivery. " * 6
    assert texts(f"1. Price\n{long}\n2. Term\n{long}") == ["1. Price", long.strip(), "2. Term", long.strip()]


def test_wide_gaps_of_a_flattened_page_are_breaks() -> None:
    line = (
        "1. Term     A) The term is three years.     B) It renews.     2. Price     A) The price is five dollars." * 4
    )
    assert texts(line)[:3] == ["1. Term", "A) The term is three years.", "B) It renews."]


def test_numbers_in_running_text() -> None:
    text = (
        "GAS AGREEMENT This Agreement is made by A and B. 1. Definitions. Words have meanings. 1.1 Day. A day has 24 "
        "hours as in Section 7. 1.2 Month. A month has 30 days. 2. Sale. A sells 1.5 units under Section 1.1 above. "
        "2.1 Price. The price is 2.5 dollars. 3. Term. It ends in 2030. "
    )
    points = split_points(text, 0, len(text))
    assert [text[at : at + 6] for at in points] == ["1. Def", "1.1 Da", "1.2 Mo", "2. Sal", "2.1 Pr", "3. Ter"]


def test_contents_in_running_text() -> None:
    text = (
        "AGREEMENT TABLE OF CONTENTS ARTICLE I SALE 1 1.1 Goods 1 1.2 Price 2 ARTICLE II TERM 3 2.1 Length 3 "
        "ARTICLE I SALE 1.1 Goods. A sells goods. 1.2 Price. B pays. ARTICLE II TERM 2.1 Length. One year."
    )
    start, end = contents_span(text)
    assert text[start:].startswith("TABLE OF CONTENTS")
    assert text[end:].startswith("ARTICLE I SALE 1.1 Goods. A sells")
    content = content_of(text + " It goes on." * 5, Media.TEXT)
    assert [content.text[b.start : b.start + 11] for b in content.blocks][2:] == [
        "ARTICLE I S", "1.1 Goods. ", "1.2 Price. ", "ARTICLE II ", "2.1 Length.",
    ]  # fmt: skip


def test_page_numbers_in_running_text() -> None:
    sentence = "The Seller delivers the goods to the Buyer within thirty (30) days of the order. "
    pages = [sentence * 20 + f"{number} " for number in range(2, 9)]
    cleaned = without_page_numbers("".join(pages))
    assert cleaned.replace("\n", " ").split() == (sentence * 20 * 7).split()
    broken = "".join(f"{sentence * 20}The Buyer may {number} pay later. " for number in range(2, 9))
    assert "may pay later" in without_page_numbers(broken)


def test_few_numbers_are_left_alone() -> None:
    text = "Pay 2 dollars. " * 300
    assert without_page_numbers(text) == text


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("**Term** and *rent* and ***both***", "Term and rent and both"),
        ("see [the site](https://a.example/x_(y)) now", "see the site now"),
        ("executed this ____day of _____, 20____", "executed this ____day of _____, 20____"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4"),
        (r"1\. not a list \*", "1. not a list *"),
        ("`code` and __strong__", "code and strong"),
    ],
)
def test_inline_marks(marked: str, words: str) -> None:
    assert plain(marked) == words


def test_markdown_blocks() -> None:
    found = paragraphs_of_markdown(
        "---\ntitle: x\n---\n# Lease\n\nFirst line\nsecond line.\n\n- one\n- two\n\n"
        "| Fee | Due |\n|---|---|\n| 5 | now |\n\nPrice\n-----\n> quoted\n"
    )
    assert [paragraph.text for paragraph in found] == [
        "Lease", "First line second line.", "• one", "• two", "Fee", "Due", "5", "now", "Price", "quoted",
    ]  # fmt: skip
    assert (found[0].level, found[8].level) == (0, 1)
    assert found[6].cell == (0, 1, 0)


def test_blocks_and_flow_stand_on_the_same_text() -> None:
    content = content_of("# A\n\n1. b\n2. c\n", Media.MARKDOWN)
    assert [(block.start, block.end) for block in content.blocks] == [(p.start, p.end) for p in content.flow]
    assert content.text == "A\n1. b\n2. c"


def test_running_lines_and_page_numbers_are_left_out() -> None:
    body = "The Seller delivers the goods to the Buyer and bears the cost of it until the Buyer takes them over. " * 4
    pages = [f"{n}. Item. {body}and then the Buyer" for n in range(1, 6)]
    text = "\n\n".join(
        f"{page}\n\n{n}\n\nSource: ACME INC, 8-K, 2/11/2020\n\npays for them." for n, page in enumerate(pages, 1)
    )
    content = content_of(text, Media.TEXT)
    assert "Source" not in content.text
    assert [content.text[block.start : block.start + 2] for block in content.blocks] == ["1.", "2.", "3.", "4.", "5."]
    assert content.text.count("and then the Buyer pays for them.") == 5


def test_numbers_in_running_chinese() -> None:
    text = (
        "房屋租赁合同 甲方：张三 乙方：李四 第一条 租赁期限：自2024年1月1日起一年。"
        "第二条 租金：每月五千元，按第一条的期限支付。"
        "第三条 违约责任：一、逾期付款的，按日支付违约金。二、擅自转租的，解除合同。第四条 其他：本合同一式两份。"
    )
    points = split_points(text, 0, len(text))
    assert [text[at : at + 3] for at in points if text[at] == "第"] == ["第一条", "第二条", "第三条", "第四条"]
    content = content_of(text, Media.TEXT)
    assert [content.text[block.start : block.start + 2] for block in content.blocks][:3] == ["房屋", "第一", "第二"]


def test_a_text_that_is_too_long_is_refused_before_it_is_laid_out() -> None:
    for text in ("word " * (module.MAX_CHARACTERS // 5 + 1), "a\n\n" * (module.MAX_LINES // 2 + 1)):
        with pytest.raises(ReadingError) as caught:
            module.open_text(text.encode(), "long.txt", Media.TEXT)
        assert caught.value.fault.code is FaultCode.TOO_LARGE
