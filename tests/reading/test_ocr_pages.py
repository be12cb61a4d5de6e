"""Scanned pages through the real models: words, boxes, turned and tilted pages, pages beside text."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from document_invariants import check
from scan_making import CHINESE, ENGLISH, add_scan, read_file

from engine.document import Document, pack
from engine.reading.ocr import choice


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def ink_outside(path: Path, document: Document) -> float:
    """The share of dark pixels of the first page that no character's box covers."""
    with pymupdf.open(path) as file:
        picture = file[0].get_pixmap(dpi=144, colorspace=pymupdf.csGRAY)
    grey = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    dark = grey < 128
    covered = np.zeros_like(dark)
    for x0, y0, x1, y1 in document.boxes.rect[document.boxes.page == 0] * 2:
        covered[max(0, int(y0) - 1) : int(y1) + 2, max(0, int(x0) - 1) : int(x1) + 2] = True
    return float((dark & ~covered).sum() / dark.sum())


def test_an_english_page(tmp_path: Path) -> None:
    file = pymupdf.open()
    add_scan(file, ENGLISH)
    document = read_file(file, tmp_path)
    assert squeezed(document.text) == squeezed("".join(ENGLISH))
    assert [clause.number for clause in document.clauses if clause.number] == ["1", "2", "3"]
    assert "The Buyer shall pay USD 45,000" in document.text
    assert [notice.code for notice in document.notices] == ["recognised"]
    check(document)
    assert ink_outside(tmp_path / "scan.pdf", document) < 0.005


def test_a_chinese_page(tmp_path: Path) -> None:
    file = pymupdf.open()
    add_scan(file, CHINESE, chinese=True)
    document = read_file(file, tmp_path)
    assert squeezed(document.text) == squeezed("".join(CHINESE))
    assert document.language == "zh"
    assert [clause.number for clause in document.clauses if clause.number] == ["第一条", "第二条"]
    assert ink_outside(tmp_path / "scan.pdf", document) < 0.005


@pytest.mark.parametrize(("turn", "tilt"), [(90, 0.0), (180, 2.0), (270, 0.0)])
def test_a_page_that_lies_wrong(tmp_path: Path, turn: int, tilt: float) -> None:
    file = pymupdf.open()
    add_scan(file, ENGLISH, turn=turn, tilt=tilt)
    document = read_file(file, tmp_path)
    assert squeezed(document.text) == squeezed("".join(ENGLISH))
    assert ink_outside(tmp_path / "scan.pdf", document) < 0.01


def test_pages_of_text_and_pictures_in_one_file_and_the_same_each_time(tmp_path: Path) -> None:
    documents = []
    for _ in range(2):
        file = pymupdf.open()
        page = file.new_page(width=300, height=150)
        page.insert_text((24, 36), "Supply Agreement between Alder Ltd and Birch Ltd", fontsize=11)
        add_scan(file, ENGLISH[:2])
        file.set_metadata({})
        documents.append(read_file(file, tmp_path))
    first, second = documents
    assert first.text.startswith("Supply Agreement between")
    assert "The Buyer shall pay" in first.text
    assert [first.quote(page.start, page.end).split()[0] for page in first.pages] == ["Supply", "1."]
    assert (first.text, first.clauses, first.uncertain) == (second.text, second.clauses, second.uncertain)
    assert first.id != second.id or pack(first) == pack(second)


def test_without_a_recogniser_the_rest_is_read_and_the_install_line_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "available", list)
    file = pymupdf.open()
    page = file.new_page(width=300, height=150)
    page.insert_text((24, 36), "Supply Agreement between Alder Ltd and Birch Ltd", fontsize=11)
    add_scan(file, ENGLISH)
    document = read_file(file, tmp_path)
    assert document.text == "Supply Agreement between Alder Ltd and Birch Ltd"
    assert [notice.code for notice in document.notices] == ["no_recogniser", "no_text_layer"]
    assert choice.INSTALL_LINE in document.notices[0].text


def test_switched_off_nothing_is_said_but_that_there_is_no_text(tmp_path: Path) -> None:
    file = pymupdf.open()
    add_scan(file, ENGLISH)
    document = read_file(file, tmp_path, "none")
    assert [notice.code for notice in document.notices] == ["no_text_layer"]


def test_tesseract_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "tessdata_folder", lambda: None)
    assert choice.TESSERACT not in choice.available()
    file = pymupdf.open()
    add_scan(file, ENGLISH)
    assert read_file(file, tmp_path, "tesseract").notices[0].code == "no_recogniser"


def test_the_better_recogniser_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(choice.CHOICE_VARIABLE, raising=False)
    monkeypatch.setattr(choice, "tessdata_folder", lambda: tmp_path)
    assert choice.available() == [choice.RAPIDOCR, choice.TESSERACT]
    assert choice.chosen() == choice.RAPIDOCR
    monkeypatch.setenv(choice.CHOICE_VARIABLE, choice.TESSERACT)
    assert choice.chosen() == choice.TESSERACT
    assert choice.chosen(choice.NONE) == choice.NONE
