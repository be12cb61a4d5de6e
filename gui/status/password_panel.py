"""Asks for a file's password where its pages would be."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gui.theme import grid, scaled_font


class PasswordPanel(QWidget):
    """A line for the password.

    Signals:
        password_given(path, password): try it.
        given_up(path): Esc or Cancel.
    """

    password_given = Signal(str, str)
    given_up = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._path = ""
        self.title = QLabel()
        self.title.setFont(scaled_font(self.font(), 1.15, bold=True))
        self.title.setWordWrap(True)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("faint", "true")
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setAccessibleName(self.tr("Password"))
        self.open_button = QPushButton(self.tr("Open"))
        self.open_button.setProperty("role", "main")
        self.cancel_button = QPushButton(self.tr("Cancel"))
        card = QFrame()
        card.setObjectName("card")
        card.setFixedWidth(grid(110))
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.open_button)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(grid(6), grid(6), grid(6), grid(6))
        inner.setSpacing(grid(3))
        inner.addWidget(self.title)
        inner.addWidget(self.said)
        inner.addWidget(self.line)
        inner.addLayout(buttons)
        column = QVBoxLayout(self)
        column.addStretch(1)
        # Stretches, not an alignment: an aligned widget is not asked how high it is at its width.
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(card)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(2)
        self.line.returnPressed.connect(self.on_line_return_pressed)
        self.open_button.clicked.connect(self.on_line_return_pressed)
        self.cancel_button.clicked.connect(self.on_cancel_button_clicked)

    def ask(self, path: str, wrong: int) -> None:
        """Ask; ``wrong`` counts the passwords that did not open it."""
        self._path = path
        self.title.setText(self.tr("{name} is protected by a password").format(name=Path(path).name))
        self.said.setText(
            self.tr("That password does not open it. {n} of 3 tries used.").format(n=wrong)
            if wrong
            else self.tr("It is used to read the file on this machine and is not kept.")
        )
        self.line.clear()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def on_line_return_pressed(self) -> None:
        """Try it."""
        if self.line.text():
            self.password_given.emit(self._path, self.line.text())
            self.line.clear()

    @Slot()
    def on_cancel_button_clicked(self) -> None:
        """No password."""
        self.given_up.emit(self._path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives up."""
        if event.key() == Qt.Key.Key_Escape:
            self.on_cancel_button_clicked()
            return
        super().keyPressEvent(event)
