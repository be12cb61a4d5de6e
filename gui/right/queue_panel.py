"""One suggestion to judge: its passages, its kind, and a key for each answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from engine.protocol.findings import Passage
from gui.right.passage_card import PassageCard
from gui.state.wording import DISMISSAL_REASONS, reason_words
from gui.theme import grid, scaled_font

MAX_CARDS = 6


class QueuePanel(QWidget):
    """The labelling queue, one suggestion at a time.

    ``A`` accepts, ``E`` opens the link form to correct it, ``R`` refuses, ``1`` to ``9`` refuse with a reason,
    ``S`` leaves it for later, Esc leaves. A dashed frame and the word "Suggestion" tell it from a judgement.

    Signals:
        accepted(), corrected(), skipped(), left()
        learn_wanted(): what was judged is to teach the engine.
        refused(reason): a ``not.`` code.
        end_entered(position): show passage ``position`` (from 0) on its page.
    """

    accepted = Signal()
    corrected = Signal()
    refused = Signal(str)
    skipped = Signal()
    left = Signal()
    learn_wanted = Signal()
    end_entered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title = QLabel()
        self.title.setProperty("faint", "true")
        self.kind = QLabel()
        self.kind.setWordWrap(True)
        self.kind.setFont(scaled_font(self.font(), 1.15, bold=True))
        self.why = QLabel()
        self.why.setWordWrap(True)
        self.cards = [PassageCard(i) for i in range(MAX_CARDS)]
        self.accept = QPushButton(self.tr("Accept") + "  A")
        self.accept.setProperty("role", "main")
        self.correct = QPushButton(self.tr("Correct") + "  E")
        self.refuse = QPushButton(self.tr("Refuse") + "  R")
        self.later = QPushButton(self.tr("Later") + "  S")
        self.reasons = QLabel()
        self.reasons.setWordWrap(True)
        self.reasons.setProperty("faint", "true")
        self.pace = QLabel()
        self.pace.setProperty("faint", "true")
        self.pace.setWordWrap(True)
        self.learn = QPushButton(self.tr("Learn from my labels…"))
        self.learn.clicked.connect(self.learn_wanted)
        self._lay_out()
        self.accept.clicked.connect(self.accepted)
        self.correct.clicked.connect(self.corrected)
        self.refuse.clicked.connect(self.on_refuse_clicked)
        self.later.clicked.connect(self.skipped)
        for card in self.cards:
            card.entered.connect(self.end_entered)
        for button in (self.accept, self.correct, self.refuse, self.later, self.learn):
            # The keys do it; a button that takes the focus would take the digits too.
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _lay_out(self) -> None:
        frame = QFrame()
        frame.setObjectName("suggestion")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        inside.setSpacing(grid(2))
        for part in (self.title, self.kind, self.why, *self.cards):
            inside.addWidget(part)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(body)
        buttons = QGridLayout()
        buttons.setSpacing(grid(2))
        for i, button in enumerate((self.accept, self.correct, self.refuse, self.later)):
            buttons.addWidget(button, i // 2, i % 2)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        whole.setSpacing(grid(3))
        whole.addWidget(area, 1)
        whole.addLayout(buttons)
        whole.addWidget(self.reasons)
        whole.addWidget(self.pace)
        whole.addWidget(self.learn)

    def show_suggestion(self, kind: str, passages: Sequence[tuple[Passage, str]], waiting: int) -> None:
        """Show one: its kind's name, each passage with its file's name ("" for the only one), how many wait."""
        self._show_answers(True)
        self.title.setText(self.tr("Suggestion · {n} waiting").format(n=waiting))
        self.kind.setText(self.tr("{kind}?").format(kind=kind))
        # Neither score nor summary: both would lead the annotator, and a control has none.
        self.why.setText(self.tr("Do these passages conflict like this?"))
        for card, (passage, document) in zip(self.cards, passages, strict=False):
            card.show_passage(passage, "", document, ())
        for i, card in enumerate(self.cards):
            card.setVisible(i < len(passages))
        named = [f"{i} {reason_words(reason.code)}" for i, reason in enumerate(DISMISSAL_REASONS, 1)]
        self.reasons.setText(self.tr("Refuse with a reason:") + " " + " · ".join(named))

    def show_nothing(self, words: str) -> None:
        """Nothing waits."""
        self._show_answers(False)
        self.title.setText(self.tr("Suggestions"))
        self.kind.setText("")
        self.why.setText(words)
        for card in self.cards:
            card.hide()

    def show_pace(self, pairs_per_hour: float, judged: int, controls: tuple[int, int]) -> None:
        """How fast it goes, and how many of the mixed-in random pairs were taken for conflicts."""
        parts = [self.tr("{n} judged").format(n=judged)]
        if pairs_per_hour:
            parts.append(self.tr("{n:.0f} pairs per hour").format(n=pairs_per_hour))
        if controls[1]:
            words = self.tr("of {all} random pairs mixed in, {n} accepted")
            parts.append(words.format(n=controls[0], all=controls[1]))
        self.pace.setText(" · ".join(parts))

    def set_current(self, position: int) -> None:
        """Frame the passage that the pages show."""
        for i, card in enumerate(self.cards):
            card.set_current(i == position)

    def _show_answers(self, there_is_one: bool) -> None:
        for part in (self.accept, self.correct, self.refuse, self.later, self.reasons):
            part.setVisible(there_is_one)

    @Slot()
    def on_refuse_clicked(self) -> None:
        """Refused without a closer reason."""
        self.refused.emit(DISMISSAL_REASONS[-1].code.value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A digit refuses with its reason, S leaves it for later, Esc leaves; the letters A, E, R are commands."""
        key = event.key()
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and self.accept.isVisible():
            self.refused.emit(DISMISSAL_REASONS[key - Qt.Key.Key_1].code.value)
        elif key == Qt.Key.Key_S and self.accept.isVisible():
            self.skipped.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

