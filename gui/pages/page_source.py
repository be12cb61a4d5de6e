"""Where the pages' images come from, as the view sees it."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, QSizeF, Signal
from PySide6.QtGui import QImage

#: A part of a page, ``(x0, y0, x1, y1)`` in PDF points; empty for the whole page.
Clip = tuple[float, ...]

WHOLE_PAGE: Clip = ()


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
