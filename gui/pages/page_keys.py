"""What the keyboard does on the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from gui.pages.history import Fit

if TYPE_CHECKING:
    from gui.pages.page_view import PageView

LINE_PX = 48.0
_PAGE_PART = 0.9

_Chord = tuple[Qt.KeyboardModifier, int]
_NONE = Qt.KeyboardModifier.NoModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CTRL = Qt.KeyboardModifier.ControlModifier
_ALT = Qt.KeyboardModifier.AltModifier


class PageKeys:
    """The view's own keys, as a table from chord to action."""

    def __init__(self, view: PageView) -> None:
        self._view = view
        self._table: dict[_Chord, Callable[[], object]] = {
            (_NONE, Qt.Key.Key_Space): lambda: view.scroll_by(_PAGE_PART * view.viewport().height()),
            (_SHIFT, Qt.Key.Key_Space): lambda: view.scroll_by(-_PAGE_PART * view.viewport().height()),
            (_NONE, Qt.Key.Key_PageDown): lambda: view.scroll_by(_PAGE_PART * view.viewport().height()),
            (_NONE, Qt.Key.Key_PageUp): lambda: view.scroll_by(-_PAGE_PART * view.viewport().height()),
            (_NONE, Qt.Key.Key_Down): lambda: view.scroll_by(LINE_PX),
            (_NONE, Qt.Key.Key_Up): lambda: view.scroll_by(-LINE_PX),
            (_NONE, Qt.Key.Key_Right): lambda: self._sideways(1),
            (_NONE, Qt.Key.Key_Left): lambda: self._sideways(-1),
            (_NONE, Qt.Key.Key_Home): view.go_to_start,
            (_CTRL, Qt.Key.Key_Home): view.go_to_start,
            (_NONE, Qt.Key.Key_End): view.go_to_end,
            (_CTRL, Qt.Key.Key_End): view.go_to_end,
            (_CTRL, Qt.Key.Key_PageDown): lambda: view.go_to_page(view.current_page + 1, record=False),
            (_CTRL, Qt.Key.Key_PageUp): lambda: view.go_to_page(view.current_page - 1, record=False),
            (_CTRL, Qt.Key.Key_Plus): view.zoom_in,
            (_CTRL, Qt.Key.Key_Equal): view.zoom_in,
            (_CTRL | _SHIFT, Qt.Key.Key_Plus): view.zoom_in,
            (_CTRL, Qt.Key.Key_Minus): view.zoom_out,
            (_CTRL, Qt.Key.Key_0): lambda: view.set_zoom(1.0),
            (_CTRL, Qt.Key.Key_1): lambda: view.set_fit(Fit.PAGE),
            (_CTRL, Qt.Key.Key_2): lambda: view.set_fit(Fit.WIDTH),
            (_CTRL, Qt.Key.Key_3): lambda: view.set_fit(Fit.TEXT),
            (_ALT, Qt.Key.Key_Left): view.go_back,
            (_ALT, Qt.Key.Key_Right): view.go_forward,
            (_CTRL, Qt.Key.Key_Down): lambda: view.current_clause.step(1),
            (_CTRL, Qt.Key.Key_Up): lambda: view.current_clause.step(-1),
            (_NONE, Qt.Key.Key_M): view.mark_source,
            (_NONE, Qt.Key.Key_L): view.link_here,
            (_NONE, Qt.Key.Key_Escape): view.give_up,
        }

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means here; False when it means nothing."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self._view.copy()
            return True
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._view.select_all()
            return True
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        action = self._table.get((modifiers, event.key()))
        if action is None:
            return False
        return action() is not False

    def _sideways(self, direction: int) -> None:
        bar = self._view.horizontalScrollBar()
        if bar.maximum() > 0:
            self._view.scroll_sideways_by(direction * LINE_PX)
        else:
            self._view.go_to_page(self._view.current_page + direction, record=False)
