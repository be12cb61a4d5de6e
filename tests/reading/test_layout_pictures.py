"""Pictures on laid-out pages and out of Word files."""

from __future__ import annotations

import io

import docx
import numpy as np
import pytest

from engine.reading.docx import open_docx
from engine.reading.layout import Alignment, LaidOut, PageGeometry, Paragraph, Picture, lay_out
from engine.reading.layout.images import Images, jpeg_size
from engine.reading.mupdf import pymupdf

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


def picture(kind: str, colour: tuple[int, int, int], *, alpha: bool = False) -> bytes:
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 20), alpha)
    pixmap.set_rect(pixmap.irect, (*colour, 255) if alpha else colour)
    data: bytes = pixmap.tobytes(kind)
    return data


def pixel(pdf: bytes, page: int, x: float, y: float) -> tuple[int, ...]:
    with pymupdf.open("pdf", pdf) as file:
        image = file[page].get_pixmap(colorspace=pymupdf.csRGB)
        found: tuple[int, ...] = image.pixel(int(x), int(y))
    return found


def near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 12 for a, b in zip(found, wanted, strict=True))


def laid(data: bytes, alignment: Alignment = Alignment.LEFT) -> LaidOut:
    return lay_out("below", [Picture(data, 100, 50, alignment), Paragraph(0, 5)])


@pytest.mark.parametrize("kind", ["png", "jpeg"])
def test_a_picture_stands_above_the_text_that_follows(kind: str) -> None:
    result = laid(picture(kind, RED))
    assert near(pixel(result.pdf, 0, 72 + 50, 72 + 25), RED)
    assert near(pixel(result.pdf, 0, 72 + 110, 72 + 25), WHITE)
    assert result.boxes.rect[0, 1] >= 72 + 50


def test_opacity_is_kept() -> None:
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 10, 10), True)
    pixmap.clear_with()
    assert near(pixel(laid(pixmap.tobytes("png")).pdf, 0, 72 + 50, 72 + 25), WHITE)
    assert near(pixel(laid(picture("png", BLUE, alpha=True)).pdf, 0, 72 + 50, 72 + 25), BLUE)


def test_alignment_and_size() -> None:
    small = PageGeometry(300, 300, 36, 36, 36, 36)
    result = lay_out("x", [Picture(picture("png", RED), 9999, 4999), Paragraph(0, 1)], small)
    assert near(pixel(result.pdf, 0, 36 + 5, 36 + 5), RED)
    assert near(pixel(result.pdf, 0, 300 - 30, 36 + 5), WHITE)
    right = laid(picture("png", RED), Alignment.RIGHT)
    assert near(pixel(right.pdf, 0, 595 - 72 - 50, 72 + 25), RED)


PNG_HEAD = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", PNG_HEAD + b"\0" * 40, b"\xff\xd8\xff\xe0\0", b"\xff\xd8\xff" * 9, PNG_HEAD + b"IHDR" * 20]
)
def test_what_cannot_be_shown_leaves_a_frame(data: bytes) -> None:
    result = laid(data)
    assert result.boxes.rect[0, 1] >= 72 + 50
    assert near(pixel(result.pdf, 0, 72 + 50, 72 + 25), WHITE)


def test_a_huge_png_is_refused_unseen() -> None:
    data = bytearray(picture("png", RED))
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    assert Images().add(bytes(data)) is None


def test_the_same_picture_is_kept_once() -> None:
    images = Images()
    assert images.add(picture("png", RED)) == images.add(picture("png", RED)) == "Im0"
    assert images.add(picture("png", BLUE)) == "Im1"


def test_jpeg_sizes() -> None:
    assert jpeg_size(picture("jpeg", RED)) == (40, 20, 3)
    assert jpeg_size(b"\xff\xd8\xff\xda\0\1") is None


def test_a_picture_of_a_word_file_is_shown_and_said() -> None:
    file = docx.Document()
    file.add_paragraph("before")
    file.add_picture(io.BytesIO(picture("png", RED)), width=docx.shared.Pt(200), height=docx.shared.Pt(100))
    file.add_paragraph("after")
    stream = io.BytesIO()
    file.save(stream)
    opened = open_docx(stream.getvalue(), "x.docx")
    assert opened.source.text == "before\nafter"
    assert [n.code for n in opened.source.notices] == ["pictures"]
    top, bottom = opened.source.boxes.rect[0, 3], opened.source.boxes.rect[7, 1]
    assert bottom - top > 90
    memory = bytearray(3 << 20)
    width, height, stride = opened.render(0, 1.0, (), memoryview(memory))
    opened.close()
    rows = np.frombuffer(memory, np.uint8)[: height * stride].reshape(height, stride)[:, : width * 3]
    assert near(tuple(rows[int(top) + 50, 150 * 3 : 151 * 3].tolist()), RED)
