"""Where the pages' images come from, as the view sees it."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QObject, QSizeF, Signal
from PySide6.QtGui import QImage

#: A part of a page, ``(x0, y0, x1, y1)`` in PDF points; empty for the whole page.
Clip = tuple[float, ...]

WHOLE_PAGE: Clip = ()
_LETTER_PT = QSizeF(612.0, 792.0)
_LEAST_PT, _MOST_PT = 3.0, 14_400.0


class ImageKey(NamedTuple):
    """One image: a page (index), a scale (device pixels per PDF point), a part of the page."""

    page: int
    scale: float
    clip: Clip = WHOLE_PAGE


class PageSource(QObject):
    """Sizes of pages and, some time after they are requested, their images.

    Base class: a source overrides all methods. Every request is answered by exactly one signal unless
    it is cancelled first; after :meth:`cancel` an answer that is already under way may still come.
    """

    #: (ImageKey, QImage). The image is the page as displayed, opaque, device pixel ratio 1.
    image_ready = Signal(object, QImage)
    #: (ImageKey, sentence for the person)
    image_failed = Signal(object, str)
    #: what failed before may succeed now (the reader was started again)
    renewed = Signal()

    def page_count(self) -> int:
        """How many pages the document has."""
        raise NotImplementedError

    def page_size(self, page: int) -> QSizeF:
        """A page's displayed size in PDF points."""
        raise NotImplementedError

    def request(self, key: ImageKey) -> None:
        """Ask for an image."""
        raise NotImplementedError

    def cancel(self, key: ImageKey) -> None:
        """The image is no longer wanted; unknown and answered keys are ignored."""
        raise NotImplementedError


def sane_size(size: QSizeF) -> QSizeF:
    """A page's size within what PDF allows (ISO 32000-2, annex C: up to 14,400 points), whatever the file says."""
    width, height = size.width(), size.height()
    if not (math.isfinite(width) and math.isfinite(height)):
        return QSizeF(_LETTER_PT)
    return QSizeF(min(max(width, _LEAST_PT), _MOST_PT), min(max(height, _LEAST_PT), _MOST_PT))


def sizes_of(source: PageSource | None) -> list[QSizeF]:
    """The sizes of all pages, made possible where a file's are not; none without a source."""
    if source is None:
        return []
    return [sane_size(source.page_size(page)) for page in range(source.page_count())]
