"""Small scanned pages: words drawn, taken as a picture, put into a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pymupdf

from engine.document import Document
from engine.protocol.messages import ReadingOptions
from engine.reading.open_file import open_file

ENGLISH = (
    "1. Term. This Agreement begins on 1 May 2024.",
    "2. Payment. The Buyer shall pay USD 45,000",
    "within 30 days of the invoice.",
    "3. Notice. Either party may end it by notice.",
)
CHINESE = ("第一条 租赁期限", "租赁期为三年，自2024年5月1日起计算。", "第二条 租金", "乙方应于每月五日前支付租金。")


def drawn_page(lines: Sequence[str], chinese: bool = False) -> pymupdf.Document:
    """A page of 300 by 150 points with some lines of text."""
    file = pymupdf.open()
    page = file.new_page(width=300, height=150)
    for row, line in enumerate(lines):
        page.insert_text((24, 36 + 24 * row), line, fontsize=11, fontname="china-s" if chinese else "helv")
    return file


def add_scan(
    target: pymupdf.Document, lines: Sequence[str], chinese: bool = False, turn: int = 0, tilt: float = 0.0
) -> None:
    """Add a page that is a picture of lines, turned by quarters and tilted, in degrees clockwise."""
    with drawn_page(lines, chinese) as source:
        matrix = pymupdf.Matrix(3, 3) * pymupdf.Matrix(turn + tilt)
        picture = source[0].get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY)
    page = target.new_page(width=picture.width / 3, height=picture.height / 3)
    page.insert_image(page.rect, pixmap=picture)


def read_file(file: pymupdf.Document, folder: Path, recogniser: str = "") -> Document:
    """Save and read a PDF."""
    path = folder / "scan.pdf"
    file.save(path)
    file.close()
    opened = open_file(str(path), "", ReadingOptions(recogniser=recogniser))
    for _ in opened.read():
        pass
    document = opened.document
    opened.close()
    return document
