"""The clause tree with its filter: a click goes there, a drag onto another clause links the two."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QStackedWidget, QTreeView, QVBoxLayout, QWidget

from engine.document import Clause, Document
from gui.left.clauses_model import ClausesModel
from gui.theme import grid

#: A document with more clauses than this is shown with its top level only.
MOST_EXPANDED = 400


class ClausesTab(QWidget):
    """Where things stand in the document.

    Signals:
        clause_chosen(Clause): go there.
        link_dropped(DraggedSpan, DraggedSpan): link these two.
    """

    clause_chosen = Signal(object)
    link_dropped = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.model = ClausesModel()
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setRecursiveFilteringEnabled(True)
        self._proxy.setAutoAcceptChildRows(True)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter_box = QLineEdit()
        self.filter_box.setPlaceholderText(self.tr("Filter clauses"))
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setAccessibleName(self.tr("Filter clauses"))
        self.view = self._tree_view()
        self.empty = QLabel(self.tr("The clauses appear here once a document has been read."))
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setProperty("faint", "true")
        self.empty.setContentsMargins(grid(4), grid(6), grid(4), grid(4))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        head = QVBoxLayout()
        head.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        head.addWidget(self.filter_box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        self.filter_box.textChanged.connect(self.on_filter_box_text_changed)
        self.view.clicked.connect(self.on_view_entered)
        self.view.activated.connect(self.on_view_entered)
        self.model.link_dropped.connect(self.link_dropped)

    def _tree_view(self) -> QTreeView:
        view = QTreeView()
        view.setModel(self._proxy)
        view.setHeaderHidden(True)
        view.setUniformRowHeights(True)
        view.setIndentation(grid(3))
        view.setAccessibleName(self.tr("Clauses"))
        view.setDragEnabled(True)
        view.setAcceptDrops(True)
        view.setDropIndicatorShown(True)
        view.setAutoScroll(True)
        view.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        view.setDefaultDropAction(Qt.DropAction.LinkAction)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        return view

    def set_document(self, document: Document | None) -> None:
        """Show another document's clauses."""
        self.model.set_document(document)
        has_rows = self.model.rowCount() > 0
        if document is None:
            self.empty.setText(self.tr("The clauses appear here once a document has been read."))
        elif not has_rows:
            self.empty.setText(self.tr("No numbered clauses were found in this document."))
        self._stack.setCurrentWidget(self.view if has_rows else self.empty)
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
        if text:
            self.view.expandAll()

    @Slot(QModelIndex)
    def on_view_entered(self, index: QModelIndex) -> None:
        """A click or Enter: go there."""
        clause = self.model.clause_at(self._proxy.mapToSource(index))
        if clause is not None:
            self.clause_chosen.emit(clause)
