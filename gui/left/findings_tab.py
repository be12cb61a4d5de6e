"""The inbox: filter box, what to show and how to group it, the list, and its empty states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.left.certainty_bar import CertaintyBar
from gui.left.findings_delegate import FindingsDelegate
from gui.left.findings_model import FindingsModel, Grouping, Show
from gui.state.finding_row import FindingRow
from gui.state.sieve import Certainty, Sieve
from gui.theme import grid

#: Typing is filtered after this pause, so that a long list is arranged once a word, not once a key.
FILTER_DELAY_MS = 60


class _InboxView(QListView):
    """Tab shows the chosen finding's other passage; Shift+Tab and F6 leave."""

    tab_pressed = Signal()

    def dataChanged(  # noqa: N802 - Qt's name
        self, first: QModelIndex | QPersistentModelIndex, last: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """Draw the rows anew. A list view would lay out all 2,000 of them, although no height depends on the data."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def event(self, event: QEvent) -> bool:
        """Keep Tab for ourselves while a finding is chosen."""
        is_tab = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab
        if is_tab and self.currentIndex().isValid():
            self.tab_pressed.emit()
            return True
        return super().event(event)


class FindingsTab(QWidget):
    """A list of findings to go through.

    Signals:
        finding_chosen(id): the current row changed.
        finding_entered(id): Enter or a double click on a row.
        other_wanted(): Tab: show the chosen finding's other passage.
        sieve_changed(): weaker or only surer findings are shown.
    """

    finding_chosen = Signal(str)
    finding_entered = Signal(str)
    other_wanted = Signal()
    sieve_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.model = FindingsModel()
        self._chosen = ""
        self._is_restoring = False
        self._delegate = FindingsDelegate(self.model, self.font())
        self.filter_box = QLineEdit()
        self.filter_box.setPlaceholderText(self.tr("Filter findings"))
        self.filter_box.setClearButtonEnabled(True)
        self.filter_box.setAccessibleName(self.tr("Filter findings"))
        self.certainty = CertaintyBar()
        self.model.set_sieve(self.certainty.sieve)
        self.show_box = self._combo(
            self.tr("Show"),
            [
                (self.tr("All states"), Show.ALL),
                (self.tr("To do"), Show.TO_DO),
                (self.tr("Confirmed"), Show.CONFIRMED),
                (self.tr("Dismissed"), Show.DISMISSED),
                (self.tr("New, gone, changed"), Show.DIFFERENT),
            ],
        )
        self.group_box = self._combo(
            self.tr("Group by"),
            [
                (self.tr("By certainty"), Grouping.TIER),
                (self.tr("By severity"), Grouping.SEVERITY),
                (self.tr("By kind"), Grouping.KIND),
                (self.tr("By clause"), Grouping.CLAUSE),
                (self.tr("By document"), Grouping.DOCUMENT),
                (self.tr("By state"), Grouping.STATE),
                (self.tr("Ungrouped"), Grouping.NONE),
            ],
        )
        self.view = self._list_view()
        self.empty = QLabel()
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setProperty("faint", "true")
        self.empty.setContentsMargins(grid(4), grid(6), grid(4), grid(4))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        self.hidden = QPushButton()
        self.hidden.setProperty("quiet", "true")
        self._lay_out()
        self._empty_words = self.tr("Open a contract to see where it contradicts itself.")
        self._filter_timer = QTimer(self)
        self._filter_timer.setSingleShot(True)
        self._filter_timer.setInterval(FILTER_DELAY_MS)
        self._filter_timer.timeout.connect(self.on_filter_timer_timeout)
        self.filter_box.textChanged.connect(self._filter_timer.start)
        self.filter_box.returnPressed.connect(self.on_filter_box_return_pressed)
        self.hidden.clicked.connect(self.show_everything)
        self.certainty.sieve_changed.connect(self.on_certainty_sieve_changed)
        self.show_box.currentIndexChanged.connect(self.on_show_box_changed)
        self.group_box.currentIndexChanged.connect(self.on_group_box_changed)
        self.view.selectionModel().currentChanged.connect(self.on_view_current_changed)
        self.view.activated.connect(self.on_view_activated)
        self.view.tab_pressed.connect(self.other_wanted)
        self._show_list_or_words()

    def _combo(self, name: str, entries: Sequence[tuple[str, str]]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        for words, value in entries:
            box.addItem(words, value)
        return box

    def _list_view(self) -> _InboxView:
        view = _InboxView()
        view.setModel(self.model)
        view.setItemDelegate(self._delegate)
        view.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        # A finding dragged onto a clause, on the pages or in the tree, is linked with it.
        view.setDragDropMode(QListView.DragDropMode.DragOnly)
        view.setDefaultDropAction(Qt.DropAction.LinkAction)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setAccessibleName(self.tr("Findings"))
        return view

    def _lay_out(self) -> None:
        choices = QHBoxLayout()
        choices.setSpacing(grid(2))
        choices.addWidget(self.show_box, 1)
        choices.addWidget(self.group_box, 1)
        head = QVBoxLayout()
        head.setContentsMargins(grid(2), grid(2), grid(2), grid(2))
        head.setSpacing(grid(2))
        head.addWidget(self.filter_box)
        head.addWidget(self.certainty)
        head.addLayout(choices)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        column.addWidget(self.hidden)

    # --- what the window tells it -------------------------------------------------------------------

    def set_rows(self, rows: Sequence[FindingRow]) -> None:
        """Replace the findings; the chosen one stays chosen when it is still there."""
        self.model.set_rows(rows)
        self.certainty.show_counts(rows)
        self._restore()

    def update_rows(self, changed: dict[str, FindingRow]) -> None:
        """Redraw rows whose decision changed."""
        self.model.update_rows(changed)
        self.certainty.show_counts(self.model.rows())

    def set_empty_words(self, words: str) -> None:
        """What to say while there is nothing to list."""
        self._empty_words = words
        self._show_list_or_words()

    def current_id(self) -> str:
        """The chosen finding's id, "" without one."""
        row = self.model.row_at(self.view.currentIndex())
        return row.id if row else ""

    def selected_ids(self) -> list[str]:
        """The ids of all selected findings, from the top; the current one when nothing is selected."""
        # By ranges: an index for each of 2,000 selected rows takes its time.
        selection = self.view.selectionModel().selection()
        spans = (selection.at(i) for i in range(selection.size()))
        ranges = sorted((span.top(), span.bottom()) for span in spans)
        ids = [name for top, bottom in ranges for name in self.model.ids_between(top, bottom)]
        return ids or [name for name in (self.current_id(),) if name]

    def choose(self, finding_id: str) -> bool:
        """Choose a finding; False when the filter hides it."""
        index = self.model.index_of(finding_id)
        if not index.isValid():
            return False
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        return True

    def step(self, step: int) -> bool:
        """Choose the next (1) or the previous (-1) finding; False at the end of the list."""
        index = self.model.neighbour(self.view.currentIndex(), step)
        if not index.isValid():
            return False
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        return True

    def select_all(self) -> None:
        """Select every finding shown."""
        last = self.model.index(self.model.rowCount() - 1)
        selection = QItemSelection(self.model.index(0), last)
        self.view.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.Select)

    @Slot()
    def show_everything(self) -> None:
        """Show the weak ones too."""
        self.certainty.set_sieve(self.certainty.sieve.with_certainty(Certainty.EVERYTHING))

    def changeEvent(self, event: QEvent) -> None:
        """Another font: other heights."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._delegate.measure(self.font())
            self.view.scheduleDelayedItemsLayout()

    # --- slots ------------------------------------------------------------------------------------------

    @Slot()
    def on_filter_timer_timeout(self) -> None:
        """The typing has paused."""
        self._rearranged(lambda: self.model.set_filter(self.filter_box.text()))

    @Slot()
    def on_filter_box_return_pressed(self) -> None:
        """Enter: filter now, and on to the list."""
        self._filter_timer.stop()
        self.on_filter_timer_timeout()
        if self.model.shown_count():
            if not self.current_id():
                self.step(1)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def on_certainty_sieve_changed(self, sieve: Sieve) -> None:
        """Weaker findings are wanted, or only surer ones."""
        self._rearranged(lambda: self.model.set_sieve(sieve))
        self.certainty.show_counts(self.model.rows())
        self.sieve_changed.emit()

    @Slot()
    def on_show_box_changed(self) -> None:
        """Other states are to be shown."""
        self._rearranged(lambda: self.model.set_show(Show(self.show_box.currentData())))

    @Slot()
    def on_group_box_changed(self) -> None:
        """Another grouping is wanted."""
        self._rearranged(lambda: self.model.set_grouping(Grouping(self.group_box.currentData())))

    @Slot(QModelIndex, QModelIndex)
    def on_view_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Another row is the current one."""
        row = self.model.row_at(current)
        if row:
            self._chosen = row.id
            if not self._is_restoring:
                self.finding_chosen.emit(row.id)

    @Slot(QModelIndex)
    def on_view_activated(self, index: QModelIndex) -> None:
        """A row was entered."""
        row = self.model.row_at(index)
        if row:
            self.finding_entered.emit(row.id)

    def _rearranged(self, arrange: Callable[[], None]) -> None:
        arrange()
        self._restore()

    def _restore(self) -> None:
        # The one chosen last comes back also when a filter had hidden it meanwhile.
        # In silence: nobody has chosen anything, and an answer or a form may stand where the evidence would.
        if self._chosen:
            self._is_restoring = True
            self.choose(self._chosen)
            self._is_restoring = False
        self._show_list_or_words()

    def _show_list_or_words(self) -> None:
        has_rows = self.model.shown_count() > 0
        filtered = bool(self.filter_box.text()) or self.show_box.currentData() != Show.ALL
        nothing = self.tr("No finding matches. Clear the filter to see all of them.")
        hidden = self.model.hidden_count()
        words = self._empty_words
        if self.model.total_count() and hidden:
            words = self.tr("Nothing here is likely to be a contradiction. That is no proof that there is none.")
        elif self.model.total_count() and filtered:
            words = nothing
        self.empty.setText(words)
        several = self.tr("{n} weaker ones hidden — show").format(n=hidden)
        self.hidden.setText(self.tr("1 weaker one hidden — show") if hidden == 1 else several)
        self.hidden.setVisible(hidden > 0)
        self._stack.setCurrentWidget(self.view if has_rows else self.empty)
