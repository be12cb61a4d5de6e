"""Where to scroll so that passages show."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from engine.document import Document, quads
from gui.pages.page_layout import PageLayout
from gui.theme import grid

#: Where a passage comes to stand, as a part of the view's height: what stands before it matters too.
REVEAL_AT = 0.25
_MARGIN_PX = grid(8)

#: Letters on the largest screen at the smallest zoom worth reading.
_MOST_SHOWN = 20_000


def box_of(document: Document, layout: PageLayout, start: int, end: int) -> QRectF | None:
    """All lines of a span, in content pixels; None when it has no ink or is not in the text.

    Of one of more letters than any screen shows, the beginning.
    """
    if not 0 <= start < end <= len(document.text):
        return None
    box = QRectF()
    for q in quads(document, start, min(end, start + _MOST_SHOWN)):
        if q.page < layout.count:
            box = box.united(layout.rect(q.page, q.x0, q.y0, q.x1, q.y1))
    return box if not box.isEmpty() else None


def offset_to_show(boxes: Sequence[QRectF], seen: QRectF) -> QPointF | None:
    """The content pixel to put at the view's top left so that the boxes show.

    All of them when they fit into the view together (then centred), else the first at a quarter of
    the height. None when they show already: what one looks at must not move.

    Args:
        boxes: at least one, in content pixels.
        seen: what the view shows now, in content pixels.
    """
    together = boxes[0]
    for box in boxes[1:]:
        together = together.united(box)
    height = seen.height()
    wanted = together if together.height() <= height - 2 * _MARGIN_PX else boxes[0]
    margin = min(_MARGIN_PX, height / 8)
    x, y = _sideways(wanted, seen), seen.top()
    if wanted.top() < seen.top() + margin or wanted.bottom() > seen.bottom() - margin:
        y = wanted.top() - min(height * REVEAL_AT, max(margin, (height - wanted.height()) / 2))
    return None if (x, y) == (seen.left(), seen.top()) else QPointF(x, y)


def _sideways(wanted: QRectF, seen: QRectF) -> float:
    if wanted.left() >= seen.left() and wanted.right() <= seen.right():
        return seen.left()
    if wanted.width() + 2 * _MARGIN_PX > seen.width():
        return wanted.left() - _MARGIN_PX
    return wanted.center().x() - seen.width() / 2
