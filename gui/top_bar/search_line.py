"""The search line: the words, four switches, which hit of how many."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from gui.theme import grid

#: What stands on the switches, in the order: capitals, whole words, expression, all documents.
_SIGNS = ("Aa", "ab", ".*", "")


class _Words(QLineEdit):
    """A line that tells of Shift+Enter and Esc."""

    back_wanted = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+Enter: the hit before; Esc: back to the pages."""
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if shifted and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.back_wanted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class SearchLine(QWidget):
    """Words and switches. The switches are the window's commands, so keys and palette reach them too.

    Args:
        switches: the commands of capitals, whole words, expression, all documents.
    """

    def __init__(self, switches: Sequence[QAction]) -> None:
        super().__init__()
        self.words = _Words()
        self.words.setPlaceholderText(self.tr("Search the document"))
        self.words.setClearButtonEnabled(True)
        self.words.setAccessibleName(self.tr("Search the document"))
        self.count = QLabel()
        self.count.setProperty("faint", "true")
        self.count.setMinimumWidth(grid(14))
        self.count.setAccessibleName(self.tr("Hits"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(grid(0.5))
        row.addWidget(self.words, 1)
        for given, action in zip(_SIGNS, switches, strict=True):
            button = QToolButton()
            button.setDefaultAction(action)
            sign = given or self.tr("All")
            button.setText(sign)
            if sign == "ab":
                # Underlined as in other programs: a word by itself.
                font = button.font()
                font.setUnderline(True)
                button.setFont(font)
            button.setObjectName("switch")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setAccessibleName(action.text())
            # An action that changes puts its own words on the button again.
            action.changed.connect(functools.partial(button.setText, sign))
            row.addWidget(button)
        row.addSpacing(grid(1))
        row.addWidget(self.count)
        self.setMaximumWidth(grid(170))

    def show_count(self, at: int, total: int) -> None:
        """Which hit (1-based) of how many; nothing without a search (``total`` below 0)."""
        self.count.setText("" if total < 0 else f"{at} / {total}" if total else "0")
