"""Whether a question is clear enough to answer, and what it may be about when it is not.

The stability of a question's intent is the share of its candidates' weight that lies under one heading, lifted by
what the question itself fixes (a kind of value, a value, several telling words). Under 0.75 the person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import numpy as np

from engine.protocol.answers import Choice
from engine.retrieval.matter_index import MatterIndex
from engine.retrieval.questions import Asked
from engine.retrieval.ranking import Found
from engine.retrieval.words import index_words

STABLE = 0.75
MOST_CHOICES = 5
#: How sharply the best candidates outweigh the others.
_SHARPNESS = 12.0
#: So many telling words make a question as specific as it gets.
_SPECIFIC_WORDS = 5
_DEPENDENT = re.compile(
    r"^(?:and|but|what about|how about|or|then|so)\b|\b(?:it|that|this|those|these|them|they)\b"
    r"|^(?:那|那么|如果|要是|还有|以及)|(?:它|其|这|该)|呢[？?]?$",
    re.IGNORECASE,
)


class Intent(msgspec.Struct, frozen=True):
    """``stability`` 0..1; ``choices`` is empty where it is :data:`STABLE` or more."""

    stability: float
    choices: tuple[Choice, ...] = ()


def read_intent(index: MatterIndex, asked: Asked, found: Sequence[Found]) -> Intent:
    """How clear a question is, judged by its ``found`` candidates (some ten), and the choices where it is not."""
    if not found:
        return Intent(0.0)
    weights = np.exp(_SHARPNESS * (np.array([each.score for each in found]) - found[0].score))
    shares: dict[str, float] = {}
    for each, weight in zip(found, weights / weights.sum(), strict=True):
        heading = heading_of(index, each)
        shares[heading] = shares.get(heading, 0.0) + float(weight)
    specific = min(1.0, len(set(index_words(asked.text))) / _SPECIFIC_WORDS)
    fixed = 1.0 if asked.kinds or asked.anchors else specific
    # A precise question whose answer stands under two headings is still precise.
    stability = max(shares.values()) * 0.5 + fixed * 0.5
    if stability >= STABLE:
        return Intent(stability)
    headings = [heading for heading in sorted(shares, key=lambda h: -shares[h]) if heading][:MOST_CHOICES]
    if len(headings) < 2:
        return Intent(stability)
    return Intent(stability, tuple(Choice(heading, f"{asked.text.rstrip('?？ ')}: {heading}") for heading in headings))


def heading_of(index: MatterIndex, found: Found) -> str:
    """The innermost heading that a passage stands under, "" without one."""
    chunk = index.documents[found.place.document].kept.chunks[found.place.chunk]
    return chunk.heading.rpartition(" / ")[2]


def with_subject(question: str, history: Sequence[str]) -> str:
    """A follow-up question with the subject of the one before: "and if it is late?" asks about that.

    ``history`` are the earlier questions, oldest first, as they were put.
    """
    if not history or not _DEPENDENT.search(question.strip()):
        return question
    if len(set(index_words(question))) > 2 * _SPECIFIC_WORDS:
        return question
    return f"{history[-1].rstrip()} {question.strip()}"
