"""Checks the character boxes of Word files against their drawn pages, ours or LibreOffice's.

    python tests/accuracy/check_docx_boxes.py FOLDER [--layout libreoffice] [--dpi 100]

For every .docx under FOLDER (or $ANTINOMY_DATA), on every page: a character that shows must have ink in its box, and
ink must lie in the box of a character or of furniture (as in ``check_pdf_boxes``; given for pages without pictures and
drawn shapes). On our own pages a box that MuPDF found for the drawn page must also lie where ours lies, to half a
point; boxes to tick are drawn as lines and counted apart.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from check_pdf_boxes import LEAST_COVERED, check_page, ink_of

from engine.document import LIBREOFFICE, Document
from engine.reading.docx import open_docx
from engine.reading.errors import ReadingError
from engine.reading.layout.fonts import TICK_BOXES
from engine.reading.mupdf import pymupdf

TOLERANCE_PT = 0.5


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")


def drawn_boxes(page: pymupdf.Page) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The boxes of all inked characters that MuPDF finds on a page, ``[n, 4]``."""
    blocks = page.get_text("rawdict", flags=0)["blocks"]
    spans = [span for block in blocks for line in block["lines"] for span in line["spans"]]
    found = [c["bbox"] for span in spans for c in span["chars"] if not c["c"].isspace()]
    return np.array(found, np.float64).reshape(-1, 4)


def elsewhere(document: Document, pdf: pymupdf.Document) -> list[str]:
    """The characters that are drawn elsewhere than their boxes say."""
    wrong = []
    rect = document.boxes.rect
    for page in document.pages:
        drawn = drawn_boxes(pdf[page.index])
        for i in range(page.start, page.end):
            character = document.text[i]
            if character.isspace() or rect[i, 2] <= rect[i, 0] or character in TICK_BOXES:
                continue
            away = np.abs(drawn[:, [0, 2]] - rect[i, [0, 2]]).max(1) + np.abs(drawn[:, 3] - rect[i, 3])
            if away.size == 0 or away.min() > TOLERANCE_PT:
                wrong.append(f"page {page.index + 1}, offset {i}: {character!r}")
    return wrong


def check(path: Path, layout: str, dpi: float) -> tuple[int, int, int, list[str]]:
    """(characters of the text, those with boxes, those with ink in them, what is wrong in words)."""
    opened = open_docx(path.read_bytes(), path.name, layout=layout)
    for _ in opened.read():
        pass
    document = opened.document
    wrong = [notice.text for notice in document.notices if notice.code.startswith("layout")]
    shown = on_ink = 0
    with pymupdf.open("pdf", opened.laid_out_pdf()) as pdf:
        if document.rendered_by != LIBREOFFICE:
            wrong += elsewhere(document, pdf)
        for index in range(pdf.page_count):
            page = pdf[index]
            some, good, share, bare = check_page(document, index, ink_of(page, dpi / 72), dpi / 72)
            shown, on_ink = shown + some, on_ink + good
            plain = not page.get_image_info() and not page.get_cdrawings()
            if good < some or (plain and share < LEAST_COVERED):
                text = f"{some - good} of {some} characters without ink, {share:.1%} of the ink in boxes"
                wrong.append(f"page {index + 1}: {text} {bare}")
    opened.close()
    return sum(not character.isspace() for character in document.text), shown, on_ink, wrong


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--layout", default="", choices=("", LIBREOFFICE), help="whose pages")
    parser.add_argument("--dpi", type=float, default=100.0)
    arguments = parser.parse_args()
    if not arguments.folder:
        say("Name a folder with .docx files (or set ANTINOMY_DATA).")
        return 2
    characters = shown = on_ink = 0
    for path in sorted(Path(arguments.folder).rglob("*.docx")):
        try:
            some, boxed, good, wrong = check(path, arguments.layout, arguments.dpi)
        except ReadingError as error:
            say(f"{path.name}: {error}")
            continue
        characters, shown, on_ink = characters + some, shown + boxed, on_ink + good
        for line in wrong:
            say(f"{path.name}: {line}")
    say(f"characters with a box: {shown} of {characters}; with ink in it: {on_ink}")
    return 0 if on_ink == shown else 1


if __name__ == "__main__":
    raise SystemExit(main())
