"""Orders to hand over, carried out or refused in one sentence; the source is never touched."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import docx
import pymupdf
import pytest

from engine.export.errors import ExportError
from engine.export.hand_over import hand_over
from engine.protocol.handover import Form, Mark, MarkedPassage, Report
from engine.protocol.messages import HandOver
from engine.reading.open_file import open_file

REPORT = Report("Review", "en", (), (), "Findings", ("No.", "Severity", "Kind", "Summary", "Decision"), "Details", ())
WORDS = "The Buyer shall pay within 30 days."


def no_pdf(document: str) -> None:
    return None


def read(path: Path):
    file = open_file(str(path), "")
    for _ in file.read():
        pass
    return file


@pytest.fixture
def source(tmp_path) -> Path:
    path = tmp_path / "deal.docx"
    file = docx.Document()
    file.add_paragraph(WORDS)
    file.save(str(path))
    return path


def order_of(source: Path, target: Path, form: Form) -> tuple[HandOver, bytes]:
    file = read(source)
    document, pages = file.document, file.laid_out_pdf()
    file.close()
    start = document.text.index(WORDS)
    box = document.boxes.rect[start]
    quad = (0, float(box[0]), float(box[1]), float(box[2]) + 100, float(box[3]))
    passage = MarkedPassage("1a", document.id, "p. 1", start, start + len(WORDS), WORDS, (quad,))
    marks = (Mark("f", "heading", "body", (passage,)),)
    order = HandOver(
        1, form, str(target), document=document.id, source=str(source), is_pdf=False, text=document.text, marks=marks
    )
    return order, pages


def test_a_word_file_as_word_and_as_its_pages(source, tmp_path):
    order, pages = order_of(source, tmp_path / "out.docx", Form.DOCX)
    assert hand_over(order, no_pdf) == []
    assert [c.author for c in docx.Document(str(tmp_path / "out.docx")).comments] == ["Antinomy"]
    order, pages = order_of(source, tmp_path / "out.pdf", Form.PDF)
    assert hand_over(order, lambda document: pages if document == order.document else None) == []
    with pymupdf.open(tmp_path / "out.pdf") as file:
        page = file[0]
        assert [note.info["title"] for note in page.annots()] == ["Antinomy"]
    with pytest.raises(ExportError, match="not open any more"):
        hand_over(order, no_pdf)


@pytest.mark.parametrize("form", list(Form))
def test_a_report(tmp_path, form):
    target = tmp_path / f"report.{form}"
    assert hand_over(HandOver(1, form, str(target), REPORT), no_pdf) == ()
    assert target.stat().st_size > 1000


def test_the_contract_itself_is_no_target(source):
    order, _ = order_of(source, source, Form.DOCX)
    before = source.read_bytes()
    with pytest.raises(ExportError, match="the contract itself"):
        hand_over(order, no_pdf)
    assert source.read_bytes() == before


def test_a_source_that_changed_or_went_away(source, tmp_path):
    order, _ = order_of(source, tmp_path / "out.docx", Form.DOCX)
    source.write_bytes(source.read_bytes() + b" ")
    with pytest.raises(ExportError, match="has changed"):
        hand_over(order, no_pdf)
    source.unlink()
    with pytest.raises(ExportError, match="not there any more"):
        hand_over(order, no_pdf)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_nothing(tmp_path):
    with pytest.raises(ExportError, match="choose another folder"):
        hand_over(HandOver(1, Form.PDF, str(tmp_path / "none" / "report.pdf"), REPORT), no_pdf)


def test_a_full_disk(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ExportError, match="no room on the disk"):
        hand_over(HandOver(1, Form.PDF, str(tmp_path / "report.pdf"), REPORT), no_pdf)
    assert list(tmp_path.iterdir()) == []
