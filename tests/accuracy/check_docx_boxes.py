"""Checks the character boxes of laid-out Word files against what MuPDF finds on the drawn pages.

    python tests/accuracy/check_docx_boxes.py FOLDER

For every character that shows ink, on every page of every .docx under FOLDER (or $ANTINOMY_DATA), a box that
MuPDF found for the drawn page must lie where ours lies, to half a point. Boxes to tick are drawn as lines
and counted apart.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

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


def check(path: Path) -> tuple[int, int, list[str]]:
    """(characters checked, boxes to tick, those that are elsewhere in words)."""
    opened = open_docx(path.read_bytes(), path.name)
    source = opened.source
    checked, ticks = 0, 0
    wrong = []
    rect = source.boxes.rect
    for page in source.pages:
        drawn = drawn_boxes(opened._pdf[page.index])
        for i in range(page.start, page.end):
            character = source.text[i]
            if character.isspace() or rect[i, 2] <= rect[i, 0]:
                continue
            if character in TICK_BOXES:
                ticks += 1
                continue
            checked += 1
            away = np.abs(drawn[:, [0, 2]] - rect[i, [0, 2]]).max(1) + np.abs(drawn[:, 3] - rect[i, 3])
            if away.size == 0 or away.min() > TOLERANCE_PT:
                wrong.append(f"page {page.index + 1}, offset {i}: {character!r}")
    opened.close()
    return checked, ticks, wrong


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    arguments = parser.parse_args()
    if not arguments.folder:
        say("Name a folder with .docx files (or set ANTINOMY_DATA).")
        return 2
    total, all_ticks, failed = 0, 0, 0
    for path in sorted(Path(arguments.folder).rglob("*.docx")):
        try:
            checked, ticks, wrong = check(path)
        except ReadingError as error:
            say(f"{path.name}: {error}")
            continue
        total, all_ticks, failed = total + checked, all_ticks + ticks, failed + len(wrong)
        for line in wrong:
            say(f"{path.name}: {line}")
    say(f"characters whose box is where they are drawn: {total - failed} of {total}; boxes to tick: {all_ticks}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
