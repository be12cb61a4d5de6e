"""The numbers that a document's clauses really have: the clause tree, and what stands literally in the text.

A reading is never perfect. Whoever says that a number is missing must have looked for it in the text as well: at the
start of a line or of a sentence, glued to its heading, in the table of contents.
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from functools import cached_property

from engine.anchors.chinese_numerals import ALL as CHINESE
from engine.anchors.chinese_numerals import chinese_value
from engine.anchors.normal import normalise
from engine.document import Clause, ClauseKind, Document

#: The mean length (characters) under which consecutive numbered lines can only be a table of contents.
CONTENTS_LINE = 90
Path = tuple[str, ...]

_WORD = r"(?i:(?:sub-?)?(?:section|clause|paragraph|article)s?)"
_DOTTED = re.compile(
    rf"(?:(?:^|\n)[ \t*#|]{{0,80}}(?:{_WORD}\.?[ ]{{1,4}}|§[ ]?)?|(?<=[.;:!?”\"’)])[ ]{{1,6}}(?:{_WORD}[ ]{{1,4}})?)"
    r"(?:[A-Z]\.[ ]?)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?![\d,/%-])"
    r"(?=[.):\s-]{0,8}[ \t\n]{0,8}[A-Z“\"(\[\u4e00-\u9fff*_]|[.):]?[ \t]{0,8}\n|\.[ ])"
)
_NAMED = re.compile(
    r"(?:^|\n)[ \t*#|]{0,80}(?:article|section|clause|part|chapter)[ \t]{1,4}(?P<number>[ivxlc]{1,7}"
    r"|\d{1,3})(?![a-z\d.])",
    re.IGNORECASE,
)
_ZH_NUMBER = re.compile(rf"第[ ]{{0,2}}(?P<number>\d{{1,3}}|[{CHINESE}]{{1,7}})[ ]{{0,2}}条")
_PAGE_AT_END = re.compile(r"[ .\t]\d{1,3}(?:-\d{1,3})?$")
#: "Strategic Alliance 8 Section 2.02 Obligations": a page number between two numbered headings.
_CONTENTS_LINE = re.compile(
    r"[a-z][ .]{1,80}\d{1,3}[ \n]{1,4}(?:(?:Section|Article|ARTICLE"
    r"|SECTION)[ ]{1,2})?[\dIVX]{1,4}\.\d{0,3}[ .]{1,3}[A-Z]"
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def roman_value(text: str) -> int | None:
    """The value of a Roman numeral up to ``cccxcix``, or None."""
    total = 0
    values = [_ROMAN.get(c) for c in text.lower()]
    if not values or any(v is None for v in values):
        return None
    numbers = [v for v in values if v is not None]
    for i, value in enumerate(numbers):
        total += -value if i + 1 < len(numbers) and value < numbers[i + 1] else value
    return total


def write_roman(number: int) -> str:
    """``number`` (1 to 399) as a Roman numeral; the inverse of :func:`roman_value`."""
    out = ""
    for value, sign in (
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ):
        out += sign * (number // value)
        number %= value
    return out


def _without_zero(path: Path) -> Path:
    """Articles printed 7.0 are number 7."""
    return path[:1] if len(path) == 2 and path[1] == "0" else path


def path_of_label(label: str) -> tuple[Path, Path]:
    """The numeric part and the items of a reference's number: ``12.4(c)(3)`` is ``("12", "4")`` and ``("c", "3")``."""
    head, _, rest = label.partition("(")
    # "10.3e" is item e of 10.3.
    if len(head) > 1 and head[0].isdigit() and head[-1].isalpha():
        head, rest = head[:-1], f"{head[-1]}){rest and '(' + rest}"
    items = tuple(item.strip(" )").lower() for item in rest.split("(")) if rest else ()
    numeric: Path = ()
    if head and head[0].isdigit():
        numeric = _without_zero(tuple(str(int(p)) if p.isdigit() else p for p in head.split(".")))
    elif head:
        roman = roman_value(head.split(".")[0])
        if roman is not None:
            numeric = (str(roman), *head.split(".")[1:])
    return numeric, items


def clause_path(clause: Clause) -> Path:
    """The clause's path as strings."""
    return _without_zero(tuple(str(part) for part in clause.path))


_CONTINUES = re.compile(
    r"(?:section|sections|clause|article|paragraph|sub-clause|exhibit|schedule|and|or|under|in|to|of|by|the|with|,)$",
    re.IGNORECASE,
)


def continues_a_line(document: Document, clause: Clause) -> bool:
    """Whether the "number" is the rest of a reference that the line's end cut in two: "in Section / 8.1. Nothing"."""
    return bool(_CONTINUES.search(document.text[max(0, clause.start - 24) : clause.start].rstrip()))


class NumberIndex:
    """Where each clause number stands in a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.by_path: dict[Path, list[Clause]] = defaultdict(list)
        for clause in document.clauses:
            if not clause.path or clause.kind in (ClauseKind.CONTENTS, ClauseKind.TABLE_ROW, ClauseKind.FOOTNOTE):
                continue
            if not continues_a_line(document, clause):
                self.by_path[clause_path(clause)].append(clause)

    @cached_property
    def literal(self) -> dict[Path, list[int]]:
        """Numbers that stand at the start of a line or sentence, whatever the tree made of them, with their offsets."""
        text = normalise(self.document.text)
        found: dict[Path, list[int]] = defaultdict(list)
        for match in _DOTTED.finditer(text.text):
            path = tuple(str(int(p)) for p in match["number"].split("."))
            found[_without_zero(path)].append(text.origin(match.start("number")))
        for match in _NAMED.finditer(text.text):
            number = match["number"]
            value = int(number) if number.isdigit() else roman_value(number)
            if value is not None:
                found[(str(value),)].append(text.origin(match.start("number")))
        for match in _ZH_NUMBER.finditer(text.text):
            value_zh = chinese_value(match["number"])
            at_line = (
                match.start() == 0
                or text.text[max(0, match.start() - 8) : match.start()].strip(" \t\u3000*#") in ("",)
                or ("\n" in text.text[max(0, match.start() - 8) : match.start()])
            )
            if value_zh is not None and at_line:
                found[(str(int(value_zh)),)].append(text.origin(match.start()))
        return found

    def has(self, path: Path) -> bool:
        """Whether the number stands anywhere, in the tree or literally, or as the beginning of a longer one."""
        return path in self._known

    @cached_property
    def _known(self) -> set[Path]:
        known: set[Path] = set()
        for path in (*self.by_path, *self.literal):
            for length in range(1, len(path) + 1):
                known.add(path[:length])
        return known

    @cached_property
    def _by_head(self) -> dict[Path, list[int]]:
        found: dict[Path, set[int]] = defaultdict(set)
        for path in self._known:
            if path[-1].isdigit():
                found[path[:-1]].add(int(path[-1]))
        return {head: sorted(numbers) for head, numbers in found.items()}

    def siblings(self, path: Path) -> list[int]:
        """The last numbers of the numeric paths that differ from ``path`` only in the last part, sorted."""
        return self._by_head.get(path[:-1], [])

    @cached_property
    def tops(self) -> list[int]:
        """The top-level numbers of the tree, sorted."""
        return sorted({int(path[0]) for path in self.by_path if path[0].isdigit()})

    @cached_property
    def reliable(self) -> bool:
        """Whether the tree is complete enough to say that a number is missing."""
        tops = self.tops
        if len(tops) < 3:
            return False
        span = tops[-1] - tops[0] + 1
        return tops[0] <= 2 and len(tops) >= 0.6 * span

    @cached_property
    def whole(self) -> bool:
        """Whether the top-level numbers run from 1 without a hole."""
        return self.tops == list(range(1, len(self.tops) + 1))

    def contents_like(self, clause: Clause) -> bool:
        """Whether the clause is a line of a table of contents that the reading took for a clause."""
        if len(self.by_path.get(clause_path(clause), ())) < 2:
            return False
        if clause.start < self._contents_end or _PAGE_AT_END.search(clause.heading):
            return True
        return bool(_CONTENTS_LINE.search(self.document.text, clause.start, min(clause.end, clause.start + 300)))

    @cached_property
    def _contents_end(self) -> int:
        """Where a table of contents that was read as clauses ends: at the second of two beginnings, when what lies
        between them is all short lines; 0 without one.
        """
        for first in (("1",), ("1", "1"), ("2",), ("2", "1")):
            places = sorted(clause.start for clause in self.by_path.get(first, ()))
            if len(places) < 2:
                continue
            between = [c for clauses in self.by_path.values() for c in clauses if places[0] <= c.start < places[1]]
            starts = sorted(c.start for c in between)
            if len(starts) >= 6 and (places[1] - places[0]) / len(starts) < CONTENTS_LINE:
                return places[1]
        return 0

    @cached_property
    def _starts(self) -> list[int]:
        return [clause.start for clause in self.document.clauses]

    def complete_around(self, clause: Clause) -> bool:
        """Whether the next clause in the tree carries the next number, so that no heading was missed in between."""
        numeric = [p for p in clause.path if isinstance(p, int)]
        at = bisect.bisect_left(self._starts, clause.end)
        if not numeric or at >= len(self._starts):
            return False
        following = self.document.clauses[at].path
        return following == (*numeric[:-1], numeric[-1] + 1) or following == (numeric[0] + 1,)

    def unique(self, path: Path) -> Clause | None:
        """The one clause with this number, or None when there is none or more than one."""
        clauses = self.by_path.get(path, [])
        return clauses[0] if len(clauses) == 1 else None
