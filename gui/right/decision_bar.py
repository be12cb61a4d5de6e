"""The decision's buttons, each with its key, and the sentence that says what was decided."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from engine.matter.records import DecisionState
from gui.state.finding_row import FindingRow
from gui.state.wording import reason_words
from gui.theme import grid


class DecisionBar(QFrame):
    """Confirm, Dismiss, Flag, Undo.

    Signals:
        decision_wanted(state): a :class:`DecisionState`'s value.
        undo_wanted(): take the last decision back.
    """

    decision_wanted = Signal(str)
    undo_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("decision_bar")
        self.confirm = self._button(self.tr("Confirm"), "C", DecisionState.CONFIRMED)
        self.dismiss = self._button(self.tr("Dismiss"), "X", DecisionState.DISMISSED)
        self.flag = self._button(self.tr("Flag"), "F", DecisionState.FLAGGED)
        self.undo = QPushButton(self.tr("Undo") + "  U")
        self.undo.clicked.connect(self.undo_wanted)
        self.state = QLabel()
        self.state.setProperty("faint", "true")
        self.state.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(grid(1))
        for button in (self.confirm, self.dismiss, self.flag, self.undo):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("role", "decision")
            row.addWidget(button, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(2), grid(3), grid(3))
        column.setSpacing(grid(2))
        column.addWidget(self.state)
        column.addLayout(row)

    def _button(self, words: str, key: str, state: DecisionState) -> QPushButton:
        button = QPushButton(f"{words}  {key}")
        button.setProperty("state", state.value)
        button.setToolTip(f"{words} ({key})")
        button.clicked.connect(self.on_button_clicked)
        return button

    def on_button_clicked(self) -> None:
        """One of the three."""
        button = self.sender()
        if button is not None:
            self.decision_wanted.emit(str(button.property("state")))

    def show_row(self, row: FindingRow | None, selected: int) -> None:
        """Mark the button of the decision taken; say what was decided, or how many are selected."""
        for button in (self.confirm, self.dismiss, self.flag):
            chosen = row is not None and button.property("state") == row.verdict.value
            button.setProperty("chosen", "true" if chosen else "false")
            button.style().unpolish(button)
            button.style().polish(button)
            button.setEnabled(row is not None)
        self.state.setText(self._sentence(row, selected))

    def _sentence(self, row: FindingRow | None, selected: int) -> str:
        if selected > 1:
            return self.tr("{n} findings selected: a decision goes to all of them.").format(n=selected)
        if row is None:
            return ""
        if row.verdict is DecisionState.DISMISSED:
            return self.tr("Dismissed: {reason}.").format(reason=reason_words(row.reason) or "—")
        if row.verdict is DecisionState.CONFIRMED:
            return self.tr("Confirmed as a conflict.")
        if row.verdict is DecisionState.FLAGGED:
            return self.tr("Flagged to come back to.")
        return self.tr("Not decided yet.")
