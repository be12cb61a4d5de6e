"""What the tabs of clauses, anchors and links share: a filter line, and a list, or a word on why it is empty."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QSortFilterProxyModel, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QStackedWidget, QTreeView, QVBoxLayout, QWidget

from gui.theme import grid


class ListTab(QWidget):
    """A filter line over a tree; a subclass says what a click or Enter on a row does, and how the filter works.

    Args:
        view: the tree, with its model set.
        filter_words: what the filter line says while it is empty.
        empty_words: what stands in the tree's place while there is nothing.
    """

    def __init__(self, view: QTreeView, filter_words: str, empty_words: str) -> None:
        super().__init__()
        self.view = view
        view.setUniformRowHeights(True)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.filter_box = QLineEdit()
        self.filter_box.setPlaceholderText(filter_words)
        self.filter_box.setAccessibleName(filter_words)
        self.filter_box.setClearButtonEnabled(True)
        self.empty = QLabel(empty_words)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setProperty("faint", "true")
        self.empty.setContentsMargins(grid(4), grid(6), grid(4), grid(4))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(view)
        self.head = QVBoxLayout()
        self.head.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        self.head.setSpacing(grid(1))
        self.head.addWidget(self.filter_box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.head)
        column.addWidget(self._stack, 1)
        self.filter_box.textChanged.connect(self.on_filter_box_text_changed)
        view.clicked.connect(self.on_view_entered)
        view.activated.connect(self.on_view_entered)

    def show_rows(self, there_are: bool) -> None:
        """The tree, or the words in its place."""
        self._stack.setCurrentWidget(self.view if there_are else self.empty)

    @Slot(str)
    def on_filter_box_text_changed(self, text: str) -> None:
        """Show the rows that contain the text."""
        raise NotImplementedError

    @Slot(QModelIndex)
    def on_view_entered(self, index: QModelIndex) -> None:
        """A click or Enter on a row."""
        raise NotImplementedError


def tree_view(model: QAbstractItemModel, name: str, view: QTreeView | None = None) -> QTreeView:
    """A tree over a model, without header, named for screen readers."""
    view = view or QTreeView()
    view.setModel(model)
    view.setHeaderHidden(True)
    view.setIndentation(grid(3))
    view.setAccessibleName(name)
    return view


def filtered(model: QAbstractItemModel, parent: QWidget | None = None) -> QSortFilterProxyModel:
    """The rows of a tree that contain some words in any case, with the rows around and under them."""
    proxy = QSortFilterProxyModel(parent)
    proxy.setSourceModel(model)
    proxy.setRecursiveFilteringEnabled(True)
    proxy.setAutoAcceptChildRows(True)
    proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    return proxy
