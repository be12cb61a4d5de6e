"""The anchors panel: what the matter fixes, by kind and value, with what agrees and what differs at a glance."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Signal, Slot
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QTreeView

from engine.document import Document
from gui.left.anchors_delegate import SIGNS, AnchorsDelegate
from gui.left.anchors_model import AnchorsModel
from gui.left.list_tab import ListTab, tree_view
from gui.state.anchor_book import KINDS, AnchorBook, Standing
from gui.state.wording import anchor_words, standing_words
from gui.theme import grid

#: What the second box offers: one standing, or those that differ together.
_CHOICES: tuple[tuple[Standing, ...], ...] = (
    (), (Standing.CONFLICT, Standing.DIFFERS), (Standing.CONFLICT,), (Standing.AGREES,), (Standing.ALONE,),
)  # fmt: skip


#: A kind with more values than this is opened by hand.
MOST_EXPANDED = 200


class _AnchorsView(QTreeView):
    """Tells of the row that the pointer rests on."""

    rested = Signal(QModelIndex, QPoint)

    def viewportEvent(self, event: QEvent) -> bool:
        """The moment for a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            if index.isValid():
                self.rested.emit(index, event.globalPos())
        return super().viewportEvent(event)


class AnchorsTab(ListTab):
    """Kinds, values, places.

    Signals:
        place_chosen(document, start, end): go there.
        value_rested(Value, QPoint): the pointer rests on a value; show every place of it (global position).
        export_wanted(suffix): write what is listed, as ``csv`` or ``xlsx``.
    """

    place_chosen = Signal(str, int, int)
    value_rested = Signal(object, QPoint)
    export_wanted = Signal(str)

    def __init__(self) -> None:
        self.model = AnchorsModel()
        view = _AnchorsView()
        super().__init__(
            tree_view(self.model, self.tr("Anchors"), view),
            self.tr("Search values and roles"),
            self.tr("Amounts, periods, dates, parties and what else is fixed appear here after a review."),
        )
        self._delegate = AnchorsDelegate(view)
        view.setItemDelegate(self._delegate)
        self.kind_box, self.standing_box = QComboBox(), QComboBox()
        self.kind_box.setAccessibleName(self.tr("Kind"))
        self.standing_box.setAccessibleName(self.tr("Agreement"))
        self.kind_box.addItem(self.tr("All kinds"), "")
        for kind in KINDS:
            self.kind_box.addItem(anchor_words(kind), kind)
        for standings in _CHOICES:
            self.standing_box.addItem(self._choice_words(standings), [standing.value for standing in standings])
        self.export_button = QToolButton()
        self.export_button.setText(self.tr("Export"))
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.export_button)
        menu.addAction(self.tr("Table for a spreadsheet (XLSX)…"), self.on_xlsx_triggered)
        menu.addAction(self.tr("Plain table (CSV)…"), self.on_csv_triggered)
        self.export_button.setMenu(menu)
        row = QHBoxLayout()
        row.setSpacing(grid(1))
        for box in (self.kind_box, self.standing_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
            box.currentIndexChanged.connect(self.on_box_changed)
            row.addWidget(box, 1)
        row.addWidget(self.export_button)
        self.head.addLayout(row)
        view.rested.connect(self.on_view_rested)

    def _choice_words(self, standings: tuple[Standing, ...]) -> str:
        if not standings:
            return self.tr("All")
        signs = " ".join(SIGNS[standing] for standing in standings)
        return f"{signs}  {standing_words(standings[-1].name)}"

    def set_book(self, book: AnchorBook, documents: Mapping[str, Document]) -> None:
        """List these anchors."""
        self.model.set_book(book, documents)
        self.show_rows(bool(book.values))
        self.export_button.setEnabled(bool(book.values))
        self._expand()

    def _expand(self) -> None:
        """Open the kinds that are quickly looked through."""
        for row in range(self.model.rowCount()):
            kind = self.model.index(row, 0)
            if self.model.rowCount(kind) <= MOST_EXPANDED:
                self.view.expand(kind)

    def _filter(self) -> None:
        standings = [Standing(number) for number in self.standing_box.currentData()]
        self.model.set_filter(self.filter_box.text(), str(self.kind_box.currentData()), standings)
        self._expand()

    @Slot(str)
    def on_filter_box_text_changed(self, _text: str) -> None:
        """Show the values that contain the text."""
        self._filter()

    @Slot(int)
    def on_box_changed(self, _row: int) -> None:
        """Another kind or standing."""
        self._filter()

    @Slot(QModelIndex)
    def on_view_entered(self, index: QModelIndex) -> None:
        """Go to a place; a value goes to its first one, and shows the others."""
        spot = self.model.spot_at(index)
        if spot is not None:
            self.view.expand(index)
            self.place_chosen.emit(spot.document, spot.start, spot.end)

    @Slot(QModelIndex, QPoint)
    def on_view_rested(self, index: QModelIndex, place: QPoint) -> None:
        """The pointer rests on a row."""
        value = self.model.value_at(index)
        if value is not None:
            self.value_rested.emit(value, place)

    @Slot()
    def on_xlsx_triggered(self) -> None:
        """The menu's first entry."""
        self.export_wanted.emit("xlsx")

    @Slot()
    def on_csv_triggered(self) -> None:
        """The menu's second entry."""
        self.export_wanted.emit("csv")


