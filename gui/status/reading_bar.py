"""The lines above a document that can be read in more than one way: tracked changes, and who lays out its pages."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from gui.status.layout_choice import LayoutChoice
from gui.status.revisions_bar import RevisionsBar
from gui.theme import grid


class ReadingBar(QFrame):
    """Holds both choices; hidden while neither is there."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("reading_bar")
        self.revisions = RevisionsBar()
        self.layout_choice = LayoutChoice()
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(1), grid(3), grid(1))
        column.setSpacing(grid(1))
        column.addWidget(self.revisions)
        column.addWidget(self.layout_choice)
        self.hide()

    def settle(self) -> None:
        """One of the choices has come or gone."""
        self.setVisible(not (self.revisions.isHidden() and self.layout_choice.isHidden()))
