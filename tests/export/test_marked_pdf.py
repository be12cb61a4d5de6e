"""Marked copies of PDFs: other readers find the notes, and they cover their words."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from engine.document import quads
from engine.export.errors import ExportError
from engine.export.marked_pdf import mark_pdf
from engine.export.notes import shortened
from engine.protocol.handover import Mark, MarkedPassage
from engine.protocol.messages import FaultCode
from engine.reading.open_file import open_file

WORDS = ("The Buyer shall pay within 30 days.", "The Buyer shall pay within 45 days.")


def make(path: Path, rotation: int = 0, crop: bool = False, unit: int = 1, **saving) -> Path:
    with pymupdf.open() as file:
        page = file.new_page(width=500, height=700)
        page.insert_text((90, 200), f"1. Payment. {WORDS[0]}")
        page.insert_text((90, 240), f"2. Late payment. {WORDS[1]}")
        page.insert_text((90, 280), "3. 买方应在收到发票后三十日内付款。", fontname="china-s")
        page.add_text_annot((300, 300), "somebody's own note")
        if crop:
            page.set_cropbox(pymupdf.Rect(40, 100, 480, 650))
        file.xref_set_key(page.xref, "UserUnit", str(unit))
        page.set_rotation(rotation)
        file.save(path, **saving)
    return path


def read(path: Path, password: str = ""):
    file = open_file(str(path), password)
    for _ in file.read():
        pass
    try:
        return file.document
    finally:
        file.close()


def mark_of(document, *quotes: str, quiet: bool = False) -> Mark:
    passages = []
    for quote, letter in zip(quotes, "abc", strict=False):
        start = document.text.index(quote)
        boxes = tuple((q.page, q.x0, q.y0, q.x1, q.y1) for q in quads(document, start, start + len(quote)))
        passages.append(
            MarkedPassage(f"1{letter}", document.id, f"Section {letter}, p. 1", start, start + len(quote), quote, boxes)
        )
    return Mark("f-1", "Different periods · High", "30 days, then 45. 期限不同。", tuple(passages), quiet)


def notes(path: Path, password: str = ""):
    with pymupdf.open(path) as file:
        if password:
            file.authenticate(password)
        return [
            (page.number, dict(note.info), note.type[1], [tuple(v) for v in note.vertices or ()])
            for page in file
            for note in page.annots()
        ]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize(("crop", "unit"), [(False, 1), (True, 1), (False, 2), (True, 2)])
def test_the_colour_is_where_the_words_are(tmp_path, rotation, crop, unit):
    source = make(tmp_path / "deal.pdf", rotation, crop, unit)
    document = read(source)
    mark = mark_of(document, *WORDS)
    target = tmp_path / "marked.pdf"
    assert mark_pdf(source.read_bytes(), source.name, document.id, (mark,), target) == []
    with pymupdf.open(target) as file:
        page = file[0]
        found = [note for note in page.annots() if note.info["title"] == "Antinomy"]
        assert [(note.info["id"], len(note.vertices)) for note in found] == [("antinomy-1a", 4), ("antinomy-1b", 4)]
        image = page.get_pixmap(matrix=pymupdf.Matrix(2, 2))
    for passage in mark.passages:
        ((_, x0, y0, x1, y1),) = passage.quads
        # The rounded ends of a highlight are left out.
        across = [(x, int(y0 + y1)) for x in range(int(2 * x0) + 8, int(2 * x1) - 8, 2)]
        down = [(int(x0 + x1), y) for y in range(int(2 * y0) + 8, int(2 * y1) - 8, 2)]
        assert all(image.pixel(*point) != (255, 255, 255) for point in across + down)
        assert image.pixel(int(2 * x0) - 12, int(2 * y0) - 12) == (255, 255, 255)


def test_notes_speak_of_each_other_and_nothing_is_lost(tmp_path):
    source = make(tmp_path / "deal.pdf")
    before = source.read_bytes()
    document = read(source)
    target = tmp_path / "marked.pdf"
    marks = (mark_of(document, *WORDS), mark_of(document, "三十日内", quiet=True))
    mark_pdf(before, source.name, document.id, marks, target)
    assert source.read_bytes() == before
    assert target.read_bytes().startswith(before)
    found = notes(target)
    assert [info["title"] for _, info, _, _ in found].count("Antinomy") == 3
    assert any(info["content"] == "somebody's own note" for _, info, _, _ in found)
    first = next(info["content"] for _, info, _, _ in found if info["id"] == "antinomy-1a")
    assert "Different periods · High" in first
    assert "期限不同" in first
    assert "⇄ 1b · Section b, p. 1" in first
    assert WORDS[1] in first
    with pymupdf.open(target) as file:
        page = file[0]
        xref = next(note.xref for note in page.annots() if note.info["id"] == "antinomy-1a")
        assert "antinomy-1b" in file.xref_get_key(xref, "AntinomyPair")[1]
    assert read(target).text == document.text


def test_a_passage_without_a_place_is_named(tmp_path):
    source = make(tmp_path / "deal.pdf")
    document = read(source)
    mark = Mark("f", "h", "b", (MarkedPassage("7a", document.id, "p. 1", 0, 3, "The"),))
    assert mark_pdf(source.read_bytes(), source.name, document.id, (mark,), tmp_path / "marked.pdf") == ["7a"]


def test_encrypted_files_stay_encrypted(tmp_path):
    lock = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "o", "user_pw": "u"}
    source = make(tmp_path / "deal.pdf", **lock, permissions=pymupdf.PDF_PERM_ANNOTATE | pymupdf.PDF_PERM_COPY)
    document = read(source, "u")
    target = tmp_path / "marked.pdf"
    mark_pdf(source.read_bytes(), source.name, document.id, (mark_of(document, WORDS[0]),), target, "u")
    assert any(info["title"] == "Antinomy" for _, info, _, _ in notes(target, "u"))
    with pymupdf.open(target) as file:
        assert file.needs_pass
    with pytest.raises(ExportError) as caught:
        mark_pdf(source.read_bytes(), source.name, document.id, (), tmp_path / "no.pdf", "wrong")
    assert caught.value.fault.code is FaultCode.WRONG_PASSWORD
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deal.pdf", "marked.pdf"]


def test_an_author_who_forbids_notes_is_obeyed(tmp_path):
    lock = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "o", "user_pw": ""}
    source = make(tmp_path / "deal.pdf", **lock, permissions=pymupdf.PDF_PERM_PRINT)
    with pytest.raises(ExportError, match="does not permit notes"):
        mark_pdf(source.read_bytes(), source.name, read(source).id, (), tmp_path / "no.pdf")


def test_a_damaged_file_is_written_anew(tmp_path):
    source = make(tmp_path / "deal.pdf")
    data = source.read_bytes()
    source.write_bytes(data[: data.rindex(b"startxref")] + b"startxref\n1\n%%EOF")
    document = read(source)
    target = tmp_path / "marked.pdf"
    assert mark_pdf(source.read_bytes(), source.name, document.id, (mark_of(document, *WORDS),), target) == []
    assert sum(info["title"] == "Antinomy" for _, info, _, _ in notes(target)) == 2


def test_quotes_in_notes_are_short():
    assert shortened("a  b\nc") == "a b c"
    long = shortened("word " * 200)
    assert len(long) <= 305
    assert long.endswith("word …")
    assert shortened("字" * 400) == "字" * 300 + " …"
