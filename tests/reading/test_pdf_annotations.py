"""Annotations of a PDF: kept with author, words and place, on turned pages too, and not part of the text."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdf_making import opened, saved, write

from engine.document import quads


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_highlight_keeps_its_words_and_its_author(tmp_path: Path, turn: int) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["1. The Buyer shall pay within 30 days.", "2. The Seller delivers."])
        page.set_rotation(turn)
        note = page.add_highlight_annot(page.search_for("within 30 days")[0])
        note.set_info(title="李伟", content="Or 45?")
        note.update()

    file = opened(saved(tmp_path, draw))
    document = file.document
    (remark,) = document.remarks
    assert (remark.kind, remark.author, remark.text) == ("highlight", "李伟", "Or 45?")
    assert document.quote(remark.start, remark.end) == "within 30 days"
    (quad,) = quads(document, remark.start, remark.end)
    x0, y0, x1, y1 = remark.box
    assert x0 - 1 <= (quad.x0 + quad.x1) / 2 <= x1 + 1
    assert y0 - 1 <= (quad.y0 + quad.y1) / 2 <= y1 + 1
    assert "45" not in document.text
    file.close()


def test_notes_stamps_and_drawings_are_kept_without_words(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, ["1. The Buyer pays."])
        page.add_stamp_annot(pymupdf.Rect(300, 300, 400, 340), stamp=0)
        page.add_freetext_annot(pymupdf.Rect(100, 500, 200, 540), "signed in two copies")
        page.add_strikeout_annot(pymupdf.Rect(10, 700, 40, 710))

    file = opened(saved(tmp_path, draw))
    document = file.document
    assert [remark.kind for remark in document.remarks] == ["stamp", "free_text", "strike_out"]
    assert document.remarks[1].text == "signed in two copies"
    assert all(remark.start == remark.end == -1 for remark in document.remarks)
    assert document.text == "1. The Buyer pays."
    file.close()


def test_a_file_without_annotations_has_no_remarks(tmp_path: Path) -> None:
    file = opened(saved(tmp_path, lambda made: write(made.new_page(), ["1. The Buyer pays."])))
    assert file.document.remarks == ()
    file.close()
