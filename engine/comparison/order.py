"""Which of the pairs keep their order: the heaviest sequence that rises on both sides. The others were moved."""

from __future__ import annotations

from collections.abc import Sequence


def rising(values: Sequence[int], weights: Sequence[float]) -> list[int]:
    """Indexes of the strictly rising subsequence of ``values`` (all different) with the largest summed weight.

    Values are small non-negative numbers; n log n (a Fenwick tree over them that knows the best end so far).
    """
    if not values:
        return []
    size = max(values) + 1
    best: list[tuple[float, int]] = [(0.0, -1)] * (size + 1)
    total, before = [0.0] * len(values), [-1] * len(values)
    for i, value in enumerate(values):
        weight, last = 0.0, -1
        at = value
        while at > 0:
            if best[at][0] > weight:
                weight, last = best[at]
            at -= at & -at
        total[i], before[i] = weight + weights[i], last
        at = value + 1
        while at <= size:
            if total[i] > best[at][0]:
                best[at] = (total[i], i)
            at += at & -at
    at = max(range(len(values)), key=lambda i: total[i])
    chosen = []
    while at >= 0:
        chosen.append(at)
        at = before[at]
    return chosen[::-1]
