"""Making links: a clause dragged onto another, or marked and linked by keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractScrollArea

from engine.document import Document
from gui.pages.page_layout import PageLayout
from gui.pages.smooth_scroll import EdgeScroll
from gui.pages.span_mime import DraggedSpan, decode_span, encode_span
from gui.pages.text_places import ClausePlaces, character_near
from gui.theme import Palette, grid

Span = tuple[int, int]
_LABEL_WIDTH_PX = grid(70)
#: A drop further than this (points) from any line of text means nothing.
_DROP_REACH_PT = 14.0


def carry_by_mouse(drag: QDrag) -> Qt.DropAction:
    """Let the person drag; returns when it was dropped or given up."""
    return drag.exec(Qt.DropAction.LinkAction | Qt.DropAction.CopyAction, Qt.DropAction.LinkAction)


class ClauseLinker(QObject):
    """The source and the target of a link in the making, on one view.

    ``target`` is what a drag is over now; ``source`` what was marked by key or is being dragged.
    """

    #: (document id of the source, source start, source end, target start, target end)
    link_made = Signal(str, int, int, int, int)
    #: (DraggedSpan or None) the source marked by key
    source_changed = Signal(object)
    #: what is to be drawn has changed
    looks_changed = Signal()

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        #: runs a drag to its end; Qt's platform without a screen has none, so tests put a hand of their own here
        self.carry: Callable[[QDrag], object] = carry_by_mouse
        self._area = area
        self._document: Document | None = None
        self._clauses: ClausePlaces | None = None
        self._layout: PageLayout | None = None
        self._dragged: DraggedSpan | None = None
        self.marked: DraggedSpan | None = None
        self.target: Span | None = None
        self.pointer: QPointF | None = None
        self._with_alt = False
        self._edges = EdgeScroll(area.horizontalScrollBar(), area.verticalScrollBar(), self)
        self._edges.scrolled.connect(self.on_edges_scrolled)

    def set_document(self, document: Document | None, clauses: ClausePlaces | None) -> None:
        """Link in another document; a source marked in the old one stays marked, it may be meant for this one."""
        self._document, self._clauses = document, clauses
        self._end_hover()

    def set_layout(self, layout: PageLayout) -> None:
        """Look up places in another layout."""
        self._layout = layout

    @property
    def source_here(self) -> Span | None:
        """The dragged or marked source, if it stands in this document."""
        span = self._dragged or self.marked
        if span is None or self._document is None or span.document != self._document.id:
            return None
        return span.start, span.end

    @property
    def is_dragging(self) -> bool:
        """Whether a drag is over this view."""
        return self.pointer is not None

    def mark(self, span: Span | None) -> None:
        """Mark the source of a link, or nothing."""
        known = self._document
        self.set_marked(DraggedSpan(known.id, *span) if span is not None and known is not None else None)

    def set_marked(self, span: DraggedSpan | None) -> None:
        """Mark a source that may stand in another document."""
        if span != self.marked:
            self.marked = span
            self.source_changed.emit(span)
            self.looks_changed.emit()

    def link_to(self, span: Span) -> bool:
        """Link the marked source to a passage here; False when nothing is marked or it is the same."""
        source = self.marked
        if source is None or not self._may_link(source, span):
            return False
        self.set_marked(None)
        self.link_made.emit(source.document, source.start, source.end, *span)
        return True

    def start_drag(self, span: Span, palette: Palette) -> None:
        """Drag a passage; returns when it was dropped or given up (Esc)."""
        document = self._document
        if document is None:
            return
        drag = QDrag(self._area)
        drag.setMimeData(encode_span(document.id, *span, document.quote(*span)))
        label = self._label(span, palette)
        drag.setPixmap(label)
        drag.setHotSpot(QPoint(-grid(3), -grid(2)))
        bars = (self._area.horizontalScrollBar(), self._area.verticalScrollBar())
        places = [bar.value() for bar in bars]
        given_up = self.carry(drag) is Qt.DropAction.IgnoreAction
        self._end_hover()
        if given_up:
            # The edges may have taken the pages far from the passage; nothing came of it.
            for bar, place in zip(bars, places, strict=True):
                bar.setValue(place)

    # --- drag and drop on the view ---------------------------------------------------------------

    def on_drag_entered(self, event: QDragEnterEvent) -> None:
        """Take part in drags of spans; leave files and others to whoever is behind."""
        self._dragged = decode_span(event.mimeData())
        if self._dragged is None or self._document is None:
            self._dragged = None
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.LinkAction)
        event.accept()

    def on_drag_moved(self, event: QDragMoveEvent) -> None:
        """Find the clause under the pointer, with Alt the sentence; scroll at the edges."""
        if self._dragged is None:
            event.ignore()
            return
        self.pointer = event.position()
        self._with_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        viewport = self._area.viewport()
        self._edges.follow(self.pointer, QSizeF(viewport.size()))
        self._seek_target()
        if self.target is not None:
            event.setDropAction(Qt.DropAction.LinkAction)
            event.accept()
        else:
            event.ignore(QRect())

    def on_drag_left(self, event: QDragLeaveEvent) -> None:
        """The drag goes elsewhere, or was given up."""
        self._end_hover()
        event.accept()

    def on_dropped(self, event: QDropEvent) -> None:
        """Make the link."""
        self.pointer = event.position()
        self._with_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        self._seek_target()
        source, target = self._dragged, self.target
        self._end_hover()
        if source is None or target is None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.LinkAction)
        event.accept()
        self.link_made.emit(source.document, source.start, source.end, *target)

    @Slot()
    def on_edges_scrolled(self) -> None:
        """Another clause may have come under the pointer."""
        self._seek_target()

    def stop(self) -> None:
        """End what runs by itself."""
        self._end_hover()

    def _seek_target(self) -> None:
        target = None
        if self._dragged is not None and self.pointer is not None:
            target = self._passage_under(self.pointer)
            if target is not None and not self._may_link(self._dragged, target):
                target = None
        self.target = target
        self.looks_changed.emit()

    def _passage_under(self, position: QPointF) -> Span | None:
        if self._document is None or self._layout is None or self._clauses is None or not self._layout.count:
            return None
        offset = QPointF(self._area.horizontalScrollBar().value(), self._area.verticalScrollBar().value())
        found = character_near(self._document, *self._layout.to_page(position + offset))
        if found is None or found[2] > _DROP_REACH_PT:
            return None
        return self._clauses.sentence(found[0]) if self._with_alt else self._clauses.passage(found[0])

    def _may_link(self, source: DraggedSpan, target: Span) -> bool:
        """A passage is not linked with itself or with a part of itself."""
        if self._document is None or source.document != self._document.id:
            return True
        return source.end <= target[0] or target[1] <= source.start

    def _end_hover(self) -> None:
        self._edges.stop()
        self._dragged, self.target, self.pointer = None, None, None
        self.looks_changed.emit()

    def _label(self, span: Span, palette: Palette) -> QPixmap:
        """What hangs on the pointer: the first words of the passage."""
        text = " ".join(self._document.quote(*span)[:160].split()) if self._document is not None else ""
        font = self._area.font()
        metrics = QFontMetrics(font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, _LABEL_WIDTH_PX - grid(4))
        ratio = self._area.devicePixelRatioF()
        width, height = metrics.horizontalAdvance(text) + grid(5), metrics.height() + grid(2)
        pixmap = QPixmap(round(width * ratio), round(height * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        painter.setPen(QColor(palette.line))
        painter.setBrush(QColor(palette.raised))
        painter.drawRoundedRect(1, 1, width - 2, height - 2, grid(1), grid(1))
        painter.setPen(QColor(palette.text))
        painter.drawText(QRect(0, 0, width, height), Qt.AlignmentFlag.AlignCenter, text)
        painter.end()
        return pixmap
