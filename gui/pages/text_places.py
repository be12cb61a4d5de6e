"""From a place on a page to the text there: nearest caret, word, clause, and a clause's own words."""

from __future__ import annotations

import bisect
import unicodedata
from collections.abc import Callable

import numpy as np

from engine.document import Clause, Document

_JOINERS = "'’-_.,/"
#: How far (points) from the nearest character a click still means it.
REACH_PT = 6.0
#: What a point across lines weighs against one along them: beside a short line that line is meant, not the long
#: one above it; yet between two lines of a column the other column, some 200 points away, is not.
_ACROSS_LINES = 40.0


def _is_ideograph(character: str) -> bool:
    return unicodedata.category(character) == "Lo" and ord(character) >= 0x2E80


def _is_word(character: str) -> bool:
    return character.isalnum() and not _is_ideograph(character)


def caret_near(document: Document, page: int, x_pt: float, y_pt: float) -> int | None:
    """The offset between characters that is nearest to a place on a page; None on a page without text.

    The nearest line counts first, then the nearest column, so that a drag past a line's end selects to its end.
    """
    found = character_near(document, page, x_pt, y_pt)
    if found is None:
        return None
    box = document.boxes.rect[found[0]]
    return found[0] + (1 if x_pt > (box[0] + box[2]) / 2 else 0)


def character_near(document: Document, page: int, x_pt: float, y_pt: float) -> tuple[int, float, float] | None:
    """The character nearest to a place, and its distance across and along the page in points."""
    if not 0 <= page < len(document.pages):
        return None
    first, last = document.pages[page].start, document.pages[page].end
    rect = document.boxes.rect[first:last]
    if len(rect) == 0:
        return None
    dx = np.maximum(0, np.maximum(rect[:, 0] - x_pt, x_pt - rect[:, 2]))
    dy = np.maximum(0, np.maximum(rect[:, 1] - y_pt, y_pt - rect[:, 3]))
    distance = np.where(rect[:, 2] <= rect[:, 0], np.inf, dx + _ACROSS_LINES * dy)
    best = int(np.argmin(distance))
    if not np.isfinite(distance[best]):
        return None
    return first + best, float(dx[best]), float(dy[best])


def character_at(document: Document, page: int, x_pt: float, y_pt: float) -> int | None:
    """The character under a place on a page, or None on blank paper."""
    found = character_near(document, page, x_pt, y_pt)
    if found is None or found[1] > REACH_PT or found[2] > REACH_PT / 2:
        return None
    return found[0]


def word_at(text: str, offset: int) -> tuple[int, int]:
    """The word around an offset: letters and digits with their apostrophes, hyphens and decimal points.

    In Chinese, which writes no word limits, the run of characters between punctuation marks.
    """
    if not 0 <= offset < len(text):
        return offset, offset
    if _is_ideograph(text[offset]):
        return _grow(text, offset, _is_ideograph)
    if not _is_word(text[offset]):
        return offset, offset + 1
    start, end = _grow(text, offset, _is_word)
    while start >= 2 and text[start - 1] in _JOINERS and _is_word(text[start - 2]):
        start, _ = _grow(text, start - 2, _is_word)
    while end + 1 < len(text) and text[end] in _JOINERS and _is_word(text[end + 1]):
        _, end = _grow(text, end + 1, _is_word)
    return start, end


def _grow(text: str, offset: int, belongs: Callable[[str], bool]) -> tuple[int, int]:
    start, end = offset, offset + 1
    while start > 0 and belongs(text[start - 1]):
        start -= 1
    while end < len(text) and belongs(text[end]):
        end += 1
    return start, end


class ClausePlaces:
    """Clauses as a reader points at them: by their own words, without their sub-clauses."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._starts = [c.start for c in document.clauses]

    def own_span(self, clause: Clause) -> tuple[int, int]:
        """Number, heading and words up to the first sub-clause, without blanks at the end."""
        i = bisect.bisect_right(self._starts, clause.start)
        clauses = self._document.clauses
        end = min(clause.end, clauses[i].start) if i < len(clauses) else clause.end
        while end > clause.start + 1 and self._document.text[end - 1].isspace():
            end -= 1
        return clause.start, end

    def number_at(self, offset: int) -> Clause | None:
        """The clause whose printed number stands at an offset."""
        clause = self._document.clause_at(offset)
        if clause is None or not clause.label or offset >= clause.start + len(clause.label):
            return None
        printed = self._document.quote(clause.start, clause.start + len(clause.label))
        return clause if printed == clause.label else None

    def beside(self, page: int, x_pt: float, y_pt: float) -> Clause | None:
        """The clause on the line at this height, also when the place is in the margin beside it."""
        found = character_near(self._document, page, x_pt, y_pt)
        if found is None or found[2] > 2 * REACH_PT:
            return None
        return self._document.clause_at(found[0])

    def passage(self, offset: int) -> tuple[int, int]:
        """What a link end snaps to: the innermost clause's own words, else the sentence, else the word."""
        clause = self._document.clause_at(offset)
        if clause is not None:
            return self.own_span(clause)
        sentence = self._document.sentence_at(offset)
        if sentence is not None:
            return sentence.start, sentence.end
        return word_at(self._document.text, offset)

    def sentence(self, offset: int) -> tuple[int, int]:
        """The sentence around a place, where one is asked for by Alt; without one, what a link end snaps to."""
        sentence = self._document.sentence_at(offset)
        return (sentence.start, sentence.end) if sentence is not None else self.passage(offset)

    def next(self, offset: int, step: int) -> Clause | None:
        """The clause ``step`` places after (before, if negative) the one around ``offset``."""
        i = bisect.bisect_right(self._starts, offset) - 1 + step
        return self._document.clauses[i] if 0 <= i < len(self._starts) else None
