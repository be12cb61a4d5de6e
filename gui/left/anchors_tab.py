"""The values that findings rest on: each with the places where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QStackedWidget, QTreeView, QVBoxLayout, QWidget

from engine.protocol.findings import Passage
from gui.state.finding_row import FindingRow
from gui.state.wording import anchor_words
from gui.theme import grid

_PLACE_ROLE = Qt.ItemDataRole.UserRole + 1


class AnchorsTab(QWidget):
    """Amounts, periods, dates and references, as the review read them in the passages of its findings.

    Signals:
        place_chosen(document, start, end): go there.
    """

    place_chosen = Signal(str, int, int)

    def __init__(self) -> None:
        super().__init__()
        self.model = QStandardItemModel(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setRecursiveFilteringEnabled(True)
        self._proxy.setAutoAcceptChildRows(True)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter_box = QLineEdit()
        self.filter_box.setPlaceholderText(self.tr("Filter values"))
        self.filter_box.setAccessibleName(self.tr("Filter values"))
        self.filter_box.setClearButtonEnabled(True)
        self.view = QTreeView()
        self.view.setModel(self._proxy)
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setIndentation(grid(3))
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setAccessibleName(self.tr("Values"))
        self.empty = QLabel(self.tr("The values that findings rest on appear here after a review."))
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

    def set_rows(self, rows: Sequence[FindingRow]) -> None:
        """List the values of these findings, by kind and value."""
        places: dict[tuple[str, str], dict[tuple[str, int, int], Passage]] = {}
        for row in rows:
            for passage in row.finding.passages:
                for anchor in passage.anchors:
                    where = places.setdefault((anchor.kind, anchor.value), {})
                    where[(passage.document, anchor.start, anchor.end)] = passage
        self.model.clear()
        kinds: dict[str, QStandardItem] = {}
        for (kind, value), where in sorted(places.items()):
            if kind not in kinds:
                kinds[kind] = QStandardItem(anchor_words(kind))
                self.model.appendRow(kinds[kind])
            kinds[kind].appendRow(self._value_item(value, where))
        self._stack.setCurrentWidget(self.view if places else self.empty)
        self.view.expandToDepth(0)

    def _value_item(self, value: str, where: dict[tuple[str, int, int], Passage]) -> QStandardItem:
        words = {p.text[start - p.start : end - p.start] for (_, start, end), p in where.items()}
        said = " / ".join(sorted(word for word in words if word)) or value
        item = QStandardItem(f"{said}  ·  {len(where)}")
        item.setToolTip(value)
        for place, passage in sorted(where.items()):
            number = passage.clause or self.tr("page {page}").format(page=passage.page + 1)
            child = QStandardItem(f"{number}  {' '.join(passage.text.split())[:60]}")
            child.setData(list(place), _PLACE_ROLE)
            child.setToolTip(passage.text)
            item.appendRow(child)
        return item

    @Slot(str)
    def on_filter_box_text_changed(self, text: str) -> None:
        """Show the values that contain the text."""
        self._proxy.setFilterFixedString(text)
        if text:
            self.view.expandAll()

    @Slot(QModelIndex)
    def on_view_entered(self, index: QModelIndex) -> None:
        """Go to a place; a value goes to its first place."""
        place = index.data(_PLACE_ROLE) or index.model().index(0, 0, index).data(_PLACE_ROLE)
        if place:
            document, start, end = place
            self.place_chosen.emit(str(document), int(start), int(end))


