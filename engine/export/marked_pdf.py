"""A copy of a PDF with a highlight and a note on each passage, as any reader of PDFs shows them.

The copy is the original's bytes with the marks appended (an incremental update, ISO 32000-1, 7.5.6), so that
existing signatures still cover what they covered; only a damaged file is written anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.export.errors import ExportError
from engine.export.notes import AUTHOR, note_text, passages_of
from engine.protocol.handover import Mark
from engine.protocol.messages import FaultCode
from engine.reading.mupdf import pymupdf, turned_as_shown

#: Okabe-Ito vermilion and a grey, light enough for words to be read through them.
CONFLICT = (0.96, 0.72, 0.55)
QUIET = (0.84, 0.84, 0.84)


def mark_pdf(
    data: bytes, name: str, document: str, marks: tuple[Mark, ...], target: Path, password: str = ""
) -> Sequence[str]:
    """Write a marked copy of the PDF ``data``, a file called ``name``, to ``target`` (replaced when it is there).

    Returns:
        Labels of the passages that have no place on a page and so got no mark.

    Raises:
        ExportError: the file asks for another password, or its author forbids notes.
        OSError: ``target`` cannot be written.
    """
    draft = target.with_name(target.name + ".new")
    try:
        draft.write_bytes(data)
        # A path of ours: MuPDF chooses by content, whatever the name ends in.
        with pymupdf.open(draft, filetype="pdf") as file:
            _unlock(file, password, name)
            placed = _mark_pages(file, document, marks)
            if file.can_save_incrementally():
                file.saveIncr()
                whole = None
            else:
                whole = file.tobytes(encryption=pymupdf.PDF_ENCRYPT_KEEP)
        if whole is not None:
            draft.write_bytes(whole)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return [passage.label for _, passage in passages_of(marks, document) if passage.label not in placed]


def _unlock(file: Any, password: str, name: str) -> None:
    if file.needs_pass and not file.authenticate(password):
        raise ExportError(FaultCode.WRONG_PASSWORD, "The password for “{name}” is not right any more.", name=name)
    if not file.permissions & pymupdf.PDF_PERM_ANNOTATE:
        raise ExportError(
            FaultCode.UNSUPPORTED_FORMAT,
            "The author of “{name}” does not permit notes in it; hand over the report instead.",
            name=name,
        )


def _mark_pages(file: Any, document: str, marks: tuple[Mark, ...]) -> set[str]:
    """Add the annotations page by page; the labels of what was marked."""
    by_page: dict[int, list[tuple[Mark, Any, list[Any]]]] = {}
    for mark, passage in passages_of(marks, document):
        for page in sorted({quad[0] for quad in passage.quads if 0 <= quad[0] < file.page_count}):
            rectangles = [pymupdf.Rect(quad[1:]) for quad in passage.quads if quad[0] == page]
            by_page.setdefault(page, []).append((mark, passage, rectangles))
    placed: set[str] = set()
    for number, entries in by_page.items():
        page = file.load_page(number)
        as_found = ~turned_as_shown(page)
        for mark, passage, rectangles in entries:
            quads = [(rectangle * as_found).quad for rectangle in rectangles]
            annotation = page.add_highlight_annot(quads=quads)
            annotation.set_colors(stroke=QUIET if mark.quiet else CONFLICT)
            annotation.set_info(title=AUTHOR, content=note_text(mark, passage), subject=mark.heading)
            annotation.update()
            file.xref_set_key(annotation.xref, "NM", pymupdf.get_pdf_str(f"antinomy-{passage.label}"))
            _pair(file, annotation.xref, mark, passage.label)
            placed.add(passage.label)
    return placed


def _pair(file: Any, xref: int, mark: Mark, label: str) -> None:
    """Name the other passages' notes in an entry of our own, for programs; people read it in the note."""
    others = "".join(pymupdf.get_pdf_str(f"antinomy-{o.label}") for o in mark.passages if o.label != label)
    file.xref_set_key(xref, "AntinomyPair", f"[{others}]")
