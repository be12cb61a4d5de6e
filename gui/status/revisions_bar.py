"""The line above a document with tracked changes: how they are shown, and the choice."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QToolButton, QWidget

from engine.document import Revisions, RevisionView
from gui.theme import grid


class RevisionsBar(QWidget):
    """Says how many changes there are; three buttons choose the state that is read.

    Signals:
        view_chosen(RevisionView): another state is wanted; the bar shows it once it has been read.
    """

    view_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.words = QLabel()
        self.words.setProperty("faint", "true")
        self.buttons: dict[RevisionView, QToolButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(grid(1))
        row.addWidget(self.words)
        row.addSpacing(grid(2))
        for view, words, tip in (
            (RevisionView.ACCEPTED, self.tr("As accepted"), self.tr("Read as if all changes were accepted")),
            (RevisionView.ORIGINAL, self.tr("Original"), self.tr("Read as it was before the changes")),
            (RevisionView.BOTH, self.tr("Both, marked"),
             self.tr("Read with what was inserted (underlined) and what was deleted (struck through)")),
        ):  # fmt: skip
            button = QToolButton()
            button.setText(words)
            button.setToolTip(tip)
            button.setAccessibleDescription(tip)
            button.setCheckable(True)
            button.setProperty("view", view.value)
            group.addButton(button)
            row.addWidget(button)
            self.buttons[view] = button
        row.addStretch(1)
        group.buttonClicked.connect(self.on_group_button_clicked)
        self._view = RevisionView.ACCEPTED
        self.hide()

    def show_revisions(self, revisions: Revisions) -> None:
        """Show the state that was read."""
        self._view = revisions.view
        self.words.setText(
            self.tr("Tracked changes: {insertions} inserted, {deletions} deleted. Shown:").format(
                insertions=revisions.insertions, deletions=revisions.deletions
            )
        )
        self.buttons[revisions.view].setChecked(True)
        self.setEnabled(True)
        self.show()

    @Slot(QToolButton)
    def on_group_button_clicked(self, button: QToolButton) -> None:
        """Another state is wanted."""
        view = RevisionView(button.property("view"))
        if view is not self._view:
            self.view_chosen.emit(view)
