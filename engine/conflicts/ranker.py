"""The learnt order of pairs: boosted trees over comparison features, evaluated with numpy alone.

The weights file (resources/weights/pair_ranker.json) names the features it was trained on; one that needs a feature
missing from :data:`engine.conflicts.comparison.FEATURES` is refused. How it was trained and what it is worth stands in
its card beside it.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.conflicts.comparison import FEATURES
from resources import resource_path

WEIGHTS = "pair_ranker.json"

#: Leaves of a tree: each is a bit of one number.
MOST_LEAVES = 64

#: Pairs scored at a time, so that what is computed for them stays near the processor.
ROWS = 2048


class RankerError(Exception):
    """The weights file is missing, damaged or of another version; the message says which, in a sentence."""


class Tree(msgspec.Struct, frozen=True):
    """One tree as parallel arrays; a leaf has ``left == -1`` and its value in ``value``."""

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    value: list[float]


class _Choices(NamedTuple):
    """A tree as its choices, in any order: a pair ends in the first leaf, from the left, that no choice rules out.

    Attributes:
        feature: int64 ``[k]``; threshold: float64 ``[k, 1]``: a pair goes left up to it.
        lost: bits of the leaves left of each choice, ``[k, 1]``, which are lost to a pair that goes right.
        value: of the leaves from the left, float64.
    """

    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    lost: NDArray[np.unsignedinteger]
    value: NDArray[np.float64]


def _choices(tree: Tree) -> _Choices:
    leaves: list[int] = []
    lost: dict[int, int] = {}

    def walk(node: int) -> int:
        """The bits of the leaves below a node."""
        if tree.left[node] < 0:
            leaves.append(node)
            return 1 << (len(leaves) - 1)
        lost[node] = walk(tree.left[node])
        return lost[node] | walk(tree.right[node])

    walk(0)
    if len(leaves) > MOST_LEAVES:
        raise RankerError(f"the ranker has a tree of {len(leaves)} leaves, more than {MOST_LEAVES}")
    nodes = list(lost)
    kind = np.min_scalar_type((1 << len(leaves)) - 1)
    return _Choices(
        np.array([tree.feature[node] for node in nodes], np.int64),
        np.array([tree.threshold[node] for node in nodes], np.float64)[:, None],
        np.array([lost[node] for node in nodes], kind)[:, None],
        np.array([tree.value[node] for node in leaves], np.float64),
    )


class RankerFile(msgspec.Struct, frozen=True):
    """The file: ``calibration`` maps a raw score to a probability by interpolation (raw, probability).

    ``calibration_zh`` does so for pairs of Chinese passages; without it they are mapped as the others. ``terms`` and
    ``terms_zh`` are the weights of :mod:`engine.conflicts.calibration`, which scores the findings when they are there.
    """

    schema: str
    version: str
    features: list[str]
    base: float
    trees: list[Tree]
    calibration: list[tuple[float, float]] = []
    calibration_zh: list[tuple[float, float]] = []
    terms: dict[str, float] = {}
    terms_zh: dict[str, float] = {}


class Ranker:
    """Scores pairs; higher is more likely a conflict."""

    def __init__(self, file: RankerFile) -> None:
        missing = [name for name in file.features if name not in FEATURES]
        if missing:
            raise RankerError(f"the ranker's weights need features that this program does not compute: {missing}")
        self._columns = [FEATURES.index(name) for name in file.features]
        self.version = file.version
        self._base = file.base
        try:
            self._trees = [_choices(tree) for tree in file.trees]
        except (IndexError, RecursionError) as error:
            raise RankerError(f"the ranker's trees are damaged: {error}") from error
        self.terms, self.terms_zh = file.terms, file.terms_zh or file.terms
        self._points = [sorted(points) for points in (file.calibration, file.calibration_zh or file.calibration)]

    def raw(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Log-odds, float64 ``[n]``, of features float32 ``[n, len(FEATURES)]``."""
        total = np.full(len(features), self._base)
        for start in range(0, len(features), ROWS):
            columns = np.ascontiguousarray(features[start : start + ROWS, self._columns].T)
            for feature, threshold, lost, value in self._trees:
                right = ~(columns[feature] <= threshold)
                ruled_out = np.bitwise_or.reduce(right * lost, axis=0)
                # The lowest bit that is not set: all below it are, and only they stay when it is added.
                total[start : start + ROWS] += value[np.bitwise_count(ruled_out & ~(ruled_out + lost.dtype.type(1)))]
        return total

    def probability(self, raw: NDArray[np.float64], *, chinese: bool = False) -> NDArray[np.float64]:
        """Calibrated scores, 0..1, monotone in ``raw``."""
        points = self._points[int(chinese)]
        if len(points) >= 2:
            known, probability = zip(*points, strict=True)
            return np.asarray(np.interp(raw, known, probability), np.float64)
        return np.asarray(1 / (1 + np.exp(-raw)), np.float64)


def read_ranker(path: Path) -> Ranker:
    """The ranker of a weights file.

    Raises:
        RankerError: see there.
    """
    try:
        file = msgspec.json.decode(path.read_bytes(), type=RankerFile)
    except (OSError, msgspec.MsgspecError) as error:
        raise RankerError(f"the ranker's weights cannot be read: {error}") from error
    return Ranker(file)


@functools.cache
def shipped_ranker() -> Ranker:
    """The ranker that comes with the program."""
    return read_ranker(resource_path("weights", WEIGHTS))
