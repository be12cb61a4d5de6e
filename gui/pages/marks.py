"""What is marked on the pages: spans by layer, and where they stand on each page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Document, Quad, quads_of
from gui.theme import Layer

#: In which order layers are drawn.
LAYER_ORDER = {layer: i for i, layer in enumerate(Layer)}
#: Of how many spans the rectangles are kept; hits of a search on all pages are more than that.
MOST_SPANS_KEPT = 20_000


@dataclasses.dataclass(frozen=True, slots=True)
class Mark:
    """A marked span of the document's text.

    Attributes:
        id: what it stands for (a finding's or link's id); marks of one id belong together.
        layer: what it says.
        start, end: code points of the canonical text.
        emphasis: spans inside it to be stressed (the values that clash).
        tip: one sentence for the tool tip.
    """

    id: str
    layer: Layer
    start: int
    end: int
    emphasis: tuple[tuple[int, int], ...] = ()
    tip: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class PlacedMark:
    """A mark on one page: its rectangles there, one a line, and those of its emphasised words."""

    mark: Mark
    quads: tuple[Quad, ...]
    emphasis: tuple[Quad, ...]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Many marks of one id, as a search finds them: ``spans`` of shape ``[n, 2]``, in order, none inside another.

    The one numbered ``without`` is marked otherwise; -1 for none.
    """

    id: str
    spans: NDArray[np.int64]
    without: int = -1

    def marks(self, layer: Layer, first: int = 0, last: int | None = None) -> list[Mark]:
        """A mark each for those from ``first`` to before ``last``."""
        found = enumerate(self.spans[first:last].tolist(), first)
        return [Mark(self.id, layer, start, end) for i, (start, end) in found if i != self.without]


class MarkSet:
    """All marks of one document, placed on a page only when that page is asked for.

    Placing costs some 50 µs a mark; with thousands of findings that must not happen at once.
    """

    def __init__(self) -> None:
        self._document: Document | None = None
        self._layers: dict[Layer, tuple[Mark, ...]] = {}
        self._places: dict[Layer, Places] = {}
        self._by_page: dict[int, list[Mark]] | None = None
        self._placed: dict[int, tuple[PlacedMark, ...]] = {}
        # A decision gives its marks another layer, not another place.
        self._quads: dict[tuple[int, int], list[Quad]] = {}

    def set_document(self, document: Document | None) -> None:
        """Place marks in another document; marks that reach beyond its text are not shown."""
        self._document = document
        self._quads = {}
        self._forget_places()

    def set_layer(self, layer: Layer, marks: Iterable[Mark] | Places) -> None:
        """Replace one layer's marks."""
        self._places.pop(layer, None)
        if isinstance(marks, Places):
            self._layers[layer] = ()
            self._places[layer] = marks
            self._placed = {}
        else:
            self._layers[layer] = tuple(marks)
            self._forget_places()

    def layer(self, layer: Layer) -> tuple[Mark, ...]:
        """One layer's marks."""
        places = self._places.get(layer)
        return self._layers.get(layer, ()) if places is None else tuple(places.marks(layer))

    def places(self, layer: Layer) -> Places | None:
        """One layer's many places, None when it has single marks."""
        return self._places.get(layer)

    def all(self) -> list[Mark]:
        """All single marks, in the order in which layers are drawn."""
        return [mark for layer in Layer for mark in self._layers.get(layer, ())]

    def of_id(self, mark_id: str, layers: Sequence[Layer] = tuple(Layer)) -> list[Mark]:
        """The marks that stand for one thing, in the order given."""
        return [mark for layer in layers for mark in self._layers.get(layer, ()) if mark.id == mark_id]

    def on_page(self, page: int) -> tuple[PlacedMark, ...]:
        """The marks of one page, in drawing order; none before the document has come."""
        if self._document is None:
            return ()
        placed = self._placed.get(page)
        if placed is None:
            marks = [*self._pages().get(page, ()), *self._found_on(page)]
            # Stable: inside a layer the order given stays.
            marks.sort(key=lambda mark: LAYER_ORDER[mark.layer])
            placed = self._place(marks, page)
            self._placed[page] = placed
        return placed

    def at(self, page: int, x_pt: float, y_pt: float) -> Mark | None:
        """The topmost mark at a place on a page."""
        for placed in reversed(self.on_page(page)):
            if any(q.x0 - 1 <= x_pt <= q.x1 + 1 and q.y0 - 1 <= y_pt <= q.y1 + 2 for q in placed.quads):
                return placed.mark
        return None

    def heights(self) -> list[tuple[Mark, int, float]]:
        """All single marks with page and y (points) of their beginning; none before the document has come."""
        document, marks = self._document, [m for m in self.all() if m.start < m.end]
        if document is None or not len(document.boxes):
            return []
        marks = [mark for mark in marks if 0 <= mark.start < len(document.boxes)]
        at = np.array([mark.start for mark in marks], np.int64)
        rect = document.boxes.rect[at]
        inked = (rect[:, 2] > rect[:, 0]).tolist()
        pages, tops = document.boxes.page[at].tolist(), rect[:, 1].tolist()
        found = []
        for mark, has_ink, page, top in zip(marks, inked, pages, tops, strict=True):
            place = (page, top) if has_ink else first_height(document, mark.start, mark.end)
            if place is not None:
                found.append((mark, *place))
        return found

    def heights_of(self, places: Places) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Page and y (points) of the beginning of each of many places; nothing before the document has come."""
        document = self._document
        if document is None or not len(document.boxes):
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        at = places.spans[places.spans[:, 0] < len(document.boxes), 0]
        return document.boxes.page[at].astype(np.int64), document.boxes.rect[at, 1]

    def _found_on(self, page: int) -> list[Mark]:
        """Marks for those of many places that touch a page."""
        document, found = self._document, []
        if document is not None and self._places and page < len(document.pages):
            sheet = document.pages[page]
            for layer, places in self._places.items():
                first = int(np.searchsorted(places.spans[:, 1], sheet.start, "right"))
                last = int(np.searchsorted(places.spans[:, 0], sheet.end, "left"))
                found += places.marks(layer, first, last)
        return found

    def _forget_places(self) -> None:
        self._by_page = None
        self._placed = {}

    def _pages(self) -> dict[int, list[Mark]]:
        if self._by_page is None:
            self._by_page = {}
            document = self._document
            marks = self.all() if document is not None else []
            length = len(document.text) if document is not None else 0
            marks = [mark for mark in marks if 0 <= mark.start < mark.end <= length]
            # All at once: a search may have found ten thousand places.
            starts = np.array([page.start for page in document.pages] if document is not None else [], np.int64)
            ends = np.array([(mark.start, mark.end - 1) for mark in marks], np.int64).reshape(-1, 2)
            pages = np.maximum(0, np.searchsorted(starts, ends, "right") - 1).tolist()
            for mark, (first, last) in zip(marks, pages, strict=True):
                for page in range(first, last + 1):
                    self._by_page.setdefault(page, []).append(mark)
        return self._by_page

    def _place(self, marks: Sequence[Mark], page: int) -> tuple[PlacedMark, ...]:
        document = self._document
        if document is None:
            return ()
        # Of a clause that goes on for many pages only what stands here.
        sheet = document.pages[page] if page < len(document.pages) else None
        first, last = (sheet.start, sheet.end) if sheet is not None else (0, 0)
        whole = self._quads_of(document, [(max(first, mark.start), min(last, mark.end)) for mark in marks])
        stressed = iter(self._quads_of(document, [span for mark in marks for span in mark.emphasis]))
        placed = []
        for mark, found in zip(marks, whole, strict=True):
            words = [quad for _ in mark.emphasis for quad in next(stressed) if quad.page == page]
            here = tuple(quad for quad in found if quad.page == page)
            if here:
                placed.append(PlacedMark(mark, here, tuple(words)))
        return tuple(placed)

    def _quads_of(self, document: Document, spans: Sequence[tuple[int, int]]) -> list[list[Quad]]:
        new = [span for span in dict.fromkeys(spans) if span not in self._quads]
        if new and len(self._quads) > MOST_SPANS_KEPT:
            self._quads, new = {}, list(dict.fromkeys(spans))
        self._quads.update(zip(new, quads_of(document, new), strict=True))
        return [self._quads[span] for span in spans]


def first_height(document: Document, start: int, end: int) -> tuple[int, float] | None:
    """Page and top (points) of the first character with ink in a span; None when it has none."""
    rect = document.boxes.rect[start : min(end, start + 64)]
    for i in range(len(rect)):
        if rect[i, 2] > rect[i, 0]:
            return int(document.boxes.page[start + i]), float(rect[i, 1])
    return None
