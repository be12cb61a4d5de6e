"""Back and forward: the exact places a reader has been."""

from __future__ import annotations

import dataclasses
import enum

LIMIT = 200


class Fit(enum.StrEnum):
    """What decides the zoom."""

    CUSTOM = "custom"
    WIDTH = "width"
    PAGE = "page"
    TEXT = "text"


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """What a view shows: the point of a page (in PDF points) at its top left corner, and the zoom.

    ``zoom`` is 1.0 at a page's natural size; ``fit`` says whether it follows the view's size.
    """

    page: int
    x_pt: float
    y_pt: float
    zoom: float
    fit: Fit = Fit.CUSTOM


class History:
    """The places before and after the present one, as in a browser."""

    def __init__(self) -> None:
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place before."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a place after."""
        return bool(self._forward)

    def leave(self, place: Place) -> None:
        """Remember a place before a jump away from it; what lay ahead is forgotten."""
        if not self._back or self._back[-1] != place:
            self._back.append(place)
            del self._back[:-LIMIT]
        self._forward.clear()

    def back(self, present: Place) -> Place | None:
        """The place before, or None; ``present`` becomes the place after it."""
        return self._step(self._back, self._forward, present)

    def forward(self, present: Place) -> Place | None:
        """The place after, or None; ``present`` becomes the place before it."""
        return self._step(self._forward, self._back, present)

    def clear(self) -> None:
        """Forget all places."""
        self._back.clear()
        self._forward.clear()

    @staticmethod
    def _step(source: list[Place], target: list[Place], present: Place) -> Place | None:
        if not source:
            return None
        target.append(present)
        return source.pop()
