"""Page numbers left standing in the running text of a file that was flattened to one line."""

from __future__ import annotations

import itertools
import re
from collections import Counter

_NUMBER = re.compile(r"(?<=\s)[1-9]\d{0,2}(?=\s)")
#: Words that a real number stands behind, or before.
_BEFORE = re.compile(
    r"(?:(?i:sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|page|item|no\.?|number|of|to|by|than|least|within|"
    r"and|or)|January|February|March|April|May|June|July|August|September|October|November|December|[$€£¥(])\s*$"
)
_AFTER = re.compile(
    r"\s*(?:days?|months?|years?|hours?|percent|per|%|\(|st\b|th\b|business|calendar|consecutive|of\b|x\b)",
    re.IGNORECASE,
)
#: Characters on a page: nearer numbers are not the next page, farther ones missed too many.
_NEAREST, _FARTHEST = 800, 12_000
_PAGE_OF = re.compile(r"\bPage (\d{1,3}) of (\d{1,3})\b", re.IGNORECASE)
_RUNNING = re.compile(r"\s+((?:[A-Z][A-Z&.,'-]*\s+){1,6})(?=[A-Z][a-z]|[a-z]|\d|\()")


def without_page_numbers(text: str) -> str:
    """A long line without the page numbers 1, 2, 3 … (and the running title beside them) that stand in it.

    Only a chain of numbers, each one more than the last and about a page apart, is taken for page numbers;
    a paragraph break is left where a page ended with a finished sentence.
    """
    chain = _page_of(text) or _chain(text)
    if len(chain) < 4:
        return text
    running = _running_title(text, chain)
    pieces: list[str] = []
    last = 0
    for start, end in chain:
        title = re.compile(r"\s+" + re.escape(running)).match(text, end) if running else None
        stop = title.end() if title else end
        before, after = text[last:start].rstrip(), text[stop : stop + 40].lstrip()
        pieces.append(before)
        finished = before[-1:] in '.;:!?”"' or (before[-1:] in ")_" and after[:1].isupper())
        pieces.append("\n" if finished and not after[:1].islower() else " ")
        last = stop
    pieces.append(text[last:].lstrip())
    return "".join(pieces)


def _page_of(text: str) -> list[tuple[int, int]]:
    """Places of "Page 2 of 13", when it counts up to the same number all through."""
    places = [(match.start(), match.end(), int(match[1]), match[2]) for match in _PAGE_OF.finditer(text)]
    counts = all(
        0 < after[2] - before[2] <= 2 and after[3] == before[3] for before, after in itertools.pairwise(places)
    )
    return [place[:2] for place in places] if counts else []


def _chain(text: str) -> list[tuple[int, int]]:
    """The longest chain of numbers that count pages: spans in order."""
    places = []
    for match in _NUMBER.finditer(text):
        if not _BEFORE.search(text, max(0, match.start() - 14), match.start()) and not _AFTER.match(text, match.end()):
            places.append((match.start(), match.end(), int(match.group())))
    best: dict[int, tuple[float, int]] = {}  # index → (length, previous index)
    for index, (start, _, value) in enumerate(places):
        length, previous = 1.0, -1
        for before in range(index - 1, -1, -1):
            gap = start - places[before][0]
            if gap > _FARTHEST:
                break
            pages = value - places[before][2]
            # A page's number may hide behind a word like "of": up to two are passed over.
            if 1 <= pages <= 3 and gap >= _NEAREST * pages and best[before][0] + 1.5 - 0.5 * pages > length:
                length, previous = best[before][0] + 1.5 - 0.5 * pages, before
        best[index] = (length, previous)
    if not best:
        return []
    index = max(best, key=lambda at: best[at][0])
    chain = []
    while index >= 0:
        chain.append(places[index][:2])
        index = best[index][1]
    return chain[::-1]


def _running_title(text: str, chain: list[tuple[int, int]]) -> str:
    """Capitals that follow most of the page numbers ("EXECUTION COPY"), or empty."""
    counts: Counter[str] = Counter()
    for _, end in chain:
        match = _RUNNING.match(text, end, end + 80)
        if match:
            counts[match[1].strip()] += 1
    if not counts:
        return ""
    title, count = counts.most_common(1)[0]
    return title if count >= 0.5 * len(chain) else ""
