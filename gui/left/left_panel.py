"""The four tabs of the left panel."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QWidget

from gui.left.anchors_tab import AnchorsTab
from gui.left.clauses_tab import ClausesTab
from gui.left.findings_tab import FindingsTab
from gui.left.links_tab import LinksTab


class LeftPanel(QTabWidget):
    """Findings, Clauses, Anchors, Links."""

    def __init__(self) -> None:
        super().__init__()
        self.findings = FindingsTab()
        self.clauses = ClausesTab()
        self.anchors = AnchorsTab()
        self.links = LinksTab()
        self.addTab(self.findings, self.tr("Findings"))
        self.addTab(self.clauses, self.tr("Clauses"))
        self.addTab(self.anchors, self.tr("Anchors"))
        self.addTab(self.links, self.tr("Links"))
        self.setDocumentMode(True)
        self.tabBar().setExpanding(True)
        self.tabBar().setUsesScrollButtons(False)

    def show_tab(self, tab: QWidget) -> None:
        """Bring a tab forward and put the keyboard into it."""
        self.setCurrentWidget(tab)
        view = getattr(tab, "view", tab)
        (view if view.isVisible() else tab).setFocus()
