"""The right panel: the evidence, the link form while a link is made or looked at, or questions and answers."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from gui.right.ask_panel import AskPanel
from gui.right.evidence_panel import EvidencePanel
from gui.right.link_form import LinkForm


class RightPanel(QStackedWidget):
    """One of the three."""

    def __init__(self) -> None:
        super().__init__()
        self.evidence = EvidencePanel()
        self.link_form = LinkForm()
        self.addWidget(self.evidence)
        self.addWidget(self.link_form)
        self.ask = AskPanel()
        self.addWidget(self.ask)

    def show_evidence(self) -> None:
        """The chosen finding."""
        self.setCurrentWidget(self.evidence)

    def show_link_form(self) -> None:
        """The link being made."""
        self.setCurrentWidget(self.link_form)

    def show_ask(self) -> None:
        """A question to the matter."""
        self.setCurrentWidget(self.ask)
