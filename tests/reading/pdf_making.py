"""PDFs written in the tests themselves, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import document_invariants
import pymupdf

from engine.document import Document
from engine.reading.open_file import open_file
from engine.reading.opened import OpenedFile

LEFT, TOP, SIZE, LEADING = 72.0, 90.0, 11.0, 15.0


def write(page: pymupdf.Page, lines: list[str], x: float = LEFT, y: float = TOP, **options: object) -> float:
    """Lines of 11 points below each other; where the next would stand."""
    fontname = "china-s" if any(character > "\u2fff" for line in lines for character in line) else "tiro"
    for line in lines:
        page.insert_text((x, y), line, fontsize=SIZE, fontname=fontname, **options)
        y += LEADING
    return y


def saved(folder: Path, draw: Callable[[pymupdf.Document], None], **options: object) -> str:
    """The path of a PDF that ``draw`` filled."""
    path = folder / "made.pdf"
    with pymupdf.open() as file:
        draw(file)
        file.save(path, **options)
    return str(path)


def opened(path: str, password: str = "") -> OpenedFile:
    """A file opened and read to its end, its invariants checked."""
    file = open_file(path, password)
    for _ in file.read():
        pass
    document_invariants.check(file.document)
    return file


def read(path: str) -> Document:
    """The Document of a file; the file is closed."""
    file = opened(path)
    file.close()
    return file.document
