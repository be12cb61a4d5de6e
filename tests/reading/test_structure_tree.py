from __future__ import annotations

from source_making import built, document_of, outline, sentences_of, source_of_blocks, table_source

from engine.document import ClauseKind, Document, Media, pack
from engine.reading.structure.inline import split_points
from engine.reading.text.source import content_of


def numbers(document: Document) -> list[str]:
    return [clause.number for clause in document.clauses if clause.number]


def kinds(document: Document) -> list[ClauseKind]:
    return [clause.kind for clause in document.clauses]


def test_decimals_hang_under_their_article() -> None:
    document = document_of(
        "ARTICLE I",
        "DEFINITIONS",
        "1.1 Terms. The terms follow.",
        "1.2 Use. They are used.",
        "ARTICLE II",
        "PRICE",
        "2.1 Amount. It is low.",
    )
    assert outline(document) == [
        (0, "Article I", "DEFINITIONS"),
        (1, "1.1", "Terms"),
        (1, "1.2", "Use"),
        (0, "Article II", "PRICE"),
        (1, "2.1", "Amount"),
    ]
    assert document.clauses[1].path == (1, 1)
    assert sentences_of(document) == ["The terms follow.", "They are used.", "It is low."]


def test_items_carry_their_ancestors_numbers() -> None:
    document = document_of(
        "9. Duties",
        "9.1 The Seller shall:",
        "(a) insure the goods;",
        "(b) pack them:",
        "(i) in wood; or",
        "(ii) in steel;",
        "(c) ship them.",
        "9.2 The Buyer pays.",
    )
    assert numbers(document) == ["9", "9.1", "9.1(a)", "9.1(b)", "9.1(b)(i)", "9.1(b)(ii)", "9.1(c)", "9.2"]
    lead = document.sentences[0]
    assert document.quote(lead.start, lead.end) == "The Seller shall:"
    assert [s.lead_in for s in document.sentences] == [-1, 0, 0, 2, 2, 0, -1]


def test_a_list_goes_on_behind_a_paragraph_without_a_number() -> None:
    document = document_of(
        "14.2 Termination.",
        "(a) The Buyer may terminate:",
        "(1) upon notice; or",
        "(2) upon default.",
        "(b) The Seller may terminate:",
        "(1) upon thirty days' notice.",
        "If the Seller gives no notice within that time the right is lost.",
        "(2) upon ten days' notice if the Buyer is insolvent.",
        "(c) Neither may terminate otherwise.",
    )
    assert numbers(document)[-3:] == ["14.2(b)(1)", "14.2(b)(2)", "14.2(c)"]
    aside = next(clause for clause in document.clauses if clause.kind is ClauseKind.PARAGRAPH)
    assert document.clause_by_id[aside.parent].number == "14.2(b)"


def test_a_paragraph_behind_a_list_that_is_over_stays_with_the_clause() -> None:
    document = document_of(
        "14.2 Termination.",
        "(a) The Buyer may terminate:",
        "(i) upon notice; or",
        "(ii) upon default.",
        "Notice is in writing.",
        "(b) The Seller may not.",
    )
    assert numbers(document)[-1] == "14.2(b)"
    aside = next(clause for clause in document.clauses if clause.kind is ClauseKind.PARAGRAPH)
    assert document.clause_by_id[aside.parent].number == "14.2"


def test_recitals_in_running_text() -> None:
    line = (
        "SUPPLY AGREEMENT This Agreement is made between Alder Ltd. and Birch Ltd. WHEREAS, Alder makes tools; "
        "WHEREAS, Birch sells them; and WHEREAS, both wish to agree; NOW, THEREFORE, the parties agree as follows: "
        "1. Supply. Alder supplies the tools. WHEREAS is a word. 2. Price. The price is low. 3. Term. It lasts a year."
    )
    points = split_points(line, 0, len(line))
    begun = [line[at : at + 4].strip(" ,") for at in points]
    assert begun == ["WHER", "WHER", "WHER", "NOW", "1. S", "2. P", "3. T"]


def test_a_number_that_is_printed_before_each_letter() -> None:
    document = document_of(
        "20. Notices. Notices are in writing.",
        "21. a. Secrecy. Each party keeps the other's secrets.",
        "21. b. Return. Papers are returned, except those that:",
        "(i) the law requires; or",
        "(ii) are archived.",
        "21. c. Survival. This lasts five years.",
        "22. Law. The law of the seat applies.",
    )
    assert numbers(document) == ["20", "21", "21.a", "21.b", "21.b(i)", "21.b(ii)", "21.c", "22"]


def test_a_sum_on_a_line_of_its_own_is_no_heading() -> None:
    document = document_of(
        "7. PAYMENTS",
        "7.1 Amount. The amount for each year is",
        "TWO HUNDRED THOUSAND EUROS (200,000 €)",
        "7.2 Invoices. Invoices are monthly.",
    )
    assert outline(document) == [(0, "7", "PAYMENTS"), (1, "7.1", "Amount"), (1, "7.2", "Invoices")]


def test_a_chinese_heading_that_names_several_things() -> None:
    document = document_of(
        "第一条：房屋情况",
        "房屋位于上海。",
        "第二条：水电费、保洁费和维修费的缴费办法：",
        "1、水电费由甲方承担；",
        "2、维修费由乙方承担。",
        "第三条：甲方、乙方应当遵守以下约定：",
        "1、按时付款；",
        "2、不得转租。",
    )
    headings = [clause.heading for clause in document.clauses if clause.label.startswith("第")]
    assert headings == ["房屋情况", "水电费、保洁费和维修费的缴费办法", ""]


def test_chinese_lines_that_are_no_headings() -> None:
    document = document_of(
        "一、房屋情况", "1.1 甲方出租给乙方的房屋座落在上海市。", "1.2 该房屋为毛坯出租", "电热水器   个", "二、总  则"
    )
    assert outline(document) == [(0, "一", "房屋情况"), (1, "1.1", ""), (1, "1.2", ""), (0, "二", "总  则")]


def test_i_after_h_is_a_letter() -> None:
    items = [f"({letter}) thing {letter};" for letter in "abcdefghij"]
    document = document_of("1. List. The list is:", *items)
    assert numbers(document)[-2:] == ["1(i)", "1(j)"]
    assert document.clauses[-2].path == (1, "i")
    assert document.clauses[-2].parent == document.clauses[0].id


def test_i_after_a_is_a_roman_one() -> None:
    document = document_of("1. List", "(a) first:", "(i) one;", "(ii) two;", "(b) second.")
    assert numbers(document) == ["1", "1(a)", "1(a)(i)", "1(a)(ii)", "1(b)"]


def test_wrong_numbers_are_kept_as_printed() -> None:
    document = document_of("4. ACCOUNTS", "1.1 Registration", "4.2 Verification", "4.2 Closing", "4.5 Transfer")
    assert numbers(document) == ["4", "1.1", "4.2", "4.2", "4.5"]
    assert {clause.parent for clause in document.clauses[1:]} == {document.clauses[0].id}


def test_chinese_contract() -> None:
    document = document_of(
        "房屋租赁合同",
        "出租方（甲方）：张三",
        "第一条 租赁期限",
        "（一）租赁期为一年。",
        "（二）期满续租的，另行签订合同。",
        "第二条 租金：每月5000元。",
        "1、按月支付；",
        "2、逾期的，支付违约金。",
        "第三条 争议",
        "一、协商解决。",
        "二、协商不成的，提交仲裁。",
    )
    assert document.language == "zh"
    assert outline(document)[1:] == [
        (0, "第一条", "租赁期限"),
        (1, "第一条（一）", ""),
        (1, "第一条（二）", ""),
        (0, "第二条", "租金"),
        (1, "第二条1", ""),
        (1, "第二条2", ""),
        (0, "第三条", "争议"),
        (1, "第三条一", ""),
        (1, "第三条二", ""),
    ]
    assert document.clauses[2].path == (1,)
    assert kinds(document)[3] is ClauseKind.ITEM


def test_full_width_digits() -> None:
    document = document_of("［１］ 付款；（２）交货")
    assert numbers(document) == ["1", "2"]
    assert sentences_of(document) == ["付款；", "交货"]


def test_a_list_in_one_paragraph_is_taken_apart() -> None:
    document = document_of(
        "3.1 Cover. The Seller shall: (a) insure the goods; (b) pack the goods; and (c) ship the goods. It bears it."
    )
    assert numbers(document) == ["3.1", "3.1(a)", "3.1(b)", "3.1(c)"]
    assert sentences_of(document) == [
        "The Seller shall:",
        "insure the goods;",
        "pack the goods; and",
        "ship the goods.",
        "It bears it.",
    ]
    assert [s.lead_in for s in document.sentences] == [-1, 0, 0, 0, -1]
    last = document.clause_by_id[document.sentences[-1].clause]
    assert last.number == "3.1"


def test_a_chinese_list_without_a_colon() -> None:
    document = document_of(
        "第五条 乙方违约的情形包括（1）逾期支付租金超过三十日并经催告仍不支付的；"
        "（2）未经甲方书面同意擅自将房屋转租给第三人的。"
    )
    assert numbers(document) == ["第五条", "第五条（1）", "第五条（2）"]


def test_short_alternatives_stay_in_their_sentence() -> None:
    document = document_of(
        "2.4 Price. The Buyer pays (i) in cash or (ii) by wire as set out in clauses (a) and (b) above."
    )
    assert numbers(document) == ["2.4"]
    assert len(document.sentences) == 1


def test_schedules_count_anew() -> None:
    document = document_of(
        "1. Sale. The Seller sells.",
        "2. Price. The price is low.",
        "SCHEDULE 1",
        "Goods",
        "1. Steel. It is new.",
        "2. Iron. It is old.",
        "EXHIBIT B",
        "1. Form. It is short.",
    )
    assert numbers(document) == ["1", "2", "SCHEDULE 1", "SCHEDULE 1, 1", "SCHEDULE 1, 2", "EXHIBIT B", "EXHIBIT B, 1"]
    schedule = document.clauses[2]
    assert (schedule.kind, schedule.heading) == (ClauseKind.SCHEDULE, "Goods")
    assert document.clauses[3].path == ("schedule", 1, 1)


def test_attachments_in_chinese() -> None:
    document = document_of("第一条 标的", "货物见附件一。", "附件一 货物清单", "1、钢材；", "2、铁。")
    assert next(c.kind for c in document.clauses if c.number.startswith("附件")) is ClauseKind.SCHEDULE


def test_contents_are_not_read_twice() -> None:
    document = document_of(
        "AGREEMENT",
        "TABLE OF CONTENTS",
        "1. Sale ........ 1",
        "2. Price ........ 2",
        "3. Term ........ 3",
        "1. Sale. The Seller sells.",
        "2. Price. It is low.",
        "3. Term. It is long.",
    )
    assert kinds(document).count(ClauseKind.CONTENTS) == 1
    assert numbers(document) == ["1", "2", "3"]
    assert sentences_of(document) == ["The Seller sells.", "It is low.", "It is long."]


def test_contents_without_leaders_end_where_the_numbers_come_again() -> None:
    document = document_of(
        "CONTENTS",
        "ARTICLE I SALE",
        "1.1 Goods 1",
        "1.2 Price 1",
        "ARTICLE II TERM",
        "2.1 Length 2",
        "ARTICLE I SALE",
        "1.1 Goods. They are sold.",
        "1.2 Price. It is paid.",
        "ARTICLE II TERM",
        "2.1 Length. One year.",
    )
    assert numbers(document) == ["Article I", "1.1", "1.2", "Article II", "2.1"]


def test_recitals_definitions_and_signatures() -> None:
    document = document_of(
        "SALE AGREEMENT",
        "This Agreement is made by A and B.",
        "RECITALS",
        "A. A owns steel.",
        "B. B wants steel.",
        "NOW, THEREFORE, the parties agree:",
        "1. DEFINITIONS",
        '"Goods" means the steel.',
        '"Price" means five dollars.',
        "2. SALE",
        "A sells the Goods.",
        "IN WITNESS WHEREOF the parties have signed.",
        "By: ________",
        "Name: J. Hill",
    )
    assert kinds(document) == [
        ClauseKind.TITLE,
        ClauseKind.PREAMBLE,
        ClauseKind.RECITAL,
        ClauseKind.RECITAL,
        ClauseKind.RECITAL,
        ClauseKind.PREAMBLE,
        ClauseKind.CLAUSE,
        ClauseKind.DEFINITION,
        ClauseKind.DEFINITION,
        ClauseKind.CLAUSE,
        ClauseKind.SIGNATURE,
    ]
    assert [c.heading for c in document.clauses if c.kind is ClauseKind.DEFINITION] == ["Goods", "Price"]


def test_numbering_that_starts_anew_below_a_heading() -> None:
    document = document_of(
        "Part One",
        "1. Sale. The Seller sells.",
        "2. Price. It is low.",
        "GENERAL TERMS",
        "1. Law. English law applies.",
        bold=(0, 3),
    )
    second = [clause for clause in document.clauses if clause.number == "1"]
    assert second[0].parent != second[1].parent


def test_bare_numbers_need_company() -> None:
    document = document_of("1 Definitions", "Words have meanings.", "2 Price", "The price is low.")
    assert outline(document) == [(0, "1", "Definitions"), (0, "2", "Price")]
    lonely = document_of("1 Definitions of words follow here.", "Words have meanings.")
    assert numbers(lonely) == []


def test_a_row_is_one_sentence_with_its_head() -> None:
    document = built(table_source([["Term", "24 months"], ["Fee", "USD 5 a month. It is fixed."]]))
    assert sentences_of(document) == ["Term\n24 months", "Fee\nUSD 5 a month.", "It is fixed."]
    assert kinds(document) == [ClauseKind.TABLE_ROW, ClauseKind.TABLE_ROW]


def test_the_same_text_gives_the_same_bytes() -> None:
    paragraphs = ("1. Sale", "(a) one;", "(b) two.", "第二条 租金", "每月付。")
    assert pack(document_of(*paragraphs)) == pack(document_of(*paragraphs))


def test_a_definition_keeps_its_term_in_the_sentence() -> None:
    document = document_of("2.1 Final Station: means the last station.", "2.2 损失：指任何损害。")
    assert [clause.kind for clause in document.clauses] == [ClauseKind.DEFINITION] * 2
    assert [clause.heading for clause in document.clauses] == ["Final Station", "损失"]
    assert sentences_of(document) == ["Final Station: means the last station.", "损失：指任何损害。"]


def test_an_attachment_in_capitals_whose_text_follows_at_once() -> None:
    document = document_of("1. Sale. It is sold.", "EXHIBIT A QUALITY SPECIFICATIONS " + "The goods are new. " * 20)
    assert outline(document)[1] == (0, "EXHIBIT A", "QUALITY SPECIFICATIONS")
    assert sentences_of(document)[1] == "The goods are new."


def test_long_runs_of_capitals_and_marks_take_no_time() -> None:
    document_of("EXHIBIT A " + "A1-B2.C3 " * 2_000 + "ends.", "ARTICLE I " + "AND " * 3_000)
    document_of("(a) " + "X. " * 2_000, "; (a) x" * 3_000)


def test_nothing_at_all() -> None:
    document = document_of("")
    assert document.clauses == ()
    assert document.sentences == ()


def test_markdown_lists_of_one_style_nest_by_depth() -> None:
    content = content_of(
        "1. Sale\n   1. The Seller sells.\n   2. The Buyer buys.\n2. Price\n   1. It is low.\n", Media.MARKDOWN
    )
    document = built(source_of_blocks(content.text, content.blocks, Media.MARKDOWN))
    assert numbers(document) == ["1", "1.1", "1.2", "2", "2.1"]


def test_words_that_lead_into_a_list_are_a_sentence_not_a_heading() -> None:
    document = document_of(
        "4.1 甲方按以下进度付款：", "（一）签约后付三成；", "（二）交货后付七成。", "4.2 发票：", "乙方先开票。"
    )
    assert sentences_of(document)[0] == "甲方按以下进度付款："
    assert [s.lead_in for s in document.sentences] == [-1, 0, 0, -1]
    assert outline(document)[-1] == (0, "4.2", "发票")
