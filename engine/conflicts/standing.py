"""How a pair stands among the other pairs of its two sentences and of its contract.

Whether two sentences speak of one thing shows less in how near they are than in whether either has a nearer partner:
in a short contract in other words the best partner shares two words in ten, in one that repeats itself nine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: The measures of nearness that are looked at; each gives the margins over the better of a sentence's other partners
#: (of the sentence with the smaller one and of the other) and how far it is above the contract's mean, in deviations.
_MEASURES = ("soft_weighted", "contained_short", "segment_cover", "soft_short")

#: The features of :func:`standing`, in their order.
STANDING_FEATURES = (
    *(f"{measure}_{which}" for measure in _MEASURES for which in ("margin_low", "margin_high", "above")),
    "values_best", "clashes",
)  # fmt: skip


def standing(pairs: NDArray[np.int64], table: NDArray[np.float32], names: tuple[str, ...]) -> NDArray[np.float32]:
    """The features, float32 ``[n, len(STANDING_FEATURES)]``, of all candidate pairs of a review.

    ``values_best``: 1 where no other partner of either sentence with a rival value is nearer, 0 where there is one, -1
    without rival values; ``clashes``: with how many partners the sentence with fewer of them clashes by modals.

    Args:
        pairs: int64 ``[n, 2]``, the units by index.
        table: their features as compared, float32 ``[n, >= len(names)]``, of which ``names`` are the first columns.
    """
    if not len(pairs):
        return np.zeros((0, len(STANDING_FEATURES)), np.float32)
    a, b = pairs[:, 0], pairs[:, 1]
    count = int(pairs.max()) + 1
    columns: list[NDArray[np.float64]] = []
    for measure in _MEASURES:
        near = table[:, names.index(measure)].astype(np.float64)
        mine, theirs = _margins(a, b, near, count)
        columns += [np.minimum(mine, theirs), np.maximum(mine, theirs), (near - near.mean()) / (near.std() + 1e-6)]
    rival = table[:, names.index("values_rival")] > 0
    value = np.where(rival, table[:, names.index("soft_weighted")], -1.0)
    best = np.full(count, -1.0)
    np.maximum.at(best, a, value)
    np.maximum.at(best, b, value)
    columns.append(np.where(rival, (value >= np.maximum(best[a], best[b]) - 1e-9).astype(np.float64), -1.0))
    clash = np.flatnonzero(table[:, names.index("clash")] > 1)
    clashes = np.bincount(np.concatenate([a[clash], b[clash]]), minlength=count)
    columns.append(np.minimum(clashes[a], clashes[b]).astype(np.float64))
    return np.stack(columns, axis=1).astype(np.float32)


def _margins(
    a: NDArray[np.int64], b: NDArray[np.int64], near: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each pair how much nearer it is than the nearest other partner of its first and of its second sentence."""
    best, second = np.full(count, -1.0), np.full(count, -1.0)
    units, measures = np.concatenate([a, b]), np.concatenate([near, near])
    order = np.lexsort((-measures, units))
    units, measures = units[order], measures[order]
    first = np.concatenate([[True], units[1:] != units[:-1]])
    best[units[first]] = measures[first]
    after = np.flatnonzero(first) + 1
    after = after[after < len(units)]
    after = after[~first[after]]
    second[units[after]] = measures[after]
    margins = [near - np.where(near >= best[own] - 1e-9, second[own], best[own]) for own in (a, b)]
    return margins[0], margins[1]
