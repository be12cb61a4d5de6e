"""Marked copies of Word files: the comments' ranges hold the passages' words, exactly, and nothing else changes."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.export.errors import ExportError
from engine.export.marked_docx import mark_docx
from engine.protocol.handover import Mark, MarkedPassage
from engine.reading.open_file import open_file

PARAGRAPHS = (
    ("The Buyer ", "shall pay ", "within 30 days", ". The Seller delivers."),
    ("买方应在", "收到发票后三十日内", "付款。卖方应交付。"),
    ("Price: ", "100\tEUR", " net. The Buyer shall pay within 45 days."),
)


def make(path: Path, paragraphs=PARAGRAPHS) -> Path:
    file = docx.Document()
    for runs in paragraphs:
        paragraph = file.add_paragraph(style="List Number")
        for i, words in enumerate(runs):
            paragraph.add_run(words).bold = bool(i % 2)
    table = file.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Term", "Two years from signing."
    file.save(str(path))
    return path


def read(path: Path):
    file = open_file(str(path), "")
    for _ in file.read():
        pass
    try:
        return file.document
    finally:
        file.close()


def mark_of(document, label: str, start: int, end: int) -> Mark:
    passage = MarkedPassage(label, document.id, "Section 1, p. 1", start, end, document.text[start:end])
    return Mark(f"f-{label}", "Different periods · High", "30 days, then 45. 期限不同。", (passage,))


def letters(words: str) -> str:
    return re.sub(r"\s", "", words)


def ranges(path: Path) -> dict[str, str]:
    """By label: the letters that a comment's range holds."""
    file = docx.Document(str(path))
    labels = {str(c.comment_id): c.text.split(" ")[0] for c in file.comments}
    out: dict[str, str] = {}
    open_now: set[str] = set()
    for element in file.element.body.iter():
        if element.tag == qn("w:commentRangeStart"):
            open_now.add(labels[element.get(qn("w:id"))])
        elif element.tag == qn("w:commentRangeEnd"):
            open_now.discard(labels[element.get(qn("w:id"))])
        elif element.tag == qn("w:t"):
            for label in open_now:
                out[label] = out.get(label, "") + letters(element.text or "")
    assert not open_now
    return out


def looks(path: Path) -> list[tuple[str, bool | None]]:
    """Each letter with its boldness."""
    file = docx.Document(str(path))
    return [(c, run.bold) for p in file.paragraphs for run in p.runs for c in letters(run.text)]


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_passages_also_overlapping_ones(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("docx")
    source = make(folder / "deal.docx")
    document = read(source)
    marks = []
    for number in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(document.text) - 2))
        end = data.draw(st.integers(start + 1, len(document.text)))
        marks.append(mark_of(document, f"{number}a", start, end))
    target = folder / "marked.docx"
    lost = mark_docx(source.read_bytes(), source.name, document.text, document.id, tuple(marks), target)
    held = ranges(target)
    for mark in marks:
        (passage,) = mark.passages
        if passage.label not in lost:
            # Automatic numbers stand in the text alone.
            wanted = re.sub(r"\d\.", "", letters(passage.text))
            # A passage may begin or end within such a number.
            cut = (wanted, wanted.lstrip(".123"), wanted.rstrip("123"), wanted.lstrip(".123").rstrip("123"))
            assert re.sub(r"\d\.", "", held[passage.label]) in cut
    assert looks(target) == looks(source)
    assert read(target).text == document.text


def test_words_in_several_runs_tables_and_chinese(tmp_path):
    source = make(tmp_path / "deal.docx")
    before = source.read_bytes()
    document = read(source)
    wanted = {
        "1a": "shall pay within 30 days", "1b": "三十日内付款", "2a": "Two years from signing.",
        "2b": "The Buyer shall pay within 45 days.",
    }  # fmt: skip
    marks = []
    for label, words in wanted.items():
        start = document.text.index(words)
        marks.append(mark_of(document, label, start, start + len(words)))
    target = tmp_path / "marked.docx"
    assert mark_docx(source.read_bytes(), source.name, document.text, document.id, tuple(marks), target) == []
    assert ranges(target) == {label: letters(words) for label, words in wanted.items()}
    assert source.read_bytes() == before
    assert {c.author for c in docx.Document(str(target)).comments} == {"Antinomy"}
    assert "期限不同" in next(iter(docx.Document(str(target)).comments)).text


def test_every_part_of_the_file_is_kept(tmp_path):
    source = make(tmp_path / "deal.docx")
    with zipfile.ZipFile(source, "a") as file:
        file.writestr("customXml/item9.xml", "<own/>")
    document = read(source)
    target = tmp_path / "marked.docx"
    mark_docx(source.read_bytes(), source.name, document.text, document.id, (mark_of(document, "1a", 0, 12),), target)
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target) as new:
        missing = set(old.namelist()) - set(new.namelist())
        # A part that nothing in the file refers to is no part of the document.
        assert missing <= {"customXml/item9.xml"}
        assert "word/comments.xml" in new.namelist()


def test_a_passage_that_is_not_in_the_body_is_named(tmp_path):
    source = make(tmp_path / "deal.docx")
    text = "Something else entirely. " + read(source).text
    mark = Mark("f", "h", "b", (MarkedPassage("9a", "sha256:x", "p. 1", 0, 24, text[:24]),))
    assert mark_docx(source.read_bytes(), source.name, text, "sha256:x", (mark,), tmp_path / "marked.docx") == ["9a"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"plain"])
def test_a_file_that_changed_is_a_fault(tmp_path, data):
    source = tmp_path / "deal.docx"
    source.write_bytes(data)
    with pytest.raises(ExportError, match="cannot be opened as a Word file"):
        mark_docx(source.read_bytes(), source.name, "text", "sha256:x", (), tmp_path / "marked.docx")
    assert [p.name for p in tmp_path.iterdir()] == ["deal.docx"]
