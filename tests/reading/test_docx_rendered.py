"""LibreOffice's pages for a Word file: our text and clauses on them, and our own pages where there are none."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import document_invariants
import docx_making as make
import office_making as office
import psutil
import pymupdf
import pytest

from engine.document import LIBREOFFICE, Document, FurnitureKind, RevisionView, pack, quads
from engine.protocol.messages import ReadingOptions
from engine.reading.docx import libreoffice, open_docx
from engine.reading.docx.handed_out import for_rendering
from engine.reading.open_file import open_file

LEVELS = make.level(0, "decimal", "%1.") + make.level(1, "decimal", "%1.%2")
BODY = (
    make.paragraph(make.run("SUPPLY AGREEMENT", "<w:b/>"), '<w:jc w:val="center"/>')
    + make.numbered("Payment", 1)
    + make.numbered("The Buyer shall pay within 30 days of each invoice.", 1, 1)
    + make.numbered("Term", 1)
    + make.numbered("This Agreement lasts two years.", 1, 1)
    + make.paragraph("本合同一式两份。")
)
DATA = make.docx(BODY, numbering=make.numbering(LEVELS))
#: The same on two pages, with a running head, page numbers, a line that breaks elsewhere, and a curly sign more.
SHOWN = office.pages(
    [
        (40, 30, "Draft of 3 May"),
        (140, 60, "SUPPLY AGREEMENT"),
        (40, 90, "1. Payment"),
        (40, 110, "1.1 The Buyer shall pay within 30"),
        (40, 125, "days of each invoice."),
        (200, 280, "2"),
    ],
    [(40, 30, "Draft of 3 May"), (40, 60, "2. Term"), (40, 80, "2.1 This Agreement lasts two years."),
     (40, 100, "本合同一式两份。"), (200, 280, "3")],
)  # fmt: skip


def read(data: bytes, layout: str, view: RevisionView = RevisionView.ACCEPTED) -> Document:
    opened = open_docx(data, "supply.docx", view, layout=layout)
    list(opened.read())
    document = opened.document
    opened.close()
    document_invariants.check(document)
    return document


def page_of(document: Document, words: str) -> tuple[int, float]:
    start = document.text.index(words)
    (quad,) = quads(document, start, start + len(words))
    return quad.page, quad.y1


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "result.pdf").write_bytes(SHOWN)
    office.stand_in(tmp_path, monkeypatch, office.RENDER)
    return tmp_path


def test_the_pages_are_libreoffices_and_all_else_is_ours(shown: Path) -> None:
    ours, theirs = read(DATA, ""), read(DATA, LIBREOFFICE)
    assert (ours.rendered_by, theirs.rendered_by) == ("", LIBREOFFICE)
    assert theirs.text == ours.text
    assert theirs.sentences == ours.sentences
    for mine, other in zip(ours.clauses, theirs.clauses, strict=True):
        assert (mine.id, mine.number, mine.start, mine.end, mine.heading) == (
            other.id, other.number, other.start, other.end, other.heading)  # fmt: skip
    assert [clause.page for clause in theirs.clauses if clause.number in ("1", "2")] == [0, 1]
    assert [(page.width_pt, page.height_pt) for page in theirs.pages] == [(400, 300), (400, 300)]
    assert theirs.text[theirs.pages[1].start :].startswith("2. Term")


def test_words_are_where_they_are_drawn(shown: Path) -> None:
    document = read(DATA, LIBREOFFICE)
    assert page_of(document, "1. Payment") == (0, pytest.approx(93, abs=3))
    assert page_of(document, "2. Term") == (1, pytest.approx(63, abs=3))
    assert page_of(document, "本合同一式两份。") == (1, pytest.approx(103, abs=3))
    start = document.text.index("30 days")
    first, second = quads(document, start, start + 7)
    assert (round(first.y1), round(second.y1)) == (113, 128)
    # A page's number is not taken for the number of the clause that follows on the next page.
    assert document.boxes.rect[document.text.index("2. Term"), 0] == pytest.approx(40, abs=1)


def test_heads_and_page_numbers_are_furniture(shown: Path) -> None:
    document = read(DATA, LIBREOFFICE)
    assert {(each.kind, each.page, each.text) for each in document.furniture} == {
        (FurnitureKind.HEADER, 0, "Draft of 3 May"),
        (FurnitureKind.HEADER, 1, "Draft of 3 May"),
        (FurnitureKind.PAGE_NUMBER, 0, "2"),
        (FurnitureKind.PAGE_NUMBER, 1, "3"),
    }


def test_the_same_bytes_give_the_same_document(shown: Path) -> None:
    assert pack(read(DATA, LIBREOFFICE)) == pack(read(DATA, LIBREOFFICE))


def test_the_pages_can_be_drawn_and_handed_on(shown: Path) -> None:
    opened = open_docx(DATA, "supply.docx", layout=LIBREOFFICE)
    assert len(opened.page_sizes) == 2
    memory = bytearray(1 << 20)
    assert opened.render(1, 1.0, (), memoryview(memory))[:2] == (400, 300)
    with pymupdf.open("pdf", opened.laid_out_pdf()) as file:
        assert "Draft of 3 May" in file[0].get_text()
    opened.close()


def test_a_note_at_the_foot_of_its_page_is_found_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = '<w:footnote w:id="2">' + make.paragraph("Working days of the Seller.") + "</w:footnote>"
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = make.paragraph(make.run("Payment is due in five days") + mark + make.run(".")) + make.paragraph(
        "The Seller delivers at its own cost and risk."
    )
    lines = [(40, 60, "Payment is due in five days1."), (40, 80, "The Seller delivers at its own cost and risk."),
             (40, 250, "1 Working days of the Seller.")]  # fmt: skip
    (tmp_path / "result.pdf").write_bytes(office.pages(lines))
    office.stand_in(tmp_path, monkeypatch, office.RENDER)
    document = read(make.docx(body, footnotes=make.part("footnotes", note)), LIBREOFFICE)
    assert document.text.index("Working") < document.text.index("delivers")
    assert page_of(document, "Working days of the Seller.")[1] == pytest.approx(253, abs=3)
    assert page_of(document, "delivers at its own cost")[1] == pytest.approx(83, abs=3)


@pytest.mark.parametrize(
    ("program", "code"),
    [
        (None, "layout_fallback_missing"),
        ("sys.exit(1)", "layout_fallback_failed"),
        ("import threading; threading.Event().wait()", "layout_fallback_slow"),
        (office.RENDER.replace('(here / "result.pdf").read_bytes()', 'b"no pdf"'), "layout_fallback_failed"),
        (office.RENDER, "layout_fallback_failed"),
    ],
)
def test_without_its_pages_there_are_ours_and_a_sentence(
    program: str | None, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last one answers with pages of another document."""
    (tmp_path / "result.pdf").write_bytes(office.pages([(40, 60, "Quite other words than those.")]))
    monkeypatch.setattr(libreoffice, "TIMEOUT_S", 2.0)
    monkeypatch.setenv("PATH", str(tmp_path))
    if program is not None:
        office.stand_in(tmp_path, monkeypatch, program)
        if "threading" in program:
            monkeypatch.setattr(libreoffice, "TIMEOUT_S", 0.1)
    ours, fallen_back = read(DATA, ""), read(DATA, LIBREOFFICE)
    assert fallen_back.rendered_by == ""
    assert fallen_back.pages == ours.pages
    (notice,) = [notice for notice in fallen_back.notices if notice.code.startswith("layout")]
    assert notice.code == code
    assert notice.text.endswith("The pages are laid out by Antinomy.")


def test_the_choice_comes_with_the_options(shown: Path) -> None:
    path = shown / "supply.docx"
    path.write_bytes(DATA)
    for layout, count in (("", 1), (LIBREOFFICE, 2), ("of a newer program", 1)):
        opened = open_file(str(path), options=ReadingOptions(layout=layout))
        assert len(opened.page_sizes) == count
        opened.close()


# --- what it is given ---------------------------------------------------------------------------------------


def handed_out(body: str, view: RevisionView, **parts: str) -> tuple[str, dict[str, bytes]]:
    """The text that our reader finds in what is handed out (read with all marks), and its parts."""
    data = for_rendering(make.docx(body, **parts), view)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    document = read(data, "", RevisionView.BOTH)
    return document.text, files


REVISED = (
    "<w:p>" + make.run("The price is ")
    + '<w:del w:id="1" w:author="a"><w:r><w:delText>USD 100</w:delText></w:r></w:del>'
    + '<w:ins w:id="2" w:author="a">' + make.run("USD 200") + "</w:ins>" + make.run(".") + "</w:p>"
    + '<w:p><w:pPr><w:rPr><w:del w:id="3" w:author="a"/></w:rPr></w:pPr>' + make.run("One ") + "</w:p>"
    + make.paragraph("line.")
    + make.table(
        make.row(make.cell("kept")),
        '<w:tr><w:trPr><w:ins w:id="4" w:author="a"/></w:trPr>' + make.cell("new row") + "</w:tr>",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (RevisionView.ACCEPTED, "The price is USD 200.\nOne line.\nkept\nnew row"),
        (RevisionView.ORIGINAL, "The price is USD 100.\nOne \nline.\nkept"),
        (RevisionView.BOTH, "The price is USD 100USD 200.\nOne \nline.\nkept\nnew row"),
    ],
)
def test_tracked_changes_are_carried_out(view: RevisionView, text: str) -> None:
    assert handed_out(REVISED, view)[0] == text
    assert read(make.docx(REVISED), "", view).text == text


def test_nothing_from_outside_is_handed_out() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> INCLUDETEXT "/etc/hostname" </w:instrText>'
        '</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>' + make.run("held")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )  # fmt: skip
    simple = '<w:fldSimple w:instr="INCLUDEPICTURE http://example.org/a.png">' + make.run("shown") + "</w:fldSimple>"
    data = make.docx(make.paragraph(field) + make.paragraph(simple))
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="a" Type="x/image" Target="http://example.org/a.png" TargetMode="External"/>'
        '<Relationship Id="b" Type="x/hyperlink" Target="http://example.org/" TargetMode="External"/>'
        '<Relationship Id="c" Type="x/oleObject" Target="embeddings/a.bin"/>'
        '<Relationship Id="d" Type="x/image" Target="media/a.png"/></Relationships>'
    )
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["word/_rels/document.xml.rels"] = relations.encode()
    files["word/settings.xml"] = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'
    made = for_rendering(make.archive(files), RevisionView.ACCEPTED)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        written = {name: archive.read(name) for name in archive.namelist()}
    assert "word/settings.xml" not in written
    kept = written["word/_rels/document.xml.rels"]
    assert [mark in kept for mark in (b'"a"', b'"b"', b'"c"', b'"d"')] == [False, True, False, True]
    assert b"INCLUDE" not in written["word/document.xml"]
    assert b"held" in written["word/document.xml"]
    assert b"shown" in written["word/document.xml"]


def test_fields_keep_what_word_stored_but_pages_are_counted() -> None:
    def field(instruction: str, result: str) -> str:
        first, *rest = instruction.partition(" ")
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{first}</w:instrText></w:r>'
            f'<w:r><w:instrText xml:space="preserve">{"".join(rest)}</w:instrText></w:r>'
            f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{make.run(result)}'
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    body = make.paragraph(field("DATE \\@ d", "3 May") + field("REF _Ref1 \\h", "Section 13") + field("PAGE", "7"))
    text, files = handed_out(body, RevisionView.ACCEPTED)
    assert text == "3 MaySection 137"
    assert files["word/document.xml"].count(b'"begin"') == 1
    assert b"DATE" not in files["word/document.xml"]
    assert b">PAGE<" in files["word/document.xml"]


def test_letters_of_a_second_font_that_are_drawn_first_keep_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Word by word LibreOffice draws what one font has, then what another has."""
    body = make.paragraph("甲方持有（□房屋所有权证／□公有住房租赁合同）。") + make.paragraph("乙方应于每月五日前付款。")
    lines = [(95, 60, "□"), (183, 60, "□"), (40, 60, "甲方持有（"), (106, 60, "房屋所有权证／"),
             (194, 60, "公有住房租赁合同）。"), (40, 80, "乙方应于每月五日前付款。")]  # fmt: skip
    (tmp_path / "result.pdf").write_bytes(office.pages(lines))
    office.stand_in(tmp_path, monkeypatch, office.RENDER)
    document = read(make.docx(body), LIBREOFFICE)
    rect = document.boxes.rect
    assert document.rendered_by == LIBREOFFICE
    assert [round(float(rect[at, 0])) for at, c in enumerate(document.text) if c == "□"] == [95, 183]
    widths = rect[:, 2] - rect[:, 0]
    assert sum(widths > 5) == len(document.text) - 1


def test_cancelling_ends_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = "(here / 'pid').write_text(str(__import__('os').getpid()))\nimport threading; threading.Event().wait()"
    office.stand_in(tmp_path, monkeypatch, wait)
    opened = open_docx(DATA, "supply.docx", layout=LIBREOFFICE)
    steps = opened.prepare()
    stages = [next(steps)[0]]
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()):
        stages.append(next(steps)[0])
    assert stages[-1] == "rendering"
    steps.close()
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))
    opened.close()
