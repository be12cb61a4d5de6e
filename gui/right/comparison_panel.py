"""Two versions side by side: what differs as a list, and the chosen clause with its changed words."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.protocol.comparison import ChangeKind, FindingState
from gui.right.comparison_list import ComparisonDelegate, ComparisonModel, change_colours
from gui.state.comparison_view import ComparisonRow, ComparisonView, Filter, filter_words, redline_html
from gui.state.comparison_words import FINDING_SIGNS, SIGNS, finding_state_words, value_kind_words
from gui.theme import grid, scaled_font


class ComparisonPanel(QWidget):
    """Shows a comparison, or that it is being made.

    Signals:
        row_shown(clause): look at this clause on both sides.
        swap_wanted(), save_wanted()
        left(): Esc, or the button: back to the findings.
    """

    row_shown = Signal(int)
    swap_wanted = Signal()
    save_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._view: ComparisonView | None = None
        self.names = QLabel()
        self.names.setTextFormat(Qt.TextFormat.PlainText)
        self.names.setWordWrap(True)
        self.names.setFont(scaled_font(self.font(), 1.08, bold=True))
        self.swap = self._button("⇄", self.tr("Exchange earlier and later version"))
        self.close_button = self._button("✕", self.tr("Close the comparison"))
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setProperty("faint", "true")
        self.filter_box = QComboBox()
        self.filter_box.setAccessibleName(self.tr("Which differences are listed"))
        self.save = QPushButton(self.tr("Save…"))
        self.save.setToolTip(self.tr("Save the list of differences as CSV or Excel"))
        self.model = ComparisonModel(self)
        self.list = QListView()
        self.list.setAccessibleName(self.tr("Differences between the versions"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(ComparisonDelegate(self.model, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = QTextBrowser()
        self.detail.setAccessibleName(self.tr("The chosen clause with its changed words"))
        self.detail.setFrameShape(QFrame.Shape.NoFrame)
        self.detail.document().setDocumentMargin(grid(3))
        self.setFocusProxy(self.list)
        self._lay_out()
        self.filter_box.activated.connect(self.on_filter_box_activated)
        self.list.selectionModel().currentChanged.connect(self.on_list_current_changed)
        self.list.activated.connect(self.on_list_entered)
        self.list.clicked.connect(self.on_list_entered)
        self.swap.clicked.connect(self.swap_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.close_button.clicked.connect(self.left)

    def _button(self, sign: str, words: str) -> QToolButton:
        button = QToolButton()
        button.setText(sign)
        button.setToolTip(words)
        button.setAccessibleName(words)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.names, 1)
        head.addWidget(self.swap, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        row = QHBoxLayout()
        row.addWidget(self.filter_box, 1)
        row.addWidget(self.save)
        top = QVBoxLayout()
        top.setContentsMargins(grid(3), grid(3), grid(3), grid(2))
        top.setSpacing(grid(2))
        top.addLayout(head)
        top.addWidget(self.summary)
        top.addLayout(row)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.setHandleWidth(1)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self.list)
        halves.addWidget(self.detail)
        halves.setSizes([grid(100), grid(60)])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(halves, 1)

    # --- what the window tells it ---------------------------------------------------------------------------

    def show_waiting(self, old: str, new: str, words: str = "") -> None:
        """These are being compared, or cannot be, for the reason in ``words``."""
        self._view = None
        self._name(old, new)
        self.summary.setText(words or self.tr("Comparing…"))
        self._fill_filter(Filter.DIFFERENT)
        self.model.set_view(None, Filter.DIFFERENT)
        self.detail.clear()
        self.save.setEnabled(False)

    def show_comparison(self, view: ComparisonView, old: str, new: str, waits_for_findings: bool) -> None:
        """Show what came of it; a comparison made anew keeps the filter and the chosen clause."""
        at = self.current_row()
        self._view = view
        self._name(old, new)
        counts = view.counts()
        kinds = (ChangeKind.CHANGED, ChangeKind.INSERTED, ChangeKind.DELETED, ChangeKind.MOVED, ChangeKind.RENUMBERED)
        found = {kind: sum(change.kind is kind for change in view.comparison.clauses) for kind in kinds}
        words = {
            ChangeKind.CHANGED: self.tr("{n} changed"),
            ChangeKind.INSERTED: self.tr("{n} inserted"),
            ChangeKind.DELETED: self.tr("{n} deleted"),
            ChangeKind.MOVED: self.tr("{n} moved"),
            ChangeKind.RENUMBERED: self.tr("{n} renumbered"),
        }
        parts = [f"{SIGNS[kind]} " + words[kind].format(n=n) for kind, n in found.items() if n]
        waiting = self.tr("The earlier version is being reviewed; its findings come when that is done.")
        if not waits_for_findings:
            for state in (FindingState.INTRODUCED, FindingState.RESOLVED):
                which = Filter(state.value)
                if counts[which]:
                    parts.append(f"{FINDING_SIGNS[state]} {filter_words(which)}: {counts[which]}")
        # A sign and its words stay on one line.
        self.summary.setText("   ".join(part.replace(" ", "\u00a0") for part in parts) or self.tr("Nothing differs."))
        if waits_for_findings:
            self.summary.setText(f"{self.summary.text()}\n{waiting}")
        self._fill_filter(Filter(self.filter_box.currentData() or Filter.DIFFERENT))
        self.save.setEnabled(True)
        self._list(at.clause if at is not None else -1)

    def _name(self, old: str, new: str) -> None:
        self.names.setText(f"{old}\n→ {new}")

    def _fill_filter(self, chosen: Filter) -> None:
        counts = self._view.counts() if self._view is not None else {}
        self.filter_box.clear()
        for which in Filter:
            words = filter_words(which)
            self.filter_box.addItem(f"{words} ({counts[which]})" if counts else words, which.value)
        self.filter_box.setCurrentIndex(self.filter_box.findData(chosen.value))

    def set_filter(self, which: Filter) -> None:
        """List other rows."""
        self.filter_box.setCurrentIndex(self.filter_box.findData(which.value))
        self._list()

    def _list(self, clause: int = -1) -> None:
        if self._view is None:
            return
        self.model.set_view(self._view, Filter(self.filter_box.currentData()))
        at = self.model.row_of(clause)
        if at >= 0:
            self.list.setCurrentIndex(self.model.index(at))
        else:
            self.detail.setHtml(self._hint() if self.model.rowCount() else "")

    def _hint(self) -> str:
        words = self.tr("F7 and Shift+F7 go from difference to difference; each shows both places side by side.")
        return f"<p>{html.escape(words)}</p>"

    def current_row(self) -> ComparisonRow | None:
        """The chosen row."""
        return self.model.row_at(self.list.currentIndex())

    def step(self, by: int) -> bool:
        """Choose the next (1) or previous (-1) row; False at the end."""
        index = self.list.currentIndex()
        row = index.row() + by if index.isValid() else (0 if by > 0 else self.model.rowCount() - 1)
        if not 0 <= row < self.model.rowCount():
            return False
        self.list.setCurrentIndex(self.model.index(row))
        return True

    # --- slots ----------------------------------------------------------------------------------------------

    @Slot()
    def on_filter_box_activated(self) -> None:
        """Other rows; the chosen clause stays when it is among them."""
        at = self.current_row()
        self._list(at.clause if at is not None else -1)

    @Slot(QModelIndex, QModelIndex)
    def on_list_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        """Another row: its words here, its places on the pages."""
        row = self.model.row_at(index)
        self._draw(row)
        if row is not None:
            self.row_shown.emit(row.clause)

    @Slot(QModelIndex)
    def on_list_entered(self, index: QModelIndex) -> None:
        """A click or Enter on the chosen row shows it once more."""
        row = self.model.row_at(index)
        if row is not None:
            self.row_shown.emit(row.clause)

    def _draw(self, row: ComparisonRow | None) -> None:
        if row is None or self._view is None:
            self.detail.clear()
            return
        look = change_colours(self.palette())
        title = html.escape(f"{row.sign} {row.title}")
        parts = [f"<p><b>{title}</b><br>{html.escape(row.what)} · {html.escape(row.pages)}</p>"]
        findings = [row.finding] if row.finding is not None else self._view.introduced.get(row.clause, [])
        for each in findings:
            finding = self._view.finding(each.finding)
            if finding is not None:
                state = f"{FINDING_SIGNS[each.state]} {finding_state_words(each.state)}"
                parts.append(f"<p><b>{html.escape(state)}</b>: {html.escape(finding.summary)}</p>")
        shown = dict.fromkeys(row.finding.clauses if row.finding is not None else (row.clause,))
        for i in shown:
            change = self._view.comparison.clauses[i]
            if len(shown) > 1:
                parts.append(f"<p><b>{html.escape(SIGNS[change.kind])} {html.escape(self._view.title(change))}</b></p>")
            for value in change.values:
                words = f"{value_kind_words(value.kind)}: {self._view.value(value)}"
                parts.append(f"<p><b>{html.escape(words)}</b></p>")
            parts.append(f'<p style="line-height:140%">{redline_html(self._view, change, look)}</p>')
        self.detail.setHtml("".join(parts))

    def changeEvent(self, event: QEvent) -> None:
        """Other colours: the words are drawn anew."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.current_row() is not None:
            self._draw(self.current_row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
