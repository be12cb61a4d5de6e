"""The page before a document is open: the sample, the recent matters, where to drop a file."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from gui.state.recent import RecentMatter
from gui.theme import grid, scaled_font


class FirstRunPage(QWidget):
    """A quiet start.

    Signals:
        open_wanted(): choose files.
        sample_wanted(), chinese_sample_wanted(): open a sample contract.
        matter_chosen(path): open a recent matter.
    """

    open_wanted = Signal()
    sample_wanted = Signal()
    chinese_sample_wanted = Signal()
    matter_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = QLabel("Antinomy")
        self.title.setFont(scaled_font(self.font(), 2.0, bold=True))
        self.lead = QLabel(
            self.tr("Finds the places where a contract contradicts itself. Nothing leaves this machine.")
        )
        self.lead.setWordWrap(True)
        self.lead.setProperty("faint", "true")
        self.open_button = QPushButton(self.tr("Open a contract…"))
        self.open_button.setProperty("role", "main")
        self.sample_button = QPushButton(self.tr("English sample"))
        self.chinese_sample_button = QPushButton(self.tr("Chinese sample"))
        self.drop = QLabel(
            self.tr("or drop PDF, DOCX or text files here. Several at once become one matter.")
        )
        self.drop.setWordWrap(True)
        self.drop.setProperty("faint", "true")
        self.recent_title = QLabel(self.tr("Recent matters"))
        self.recent_title.setFont(scaled_font(self.font(), 1.0, bold=True))
        self.recent = QListWidget()
        self.recent.setAccessibleName(self.tr("Recent matters"))
        self.recent.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.keys = QLabel(self._key_words())
        self.keys.setTextFormat(Qt.TextFormat.RichText)
        self.keys.setProperty("faint", "true")
        self._lay_out()
        self.open_button.clicked.connect(self.open_wanted)
        self.sample_button.clicked.connect(self.sample_wanted)
        self.chinese_sample_button.clicked.connect(self.chinese_sample_wanted)
        self.recent.itemActivated.connect(self.on_recent_item_entered)
        self.recent.itemClicked.connect(self.on_recent_item_entered)
        self.show_recent(())

    def _key_words(self) -> str:
        rows = (
            ("J  K", self.tr("next, previous finding")),
            ("C  X", self.tr("confirm, dismiss")),
            ("Ctrl+K", self.tr("every command by name")),
            ("?", self.tr("all keys")),
        )
        cells = "".join(
            f'<tr><td style="padding:0 16px 4px 0; vertical-align:middle"><b>{html.escape(key)}</b></td>'
            f'<td style="padding:0 0 4px 0; vertical-align:middle">{html.escape(words)}</td></tr>'
            for key, words in rows
        )
        return f"<table>{cells}</table>"

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(grid(2))
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.sample_button)
        buttons.addWidget(self.chinese_sample_button)
        buttons.addStretch(1)
        middle = QWidget()
        middle.setMaximumWidth(grid(130))
        column = QVBoxLayout(middle)
        column.setContentsMargins(grid(6), grid(6), grid(6), grid(6))
        column.setSpacing(grid(3))
        column.addWidget(self.title)
        column.addWidget(self.lead)
        column.addSpacing(grid(3))
        column.addLayout(buttons)
        column.addWidget(self.drop)
        column.addSpacing(grid(4))
        column.addWidget(self.recent_title)
        column.addWidget(self.recent)
        column.addSpacing(grid(2))
        column.addWidget(self.keys)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(middle, 8)
        row.addStretch(1)
        whole = QVBoxLayout(self)
        whole.addStretch(1)
        whole.addLayout(row)
        whole.addStretch(2)

    def show_recent(self, entries: Sequence[RecentMatter]) -> None:
        """List the recent matters, the newest first."""
        self.recent.clear()
        for entry in entries:
            item = QListWidgetItem(entry.name)
            item.setToolTip(entry.document)
            item.setData(Qt.ItemDataRole.UserRole, entry.matter)
            self.recent.addItem(item)
        self.recent_title.setVisible(bool(entries))
        self.recent.setVisible(bool(entries))
        rows = min(6, len(entries))
        self.recent.setFixedHeight(rows * max(1, self.recent.sizeHintForRow(0)) + grid(1))

    @Slot(QListWidgetItem)
    def on_recent_item_entered(self, item: QListWidgetItem) -> None:
        """A matter was chosen."""
        self.matter_chosen.emit(str(item.data(Qt.ItemDataRole.UserRole)))
