"""Everything about the chosen finding, and the keys that decide it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.matter.records import DecisionState
from engine.protocol.findings import Passage, Severity
from gui.left.findings_delegate import draw_severity
from gui.look import severity_colour, theme_of
from gui.right.choice_list import ChoiceList
from gui.right.decision_bar import DecisionBar
from gui.right.emphasis import emphasise
from gui.right.note_editor import NoteEditor
from gui.right.passage_card import PassageCard
from gui.right.path_view import PathView
from gui.state.finding_row import FindingRow
from gui.state.wording import DISMISSAL_REASONS, code_words, reason_words, severity_words, tier_words
from gui.theme import grid, scaled_font
from gui.wrapped_label import WrappedLabel

#: Wider than this the passages stand side by side.
SIDE_BY_SIDE_PX = 520
#: A finding rarely rests on more places; further ones are named in its summary.
MAX_CARDS = 6

#: What a passage's clause is called and, with several documents, its file: (heading, document's name).
Naming = Callable[[Passage], tuple[str, str]]


class _SeverityIcon(QWidget):
    """The severity's shape, as in the inbox."""

    def __init__(self) -> None:
        super().__init__()
        self.severity = Severity.LOW
        self.setFixedSize(QSize(grid(3), grid(3)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The shape alone."""
        painter = QPainter(self)
        colour = severity_colour(self.severity, theme_of(self.palette()))
        draw_severity(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), self.severity, colour)


class EvidencePanel(QWidget):
    """Both passages, the reasons, the decision, the note.

    Signals:
        passage_entered(position): show passage ``position`` (from 0) on its page.
        decided(state, reason): values of :class:`DecisionState` and of a reason, "" without one.
        undo_wanted(): take the last decision back.
        note_written(finding, text): to be saved.
        left(): the keyboard goes back to the findings.
    """

    passage_entered = Signal(int)
    decided = Signal(str, str)
    undo_wanted = Signal()
    note_written = Signal(str, str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._row: FindingRow | None = None
        self.icon = _SeverityIcon()
        self.kind = WrappedLabel()
        self.kind.setProperty("faint", "true")
        self.summary = WrappedLabel()
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cards = [PassageCard(i) for i in range(MAX_CARDS)]
        self.path = PathView()
        self.note = NoteEditor()
        self.decisions = DecisionBar()
        self._cards_box = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._stack = QStackedWidget()
        self.empty = QLabel(self.tr("Choose a finding to see both passages and the reasons."))
        self._lay_out()
        self.reasons = ChoiceList(self)
        for card in self.cards:
            card.entered.connect(self.passage_entered)
        self.decisions.decision_wanted.connect(self.on_decisions_decision_wanted)
        self.decisions.undo_wanted.connect(self.undo_wanted)
        self.reasons.picked.connect(self.on_reasons_picked)
        self.note.note_written.connect(self.note_written)
        self.note.left.connect(self.left)
        self.show_row(None, lambda _passage: ("", ""))

    def _lay_out(self) -> None:
        self.summary.setFont(scaled_font(self.font(), 1.08, bold=True))
        head = QHBoxLayout()
        head.setSpacing(grid(2))
        head.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.kind, 1)
        self._cards_box.setSpacing(grid(2))
        for card in self.cards:
            self._cards_box.addWidget(card, 1)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(3))
        column.addLayout(head)
        column.addWidget(self.summary)
        column.addLayout(self._cards_box)
        column.addWidget(self.path)
        column.addWidget(self.note)
        column.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(body)
        filled = QWidget()
        whole = QVBoxLayout(filled)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.scroll_area, 1)
        whole.addWidget(self.decisions)
        self._filled = filled
        self.empty.setWordWrap(True)
        self.empty.setProperty("faint", "true")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setContentsMargins(grid(4), grid(6), grid(4), grid(4))
        self._stack.addWidget(filled)
        self._stack.addWidget(self.empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    def show_row(self, row: FindingRow | None, naming: Naming, selected: int = 1) -> None:
        """Show a finding and its decision; None empties the panel."""
        fresh = row is None or self._row is None or row.finding != self._row.finding
        self._row = row
        self.note.show_note(row.id if row else "", row.note if row else "")
        self.decisions.show_row(row, selected)
        self._stack.setCurrentWidget(self._filled if row else self.empty)
        if row is None or not fresh:
            return
        self.reasons.close_list()
        finding = row.finding
        self.icon.severity = finding.severity
        self.icon.update()
        severity = severity_words(finding.severity)
        # Words that belong together stay on one line.
        tier = f"{tier_words(finding.tier)} {finding.score:.0%}".replace(" ", "\u00a0")
        self.kind.setText(f"{severity}  ·  {code_words(finding.code)}  ·\u00a0\u00a0{tier}")
        self.kind.setToolTip(finding.code)
        self.summary.setText(finding.summary)
        stretches = emphasise(finding)
        for i, card in enumerate(self.cards):
            has_passage = i < len(finding.passages)
            card.setVisible(has_passage)
            if has_passage:
                heading, document = naming(finding.passages[i])
                card.show_passage(finding.passages[i], heading, document, stretches[i])
        self.path.show_finding(finding)
        self.scroll_area.verticalScrollBar().setValue(0)
        self._turn_cards()

    def set_current_passage(self, position: int) -> None:
        """Frame the passage that the pages show; -1 for none."""
        for i, card in enumerate(self.cards):
            card.set_current(i == position)

    def ask_reason(self) -> None:
        """Ask why the finding is dismissed: 1 to 9."""
        if self._row is None:
            return
        choices = [(reason.code.value, reason_words(reason.code)) for reason in DISMISSAL_REASONS]
        self.reasons.ask(self.tr("Dismiss, because it is:  (1 to 9, Esc)"), choices, QApplication.focusWidget())
        self.reasons.place_over(self.decisions.y())

    def edit_note(self) -> None:
        """Put the keyboard into the note."""
        if self._row is not None:
            self.scroll_area.ensureWidgetVisible(self.note)
            self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def on_decisions_decision_wanted(self, state: str) -> None:
        """A button; dismissing asks for the reason first."""
        if state == DecisionState.DISMISSED:
            self.ask_reason()
        else:
            self.decided.emit(state, "")

    @Slot(str)
    def on_reasons_picked(self, reason: str) -> None:
        """The reason was given."""
        self.decided.emit(DecisionState.DISMISSED.value, reason)

    def _turn_cards(self) -> None:
        two = self._row is not None and len(self._row.finding.passages) == 2
        wide = self.width() >= SIDE_BY_SIDE_PX and two
        self._cards_box.setDirection(
            QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side when there is room, else one above the other."""
        super().resizeEvent(event)
        self._turn_cards()
        if self.reasons.isVisible():
            self.reasons.place_over(self.decisions.y())
