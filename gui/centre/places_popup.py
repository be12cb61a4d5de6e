"""Every place where a value and its rivals stand, in a small list over the window; a click goes there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gui.left.anchors_delegate import FAINT_ROLE, HEAD_ROLE, RIGHT_ROLE, STANDING_ROLE, AnchorsDelegate
from gui.state.anchor_book import Standing
from gui.theme import grid

WIDTH_PX, MOST_HEIGHT_PX = grid(110), grid(90)
#: A pop-up that nobody has entered goes when the pointer is farther than this from where it was asked for.
_REACH_PX = grid(5)
_LOOK_MS = 200
_PLACE_ROLE = Qt.ItemDataRole.UserRole + 10


class Line(NamedTuple):
    """A line of the list: a heading (no place), or a place with the clause, the words around it and the document."""

    words: str
    note: str = ""
    right: str = ""
    standing: Standing | None = None
    place: tuple[str, int, int] | None = None
    tip: str = ""


class PlacesPopup(QFrame):
    """The list. It opens under the pointer and goes with it; entered, or opened by a key, it stays until Esc.

    Signals:
        place_chosen(document, start, end): go there.
    """

    place_chosen = Signal(str, int, int)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("popup")
        self._asked_at = QPoint()
        self._by_key = False
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Every place of this value"))
        self.list.setItemDelegate(AnchorsDelegate(self.list))
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        column.setSpacing(grid(1))
        column.addWidget(self.title)
        column.addWidget(self.list, 1)
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self.on_look_timeout)
        self.list.itemClicked.connect(self.on_list_item_entered)
        self.list.itemActivated.connect(self.on_list_item_entered)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self.on_application_focus_changed)
        self.hide()

    def open(self, title: str, lines: Sequence[Line], at: QPoint, by_key: bool = False) -> None:
        """Show lines beside a place (global position), and stay within the window."""
        self._asked_at, self._by_key = at, by_key
        self.title.setText(title)
        self.list.clear()
        for line in lines:
            self.list.addItem(_item(line))
        window = self._window
        row = max(1, self.list.sizeHintForRow(0))
        height = min(MOST_HEIGHT_PX, grid(14) + row * len(lines), window.height() - grid(4))
        self.resize(min(WIDTH_PX, window.width() - grid(4)), height)
        corner = window.mapFromGlobal(at) + QPoint(grid(1), grid(4))
        if corner.y() + height > window.height() - grid(2):
            corner.setY(corner.y() - height - grid(7))
        corner.setX(max(grid(2), min(corner.x(), window.width() - self.width() - grid(2))))
        corner.setY(max(grid(2), corner.y()))
        self.move(corner)
        self.show()
        self.raise_()
        if by_key:
            self._look.stop()
            self.list.setCurrentRow(next((i for i, line in enumerate(lines) if line.place), 0))
            self.list.setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self._look.start()

    def close_list(self) -> None:
        """Take it away."""
        self._look.stop()
        self.hide()

    @Slot()
    def on_look_timeout(self) -> None:
        """Go when the pointer has gone elsewhere without having come in."""
        pointer = QCursor.pos()
        inside = QRect(self.mapToGlobal(QPoint()), self.size()).adjusted(-_REACH_PX, -_REACH_PX, _REACH_PX, _REACH_PX)
        near = (pointer - self._asked_at).manhattanLength() <= 2 * _REACH_PX
        if not inside.contains(pointer) and not near:
            self.close_list()

    @Slot(QListWidgetItem)
    def on_list_item_entered(self, item: QListWidgetItem) -> None:
        """A click or Enter: go there."""
        place = item.data(_PLACE_ROLE)
        if place:
            self.close_list()
            self.place_chosen.emit(*place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes it away."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_list()
            return
        super().keyPressEvent(event)

    @Slot(QWidget, QWidget)
    def on_application_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Whoever goes on elsewhere does not need it."""
        if self._by_key and self.isVisible() and new is not None and not self.isAncestorOf(new):
            self.close_list()


def _item(line: Line) -> QListWidgetItem:
    item = QListWidgetItem(line.words)
    item.setData(FAINT_ROLE, line.note)
    item.setData(RIGHT_ROLE, line.right)
    item.setData(STANDING_ROLE, line.standing)
    item.setToolTip(line.tip)
    if line.place is None:
        item.setData(HEAD_ROLE, True)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
    else:
        item.setData(_PLACE_ROLE, list(line.place))
    return item
