"""Before the first passages go to a model: exactly which text goes where."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from engine.protocol.writing import WriteProposed
from gui.theme import grid, scaled_font


class SendDialog(QDialog):
    """Shows the very words; nothing was sent yet. The button that is chosen by Enter is the one that sends nothing."""

    def __init__(self, proposed: WriteProposed, parent: QWidget) -> None:
        super().__init__(parent)
        self.proposed = proposed
        self.setWindowTitle(self.tr("Send this text?"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        count = len(proposed.system) + len(proposed.user)
        where = (
            self.tr("{n} characters go to {url}, a model on this machine. They do not leave it.")
            if proposed.is_local
            else self.tr("{n} characters leave this machine and go to {url}.")
        )
        self.lead = QLabel(where.format(n=count, url=proposed.url))
        self.lead.setFont(scaled_font(self.font(), 1.1, bold=True))
        self.lead.setWordWrap(True)
        words = self.tr(
            "This is all of it: the rules for the model {model}, {passages} quoted passages, and the question. Nothing "
            "was sent yet."
        )
        self.what = QLabel(words.format(model=proposed.model, passages=proposed.passages))
        self.what.setWordWrap(True)
        self.text = QPlainTextEdit(f"{proposed.system}\n\n{proposed.user}")
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("The text that would be sent"))
        self.remember = QCheckBox(self.tr("Do not ask again for this address"))
        self.buttons = QDialogButtonBox()
        self.send = self.buttons.addButton(self.tr("Send"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.keep = self.buttons.addButton(self.tr("Send nothing"), QDialogButtonBox.ButtonRole.RejectRole)
        self.keep.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(5), grid(5), grid(5), grid(4))
        column.setSpacing(grid(3))
        for part in (self.lead, self.what, self.text, self.remember, self.buttons):
            column.addWidget(part)
        self.resize(grid(170), grid(140))
        self.keep.setFocus()
