"""Where the lines of a page stand: boxes from the map of text that the detection model draws.

The map is that of differentiable binarisation (Liao et al., 2020): per pixel the probability of the inner
part of a line, whose box is then widened by its area over its perimeter. The page lies level, so boxes are
level too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import GreyImage

#: The model's map is text from this probability on; a line's mean must reach the second.
_TEXT, _SURE = 0.3, 0.5
_WIDEN = 1.6
#: Boxes lower than this many pixels of the map are specks.
_LEAST_PX = 3
#: The model halves pictures five times.
_STEP = 32
#: Pages with more lines than this are no contract's.
MOST_LINES = 2_000


def detection_input(grey: GreyImage) -> NDArray[np.float32]:
    """The model's input ``[1, 3, height, width]`` of -1..1, filled up with paper to multiples of 32."""
    height, width = grey.shape
    paper = np.ones((-(-height // _STEP) * _STEP, -(-width // _STEP) * _STEP), np.float32)
    paper[:height, :width] = grey.astype(np.float32) / 127.5 - 1.0
    return np.ascontiguousarray(np.broadcast_to(paper, (1, 3, *paper.shape)))


def line_boxes(text_map: NDArray[np.float32], height: int, width: int) -> NDArray[np.float32]:
    """Boxes of lines, or of pieces of them, float32 ``[n, 4]`` in the pixels of the detection's picture.

    Args:
        text_map: the model's output ``[rows, columns]``.
        height, width: of the picture before it was filled up.
    """
    boxes = []
    for y0, x0, y1, x1, mean in _components(text_map > _TEXT, text_map):
        tall, wide = y1 - y0, x1 - x0
        if min(tall, wide) < _LEAST_PX or mean < _SURE:
            continue
        margin = _WIDEN * tall * wide / (2 * (tall + wide))
        boxes.append((max(0, x0 - margin), max(0, y0 - margin), min(width, x1 + margin), min(height, y1 + margin)))
    return np.array(boxes[:MOST_LINES], np.float32).reshape(-1, 4)


def _components(mask: NDArray[np.bool_], values: NDArray[np.float32]) -> list[tuple[int, int, int, int, float]]:
    """Connected parts of a mask: y0, x0, y1, x1 (ends excluded) and the mean of ``values`` over each."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    edges = np.diff(padded, axis=1)
    rows, starts = np.nonzero(edges == 1)
    stops = np.nonzero(edges == -1)[1]
    if not len(rows):
        return []
    roots = _joined_runs(rows.tolist(), starts.tolist(), stops.tolist())
    _, label = np.unique(roots, return_inverse=True)
    sums = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1, dtype=np.float64)], axis=1)
    count = int(label.max()) + 1
    total, pixels = np.zeros(count), np.zeros(count)
    np.add.at(total, label, sums[rows, stops] - sums[rows, starts])
    np.add.at(pixels, label, stops - starts)
    low = np.full((count, 2), np.iinfo(np.int64).max)
    high = np.zeros((count, 2), np.int64)
    np.minimum.at(low, label, np.stack([rows, starts], axis=1))
    np.maximum.at(high, label, np.stack([rows + 1, stops], axis=1))
    return [
        (int(a[0]), int(a[1]), int(b[0]), int(b[1]), float(mean))
        for a, b, mean in zip(low, high, total / pixels, strict=True)
    ]


def _joined_runs(rows: list[int], starts: list[int], stops: list[int]) -> list[int]:
    """For each run of a row, the first run of its connected part. Runs are ordered by row, then start."""
    parent = list(range(len(rows)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    above = 0
    for run in range(len(rows)):
        # Runs of the row above that end before this one begins touch no later run either.
        while above < run and (
            rows[above] < rows[run] - 1 or (rows[above] == rows[run] - 1 and stops[above] < starts[run])
        ):
            above += 1
        other = above
        while other < run and rows[other] == rows[run] - 1 and starts[other] <= stops[run]:
            a, b = root(other), root(run)
            parent[max(a, b)] = min(a, b)
            other += 1
    return [root(run) for run in range(len(rows))]
