"""The help: two pages in the window's language, beside the contract, from a file that the program brings along."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from gui.theme import grid, scaled_font
from resources import resource_path


def help_text(language: str) -> str:
    """The help in a language (``en``, ``zh``), as Markdown."""
    return resource_path("help", f"help_{language}.md").read_text(encoding="utf-8")


class HelpPanel(QWidget):
    """The help's text; Esc or the button leaves.

    Signals:
        left(): back to what stood here.
    """

    left = Signal()

    def __init__(self, language: str) -> None:
        super().__init__()
        title = QLabel(self.tr("Help"))
        title.setFont(scaled_font(self.font(), 1.15, bold=True))
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setToolTip(self.tr("Close the help"))
        self.close_button.setAccessibleName(self.tr("Close the help"))
        self.text = QTextBrowser()
        self.text.setAccessibleName(self.tr("Help"))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(grid(3))
        self.text.setLocale(QLocale(language))
        self.text.setMarkdown(help_text(language))
        head = QHBoxLayout()
        head.setContentsMargins(grid(3), grid(2), grid(2), grid(1))
        head.addWidget(title, 1)
        head.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        self.setFocusProxy(self.text)
        self.close_button.clicked.connect(self.left)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
