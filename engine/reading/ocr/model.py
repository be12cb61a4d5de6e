"""What a recogniser takes and gives: a picture of a page, lines of characters with their places and confidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

#: Grey values of a page, uint8 ``[height, width]``, 255 is paper.
GreyImage = NDArray[np.uint8]


class RecognitionStopped(Exception):
    """The person cancelled; there are no lines."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class RecognisedLine:
    """A line of text in a picture.

    Attributes:
        text: its characters, words parted by single spaces.
        boxes: float32 ``[len(text), 4]``, x0, y0, x1, y1 in pixels of the picture that was given.
        confidence: float32 ``[len(text)]``, 0..1; a space has its word's.
    """

    text: str
    boxes: NDArray[np.float32]
    confidence: NDArray[np.float32]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PagePicture:
    """A page drawn upright but for quarter turns.

    Attributes:
        grey: the picture.
        scale: pixels per point.
        to_page: float64 ``[3, 2]``; ``[x, y, 1] @ to_page`` is the place, in points on the page as
            displayed, of a place in the picture.
    """

    grey: GreyImage
    scale: float
    to_page: NDArray[np.float64]


class Recogniser(Protocol):
    """Reads pictures of pages. ``name`` is what people know it by.

    ``in_background``: :meth:`recognise` may run beside the thread that draws pages.
    """

    name: str
    in_background: bool

    def recognise(self, picture: PagePicture, stopped: Callable[[], bool]) -> tuple[list[RecognisedLine], int]:
        """The lines of a page, and how many quarter turns the page had to be turned counter-clockwise.

        The lines' boxes are in the frame of the picture so turned (as :func:`numpy.rot90` turns it).

        Args:
            picture: the page.
            stopped: asked between two lines.

        Raises:
            RecognitionStopped: ``stopped`` answered True.
        """
        ...

    def close(self) -> None:
        """Free models and threads."""
        ...


#: A MuPDF page; its binding has no types.
MupdfPage = Any
