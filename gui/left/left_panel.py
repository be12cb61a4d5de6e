"""The tabs of the left panel."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QWidget

from gui.left.anchors_tab import AnchorsTab
from gui.left.clauses_tab import ClausesTab
from gui.left.findings_tab import FindingsTab
from gui.left.links_tab import LinksTab
from gui.left.notes_tab import NotesTab
from gui.left.pages_tab import PagesTab


class LeftPanel(QTabWidget):
    """Findings, Clauses, Anchors, Links, Pages, and Notes where the file brings any."""

    def __init__(self) -> None:
        super().__init__()
        self.findings = FindingsTab()
        self.clauses = ClausesTab()
        self.anchors = AnchorsTab()
        self.links = LinksTab()
        self.notes = NotesTab()
        self.addTab(self.findings, self.tr("Findings"))
        self.addTab(self.clauses, self.tr("Clauses"))
        self.addTab(self.anchors, self.tr("Anchors"))
        self.addTab(self.links, self.tr("Links"))
        self.addTab(self.notes, self.tr("Notes"))
        self.pages = PagesTab()
        self.addTab(self.pages, self.tr("Pages"))
        self.show_notes(False)
        self.setDocumentMode(True)
        self.tabBar().setExpanding(True)
        self.tabBar().setUsesScrollButtons(False)

    def show_notes(self, there_are: bool) -> None:
        """Show the tab of the file's own comments and annotations, or leave it out."""
        self.setTabVisible(self.indexOf(self.notes), there_are)

    def show_tab(self, tab: QWidget) -> None:
        """Bring a tab forward and put the keyboard into it."""
        self.setCurrentWidget(tab)
        view = getattr(tab, "view", tab)
        (view if view.isVisible() else tab).setFocus()
