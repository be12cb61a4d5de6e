"""Where pages stand in the scrolled area: one column, centred, with a gap between sheets."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gui.theme import grid

GAP_PX = grid(3)
MARGIN_PX = grid(3)


class PageLayout:
    """Positions of all pages for one scale, in device-independent pixels from the content's top left.

    Args:
        sizes: the pages' sizes in PDF points.
        scale: pixels (device-independent) per point.
        viewport_width: pages narrower than this are centred in it.
        device_ratio: sheets are rounded to whole device pixels, so that images fit without resampling.
    """

    def __init__(
        self, sizes: Sequence[QSizeF], scale: float, viewport_width: float = 0.0, device_ratio: float = 1.0
    ) -> None:
        self.scale = scale
        self.count = len(sizes)
        points = np.array([(s.width(), s.height()) for s in sizes], np.float64).reshape(-1, 2)
        size = np.maximum(1, np.round(points * scale * device_ratio)) / device_ratio
        heights = size[:, 1]
        top = MARGIN_PX + np.concatenate(([0.0], np.cumsum(heights[:-1] + GAP_PX))) if self.count else heights
        self._tops: list[float] = top.tolist()
        bottom = float(top[-1] + heights[-1]) if self.count else 0.0
        self.height = bottom + MARGIN_PX
        widest = float(size[:, 0].max()) if self.count else 0.0
        self.width = max(widest + 2 * MARGIN_PX, viewport_width)
        left = np.round((self.width - size[:, 0]) / 2 * device_ratio) / device_ratio
        # Plain floats: looked up thousands of times a frame, one by one.
        self._lefts: list[float] = left.tolist()
        self._sheets: list[tuple[float, float]] = [tuple(pair) for pair in size.tolist()]

    def sheet(self, page: int) -> QRectF:
        """The sheet of a page."""
        width, height = self._sheets[page]
        return QRectF(self._lefts[page], self._tops[page], width, height)

    def page_at(self, y: float) -> int:
        """The page at a height; the gap below a page belongs to it."""
        return max(0, min(self.count, bisect.bisect_right(self._tops, y)) - 1)

    def pages_between(self, top: float, bottom: float) -> range:
        """The pages that show between two heights."""
        if not self.count:
            return range(0)
        first = self.page_at(top)
        last = self.page_at(bottom)
        return range(first, last + 1)

    def main_page(self, top: float, bottom: float) -> int:
        """The page that fills the most of the space between two heights."""
        best, most = 0, -1.0
        for page in self.pages_between(top, bottom):
            sheet = self.sheet(page)
            seen = min(bottom, sheet.bottom()) - max(top, sheet.top())
            if seen > most + 0.5:
                best, most = page, seen
        return best

    def to_content(self, page: int, x_pt: float, y_pt: float) -> QPointF:
        """From a place on a page (points) to content pixels."""
        return QPointF(self._lefts[page] + x_pt * self.scale, self._tops[page] + y_pt * self.scale)

    def to_page(self, point: QPointF) -> tuple[int, float, float]:
        """From content pixels to (page, x, y in points); a point in a gap is below the page above it."""
        page = self.page_at(point.y())
        return (
            page,
            (point.x() - self._lefts[page]) / self.scale,
            (point.y() - self._tops[page]) / self.scale,
        )

    def rect(self, page: int, x0: float, y0: float, x1: float, y1: float) -> QRectF:
        """From a rectangle on a page (points) to content pixels."""
        left, top, scale = self._lefts[page], self._tops[page], self.scale
        return QRectF(left + x0 * scale, top + y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale)
