"""The command palette: every command by name, from the keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.state.subsequence import match_score
from gui.theme import grid

AnyIndex = QModelIndex | QPersistentModelIndex
_KEYS_ROLE = Qt.ItemDataRole.UserRole + 1
_MOST_ROWS = 10


class _CommandDelegate(QStyledItemDelegate):
    """The command's words left, its keys right."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        """One line with air around it."""
        return QSize(200, option.fontMetrics.height() + grid(3))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """One command."""
        palette: QPalette = option.palette
        rect: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Highlight))
        ink = palette.color(QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text)
        faint = ink if chosen else palette.color(QPalette.ColorRole.PlaceholderText)
        inner = rect.adjusted(grid(3), 0, -grid(3), 0)
        painter.setPen(ink)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        painter.setPen(faint)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(inner, right, str(index.data(_KEYS_ROLE) or ""))
        painter.restore()


class CommandPalette(QFrame):
    """A line and a list over the window's upper third; gone as soon as it has done its work."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self._window = window
        self._actions: tuple[QAction, ...] = ()
        self._back_to: QWidget | None = None
        self.line = QLineEdit()
        self.line.setPlaceholderText(self.tr("Type a command"))
        self.line.setAccessibleName(self.tr("Command"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Commands"))
        self._delegate = _CommandDelegate(self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        column.setSpacing(grid(2))
        column.addWidget(self.line)
        column.addWidget(self.list)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self.on_line_text_changed)
        self.list.itemClicked.connect(self.on_list_item_clicked)
        self.hide()

    def ask(self, actions: Sequence[QAction]) -> None:
        """Show these commands; disabled ones are left out."""
        self._back_to = QApplication.focusWidget()
        self._actions = tuple(action for action in actions if action.isEnabled() and action.text())
        self.line.clear()
        self._list()
        width = min(grid(150), self._window.width() - grid(10))
        row = self.list.sizeHintForRow(0) if self.list.count() else grid(8)
        self.list.setFixedHeight(_MOST_ROWS * row + grid(1))
        height = self.sizeHint().height()
        self.setGeometry((self._window.width() - width) // 2, grid(16), width, height)
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_palette(self) -> None:
        """Hide, and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._back_to is not None:
                self._back_to.setFocus()

    def _list(self) -> None:
        needle = self.line.text()
        scored = [(self._score(needle, action), i) for i, action in enumerate(self._actions)]
        self.list.clear()
        for score, i in sorted((-score, i) for score, i in scored if score > 0):
            del score
            action = self._actions[i]
            item = QListWidgetItem(action.text().replace("&", ""))
            item.setData(Qt.ItemDataRole.UserRole, i)
            item.setData(_KEYS_ROLE, action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _score(self, needle: str, action: QAction) -> float:
        """How well a command fits; where its words are not English, its English name fits too, a little less."""
        words = action.text()
        score = match_score(needle, words)
        if words.isascii():
            return score
        return max(score, 0.5 * match_score(needle, action.objectName().replace("_", " ")))

    def _run(self, item: QListWidgetItem | None) -> None:
        action = self._actions[item.data(Qt.ItemDataRole.UserRole)] if item is not None else None
        self.close_palette()
        if action is not None:
            action.trigger()

    @Slot()
    def on_line_text_changed(self) -> None:
        """Typing narrows the list."""
        self._list()

    @Slot(QListWidgetItem)
    def on_list_item_clicked(self, item: QListWidgetItem) -> None:
        """The mouse chose."""
        self._run(item)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while the line has the keyboard; Enter runs, Esc leaves."""
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if key == Qt.Key.Key_Escape:
                self.close_palette()
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(self.list.currentItem())
                return True
            if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if key == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((self.list.currentRow() + step) % max(1, self.list.count()))
                return True
        return super().eventFilter(watched, event)
