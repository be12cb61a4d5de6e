"""The rules of tables in a scanned page: long thin dark runs of pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import GreyImage
from engine.reading.pdf.tables import Rule

#: Shorter runs are strokes of letters; thicker ones are pictures.
_SHORTEST_PT, _THICKEST_PT = 24.0, 3.0
#: How much darker than paper a rule is at least, and what belongs to the paper, in grey values.
_PALEST, _GRAIN = 16, 40
#: Pixels per point that show rules well enough.
_SCALE = 2.0
_MOST_RULES = 600


def find_rules(grey: GreyImage, scale: float) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical rules, in points of the picture's frame.

    Args:
        grey: a level page.
        scale: its pixels per point.
    """
    factor = max(1, int(scale / _SCALE))
    rows, columns = grey.shape[0] // factor, grey.shape[1] // factor
    # The darkest pixel of each block: thin rules must not fade.
    small = grey[: rows * factor, : columns * factor].reshape(rows, factor, columns, factor).min(axis=(1, 3))
    dark = small < _darker_than_paper(small)
    pixels = scale / factor
    return _rules(dark, pixels), _rules(dark.T, pixels)


def _darker_than_paper(grey: GreyImage) -> float:
    """Rules may be pale: whatever is darker than the paper and its grain."""
    paper = int(np.bincount(grey.ravel(), minlength=256).argmax())
    near = grey[np.abs(grey.astype(np.int16) - paper) < _GRAIN]
    return paper - max(float(_PALEST), 4 * float(near.std()))


def _rules(dark: NDArray[np.bool_], pixels: float) -> list[Rule]:
    """The level rules of a page; ``pixels`` per point."""
    shortest = int(_SHORTEST_PT * pixels)
    found: list[tuple[int, int, int]] = []
    padded = np.zeros((dark.shape[0], dark.shape[1] + 2), np.int8)
    padded[:, 1:-1] = dark
    edges = np.diff(padded, axis=1)
    rows, starts = np.nonzero(edges == 1)
    stops = np.nonzero(edges == -1)[1]
    for index in np.flatnonzero(stops - starts >= shortest):
        found.append((int(rows[index]), int(starts[index]), int(stops[index])))
    groups: list[list[tuple[int, int, int]]] = []
    for run in found:
        near = next((group for group in reversed(groups[-40:]) if _touches(group[-1], run)), None)
        if near is None:
            groups.append([run])
        else:
            near.append(run)
    thickest = max(2, round(_THICKEST_PT * pixels))
    rules = [
        Rule(
            (group[0][0] + group[-1][0] + 1) / 2 / pixels,
            min(start for _, start, _ in group) / pixels,
            max(stop for _, _, stop in group) / pixels,
        )
        for group in groups
        if group[-1][0] - group[0][0] < thickest
    ]
    return rules if len(rules) <= _MOST_RULES else []


def _touches(upper: tuple[int, int, int], lower: tuple[int, int, int]) -> bool:
    return 0 <= lower[0] - upper[0] <= 1 and lower[1] <= upper[2] and upper[1] <= lower[2]
