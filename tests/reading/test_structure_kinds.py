"""Kinds of structure that real contracts showed to be read wrongly, each in words of our own."""

from __future__ import annotations

import dataclasses

import pytest
from source_making import built, document_of, outline, source_of, source_of_blocks

from engine.document import Clause, ClauseKind, Document, Media
from engine.reading.source import Block, BlockKind
from engine.reading.text.paragraphs import paragraphs_of


def of_kind(document: Document, kind: ClauseKind) -> list[Clause]:
    return [clause for clause in document.clauses if clause.kind is kind]


def looked(parts: list[tuple[str, dict[str, object]]], media: Media = Media.DOCX) -> Document:
    """A Document of paragraphs with looks: ``{"bold": True, "font_size_pt": 15.0}``."""
    blocks, texts, start = [], [], 0
    for text, look in parts:
        blocks.append(dataclasses.replace(Block(start, start + len(text), label_end=start), **look))  # type: ignore[arg-type]  # a test's shorthand
        texts.append(text)
        start += len(text) + 1
    return built(source_of_blocks("\n".join(texts), tuple(blocks), media))


def cell(row: int, column: int, **look: object) -> dict[str, object]:
    return {"kind": BlockKind.TABLE_CELL, "table": (0, row, column), "font_size_pt": 9.0, **look}


def test_clauses_behind_a_table_do_not_hang_under_its_last_row() -> None:
    document = looked(
        [
            ("Service Agreement", {"font_size_pt": 22.0}),
            ("Provider", cell(0, 0)),
            ("The company named below", cell(0, 1)),
            ("1. Access. The Provider gives access to the service.", {"font_size_pt": 9.0}),
            ("2. Fees. The Customer pays the fees.", {"font_size_pt": 9.0}),
        ]
    )
    tops = [(clause.number, clause.parent) for clause in of_kind(document, ClauseKind.CLAUSE)]
    assert tops == [("1", ""), ("2", "")]


def test_a_row_that_is_nothing_but_a_larger_heading_is_one() -> None:
    document = looked(
        [
            ("Service Agreement", {"font_size_pt": 22.0}),
            ("Key Terms", cell(0, 0, bold=True, font_size_pt=14.0)),
            ("Fees and dates", cell(1, 0)),
            ("Ten dollars a month, to be paid in advance", cell(1, 1)),
            ("1. Access. The Provider gives access to the service.", {"font_size_pt": 9.0}),
        ]
    )
    assert outline(document)[1:] == [(0, "", "Key Terms"), (0, "1", "Access")]
    assert of_kind(document, ClauseKind.TABLE_ROW)[0].level == 1


def test_headings_of_parts_above_the_numbers() -> None:
    body: dict[str, object] = {"font_size_pt": 11.0}
    document = looked(
        [
            ("Restraint Agreement", {"font_size_pt": 26.0}),
            ("Cover Terms", {"font_size_pt": 15.0, "bold": True}),
            ("The terms below are part of this agreement.", body),
            ("Standard Terms", {"font_size_pt": 15.0, "bold": True}),
            ("1. Defined Terms", {**body, "bold": True}),
            ("1.1 “Rival” means a person who competes with the employer in the market.", body),
            ("2. Restraint", {**body, "bold": True}),
            ("The employee does not work for a Rival during the term of the restraint.", body),
        ]
    )
    assert outline(document)[1:] == [
        (0, "", "Cover Terms"),
        (0, "", "Standard Terms"),
        (1, "1", "Defined Terms"),
        (2, "1.1", "Rival"),
        (1, "2", "Restraint"),
    ]


def test_headings_that_stand_above_their_numbers() -> None:
    document = document_of(
        "PART 1",
        "INTERPRETATION",
        "Definitions",
        "1.1 In this Agreement, the following words have the meanings given to them below.",
        "Business days",
        "1.2 If a day is not a business day, the act is done on the next one.",
        "PART 2",
        "RESTRAINT",
        "Restraint of the seller",
        "2.1 For two years the seller does not compete with the buyer in the area.",
        "Area",
        "2.2 The area is the whole of the province and ten miles around it.",
        bold=(0, 1, 2, 4, 6, 7, 8, 10),
    )
    assert outline(document) == [
        (0, "Part 1", "INTERPRETATION"),
        (1, "1.1", "Definitions"),
        (1, "1.2", "Business days"),
        (0, "Part 2", "RESTRAINT"),
        (1, "2.1", "Restraint of the seller"),
        (1, "2.2", "Area"),
    ]
    clause = next(clause for clause in document.clauses if clause.number == "1.1")
    assert document.quote(clause.start, clause.body_start).split("\n")[0] == "Definitions"


def test_headings_above_several_numbers_stay_clauses_of_their_own() -> None:
    document = document_of(
        "Payment",
        "1.1 The buyer pays within ten days of the invoice that it receives.",
        "1.2 The buyer pays interest on what it pays late.",
        "Delivery",
        "2.1 The seller delivers within ten days of the order that it receives.",
        "2.2 The seller bears the cost of the delivery.",
        "Notices",
        "3.1 Notices are given in writing to the addresses above.",
        "3.2 Notices work from the day on which they arrive.",
        bold=(0, 3, 6),
    )
    assert [clause.heading for clause in document.clauses if not clause.number] == ["Payment", "Delivery", "Notices"]


def test_the_last_item_of_a_list_needs_no_comma() -> None:
    document = document_of(
        "3. Use. The recipient will: (a) use the information only for the purpose, (b) not disclose it to others, "
        "(c) protect it as its own and (d) not export it against the law."
    )
    assert [clause.number for clause in of_kind(document, ClauseKind.ITEM)] == ["3(a)", "3(b)", "3(c)", "3(d)"]


def test_two_references_are_not_the_end_of_a_list() -> None:
    document = document_of(
        "3. Survival. The following survive: (a) the duties of the seller under Section 4, (b) those of the buyer; "
        "see (b) and (c) of Section 9 for the rest."
    )
    assert [clause.number for clause in of_kind(document, ClauseKind.ITEM)] == ["3(a)", "3(b)"]


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("4.1 Term; Termination. This Agreement begins on its date.", "Term; Termination"),
        ("3. SOLE PAYMENT: NO SET-OFF. The buyer owes nothing else.", "SOLE PAYMENT: NO SET-OFF"),
        ("11.1 Must Be Written: Waivers are valid only in writing.", "Must Be Written"),
        ("2.2 Warrants. The company issues warrants to the executive.", "Warrants"),
        ("（2）咨询响应服务：通过电话解答甲方的问题。", "咨询响应服务"),
        ("（4）应急支持服务：乙方在两小时内到场。", "应急支持服务"),
        ("（3）甲方应提前通知：通知以书面作出。", ""),
        ("（2）服务期满 6 个月后，甲方支付余款。", ""),
        ("六、合同的变更、解除与终止。", "合同的变更、解除与终止"),
    ],
)
def test_run_in_headings(words: str, heading: str) -> None:
    assert document_of(words, "x" * 60).clauses[0].heading == heading


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("9.4 Smallest stock in Hobart: 200 lights.", "Smallest stock in Hobart: 200 lights."),
        ("(ii) Deposit: USD 22,900.", "Deposit: USD 22,900."),
        ("3.2 Cover: two layers, with sealed joints.", "Cover: two layers, with sealed joints."),
        ("10.1 每箱仓储费：人民币2.80元。", "每箱仓储费：人民币2.80元。"),
        ("4.2 Deposit: It is paid within 30 days.", "It is paid within 30 days."),
        ("4.3 Law: Delaware.", "Delaware."),
        ("（2）租赁期限：自2024年1月1日起。", "自2024年1月1日起。"),
    ],
)
def test_a_value_keeps_the_words_that_say_of_what_it_is(words: str, sentence: str) -> None:
    document = document_of(words, "x" * 60)
    first = document.sentences[0]
    assert document.text[first.start : first.end] == sentence
    assert document.clauses[0].heading


def test_a_number_on_a_line_of_its_own() -> None:
    document = document_of("1. EMPLOYMENT.", "1.1", "Term. The company employs the executive for three years.")
    assert outline(document) == [(0, "1", "EMPLOYMENT"), (1, "1.1", "Term")]


@pytest.mark.parametrize(
    ("words", "term"),
    [
        ("1.1 “Affiliates” of a Party shall mean the companies that it controls.", "Affiliates"),
        ("1.2 “Control” (including “controlled by” and “under control”) of a firm shall mean half of it.", "Control"),
        ("1.3 “Rate” shall have the applicable meaning set forth in Section 2.", "Rate"),
    ],
)
def test_definitions_with_words_between_term_and_verb(words: str, term: str) -> None:
    clause = document_of(words, "2. Rest. The rest follows here.").clauses[0]
    assert (clause.kind, clause.heading) == (ClauseKind.DEFINITION, term)


def test_an_article_about_ownership_is_no_reference() -> None:
    document = document_of("第八条 转租", "乙方不得转租该房屋。", "第九条 所有权的变动", "房屋出售不影响本合同的效力。")
    assert outline(document) == [(0, "第八条", "转租"), (0, "第九条", "所有权的变动")]
    assert document_of("第九条所列情形发生时，甲方可以解除合同。").clauses[0].number == ""


@pytest.mark.parametrize(
    "line",
    [
        "出 租 方（甲方）：               承 租 方（乙方）：",
        "出租人（甲方）签章：________________",
        "出租方（按印）：               承租方（按印）：",
        "甲方签字：_________________     乙方签字：_________________",
        "出  租  方：_____________                承  租  方：_____________",
        "Party A (Signature & Seal):",
    ],
)
def test_signature_lines_of_any_parties(line: str) -> None:
    document = document_of("1. Term. The term is one year.", "2. Law. The law of the seat applies.", line, "Date:")
    assert document.clauses[-1].kind is ClauseKind.SIGNATURE


def test_a_clause_that_names_a_signed_paper_is_no_signature() -> None:
    lines = ("第一条 签署", "甲方签字盖章后，本合同生效，双方各执一份。", "第二条 其他", "甲方：指出租房屋的一方。")
    document = document_of(*lines)
    assert not of_kind(document, ClauseKind.SIGNATURE)


def test_contents_end_before_the_parties_and_recitals() -> None:
    document = document_of(
        "MASTER AGREEMENT",
        "TABLE OF CONTENTS",
        "1. GRANT 1",
        "1.1 Rights Granted 1 1.2 Territory of the Grant 2 1.3 Rights that are kept by the grantor of the rights 3",
        "2. FEES 4",
        "2.1 First Fee 4 2.2 Further Fees 5",
        "MASTER AGREEMENT",
        "AGREEMENT made on the date below by and between the two companies that are named at its end, as follows.",
        "A. The first company grants rights in its name and in its methods to others who use them in their trade.",
        "B. The second company wishes to use these rights in its territory and to grant them to others there.",
        "NOW, THEREFORE, IT IS AGREED:",
        "1. GRANT",
        "The first company grants the rights to the second.",
        "2. FEES",
        "The second company pays the fees.",
    )
    kinds = [clause.kind for clause in document.clauses]
    assert kinds[1] is ClauseKind.CONTENTS
    assert [clause.number for clause in of_kind(document, ClauseKind.RECITAL)] == ["A", "B"]
    assert [clause.number for clause in of_kind(document, ClauseKind.CLAUSE)] == ["1", "2"]


def test_a_bare_number_goes_on_where_dotted_ones_stopped() -> None:
    document = document_of(
        "20. Law", "The law applies.", "21. Notices", "Notices are written.", "22 ENTIRE AGREEMENT:", "A) This is all."
    )
    assert [number for level, number, _ in outline(document) if level == 0] == ["20", "21", "22"]
    item = of_kind(document, ClauseKind.ITEM)[0]
    assert document.clause_by_id[item.parent].number == "22"


def test_schedule_of_principals_has_no_number_of_and_an_attachment_to_has_one() -> None:
    document = document_of(
        "1. Term. The term is one year.",
        "SCHEDULE OF PRINCIPALS",
        "The principals are named here.",
        "Attachment A to",
        "Master Agreement",
        "The territory is the north.",
        bold=(1, 4),
    )
    assert [(clause.number, clause.heading) for clause in of_kind(document, ClauseKind.SCHEDULE)] == [
        ("Attachment A", "Master Agreement")
    ]


def test_a_list_that_a_colon_opens_is_one_and_starts_anew() -> None:
    document = document_of(
        "Article 9 The lessor returns the deposit when all of these are met:",
        "1. the term has ended",
        "2. the rent is paid",
        "The lessor keeps the deposit in each of these cases:",
        "1. the rent is late by a month",
        "2. the house is damaged",
        "Article 10 The lessee pays for water.",
    )
    items = of_kind(document, ClauseKind.ITEM)
    assert [clause.path for clause in items] == [(9, 1), (9, 2), (9, 1), (9, 2)]


def test_bullets_go_back_to_their_own_level() -> None:
    lines = ("1. Prices:", "• by piece", "◦ small", "◦ large", "• by weight", "2. Rest. The rest is free.")
    document = document_of(*lines)
    assert [clause.level for clause in of_kind(document, ClauseKind.ITEM)] == [1, 2, 2, 1]


def test_each_whereas_stands_for_itself_and_a_heading_ends_them() -> None:
    document = document_of(
        "REPURCHASE AGREEMENT",
        "This agreement is made between the company and the founder.",
        "WHEREAS, the founder holds the shares; and",
        "WHEREAS, the company wishes to buy them back.",
        "KEY TERMS",
        "The price is one dollar.",
    )
    assert [clause.level for clause in of_kind(document, ClauseKind.RECITAL)] == [0, 0]
    assert of_kind(document, ClauseKind.CLAUSE)[0].heading == "KEY TERMS"


def test_a_title_below_the_registers_number_and_a_filers_name() -> None:
    for line in ("Exhibit 10.4", "Filed by the agent, 604 609 0244 - Exhibit 1.1 -"):
        parties = "This agreement is made between the two of them."
        document = document_of(line, "SUPPLY AGREEMENT", parties, "1. Term. It lasts a year.")
        assert [clause.heading for clause in of_kind(document, ClauseKind.TITLE)] == ["SUPPLY AGREEMENT"]


def test_scraps_and_page_numbers_are_no_headings() -> None:
    lines = ("1. Term. It lasts a year.", "V6E 4M3", "-1-", "B", "2. Law. The law of the seat.")
    document = document_of(*lines, bold=(1, 2, 3))
    assert [clause.heading for clause in document.clauses] == ["Term", "Law"]


def test_the_files_numbers_go_before_its_outline_levels() -> None:
    numbered = [("1. Access", 0, 0), ("1.1 Use. It is used.", 1, 1), ("2. Term", 0, 2), ("2.1 End. It ends.", 1, 2)]
    parts: list[tuple[str, dict[str, object]]] = []
    start = 0
    for text, depth, heading in numbered:
        label_end = start + len(text.split()[0])
        parts.append((text, {"label_end": label_end, "list_level": depth, "outline_level": heading}))
        start += len(text) + 1
    found = [(level, number) for level, number, _ in outline(looked(parts))]
    assert found == [(0, "1"), (1, "1.1"), (0, "2"), (1, "2.1")]


def test_the_files_outline_tells_where_a_heading_ends() -> None:
    text = "5.2 payment terms and late payment the customer pays within ten days."
    source = source_of(text)
    block = dataclasses.replace(source.blocks[0], title_end=text.index(" the customer"))
    clause = built(dataclasses.replace(source, blocks=(block,))).clauses[0]
    assert (clause.heading, text[clause.body_start :]) == (
        "payment terms and late payment",
        "the customer pays within ten days.",
    )


def paragraphs(text: str) -> list[str]:
    return [paragraph.text for paragraph in paragraphs_of(text)]


FILL = "\n\n".join(
    "The borrower pays the lender what it owes under this agreement on the day on\nwhich it falls due, in the money in "
    "which it was lent, without any deduction for\ntaxes or for claims of its own against the lender or others."
    for _ in range(4)
)


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("“Base", "Rate” shall mean the rate that the bank announces from time to time here.", True),
        ("“Bonds”", "shall mean each bond that the owner gives to the lender under this deed.", True),
        ("4.01 Borrowing", "Procedures. Upon the agent’s receipt of a request the lender pays the sum.", True),
        ("5. SECRET AND PROPRIETARY", "INFORMATION.", True),
        ("3.1 Initial Term", "The initial term of this agreement begins on its date and lasts ten years.", False),
    ],
)
def test_paragraphs_cut_behind_their_first_words(first: str, second: str, joined: bool) -> None:
    found = paragraphs(f"{FILL}\n\n{first}\n{second}\n\n{FILL}\n")
    assert (f"{first} {second}" in found) is joined
    assert (first in found) is not joined


def test_a_sentence_that_a_page_cut_is_made_whole() -> None:
    cut = "(a) The seller warrants that it is a company of good standing, with the full right to sell what it sells, "
    cut += "the right and the power"
    text = "\n\n".join(["1. Warranty.", cut, "and authority to sign; and (b) that nothing bars it.", "2. Law."])
    assert paragraphs(text)[1].endswith("power and authority to sign; and (b) that nothing bars it.")


def test_the_first_item_behind_a_heading_on_its_line() -> None:
    document = document_of(
        "2.2 USE OF THE SOFTWARE. (a) The software is used only with the equipment.",
        "(b) The seller gives the buyer the papers that belong to it.",
        "2.3 TERM. The licence has no end.",
    )
    assert outline(document) == [
        (0, "2.2", "USE OF THE SOFTWARE"),
        (1, "2.2(a)", ""),
        (1, "2.2(b)", ""),
        (0, "2.3", "TERM"),
    ]


def test_alternatives_in_the_paragraph_of_the_first() -> None:
    lines = ("1. Receipt. The goods are received upon the earlier of:", "(i) their first use, or (ii) ten days later.")
    assert [clause.number for clause in of_kind(document_of(*lines), ClauseKind.ITEM)] == ["1(i)", "1(ii)"]


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("Section 2.3 - Other professionals and Limited Assumed Obligations. The Owner pays.", True),
        ("二、租期从     年    月    日起至     年    月    日止。", False),
        ("三、乙方每   月   日前向甲方缴纳租金。", False),
    ],
)
def test_titles_with_a_slip_and_blanks_behind_words(words: str, heading: bool) -> None:
    assert bool(document_of(words).clauses[0].heading) is heading
