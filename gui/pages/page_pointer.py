"""What the mouse does on the pages: select, click, hover, drag a clause, pan."""

from __future__ import annotations

import enum
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from engine.document import Clause
from gui.pages.marks import Mark
from gui.pages.page_painter import TICK_X_PX, tick_x
from gui.pages.smooth_scroll import EdgeScroll
from gui.pages.text_places import caret_near, character_at
from gui.pages.text_selection import Unit
from gui.theme import grid, legend_of

if TYPE_CHECKING:
    from gui.pages.page_view import PageView

HANDLE_WIDTH_PX = grid(4)
HANDLE_HEIGHT_PX = grid(5)
_HANDLE_GAP_PX = grid(2)
_TICK_REACH_PX = grid(2)


class _Doing(enum.Enum):
    NOTHING = 0
    SELECTING = 1
    ABOUT_TO_LINK = 2
    PANNING = 3


class PagePointer(QObject):
    """Mouse state of one view."""

    passage_clicked = Signal(int)
    mark_clicked = Signal(str)
    #: (clause id, empty when no clause is under the pointer)
    clause_hovered = Signal(str)

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._doing = _Doing.NOTHING
        self._pressed = QPointF()
        self._last = QPointF()
        self._link_span = (0, 0)
        self._double_clicked_at_s = 0.0
        self.hovered: Clause | None = None
        self._edges = EdgeScroll(view.horizontalScrollBar(), view.verticalScrollBar(), self)
        self._edges.scrolled.connect(self.on_edges_scrolled)

    # --- looking up ------------------------------------------------------------------------------

    def handle(self) -> QRectF | None:
        """The link handle of the hovered clause, in viewport pixels."""
        view, clause = self._view, self.hovered
        if clause is None or view.document is None or view.clauses is None:
            return None
        quad = view.first_quad(*view.clauses.own_span(clause))
        if quad is None:
            return None
        line = view.layout_now.rect(quad.page, quad.x0, quad.y0, quad.x1, quad.y1).translated(-view.content_offset())
        left = max(line.left() - _HANDLE_GAP_PX - HANDLE_WIDTH_PX, TICK_X_PX + grid(2))
        top = line.center().y() - HANDLE_HEIGHT_PX / 2
        return QRectF(round(left), round(top), HANDLE_WIDTH_PX, HANDLE_HEIGHT_PX)

    def mark_at(self, position: QPointF) -> Mark | None:
        """The mark, or margin tick, under a place in the viewport."""
        view = self._view
        if not view.layout_now.count:
            return None
        page, x_pt, y_pt = view.page_place(position)
        found = view.marks.at(page, x_pt, y_pt)
        if found is not None:
            return found
        sheet = view.layout_now.sheet(page).translated(-view.content_offset())
        if abs(position.x() - tick_x(sheet.left())) <= _TICK_REACH_PX:
            for placed in reversed(view.marks.on_page(page)):
                if placed.quads[0].y0 <= y_pt <= placed.quads[-1].y1:
                    return placed.mark
        return None

    def character_under(self, position: QPointF) -> int | None:
        """The character under a place in the viewport, None on blank paper."""
        document = self._view.document
        if document is None or not self._view.layout_now.count:
            return None
        return character_at(document, *self._view.page_place(position))

    def _caret(self, position: QPointF) -> int | None:
        document = self._view.document
        if document is None or not self._view.layout_now.count:
            return None
        return caret_near(document, *self._view.page_place(position))

    # --- events ----------------------------------------------------------------------------------

    def on_pressed(self, event: QMouseEvent) -> None:
        """A button goes down."""
        position = event.position()
        self._pressed = self._last = position
        if event.button() is Qt.MouseButton.MiddleButton:
            self._doing = _Doing.PANNING
            self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        if event.button() is not Qt.MouseButton.LeftButton or self._view.click_stub(position):
            return
        if self._arm_link(position, bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)):
            return
        interval_s = QGuiApplication.styleHints().mouseDoubleClickInterval() / 1000
        tripled = time.monotonic() - self._double_clicked_at_s < interval_s
        if tripled and self._select_around(position, Unit.CLAUSE):
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._extend(position)
        else:
            caret = self._caret(position)
            if caret is None:
                return
            self._view.selection.clear()
            self._view.selection.begin(caret, Unit.CHARACTER)
        self._doing = _Doing.SELECTING

    def on_double_clicked(self, event: QMouseEvent) -> None:
        """Select the word."""
        if event.button() is Qt.MouseButton.LeftButton and self._select_around(event.position(), Unit.WORD):
            self._double_clicked_at_s = time.monotonic()

    def on_moved(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a button."""
        position = event.position()
        if self._doing is _Doing.PANNING:
            self._view.pan(self._last - position)
        elif self._doing is _Doing.ABOUT_TO_LINK:
            if (position - self._pressed).manhattanLength() >= QGuiApplication.styleHints().startDragDistance():
                self._doing = _Doing.NOTHING
                self._view.linker.start_drag(self._link_span, self._view.palette_now)
                self._refresh_cursor(position)
        elif self._doing is _Doing.SELECTING:
            self._edges.follow(position, QSizeF(self._view.viewport().size()), 0.0)
            self._extend(position)
        else:
            self._hover(position)
        self._last = position

    def on_released(self, event: QMouseEvent) -> None:
        """A button goes up; without movement it was a click."""
        doing, self._doing = self._doing, _Doing.NOTHING
        self._edges.stop()
        self._refresh_cursor(event.position())
        if doing is _Doing.PANNING or event.button() is not Qt.MouseButton.LeftButton:
            return
        moved = (event.position() - self._pressed).manhattanLength() >= QGuiApplication.styleHints().startDragDistance()
        if moved or doing is _Doing.NOTHING:
            return
        mark = self.mark_at(event.position())
        offset = self.character_under(event.position())
        if offset is not None:
            self._view.current_clause.set_caret(offset)
            self.passage_clicked.emit(offset)
        if mark is not None:
            self.mark_clicked.emit(mark.id)

    def on_left(self) -> None:
        """The pointer has left the view."""
        if self._doing is _Doing.NOTHING:
            self._set_hovered(None)

    def show_tip(self, event: QHelpEvent) -> None:
        """Say what is under the pointer."""
        position, view = QPointF(event.pos()), self._view
        mark, offset = self.mark_at(position), self.character_under(position)
        words = view.words_at(offset) if view.words_at is not None and offset is not None else ""
        if words:
            QToolTip.showText(event.globalPos(), words, view.viewport())
        elif self._held_clause(position, offset) is not None:
            QToolTip.showText(event.globalPos(), self.tr("Drag onto another clause to link the two"), view.viewport())
        elif offset is not None and view.rest_at is not None and view.rest_at(offset, event.globalPos(), False):
            QToolTip.hideText()
        elif mark is not None:
            QToolTip.showText(event.globalPos(), mark.tip or legend_of(mark.layer), view.viewport())
        else:
            QToolTip.hideText()

    @Slot()
    def on_edges_scrolled(self) -> None:
        """Select on while the pages scroll under the pointer."""
        self._extend(self._last)

    def stop(self) -> None:
        """End what runs by itself."""
        self._doing = _Doing.NOTHING
        self._edges.stop()
        self._set_hovered(None)

    # --- doing -----------------------------------------------------------------------------------

    def _arm_link(self, position: QPointF, with_alt: bool) -> bool:
        view = self._view
        if view.document is None or view.clauses is None:
            return False
        offset, selected = self.character_under(position), view.selection
        clause = self._held_clause(position, offset)
        if clause is not None and not with_alt:
            self._link_span = view.clauses.own_span(clause)
        elif with_alt and offset is not None and selected.contains(offset):
            self._link_span = selected.start, selected.end
        elif with_alt and (near := self._caret(position)) is not None:
            self._link_span = view.clauses.sentence(near)
        else:
            return False
        self._doing = _Doing.ABOUT_TO_LINK
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        return True

    def _held_clause(self, position: QPointF, offset: int | None) -> Clause | None:
        """The clause whose handle or printed number is at a place."""
        handle = self.handle()
        if handle is not None and handle.contains(position):
            return self.hovered
        clauses = self._view.clauses
        return clauses.number_at(offset) if clauses is not None and offset is not None else None

    def _select_around(self, position: QPointF, unit: Unit) -> bool:
        offset = self.character_under(position)
        if offset is None:
            return False
        self._view.selection.begin(offset, unit)
        self._doing = _Doing.SELECTING
        return True

    def _extend(self, position: QPointF) -> None:
        caret = self._caret(position)
        if caret is not None:
            self._view.selection.extend(caret)

    def _hover(self, position: QPointF) -> None:
        view = self._view
        if view.document is None or view.clauses is None or not view.layout_now.count:
            return
        handle = self.handle()
        if handle is None or not handle.adjusted(-4, -4, 4, 4).contains(position):
            self._set_hovered(view.clauses.beside(*view.page_place(position)))
        self._refresh_cursor(position)

    def _set_hovered(self, clause: Clause | None) -> None:
        if (clause.id if clause else "") == (self.hovered.id if self.hovered else ""):
            return
        self.hovered = clause
        self.clause_hovered.emit(clause.id if clause else "")
        self._view.viewport().update()

    def _refresh_cursor(self, position: QPointF) -> None:
        offset = self.character_under(position)
        if self._held_clause(position, offset) is not None:
            shape = Qt.CursorShape.OpenHandCursor
        elif self._view.stub_at(position) is not None or self.mark_at(position) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        elif offset is not None:
            shape = Qt.CursorShape.IBeamCursor
        else:
            shape = Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(shape)
