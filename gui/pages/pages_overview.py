"""Fills the overview strip from a view's marks, and goes where it is clicked."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, Slot

from gui.pages.marks import LAYER_ORDER, Places
from gui.pages.overview_strip import StripMark
from gui.theme import Layer

if TYPE_CHECKING:
    from gui.pages.page_view import PageView

#: No screen shows a strip with more rows of pixels.
_MOST_ROWS = 4000


class PagesOverview(QObject):
    """Between one view and its strip."""

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        view.strip.place_clicked.connect(self.on_strip_place_clicked)
        view.strip.mark_clicked.connect(self.on_strip_mark_clicked)

    def fill(self) -> None:
        """Show all marks. Heights are parts of all pages' heights in points: zooming leaves them where they are."""
        view = self._view
        sizes = view.page_sizes
        tops = list(accumulate((size.height() for size in sizes), initial=0.0))
        found = [
            StripMark(mark.id, mark.layer, (tops[page] + y_pt) / tops[-1], (mark.start, mark.end), mark.tip)
            for mark, page, y_pt in view.marks.heights()
            if page < len(sizes)
        ]
        for layer in Layer:
            places = view.marks.places(layer)
            if places is not None and sizes:
                found += self._thinned(layer, places, np.array(tops))
        found.sort(key=lambda mark: LAYER_ORDER[mark.layer])
        view.strip.set_marks(found)

    def _thinned(self, layer: Layer, places: Places, tops: NDArray[np.float64]) -> list[StripMark]:
        """Many places on the strip: one for each row of pixels that a strip may have."""
        pages, heights = self._view.marks.heights_of(places)
        pages, heights = pages[pages < len(tops) - 1], heights[pages < len(tops) - 1]
        at = (tops[pages] + heights) / tops[-1]
        _, first = np.unique((at * _MOST_ROWS).astype(np.int64), return_index=True)
        spans = places.spans[first].tolist()
        return [
            StripMark(places.id, layer, part, (start, end), "")
            for part, (start, end) in zip(at[first].tolist(), spans, strict=True)
        ]

    def show_window(self) -> None:
        """Show which part of the document is on the screen."""
        view = self._view
        top, height = view.content_offset().y(), max(1.0, view.layout_now.height)
        view.strip.set_shown(min(1.0, top / height), min(1.0, (top + view.viewport().height()) / height))

    @Slot(float)
    def on_strip_place_clicked(self, part: float) -> None:
        """Go to a part of the document, centred."""
        view = self._view
        top = part * view.layout_now.height - view.viewport().height() / 2
        view.jump_to(QPointF(view.content_offset().x(), top))

    @Slot(object)
    def on_strip_mark_clicked(self, mark: StripMark) -> None:
        """Show a mark and say that it was clicked."""
        self._view.reveal(*mark.span)
        self._view.mark_clicked.emit(mark.id)
