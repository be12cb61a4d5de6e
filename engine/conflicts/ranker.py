"""The learnt order of pairs: boosted trees over comparison features, evaluated with numpy alone.

The weights file (resources/weights/pair_ranker.json) names the features it was trained on; one that needs a feature
missing from :data:`engine.conflicts.comparison.FEATURES` is refused. How it was trained and what it is worth stands in
its card beside it.
"""

from __future__ import annotations

import functools
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.conflicts.comparison import FEATURES
from resources import resource_path

WEIGHTS = "pair_ranker.json"


class RankerError(Exception):
    """The weights file is missing, damaged or of another version; the message says which, in a sentence."""


class Tree(msgspec.Struct, frozen=True):
    """One tree as parallel arrays; a leaf has ``left == -1`` and its value in ``value``."""

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    value: list[float]


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
        self._trees = [
            tuple(np.array(column) for column in (t.feature, t.threshold, t.left, t.right, t.value)) for t in file.trees
        ]
        self.terms, self.terms_zh = file.terms, file.terms_zh or file.terms
        self._points = [sorted(points) for points in (file.calibration, file.calibration_zh or file.calibration)]

    def raw(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Log-odds, float64 ``[n]``, of features float32 ``[n, len(FEATURES)]``."""
        features = features[:, self._columns]
        total = np.full(len(features), self._base)
        rows = np.arange(len(features))
        for feature, threshold, left, right, value in self._trees:
            node = np.zeros(len(features), np.int64)
            while True:
                inner = left[node] >= 0
                if not inner.any():
                    break
                goes_left = features[rows, feature[node]] <= threshold[node]
                node = np.where(inner, np.where(goes_left, left[node], right[node]), node)
            total += value[node]
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
