"""Pairs that people judged differently, side by side, and what the adjudicator rules."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.matter.records import Link
from gui.left.links_model import places_of
from gui.state.wording import direction_words, link_status_words, ruling_words, severity_words
from gui.theme import grid, scaled_font

if TYPE_CHECKING:
    from engine.matter.adjudication import Dispute, Remark

_QUOTE_CHARACTERS = 220


class RulingsPanel(QWidget):
    """Disagreements above, the judgements on the chosen one below.

    ``A`` accepts the chosen judgement, ``R`` rejects it, ``M`` merges all of the pair, Enter in the comment
    keeps it alone; Esc leaves.

    Signals:
        ruled(act, link ids, comment): ``accept``, ``reject``, ``merge`` or ``comment``.
        judgement_chosen(Link): show it on the pages.
        left(): Esc.
    """

    ruled = Signal(str, list, str)
    judgement_chosen = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = QLabel(self.tr("Disagreements"))
        self.title.setFont(scaled_font(self.font(), 1.08, bold=True))
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("faint", "true")
        self.pairs = QListWidget()
        self.pairs.setAccessibleName(self.tr("Disagreements"))
        self.judgements = QListWidget()
        self.judgements.setAccessibleName(self.tr("Judgements on this pair"))
        self.judgements.setWordWrap(True)
        self.judgements.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.quotes = QLabel()
        self.quotes.setWordWrap(True)
        self.quotes.setTextFormat(Qt.TextFormat.RichText)
        self.record = QLabel()
        self.record.setWordWrap(True)
        self.record.setProperty("faint", "true")
        self.comment = QLineEdit()
        self.comment.setPlaceholderText(self.tr("Comment, kept with the ruling"))
        self.comment.setAccessibleName(self.tr("Comment, kept with the ruling"))
        self.accept = QPushButton(self.tr("Accept") + "  A")
        self.accept.setProperty("role", "main")
        self.reject = QPushButton(self.tr("Reject") + "  R")
        self.merge = QPushButton(self.tr("Merge") + "  M")
        self.keep = QPushButton(self.tr("Comment only") + "  ⏎")
        self._disputes: Sequence[Dispute] = ()
        self._remarks: Sequence[Remark] = ()
        self._names: Mapping[str, str] = {}
        self._label_words: Callable[[str], str] = str
        self._lay_out()
        self.pairs.installEventFilter(self)
        self.judgements.installEventFilter(self)
        self.pairs.currentRowChanged.connect(self.on_pairs_current_row_changed)
        self.judgements.itemActivated.connect(self.on_judgements_item_activated)
        self.judgements.itemClicked.connect(self.on_judgements_item_activated)
        self.comment.returnPressed.connect(self.on_keep_clicked)
        self.accept.clicked.connect(self.on_accept_clicked)
        self.reject.clicked.connect(self.on_reject_clicked)
        self.merge.clicked.connect(self.on_merge_clicked)
        self.keep.clicked.connect(self.on_keep_clicked)

    def _lay_out(self) -> None:
        buttons = QGridLayout()
        buttons.setSpacing(grid(2))
        for i, button in enumerate((self.accept, self.reject, self.merge, self.keep)):
            buttons.addWidget(button, i // 2, i % 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(2))
        for part in (self.title, self.said):
            column.addWidget(part)
        column.addWidget(self.pairs, 1)
        column.addWidget(self.quotes)
        column.addWidget(self.judgements, 2)
        column.addWidget(self.record)
        column.addWidget(self.comment)
        column.addLayout(buttons)

    # --- what the window tells it -----------------------------------------------------------------------

    def show_disputes(
        self, disputes: Sequence[Dispute], remarks: Sequence[Remark], names: Mapping[str, str],
        label_words: Callable[[str], str], is_hidden: bool,
    ) -> None:  # fmt: skip
        """The pairs, unsettled ones first; the chosen one stays chosen."""
        row = self.pairs.currentRow()
        chosen = self._disputes[row].unit if 0 <= row < len(self._disputes) else ""
        self._disputes, self._remarks, self._names, self._label_words = disputes, remarks, names, label_words
        self.pairs.blockSignals(True)
        self.pairs.clear()
        for dispute in disputes:
            mark = "✓ " if dispute.is_settled else "• "
            self.pairs.addItem(QListWidgetItem(mark + (places_of(dispute.links[0].ends) if dispute.links else "")))
        self.pairs.blockSignals(False)
        waiting = sum(not dispute.is_settled for dispute in disputes)
        words = self.tr("{n} wait for a ruling, {all} in all").format(n=waiting, all=len(disputes))
        if is_hidden:
            words = self.tr("Hidden until your documents are done.")
        elif not disputes:
            words = self.tr("Nobody disagrees. Pairs that several people judged differently come here.")
        self.said.setText(words)
        at = next((i for i, dispute in enumerate(disputes) if dispute.unit == chosen), 0)
        self.pairs.setCurrentRow(at if disputes else -1)
        self.on_pairs_current_row_changed(self.pairs.currentRow())

    @property
    def chosen(self) -> Link | None:
        """The chosen judgement."""
        item = self.judgements.currentItem()
        link = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        return link if isinstance(link, Link) else None

    def _words(self, link: Link) -> str:
        parts = [self._label_words(link.code), link.aspect, severity_words(link.severity)]
        if link.direction != "none":
            parts.append(direction_words(link.direction))
        lines = [f"{self._names.get(link.annotator, link.annotator)}: " + " · ".join(part for part in parts if part)]
        lines += [link.note] if link.note else []
        return "\n".join([*lines, f"{link_status_words(link)}, {link.confidence:.0%}"])

    # --- slots ------------------------------------------------------------------------------------------

    @Slot(int)
    def on_pairs_current_row_changed(self, row: int) -> None:
        """Another pair: what each person said."""
        self.judgements.clear()
        self.quotes.clear()
        lines: list[str] = []
        if 0 <= row < len(self._disputes):
            dispute = self._disputes[row]
            for link in dispute.links:
                item = QListWidgetItem(self._words(link))
                item.setData(Qt.ItemDataRole.UserRole, link)
                item.setToolTip("\n\n".join(end.quote for end in link.ends))
                self.judgements.addItem(item)
            self.judgements.setCurrentRow(0)
            self.quotes.setText(_quotes(dispute.links[0]) if dispute.links else "")
            for who in dispute.silent:
                lines.append(self.tr("{name} finished and saw none here.").format(name=self._names.get(who, who)))
            lines += [
                f"{self._names.get(r.annotator, r.annotator)}, {r.at[:10]}: "
                f"{ruling_words(r.ruling)}  {r.comment}".rstrip()
                for r in self._remarks
                if r.unit == dispute.unit
            ]
        self.record.setText("<br>".join(html.escape(line) for line in lines))
        self.record.setVisible(bool(lines))
        for button in (self.accept, self.reject, self.keep):
            button.setEnabled(self.judgements.count() > 0)
        self.merge.setEnabled(self.judgements.count() > 1)

    @Slot(QListWidgetItem)
    def on_judgements_item_activated(self, item: QListWidgetItem) -> None:
        """Show it on the pages."""
        self.judgement_chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    @Slot()
    def on_accept_clicked(self) -> None:
        """The chosen judgement stands."""
        self._rule("accept")

    @Slot()
    def on_reject_clicked(self) -> None:
        """It does not."""
        self._rule("reject")

    @Slot()
    def on_merge_clicked(self) -> None:
        """One out of all, led by the chosen one."""
        self._rule("merge")

    @Slot()
    def on_keep_clicked(self) -> None:
        """The comment alone."""
        if self.comment.text().strip():
            self._rule("comment")

    def _rule(self, act: str) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        links = [self.judgements.item(i).data(Qt.ItemDataRole.UserRole) for i in range(self.judgements.count())]
        ids = [chosen.id, *(link.id for link in links if link.id != chosen.id)] if act == "merge" else [chosen.id]
        words = self.comment.text().strip()
        self.comment.clear()
        self.ruled.emit(act, ids, words)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """M in the lists, which would look for a row that begins with it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_M:
            self.on_merge_clicked()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves; A and R are commands of the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _quotes(link: Link) -> str:
    """The passages in dispute, each shortened, so that the ruling needs no look elsewhere."""
    out = []
    for end in link.ends:
        words = " ".join(end.quote.split())
        shown = words if len(words) <= _QUOTE_CHARACTERS else words[: _QUOTE_CHARACTERS - 1] + "…"
        number = f"<b>{html.escape(end.clause_number)}</b> " if end.clause_number else ""
        out.append(f'<p style="margin:0 0 6px 0">{number}{html.escape(shown)}</p>')
    return "".join(out)
