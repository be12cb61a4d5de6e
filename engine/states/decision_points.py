"""Where states are taken: decision points, and the stretches of text that end at them.

A decision point is the end of a sentence, the end of a ``;`` clause within one, a paragraph's first token, or an anchor
whose confidence is above 0.85. The ends cut the text into segments, and each segment gets one state snapshot; the
other points lie inside a segment, and their tokens are among the first that its snapshot keeps
(:mod:`engine.states.choice`). So what a document costs is its number of segments, and ``density`` counts those.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Sequence

from engine.anchors.model import Anchor
from engine.document import Document

#: Anchors above this confidence are decision points.
SURE = 0.85
#: A ``;`` clause shorter than this (code points) stays with the one before it: it is a list mark or a date.
SHORTEST_CLAUSE = 24
SHORTEST_CLAUSE_ZH = 8
_SEMICOLON = re.compile(r"[;；]\s*")
HAN = re.compile(r"[\u3400-\u9fff]")
_WORD_PIECES = re.compile(r"[A-Za-z]{1,9}|\d{1,3}|[\u3400-\u9fff]{1,2}|([^\sA-Za-z\d\u3400-\u9fff])\1*")


class PointKind(enum.IntEnum):
    """What makes a place a decision point; the numbers stand in block headers."""

    SENTENCE = 1
    CLAUSE = 2
    PARAGRAPH = 3
    ANCHOR = 4


@dataclasses.dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A place in the canonical text; ``segment`` is the index of the segment it lies in or ends."""

    at: int
    kind: PointKind
    segment: int


@dataclasses.dataclass(frozen=True, slots=True)
class Segment:
    """What one snapshot holds: a sentence, or a ``;`` clause of one; ``sentence`` is its index in the document."""

    start: int
    end: int
    kind: PointKind
    sentence: int
    paragraph_start: bool


@dataclasses.dataclass(frozen=True, slots=True)
class DecisionPoints:
    """The points and segments of a document, in order.

    ``tokens`` estimates the encoder's tokens from the text, within some 10 %.
    """

    points: tuple[DecisionPoint, ...]
    segments: tuple[Segment, ...]
    tokens: int

    @property
    def density(self) -> float:
        """Snapshots per 1,000 tokens: the ends of sentences and ``;`` clauses; 0 for an empty document."""
        return 1000 * len(self.segments) / self.tokens if self.tokens else 0.0

    @property
    def marks_density(self) -> float:
        """Points of every kind per 1,000 tokens."""
        return 1000 * len(self.points) / self.tokens if self.tokens else 0.0


def _segments(document: Document) -> list[Segment]:
    text = document.text
    bodies = {clause.body_start for clause in document.clauses} | {clause.start for clause in document.clauses}
    found: list[Segment] = []
    for i, sentence in enumerate(document.sentences):
        first = sentence.start in bodies or "\n" in text[max(0, sentence.start - 2) : sentence.start]
        start = sentence.start
        shortest = SHORTEST_CLAUSE_ZH if HAN.search(text, start, sentence.end) else SHORTEST_CLAUSE
        for mark in _SEMICOLON.finditer(text, start, sentence.end):
            if mark.end() - start >= shortest and sentence.end - mark.end() >= shortest:
                end = mark.start() + 1
                found.append(Segment(start, end, PointKind.CLAUSE, i, first and start == sentence.start))
                start = mark.end()
        found.append(Segment(start, sentence.end, PointKind.SENTENCE, i, first and start == sentence.start))
    return found


def find_decision_points(document: Document, anchors: Sequence[Anchor]) -> DecisionPoints:
    """The decision points of a document.

    Args:
        document: as read; its sentences cut it.
        anchors: of the document, sorted by start (:func:`engine.anchors.extract.extract_anchors`).
    """
    segments = _segments(document)
    points: list[DecisionPoint] = []
    cursor = 0
    for i, segment in enumerate(segments):
        taken = {segment.end}
        if segment.paragraph_start:
            points.append(DecisionPoint(segment.start, PointKind.PARAGRAPH, i))
            taken.add(segment.start)
        while cursor < len(anchors) and anchors[cursor].start < segment.start:
            cursor += 1
        at = cursor
        while at < len(anchors) and anchors[at].start < segment.end:
            anchor = anchors[at]
            at += 1
            if anchor.confidence <= SURE or anchor.start in taken:
                continue
            taken.add(anchor.start)
            points.append(DecisionPoint(anchor.start, PointKind.ANCHOR, i))
        points.append(DecisionPoint(segment.end, segment.kind, i))
    return DecisionPoints(tuple(points), tuple(segments), estimated_tokens(document.text))


def estimated_tokens(text: str) -> int:
    """About how many word pieces an encoder makes of a text: letters in nines, digits in threes, Han in pairs."""
    return sum(1 for _ in _WORD_PIECES.finditer(text))


def segment_anchors(segment: Segment, anchors: Sequence[Anchor]) -> list[Anchor]:
    """The anchors that lie in a segment, with spans within its text."""
    return [
        Anchor(a.kind, a.value, a.start - segment.start, a.end - segment.start, a.confidence, a.role, a.bound, a.detail)
        for a in anchors
        if segment.start <= a.start and a.end <= segment.end
    ]
