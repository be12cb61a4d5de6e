"""Finding words or a regular expression in a document's text: every place, as code points."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
from PySide6.QtCore import QRegularExpression

#: A letter or digit of a script that writes limits between words. Chinese does not: its neighbours end no word.
_LETTER = r"[^\W\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"


#: What UTF-16 writes as two.
_WIDE = re.compile("[\U00010000-\U0010ffff]")


@dataclasses.dataclass(frozen=True, slots=True)
class SearchOptions:
    """How words are looked for.

    Attributes:
        case: capitals matter.
        whole_word: not inside a longer word.
        expression: the words are a regular expression (PCRE2, ``^`` and ``$`` at every line).
        all_documents: in every document of the matter.
    """

    case: bool = False
    whole_word: bool = False
    expression: bool = False
    all_documents: bool = False


class BadExpression(ValueError):
    """An expression that cannot be used.

    Attributes:
        why: what is wrong in Qt's words, "" when it is sound but would run too long.
        at: the character (0-based) at which the mistake was seen.
    """

    def __init__(self, why: str, at: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


def find_all(text: str, words: str, options: SearchOptions) -> tuple[tuple[int, int], ...]:
    """Every place of ``words`` in ``text``, ``[start, end)`` in code points, in order, none of them empty.

    Unless they are an expression, a space in the words fits any run of white space, line ends too.

    Raises:
        BadExpression: the words are no regular expression, or one that takes too long.
    """
    if options.expression:
        return _expression_places(text, words, options)
    parts = words.split()
    if not parts:
        return ()
    pattern = r"\s+".join(re.escape(part) for part in parts)
    if options.whole_word:
        before = rf"(?<!{_LETTER})" if re.match(_LETTER, parts[0]) else ""
        after = rf"(?!{_LETTER})" if re.match(_LETTER, parts[-1][-1]) else ""
        pattern = before + pattern + after
    found = re.finditer(pattern, text, 0 if options.case else re.IGNORECASE)
    return tuple(match.span() for match in found)


def _expression_places(text: str, words: str, options: SearchOptions) -> tuple[tuple[int, int], ...]:
    # Not Python's re: an expression that backtracks without end would stop the window; PCRE2 gives up by itself.
    flag = QRegularExpression.PatternOption
    flags = flag.UseUnicodePropertiesOption | flag.MultilineOption
    if not options.case:
        flags |= flag.CaseInsensitiveOption
    expression = QRegularExpression(words, flags)
    if not words:
        return ()
    if options.whole_word and expression.isValid():
        expression.setPattern(rf"\b(?:{words})\b")
    if not expression.isValid():
        raise BadExpression(expression.errorString(), expression.patternErrorOffset())
    found: list[tuple[int, int]] = []
    matches = expression.globalMatch(text)
    if not matches.isValid():
        raise BadExpression("")
    while matches.hasNext():
        match = matches.next()
        start, end = match.capturedStart(), match.capturedEnd()
        if start < end:
            found.append((start, end))
    return _code_points(text, found)


def _code_points(text: str, units: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Qt counts in UTF-16, where a character beyond the first plane is two."""
    wide = np.array([match.start() for match in _WIDE.finditer(text)], np.int64) if units else ()
    if not len(wide):
        return tuple(units)
    spans = np.array(units, np.int64)
    # The i-th wide character stands at unit wide[i] + i; what lies behind it is one less in code points.
    return tuple((int(a), int(b)) for a, b in spans - np.searchsorted(wide + np.arange(len(wide)), spans, "left"))
