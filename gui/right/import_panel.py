"""What an import would bring, and every line that is bad; nothing is taken before the person agrees."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
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

#: More bad lines than this are counted, not listed.
MAX_LINES = 2000


class ImportPanel(QWidget):
    """A summary, the bad lines as a table, and the question.

    Signals:
        agreed(): take the good lines.
        left(): take nothing.
    """

    agreed = Signal()
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
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.take = QPushButton()
        self.take.setProperty("role", "main")
        self.cancel = QPushButton(self.tr("Import nothing") + "  Esc")
        buttons = QHBoxLayout()
        buttons.addWidget(self.take, 1)
        buttons.addWidget(self.cancel, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(3))
        column.addWidget(self.title)
        column.addWidget(self.summary)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
        self.take.clicked.connect(self.agreed)
        self.cancel.clicked.connect(self.left)

    def show_plan(self, name: str, good: tuple[int, int], already: int, problems: Sequence[tuple[int, str]]) -> None:
        """``good`` counts links and decisions that can be taken; ``problems`` are (line from 1, sentence)."""
        self.title.setText(self.tr("Import {file}").format(file=name))
        words = [self.tr("{links} links and {decisions} decisions can be imported.")]
        if already:
            words.append(self.tr("{already} are in this matter already."))
        if problems:
            words.append(self.tr("{bad} lines cannot be taken:"))
        self.summary.setText(
            " ".join(words).format(links=good[0], decisions=good[1], already=already, bad=len(problems))
        )
        self.table.setHorizontalHeaderLabels([self.tr("Line"), self.tr("What is wrong")])
        shown = problems[:MAX_LINES]
        self.table.setRowCount(len(shown))
        for row, (line, sentence) in enumerate(shown):
            number = QTableWidgetItem(str(line))
            number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self.table.setItem(row, 0, number)
            self.table.setItem(row, 1, QTableWidgetItem(sentence))
        self.table.setVisible(bool(problems))
        self.take.setText(self.tr("Import the good ones") if problems else self.tr("Import"))
        self.take.setEnabled(any(good))
        self.take.setVisible(any(good))
        (self.take if any(good) else self.cancel).setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves, Enter on a button presses it."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.take.hasFocus():
            self.on_enter()
        else:
            super().keyPressEvent(event)

    @Slot()
    def on_enter(self) -> None:
        """Enter on the button that has the keyboard."""
        if self.take.isEnabled():
            self.agreed.emit()
