"""What of a Word file's body becomes text, in which order, and what is left out."""

from __future__ import annotations

import io
import zipfile

import docx_making as make
import pytest

from engine.document import Document, FurnitureKind
from engine.reading.docx import RevisionView, open_docx, read_source
from engine.reading.source import BlockKind, SourceText

NUMBERING = make.numbering(make.level(0, "decimal", "%1."))


def read(body: str, view: RevisionView = RevisionView.ACCEPTED, **parts: str) -> SourceText:
    return read_source(make.docx(body, **parts), view)


def blocks(source: SourceText) -> list[str]:
    return [source.text[b.start : b.end] for b in source.blocks]


def codes(source: SourceText) -> list[str]:
    return [notice.code for notice in source.notices]


INSERTED = '<w:ins w:id="1" w:author="a">{}</w:ins>'
DELETED = '<w:del w:id="2" w:author="a"><w:r><w:delText xml:space="preserve">{}</w:delText></w:r></w:del>'


def test_typed_numbers_are_kept_and_a_centred_legend_has_none() -> None:
    source = read(make.paragraph("1. DEFINITIONS") + make.paragraph("DRAFT", '<w:jc w:val="center"/>'))
    assert source.text == "1. DEFINITIONS\nDRAFT"
    assert [b.label_end - b.start for b in source.blocks] == [0, 0]
    assert [b.centred for b in source.blocks] == [False, True]


def test_a_whole_inserted_paragraph_is_there() -> None:
    body = (
        make.paragraph("one")
        + f"<w:p>{INSERTED.format(make.run('two'))}</w:p>"
        + INSERTED.format(make.paragraph("three"))
    )
    source = read(body)
    assert source.text == "one\ntwo\nthree"
    assert codes(source) == ["tracked_changes"]


def test_a_struck_price_is_not_in_the_current_text() -> None:
    body = make.paragraph(
        make.run("The price is ") + DELETED.format("USD 100") + INSERTED.format(make.run("USD 200")) + make.run(".")
    )
    assert read(body).text == "The price is USD 200."
    assert read(body, RevisionView.ORIGINAL).text == "The price is USD 100."
    assert read(body, RevisionView.BOTH).text == "The price is USD 100USD 200."


def test_a_deleted_paragraph_mark_joins_two_paragraphs() -> None:
    first = '<w:p><w:pPr><w:rPr><w:del w:id="3" w:author="a"/></w:rPr></w:pPr>' + make.run("one ") + "</w:p>"
    body = first + make.paragraph("two") + make.paragraph("three")
    assert read(body).text == "one two\nthree"
    assert read(body, RevisionView.ORIGINAL).text == "one \ntwo\nthree"


def test_moved_text_stands_where_it_was_moved_to() -> None:
    old = '<w:moveFrom w:id="4" w:author="a">' + make.run("moved") + "</w:moveFrom>"
    new = '<w:moveTo w:id="5" w:author="a">' + make.run("moved") + "</w:moveTo>"
    assert read(make.paragraph(make.run("a ") + old) + make.paragraph(make.run("b ") + new)).text == "a \nb moved"


def test_deleted_and_inserted_rows() -> None:
    gone = '<w:tr><w:trPr><w:del w:id="1" w:author="a"/></w:trPr>' + make.cell("gone") + "</w:tr>"
    new = '<w:tr><w:trPr><w:ins w:id="1" w:author="a"/></w:trPr>' + make.cell("new") + "</w:tr>"
    body = make.table(gone, new, make.row(make.cell("kept")))
    assert blocks(read(body)) == ["new", "kept"]
    assert blocks(read(body, RevisionView.ORIGINAL)) == ["gone", "kept"]


def test_wrappers_lose_no_text() -> None:
    inner = f'<w:smartTag w:element="x">{INSERTED.format(make.run("two"))}</w:smartTag>'
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{make.run(' three')}</w:sdtContent></w:sdt>"
    link = f'<w:hyperlink r:id="rId9">{make.run(" four")}</w:hyperlink>'
    whole = f"<w:sdt><w:sdtContent>{make.paragraph('six')}</w:sdtContent></w:sdt>"
    custom = f'<w:customXml w:element="x">{make.paragraph("seven")}</w:customXml>'
    body = make.paragraph(make.run("one ") + inner + control + link) + make.paragraph("five") + whole + custom
    assert read(body).text == "one two three four\nfive\nsix\nseven"


def test_paragraph_table_paragraph_in_that_order() -> None:
    body = make.paragraph("before") + make.table(make.row(make.cell("A"), make.cell("B"))) + make.paragraph("after")
    source = read(body)
    assert blocks(source) == ["before", "A", "B", "after"]
    assert [b.kind for b in source.blocks][1] is BlockKind.TABLE_CELL
    assert [b.table for b in source.blocks] == [None, (0, 0, 0), (0, 0, 1), None]


def test_a_cell_in_a_content_control_keeps_its_column() -> None:
    control = f"<w:sdt><w:sdtPr><w:date/></w:sdtPr><w:sdtContent>{make.cell('1 May 2026')}</w:sdtContent></w:sdt>"
    source = read(make.table(make.row(make.cell("A"), control, make.cell("C"))))
    assert blocks(source) == ["A", "1 May 2026", "C"]
    assert [b.table for b in source.blocks] == [(0, 0, 0), (0, 0, 1), (0, 0, 2)]


def test_merged_cells_stand_once() -> None:
    wide = make.cell("Fee", '<w:gridSpan w:val="3"/>')
    top = make.row(make.cell("Tall", '<w:vMerge w:val="restart"/>'), make.cell("b1"), make.cell("c1"))
    under = make.row(make.cell("", "<w:vMerge/>"), make.cell("b2"), make.cell("c2"))
    source = read(make.table(make.row(wide), top, under, make.row(make.cell("a3"), make.cell("b3"), make.cell("c3"))))
    assert blocks(source) == ["Fee", "Tall", "b1", "c1", "b2", "c2", "a3", "b3", "c3"]
    assert source.blocks[4].table == (0, 2, 1)


def test_nested_tables_have_their_own_coordinates() -> None:
    inner = make.table(make.row(make.cell("x"), make.cell("y")))
    source = read(make.table(make.row(make.cell(make.paragraph("a") + inner + make.paragraph("z")), make.cell("b"))))
    assert blocks(source) == ["a", "x", "y", "z", "b"]
    assert [b.table for b in source.blocks] == [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 0), (0, 0, 1)]


FOOTNOTES = make.part(
    "footnotes",
    '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:id="2">'
    + make.paragraph("<w:r><w:footnoteRef/></w:r>" + make.run(" The cap is USD 5,000,000."))
    + "</w:footnote>",
)


def test_a_footnote_follows_its_paragraph_with_its_mark() -> None:
    body = make.paragraph(
        make.run("Liability is capped") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + make.run(".")
    )
    source = read(body + make.paragraph("next"), footnotes=FOOTNOTES)
    assert source.text == "Liability is capped¹.\n¹ The cap is USD 5,000,000.\nnext"
    note = source.blocks[1]
    assert note.kind is BlockKind.FOOTNOTE
    assert source.text[note.start : note.label_end] == "¹"


def test_a_mark_does_not_grow_a_number() -> None:
    body = make.paragraph(make.run("USD 100") + '<w:r><w:footnoteReference w:id="2"/></w:r>')
    text = read(body, footnotes=FOOTNOTES).text.splitlines()[0]
    assert text == "USD 100¹"
    assert [c for c in text if c.isdecimal()] == list("100")


def test_endnotes_have_roman_marks() -> None:
    notes = make.part("endnotes", f'<w:endnote w:id="1">{make.paragraph("An endnote.")}</w:endnote>')
    source = read(make.paragraph(make.run("Text") + '<w:r><w:endnoteReference w:id="1"/></w:r>'), endnotes=notes)
    assert source.text == "Textⁱ\nⁱ An endnote."


def text_box(inner: str) -> str:
    content = f"<w:txbxContent>{inner}</w:txbxContent>"
    shape = f"<wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp>"
    drawing = f"<w:drawing><wp:anchor><a:graphic>{shape}</a:graphic></wp:anchor></w:drawing>"
    picture = f"<w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice>'
        f"<mc:Fallback>{picture}</mc:Fallback></mc:AlternateContent></w:r>"
    )


def test_a_text_box_stands_once_after_its_anchor() -> None:
    body = make.paragraph(make.run("anchor") + text_box(make.paragraph("boxed"))) + make.paragraph("next")
    assert blocks(read(body)) == ["anchor", "boxed", "next"]


def test_an_old_text_box_without_alternatives() -> None:
    content = f"<w:txbxContent>{make.paragraph('old')}</w:txbxContent>"
    old = f"<w:r><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></w:r>"
    assert blocks(read(make.paragraph(old))) == ["old"]


def field(instruction: str, result: str) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{make.run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def test_fields_show_their_results_only() -> None:
    nested = field("IF " + "x", "9.1")
    body = make.paragraph(make.run("See Section ") + field(r"REF _Ref1 \r \h", "9.1") + make.run(", ") + nested)
    simple = make.paragraph(f'<w:fldSimple w:instr="REF a">{make.run("Exhibit A")}</w:fldSimple>')
    assert read(body + simple).text == "See Section 9.1, 9.1\nExhibit A"


def test_form_fields_show_their_values() -> None:
    def form(data: str, instruction: str) -> str:
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'
            f'<w:r><w:instrText>{instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    entries = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="30 days"/><w:listEntry w:val="45 days"/></w:ddList>'
    checked = form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "FORMCHECKBOX")
    empty = form('<w:checkBox><w:default w:val="0"/></w:checkBox>', "FORMCHECKBOX")
    body = make.paragraph(checked + make.run(" yes ") + empty + make.run(" no, ") + form(entries, "FORMDROPDOWN"))
    assert read(body).text == "☒ yes ☐ no, 45 days"


def test_a_field_that_ends_paragraphs_later() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'
    begin += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    body = (
        make.paragraph(begin + make.run("1. A"))
        + make.paragraph("2. B")
        + make.paragraph(end)
        + make.paragraph("after")
    )
    assert blocks(read(body)) == ["1. A", "2. B", "after"]


def test_symbols_tabs_hyphens_and_spaces() -> None:
    body = make.paragraph(
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:t xml:space="preserve"> a</w:t><w:tab/><w:t>non</w:t>'
        "<w:noBreakHyphen/><w:t>stop</w:t></w:r>"
        '<w:r><w:t>\n  trimmed  \n</w:t></w:r><w:r><w:t xml:space="preserve">\n</w:t></w:r>'
    )
    assert read(body).text == "☑ a\tnon\u2011stoptrimmed "


def test_hidden_text_and_comments_are_left_out_and_said() -> None:
    comments = make.part("comments", f'<w:comment w:id="1" w:author="a">{make.paragraph("Really?")}</w:comment>')
    body = make.paragraph(make.run("seen") + make.run("hidden", "<w:vanish/>"))
    source = read(body, comments=comments)
    assert source.text == "seen"
    assert codes(source) == ["comments", "hidden_text"]


def test_a_style_separator_runs_the_next_paragraph_in() -> None:
    heading = "<w:p><w:pPr><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr>" + make.run("Payment.") + "</w:p>"
    assert blocks(read(heading + make.paragraph(" The Buyer pays."))) == ["Payment. The Buyer pays."]


def test_forced_line_ends_part_blocks_but_not_sentences() -> None:
    body = make.paragraph("<w:r><w:t>甲方：张三</w:t><w:br/><w:t>乙方：李四</w:t></w:r>")
    body += make.paragraph("<w:r><w:t>the goods and</w:t><w:br/><w:t>the services</w:t></w:r>")
    source = read(body)
    assert blocks(source) == ["甲方：张三", "乙方：李四", "the goods and the services"]
    assert len(source.text) == len(source.boxes)


def test_headers_and_footers_are_furniture() -> None:
    section = '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/>'
    section += '<w:footerReference w:type="default" r:id="rId2"/></w:sectPr>'
    footer = make.part(
        "ftr", make.paragraph(make.run("Page ") + field("PAGE", "7") + make.run(" of ") + field("NUMPAGES", "9"))
    )
    header = make.part("hdr", make.paragraph("CONFIDENTIAL"))
    page = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    source = read(make.paragraph("one") + page + make.paragraph("two") + section, header=header, footer=footer)
    assert source.text == "one\ntwo"
    assert len(source.pages) == 2
    assert [(f.kind, f.page, f.text) for f in source.furniture] == [
        (FurnitureKind.HEADER, 0, "CONFIDENTIAL"),
        (FurnitureKind.PAGE_NUMBER, 0, "Page 1 of 2"),
        (FurnitureKind.HEADER, 1, "CONFIDENTIAL"),
        (FurnitureKind.PAGE_NUMBER, 1, "Page 2 of 2"),
    ]


def test_hints_come_from_styles() -> None:
    styles = make.part(
        "styles",
        '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults>'
        '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/>'
        '<w:ind w:left="720"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>',
    )
    source = read(make.paragraph("Heading", '<w:pStyle w:val="H"/>') + make.paragraph("plain"), styles=styles)
    first, second = source.blocks
    assert (first.outline_level, first.bold, first.font_size_pt, first.indent_pt) == (1, True, 16.0, 36.0)
    assert (second.outline_level, second.bold, second.font_size_pt, second.indent_pt) == (-1, False, 12.0, 0.0)


def test_boxes_and_pages_cover_the_text() -> None:
    body = "".join(make.paragraph("Words of a clause. " * 30) for _ in range(40))
    source = read(body)
    assert len(source.boxes) == len(source.text)
    assert source.pages[0].start == 0
    assert source.pages[-1].end == len(source.text)
    assert all(a.end == b.start for a, b in zip(source.pages, source.pages[1:], strict=False))
    for page in source.pages:
        assert set(source.boxes.page[page.start : page.end].tolist()) == {page.index}


def test_the_same_bytes_give_the_same_source() -> None:
    data = make.docx(make.paragraph("x") + make.table(make.row(make.cell("a"), make.cell("b"))))
    first, second = read_source(data), read_source(data)
    assert (first.text, first.blocks, first.pages) == (second.text, second.blocks, second.pages)
    assert first.boxes.rect.tobytes() == second.boxes.rect.tobytes()


@pytest.mark.parametrize("body", ["", "<w:p/>", "<w:tbl><w:tr/></w:tbl>", "<w:sectPr/>", "<w:tbl/>"])
def test_an_empty_body_is_a_page_without_text(body: str) -> None:
    source = read(body)
    assert source.text == ""
    assert source.blocks == ()
    assert len(source.pages) == 1


def test_the_strict_variant_of_the_format_is_read() -> None:
    strict = {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "http://purl.oclc.org/ooxml/wordprocessingml/main",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
            "http://purl.oclc.org/ooxml/officeDocument/relationships"
        ),
    }
    with zipfile.ZipFile(io.BytesIO(make.docx(make.numbered("x", 1), numbering=NUMBERING))) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    for transitional, other in strict.items():
        files = {name: text.replace(transitional, other) for name, text in files.items()}
    assert read_source(make.archive(dict(files))).text == "1. x"


def test_names_with_backslashes_and_capitals_are_found() -> None:
    with zipfile.ZipFile(io.BytesIO(make.docx(make.numbered("x", 1), numbering=NUMBERING))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    renamed = {name.replace("word/", "Word\\"): content for name, content in files.items()}
    assert read_source(make.archive(dict(renamed))).text == "1. x"


def commented(body: str, *comments: str) -> Document:
    """A file with a comments part, read whole."""
    opened = open_docx(make.docx(body, comments=make.part("comments", "".join(comments))), "x.docx")
    for _ in opened.read():
        pass
    opened.close()
    return opened.document


def comment(number: int, author: str, *paragraphs: str) -> str:
    inside = "".join(make.paragraph(words) for words in paragraphs)
    return f'<w:comment w:id="{number}" w:author="{author}" w:date="2024-05-06T07:00:00Z">{inside}</w:comment>'


def mark(sort: str, number: int) -> str:
    return f'<w:comment{sort} w:id="{number}"/>'


def test_comments_are_kept_with_the_words_they_concern() -> None:
    body = (
        make.paragraph("1. First.")
        + "<w:p>" + make.run("2. Pay ") + mark("RangeStart", 7) + make.run("within 30 days") + mark("RangeEnd", 7)
        + f"<w:r>{mark('Reference', 7)}</w:r>" + make.run(" of 发票.") + "</w:p>"
    )  # fmt: skip
    document = commented(body, comment(7, "李伟", "Why 30?", "Ask the client."))
    (remark,) = document.remarks
    assert document.quote(remark.start, remark.end) == "within 30 days"
    assert (remark.kind, remark.author, remark.text) == ("comment", "李伟", "Why 30?\nAsk the client.")
    assert remark.date.startswith("2024-05-06")


def test_a_comment_over_paragraphs_and_one_without_a_range() -> None:
    body = (
        mark("RangeStart", 1) + make.paragraph("1. First.") + make.paragraph("2. Second.") + mark("RangeEnd", 1)
        + "<w:p>" + make.run("3. Third.") + f"<w:r>{mark('Reference', 2)}</w:r></w:p>"
        + make.paragraph("4. Last.")
    )  # fmt: skip
    document = commented(body, comment(1, "a", "both"), comment(2, "b", "third"), comment(3, "c", "nowhere"))
    assert [document.quote(r.start, r.end) for r in document.remarks[:2]] == ["1. First.\n2. Second.", "3. Third."]
    assert (document.remarks[2].start, document.remarks[2].text) == (-1, "nowhere")


def test_a_comment_in_a_table_and_behind_a_number() -> None:
    cell = "<w:p>" + mark("RangeStart", 1) + make.run("USD 5") + mark("RangeEnd", 1) + "</w:p>"
    table = f"<w:tbl><w:tr><w:tc>{make.paragraph('Fee')}</w:tc><w:tc>{cell}</w:tc></w:tr></w:tbl>"
    document = commented(table, comment(1, "a", "?"))
    assert document.quote(document.remarks[0].start, document.remarks[0].end) == "USD 5"
