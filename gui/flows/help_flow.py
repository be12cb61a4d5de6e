"""The help beside the contract."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from gui.commands.names import Name
from gui.help.help_panel import HelpPanel
from gui.main_window import MainWindow


class HelpFlow(QObject):
    """Opens the help at the right, and puts back what stood there."""

    def __init__(self, window: MainWindow, language: str) -> None:
        """``language`` is the window's, ``en`` or ``zh``."""
        super().__init__(window)
        self._window = window
        self._language = language
        self._panel: HelpPanel | None = None
        self._before: QWidget | None = None
        window.actions_by_name[Name.HELP].triggered.connect(self.toggle)

    @Slot()
    def toggle(self) -> None:
        """F1: the help; again: away with it."""
        right = self._window.right
        if self._panel is not None and right.currentWidget() is self._panel:
            self.leave()
            return
        if self._panel is None:
            self._panel = HelpPanel(self._language)
            self._panel.left.connect(self.leave)
            right.addWidget(self._panel)
        self._before = right.currentWidget()
        right.setCurrentWidget(self._panel)
        self._panel.text.setFocus()

    @Slot()
    def leave(self) -> None:
        """What stood here before."""
        if self._before is not None:
            self._window.right.setCurrentWidget(self._before)
            self._before = None
        self._window.pages.view.setFocus()
