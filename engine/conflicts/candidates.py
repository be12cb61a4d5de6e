"""Which pairs of units are worth comparing: near by vector, or sharing rare words. Near-linear in time and memory.

All pairs of a 300-page agreement are tens of millions; the pairs that can contradict each other speak of one
thing, so each is among the few nearest of one of its two sentences by one of these measures.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.units import VALUE_KINDS, Unit

#: Nearest units by vector, by shared words in both directions, and by how much of the shorter one is found.
NEAREST_BY_VECTOR = 20
NEAREST_BY_WORDS = 12
NEAREST_BY_CONTAINMENT = 12

#: Units whose values have one role are joined pairwise unless there are more of them than this.
MOST_OF_ONE_ROLE = 10

#: A document of so few units is compared whole: no more pairs a unit than the lists below give.
WHOLE = 61

#: Rows of the similarity matrix held at a time.
BLOCK = 128

#: A word in more units than this (and than a twentieth of them) joins nothing: it is what the contract is about.
COMMON_AT_LEAST = 60

#: … and never in more than this, so that the work per unit does not grow with a very long contract.
COMMON_AT_MOST = 160


@dataclasses.dataclass(frozen=True, slots=True)
class Candidate:
    """A pair of units (by index, ``a < b``) with the measures that chose it.

    Attributes:
        cosine: of the masked vectors.
        rank_a, rank_b: place of the other among the nearest by vector, 0 the nearest; 99 beyond the list.
        crowd_a, crowd_b: mean cosine to the five nearest others: high among parallel items and boilerplate.
        shared: summed weight of the words in both; ``weight_a``, ``weight_b`` of all words of each.
    """

    a: int
    b: int
    cosine: float
    rank_a: int
    rank_b: int
    crowd_a: float
    crowd_b: float
    shared: float
    weight_a: float
    weight_b: float


class WordIndex:
    """Where each word stands, with its inverse document frequency over the units."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.bags = [frozenset(unit.features) for unit in units]
        self.units_of: dict[str, list[int]] = {}
        for i, bag in enumerate(self.bags):
            for word in sorted(bag):
                self.units_of.setdefault(word, []).append(i)
        n = len(units)
        self.idf = {word: math.log(1 + n / len(where)) for word, where in self.units_of.items()}
        self.weights = [sum(self.idf[word] for word in sorted(bag)) for bag in self.bags]
        self._limit = min(COMMON_AT_MOST, max(COMMON_AT_LEAST, n // 20))

    def shared(self, a: int, b: int) -> float:
        """Summed weight of the words in both units."""
        return math.fsum(self.idf[word] for word in self.bags[a] & self.bags[b])

    def neighbours(self, a: int) -> dict[int, float]:
        """Other units with the summed weight of the not too common words they share with ``a``."""
        found: dict[int, float] = {}
        for word in sorted(self.bags[a]):
            where = self.units_of[word]
            if len(where) <= self._limit:
                idf = self.idf[word]
                for other in where:
                    found[other] = found.get(other, 0.0) + idf
        found.pop(a, None)
        return found


def _by_words(index: WordIndex, a: int) -> list[int]:
    near = index.neighbours(a)
    if not near:
        return []
    others = list(near)
    shared = np.array([near[o] for o in others])
    weight = np.array([index.weights[o] for o in others])
    mine = index.weights[a]
    dice = 2 * shared / (mine + weight)
    contained = shared / np.minimum(mine, weight) * np.minimum(1, shared / 4)
    chosen: dict[int, None] = {}
    for score, count in ((dice, NEAREST_BY_WORDS), (contained, NEAREST_BY_CONTAINMENT)):
        for i in np.lexsort((others, -score))[:count]:
            chosen[others[int(i)]] = None
    return list(chosen)


def _by_roles(units: Sequence[Unit]) -> list[tuple[int, int]]:
    """Pairs of units that give a value to one role ("effective date"), however differently they are worded."""
    of_role: dict[tuple[str, str], dict[int, None]] = {}
    for i, unit in enumerate(units):
        for anchor in unit.anchors:
            if anchor.role and anchor.kind in VALUE_KINDS:
                of_role.setdefault((anchor.kind.value, anchor.role), {})[i] = None
    few = [where for where in of_role.values() if len(where) <= MOST_OF_ONE_ROLE]
    return [pair for where in few for pair in itertools.combinations(where, 2)]


def find_candidates(
    units: Sequence[Unit], vectors: NDArray[np.float32], cancelled: Callable[[], bool]
) -> tuple[list[Candidate], WordIndex]:
    """The candidate pairs in a fixed order, and the word index they were found with.

    Stops early with what it has when ``cancelled`` answers True; the caller asks again and gives up.
    """
    n = len(units)
    index = WordIndex(units)
    if n < 2:
        return [], index
    count = min(NEAREST_BY_VECTOR, n - 1) if n > WHOLE else n - 1
    pairs: dict[tuple[int, int], float] = {}
    ranks: dict[tuple[int, int], int] = {}
    crowd = np.zeros(n, np.float32)
    for start in range(0, n, BLOCK):
        if cancelled():
            return [], index
        similarity = vectors[start : start + BLOCK] @ vectors.T
        rows = np.arange(len(similarity))
        similarity[rows, rows + start] = -2
        top = np.argpartition(-similarity, count - 1, axis=1)[:, :count]
        for row in rows:
            a = start + int(row)
            near = sorted(top[row].tolist(), key=lambda b: (-float(similarity[row, b]), b))
            crowd[a] = similarity[row, near[1:6]].mean() if len(near) > 1 else 0
            for rank, b in enumerate(near):
                ranks[a, b] = rank
                pairs[min(a, b), max(a, b)] = float(similarity[row, b])
            for b in _by_words(index, a):
                pairs.setdefault((min(a, b), max(a, b)), float(similarity[row, b]))
    for a, b in _by_roles(units):
        pairs.setdefault((a, b), float(vectors[a] @ vectors[b]))
    found = [
        Candidate(
            a=a,
            b=b,
            cosine=cosine,
            rank_a=ranks.get((a, b), 99),
            rank_b=ranks.get((b, a), 99),
            crowd_a=float(crowd[a]),
            crowd_b=float(crowd[b]),
            shared=index.shared(a, b),
            weight_a=index.weights[a],
            weight_b=index.weights[b],
        )
        for (a, b), cosine in sorted(pairs.items())
    ]
    return found, index
