"""The tab of thumbnails."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.pages.thumbnails import Thumbnails


class PagesTab(QWidget):
    """Every page of the document that is shown, small, with its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.view = Thumbnails()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
