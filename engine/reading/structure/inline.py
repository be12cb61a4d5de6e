"""Clause numbers inside running text: where a one-line document's paragraphs begin.

Many filings come as one line. A number in running text is taken for a clause's only when the whole
sequence of accepted numbers stays consistent: 5.2 after 5.1, 6 after 5.x, Article IV after Article III.
"""

from __future__ import annotations

import re

from engine.reading.structure.labels import Label, label_at

_PLACE = re.compile(
    r"(?<=[\s])(?=(?:(?:ARTICLE|Article|SECTION|Section|Clause|CLAUSE)\s+(?:\d|[IVX])|\d{1,2}\.\s?[A-Z\"“(]|\d{1,2}(?:\.\d{1,2}){1,4}[.)]?\s+\S|"
    r"\(?[a-zA-Z1-9]\)\s|\([ivx]{1,5}\)\s|(?:SCHEDULE|EXHIBIT|ANNEX|APPENDIX|ATTACHMENT)\s+[\"“]?[A-Z0-9]|[IVX]{1,5}\.\s+[A-Z]|[A-Z]\.\s+[A-Z]|第[一二三四五六七八九十百]+条))"
)
_ENDED = re.compile(r"[.;:。；：!?\"”’)\]_*]\s*$|[.;:,]\s+(?:and|or)\s*$|[A-Z]{3,}\s*$")
_REFERENCE = re.compile(
    r"(?:\b(?:clauses?|sections?|paragraphs?|articles?|sub-?sections?|exhibits?|schedules?|annex|appendix|attachment|of|in|to|by|under|and|or|with|see|no|per|this|the|than)\.?|[§,])\s*$",
    re.IGNORECASE,
)


_CONTENTS = re.compile(r"(?:TABLE OF CONTENTS|Table of Contents|CONTENTS|目\s*录)[\s:.]+")
_WORD = re.compile(r"\S+")
#: How far a table of contents may reach, in characters.
_LONGEST_CONTENTS = 12_000


def contents_span(text: str) -> list[int]:
    """[start, end] of a table of contents in running text, or [].

    It ends where its first entry ("ARTICLE I", "1. Definitions") comes a second time.
    """
    title = _CONTENTS.search(text)
    if title is None:
        return []
    label = None
    at = title.end()
    for word in _WORD.finditer(text, title.end(), min(len(text), title.end() + 200)):
        label = label_at(text, word.start(), min(len(text), word.start() + 80))
        if label is not None and label.kind in ("word", "decimal", "single"):
            at = word.start()
            break
    if label is None or label.kind not in ("word", "decimal", "single"):
        return []
    entry = r"\s+".join(re.escape(part) for part in text[at : label.end + 9].split()[:3])
    limit = min(len(text), at + _LONGEST_CONTENTS)
    again = re.compile(entry, re.IGNORECASE).search(text, label.end + 9, limit)
    if again is None:
        entry = r"(?<=\s)" + r"\s+".join(re.escape(part) for part in text[at : label.end].split())
        again = re.compile(entry, re.IGNORECASE).search(text, label.end + 9, limit)
    if again is None or len(re.findall(r"\s\d{1,3}\s", text[at : again.start()])) < 3:
        return []
    return [title.start(), again.start()]


def split_points(text: str, start: int, end: int) -> list[int]:
    """Offsets in ``text[start:end)`` where a numbered clause begins, in order."""
    counter = _Counter()
    points = []
    for match in _PLACE.finditer(text, start, end):
        at = match.start()
        label = label_at(text, at, min(end, at + 200))
        if label is None or label.kind == "bullet" or _REFERENCE.search(text, max(start, at - 16), at):
            continue
        ended = bool(_ENDED.search(text, max(start, at - 12), at))
        if counter.accepts(label, ended):
            points.append(at)
    return points


class _Counter:
    """Follows the numbers accepted so far: the last top number, decimal path, and list marks."""

    def __init__(self) -> None:
        self._top: dict[str, int] = {}
        self._decimal: tuple[int, ...] = ()
        self._marks: dict[str, int] = {}

    def accepts(self, label: Label, ended: bool) -> bool:
        """Whether the label continues a sequence; then the sequence moves on."""
        if label.kind == "schedule":
            return False
        reading = label.readings[0]
        if label.kind == "decimal" and len(reading.path) > 1:
            return self._decimal_accepts(tuple(int(part) for part in reading.path), ended)
        for reading in label.readings:
            if label.kind == "word" or reading.style in ("1.", "I.", "第条"):
                if self._top_accepts(reading.style, reading.value, ended):
                    return True
        return False

    def _decimal_accepts(self, path: tuple[int, ...], ended: bool) -> bool:
        last = self._decimal
        tops = set(self._top.values())
        follows = (
            path[:-1] == last[: len(path) - 1] and len(last) >= len(path) and last[len(path) - 1] + 1 == path[-1]
        ) or (
            path[-1] in (1, 0)
            and (path[:-1] == last or (len(path) == 2 and (path[0] in tops or path[0] == (last[0] if last else 0) + 1)))
        )
        # A skipped number is accepted behind a full stop.
        near = (
            ended and len(path) == 2 and last[:1] == path[:1] and 0 < path[1] - (last[1] if len(last) > 1 else 0) <= 2
        )
        if not (follows or near) or not (ended or follows):
            return False
        self._decimal = path
        return True

    def _top_accepts(self, style: str, value: int, ended: bool) -> bool:
        last = self._top.get(style, 0)
        if value == last + 1 or (ended and last and value == last + 2) or (value == 1 and ended and last > 3):
            if not ended and style in ("1.", "I."):
                return False
            self._top[style] = value
            return True
        return False
