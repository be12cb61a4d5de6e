"""What is a running header or a page number, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf
import pytest
from pdf_making import read, saved, write

from engine.document import FurnitureKind
from engine.reading.pdf.extract import PageLines
from engine.reading.pdf.furniture import furniture_steps
from engine.reading.pdf.line import Line

GOODS = ("apples", "barley", "cotton", "dates", "eggs", "flour", "grapes", "hops")


def body(number: int) -> list[str]:
    """Two lines in words of their own."""
    goods = GOODS[number]
    return [f"The Seller delivers the {goods} to the place that the Buyer names, and the", f"Buyer pays for {goods}."]


def test_one_numbered_line_a_page_stays_text(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for number in range(1, 13):
            write(file.new_page(), [f"{number}. The Buyer shall pay USD {number} within 30 days."])

    document = read(saved(tmp_path, draw))
    assert [clause.number for clause in document.clauses] == [str(number) for number in range(1, 13)]
    assert document.furniture == ()


def test_the_same_line_on_every_page_and_nothing_else_is_the_text(tmp_path: Path) -> None:
    line = "1. Payment. The Buyer shall pay within 30 days."
    document = read(saved(tmp_path, lambda file: [write(file.new_page(), [line]) for _ in range(3)] and None))
    assert document.text == "\n".join([line] * 3)


def test_a_header_is_one_on_a_page_left_blank_too(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for number in range(5):
            page = file.new_page()
            page.insert_text((230, 40), "Agreement of Sale", fontsize=9)
            if number != 2:
                write(page, [f"{number + 1}. Sale.", *body(number)], y=130)

    document = read(saved(tmp_path, draw))
    assert "Agreement of Sale" not in document.text
    assert [furniture.kind for furniture in document.furniture] == [FurnitureKind.HEADER] * 5


def test_clause_numbers_that_hang_left_of_their_text_at_the_top_of_pages(tmp_path: Path) -> None:
    numbers = ["4.8", "6.7", "8.2", "(a)", "(a)", "(a)", "10", "11"]

    def draw(file: pymupdf.Document) -> None:
        for number in numbers:
            page = file.new_page()
            page.insert_text((230, 40), "Agreement of Sale", fontsize=9)
            page.insert_text((295, 800), str(page.number + 1), fontsize=9)
            page.insert_text((72, 74), number, fontsize=11, fontname="tiro")
            write(page, body(page.number), x=108, y=74)

    document = read(saved(tmp_path, draw))
    assert [block[: len(number)] for block, number in zip(document.text.split("\n"), numbers, strict=True)] == numbers
    assert {f.text for f in document.furniture} == {"Agreement of Sale", *"12345678"}


def test_page_numbers_beside_a_running_header(tmp_path: Path) -> None:
    def draw(file: pymupdf.Document) -> None:
        for number in range(1, 6):
            page = file.new_page()
            page.insert_text((72, 40), str(number), fontsize=9)
            page.insert_text((95, 40), "Agreement of Sale", fontsize=9)
            write(page, [f"{number}. Sale.", *body(number)], y=130)

    document = read(saved(tmp_path, draw))
    assert [(f.kind, f.text) for f in document.furniture if f.page == 3] == [
        (FurnitureKind.PAGE_NUMBER, "4"),
        (FurnitureKind.HEADER, "Agreement of Sale"),
    ]


@pytest.mark.parametrize("recognised", [True, False])
def test_a_footer_with_a_misread_letter_on_one_page(recognised: bool) -> None:
    """Recognised lines at one place that nearly agree are one footer; printed ones that differ are not."""
    pages = []
    for index, form in enumerate(("form", "forrn")):
        footer = f"The publisher of this {form} gives no advice."
        lines = [made_line("1. The Buyer pays within thirty days of the invoice.", 100, index, recognised)]
        lines.append(made_line(footer, 760, index, recognised))
        pages.append(PageLines(index, 595, 842, lines, 80, 0))
    steps = furniture_steps(pages, lambda page: False)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            marks = stop.value
            break
    aside = [line.text for page in pages for line in page.lines if line in marks[page.index]]
    assert len(aside) == (2 if recognised else 0)


def made_line(text: str, top: float, page: int, recognised: bool) -> Line:
    rect = np.array([[72 + 5 * at, top, 77 + 5 * at, top + 10] for at in range(len(text))], np.float32)
    line = Line(text, rect, 72, top, 72 + 5 * len(text), top + 10, 10, top + 8, False, False, 0, page=page)
    line.confidence = np.ones(len(text), np.float32) if recognised else None
    return line
