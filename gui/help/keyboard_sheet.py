"""All keys on one sheet, over the window, until any key is pressed."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QVBoxLayout, QWidget

from gui.commands.actions import Actions, menu_words
from gui.theme import grid, scaled_font


class KeyboardSheet(QFrame):
    """The commands that have keys, by menu, in columns; and the keys that belong to a place."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._window = window
        self._back_to: QWidget | None = None
        title = QLabel(self.tr("Keys"))
        title.setFont(scaled_font(self.font(), 1.3, bold=True))
        self.body = QLabel()
        self.body.setTextFormat(Qt.TextFormat.RichText)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(6), grid(5), grid(6), grid(5))
        column.setSpacing(grid(3))
        column.addWidget(title)
        column.addWidget(self.body)
        self.hide()

    def show_keys(self, actions: Actions) -> None:
        """Show the sheet; any key or click closes it."""
        self._back_to = QApplication.focusWidget()
        sections: dict[str, list[tuple[str, str]]] = {}
        for command, action in actions:
            keys = [k.toString(QKeySequence.SequenceFormat.NativeText) for k in action.shortcuts()]
            if keys:
                sections.setdefault(menu_words(command.menu), []).append(("  ".join(keys), action.text()))
        sections[self.tr("On the pages")] = [
            ("Space", self.tr("a screen further")),
            ("M  L", self.tr("mark a clause, link it here")),
            ("Esc", self.tr("give up a mark or a drag")),
        ]
        sections[self.tr("Reasons, kinds")] = [("1–9", self.tr("pick from the list"))]
        self.body.setText(self._table(sections))
        self.adjustSize()
        size = self.sizeHint().boundedTo(self._window.size())
        x, y = (self._window.width() - size.width()) // 2, (self._window.height() - size.height()) // 2
        self.setGeometry(x, y, size.width(), size.height())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def _table(self, sections: dict[str, list[tuple[str, str]]]) -> str:
        blocks = []
        for name, rows in sections.items():
            lines = "".join(
                f'<tr><td style="padding:1px 14px 1px 0"><b>{html.escape(keys)}</b></td>'
                f"<td>{html.escape(words)}</td></tr>"
                for keys, words in rows
            )
            heading = f'<p style="margin:8px 0 2px 0"><b>{html.escape(name)}</b></p>'
            blocks.append((len(rows) + 2, f"{heading}<table>{lines}</table>"))
        heights = [height for height, _ in blocks]
        split = min(range(len(blocks) + 1), key=lambda i: max(sum(heights[:i]), sum(heights[i:])))
        cell = '<td style="padding-right:40px" valign="top">'
        left, right = ("".join(block for _, block in part) for part in (blocks[:split], blocks[split:]))
        return f"<table><tr>{cell}{left}</td>{cell}{right}</td></tr></table>"

    def close_sheet(self) -> None:
        """Hide, and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._back_to is not None:
                self._back_to.setFocus()

    def keyPressEvent(self, _event: QKeyEvent) -> None:
        """Any key closes it."""
        self.close_sheet()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click closes it."""
        self.close_sheet()
