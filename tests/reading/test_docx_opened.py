"""A Word file held open: its Document, its pages as images, and python-docx's files read too."""

from __future__ import annotations

import io

import docx
import docx_making as make
import numpy as np
import pytest

from engine.document import ClauseKind, Media, pack, quads
from engine.reading.docx import open_docx
from engine.reading.errors import ReadingError

LEVELS = make.level(0, "decimal", "%1.") + make.level(1, "decimal", "%1.%2") + make.level(2, "lowerLetter", "(%3)")
BODY = (
    make.paragraph(make.run("SERVICES AGREEMENT", "<w:b/>"), '<w:jc w:val="center"/>')
    + make.numbered("Payment", 1)
    + make.numbered("The Buyer shall pay within 30 days.", 1, 1)
    + make.numbered("on receipt of the invoice; and", 1, 2)
    + make.numbered("Term", 1)
    + make.numbered("This Agreement lasts two years.", 1, 1)
)
DATA = make.docx(BODY, numbering=make.numbering(LEVELS))


def test_clauses_carry_the_automatic_numbers() -> None:
    opened = open_docx(DATA, "services.docx")
    with pytest.raises(RuntimeError):
        _ = opened.document
    stages = [stage for stage, _, _ in opened.read()]
    document = opened.document
    opened.close()
    assert set(stages) == {"structure"}
    assert document.media is Media.DOCX
    assert document.name == "services.docx"
    numbers = [clause.number for clause in document.clauses if clause.kind is not ClauseKind.TITLE]
    assert [n for n in numbers if n] == ["1", "1.1", "1.1(a)", "2", "2.1"]
    found = next(clause for clause in document.clauses if clause.number == "2.1")
    assert document.quote(found.body_start, found.end).strip() == "This Agreement lasts two years."


def test_reading_twice_gives_the_same_saved_form() -> None:
    saved = []
    for _ in range(2):
        opened = open_docx(DATA, "services.docx")
        list(opened.read())
        saved.append(pack(opened.document))
        opened.close()
    assert saved[0] == saved[1]


def test_a_page_is_drawn_where_the_boxes_say() -> None:
    opened = open_docx(DATA, "services.docx")
    list(opened.read())
    document = opened.document
    memory = bytearray(8 << 20)
    width, height, stride = opened.render(0, 2.0, (), memoryview(memory))
    opened.close()
    image = np.frombuffer(memory, np.uint8)[: height * stride].reshape(height, stride)[:, : width * 3]
    start = document.text.index("30 days")
    (quad,) = quads(document, start, start + 7)
    inside = image[int(quad.y0 * 2) : int(quad.y1 * 2), int(quad.x0 * 2) * 3 : int(quad.x1 * 2) * 3]
    assert (inside < 128).any()
    above = image[int(quad.y0 * 2) - 200 : int(quad.y0 * 2) - 150, :300]
    assert (above == 255).all()


def test_an_image_that_does_not_fit_is_refused() -> None:
    opened = open_docx(DATA, "services.docx")
    with pytest.raises(ReadingError, match="too large"):
        opened.render(0, 2.0, (), memoryview(bytearray(100)))
    with pytest.raises(ValueError, match="page"):
        opened.render(7, 2.0, (), memoryview(bytearray(100)))
    opened.close()


def test_a_file_of_python_docx_is_read() -> None:
    file = docx.Document()
    file.add_heading("Lease 租赁合同", level=1)
    file.add_paragraph("first", style="List Number")
    file.add_paragraph("second", style="List Number")
    file.add_paragraph("dot", style="List Bullet")
    table = file.add_table(rows=2, cols=2, style="Table Grid")
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Fee"
    table.cell(1, 0).text = "Rent"
    table.cell(1, 1).text = "人民币 500 元"
    stream = io.BytesIO()
    file.save(stream)
    opened = open_docx(stream.getvalue(), "lease.docx")
    source = opened.source
    opened.close()
    assert source.text == "Lease 租赁合同\n1. first\n2. second\n• dot\nFee\nRent\n人民币 500 元"
    assert source.blocks[0].outline_level == 0
    assert [b.table for b in source.blocks[4:]] == [(0, 0, 0), (0, 1, 0), (0, 1, 1)]
