"""Checks the character boxes of PDFs against the ink of their drawn pages.

    python tests/accuracy/check_pdf_boxes.py FOLDER [--dpi 100] [--most-mb 2]

For every PDF under FOLDER (or $ANTINOMY_DATA), on every page, both ways: a character that shows must have ink in
its box, and ink must lie in the box of a character or of furniture. Pictures and drawn shapes have ink too, so
the second number is given for pages without them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.document import Document
from engine.reading.errors import ReadingError
from engine.reading.mupdf import pymupdf
from engine.reading.pdf import open_pdf

#: A pixel this much darker or lighter than the page's commonest grey is ink, of 255.
CONTRAST = 40
#: Glyphs reach a little beyond their boxes (italics, accents), in pixels.
SLACK_PX = 2
#: Pages with a smaller share than these of characters on ink, or of ink in boxes, are named.
LEAST_ON_INK, LEAST_COVERED = 0.99, 0.97


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")


def ink_of(page: pymupdf.Page, scale: float) -> NDArray[np.bool_]:
    """The pixels of a page that differ from its ground, ``[height, width]``."""
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    grey = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]
    ground = int(np.bincount(grey.ravel(), minlength=256).argmax())
    return np.abs(grey.astype(np.int16) - ground) > CONTRAST


def check_page(
    document: Document, index: int, ink: NDArray[np.bool_], scale: float
) -> tuple[int, int, float, list[str]]:
    """(characters that show, those with ink in their boxes, share of the ink in boxes, some without ink)."""
    height, width = ink.shape
    total = np.zeros((height + 1, width + 1), np.int64)
    total[1:, 1:] = ink.cumsum(0).cumsum(1)
    covered = np.zeros_like(ink)
    rects = document.boxes.rect
    here = np.flatnonzero(document.boxes.page == index)
    shown = on_ink = 0
    bare: list[str] = []
    for at in here:
        if document.text[at].isspace() or rects[at, 2] <= rects[at, 0]:
            continue
        x0, y0, x1, y1 = _pixels(rects[at].tolist(), scale, width, height)
        shown += 1
        covered[y0:y1, x0:x1] = True
        if total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0] > 0:
            on_ink += 1
        else:
            bare.append(document.text[max(0, at - 12) : at + 12].replace("\n", " "))
    for furniture in document.furniture:
        if furniture.page == index:
            x0, y0, x1, y1 = _pixels(furniture.box, scale, width, height)
            covered[y0:y1, x0:x1] = True
    inked = int(ink.sum())
    return shown, on_ink, float((ink & covered).sum()) / inked if inked else 1.0, bare[:2]


def _pixels(box: Sequence[float], scale: float, width: int, height: int) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = (value * scale for value in box)
    low = max(0, min(width, int(x0) - SLACK_PX)), max(0, min(height, int(y0) - SLACK_PX))
    high = max(0, min(width, int(x1) + 1 + SLACK_PX)), max(0, min(height, int(y1) + 1 + SLACK_PX))
    return low[0], low[1], high[0], high[1]


def check(path: Path, dpi: float) -> tuple[int, int]:
    """(characters that show, those on ink) of a file; names its bad pages."""
    data = path.read_bytes()
    opened = open_pdf(data, path.name, "")
    for _ in opened.read():
        pass
    document = opened.document
    opened.close()
    shown = on_ink = 0
    with pymupdf.open(stream=data, filetype="pdf") as file:
        for index in range(file.page_count):
            page = file[index]
            ink = ink_of(page, dpi / 72)
            some, good, share, bare = check_page(document, index, ink, dpi / 72)
            shown, on_ink = shown + some, on_ink + good
            plain = not page.get_image_info() and not page.get_cdrawings() and page.first_annot is None
            if good < LEAST_ON_INK * some or (plain and share < LEAST_COVERED):
                text = f"{some - good} of {some} characters without ink, {share:.1%} of the ink in boxes"
                say(f"{path.name} page {index + 1}: {text} {bare}")
    return shown, on_ink


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--dpi", type=float, default=100.0)
    parser.add_argument("--most-mb", type=float, default=1e9, help="larger files are left out")
    arguments = parser.parse_args()
    if not arguments.folder:
        say("Name a folder with .pdf files (or set ANTINOMY_DATA).")
        return 2
    shown = on_ink = files = 0
    for path in sorted(Path(arguments.folder).rglob("*.[pP][dD][fF]")):
        if path.stat().st_size > arguments.most_mb * 1e6:
            continue
        try:
            some, good = check(path, arguments.dpi)
        except ReadingError as error:
            say(f"{path.name}: {error}")
            continue
        shown, on_ink, files = shown + some, on_ink + good, files + 1
    say(f"characters with ink in their boxes: {on_ink} of {shown} in {files} files")
    return 0 if on_ink == shown else 1


if __name__ == "__main__":
    raise SystemExit(main())
