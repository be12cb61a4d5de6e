"""All keys on one sheet, over the window, until any key is pressed."""

from __future__ import annotations

import html
import itertools
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QVBoxLayout, QWidget

from gui.commands.actions import Actions, menu_words
from gui.theme import grid, scaled_font

#: Between two ways to give a command; plain spaces would shrink to one.
_GAP = "\u2002"
_MOST_COLUMNS = 4


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
                sections.setdefault(menu_words(command.menu), []).append((_GAP.join(keys), action.text()))
        sections[self.tr("On the pages")] = [
            ("Space", self.tr("a screen further")),
            (f"M{_GAP}L", self.tr("mark a clause, link it here")),
            ("Esc", self.tr("give up a mark or a drag")),
        ]
        sections[self.tr("Reasons, kinds")] = [("1–9", self.tr("pick from the list"))]
        self._lay_out(sections)
        size = self.sizeHint().boundedTo(self._window.size())
        x, y = (self._window.width() - size.width()) // 2, (self._window.height() - size.height()) // 2
        self.setGeometry(x, y, size.width(), size.height())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def _lay_out(self, sections: dict[str, list[tuple[str, str]]]) -> None:
        """In as few columns as the window is high enough for."""
        for columns in range(2, _MOST_COLUMNS + 1):
            self.body.setText(self._table(sections, columns))
            self.adjustSize()
            if self.sizeHint().height() <= self._window.height():
                return

    def _table(self, sections: dict[str, list[tuple[str, str]]], columns: int) -> str:
        blocks = []
        for name, rows in sections.items():
            lines = "".join(
                f'<tr><td style="padding:1px 14px 1px 0; vertical-align:middle"><b>{html.escape(keys)}</b></td>'
                f'<td style="vertical-align:middle">{html.escape(words)}</td></tr>'
                for keys, words in rows
            )
            heading = f'<p style="margin:8px 0 2px 0"><b>{html.escape(name)}</b></p>'
            blocks.append((len(rows) + 2, f"{heading}<table>{lines}</table>"))
        cell = '<td style="padding-right:40px" valign="top">'
        parts = _in_columns([height for height, _ in blocks], columns)
        cells = "".join(f"{cell}{''.join(block for _, block in blocks[a:b])}</td>" for a, b in parts)
        return f"<table><tr>{cells}</tr></table>"

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


def _in_columns(heights: Sequence[int], columns: int) -> list[tuple[int, int]]:
    """Which blocks stand in which column, so that the highest one is as low as can be."""
    cuts = itertools.combinations(range(1, len(heights)), min(columns, len(heights)) - 1)
    ways = ([(a, b) for a, b in itertools.pairwise((0, *cut, len(heights)))] for cut in cuts)
    return min(ways, key=lambda way: max(sum(heights[a:b]) for a, b in way))
