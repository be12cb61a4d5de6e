"""Which 42 tokens of a text a snapshot keeps, and what each of them is.

A text of at most 42 tokens keeps them all. Of a longer one the most telling stay, in reading order: first the tokens of
anchors (values, parties and terms) and the modals, negations and conditions, because a conflict hangs on them; then
words that carry content; then words that only join; punctuation last. Among equals the earlier one stays. How much
that is worth against keeping the first 42 or all of them is measured in tests/accuracy/results/states.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.anchors.model import Anchor, AnchorKind
from kernels.pack_states.layout import ROWS

#: Token classes, as a block keeps them.
OTHER, VALUE, MODAL, PARTY = range(4)

_CLASS = {
    AnchorKind.MODALITY: MODAL,
    AnchorKind.CONDITION: MODAL,
    AnchorKind.PRECEDENCE: MODAL,
    AnchorKind.PARTY: PARTY,
    AnchorKind.TERM: PARTY,
    AnchorKind.PERSON: PARTY,
}
_NEGATION = re.compile(
    r"(?<![A-Za-z])(?:not|no|never|neither|nor|none|without|except|only|unless|cannot|non|exclusive(?:ly)?)(?![A-Za-z])"
    r"|不|未|无|非|没有|禁止|除|仅|只",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]")
_JOINING = frozenset((
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "and", "or", "as", "is", "are", "be", "been", "was",
    "were", "this", "that", "these", "those", "such", "with", "from", "its", "it", "any", "all", "each", "which", "who",
    "whom", "their", "his", "her", "into", "under", "upon", "hereof", "herein", "hereby", "hereunder", "thereof",
    "therein", "thereto", "hereto", "said", "other", "has", "have", "had", "if", "s",
    "的", "了", "和", "与", "及", "或", "在", "于", "为", "以", "由", "对", "向", "将", "其", "该", "此", "等", "并",
    "之", "所", "而", "则",
))  # fmt: skip

#: How telling a token of no class is: words with content, words that join, all else.
_CONTENT, _JOINS, _MARKS = 2, 1, 0
_TELLING = 3


class Mark(NamedTuple):
    """A stretch of a text that belongs to a class (:data:`VALUE`, :data:`MODAL`, :data:`PARTY`)."""

    start: int
    end: int
    kind: int


def marks_of(text: str, anchors: Sequence[Anchor]) -> list[Mark]:
    """The marks of a text from its anchors (spans within ``text``) and its words of negation."""
    found = [Mark(a.start, a.end, _CLASS.get(a.kind, VALUE)) for a in anchors]
    found += [Mark(m.start(), m.end(), MODAL) for m in _NEGATION.finditer(text)]
    return found


class Choice(NamedTuple):
    """The tokens kept (indices, ascending) and the class of each: int64 and uint8 ``[k]``, k at most 42."""

    tokens: NDArray[np.int64]
    classes: NDArray[np.uint8]


def _grade(piece: str) -> int:
    if not _WORD.search(piece):
        return _MARKS
    return _JOINS if piece.lower() in _JOINING else _CONTENT


def token_classes(spans: Sequence[tuple[int, int]], marks: Sequence[Mark], length: int) -> NDArray[np.uint8]:
    """The class of each token, uint8 ``[n]``. A value inside a party's name is part of the name, a modal always one."""
    painted = np.zeros(length + 1, np.uint8)
    for kind in (VALUE, PARTY, MODAL):
        for mark in marks:
            if mark.kind == kind:
                painted[max(0, mark.start) : max(0, mark.end)] = kind
    if not spans:
        return np.zeros(0, np.uint8)
    starts = np.array([start for start, _ in spans])
    classes: NDArray[np.uint8] = painted[np.minimum(starts, length)]
    return classes


def choose(text: str, spans: Sequence[tuple[int, int]], marks: Sequence[Mark], most: int = ROWS) -> Choice:
    """The tokens of ``text`` that its snapshot keeps.

    Args:
        text: what was encoded.
        spans: each token's place in it.
        marks: its anchors and modals, from :func:`marks_of`.
        most: how many are kept.
    """
    classes = token_classes(spans, marks, len(text))
    if len(spans) <= most:
        return Choice(np.arange(len(spans)), classes)
    worth = np.array(
        [_TELLING if kind else _grade(text[a:b]) for kind, (a, b) in zip(classes.tolist(), spans, strict=True)]
    )
    kept = np.sort(np.argsort(-worth, kind="stable")[:most])
    return Choice(kept, classes[kept])
