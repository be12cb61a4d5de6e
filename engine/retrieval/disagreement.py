"""Passages of one answer that give different values for the same thing, and which of them says that it prevails.

By anchors alone: the same kind and role ("late interest"), no value in common. What a review finds between the same
passages is surer and goes first in the window; this needs no review.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from engine.anchors.model import AnchorKind
from engine.protocol.answers import PassageConflict
from engine.retrieval.document_index import ChunkAnchor

_COMPARED = frozenset(
    {AnchorKind.AMOUNT, AnchorKind.PERCENT, AnchorKind.PERIOD, AnchorKind.DATE, AnchorKind.RATE, AnchorKind.QUANTITY,
     AnchorKind.LAW, AnchorKind.COURT, AnchorKind.ARBITRATION}
)  # fmt: skip
#: Codes: values that differ, the later or the earlier passage saying that it prevails.
DIFFER, FIRST_PREVAILS, SECOND_PREVAILS = "differ", "first_prevails", "second_prevails"
#: Words by which a passage puts itself above others, or below them.
_OVER = frozenset({"notwithstanding", "prevails", "lieu"})
_UNDER = frozenset({"subject to", "except"})


def disagreements(
    passages: Sequence[tuple[Sequence[ChunkAnchor], str, int]],
) -> tuple[PassageConflict, ...]:
    """Pairs that differ; a passage is its anchors, its words, and where they begin in the document."""
    out = []
    for first, second in combinations(range(len(passages)), 2):
        a, b = passages[first][0], passages[second][0]
        if _other_party(a, b):
            continue
        values = _differing(a, b)
        if values is None:
            continue
        words = (_words(values[0], passages[first]), _words(values[1], passages[second]))
        summary = f"{words[0]} / {words[1]}"
        out.append(PassageConflict(first, second, _which(a, b), summary, words))
    return tuple(out)


def _other_party(a: Sequence[ChunkAnchor], b: Sequence[ChunkAnchor]) -> bool:
    """Duties of two parties may have two values: the seller's delay is not the buyer's."""
    named = [next((each.value for each in held if each.kind == AnchorKind.PARTY), "") for held in (a, b)]
    return all(named) and named[0] != named[1]


def _differing(a: Sequence[ChunkAnchor], b: Sequence[ChunkAnchor]) -> tuple[ChunkAnchor, ChunkAnchor] | None:
    """A value of each for the same thing, where they have none in common."""
    ours, theirs = _by_role(a), _by_role(b)
    for role in ours.keys() & theirs.keys():
        if not {each.value for each in ours[role]} & {each.value for each in theirs[role]}:
            return ours[role][0], theirs[role][0]
    return None


def _by_role(anchors: Sequence[ChunkAnchor]) -> dict[tuple[str, str], list[ChunkAnchor]]:
    out: dict[tuple[str, str], list[ChunkAnchor]] = defaultdict(list)
    for each in anchors:
        if each.kind in _COMPARED and each.role:
            out[each.kind, each.role].append(each)
    return out


def _which(a: Sequence[ChunkAnchor], b: Sequence[ChunkAnchor]) -> str:
    words_a, words_b = ({each.value for each in held if each.kind == AnchorKind.PRECEDENCE} for held in (a, b))
    if (words_a & _OVER and not words_b & _OVER) or (words_b & _UNDER and not words_a & _UNDER):
        return FIRST_PREVAILS
    if (words_b & _OVER and not words_a & _OVER) or (words_a & _UNDER and not words_b & _UNDER):
        return SECOND_PREVAILS
    return DIFFER


def _words(anchor: ChunkAnchor, passage: tuple[Sequence[ChunkAnchor], str, int]) -> str:
    _, words, start = passage
    return words[anchor.start - start : anchor.end - start]
