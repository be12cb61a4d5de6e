"""Each character's box against the ink of its drawn page: turned, shifted and scaled pages, both languages.

Both ways: every character that shows has ink in its box, and no ink lies outside all boxes. What is drawn is what
the reader draws for the window, so boxes and pictures are of one frame.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf
import pytest
from numpy.typing import NDArray
from pdf_making import LEADING, opened, saved, write

from engine.document import Document
from engine.reading.opened import OpenedFile

SCALE = 2.0
#: Accents and italics reach a little beyond a glyph's box.
SLACK_PX = 2
LINES = [
    "1. Payment. The Buyer shall pay USD 45,000 within thirty (30) days;",
    "2. Notices. Flügel & Söhne — “affiliates”, offices, fjord, æther.",
    "第三条 租金为人民币叁万元整（￥30,000.00），乙方应于每月五日前支付。",
    "第四条 本合同一式两份，甲乙双方各执一份。",
]
PROSE = ["The Seller delivers the goods to the warehouse.", "Risk passes on delivery.", "The Buyer insures them."]


def drawn(file: OpenedFile, page: int) -> NDArray[np.bool_]:
    """The ink of a page as the window sees it, ``[height, width]``."""
    size = file.page_sizes[page]
    memory = bytearray(int((size.width_pt * SCALE + 2) * (size.height_pt * SCALE + 2) * 3.2) + 4096)
    width, height, stride = file.render(page, SCALE, (), memoryview(memory))
    rows = np.frombuffer(memory, np.uint8)[: height * stride].reshape(height, stride)[:, : width * 3]
    return rows.reshape(height, width, 3).min(axis=2) < 200


def check_boxes(file: OpenedFile) -> int:
    """Assert both ways for all pages; the number of characters looked at."""
    document: Document = file.document
    looked_at = 0
    for page in document.pages:
        ink = drawn(file, page.index)
        covered = np.zeros_like(ink)
        for at in np.flatnonzero(document.boxes.page == page.index).tolist():
            if document.text[at].isspace():
                continue
            x0, y0, x1, y1 = document.boxes.rect[at] * SCALE
            assert x1 > x0, document.text[max(0, at - 5) : at + 5]
            assert y1 > y0, document.text[max(0, at - 5) : at + 5]
            rows = slice(max(0, int(y0) - SLACK_PX), int(np.ceil(y1)) + SLACK_PX)
            columns = slice(max(0, int(x0) - SLACK_PX), int(np.ceil(x1)) + SLACK_PX)
            assert ink[rows, columns].any(), (page.index, document.text[max(0, at - 8) : at + 8])
            covered[rows, columns] = True
            looked_at += 1
        assert not (ink & ~covered).any(), f"ink outside all boxes on page {page.index}"
    return looked_at


def font_file() -> bytes:
    """A font with Latin and Chinese letters, to embed."""
    data: bytes = pymupdf.Font("china-s").buffer
    return data


def fill(page: pymupdf.Page) -> None:
    """The lines, in a font of their own and a smaller one."""
    page.insert_font("han", fontbuffer=font_file())
    for number, line in enumerate(LINES):
        page.insert_text((72, 120 + 30 * number), line, fontname="han", fontsize=11 if number % 2 else 8)
    write(page, ["The office is efficient; affiliates waffle."], 72, 300)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("frame", ["plain", "media", "crop", "both"])
def test_turned_and_shifted_pages(tmp_path: Path, rotation: int, frame: str) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        fill(page)
        if frame in ("media", "both"):
            page.set_mediabox(pymupdf.Rect(-30, -40, 610, 900))
        if frame in ("crop", "both"):
            page.set_cropbox(pymupdf.Rect(20, 30, 580, 800))
        page.set_rotation(rotation)

    file = opened(saved(tmp_path, draw))
    assert check_boxes(file) > 200
    file.close()


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("unit", [0.5, 2.0, 3.7])
def test_pages_in_another_unit(tmp_path: Path, unit: float, rotation: int) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page(width=595, height=420)
        fill(page)
        file.xref_set_key(page.xref, "UserUnit", str(unit))
        page.set_rotation(rotation)

    file = opened(saved(tmp_path, draw))
    assert check_boxes(file) > 200
    file.close()


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_text_that_runs_the_other_way_than_its_page(tmp_path: Path, rotation: int) -> None:
    """A landscape table in a portrait page: the text is turned and the page is not."""

    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        x, y = {90: (120, 700), 180: (520, 700), 270: (500, 120)}[rotation]
        for number, line in enumerate(["Rent is due on the first of each month.", "Interest runs at 5 %."]):
            step = LEADING * number
            at = {90: (x + step, y), 180: (x, y - step), 270: (x - step, y)}[rotation]
            page.insert_text(at, line, fontsize=11, rotate=rotation)

    file = opened(saved(tmp_path, draw))
    assert check_boxes(file) > 40
    file.close()


def test_pages_of_mixed_sizes_and_turns_in_one_file(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        sizes = ((595, 842), (842, 595), (420, 595), (1224, 792))
        for size, turn, line in zip(sizes, (0, 90, 270, 180), LINES[1:2] + PROSE, strict=True):
            page = file.new_page(width=size[0], height=size[1])
            write(page, [line])
            page.set_rotation(turn)

    file = opened(saved(tmp_path, draw))
    assert check_boxes(file) > 120
    file.close()


def test_letters_of_a_ligature_share_its_box(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        writer = pymupdf.TextWriter(page.rect)
        writer.append((72, 120), "The o\ufb03ce of A\ufb01n, in con\ufb02ict.", font=pymupdf.Font("cjk"))
        writer.write_text(page)

    file = opened(saved(tmp_path, draw))
    document = file.document
    assert document.text == "The office of Afin, in conflict."
    widths = document.boxes.rect[:, 2] - document.boxes.rect[:, 0]
    at = document.text.index("ffi")
    assert widths[at : at + 3] == pytest.approx([widths[at]] * 3, rel=0.01)
    check_boxes(file)
    file.close()


@pytest.mark.parametrize("unit", [1.0, 2.0])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_an_annotations_words_on_turned_pages_in_another_unit(tmp_path: Path, rotation: int, unit: float) -> None:
    def draw(file: pymupdf.Document) -> None:
        page = file.new_page()
        write(page, PROSE)
        page.add_highlight_annot(page.search_for("Risk passes")).update()
        file.xref_set_key(page.xref, "UserUnit", str(unit))
        page.set_rotation(rotation)

    file = opened(saved(tmp_path, draw))
    [remark] = file.document.remarks
    assert file.document.quote(remark.start, remark.end) == "Risk passes"
    file.close()
