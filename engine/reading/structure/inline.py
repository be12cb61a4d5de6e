"""Clause numbers inside running text: where a one-line document's paragraphs begin.

Many filings come as one line. A number in running text is taken for a clause's only when the whole
sequence of accepted numbers stays consistent: 5.2 after 5.1, 6 after 5.x, Article IV after Article III.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from engine.reading.structure.labels import Label, Reading, label_at

_PLACE = re.compile(
    r"(?:(?<!\S)|(?<=[。；：！？]))(?=(?:(?:ARTICLE|Article|SECTION|Section|Clause|CLAUSE)\s+(?:\d|[IVX])|\d{1,2}\.\s?[A-Z\"“(]|\d{1,2}\s+[A-Z]{4}|"
    r"\d{1,2}(?:\.\d{1,2}){1,4}[.)]?\s+\S|"
    r"\(?[a-zA-Z1-9]\)\s|\([ivx]{1,5}\)\s|(?:SCHEDULE|EXHIBIT|ANNEX|APPENDIX|ATTACHMENT)\s+[\"“]?[A-Z0-9]|"
    r"[IVX]{1,5}\.\s+[A-Z]|[A-Z]\.\s+[A-Z]|IN WITNESS WHEREOF|WHEREAS\b|NOW,? THEREFORE\b|"
    r"第[一二三四五六七八九十百]+条|[一二三四五六七八九十]{1,3}、))"
)
_ENDED = re.compile(r"[.;:。；：!?\"”’)\]_*]\s*$|[.;:,]\s+(?:and|or)\s*$|[A-Z]{3,}\s*$")
_REFERENCE = re.compile(
    r"(?:\b(?:clauses?|sections?|paragraphs?|articles?|sub-?sections?|exhibits?|schedules?|annex|appendix|attachment|of|in|to|by|under|and|or|with|see|no|per|this|the|than)\.?|[§,])\s*$",
    re.IGNORECASE,
)


_RECITAL = ("WHEREAS", "NOW")
_CAPITALS = re.compile(r"[\s.:)]*[A-Z]{4,}")
_HEADED = re.compile(r"\s+[A-Z][\w'’&,/-]*(?:\s[\w'’&,/-]+){0,6}\.\s+[\"“(]?[A-Z]")
#: How many candidates ahead the next of a sequence is looked for.
_LOOK_AHEAD = 40
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
        number = text[at : label.end].rstrip(" .:)").split()
        entry = r"(?<=\s)" + r"\s+".join(re.escape(part) for part in number) + r"(?![\w.]?\w)"
        again = re.compile(entry, re.IGNORECASE).search(text, label.end + 9, limit)
    if again is None or len(re.findall(r"\s\d{1,3}\s", text[at : again.start()])) < 3:
        return []
    return [title.start(), again.start()]


def split_points(text: str, start: int, end: int) -> list[int]:
    """Offsets in ``text[start:end)`` where a numbered clause begins, in order."""
    candidates: list[_Candidate] = []
    signatures: list[int] = []
    recitals: list[int] = []
    for match in _PLACE.finditer(text, start, end):
        at = match.start()
        label = label_at(text, at, min(end, at + 200))
        if label is None or label.kind == "bullet" or label.start != at:
            if text.startswith("IN WITNESS", at):
                signatures.append(at)
            elif text.startswith(_RECITAL, at) and _ENDED.search(text, max(start, at - 12), at):
                recitals.append(at)
            continue
        if _REFERENCE.search(text, max(start, at - 16), at):
            continue
        ended = text[at - 1 : at] == "\n" or bool(_ENDED.search(text, max(start, at - 12), at))
        capitals = bool(_CAPITALS.match(text, label.end, end))
        headed = bool(_HEADED.match(text, label.end, end))
        if label.weak and not capitals:
            continue
        candidates.append(_Candidate(at, label, ended, capitals, headed))
    counter = _Counter()
    accepted = [
        candidate.at
        for index, candidate in enumerate(candidates)
        if counter.accepts(candidate, candidates[index + 1 : index + 1 + _LOOK_AHEAD])
    ]
    # Behind the first clause these words begin no recital.
    first = accepted[0] if accepted else end
    return sorted(accepted + signatures + [at for at in recitals if at < first])


@dataclasses.dataclass(frozen=True, slots=True)
class _Candidate:
    """A place that looks like a clause number, and what stands before (a sentence that ended) and after it."""

    at: int
    label: Label
    ended: bool
    capitals: bool
    headed: bool

    def path(self) -> tuple[int, ...]:
        """The decimal path, () for other labels."""
        path = self.label.readings[0].path
        return (
            tuple(part for part in path if isinstance(part, int))
            if self.label.kind == "decimal" and len(path) > 1
            else ()
        )


class _Counter:
    """Follows the numbers accepted so far: the last top number of each style, and the last decimal path."""

    def __init__(self) -> None:
        self._top: dict[str, int] = {}
        self._last_top = 0
        self._decimal: tuple[int, ...] = ()

    def accepts(self, candidate: _Candidate, ahead: Sequence[_Candidate]) -> bool:
        """Whether a label continues a sequence; then the sequence moves on."""
        if candidate.label.kind == "schedule":
            self._decimal, self._last_top = ((), 0) if candidate.ended else (self._decimal, self._last_top)
            return candidate.ended
        path = candidate.path()
        if path:
            return self._decimal_accepts(candidate, path, ahead)
        for reading in candidate.label.readings:
            counts = candidate.label.kind != "single" or reading.style in ("1.", "I.", "1", "一、")
            if counts and self._top_accepts(candidate, reading, ahead):
                return True
        return False

    def _decimal_accepts(self, candidate: _Candidate, path: tuple[int, ...], ahead: Sequence[_Candidate]) -> bool:
        last = self._decimal
        depth = len(path)
        next_sibling = path[:-1] == last[: depth - 1] and len(last) >= depth and last[depth - 1] + 1 == path[-1]
        first_child = path[-1] in (0, 1) and (
            path[:-1] == last or (depth == 2 and path[0] in (self._last_top, last[0] + 1 if last else 1))
        )
        skipped = (
            candidate.ended and depth == 2 and last[:1] == path[:1] and len(last) > 1 and 0 < path[1] - last[1] <= 2
        )
        follows_up = (*path[:-1], path[-1] + 1)
        begins = candidate.ended and path[-1] == 1 and any(other.path()[:depth] == follows_up for other in ahead)
        if not (next_sibling or first_child or skipped or begins):
            return False
        self._decimal = path
        return True

    def _top_accepts(self, candidate: _Candidate, reading: Reading, ahead: Sequence[_Candidate]) -> bool:
        last = self._top.get(reading.style, 0)
        value = reading.value
        opens_decimals = bool(ahead) and ahead[0].path()[:1] == (value,) and ahead[0].path()[1:] in ((1,), (0,))
        continues = value == last + 1 or value == self._last_top + 1
        skipped = candidate.ended and bool(last) and last < value <= last + 2
        restarts = value == 1 and candidate.ended and last > 3
        if not (continues or skipped or restarts or (candidate.capitals and opens_decimals)):
            return False
        shown = candidate.ended or candidate.capitals or (candidate.headed and value == last + 1)
        if not shown and candidate.label.kind == "single":
            return False
        if candidate.label.weak and not (candidate.ended or opens_decimals):
            return False
        self._top[reading.style] = self._last_top = value
        return True
