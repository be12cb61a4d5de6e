"""How far a scanned page lies askew: the angle at which the rows of its ink are sharpest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import GreyImage

#: Angles looked at, in degrees: first wide and coarse, then near the best.
MOST_SKEW = 10.0
_COARSE, _FINE = 0.5, 0.05
#: So many dark pixels show an angle as well as all.
_MOST_POINTS = 60_000
#: Fewer than this are no text.
_FEWEST_POINTS = 300
#: A page whose rows get sharper by less than this share is left as it is.
_LEAST_GAIN = 1.03


def find_skew(grey: GreyImage) -> float:
    """The angle, in degrees, by which the text of a page is turned clockwise from level (or upright).

    Args:
        grey: the page at some 70 to 100 dots an inch, uint8 ``[height, width]``.

    Returns:
        -10..10; 0.0 when no angle stands out.
    """
    y, x = ink(grey)
    if len(y) < _FEWEST_POINTS:
        return 0.0
    if len(y) > _MOST_POINTS:
        # Every n-th would beat with the raster.
        chosen = np.random.default_rng(0).choice(len(y), _MOST_POINTS, replace=False)
        y, x = y[chosen], x[chosen]
    level, level_gain = _sharpest(y, x)
    upright, upright_gain = _sharpest(-x, y)
    angle, gain = (level, level_gain) if level_gain >= upright_gain else (upright, upright_gain)
    return angle if gain >= _LEAST_GAIN and abs(angle) >= 2 * _FINE else 0.0


def ink(grey: GreyImage) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The places (y, x) of what is darker than the paper, wide black areas (a scanner's edges) left out."""
    dark = grey < dark_below(grey)
    dark[dark.mean(axis=1) > 0.5, :] = False
    dark[:, dark.mean(axis=0) > 0.5] = False
    y, x = np.nonzero(dark)
    return y.astype(np.float32), x.astype(np.float32)


def dark_below(grey: GreyImage) -> float:
    """The grey value that parts ink from paper best (Otsu 1979: the greatest variance between the two)."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(np.float64)
    weight = np.cumsum(counts)
    total = np.cumsum(counts * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (total[-1] * weight / weight[-1] - total) ** 2 / (weight * (weight[-1] - weight))
    return float(np.nanargmax(between)) + 1.0 if np.isfinite(between).any() else 0.0


def _sharpest(down: NDArray[np.float32], along: NDArray[np.float32]) -> tuple[float, float]:
    """The best angle, and how much sharper the rows are there than at angles far from it."""
    coarse = np.arange(-MOST_SKEW, MOST_SKEW + _COARSE / 2, _COARSE)
    sharpness = np.array([_sharpness(down, along, angle) for angle in coarse])
    best = float(coarse[int(sharpness.argmax())])
    fine = best + np.arange(-_COARSE, _COARSE + _FINE / 2, _FINE)
    near = np.array([_sharpness(down, along, angle) for angle in fine])
    return float(fine[int(near.argmax())]), float(near.max() / max(np.median(sharpness), 1e-9))


def _sharpness(down: NDArray[np.float32], along: NDArray[np.float32], angle: float) -> float:
    """How unequal the rows' ink is when the page is turned back by an angle."""
    turn = np.deg2rad(angle)
    rows = down * np.float32(np.cos(turn)) - along * np.float32(np.sin(turn))
    counts = np.bincount((rows - rows.min()).astype(np.int32))
    return float(np.square(counts, dtype=np.float64).sum())
