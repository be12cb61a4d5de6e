"""Who makes a Word file's pages: Antinomy, or LibreOffice where it is installed."""

from __future__ import annotations

import sys

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from engine.document import LIBREOFFICE
from engine.protocol.programs import libreoffice
from gui.theme import grid


class LayoutChoice(QWidget):
    """Two buttons, and a sentence in place of LibreOffice's pages where there is none.

    Signals:
        layout_chosen(str): the other pages are wanted, ``libreoffice`` or "" for ours; shown once they are there.
    """

    layout_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        words = QLabel(self.tr("Pages laid out by:"))
        words.setProperty("faint", "true")
        self.hint = QLabel()
        self.hint.setProperty("faint", "true")
        # A narrow window cuts the sentence rather than becoming wider.
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.buttons: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(grid(1))
        row.addWidget(words)
        row.addSpacing(grid(2))
        for layout, name, tip in (
            ("", "Antinomy", self.tr("Pages as Antinomy sets them: at once, the same on every machine")),
            (LIBREOFFICE, "LibreOffice",
             self.tr("Pages as LibreOffice shows the file; text, numbers and findings stay the same")),
        ):  # fmt: skip
            button = QToolButton()
            button.setText(name)
            button.setToolTip(tip)
            button.setAccessibleDescription(tip)
            button.setCheckable(True)
            button.setProperty("layout", layout)
            group.addButton(button)
            row.addWidget(button)
            self.buttons[layout] = button
        row.addSpacing(grid(2))
        row.addWidget(self.hint, 1)
        group.buttonClicked.connect(self.on_group_button_clicked)
        self.hide()

    def show_layout(self, layout: str) -> None:
        """Show whose pages these are."""
        self._shown = layout
        self._settle()
        self.setEnabled(True)
        self.show()

    @Slot(QToolButton)
    def on_group_button_clicked(self, button: QToolButton) -> None:
        """The other pages are wanted, if they can be had."""
        layout = button.property("layout")
        if layout == self._shown:
            return
        if layout == LIBREOFFICE and libreoffice(sys.platform) is None:
            self._settle()
            self._say(self.tr("LibreOffice is not installed. Get it free from libreoffice.org, then choose it again."))
            return
        self.hint.clear()
        self.layout_chosen.emit(layout)

    def _settle(self) -> None:
        self._say("")
        self.buttons.get(self._shown, self.buttons[""]).setChecked(True)

    def _say(self, sentence: str) -> None:
        self.hint.setText(sentence)
        self.hint.setToolTip(sentence)
