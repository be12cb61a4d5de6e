"""What an import or a merge would bring, and all that is bad; nothing is taken before the person agrees."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.theme import grid, scaled_font

#: More lines than this are counted, not listed.
MAX_LINES = 2000


@dataclasses.dataclass(frozen=True, slots=True)
class Preview:
    """What the panel shows: a heading, sentences, lines (where, what), and what can be done.

    ``take`` is the word on the button that takes what is good, "" when nothing can be taken. ``more`` is the question
    beside a box that takes more ("" for none): what it brings, ``take`` says for it when nothing else is good.
    """

    heading: str
    summary: tuple[str, ...]
    lines: tuple[tuple[str, str], ...] = ()
    take: str = ""
    more: str = ""
    close: str = ""


class ImportPanel(QWidget):
    """A summary, the lines as a table, and the question.

    Signals:
        agreed(bool): take what is good; True: with what the box brings.
        left(): take nothing.
    """

    agreed = Signal(bool)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = QLabel()
        self.title.setWordWrap(True)
        self.title.setFont(scaled_font(self.font(), 1.08, bold=True))
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.table = QTableWidget(0, 2)
        self.table.setAccessibleName(self.tr("Lines that cannot be taken"))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setWordWrap(True)
        self.table.setTabKeyNavigation(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setMaximumSectionSize(grid(36))
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.more = QCheckBox()
        self.take = QPushButton()
        self.take.setProperty("role", "main")
        self.cancel = QPushButton()
        buttons = QHBoxLayout()
        buttons.addWidget(self.take, 1)
        buttons.addWidget(self.cancel, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(3))
        column.addWidget(self.title)
        column.addWidget(self.summary)
        column.addWidget(self.table, 1)
        column.addWidget(self.more)
        column.addLayout(buttons)
        column.addStretch(0)
        self._can_take = False
        self.take.clicked.connect(self.on_take_clicked)
        self.cancel.clicked.connect(self.left)
        self.more.toggled.connect(self.on_more_toggled)

    def show_preview(self, preview: Preview) -> None:
        """Show this; the keyboard goes to the button that goes on."""
        self.title.setText(preview.heading)
        self.summary.setText("\n".join(preview.summary))
        self.table.setHorizontalHeaderLabels([self.tr("Line"), self.tr("What is to be said")])
        shown = preview.lines[:MAX_LINES]
        self.table.setRowCount(len(shown))
        for row, (place, sentence) in enumerate(shown):
            where = QTableWidgetItem(place)
            where.setToolTip(place)
            if place.isdecimal():
                where.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self.table.setItem(row, 0, where)
            self.table.setItem(row, 1, QTableWidgetItem(sentence))
        self.table.setVisible(bool(shown))
        self.more.setChecked(False)
        self.more.setText(preview.more)
        self.more.setVisible(bool(preview.more))
        self._can_take = bool(preview.take)
        self.take.setText(preview.take or self.tr("Import"))
        self.take.setVisible(bool(preview.take or preview.more))
        self.take.setEnabled(self._can_take)
        self.cancel.setText((preview.close or self.tr("Import nothing")) + "  Esc")
        first = self.take if self._can_take else (self.more if preview.more else self.cancel)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves, Enter on the buttons presses them."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.left.emit if self.cancel.hasFocus() else self.on_take_clicked)()
        else:
            super().keyPressEvent(event)

    @Slot()
    def on_take_clicked(self) -> None:
        """Take what is good."""
        if self.take.isVisible() and self.take.isEnabled():
            self.agreed.emit(self.more.isChecked())

    @Slot(bool)
    def on_more_toggled(self, checked: bool) -> None:
        """What the box brings may be all that can be taken."""
        self.take.setEnabled(self._can_take or checked)
