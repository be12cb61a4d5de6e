"""A question to the matter, and the passages that answer it."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.protocol.answers import Answer, AnswerPassage
from engine.protocol.findings import Passage
from gui.right.emphasis import Stretch, Weight
from gui.right.passage_card import PassageCard
from gui.right.written_card import WrittenCard
from gui.theme import grid, scaled_font

#: So many passages are shown of an answer.
MAX_PASSAGES = 5
MAX_CHOICES = 5
MAX_EARLIER = 12
MAX_NOTES = 12

#: A passage's clause heading and, with several documents, its file's name.
NameOf = Callable[[AnswerPassage], tuple[str, str]]


class AskPanel(QWidget):
    """The question line, the choices of a vague question, the quoted passages, the earlier questions.

    Signals:
        asked(question): Enter, a choice, or an earlier question.
        stopped(): the running question is no longer wanted.
        passage_entered(position): show passage ``position`` (from 0) on its page.
        link_wanted(first, second): join two passages, by position.
        copy_wanted(): the answer with its places, on the clipboard.
        note_toggled(kept): the answer stays with the matter, or no longer.
        note_entered(position): show a kept answer again, the newest is 0.
        left(): the keyboard goes back to the findings.
    """

    asked = Signal(str)
    stopped = Signal()
    passage_entered = Signal(int)
    link_wanted = Signal(int, int)
    copy_wanted = Signal()
    note_toggled = Signal(bool)
    note_entered = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.question = QLineEdit()
        self.question.setPlaceholderText(self.tr("Ask about these contracts"))
        self.question.setAccessibleName(self.tr("Question"))
        self.question.setClearButtonEnabled(True)
        self.stop = QPushButton(self.tr("Stop"))
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("faint", "true")
        self.choices = [QPushButton() for _ in range(MAX_CHOICES)]
        self.cards = [PassageCard(i) for i in range(MAX_PASSAGES)]
        self.conflicts = QLabel()
        self.conflicts.setWordWrap(True)
        self.why = QToolButton()
        self.why.setText(self.tr("How these were found"))
        self.why.setCheckable(True)
        self.reasons = QLabel()
        self.reasons.setWordWrap(True)
        self.reasons.setProperty("faint", "true")
        self.written = WrittenCard()
        self.link = QPushButton(self.tr("Link these"))
        self.pair = QComboBox()
        self.pair.setAccessibleName(self.tr("Passages that are linked"))
        self.copy = QPushButton(self.tr("Copy with places"))
        self.keep = QPushButton(self.tr("Save as note"))
        self.keep.setCheckable(True)
        self.notes_title = QLabel(self.tr("Saved answers"))
        self.notes = [QPushButton() for _ in range(MAX_NOTES)]
        self.earlier_title = QLabel(self.tr("Earlier questions"))
        self.earlier = [QPushButton() for _ in range(MAX_EARLIER)]
        self._answer: Answer | None = None
        self._wanted: dict[QPushButton, str] = {}
        self._lay_out()
        self._connect()
        self.clear()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(grid(1))
        line.addWidget(self.question, 1)
        line.addWidget(self.stop)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(grid(2))
        self.conflicts.setFont(scaled_font(self.font(), 1.0, bold=True))
        column.addWidget(self.said)
        for button in self.choices:
            column.addWidget(button)
        column.addWidget(self.written)
        column.addWidget(self.conflicts)
        for card in self.cards:
            column.addWidget(card)
        lines: tuple[tuple[QWidget, ...], ...] = ((self.keep, self.copy), (self.link, self.pair))
        for widgets in lines:
            buttons = QHBoxLayout()
            for widget in widgets:
                buttons.addWidget(widget)
            buttons.addStretch(1)
            column.addLayout(buttons)
        column.addWidget(self.why)
        column.addWidget(self.reasons)
        for title, listed in ((self.notes_title, self.notes), (self.earlier_title, self.earlier)):
            column.addWidget(title)
            title.setProperty("faint", "true")
            for button in listed:
                button.setFlat(True)
                button.setStyleSheet("text-align: left")
                column.addWidget(button)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        whole.setSpacing(grid(3))
        whole.addLayout(line)
        whole.addWidget(area, 1)

    def _connect(self) -> None:
        self.question.returnPressed.connect(self.on_question_return_pressed)
        self.stop.clicked.connect(self.stopped)
        self.link.clicked.connect(self.on_link_clicked)
        self.keep.clicked.connect(self.note_toggled)
        self.written.passage_entered.connect(self.passage_entered)
        self.copy.clicked.connect(self.copy_wanted)
        self.why.toggled.connect(self.reasons.setVisible)
        for card in self.cards:
            card.entered.connect(self.passage_entered)
        for button in (*self.choices, *self.earlier):
            button.clicked.connect(self.on_button_clicked)
        for button in self.notes:
            button.clicked.connect(self.on_note_clicked)

    # --- what it shows ----------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Nothing was asked yet."""
        self._show_answer_parts(None)
        self.stop.hide()
        self.said.setText(
            self.tr("Passages are quoted from the contracts, never made up. Nothing leaves this machine.")
        )
        self.show_earlier(())
        self.show_notes(())

    def show_waiting(self, question: str, words: str) -> None:
        """A question is being answered."""
        if self.question.text() != question:
            self.question.setText(question)
        self._show_answer_parts(None)
        self.said.setText(words)
        self.stop.show()

    def show_problem(self, words: str) -> None:
        """It was not answered."""
        self.stop.hide()
        self.said.setText(words)

    def show_answer(
        self, answer: Answer, name_of: NameOf, conflicts: Sequence[str], disagreeing: tuple[int, int] | None = None
    ) -> None:
        """Show an answer; ``conflicts`` are sentences about passages that disagree, ``disagreeing`` two of them."""
        self.stop.hide()
        self._show_answer_parts(answer)
        shown = answer.passages[:MAX_PASSAGES]
        for card, passage in zip(self.cards, shown, strict=False):
            heading, document = name_of(passage)
            card.show_passage(_as_passage(passage), heading, document, _quoted(passage))
        if not shown:
            self.said.setText(self.tr("No passage answers this. Other words may find it."))
        elif answer.choices:
            self.said.setText(self.tr("This question may be about several things. Choose one, or read on:"))
        else:
            self.said.setText("")
        self.said.setVisible(bool(self.said.text()))
        self.conflicts.setText("\n".join(conflicts))
        self.conflicts.setVisible(bool(conflicts))
        self.reasons.setText(self._reasons(answer))
        self._offer_pairs(len(shown), disagreeing)

    def _offer_pairs(self, count: int, chosen: tuple[int, int] | None) -> None:
        self.pair.clear()
        for first, second in itertools.combinations(range(count), 2):
            words = self.tr("{a} and {b}").format(a=first + 1, b=second + 1)
            self.pair.addItem(words, (first, second))
            if (first, second) == chosen:
                self.pair.setCurrentIndex(self.pair.count() - 1)
        self.pair.setVisible(self.pair.count() > 1)

    def show_kept(self, kept: bool) -> None:
        """Whether the answer that is shown is kept with the matter."""
        self.keep.setChecked(kept)
        self.keep.setText(self.tr("Saved as note") if kept else self.tr("Save as note"))
        self.keep.setToolTip(self.tr("Click to delete the note") if kept else "")

    def show_notes(self, questions: Sequence[str]) -> None:
        """List the kept answers by their questions, the newest first."""
        for button, words in zip(self.notes, [*reversed(questions), *[""] * MAX_NOTES], strict=False):
            button.setText(words.replace("&", "&&"))
            button.setVisible(bool(words))
        self.notes_title.setVisible(bool(questions))

    def show_earlier(self, questions: Sequence[str]) -> None:
        """List the earlier questions, the newest first."""
        for button, words in zip(self.earlier, [*reversed(questions), *[""] * MAX_EARLIER], strict=False):
            self._label(button, words, words)
        self.earlier_title.setVisible(bool(questions))

    def set_current(self, position: int) -> None:
        """Frame the passage that the pages show."""
        for i, card in enumerate(self.cards):
            card.set_current(i == position)

    def _show_answer_parts(self, answer: Answer | None) -> None:
        self._answer = answer
        passages = answer.passages if answer is not None else ()
        choices = answer.choices if answer is not None else ()
        for i, card in enumerate(self.cards):
            card.setVisible(i < len(passages))
        for i, button in enumerate(self.choices):
            choice = choices[i] if i < len(choices) else None
            self._label(button, choice.words if choice else "", choice.question if choice else "")
        self.said.show()
        self.conflicts.hide()
        self.written.setVisible(bool(passages))
        self.keep.setVisible(bool(passages))
        self.link.setVisible(len(passages) > 1)
        self.pair.setVisible(len(passages) > 2)
        self.copy.setVisible(bool(passages))
        self.why.setVisible(bool(passages))
        self.reasons.setVisible(bool(passages) and self.why.isChecked())

    def _label(self, button: QPushButton, words: str, question: str) -> None:
        button.setText(words.replace("&", "&&"))
        button.setVisible(bool(words))
        self._wanted[button] = question

    def _reasons(self, answer: Answer) -> str:
        lines = [
            self.tr(
                "Clear question {intent:.0%} · passage stands out {retrieval:.0%} · values fit {anchors:.0%}"
            ).format(**{name: answer.confidence.get(name, 0.0) for name in ("intent", "retrieval", "anchors")})
        ]
        for number, passage in enumerate(answer.passages, 1):
            signals = passage.signals
            words = self.tr(
                "{n}. {score:.2f}: meaning {vector:.2f}, states {state:.2f}, words {lexical:.2f}, values {anchors:.2f}"
            )
            lines.append(
                words.format(
                    n=number, score=passage.score, vector=signals.vector, state=signals.state, lexical=signals.lexical,
                    anchors=signals.anchors,
                )
            )  # fmt: skip
        return "<br>".join(html.escape(line) for line in lines)

    # --- what happens -----------------------------------------------------------------------------------------

    @Slot()
    def on_question_return_pressed(self) -> None:
        """Enter."""
        if self.question.text().strip():
            self.asked.emit(self.question.text().strip())

    @Slot()
    def on_button_clicked(self) -> None:
        """A choice, or an earlier question."""
        button = self.sender()
        if isinstance(button, QPushButton) and self._wanted.get(button):
            self.asked.emit(self._wanted[button])

    @Slot()
    def on_note_clicked(self) -> None:
        """A kept answer."""
        button = self.sender()
        if isinstance(button, QPushButton) and button in self.notes:
            self.note_entered.emit(self.notes.index(button))

    @Slot()
    def on_link_clicked(self) -> None:
        """Join the two that are chosen."""
        pair = self.pair.currentData()
        if pair is not None:
            self.link_wanted.emit(*pair)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def focus_question(self) -> None:
        """Put the keyboard into the question line, its words chosen so that the next ones replace them."""
        self.question.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.question.selectAll()

    def copy_text(self, text: str) -> None:
        """Put words on the clipboard."""
        QApplication.clipboard().setText(text)


def _as_passage(passage: AnswerPassage) -> Passage:
    return Passage(
        passage.document, passage.number, passage.clause, passage.page, passage.start, passage.end, passage.text
    )


def _quoted(passage: AnswerPassage) -> list[Stretch]:
    """The sentences that answer, when they are not all of the passage."""
    if passage.quotes == ((passage.start, passage.end),):
        return []
    return [Stretch(a - passage.start, b - passage.start, Weight.SAME) for a, b in passage.quotes]
