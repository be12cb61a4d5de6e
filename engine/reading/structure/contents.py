"""The table of contents, so that it is not read as clauses."""

from __future__ import annotations

import itertools
import re
from collections.abc import Generator, Sequence

from engine.reading.source import Block
from engine.reading.structure.labels import Label

_TITLE = re.compile(r"\s*(?:table of contents|contents|index|目\s*录)\b\s*[:：]?", re.IGNORECASE)
_TITLE_AT_END = re.compile(r"\b(?:TABLE OF CONTENTS|Table of Contents)\s*(?:[Pp]age|PAGE)?\s*$")
_LINE = re.compile(
    r".{2,160}?(?:\.{3,}|…{2,}|(?:\. ){3,}|_{3,}|\s{3,}|\t)\s*(?:page\s+)?(?:[A-Z]-)?(?:\d{1,3}|[ivxl]{1,6})\s*$",
    re.IGNORECASE,
)
_TRAILING_PAGE = re.compile(r"\S.{1,140}?\s(?:\d{1,3}|[ivxl]{1,6})\s*$")
_PAGE_AT_END = re.compile(r"\s(?:\d{1,3}|[ivxl]{1,6})\s*$")
#: A contents block that is longer than this without dot leaders is body text.
_MAX_LINE = 600
_MAX_BLOCKS = 600
_MAX_ENTRY = 150
_SHORTEST_PROSE = 80
#: Blocks between two steps.
_BLOCKS_A_STEP = 100


def contents_steps(
    text: str, blocks: Sequence[Block], labels: Sequence[Label | None]
) -> Generator[None, None, set[int]]:
    """Indexes of the paragraphs that are a table of contents, its title included, in steps of some milliseconds.

    Below a title, everything up to where the first entry's number comes again; without such a return, and
    without a title, lines with dot leaders or a page number at the end (at least three in a row).
    """
    found: set[int] = set()
    index = 0
    for step in itertools.count():
        if index >= len(blocks):
            break
        if step % _BLOCKS_A_STEP == 0:
            yield
        attached = _list_of_attachments(blocks, labels, index)
        if attached > index:
            found.update(range(index, attached))
            index = attached
            continue
        title = _TITLE.match(text, blocks[index].start, blocks[index].end) or _TITLE_AT_END.search(
            text, max(blocks[index].start, blocks[index].end - 40), blocks[index].end
        )
        stop = (
            _stop_below_title(text, blocks, labels, index, title.end())
            if title
            else _stop_of_lines(text, blocks, index, 3)
        )
        # A title that ends a paragraph of other words leaves that paragraph where it is.
        first = index if title is None or title.start() == blocks[index].start else index + 1
        found.update(range(first, stop))
        index = max(stop, index + 1)
    return found


def _list_of_attachments(blocks: Sequence[Block], labels: Sequence[Label | None], index: int) -> int:
    """One past a run of at least three attachments without any text: a list of them; else ``index``."""
    at = index
    while at < len(blocks) and (label := labels[at]) is not None and label.kind == "schedule":
        if blocks[at].end - blocks[at].start > _MAX_ENTRY:
            break
        at += 1
    return at if at - index >= 3 else index


def _stop_below_title(
    text: str, blocks: Sequence[Block], labels: Sequence[Label | None], index: int, title_end: int
) -> int:
    block = blocks[index]
    rest = text[title_end : block.end].strip()
    if rest:
        # The whole of it in one paragraph ("TABLE OF CONTENTS 1. Definitions 1 2. Term 3 …").
        return index + 1 if len(re.findall(r"\s\d{1,3}\b", rest)) >= 3 else _stop_of_lines(text, blocks, index, 3)
    by_lines = _stop_of_lines(text, blocks, index + 1, 2)
    first = next((at for at in range(index + 1, min(len(blocks), index + 12)) if labels[at] is not None), None)
    if first is not None:
        wanted = _key(labels[first])
        for at in range(first + 2, min(len(blocks), first + _MAX_BLOCKS)):
            if labels[at] is not None and _key(labels[at]) == wanted:
                stop = _before_prose(text, blocks, first, at)
                if stop > first + 1 and _are_entries(blocks[first:stop]):
                    return max(stop, by_lines)
    return by_lines if by_lines > index + 1 else index


def _before_prose(text: str, blocks: Sequence[Block], first: int, stop: int) -> int:
    """One past the last entry: what begins behind it are the parties and recitals, under the title once more."""
    prose = next((at for at in range(first, stop) if _is_prose(text, blocks[at])), stop)
    if prose == stop:
        return stop
    while prose > first + 1 and _is_title_line(text, blocks[prose - 1]):
        prose -= 1
    return prose


def _is_prose(text: str, block: Block) -> bool:
    line = text[block.start : block.end]
    if len(line) < _SHORTEST_PROSE or _PAGE_AT_END.search(line, max(0, len(line) - 12)) or line.count("...") >= 2:
        return False
    return len(line) > _MAX_ENTRY or line.rstrip()[-1] in ".;:。；："


def _is_title_line(text: str, block: Block) -> bool:
    line = text[block.start : block.end]
    return (block.centred or line.isupper()) and _TRAILING_PAGE.fullmatch(line) is None


def _are_entries(blocks: Sequence[Block]) -> bool:
    """Short lines only: entries, not clauses."""
    lengths = sorted(block.end - block.start for block in blocks)
    return lengths[len(lengths) // 2] < 160 and lengths[-1] < _MAX_LINE * 3


def _key(label: Label | None) -> tuple[str, tuple[int | str, ...]] | None:
    return (label.readings[0].style, label.readings[0].path) if label is not None and label.readings else None


def _stop_of_lines(text: str, blocks: Sequence[Block], index: int, needed: int) -> int:
    """One past the last of a run of contents lines that begins at ``index``; ``index`` when there are too few."""
    at, last, count, misses = index, index, 0, 0
    while at < len(blocks) and misses < 2:
        line = text[blocks[at].start : blocks[at].end]
        if len(line) > _MAX_LINE and line.count("...") < 3:
            break
        # The pattern's time grows with the line's length times its width.
        led = line.count("....") >= 2 or (len(line) <= 2 * _MAX_LINE and _LINE.match(line) is not None)
        if led or (needed == 2 and _TRAILING_PAGE.fullmatch(line)):
            count, misses, last = count + 1, 0, at + 1
        elif at == index:
            break
        else:
            misses += 1
        at += 1
    return last if count >= needed else index
