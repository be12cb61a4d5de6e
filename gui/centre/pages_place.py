"""The middle of the window: banner and how the document is read; below, first page, password line or the pages."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from gui.centre.beside_pane import BesidePane
from gui.centre.preferences_page import PreferencesPage
from gui.first_run.first_run_page import FirstRunPage
from gui.pages.page_view import PageView
from gui.status.banner import Banner
from gui.status.password_panel import PasswordPanel
from gui.status.reading_bar import ReadingBar


class PagesPlace(QWidget):
    """Shows one of three things, and messages above it."""

    def __init__(self) -> None:
        super().__init__()
        self.banner = Banner()
        self.reading = ReadingBar()
        self.revisions, self.layout_choice = self.reading.revisions, self.reading.layout_choice
        self.first_run = FirstRunPage()
        self.password = PasswordPanel()
        self.view = PageView()
        self.view.setMinimumWidth(240)
        self.beside = BesidePane()
        self.halves = QSplitter(Qt.Orientation.Horizontal)
        self.halves.setHandleWidth(1)
        self.halves.setChildrenCollapsible(False)
        self.halves.addWidget(self.view)
        self.halves.addWidget(self.beside)
        self._stack = QStackedWidget()
        self.preferences = PreferencesPage()
        self._before_preferences: QWidget = self.first_run
        for page in (self.first_run, self.password, self.halves, self.preferences):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.reading)
        column.addWidget(self._stack, 1)

    def show_preferences(self) -> None:
        """The preferences, in the place of what stands here."""
        if not self.shows_preferences:
            self._before_preferences = self._stack.currentWidget() or self.first_run
            self._stack.setCurrentWidget(self.preferences)

    def leave_preferences(self) -> None:
        """What stood here before."""
        if self.shows_preferences:
            self._stack.setCurrentWidget(self._before_preferences)
            self._before_preferences.setFocus()

    @property
    def shows_preferences(self) -> bool:
        """Whether the preferences are up."""
        return self._stack.currentWidget() is self.preferences

    def show_first_run(self) -> None:
        """No document is open."""
        self._stack.setCurrentWidget(self.first_run)

    def show_password(self) -> None:
        """A file waits for its password."""
        self._stack.setCurrentWidget(self.password)

    def show_pages(self) -> None:
        """A document is open."""
        self._stack.setCurrentWidget(self.halves)

    @property
    def active_view(self) -> PageView:
        """The view that has the keyboard: the one beside, or the pages."""
        return self.beside.view if self.beside.view.hasFocus() else self.view

    @property
    def shows_password(self) -> bool:
        """Whether the password line is up."""
        return self._stack.currentWidget() is self.password
