"""The clause tree with its filter: a click goes there, a drag onto another clause links the two."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QComboBox

from engine.document import Clause, Document
from gui.left.clauses_model import ClausesModel
from gui.left.list_tab import ListTab, filtered, tree_view
from gui.left.outline_view import OutlineView

#: A document with more clauses than this is shown with its top level only.
MOST_EXPANDED = 400


class ClausesTab(ListTab):
    """Where things stand in the document.

    Signals:
        clause_chosen(Clause): go there.
        link_dropped(DraggedSpan, DraggedSpan): link these two.
    """

    clause_chosen = Signal(object)
    link_dropped = Signal(object, object)

    def __init__(self) -> None:
        self.model = ClausesModel()
        self._proxy = filtered(self.model)
        view = tree_view(self._proxy, self.tr("Clauses"))
        super().__init__(
            view, self.tr("Filter clauses"), self.tr("The clauses appear here once a document has been read.")
        )
        self._proxy.setParent(self)
        view.setDragEnabled(True)
        view.setAcceptDrops(True)
        view.setDropIndicatorShown(True)
        view.setAutoScroll(True)
        view.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        view.setDefaultDropAction(Qt.DropAction.LinkAction)
        self.model.link_dropped.connect(self.link_dropped)
        self.outline = OutlineView()
        self._stack.addWidget(self.outline)
        self.which = QComboBox()
        self.which.setAccessibleName(self.tr("Clauses or the outline in the file"))
        self.which.addItem(self.tr("Clauses as numbered"))
        self.which.addItem(self.tr("Outline in the file"))
        self.which.hide()
        self.which.currentIndexChanged.connect(self.on_which_current_index_changed)
        self.head.insertWidget(0, self.which)

    def set_document(self, document: Document | None) -> None:
        """Show another document's clauses."""
        self.model.set_document(document)
        has_rows = self.model.rowCount() > 0
        if document is None:
            self.empty.setText(self.tr("The clauses appear here once a document has been read."))
        elif not has_rows:
            self.empty.setText(self.tr("No numbered clauses were found in this document."))
        self.outline.set_entries(document.outline if document is not None else ())
        self.which.setVisible(self.outline.topLevelItemCount() > 0)
        self.show_rows(has_rows)
        self.on_which_current_index_changed()
        if document is not None and len(document.clauses) <= MOST_EXPANDED:
            self.view.expandAll()
        else:
            self.view.expandToDepth(0)

    def show_place(self, clause: Clause | None) -> None:
        """Mark the clause that the pages show, without going anywhere."""
        index = self._proxy.mapFromSource(self.model.index_of(clause.id)) if clause else QModelIndex()
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    @Slot(str)
    def on_filter_box_text_changed(self, text: str) -> None:
        """Show the clauses that contain the text, with the clauses around them."""
        self._proxy.setFilterFixedString(text)
        self.outline.set_filter(text)
        if text:
            self.view.expandAll()

    @Slot(int)
    def on_which_current_index_changed(self) -> None:
        """The clauses that were read, or the file's own bookmarks."""
        has_outline = self.outline.topLevelItemCount() > 0
        if has_outline and self.which.currentIndex() == 1:
            self._stack.setCurrentWidget(self.outline)
        else:
            self.show_rows(self.model.rowCount() > 0)

    @Slot(QModelIndex)
    def on_view_entered(self, index: QModelIndex) -> None:
        """A click or Enter: go there."""
        clause = self.model.clause_at(self._proxy.mapToSource(index))
        if clause is not None:
            self.clause_chosen.emit(clause)
