"""A Word file's pages as LibreOffice renders them, with our text's characters found on them.

The text, its numbers and clauses stay those of our own reading; only where they stand on pages comes from here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.document import CharacterBoxes, Furniture, FurnitureKind, Notice, Page, RevisionView
from engine.reading.docx import libreoffice
from engine.reading.docx.alignment import Places, aligned, folded
from engine.reading.docx.handed_out import for_rendering
from engine.reading.mupdf import DAMAGE, pymupdf
from engine.reading.pdf.extract import extract_page
from engine.reading.pdf.line import Line

#: No form fields and no bookmarks: what is filled in is drawn as text.
TARGET = (
    'pdf:writer_pdf_Export:{"ExportFormFields":{"type":"boolean","value":"false"},'
    '"ExportBookmarks":{"type":"boolean","value":"false"},"UseTaggedPDF":{"type":"boolean","value":"false"}}'
)
#: With a smaller share of our characters found on its pages they are no use.
LEAST_FOUND = 0.8
STAGE = "rendering"
#: A wider gap, in heights of its line, is the way to another cell.
_WIDEST_GAP = 5.0
_Step = tuple[str, int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class Rendering:
    """Pages: an open PDF, the boxes of our text's characters on them, the pages' spans, running heads and feet."""

    pdf: Any
    boxes: CharacterBoxes
    pages: tuple[Page, ...]
    furniture: tuple[Furniture, ...]


def rendered(data: bytes, view: RevisionView, text: str) -> Generator[_Step, None, Rendering | Notice]:
    """Have LibreOffice render a Word file, in short steps; a notice of one sentence where it cannot.

    Args:
        data: the file (OOXML).
        view: the state of its tracked changes.
        text: the canonical text, read in the same state.
    """
    steps = libreoffice.converted(for_rendering(data, view), "docx", TARGET)
    try:
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                pdf = stop.value
                break
            yield STAGE, 0, 0
    except libreoffice.NotInstalled:
        return _fallback("missing", "LibreOffice is not installed; get it from libreoffice.org to see its pages.")
    except libreoffice.TooSlow:
        return _fallback("slow", f"LibreOffice took more than {libreoffice.TIMEOUT_S:.0f} seconds.")
    finally:
        steps.close()
    if pdf is None:
        return _fallback("failed", "LibreOffice could not render this file.")
    try:
        return (yield from _placed(pymupdf.open("pdf", pdf), text))
    except DAMAGE:
        return _fallback("failed", "LibreOffice's pages cannot be read.")


def _fallback(why: str, sentence: str) -> Notice:
    return Notice(f"layout_fallback_{why}", f"{sentence} The pages are laid out by Antinomy.")


def _placed(pdf: Any, text: str) -> Generator[_Step, None, Rendering | Notice]:
    lines: list[Line] = []
    for index in range(pdf.page_count):
        lines.extend(extract_page(pdf[index], index).lines)
        yield STAGE, index, pdf.page_count
    shown = _Shown(lines)
    ours = folded(text)
    inked = np.flatnonzero(ours)
    steps = aligned(ours[inked], shown.codes, shown.line_starts)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found, in_order = stop.value
            break
        yield STAGE, pdf.page_count, pdf.page_count
    if len(inked) and (found >= 0).mean() < LEAST_FOUND:
        pdf.close()
        return _fallback("failed", "LibreOffice shows other words than the file has.")
    places = np.full(len(text), -1, np.int64)
    places[inked] = found
    ordered = np.zeros(len(text), bool)
    ordered[inked] = in_order
    boxes = _boxes(places, shown)
    sizes = [(float(pdf[index].rect.width), float(pdf[index].rect.height)) for index in range(pdf.page_count)]
    return Rendering(pdf, boxes, _pages(sizes, boxes, ordered), _furniture(lines, shown, found))


class _Shown:
    """The inked characters of pages, mostly in the order of the file.

    Attributes:
        codes: as :func:`folded` gives them.
        rect, page: where each stands.
        line: which line as extracted each is of. row: the same, where lines at one height are one.
        line_starts: which begin a row.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        codes = [folded(line.text) for line in lines]
        inked = [code > 0 for code in codes]
        counts = [int(mask.sum()) for mask in inked]
        empty = np.zeros((0, 4), np.float32)
        self.codes = np.concatenate([np.zeros(0, np.uint32), *(c[m] for c, m in zip(codes, inked, strict=True))])
        self.rect = np.concatenate([empty, *(line.rect[m] for line, m in zip(lines, inked, strict=True))])
        self.page = np.repeat(np.array([line.page for line in lines], np.int32), counts)
        self.line = np.repeat(np.arange(len(lines)), counts)
        self.row = np.repeat(np.array(_rows(lines), np.int64), counts)
        # Letters of a second font are drawn after those of the first, so a row is put in order by its places.
        order = np.lexsort((self.rect[:, 0], self.row)) if len(self.row) else np.zeros(0, np.int64)
        upright = np.repeat(np.array([line.turned == 0 for line in lines], np.bool_), counts)
        order = np.where(upright[order] & upright, order, np.arange(len(order)))
        self.codes, self.rect, self.line = self.codes[order], self.rect[order], self.line[order]
        self.line_starts = np.diff(self.row, prepend=-1) > 0


def _rows(lines: Sequence[Line]) -> list[int]:
    """For each line the number of its row: lines that follow each other at one height share one."""
    numbers: list[int] = []
    top = bottom = 0.0
    before: Line | None = None
    for line in lines:
        shared = min(bottom, line.y1) - max(top, line.y0)
        same = (
            before is not None
            and (before.page, before.turned) == (line.page, line.turned)
            and shared > 0.5 * min(bottom - top, line.height)
        )
        top, bottom = (min(top, line.y0), max(bottom, line.y1)) if same else (line.y0, line.y1)
        numbers.append(numbers[-1] + (not same) if numbers else 0)
        before = line
    return numbers


def _boxes(places: Places, shown: _Shown) -> CharacterBoxes:
    """A box for each character: where it was found; between two of one line the gap; else the end of the one before."""
    count = len(places)
    rect, page = np.zeros((count, 4), np.float32), np.zeros(count, np.int32)
    at = np.flatnonzero(places >= 0)
    if not len(at):
        return CharacterBoxes(rect, page)
    rect[at], page[at] = shown.rect[places[at]], shown.page[places[at]]
    lost = np.flatnonzero(places < 0)
    before = np.searchsorted(at, lost) - 1
    known = before >= 0
    source = at[np.maximum(before, 0)]
    rect[lost], page[lost] = rect[source], page[source]
    rect[lost, 0] = np.where(known, rect[source, 2], rect[source, 0])
    rect[lost, 2] = rect[lost, 0]
    _fill_gaps(rect, at, places, shown)
    return CharacterBoxes(rect, page)


def _fill_gaps(rect: NDArray[np.float32], at: Places, places: Places, shown: _Shown) -> None:
    """Characters without a box between two of one line (spaces, signs that a font lacks) share the gap."""
    for low, high in zip(at[:-1].tolist(), at[1:].tolist(), strict=True):
        missing = high - low - 1
        if not missing or shown.row[places[low]] != shown.row[places[high]]:
            continue
        left, right = float(rect[low, 2]), float(rect[high, 0])
        if not 0 < right - left < _WIDEST_GAP * (rect[low, 3] - rect[low, 1]):
            continue
        edges = np.linspace(left, right, missing + 1, dtype=np.float32)
        between = slice(low + 1, high)
        rect[between, 0], rect[between, 2] = edges[:-1], edges[1:]
        rect[between, 1], rect[between, 3] = rect[low, 1], rect[low, 3]


def _pages(sizes: Sequence[tuple[float, float]], boxes: CharacterBoxes, ordered: NDArray[np.bool_]) -> tuple[Page, ...]:
    """The pages with their spans of the text, which they cover without gaps; notes set elsewhere do not count."""
    total = len(ordered)
    first = np.full(len(sizes) + 1, total, np.int64)
    at = np.flatnonzero(ordered)
    np.minimum.at(first, boxes.page[at], at)
    first[0] = 0
    first = np.minimum.accumulate(first[::-1])[::-1]
    return tuple(
        Page(index, width, height, int(first[index]), int(first[index + 1]), str(index + 1))
        for index, (width, height) in enumerate(sizes)
    )


def _furniture(lines: Sequence[Line], shown: _Shown, found: Places) -> tuple[Furniture, ...]:
    """Lines with none of our words above all that have some, or below: heads, feet and page numbers."""
    ours = np.zeros(len(lines), bool)
    ours[shown.line[found[found >= 0]]] = True
    bounds: dict[int, tuple[float, float]] = {}
    for line, mine in zip(lines, ours.tolist(), strict=True):
        if mine:
            low, high = bounds.get(line.page, (line.y0, line.y1))
            bounds[line.page] = min(low, line.y0), max(high, line.y1)
    made = []
    for line, mine in zip(lines, ours.tolist(), strict=True):
        top, bottom = bounds.get(line.page, (0.0, 0.0))
        if mine or (top < line.y1 and line.y0 < bottom):
            continue
        kind = FurnitureKind.HEADER if line.y1 <= top else FurnitureKind.FOOTER
        if line.text.strip("-–— ").isdecimal():
            kind = FurnitureKind.PAGE_NUMBER
        low, high = line.rect[:, :2].min(axis=0), line.rect[:, 2:].max(axis=0)
        box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        made.append(Furniture(kind, line.page, line.text, box))
    return tuple(made)
