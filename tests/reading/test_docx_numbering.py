"""Automatic numbers: what Word displays for a numbering part and a run of paragraphs."""

from __future__ import annotations

import docx_making as make
import pytest

from engine.reading.docx import read_source
from engine.reading.docx.numerals import displayed
from engine.reading.source import SourceText

LEGAL = (
    make.level(0, "decimal", "%1.")
    + make.level(1, "decimal", "%1.%2")
    + make.level(2, "lowerLetter", "(%3)")
    + make.level(3, "lowerRoman", "(%4)")
)


def labels(source: SourceText) -> list[str]:
    return [source.text[b.start : b.label_end] for b in source.blocks]


def read(body: str, **parts: str) -> SourceText:
    return read_source(make.docx(body, **parts))


def test_levels_count_and_restart_under_their_parents() -> None:
    body = "".join(make.numbered("x", 1, level) for level in (0, 1, 2, 3, 3, 2, 1, 2, 0, 1, 2))
    source = read(body, numbering=make.numbering(LEGAL))
    assert labels(source) == ["1.", "1.1", "(a)", "(i)", "(ii)", "(b)", "1.2", "(a)", "2.", "2.1", "(a)"]
    assert [b.list_level for b in source.blocks] == [0, 1, 2, 3, 3, 2, 1, 2, 0, 1, 2]
    assert source.text.splitlines()[1] == "1.1 x"


def test_a_list_under_a_numbered_heading_stays_under_it() -> None:
    styles = make.part(
        "styles",
        '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/>'
        '<w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
    )
    levels = make.level(0, "decimal", "%1.", more='<w:pStyle w:val="Heading1"/>') + make.level(1, "lowerLetter", "(%2)")
    body = (
        make.paragraph("Payment", '<w:pStyle w:val="Heading1"/>') + make.numbered("a", 1, 1) + make.numbered("b", 1, 1)
    )
    source = read(body, styles=styles, numbering=make.numbering(levels))
    assert labels(source) == ["1.", "(a)", "(b)"]
    assert source.blocks[0].outline_level == 0


def test_start_overrides_begin_anew_once() -> None:
    nums = "".join(
        f'<w:num w:numId="{i}"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="{start}"/>'
        "</w:lvlOverride></w:num>"
        for i, start in ((1, 1), (2, 3), (3, 123))
    )
    part = make.numbering(make.level(0, "decimal", "%1)"), nums=nums)
    source = read("".join(make.numbered("x", n) for n in (1, 2, 2, 3, 3, 1)), numbering=part)
    assert labels(source) == ["1)", "3)", "4)", "123)", "124)", "125)"]


def test_lists_of_one_definition_go_on_counting() -> None:
    nums = (
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>'
    )
    part = make.numbering(make.level(0, "decimal", "%1."), nums=nums)
    assert labels(read("".join(make.numbered("x", n) for n in (1, 2, 1)), numbering=part)) == ["1.", "2.", "3."]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", ["1.", "1.1", "(a)", "1.2", "(a)", "2.", "2.1", "(a)"]),
        ('<w:lvlRestart w:val="0"/>', ["1.", "1.1", "(a)", "1.2", "(b)", "2.", "2.1", "(c)"]),
        ('<w:lvlRestart w:val="1"/>', ["1.", "1.1", "(a)", "1.2", "(b)", "2.", "2.1", "(a)"]),
    ],
)
def test_level_restart(more: str, expected: list[str]) -> None:
    levels = (
        make.level(0, "decimal", "%1.")
        + make.level(1, "decimal", "%1.%2")
        + make.level(2, "lowerLetter", "(%3)", more=more)
    )
    body = "".join(make.numbered("x", 1, level) for level in (0, 1, 2, 1, 2, 0, 1, 2))
    assert labels(read(body, numbering=make.numbering(levels))) == expected


def test_a_skipped_level_counts_as_shown() -> None:
    body = "".join(make.numbered("x", 1, level) for level in (1, 1, 0, 1))
    assert labels(read(body, numbering=make.numbering(LEGAL))) == ["1.1", "1.2", "2.", "2.1"]


def test_legal_numbering_shows_decimals() -> None:
    levels = (
        make.level(0, "upperRoman", "Article %1")
        + make.level(1, "decimalZero", "Section %1.%2", more="<w:isLgl/>")
        + make.level(2, "upperLetter", "%1.%2.%3", more="<w:isLgl/>")
    )
    body = "".join(make.numbered("x", 1, level) for level in (0, 0, 1, 2))
    assert labels(read(body, numbering=make.numbering(levels))) == ["Article I", "Article II", "Section 2.01", "2.01.1"]


def test_a_level_without_numbers_keeps_its_words_and_takes_its_separator_away() -> None:
    levels = make.level(0, "none", "Schedule") + make.level(1, "decimal", "%1.%2")
    body = "".join(make.numbered("x", 1, level) for level in (0, 1, 1))
    assert labels(read(body, numbering=make.numbering(levels))) == ["Schedule", "1", "2"]


def test_chinese_articles_items_and_brackets() -> None:
    levels = (
        make.level(0, "chineseCountingThousand", "第%1条", more='<w:suff w:val="space"/>')
        + make.level(1, "chineseCounting", "%2、", more='<w:suff w:val="nothing"/>')
        + make.level(2, "japaneseCounting", "（%3）", more='<w:suff w:val="nothing"/>')
    )
    body = (
        make.numbered("租赁期限", 1)
        + make.numbered("付款", 1, 1)
        + make.numbered("押金", 1, 2)
        + make.numbered("违约", 1)
    )
    source = read(body, numbering=make.numbering(levels))
    assert labels(source) == ["第一条", "一、", "（一）", "第二条"]
    assert source.text == "第一条 租赁期限\n一、 付款\n（一） 押金\n第二条 违约"


def test_numbers_through_a_chain_of_styles_and_switched_off() -> None:
    styles = make.part(
        "styles",
        '<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr>'
        '</w:pPr></w:style><w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/>'
        '<w:basedOn w:val="Base"/><w:pPr>'
        '<w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Off">'
        '<w:name w:val="Off"/><w:basedOn w:val="Base"/><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr>'
        "</w:pPr></w:style>",
    )
    body = "".join(make.paragraph("x", f'<w:pStyle w:val="{s}"/>') for s in ("Base", "Sub", "Off", "Sub", "Base"))
    assert labels(read(body, styles=styles, numbering=make.numbering(LEGAL))) == ["1.", "1.1", "", "1.2", "2."]


def test_a_numbering_style_link_leads_to_the_list_that_defines_it() -> None:
    styles = make.part(
        "styles",
        '<w:style w:type="numbering" w:styleId="Outline"><w:name w:val="Outline"/><w:pPr><w:numPr><w:numId w:val="2"/>'
        "</w:numPr></w:pPr></w:style>",
    )
    extra = '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Outline"/></w:abstractNum>'
    nums = (
        '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>'
    )
    levels = '<w:styleLink w:val="Outline"/>' + make.level(0, "upperLetter", "Part %1")
    part = make.numbering(levels, extra, nums)
    body = make.numbered("x", 1) + make.numbered("x", 2)
    assert labels(read(body, styles=styles, numbering=part)) == ["Part A", "Part B"]


def test_bullets_of_symbol_fonts_are_readable() -> None:
    symbol = '<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr>'
    levels = (
        f'<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/>{symbol}</w:lvl>'
    )
    assert labels(read(make.numbered("x", 1), numbering=make.numbering(levels))) == ["•"]


def test_a_custom_format_in_an_alternate_content() -> None:
    choice = (
        '<mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/>'
        "</mc:Choice>"
        '<mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
    )
    levels = f'<w:lvl w:ilvl="0"><w:start w:val="7"/>{choice}<w:lvlText w:val="No. %1"/></w:lvl>'
    assert labels(read(make.numbered("x", 1), numbering=make.numbering(levels))) == ["No. 007"]


def test_automatic_and_typed_numbers_side_by_side() -> None:
    levels = make.level(0, "decimal", "1.%1")
    source = read(make.numbered("automatic", 1) + make.paragraph("1.2 typed"), numbering=make.numbering(levels))
    assert source.text == "1.1 automatic\n1.2 typed"
    assert labels(source) == ["1.1", ""]


def test_a_list_that_is_not_there_gives_no_number() -> None:
    source = read(make.numbered("x", 9) + make.paragraph("y", '<w:numPr><w:numId w:val="1"/></w:numPr>'))
    assert labels(source) == ["", ""]


def test_lists_in_headers_and_notes_count_apart() -> None:
    header = make.part("hdr", make.numbered("head", 1))
    notes = make.part("footnotes", f'<w:footnote w:id="1">{make.numbered("note", 1)}</w:footnote>')
    noted = make.paragraph(make.run("x") + '<w:r><w:footnoteReference w:id="1"/></w:r>')
    section = '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr>'
    body = make.numbered("a", 1) + noted + make.numbered("b", 1) + section
    source = read(body, header=header, numbering=make.numbering(LEGAL), footnotes=notes)
    assert [source.text[b.start : b.end] for b in source.blocks][-1] == "2. b"
    assert source.furniture[0].text == "1. head"


def test_a_section_break_alone_does_not_count() -> None:
    broken = make.paragraph("", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:sectPr/>')
    body = make.numbered("x", 1) + broken + make.numbered("y", 1)
    assert labels(read(body, numbering=make.numbering(LEGAL))) == ["1.", "2."]


def test_a_deleted_numbered_paragraph_does_not_count() -> None:
    mark = "<w:rPr><w:del w:id='1' w:author='a'/></w:rPr>"
    gone = (
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>{mark}</w:pPr>'
        '<w:del w:id="2" w:author="a"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>'
    )
    source = read(make.numbered("x", 1) + gone + make.numbered("y", 1), numbering=make.numbering(LEGAL))
    assert source.text == "1. x\n2. y"


@pytest.mark.parametrize(
    ("number_format", "number", "expected"),
    [
        ("decimalZero", 7, "07"), ("upperRoman", 1994, "MCMXCIV"), ("lowerLetter", 27, "aa"),
        ("lowerLetter", 53, "aaa"),
        ("ordinal", 111, "111th"), ("ordinal", 22, "22nd"), ("cardinalText", 21, "Twenty-one"),
        ("ordinalText", 30, "Thirtieth"), ("ordinalText", 112, "One hundred twelfth"),
        ("chineseCounting", 10, "十"), ("chineseCounting", 21, "二十一"), ("chineseCountingThousand", 110, "一百一十"),
        ("chineseCountingThousand", 1005, "一千零五"), ("chineseCountingThousand", 10010, "一万零一十"),
        ("japaneseCounting", 100, "百"), ("ideographDigital", 20, "二〇"), ("chineseLegalSimplified", 12, "壹拾贰"),
        ("ideographLegalTraditional", 20, "貳拾"), ("ideographTraditional", 10, "癸"),
        ("ideographTraditional", 11, "11"),
        ("decimalEnclosedCircle", 20, "⑳"), ("decimalEnclosedCircle", 36, "㊱"), ("decimalEnclosedParen", 3, "⑶"),
        ("decimalFullWidth", 10, "１０"), ("hex", 255, "FF"), ("none", 5, ""), ("unheardOf", 5, "5"),
        ("lowerRoman", 0, "0"), ("chineseCounting", 0, "〇"), ("numberInDash", 4, "- 4 -"), ("chicago", 5, "**"),
    ],
)  # fmt: skip
def test_number_formats(number_format: str, number: int, expected: str) -> None:
    assert displayed(number, number_format) == expected
