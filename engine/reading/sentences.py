"""The event fuser: where sentences end.

Each mark that could end a sentence gets one probability, fused by a logistic model out of punctuation evidence, the
classes of the words around it, and the distance from what came before (:mod:`engine.reading.end_features`). An end is
taken at :data:`END_THRESHOLD`. The weights, one per named feature, are learnt: resources/weights/event_fuser.json, and
the card beside it says from what and how well.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from engine.reading.end_features import CLOSERS, features
from resources import resource_path

#: An end of a sentence is taken when its probability is at least this.
END_THRESHOLD = 0.92
WEIGHTS_FILE = "event_fuser.json"
WEIGHTS_SCHEMA = "antinomy.event_fuser/1"

_CANDIDATE = re.compile(r"[.!?]+|[。！？｡]+|…+")
_SCORE_NEEDED = math.log(END_THRESHOLD / (1.0 - END_THRESHOLD))


class FuserError(Exception):
    """The weights file is missing, damaged or of another version; the message says which, in a sentence."""


class FuserWeights(msgspec.Struct, frozen=True):
    """The logistic model: ``weights`` by feature name, positive where an end is more likely; others count nothing."""

    schema: str
    bias: float
    weights: dict[str, float]


class EventFuser:
    """Decides sentence ends with one set of weights."""

    def __init__(self, weights: FuserWeights) -> None:
        if weights.schema != WEIGHTS_SCHEMA:
            raise FuserError(f"the sentence weights are of the kind “{weights.schema}”, not “{WEIGHTS_SCHEMA}”")
        self.weights = weights.weights
        self.bias = weights.bias

    def score(self, present: Iterable[str]) -> float:
        """The log-odds that a place with these features ends a sentence."""
        known = self.weights
        return self.bias + sum([known.get(name, 0.0) for name in present])

    def probability(self, present: Iterable[str]) -> float:
        """The chance that a place with these features ends a sentence."""
        return 1.0 / (1.0 + math.exp(-self.score(present)))

    def takes(self, present: Iterable[str]) -> bool:
        """Whether a place with these features is taken for an end."""
        return self.score(present) >= _SCORE_NEEDED

    def split(self, text: str, start: int, end: int) -> list[tuple[int, int]]:
        """Spans of the sentences in ``text[start:end)``, without white space around them, in order."""
        spans: list[tuple[int, int]] = []
        begin = start
        for mark, after in candidates(text, start, end):
            if after >= end:
                break
            if after > begin and self.takes(features(text, begin, mark, after, end)):
                _add(spans, text, begin, after)
                begin = after
        _add(spans, text, begin, end)
        return spans


def candidates(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where sentences may end in ``text[start:end)``: offset of the mark, offset behind it and what closes after it."""
    for match in _CANDIDATE.finditer(text, start, end):
        after = match.end()
        while after < end and text[after] in CLOSERS and not _opens(text, after):
            after += 1
        yield match.start(), after


def read_fuser(path: Path) -> EventFuser:
    """The fuser of a weights file.

    Raises:
        FuserError: no such file, not such a file, or another version.
    """
    try:
        return EventFuser(msgspec.json.decode(path.read_bytes(), type=FuserWeights))
    except (OSError, msgspec.MsgspecError) as error:
        raise FuserError(f"the sentence weights cannot be read: {error}") from error


@functools.cache
def event_fuser() -> EventFuser:
    """The fuser with the shipped weights."""
    return read_fuser(resource_path("weights", WEIGHTS_FILE))


def split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the sentences in ``text[start:end)``, without white space around them, in order."""
    return event_fuser().split(text, start, end)


def _opens(text: str, at: int) -> bool:
    """A straight quote after a space and before a letter opens rather than closes."""
    return text[at] in "\"'" and at > 0 and text[at - 1].isspace()


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    if not any(character.isalnum() for character in text[start:end]):
        # Stray marks ("***", "__") belong to what they follow; alone they say nothing.
        if spans:
            spans[-1] = (spans[-1][0], end)
        return
    spans.append((start, end))
