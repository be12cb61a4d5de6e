"""Which words of a finding's passages to emphasise: the anchors that clash, or else the words that differ."""

from __future__ import annotations

import dataclasses
import difflib
import enum
import re
from collections.abc import Iterator, Sequence

from engine.protocol.findings import Finding, Passage


class Weight(enum.StrEnum):
    """Why a stretch of words is emphasised."""

    CLASH = "clash"
    SAME = "same"
    DIFFERS = "differs"


@dataclasses.dataclass(frozen=True, slots=True)
class Stretch:
    """``[start, end)`` in code points of the passage's own text."""

    start: int
    end: int
    weight: Weight


#: A run of letters or digits; each ideograph is a word of its own.
_WORD = re.compile(r"[㐀-䶿一-鿿]|[^\W㐀-䶿一-鿿]+|[^\w\s]")
#: Above this many words a passage is no sentence, and comparing word by word is slow and says little.
MAX_WORDS = 600
#: Passages that share less than this show no difference worth pointing at: everything differs.
LEAST_LIKENESS = 0.35


def emphasise(finding: Finding) -> list[list[Stretch]]:
    """For each passage the stretches to emphasise, in order, not overlapping."""
    passages = finding.passages
    by_anchor = emphasise_anchors(finding)
    if any(stretch.weight is Weight.CLASH for stretches in by_anchor for stretch in stretches) or len(passages) != 2:
        return by_anchor
    if passages[0].text == passages[1].text:
        return by_anchor
    return [_merged(stretches) for stretches in _word_differences(passages[0].text, passages[1].text)]


def emphasise_anchors(finding: Finding) -> list[list[Stretch]]:
    """The same by anchors alone: cheap enough for all findings at once."""
    return [list(_anchor_stretches(passage, finding.passages)) for passage in finding.passages]


def _anchor_stretches(passage: Passage, passages: Sequence[Passage]) -> Iterator[Stretch]:
    others = [anchor for other in passages if other is not passage for anchor in other.anchors]
    end = 0
    for anchor in sorted(passage.anchors, key=lambda a: a.start):
        start_here, end_here = anchor.start - passage.start, anchor.end - passage.start
        if not 0 <= start_here < end_here <= len(passage.text) or start_here < end:
            continue
        rivals = [other for other in others if other.kind == anchor.kind]
        same = any(other.value == anchor.value for other in rivals)
        clashes = (bool(rivals) and not same) or len(passages) == 1
        if clashes or same:
            yield Stretch(start_here, end_here, Weight.CLASH if clashes else Weight.SAME)
            end = end_here


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(match.group().casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]


def _word_differences(first: str, second: str) -> tuple[list[Stretch], list[Stretch]]:
    a, b = _words(first), _words(second)
    if not a or not b or len(a) > MAX_WORDS or len(b) > MAX_WORDS:
        return [], []
    matcher = difflib.SequenceMatcher(None, [word[0] for word in a], [word[0] for word in b], autojunk=False)
    if matcher.ratio() < LEAST_LIKENESS:
        return [], []
    left: list[Stretch] = []
    right: list[Stretch] = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            continue
        if a1 > a0:
            left.append(Stretch(a[a0][1], a[a1 - 1][2], Weight.DIFFERS))
        if b1 > b0:
            right.append(Stretch(b[b0][1], b[b1 - 1][2], Weight.DIFFERS))
    return left, right


def _merged(stretches: list[Stretch]) -> list[Stretch]:
    """Join stretches a character or two apart: a shower of single emphasised words is hard to read."""
    merged: list[Stretch] = []
    for stretch in stretches:
        if merged and stretch.start - merged[-1].end <= 2:
            merged[-1] = Stretch(merged[-1].start, stretch.end, stretch.weight)
        else:
            merged.append(stretch)
    return merged
