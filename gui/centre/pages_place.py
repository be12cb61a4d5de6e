"""The middle of the window: banner and line of tracked changes; below, first page, password line or the pages."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gui.first_run.first_run_page import FirstRunPage
from gui.pages.page_view import PageView
from gui.status.banner import Banner
from gui.status.password_panel import PasswordPanel
from gui.status.revisions_bar import RevisionsBar


class PagesPlace(QWidget):
    """Shows one of three things, and messages above it."""

    def __init__(self) -> None:
        super().__init__()
        self.banner = Banner()
        self.revisions = RevisionsBar()
        self.first_run = FirstRunPage()
        self.password = PasswordPanel()
        self.view = PageView()
        self.view.setMinimumWidth(240)
        self._stack = QStackedWidget()
        for page in (self.first_run, self.password, self.view):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.revisions)
        column.addWidget(self._stack, 1)

    def show_first_run(self) -> None:
        """No document is open."""
        self._stack.setCurrentWidget(self.first_run)

    def show_password(self) -> None:
        """A file waits for its password."""
        self._stack.setCurrentWidget(self.password)

    def show_pages(self) -> None:
        """A document is open."""
        self._stack.setCurrentWidget(self.view)

    @property
    def shows_password(self) -> bool:
        """Whether the password line is up."""
        return self._stack.currentWidget() is self.password
