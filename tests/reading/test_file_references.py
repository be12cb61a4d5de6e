"""What a file says of its own structure: a PDF's outline and links, notes, a Word file's reference fields."""

from __future__ import annotations

from pathlib import Path

import pymupdf
from docx_making import docx, level, numbered, numbering, paragraph, part, run
from pdf_making import read, saved, write

from engine.document import ClauseKind, CrossReferenceKind, Document, pack, unpack
from engine.reading.docx import open_docx


def word(data: bytes) -> Document:
    file = open_docx(data, "made.docx")
    for _ in file.read():
        pass
    document = file.document
    file.close()
    return document


def shown(document: Document) -> list[tuple[CrossReferenceKind, str, str]]:
    """(kind, words, number of the clause that they lead to)."""
    by_id = document.clause_by_id
    return [
        (each.kind, document.quote(each.start, each.end), by_id[each.clause].number if each.clause else "")
        for each in document.cross_references
    ]


def field(instruction: str, result: str) -> str:
    def mark(sort: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{sort}"/></w:r>'

    words = f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
    return f"{mark('begin')}{words}{mark('separate')}{run(result)}{mark('end')}"


def bookmarked(name: str, text: str) -> str:
    return f'<w:bookmarkStart w:id="1" w:name="{name}"/>{run(text)}<w:bookmarkEnd w:id="1"/>'


LIST = numbering(level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2"))


def test_reference_fields_lead_to_clauses() -> None:
    body = (
        numbered("Payment", 1)
        + numbered(bookmarked("_Ref7", "The buyer pays within ten days."), 1, 1)
        + numbered("Interest", 1)
        + numbered(run("Interest runs from the day in ") + field("REF _Ref7 \\r \\h", "1.1") + run(" on."), 1, 1)
    )
    document = word(docx(body, numbering=LIST))
    assert shown(document) == [(CrossReferenceKind.FIELD, "1.1", "1.1")]
    assert document.text.count("1.1") == 2


def test_simple_fields_and_links_inside_the_file() -> None:
    simple = f'<w:fldSimple w:instr=" REF _Ref8 \\r ">{run("2")}</w:fldSimple>'
    link = f'<w:hyperlink w:anchor="_Ref8">{run("the law")}</w:hyperlink>'
    body = (
        numbered(run("See ") + simple + run(" and ") + link + run(" below."), 1)
        + '<w:bookmarkStart w:id="2" w:name="_Ref8"/>'
        + numbered("The law of the seat applies.", 1)
    )
    document = word(docx(body, numbering=LIST))
    assert shown(document) == [
        (CrossReferenceKind.FIELD, "2", "2"),
        (CrossReferenceKind.LINK, "the law", "2"),
    ]


def test_fields_of_other_names_and_pages_are_left_out() -> None:
    body = numbered(run("See ") + field("REF _Gone \\r", "9") + run(" on page ") + field("PAGEREF _Ref7", "3"), 1)
    assert shown(word(docx(body, numbering=LIST))) == []


def test_a_field_to_a_place_that_is_gone_says_so() -> None:
    body = numbered(run("See Section ") + field("REF _Ref41 \\r \\h", "9.2") + run(" below."), 1)
    [reference] = word(docx(body, numbering=LIST)).cross_references
    assert (reference.kind, reference.target, reference.clause) == (CrossReferenceKind.FIELD, -1, "")


def test_a_place_in_deleted_text_is_not_called_gone() -> None:
    deleted = (
        '<w:bookmarkStart w:id="1" w:name="_Ref41"/><w:r><w:delText>The old rule.</w:delText></w:r>'
        '<w:bookmarkEnd w:id="1"/>'
    )
    body = numbered(run("See Section ") + field("REF _Ref41 \\r", "9.2"), 1)
    body += paragraph(run("New. ") + f'<w:del w:id="2" w:author="a">{deleted}</w:del>')
    assert word(docx(body, numbering=LIST)).cross_references == ()


def test_a_notes_mark_leads_to_the_note() -> None:
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    note = part("footnotes", f'<w:footnote w:id="2">{paragraph("Not counting holidays.")}</w:footnote>')
    document = word(docx(paragraph(run("Within ten days") + mark + run(" of the invoice.")), footnotes=note))
    [reference] = document.cross_references
    assert reference.kind is CrossReferenceKind.NOTE
    assert document.quote(reference.start, reference.end) == "¹"
    clause = document.clause_by_id[reference.clause]
    assert clause.kind is ClauseKind.FOOTNOTE
    assert document.quote(clause.start, clause.end).endswith("Not counting holidays.")


def test_they_are_saved_with_the_document() -> None:
    body = numbered(bookmarked("_Ref7", "Payment"), 1)
    body += paragraph(run("See ") + field("REF _Ref7", "Payment") + run("."))
    document = word(docx(body, numbering=LIST))
    assert document.cross_references
    assert unpack(pack(document)).cross_references == document.cross_references


CLAUSES = [
    "1. Payment",
    "The buyer pays within ten days of the invoice.",
    "2. late payment interest the buyer pays five per cent on what it pays late.",
]


def test_a_pdfs_outline_is_kept_and_tells_headings(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["SUPPLY AGREEMENT"])
        for place, line in enumerate(CLAUSES):
            write(page, [line], y=130.0 + 40.0 * place)
        file.new_page()
        file.set_toc([[1, "1. Payment", 1], [1, "Late payment interest", 1], [2, "Elsewhere", 2], [1, "Annexes", -1]])

    document = read(saved(tmp_path, draw))
    assert [(entry.title, entry.level, entry.page) for entry in document.outline] == [
        ("1. Payment", 0, 0),
        ("Late payment interest", 0, 0),
        ("Elsewhere", 1, 1),
        ("Annexes", 0, -1),
    ]
    starts = [document.text[entry.start : entry.start + 2] if entry.start >= 0 else "" for entry in document.outline]
    assert starts == ["1.", "2.", "", ""]
    headings = [(clause.number, clause.heading) for clause in document.clauses if clause.number]
    assert headings == [("1", "Payment"), ("2", "late payment interest")]


def test_links_between_a_pdfs_pages(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for _ in range(2):
            file.new_page()
        first = file[0]
        write(first, ["1. Payment. The buyer pays as Section 2 says, within ten days of it."])
        write(file[1], ["2. Interest. The buyer pays interest on what it pays late to the seller."], y=400.0)
        first = file[0]
        place = first.search_for("Section 2")[0]
        first.insert_link({"kind": pymupdf.LINK_GOTO, "from": place, "page": 1, "to": pymupdf.Point(72.0, 390.0)})

    assert shown(read(saved(tmp_path, draw))) == [(CrossReferenceKind.LINK, "Section 2", "2")]


def test_a_footnotes_small_number(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        lines = ["1. Payment. The buyer pays the seller within ten days of the day on which it is", "given the invoice"]
        end = write(page, lines)
        x = 72.0 + pymupdf.get_text_length("given the invoice", fontname="tiro", fontsize=11.0)
        page.insert_text((x, end - 15.0 - 4.0), "1", fontsize=6.5, fontname="tiro")
        note = "1 Not counting holidays at the seat of the buyer."
        page.insert_text((72.0, 760.0), note, fontsize=8.0, fontname="tiro")

    document = read(saved(tmp_path, draw))
    notes = [each for each in document.cross_references if each.kind is CrossReferenceKind.NOTE]
    assert [document.quote(each.start - 7, each.end) for each in notes] == ["invoice1"]
    assert document.clause_by_id[notes[0].clause].kind is ClauseKind.FOOTNOTE


def test_a_damaged_outline_costs_only_the_outline(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        write(file.new_page(), ["1. Payment. The buyer pays within ten days."])
        file.set_toc([[1, "Payment", 1]])
        entry = file.get_outline_xrefs()[0]
        file.xref_set_key(entry, "Next", f"{entry} 0 R")  # an outline that goes round in a circle
        file.xref_set_key(entry, "Dest", "[99999 0 R /Fit]")

    assert read(saved(tmp_path, draw)).clauses[0].heading == "Payment"
