"""A calm line above the pages that says what happened and what to do; it never blocks anything."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton

from gui.theme import grid
from gui.wrapped_label import WrappedLabel


class Banner(QFrame):
    """One message at a time; the newest wins.

    Signals:
        closed(): the person has read it.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.words = WrappedLabel()
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.button.hide()
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setAccessibleName(self.tr("Close this message"))
        self.close_button.setToolTip(self.tr("Close this message"))
        row = QHBoxLayout(self)
        row.setContentsMargins(grid(3), grid(2), grid(2), grid(2))
        row.setSpacing(grid(3))
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        row.addWidget(self.close_button)
        self._act: Callable[[], object] | None = None
        self.button.clicked.connect(self.on_button_clicked)
        self.close_button.clicked.connect(self.on_close_button_clicked)
        self.hide()

    def say(self, sentence: str, *, calm: bool = False, act: tuple[str, Callable[[], object]] | None = None) -> None:
        """Show a sentence; ``calm`` for news that asks nothing; ``act`` is a button's words and what it does."""
        self.words.setText(sentence)
        self.setProperty("tone", "calm" if calm else "warning")
        self.style().unpolish(self)
        self.style().polish(self)
        self._act = act[1] if act else None
        self.button.setText(act[0] if act else "")
        self.button.setVisible(act is not None)
        self.setAccessibleName(sentence)
        self.show()

    @property
    def sentence(self) -> str:
        """What is said now, "" when hidden."""
        return self.words.text() if not self.isHidden() else ""

    def on_button_clicked(self) -> None:
        """Do what the button says, and go."""
        act = self._act
        self.on_close_button_clicked()
        if act is not None:
            act()

    def on_close_button_clicked(self) -> None:
        """Go."""
        self.hide()
        self.closed.emit()
