"""What a PDF says of its own structure: the outline (bookmarks), and links from words to places.

Source: ISO 32000-1, 12.3.3 (document outline), 12.5.6.5 (link annotations).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from engine.document import CharacterBoxes, CrossReference, CrossReferenceKind, OutlineEntry, Page
from engine.reading.mupdf import DAMAGE, pymupdf
from engine.reading.source import Block, BlockKind

_BAD_OUTLINE: tuple[type[Exception], ...] = (*DAMAGE, RecursionError, KeyError)
#: More entries and links than this are not read; titles are cut there.
MAX_ENTRIES, MAX_LINKS_A_PAGE, MAX_TITLE = 5_000, 500, 300
#: A heading may stand so far above the place that an entry or a link names, in points.
_ABOVE_PT = 12.0
#: A paragraph longer than this times its title is not its title alone.
_MUCH_LONGER = 1.3
#: Letters and digits of a number before a title: "Section 12.3.4".
_LONGEST_NUMBER = 14
_NOT_WORDS = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"(?P<number>\d{1,3})\s*\S")
#: A footnote's mark is smaller than the words before it by this factor.
_SMALLER = 0.85


@dataclasses.dataclass(frozen=True, slots=True)
class PdfLink:
    """A link's box on its page, and the page and height that it leads to (points; -1 for the page's top)."""

    page: int
    box: tuple[float, float, float, float]
    to_page: int
    to_y_pt: float


def outline_of(file: Any) -> tuple[OutlineEntry, ...]:
    """The outline of an opened PDF as it stands in the file; empty without one, or with a damaged one."""
    try:
        lines = file.get_toc(simple=False)
    except _BAD_OUTLINE:
        return ()
    found = []
    for level, title, page, details in lines[:MAX_ENTRIES]:
        place = details.get("to") if isinstance(details, dict) else None
        inside = 1 <= page <= file.page_count
        y = float(place.y) if inside and place is not None and np.isfinite(place.y) else -1.0
        words = " ".join(str(title).split())[:MAX_TITLE]
        if words:
            found.append(OutlineEntry(words, max(0, int(level) - 1), page - 1 if inside else -1, y))
    return tuple(found)


def links_of(page: Any, index: int) -> list[PdfLink]:
    """The links of a page to places in the same file; none of a turned page, whose boxes MuPDF gives unturned."""
    if page.rotation or page.first_link is None:
        return []
    found = []
    for link in page.get_links()[:MAX_LINKS_A_PAGE]:
        if link.get("kind") not in (pymupdf.LINK_GOTO, pymupdf.LINK_NAMED) or not isinstance(link.get("page"), int):
            continue
        if not 0 <= link["page"] < page.parent.page_count:
            continue
        to = link.get("to")
        y = float(to.y) if to is not None and hasattr(to, "y") and np.isfinite(to.y) else -1.0
        box = link["from"]
        found.append(PdfLink(index, (box.x0, box.y0, box.x1, box.y1), link["page"], y))
    return found


def place_outline(
    entries: Sequence[OutlineEntry], text: str, boxes: CharacterBoxes, blocks: Sequence[Block]
) -> tuple[tuple[OutlineEntry, ...], tuple[Block, ...]]:
    """The entries with the places of their headings, and the blocks with what the outline says of them."""
    if not entries:
        return (), tuple(blocks)
    by_page: dict[int, list[int]] = {}
    for at, block in enumerate(blocks):
        if block.kind is BlockKind.PARAGRAPH:
            by_page.setdefault(int(boxes.page[block.start]), []).append(at)
    told = list(blocks)
    placed = []
    for entry in entries:
        at = _block_of(entry, text, boxes, blocks, by_page.get(entry.page, ()))
        if at < 0:
            placed.append(entry)
            continue
        block = blocks[at]
        placed.append(msgspec.structs.replace(entry, start=block.start))
        end = _end_of(text, block, entry.title)
        alone = len(_letters(text[block.start : block.end])) <= _MUCH_LONGER * len(_letters(entry.title))
        told[at] = dataclasses.replace(block, title_end=end, outline_level=entry.level if alone else -1)
    return tuple(placed), tuple(told)


def _letters(words: str) -> str:
    return _NOT_WORDS.sub("", words).casefold()


def _block_of(
    entry: OutlineEntry, text: str, boxes: CharacterBoxes, blocks: Sequence[Block], candidates: Sequence[int]
) -> int:
    """The paragraph on the entry's page that begins with its title, the nearest when there are several; else -1."""
    title = _letters(entry.title)
    best, distance = -1, np.inf
    for at in candidates:
        block = blocks[at]
        words = _letters(text[block.start : min(block.end, block.start + 2 * MAX_TITLE)])
        # The outline often leaves out the number, and the text "SECTION" or "Article".
        if not title or not (words.startswith(title) or 0 <= words.find(title) <= _LONGEST_NUMBER):
            continue
        away = abs(float(boxes.rect[block.start, 1]) - entry.y_pt) if entry.y_pt >= 0 else float(at)
        if away < distance:
            best, distance = at, away
    return best


def _end_of(text: str, block: Block, title: str) -> int:
    """Where the title's last letter stands in the block."""
    wanted, words = _letters(title), ""
    before = _letters(text[block.start : block.end])
    needed = before.find(wanted) + len(wanted)
    for at in range(block.start, block.end):
        words += _letters(text[at])
        if len(words) >= needed:
            return at + 1
    return block.end


def cross_references(
    links: Sequence[PdfLink], text: str, boxes: CharacterBoxes, pages: Sequence[Page], blocks: Sequence[Block]
) -> tuple[CrossReference, ...]:
    """Links and footnote marks as spans of the text with the places that they lead to."""
    found = list(_notes(text, boxes, blocks))
    starts = np.array([block.start for block in blocks], np.int64)
    on_page = boxes.page[starts] if len(starts) else starts
    for link in links:
        span = _words_in(link, boxes, pages[link.page])
        there = starts[on_page == link.to_page]
        if span is None or not len(there) or not text[span[0] : span[1]].strip():
            continue
        tops = boxes.rect[there, 1]
        below = there[tops >= link.to_y_pt - _ABOVE_PT]
        target = int(below[np.argmin(boxes.rect[below, 1])]) if len(below) else int(there[-1])
        found.append(CrossReference(CrossReferenceKind.LINK, span[0], span[1], target))
    return tuple(sorted(found, key=lambda each: (each.start, each.end)))


def _words_in(link: PdfLink, boxes: CharacterBoxes, page: Page) -> tuple[int, int] | None:
    """The characters whose middle lies in a link's box."""
    rect = boxes.rect[page.start : page.end]
    x, y = (rect[:, 0] + rect[:, 2]) / 2, (rect[:, 1] + rect[:, 3]) / 2
    x0, y0, x1, y1 = link.box
    inside = np.flatnonzero((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1) & (rect[:, 2] > rect[:, 0]))
    if not len(inside):
        return None
    return page.start + int(inside[0]), page.start + int(inside[-1]) + 1


def _notes(text: str, boxes: CharacterBoxes, blocks: Sequence[Block]) -> list[CrossReference]:
    """The small number in the text of a page for each footnote on it."""
    found = []
    for at, note in enumerate(blocks):
        number = _NUMBER.match(text, note.start, note.end) if note.kind is BlockKind.FOOTNOTE else None
        if number is None:
            continue
        page, place = boxes.page[note.start], at - 1
        while place >= 0 and boxes.page[blocks[place].end - 1] == page:
            mark = _mark_in(text, boxes, blocks[place], number["number"])
            if mark >= 0:
                end = mark + len(number["number"])
                found.append(CrossReference(CrossReferenceKind.NOTE, mark, end, note.start))
                break
            place -= 1
    return found


def _mark_in(text: str, boxes: CharacterBoxes, block: Block, number: str) -> int:
    """Where a number stands small behind a word of a block, else -1."""
    if block.kind is BlockKind.FOOTNOTE:
        return -1
    at = text.find(number, block.start + 1, block.end)
    while at >= 0:
        after = at + len(number)
        whole = not text[at - 1].isdigit() and not (after < block.end and text[after].isdigit())
        heights = boxes.rect[[at - 1, at], 3] - boxes.rect[[at - 1, at], 1]
        if whole and not text[at - 1].isspace() and 0 < heights[1] < _SMALLER * heights[0]:
            return at
        at = text.find(number, at + 1, block.end)
    return -1
