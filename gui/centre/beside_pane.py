"""A second view of the pages: another place of the document, or another document of the matter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout

from gui.pages.page_view import PageView
from gui.theme import grid

#: Narrower than this no line of a contract can be read.
LEAST_WIDTH_PX = 240


class BesidePane(QFrame):
    """Which document, a button that closes, and the pages.

    Signals:
        document_chosen(id): show this one.
        closing_wanted(): take the second view away.
    """

    document_chosen = Signal(str)
    closing_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("beside")
        self.documents = QComboBox()
        self.documents.setAccessibleName(self.tr("Document shown beside"))
        self.documents.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setToolTip(self.tr("Close the view beside"))
        self.close_button.setAccessibleName(self.tr("Close the view beside"))
        self.view = PageView()
        self.setMinimumWidth(LEAST_WIDTH_PX)
        head = QHBoxLayout()
        head.setContentsMargins(grid(2), grid(1), grid(1), grid(1))
        head.setSpacing(grid(1))
        head.addWidget(self.documents, 1)
        head.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        self.documents.activated.connect(self.on_documents_activated)
        self.close_button.clicked.connect(self.closing_wanted)
        self.hide()

    def show_documents(self, documents: Sequence[tuple[str, str]], current: str) -> None:
        """List the matter's documents as (id, name); the one that is shown is chosen."""
        self.documents.clear()
        for document_id, name in documents:
            self.documents.addItem(name, document_id)
        self.documents.setCurrentIndex(self.documents.findData(current))

    @Slot(int)
    def on_documents_activated(self, _index: int) -> None:
        """The person chose."""
        self.document_chosen.emit(str(self.documents.currentData()))
