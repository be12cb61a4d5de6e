"""Which piece of the earlier version is which of the later one.

First what says exactly the same, from the places that are unmistakable outwards (as in a patience diff); then what is
most alike, by the words that few other pieces have, helped by number, heading and neighbourhood.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from difflib import SequenceMatcher

from engine.comparison.order import rising
from engine.comparison.pieces import Piece

#: Pieces as much alike as this (0..1) are versions of one another wherever they stand.
ALIKE = 0.55
#: … and this is enough at the place that neighbours, number and heading leave for it.
ALIKE_IN_PLACE = 0.30
#: A gap of more pairs than this is not searched pair by pair for what is equal.
MOST_PAIRS = 250_000
#: A word in more pieces than this, and than a twentieth of them, says nothing about which piece this is.
COMMON = 40
MOST_CANDIDATES = 6
#: Fewer words than this are no passage that could have been moved.
LEAST_WORDS = 4

Pair = tuple[int, int]


def align(old: Sequence[Piece], new: Sequence[Piece]) -> list[Pair]:
    """Pairs of indexes, each index at most once, sorted by the later version's."""
    old_keys, new_keys = [_key(piece) for piece in old], [_key(piece) for piece in new]
    pairs = dict(_equal_in_order(old_keys, new_keys))
    pairs.update(_equal_elsewhere(old, new, old_keys, new_keys, pairs))
    pairs.update(_alike(old, new, pairs))
    return sorted(pairs.items(), key=lambda pair: pair[1])


def _key(piece: Piece) -> tuple[bool, str]:
    return (piece.is_contents, piece.key)


def _equal_in_order(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Pair]:
    """Equal keys in the same order on both sides."""
    counts, later = Counter(old), Counter(new)
    at = {key: i for i, key in enumerate(old) if counts[key] == 1}
    fixed = [(at[key], j) for j, key in enumerate(new) if later[key] == 1 and key in at]
    kept = rising([i for i, _ in fixed], [1.0] * len(fixed))
    bounds = [(-1, -1), *(fixed[k] for k in kept), (len(old), len(new))]
    pairs: list[Pair] = []
    for (i, j), (i_end, j_end) in itertools.pairwise(bounds):
        if i >= 0:
            pairs.append((i, j))
        pairs += _equal_in_gap(old, new, (i + 1, i_end), (j + 1, j_end))
    return pairs


def _equal_in_gap(
    old: Sequence[Hashable], new: Sequence[Hashable], old_gap: tuple[int, int], new_gap: tuple[int, int]
) -> list[Pair]:
    """What is equal at the gap's two ends, and between them where it is small enough to look."""
    (i, i_end), (j, j_end) = old_gap, new_gap
    pairs: list[Pair] = []
    while i < i_end and j < j_end and old[i] == new[j]:
        pairs.append((i, j))
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and old[i_end - 1] == new[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
        pairs.append((i_end, j_end))
    if 0 < (i_end - i) * (j_end - j) <= MOST_PAIRS:
        blocks = SequenceMatcher(None, old[i:i_end], new[j:j_end], autojunk=False).get_matching_blocks()
        pairs += [(i + b.a + k, j + b.b + k) for b in blocks for k in range(b.size)]
    return pairs


def _equal_elsewhere(
    old: Sequence[Piece], new: Sequence[Piece], old_keys: Sequence[Hashable], new_keys: Sequence[Hashable],
    pairs: dict[int, int],
) -> dict[int, int]:  # fmt: skip
    """What says the same at another place: moved. A few words may stand anywhere by chance."""
    taken = set(pairs.values())
    free: dict[Hashable, list[int]] = defaultdict(list)
    for i, key in enumerate(old_keys):
        if i not in pairs and len(old[i].words) >= LEAST_WORDS:
            free[key].append(i)
    found: dict[int, int] = {}
    for j, key in enumerate(new_keys):
        if j not in taken and free.get(key):
            # Of several the one under the same number, else the first.
            same = [i for i in free[key] if old[i].label == new[j].label]
            i = same[0] if same else free[key][0]
            free[key].remove(i)
            found[i] = j
    return found


def _alike(old: Sequence[Piece], new: Sequence[Piece], pairs: dict[int, int]) -> dict[int, int]:
    """Pairs that are alike enough, the best first."""
    taken = set(pairs.values())
    left = [i for i in range(len(old)) if i not in pairs]
    right = [j for j in range(len(new)) if j not in taken]
    weights = _weights(piece.bag for piece in (*old, *new))
    gaps = _Gaps(pairs)
    scored: list[tuple[float, int, int]] = []
    for i, j in _candidates(old, new, left, right, weights, gaps):
        alike = likeness(old[i].bag, new[j].bag, weights)
        near = gaps.of_old(i) == gaps.of_new(j)
        same_number = bool(old[i].label) and old[i].label == new[j].label and near
        same_heading = bool(old[i].heading) and old[i].heading.lower() == new[j].heading.lower()
        # A heading that got its first sentence has little in common with what it was.
        least = 0.0 if same_number and same_heading else ALIKE_IN_PLACE if near or same_heading else ALIKE
        if alike >= least and old[i].is_contents == new[j].is_contents:
            scored.append((alike + 0.1 * near + 0.1 * same_number + 0.1 * same_heading, i, j))
    scored.sort(key=lambda each: (-each[0], abs(each[1] - each[2]), each[1], each[2]))
    found: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in scored:
        if i not in found and j not in used:
            found[i] = j
            used.add(j)
    return found


def _weights(bags: Iterable[frozenset[str]]) -> dict[str, float]:
    """How much a word tells: the fewer pieces have it, the more."""
    counts: Counter[str] = Counter()
    total = 0
    for bag in bags:
        counts.update(bag)
        total += 1
    return {word: math.log(1 + total / count) for word, count in counts.items()}


def likeness(old: frozenset[str], new: frozenset[str], weights: dict[str, float]) -> float:
    """Weighted Dice coefficient of two bags of words, 0..1."""
    both = math.fsum(weights[word] for word in old & new)
    # What is in both counts twice above and below.
    only = math.fsum(weights[word] for word in old ^ new)
    return 2 * both / (2 * both + only) if both else 0.0


class _Gaps:
    """Between which pairs, of those that keep their order, an index lies."""

    def __init__(self, pairs: dict[int, int]) -> None:
        ordered = sorted(pairs.items())
        kept = rising([j for _, j in ordered], [1.0] * len(ordered))
        self._old = [ordered[k][0] for k in kept]
        self._new = [ordered[k][1] for k in kept]

    def of_old(self, i: int) -> int:
        return bisect.bisect_left(self._old, i)

    def of_new(self, j: int) -> int:
        return bisect.bisect_left(self._new, j)


def _candidates(
    old: Sequence[Piece], new: Sequence[Piece], left: Sequence[int], right: Sequence[int],
    weights: dict[str, float], gaps: _Gaps,
) -> set[Pair]:  # fmt: skip
    """Pairs worth a look: those that share the most telling words, and those in one small gap."""
    having: dict[str, list[int]] = defaultdict(list)
    here: dict[int, list[int]] = defaultdict(list)
    for j in right:
        here[gaps.of_new(j)].append(j)
        for word in new[j].bag:
            having[word].append(j)
    most = max(COMMON, len(right) // 20)
    found: set[Pair] = set()
    for i in left:
        shared: dict[int, float] = defaultdict(float)
        for word in old[i].bag:
            where = having.get(word, ())
            if len(where) <= most:
                for j in where:
                    shared[j] += weights[word]
        best = sorted(shared, key=lambda j: (-shared[j], j))[:MOST_CANDIDATES]
        neighbours = here.get(gaps.of_old(i), ())
        found.update((i, j) for j in best)
        if len(neighbours) <= COMMON:
            found.update((i, j) for j in neighbours)
    return found
