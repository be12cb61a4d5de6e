"""A text to match on, and the way back to the offsets of the text it was made from.

Full-width digits and letters, circled signs and compatibility forms are folded with NFKC so that every rule is written
once. Chinese sentence marks (，；：！？) stay as they are: they separate where their half-width twins may group digits.
"""

from __future__ import annotations

import bisect
import sys
import unicodedata
from functools import cache
from typing import NamedTuple

_KEPT = frozenset("，；：！？…")
#: Dashes and the spaces that NFKC leaves alone.
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")


@cache
def _tables() -> tuple[dict[int, str], frozenset[str]]:
    """One-to-one foldings for ``str.translate``, and the characters that fold to more than one."""
    single: dict[int, str] = dict(_DASHES)
    several: set[str] = set()
    for code in range(0x80, min(sys.maxunicode, 0x1FFFF)):
        char = chr(code)
        if char in _KEPT or 0xD800 <= code <= 0xDFFF:
            continue
        folded = unicodedata.normalize("NFKC", char)
        if folded == char:
            continue
        if len(folded) == 1:
            single[code] = folded
        elif len(folded) > 1:
            several.add(char)
    return single, frozenset(several)


def alternatives(text: str) -> frozenset[str]:
    """The words of ``a|b|c``; long word lists read better so."""
    return frozenset(text.split("|"))


class NormalText(NamedTuple):
    """``text`` is the folded text; ``breaks`` and ``shifts`` say how its offsets lead back (see :meth:`span`)."""

    text: str
    breaks: list[int]
    shifts: list[int]
    original_length: int

    def origin(self, offset: int) -> int:
        """The offset, in the original text, of the character that made the folded one at ``offset``."""
        if not self.breaks:
            return offset
        i = bisect.bisect_right(self.breaks, offset) - 1
        return offset if i < 0 else min(self.shifts[i] + max(0, offset - self.breaks[i]), self.original_length)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original span of a folded span; characters that folded to several are taken whole."""
        if not self.breaks:
            return start, end
        return self.origin(start), self.origin(end - 1) + 1 if end > start else self.origin(start)


def normalise(text: str) -> NormalText:
    """Fold ``text``; linear in its length."""
    single, several = _tables()
    if text.isascii():
        return NormalText(text, [], [], len(text))
    if several.isdisjoint(text):
        return NormalText(text.translate(single), [], [], len(text))
    parts: list[str] = []
    breaks: list[int] = []
    shifts: list[int] = []
    position = 0
    last = 0
    for i, char in enumerate(text):
        if char not in several:
            continue
        before = text[last:i].translate(single)
        parts.append(before)
        position += len(before)
        folded = unicodedata.normalize("NFKC", char).translate(_DASHES)
        # Each folded character leads back to the same original one; the run after it starts a new shift.
        for k in range(len(folded)):
            breaks.append(position + k)
            shifts.append(i)
        parts.append(folded)
        position += len(folded)
        breaks.append(position)
        shifts.append(i + 1)
        last = i + 1
    parts.append(text[last:].translate(single))
    return NormalText("".join(parts), breaks, shifts, len(text))
