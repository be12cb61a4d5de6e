"""A marked copy and a report through the real reader process."""

from __future__ import annotations

from pathlib import Path

import docx
import pymupdf
import pytest

from engine.document import quads
from engine.protocol.handover import Form, Mark, MarkedPassage, Report
from engine.protocol.messages import FaultCode, HandOver
from gui.processes.supervisor import Supervisor

WORDS = "The Buyer shall pay within 30 days."


def write_pdf(path: Path) -> None:
    lock = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "o", "user_pw": "u"}
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 100), f"1. Payment. {WORDS}")
        file.save(path, **lock, permissions=pymupdf.PDF_PERM_ANNOTATE)


def write_docx(path: Path) -> None:
    file = docx.Document()
    file.add_paragraph(WORDS)
    file.save(str(path))


@pytest.fixture
def real(make_ear):
    supervisor = Supervisor()
    ear = make_ear(supervisor)
    supervisor.start()
    yield supervisor, ear
    supervisor.close()


@pytest.mark.parametrize(("name", "form"), [("a.pdf", Form.PDF), ("a.docx", Form.DOCX), ("a.docx", Form.PDF)])
def test_a_marked_copy(real, tmp_path, name, form):
    supervisor, ear = real
    source, target = tmp_path / name, tmp_path / f"marked.{form}"
    (write_pdf if name == "a.pdf" else write_docx)(source)
    job = supervisor.open_document(source, "u" if name == "a.pdf" else "")
    ended, (_, document) = ear.wait_for_end(job)
    assert ended == "document_read"
    start = document.text.index(WORDS)
    boxes = tuple((q.page, q.x0, q.y0, q.x1, q.y1) for q in quads(document, start, start + len(WORDS)))
    passage = MarkedPassage("1a", document.id, "p. 1", start, start + len(WORDS), WORDS, boxes)
    order = HandOver(
        0, form, str(target), document=document.id, source=str(source), is_pdf=name == "a.pdf", text=document.text,
        marks=(Mark("f", "heading", "body", (passage,)),),
    )  # fmt: skip
    name_of_end, (_, answer) = ear.wait_for_end(supervisor.hand_over(order))
    assert (name_of_end, answer.target, answer.left_out) == ("handed_over", str(target), ())
    if form is Form.DOCX:
        assert [comment.author for comment in docx.Document(str(target)).comments] == ["Antinomy"]
    else:
        with pymupdf.open(target) as file:
            assert file.authenticate("u") or not file.needs_pass
            page = file[0]
            assert [note.info["title"] for note in page.annots()] == ["Antinomy"]


def test_a_report_and_a_refusal(real, tmp_path):
    supervisor, ear = real
    report = Report("Review", "en", (), (), "Findings", ("a", "b", "c", "d", "e"), "Details", ())
    ended, _ = ear.wait_for_end(supervisor.hand_over(HandOver(0, Form.PDF, str(tmp_path / "r.pdf"), report)))
    assert ended == "handed_over"
    order = HandOver(0, Form.PDF, str(tmp_path / "no" / "r.pdf"), report)
    ended, (_, fault) = ear.wait_for_end(supervisor.hand_over(order))
    assert (ended, fault.code) == ("job_failed", FaultCode.UNREADABLE_FILE)
