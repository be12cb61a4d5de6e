"""What a person's labels add to a pair's log-odds: a linear correction, nothing where nobody has taught anything.

The verifier's verdict weighs little beside the trees (see its card), so labels that reach only the verifier hardly
move what is shown. This layer stands behind both: it sees the trees' log-odds, the verdict and the comparison features,
and was fitted so that it is zero without labels and small with few (:mod:`engine.learning.fitting`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.comparison import FEATURES

#: What it sees of a pair: a constant, the trees' log-odds, the verdict, the comparison features.
CORRECTED = ("constant", "trees", "verdict", *FEATURES)

#: Standardised inputs are cut here, and the correction itself at so many log-odds: a person's few labels must not
#: overturn what thousands of pairs have taught.
CUT, MOST = 3.0, 2.5


class Correction:
    """A fitted correction.

    Args:
        mean, scale: of what it sees, float32 ``[len(CORRECTED)]``; the constant has mean 0 and scale 1.
        weights: float32 ``[len(CORRECTED)]``.

    Raises:
        ValueError: a shape is another, or a number is not finite.
    """

    def __init__(self, mean: NDArray[np.float32], scale: NDArray[np.float32], weights: NDArray[np.float32]) -> None:
        for array in (mean, scale, weights):
            if array.shape != (len(CORRECTED),) or not np.isfinite(array).all():
                raise ValueError("the personal correction does not fit this program's features")
        self.mean, self.scale, self.weights = mean, scale, weights

    def standard(
        self, features: NDArray[np.float32], raw: NDArray[np.float64], verdicts: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """What it sees of n pairs, standardised and cut, float64 ``[n, len(CORRECTED)]``."""
        seen = seen_of(features, raw, verdicts)
        return np.clip((seen - self.mean) / self.scale, -CUT, CUT)

    def __call__(
        self, features: NDArray[np.float32], raw: NDArray[np.float64], verdicts: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """What to add to the log-odds of n pairs, float64 ``[n]``; see :meth:`standard`."""
        return np.clip(self.standard(features, raw, verdicts) @ self.weights, -MOST, MOST)


def seen_of(
    features: NDArray[np.float32], raw: NDArray[np.float64], verdicts: NDArray[np.float32]
) -> NDArray[np.float64]:
    """The columns of :data:`CORRECTED` for n pairs, float64.

    Args:
        features: float32 ``[n, len(FEATURES)]``; raw: the trees' log-odds; verdicts: the verifier's.
    """
    ones = np.ones((len(raw), 1))
    return np.concatenate([ones, raw[:, None], verdicts[:, None], features], axis=1, dtype=np.float64)
