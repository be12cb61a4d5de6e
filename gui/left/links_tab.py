"""The table of links and suggestions: what was joined, as what, by whom; filters, sorting, deleting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QTreeView

from engine.matter.queue import Suggestion
from engine.matter.records import Link
from gui.left.links_model import LinksModel, Shown, link_places
from gui.left.list_tab import ListTab, tree_view
from gui.theme import grid

__all__ = ["LinksModel", "LinksTab", "Shown", "link_places"]

_WIDTHS = (grid(22), grid(36), grid(24), grid(60), grid(60), grid(20), grid(20), grid(22))


class _LinksView(QTreeView):
    """A flat list in columns that tells of Delete and of Enter."""

    delete_pressed = Signal()
    enter_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete and Backspace delete; it can be undone."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter_pressed.emit()


class LinksTab(ListTab):
    """The links of the matter, and the suggestions that wait.

    Signals:
        link_chosen(Link): show it.
        suggestion_chosen(Suggestion): show it.
        link_deleted(id): delete it.
        edit_wanted(): the link that is shown is to be changed by keys.
        suggestions_wanted(): suggestions are listed from now on.
    """

    link_chosen = Signal(object)
    suggestion_chosen = Signal(object)
    link_deleted = Signal(str)
    suggestions_wanted = Signal()
    edit_wanted = Signal()

    def __init__(self) -> None:
        self.model = LinksModel()
        links = _LinksView()
        super().__init__(tree_view(self.model, self.tr("Links"), links), self.tr("Filter links"), "")
        self.model.setParent(self)
        self.show_box = QComboBox()
        self.show_box.setAccessibleName(self.tr("Which links are listed"))
        for words, shown in (
            (self.tr("All links"), Shown.LINKS),
            (self.tr("Suggestions"), Shown.SUGGESTIONS),
            (self.tr("My links"), Shown.MINE),
            (self.tr("Others' links"), Shown.OTHERS),
            (self.tr("Conflicts"), Shown.CONFLICTS),
            (self.tr("No conflicts"), Shown.NO_CONFLICTS),
            (self.tr("Ruled on"), Shown.RULED),
        ):
            self.show_box.addItem(words, shown.value)
        self.show_box.currentIndexChanged.connect(self.on_show_box_changed)
        self.head.addWidget(self.show_box)
        links.setHeaderHidden(False)
        links.setRootIsDecorated(False)
        links.setUniformRowHeights(True)
        links.setSortingEnabled(True)
        links.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        header = links.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        links.delete_pressed.connect(self.on_view_delete_pressed)
        links.enter_pressed.connect(self.on_view_enter_pressed)
        self.model.modelReset.connect(self.on_model_reset)
        self.on_model_reset()

    def set_links(self, links: Sequence[Link], names: Mapping[str, str] | None = None, me: str = "") -> None:
        """Show these; ``names`` are the annotators' by id."""
        chosen = self._current_id()
        self.model.set_links(links, names, me)
        self._choose(chosen)

    def set_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Show these among the suggestions, in this order."""
        chosen = self._current_id()
        self.model.set_suggestions(suggestions)
        self._choose(chosen)

    @property
    def shows_suggestions(self) -> bool:
        """Whether the suggestions are listed."""
        return bool(self.show_box.currentData() == Shown.SUGGESTIONS)

    def current_link(self) -> Link | None:
        """The chosen link."""
        link = self.view.currentIndex().data(LinksModel.LinkRole)
        return link if isinstance(link, Link) else None

    def _current_id(self) -> str:
        row = self.view.currentIndex().data(LinksModel.LinkRole)
        return str(row.id) if isinstance(row, Link | Suggestion) else ""

    def _choose(self, row_id: str) -> None:
        at = self.model.row_of(row_id) if row_id else -1
        if at >= 0:
            self.view.setCurrentIndex(self.model.index(at, 0))

    @Slot()
    def on_model_reset(self) -> None:
        """Other rows: the list, or why there is none."""
        self.show_rows(self.model.rowCount() > 0)
        if self.model.count and not self.model.rowCount():
            words = self.tr("No link matches. Clear the filter to see all of them.")
        elif self.shows_suggestions:
            words = self.tr("No suggestions wait. A review's findings come here until they are judged.")
        else:
            words = self.tr(
                "No links yet. Drag one clause onto another, on the pages or in the Clauses tab, to link them."
            )
        self.empty.setText(words)

    @Slot()
    def on_show_box_changed(self) -> None:
        """Other rows are wanted."""
        self.model.set_shown(Shown(self.show_box.currentData()))
        if self.shows_suggestions:
            self.suggestions_wanted.emit()

    @Slot(str)
    def on_filter_box_text_changed(self, text: str) -> None:
        """Show the links that contain the text."""
        chosen = self._current_id()
        self.model.set_filter(text)
        self._choose(chosen)

    @Slot(QModelIndex)
    def on_view_entered(self, _index: QModelIndex) -> None:
        """A click or Enter: show it."""
        row = self.view.currentIndex().data(LinksModel.LinkRole)
        if isinstance(row, Link):
            self.link_chosen.emit(row)
        elif isinstance(row, Suggestion):
            self.suggestion_chosen.emit(row)

    @Slot()
    def on_view_enter_pressed(self) -> None:
        """Enter: the chosen link is shown; now the keyboard goes where it can be changed."""
        if self.current_link() is not None:
            self.edit_wanted.emit()

    @Slot()
    def on_view_delete_pressed(self) -> None:
        """Delete the chosen link."""
        link = self.current_link()
        if link is not None:
            self.link_deleted.emit(link.id)
