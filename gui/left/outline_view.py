"""The outline (bookmarks) that a PDF brings along, as a tree."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem

from engine.document import OutlineEntry
from gui.theme import grid


class OutlineView(QTreeWidget):
    """A click or Enter on a line goes there.

    Signals:
        entry_chosen(OutlineEntry): go there.
    """

    entry_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[OutlineEntry, ...] = ()
        self.setHeaderHidden(True)
        self.setIndentation(grid(3))
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(self.tr("Outline in the file"))
        self.itemClicked.connect(self.on_item_entered)
        self.itemActivated.connect(self.on_item_entered)

    def set_entries(self, entries: Sequence[OutlineEntry]) -> None:
        """Show these; an entry lies under the nearest one before it of a higher level."""
        self._entries = tuple(entries)
        self.clear()
        above: list[tuple[int, QTreeWidgetItem]] = []
        for number, entry in enumerate(self._entries):
            while above and above[-1][0] >= entry.level:
                above.pop()
            item = QTreeWidgetItem([" ".join(entry.title.split())])
            item.setData(0, Qt.ItemDataRole.UserRole, number)
            item.setToolTip(0, entry.title)
            if above:
                above[-1][1].addChild(item)
            else:
                self.addTopLevelItem(item)
            above.append((entry.level, item))
        self.expandToDepth(0)

    def set_filter(self, words: str) -> None:
        """Show the lines that contain some words, in any case, with the lines above and below them."""
        for row in range(self.topLevelItemCount()):
            self._sift(self.topLevelItem(row), words.casefold(), False)
        if words:
            self.expandAll()

    def _sift(self, item: QTreeWidgetItem | None, words: str, under: bool) -> bool:
        if item is None:
            return False
        fits = under or words in item.text(0).casefold()
        below = [self._sift(item.child(row), words, fits) for row in range(item.childCount())]
        item.setHidden(not (fits or any(below)))
        return fits or any(below)

    @Slot(QTreeWidgetItem)
    def on_item_entered(self, item: QTreeWidgetItem) -> None:
        """Go to its place."""
        self.entry_chosen.emit(self._entries[item.data(0, Qt.ItemDataRole.UserRole)])
