"""Lists inside running text: "The Seller shall: (a) …; (b) …; and (c) …" taken apart into items."""

from __future__ import annotations

import dataclasses
import re

from engine.reading.structure.labels import Label, Reading, label_at

_MARK = re.compile(
    r"(?<![^\s:：;；,，。—–])(?="
    r"[(（\[［]?\s?(?:[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2}|[一二三四五六七八九十]{1,3})\s?[)）\]］]\s?\S|"
    r"(?:[a-z]|[ivx]{1,4}|\d{1,2})\.\s+[\"“(]?[A-Z]|\d{1,2}[、．.](?=[\u4e00-\u9fff])|[①-⑳⑴-⒇])|"
    r"(?<=[\u4e00-\u9fff])(?=[（(]\s?(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s?[)）])"
)
_REFERENCE_BEFORE = re.compile(
    r"(?:clauses?|sections?|paragraphs?|sub-?sections?|sub-?clauses?|sub-?paragraphs?|items?|articles?|parts?|rules?|exhibits?|"
    r"schedules?|nos?\.|and|or|to|through|第|条|款|项)\s*$",
    re.IGNORECASE,
)
_CONJUNCTION = r"(?:\s*(?:and|or|and/or|but|plus|then|以及|及|和|或|或者|并))?"
_SEPARATED = re.compile(rf"[;；,，:：.。—–]{_CONJUNCTION}\s*$", re.IGNORECASE)
#: "(a) …, (b) … or (c) …": no comma before the last; "(b) and (c)" are references.
_LAST_OF_LIST = re.compile(r"[^\W\d_]{2}[\"”’)]?\s+(?:and|or|and/or)\s+$", re.IGNORECASE)
_SHORTEST_ITEM = 12
_STRONG = re.compile(rf"[;；.。:：?!][\"”’)）]?{_CONJUNCTION}\s*$", re.IGNORECASE)
#: "(i) …, or (ii) …" in a paragraph that begins with (i).
_COMMA_OR = re.compile(r"[,，]\s+(?:and|or|and/or)\s*$", re.IGNORECASE)
_LEAD_END = re.compile(r"[:：—–-]\s*$")
#: Without a colon before them, items shorter than this (on average) stay in their sentence.
_MIN_ITEM, _MIN_HAN_ITEM = 60, 20
_HAN = re.compile("[\u4e00-\u9fff]")
#: Marks of one paragraph that are looked at; a file of nothing but marks must not take for ever.
_MAX_MARKS = 1_500
#: Written for each other: ［１］ then （２）.
_BRACKETED = {"(1)", "[1]"}


@dataclasses.dataclass(frozen=True, slots=True)
class InlineItem:
    """An item at ``[start, end)``, its label included."""

    start: int
    end: int
    label: Label
    reading: Reading


def inline_items(text: str, start: int, end: int) -> list[InlineItem]:
    """The items of the first list in ``text[start:end)`` that deserves to be taken apart, or [].

    A list is a run of marks of one style, counting from its first value, each behind punctuation.
    """
    marks = _marks(text, start, end)
    for index, (mark, reading) in enumerate(marks):
        if reading.value != 1 or _REFERENCE_BEFORE.search(text, max(start, mark.start - 16), mark.start):
            continue
        chain = [(mark, reading)]
        for following, other in marks[index + 1 :]:
            if _follows(chain[-1], following, other) and _is_separated(text, start, chain, following):
                chain.append((following, other))
        if len(chain) >= 2 and _deserves(text, start, chain):
            return _items(chain, end)
    return []


def following_items(text: str, label: Label, end: int) -> list[tuple[int, Label]]:
    """Where the next items of a paragraph's own sequence begin inside it: "(a) …; (b) …" in one paragraph.

    Args:
        text: the canonical text.
        label: the paragraph's label.
        end: the paragraph's end.
    """
    best: list[tuple[int, Label]] = []
    marks = _marks(text, label.end, end)
    for own in label.readings:
        chain = [(label, own)]
        for following, other in marks:
            before = max(label.end, following.start - 12)
            parted = _STRONG.search(text, before, following.start) or _COMMA_OR.search(text, before, following.start)
            if parted and _follows(chain[-1], following, other):
                chain.append((following, other))
        if len(chain) - 1 > len(best):
            best = [(mark.start, mark) for mark, _ in chain[1:]]
    return best


def _is_separated(text: str, start: int, chain: list[tuple[Label, Reading]], following: Label) -> bool:
    before = max(start, following.start - 12)
    if _SEPARATED.search(text, before, following.start):
        return True
    own_words = following.start - chain[-1][0].end >= _SHORTEST_ITEM
    return len(chain) > 1 and own_words and bool(_LAST_OF_LIST.search(text, before, following.start))


def _follows(last: tuple[Label, Reading], following: Label, reading: Reading) -> bool:
    alike = reading.style == last[1].style or {reading.style, last[1].style} == _BRACKETED
    return alike and reading.value == last[1].value + 1 and following.start > last[0].end


def _marks(text: str, start: int, end: int) -> list[tuple[Label, Reading]]:
    found = []
    for match in _MARK.finditer(text, start, end):
        label = label_at(text, match.start(), end)
        if label is None or label.kind != "single" or label.start != match.start() or label.weak:
            continue
        found += [(label, reading) for reading in label.readings]
        if len(found) >= _MAX_MARKS:
            break
    return found


def _deserves(text: str, start: int, chain: list[tuple[Label, Reading]]) -> bool:
    first = chain[0][0].start
    strong = all(_STRONG.search(text, max(start, mark.start - 12), mark.start) for mark, _ in chain[1:])
    dotted = text[chain[0][0].end - 1] not in ")）]］" and chain[0][1].style[:1] not in "①⑴⒈㈠"
    if first > start and _LEAD_END.search(text, max(start, first - 4), first):
        return strong or not dotted
    if dotted:
        return strong and (first == start or bool(_STRONG.search(text, max(start, first - 6), first)))
    mean = (chain[-1][0].start - first) / (len(chain) - 1)
    han = _HAN.search(text, chain[0][0].end, chain[1][0].start) is not None
    return strong and mean >= (_MIN_HAN_ITEM if han else _MIN_ITEM)


def _items(chain: list[tuple[Label, Reading]], end: int) -> list[InlineItem]:
    stops = [mark.start for mark, _ in chain[1:]] + [end]
    return [InlineItem(mark.start, stop, mark, reading) for (mark, reading), stop in zip(chain, stops, strict=True)]
