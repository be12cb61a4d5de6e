"""A line's picture to characters: what the recognition model sees, and what its answer says.

The model gives, for each eighth pixel column of a line drawn 48 pixels high, how likely each character is;
runs of one character are one, a blank parts equal neighbours (Graves et al., 2006).
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from engine.reading.ocr.model import GreyImage

LINE_HEIGHT_PX = 48
#: A line is drawn somewhat narrower than it is: that costs no accuracy and saves time.
SQUEEZE = 1.0
_LEAST_WIDTH_PX, MOST_WIDTH_PX = 48, 4_096
_STEP_PX = 8


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What the model reads in a line.

    Attributes:
        text: its characters.
        middle: float64 ``[len(text)]``, where each stands, 0..1 of the picture's width.
        confidence: float32 ``[len(text)]``.
    """

    text: str
    middle: NDArray[np.float64]
    confidence: NDArray[np.float32]

    @property
    def mean(self) -> float:
        """Its mean confidence, 0 without characters."""
        return float(self.confidence.mean()) if len(self.confidence) else 0.0


def line_input(crop: GreyImage) -> NDArray[np.float32]:
    """The model's input ``[1, 3, 48, width]`` of -1..1 for a line's picture."""
    height, width = crop.shape
    wanted = round(SQUEEZE * width * LINE_HEIGHT_PX / height / _STEP_PX) * _STEP_PX
    wanted = min(MOST_WIDTH_PX, max(_LEAST_WIDTH_PX, wanted))
    scaled = resized(crop, LINE_HEIGHT_PX, wanted) / np.float32(127.5) - np.float32(1.0)
    return np.ascontiguousarray(np.broadcast_to(scaled, (1, 3, LINE_HEIGHT_PX, wanted)))


def resized(grey: GreyImage, height: int, width: int) -> NDArray[np.float32]:
    """A picture at another size: whole blocks averaged first, then linearly between two pixels."""
    down, across = max(1, grey.shape[0] // height), max(1, grey.shape[1] // width)
    rows, columns = grey.shape[0] // down, grey.shape[1] // across
    blocks = grey[: rows * down, : columns * across].astype(np.float32)
    if down > 1 or across > 1:
        blocks = blocks.reshape(rows, down, columns, across).mean(axis=(1, 3))
    return _between(_between(blocks, height).T, width).T


def _between(values: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """``count`` rows between those of ``values``."""
    place = np.clip((np.arange(count) + 0.5) * len(values) / count - 0.5, 0, len(values) - 1)
    low = place.astype(np.intp)
    high = np.minimum(low + 1, len(values) - 1)
    share = (place - low).astype(np.float32)[:, None]
    mixed: NDArray[np.float32] = values[low] * (1 - share) + values[high] * share
    return mixed


def decoded(likely: NDArray[np.float32], characters: list[str]) -> Reading:
    """The reading of the model's answer.

    Args:
        likely: ``[columns, 1 + len(characters)]``, the blank first.
        characters: what the other columns stand for.
    """
    best = likely.argmax(axis=1)
    sure = likely[np.arange(len(best)), best]
    edges = np.flatnonzero(np.diff(best)) + 1
    starts = np.concatenate([[0], edges])
    stops = np.concatenate([edges, [len(best)]])
    text, middle, confidence = [], [], []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if best[start]:
            text.append(characters[best[start] - 1])
            middle.append((start + stop) / 2 / len(best))
            confidence.append(float(sure[start:stop].max()))
    return Reading("".join(text), np.array(middle, np.float64), np.array(confidence, np.float32))
