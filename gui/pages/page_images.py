"""Keeps the wanted page images coming: the visible first, then those ahead; never a queue of stale ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QObject, QRectF, QSizeF, Signal, Slot
from PySide6.QtGui import QImage

from gui.pages.image_cache import CACHE_BYTES, ImageCache
from gui.pages.page_source import WHOLE_PAGE, ImageKey, PageSource
from gui.pages.page_tone import tone
from gui.theme import Theme

#: A page larger than this (device pixels) is drawn in tiles, over a coarser image of the whole: turning a
#: larger image dark at once would hold up the window.
WHOLE_PAGE_PIXELS = 4_500_000
UNDERLAY_PIXELS = 1_000_000
TILE_PX = 1024
#: The reader draws one page at a time; one more keeps it busy, more would only age in its queue.
IN_FLIGHT = 2
#: Pages in sight when the light changes; turning one takes some 20 ms.
_TURNED_AT_ONCE = 2
_SCALE_DIGITS = 5


def whole_or_underlay(page: int, size_pt: QSizeF, scale: float) -> tuple[ImageKey, bool]:
    """The image of a whole page to show at ``scale`` (device pixels per point), and whether it is sharp there."""
    area_pt = max(1.0, size_pt.width() * size_pt.height())
    if area_pt * scale * scale <= WHOLE_PAGE_PIXELS:
        return ImageKey(page, round(scale, _SCALE_DIGITS)), True
    return ImageKey(page, round(math.sqrt(UNDERLAY_PIXELS / area_pt), _SCALE_DIGITS)), False


def tiles(page: int, size_pt: QSizeF, scale: float, part_pt: QRectF) -> list[ImageKey]:
    """The tiles of a page at ``scale`` that cover ``part_pt`` (points on the page), row by row."""
    scale = round(scale, _SCALE_DIGITS)
    step = TILE_PX / scale
    part = part_pt.intersected(QRectF(0, 0, size_pt.width(), size_pt.height()))
    if part.isEmpty():
        return []
    keys = []
    for row in range(math.floor(part.top() / step), math.ceil(part.bottom() / step)):
        for column in range(math.floor(part.left() / step), math.ceil(part.right() / step)):
            clip = (
                column * step,
                row * step,
                min(size_pt.width(), (column + 1) * step),
                min(size_pt.height(), (row + 1) * step),
            )
            if clip[2] - clip[0] > 0 and clip[3] - clip[1] > 0:
                keys.append(ImageKey(page, scale, clip))
    return keys


class PageImages(QObject):
    """The images of one document: a cache, and the requests that fill it.

    :meth:`want` names all images wanted now, the most urgent first; requests for others are withdrawn.
    """

    #: (page) a new image of it can be shown
    image_stored = Signal(int)

    def __init__(self, parent: QObject | None = None, capacity_bytes: int = CACHE_BYTES) -> None:
        super().__init__(parent)
        self.cache = ImageCache(capacity_bytes)
        self._source: PageSource | None = None
        self._theme = Theme.LIGHT
        self._wanted: list[ImageKey] = []
        self._wanted_set: set[ImageKey] = set()
        self._in_flight: set[ImageKey] = set()
        self._failed: set[ImageKey] = set()
        self._stale: set[ImageKey] = set()

    def set_source(self, source: PageSource | None) -> None:
        """Draw from another source; everything cached belongs to the old one and is dropped."""
        self._withdraw(self._in_flight)
        if self._source is not None:
            self._source.image_ready.disconnect(self.on_source_image_ready)
            self._source.image_failed.disconnect(self.on_source_image_failed)
            self._source.renewed.disconnect(self.on_source_renewed)
        self._source = source
        self.cache.clear()
        self._wanted, self._wanted_set = [], set()
        self._in_flight, self._failed, self._stale = set(), set(), set()
        if source is not None:
            source.image_ready.connect(self.on_source_image_ready)
            source.image_failed.connect(self.on_source_image_failed)
            source.renewed.connect(self.on_source_renewed)

    def set_theme(self, theme: Theme) -> None:
        """Show pages in another light. Light images in sight are turned at once, others are drawn again when wanted."""
        if theme is self._theme:
            return
        at_once = set(self._wanted[:_TURNED_AT_ONCE]) if self._theme is Theme.LIGHT else set()
        self._theme = theme
        for key, image in self.cache.items():
            if key in at_once:
                self.cache.put(key, tone(image, theme), self._wanted_set)
            else:
                self._stale.add(key)
        self._pump()

    def want(self, keys: Sequence[ImageKey]) -> None:
        """Name the wanted images, the most urgent first."""
        self._wanted = list(dict.fromkeys(keys))
        self._wanted_set = set(self._wanted)
        self._withdraw(self._in_flight - self._wanted_set)
        self._pump()

    @Slot()
    def on_source_renewed(self) -> None:
        """Ask again for what failed."""
        self._failed.clear()
        self._pump()

    def is_sharp(self, key: ImageKey) -> bool:
        """Whether exactly this image can be shown, in the right light."""
        return key in self.cache and key not in self._stale

    @property
    def idle(self) -> bool:
        """Whether every wanted image has come or failed."""
        return not self._in_flight and all(self.is_sharp(k) or k in self._failed for k in self._wanted)

    def _withdraw(self, keys: set[ImageKey]) -> None:
        self._in_flight = self._in_flight - keys
        if self._source is not None:
            for key in keys:
                self._source.cancel(key)

    def _pump(self) -> None:
        if self._source is None:
            return
        for key in self._wanted:
            if len(self._in_flight) >= IN_FLIGHT:
                return
            if key in self._in_flight or key in self._failed or self.is_sharp(key):
                continue
            self._in_flight.add(key)
            self._source.request(key)

    @Slot(object, QImage)
    def on_source_image_ready(self, key: ImageKey, image: QImage) -> None:
        """Keep an image that has come, also one that was withdrawn too late to stop it."""
        self._in_flight.discard(key)
        if self._source is not None and 0 <= key.page < self._source.page_count():
            self._stale.discard(key)
            self.cache.put(key, tone(image, self._theme), self._wanted_set)
            self._stale.intersection_update([k for k in self._stale if k in self.cache])
            if key.clip == WHOLE_PAGE or key in self._wanted_set:
                self.image_stored.emit(key.page)
        self._pump()

    @Slot(object, str)
    def on_source_image_failed(self, key: ImageKey, _sentence: str) -> None:
        """Don't ask again by ourselves: the same page would fail the same way."""
        self._in_flight.discard(key)
        self._failed.add(key)
        self._pump()
