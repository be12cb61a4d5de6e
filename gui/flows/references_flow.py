"""A reference under the pointer: the clause it names is shown in a pop-up, so that nobody has to leaf there."""

from __future__ import annotations

import html

from PySide6.QtCore import QObject

from engine.document import Document
from gui.main_window import MainWindow
from gui.state.desk import Desk
from gui.state.references import clause_words, reference_at
from gui.state.wording import page_words


class ReferencesFlow(QObject):
    """Tells the pages what to say of the character under the pointer."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._desk = desk
        window.pages.view.words_at = self.words_at

    def words_at(self, offset: int) -> str:
        """The clause that a reference at ``offset`` names, as rich text; "" where there is no reference."""
        return reference_words(self._desk.document(self._desk.current), offset)


def reference_words(document: Document | None, offset: int) -> str:
    """The clause that a reference at ``offset`` names, as rich text; "" where there is no reference."""
    found = reference_at(document, offset) if document is not None else None
    if document is None or found is None:
        return ""
    _, clause = found
    title, paragraphs = clause_words(document, clause)
    head = f"<b>{html.escape(title)}</b> &nbsp; {html.escape(page_words(clause.page))}"
    return "<qt>" + "".join(f"<p style='margin:2px 0'>{part}</p>" for part in (head, *map(html.escape, paragraphs)))
