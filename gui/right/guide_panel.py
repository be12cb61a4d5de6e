"""The guide of the project: what the annotators agreed on, and the label set, both editable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.state.wording import code_words
from gui.theme import grid, scaled_font

if TYPE_CHECKING:
    from engine.matter.guide import Guide

_CODE, _WORDS, _KEY, _COLOUR, _EXAMPLE = range(5)


class GuidePanel(QWidget):
    """Text above, labels below: code, name, key, colour, example.

    Signals:
        guide_written(Guide): keep it.
        left(): Esc.
    """

    guide_written = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        title = QLabel(self.tr("Guide"))
        title.setFont(scaled_font(self.font(), 1.08, bold=True))
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(self.tr("What counts, what does not, how to decide"))
        self.text.setAccessibleName(self.tr("Guide"))
        labels = QLabel(self.tr("Labels"))
        labels.setFont(title.font())
        about = QLabel(self.tr("A code that begins with “not.” says why there is no conflict. Keys are 1 to 9."))
        about.setWordWrap(True)
        about.setProperty("faint", "true")
        self.table = QTableWidget(0, 5)
        self.table.setAccessibleName(self.tr("Labels"))
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for column, width in enumerate((grid(30), grid(40), grid(10), grid(18))):
            header.resizeSection(column, width)
        self.add = QPushButton(self.tr("Add a label"))
        self.remove = QPushButton(self.tr("Remove the label"))
        self.save = QPushButton(self.tr("Save the guide"))
        self.save.setProperty("role", "main")
        self.close_button = QPushButton(self.tr("Close") + "  Esc")
        buttons = QGridLayout()
        buttons.setSpacing(grid(2))
        for i, button in enumerate((self.add, self.remove, self.save, self.close_button)):
            buttons.addWidget(button, i // 2, i % 2)
        column_of_all = QVBoxLayout(self)
        column_of_all.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column_of_all.setSpacing(grid(2))
        for part, stretch in ((title, 0), (self.text, 1), (labels, 0), (about, 0), (self.table, 3)):
            column_of_all.addWidget(part, stretch)
        column_of_all.addLayout(buttons)
        self.add.clicked.connect(self.on_add_clicked)
        self.remove.clicked.connect(self.on_remove_clicked)
        self.save.clicked.connect(self.on_save_clicked)
        self.close_button.clicked.connect(self.left)
        self.table.itemChanged.connect(self.on_table_item_changed)

    def show_guide(self, guide: Guide, may_write: bool) -> None:
        """Show it; a matter that is open for reading only cannot be changed."""
        self.text.setPlainText(guide.text)
        self.table.setHorizontalHeaderLabels(
            [self.tr("Code"), self.tr("Name"), self.tr("Key"), self.tr("Colour"), self.tr("Example")]
        )
        self.table.setRowCount(0)
        for label in guide.labels:
            self._put_row((label.code, label.words or code_words(label.code), label.key, label.colour, label.example))
        self.text.setReadOnly(not may_write)
        for button in (self.add, self.remove, self.save):
            button.setEnabled(may_write)

    def _put_row(self, cells: tuple[str, ...]) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, words in enumerate(cells):
            self.table.setItem(row, column, QTableWidgetItem(words))

    def guide(self) -> Guide:
        """What stands in the panel; a name that is the program's own is kept as "", so that it follows the language."""
        from engine.matter.guide import Guide, Label

        labels = []
        for row in range(self.table.rowCount()):
            cells = [self._cell(row, column) for column in range(5)]
            if cells[_CODE]:
                words = "" if cells[_WORDS] == code_words(cells[_CODE]) else cells[_WORDS]
                labels.append(Label(cells[_CODE], words, cells[_KEY], cells[_COLOUR], cells[_EXAMPLE]))
        return Guide(self.text.toPlainText(), tuple(labels))

    def _cell(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    @Slot(QTableWidgetItem)
    def on_table_item_changed(self, item: QTableWidgetItem) -> None:
        """A colour is shown beside its name."""
        if item.column() == _COLOUR:
            colour = QColor(item.text())
            item.setData(Qt.ItemDataRole.DecorationRole, colour if item.text() and colour.isValid() else None)

    @Slot()
    def on_add_clicked(self) -> None:
        """An empty row to write in."""
        self._put_row(("",) * 5)
        last = self.table.item(self.table.rowCount() - 1, _CODE)
        if last is not None:
            self.table.setCurrentItem(last)
            self.table.editItem(last)

    @Slot()
    def on_remove_clicked(self) -> None:
        """Without the chosen row; links that have the label keep it."""
        self.table.removeRow(self.table.currentRow())

    @Slot()
    def on_save_clicked(self) -> None:
        """Keep it."""
        self.guide_written.emit(self.guide())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
