"""Comments and annotations that the file itself brings: who wrote them, where, and what."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from engine.document import Remark
from gui.state.wording import remark_words
from gui.theme import grid


class NotesTab(QWidget):
    """A list; a click or Enter goes to the place.

    Signals:
        remark_chosen(Remark): go there.
    """

    remark_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._remarks: tuple[Remark, ...] = ()
        self.view = QListWidget()
        self.view.setWordWrap(True)
        self.view.setSpacing(grid(1))
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setAccessibleName(self.tr("Comments and annotations in the file"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.view.itemClicked.connect(self.on_view_item_entered)
        self.view.itemActivated.connect(self.on_view_item_entered)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What is listed."""
        return self._remarks

    def set_remarks(self, remarks: Sequence[Remark]) -> None:
        """List these."""
        if self._remarks == tuple(remarks):
            return
        self._remarks = tuple(remarks)
        self.view.clear()
        for remark in self._remarks:
            item = QListWidgetItem("\n".join(remark_words(remark)))
            item.setToolTip("\n".join(remark_words(remark)))
            self.view.addItem(item)

    @Slot(QListWidgetItem)
    def on_view_item_entered(self, item: QListWidgetItem) -> None:
        """Go to its place."""
        self.remark_chosen.emit(self._remarks[self.view.row(item)])
