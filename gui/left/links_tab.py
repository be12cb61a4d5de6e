"""The table of links: what was joined, as what, and how to get rid of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeView

from engine.matter.records import Link
from gui.left.list_tab import ListTab, filtered, tree_view
from gui.state.wording import code_words
from gui.theme import grid

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_QUOTE_CHARACTERS = 32


def link_places(link: Link) -> str:
    """The clauses a link joins: ``4.1 ↔ 9.3``; words stand in for clauses without a number."""
    return " ↔ ".join(end.clause_number or _opening(end.quote) for end in link.ends)


def _opening(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _QUOTE_CHARACTERS else words[: _QUOTE_CHARACTERS - 1] + "…"


class LinksModel(QAbstractTableModel):
    """Columns: clauses, kind, aspect. ``LinkRole`` gives the :class:`Link`."""

    LinkRole = Qt.ItemDataRole.UserRole + 1
    SearchRole = Qt.ItemDataRole.UserRole + 2

    def __init__(self) -> None:
        super().__init__()
        self._links: list[Link] = []

    def set_links(self, links: Sequence[Link]) -> None:
        """Replace all links; the newest is listed first."""
        self.beginResetModel()
        self._links = list(reversed(links))
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """One a link."""
        return 0 if parent.isValid() else len(self._links)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """Three."""
        return 0 if parent.isValid() else 3

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The columns' names."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Clauses"), self.tr("Kind"), self.tr("Aspect"))[section]
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words of a cell, the quotes in the tool tip."""
        if not index.isValid():
            return None
        link = self._links[index.row()]
        if role == self.LinkRole:
            return link
        cells = (link_places(link), code_words(link.code), link.aspect)
        if role == Qt.ItemDataRole.DisplayRole:
            return cells[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            parts = [*(end.quote for end in link.ends), link.note, link.changed_at[:10]]
            return "\n\n".join(part for part in parts if part)
        if role == self.SearchRole:
            return "\n".join((*cells, link.code, link.note, *(end.quote for end in link.ends)))
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Rows can be chosen."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemNeverHasChildren if index.isValid() else flags


class _LinksView(QTreeView):
    """A flat list in columns that tells of Delete."""

    delete_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete and Backspace delete; it can be undone."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)


class LinksTab(ListTab):
    """The links of the matter.

    Signals:
        link_chosen(Link): show it.
        link_deleted(id): delete it.
    """

    link_chosen = Signal(object)
    link_deleted = Signal(str)

    def __init__(self) -> None:
        self.model = LinksModel()
        self._proxy = filtered(self.model)
        self._proxy.setFilterRole(LinksModel.SearchRole)
        self._proxy.setFilterKeyColumn(0)
        links = _LinksView()
        super().__init__(
            tree_view(self._proxy, self.tr("Links"), links),
            self.tr("Filter links"),
            self.tr("No links yet. Drag one clause onto another, on the pages or in the Clauses tab, to link them."),
        )
        self._proxy.setParent(self)
        links.setHeaderHidden(False)
        links.setRootIsDecorated(False)
        links.setSortingEnabled(True)
        links.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        header = links.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(0, grid(25))
        header.resizeSection(2, grid(18))
        links.delete_pressed.connect(self.on_view_delete_pressed)

    def set_links(self, links: Sequence[Link]) -> None:
        """Show these."""
        self.model.set_links(links)
        self.show_rows(bool(links))

    def current_link(self) -> Link | None:
        """The chosen link."""
        link = self.view.currentIndex().data(LinksModel.LinkRole)
        return link if isinstance(link, Link) else None

    @Slot(str)
    def on_filter_box_text_changed(self, text: str) -> None:
        """Show the links that contain the text."""
        self._proxy.setFilterFixedString(text)

    @Slot(QModelIndex)
    def on_view_entered(self, _index: QModelIndex) -> None:
        """A click or Enter: show it."""
        link = self.current_link()
        if link is not None:
            self.link_chosen.emit(link)

    @Slot()
    def on_view_delete_pressed(self) -> None:
        """Delete the chosen link."""
        link = self.current_link()
        if link is not None:
            self.link_deleted.emit(link.id)
