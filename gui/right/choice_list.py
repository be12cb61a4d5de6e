"""A short list to pick from by the keys 1 to 9, by typing, by the arrows or by the mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gui.theme import grid


class _KeyedList(QListWidget):
    """A list widget that hands digits, Enter and Esc to its owner."""

    digit_pressed = Signal(int)
    given_up = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """1 to 9 pick at once, Esc gives up."""
        key = event.key()
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self.digit_pressed.emit(key - Qt.Key.Key_0)
        elif key == Qt.Key.Key_Escape:
            self.given_up.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.digit_pressed.emit(self.currentRow() + 1)
        else:
            super().keyPressEvent(event)


class ChoiceList(QFrame):
    """A frame over its parent's lower edge.

    Signals:
        picked(value): one was chosen.
        given_up(): Esc, or the focus went elsewhere.
    """

    picked = Signal(str)
    given_up = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._ground = parent
        self.setObjectName("popup")
        self._title = QLabel()
        self._title.setProperty("faint", "true")
        self.list = _KeyedList()
        self.list.setAccessibleName(self.tr("Choices"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        column.setSpacing(grid(1))
        column.addWidget(self._title)
        column.addWidget(self.list)
        self.list.digit_pressed.connect(self.on_list_digit_pressed)
        self.list.given_up.connect(self.on_list_given_up)
        self.list.itemClicked.connect(self.on_list_item_clicked)
        self._back_to: QWidget | None = None
        self.hide()

    def ask(self, title: str, choices: Sequence[tuple[str, str]], back_to: QWidget | None) -> None:
        """Show ``choices`` as (value, words); the focus comes here and returns to ``back_to`` afterwards."""
        self._back_to = back_to
        self._title.setText(title)
        self.list.setAccessibleName(title)
        self.list.clear()
        for i, (value, words) in enumerate(choices):
            item = QListWidgetItem(f"{i + 1}   {words}" if i < 9 else f"     {words}")
            item.setData(Qt.ItemDataRole.UserRole, value)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        height = sum(self.list.sizeHintForRow(i) for i in range(self.list.count())) + grid(1)
        self.list.setFixedHeight(height)
        self.place_over()
        self.show()
        self.raise_()
        self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    def place_over(self, bottom_px: int | None = None) -> None:
        """Sit above ``bottom_px`` of the parent (its lower edge by default), with a margin of two steps."""
        parent = self._ground
        bottom = parent.height() if bottom_px is None else bottom_px
        width = max(160, parent.width() - grid(4))
        height = min(self.sizeHint().height(), max(80, bottom - grid(4)))
        self.setGeometry(grid(2), bottom - height - grid(2), width, height)

    def close_list(self) -> None:
        """Hide, and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._back_to is not None:
                self._back_to.setFocus()

    @Slot(int)
    def on_list_digit_pressed(self, digit: int) -> None:
        """A key chose the row."""
        item = self.list.item(digit - 1)
        if item is not None:
            self.close_list()
            self.picked.emit(str(item.data(Qt.ItemDataRole.UserRole)))

    @Slot(QListWidgetItem)
    def on_list_item_clicked(self, item: QListWidgetItem) -> None:
        """The mouse chose the row."""
        self.close_list()
        self.picked.emit(str(item.data(Qt.ItemDataRole.UserRole)))

    @Slot()
    def on_list_given_up(self) -> None:
        """Esc."""
        self.close_list()
        self.given_up.emit()
