"""Searching the document that is shown: all hits marked, one of them the current."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, Qt, Slot

from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.state.desk import Desk
from gui.theme import Layer

#: More hits than this are a sign of a search for "the"; they are counted, not all marked.
MOST_HITS = 2000


def hits(text: str, words: str) -> list[tuple[int, int]]:
    """The spans where ``words`` stand in ``text``, in any case; a space fits any run of white space."""
    parts = words.split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(re.escape(part) for part in parts), re.IGNORECASE)
    found = []
    for match in pattern.finditer(text):
        found.append(match.span())
        if len(found) >= MOST_HITS:
            break
    return found


class SearchFlow(QObject):
    """The search line, its hits, next and previous."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._words = ""
        self._hits: list[tuple[int, int]] = []
        self._at = -1
        actions = window.actions_by_name
        actions[Name.FIND].triggered.connect(self.on_find_triggered)
        actions[Name.FIND_NEXT].triggered.connect(self.on_next_triggered)
        actions[Name.FIND_PREVIOUS].triggered.connect(self.on_previous_triggered)
        window.top_bar.search_wanted.connect(self.search)
        window.top_bar.search.textChanged.connect(self.on_search_text_changed)

    @Slot(str)
    def search(self, words: str) -> None:
        """Find words; the same words again go to the next hit."""
        if words == self._words and self._hits:
            self._step(1)
            return
        document = self._desk.document(self._desk.current)
        self._words = words
        self._hits = hits(document.text, words) if document is not None else []
        self._at = -1
        if self._hits:
            self._step(1)
        elif words:
            self._mark()
            self._window.status.say(self.tr("“{words}” does not stand in this document.").format(words=words))

    @Slot()
    def forget(self) -> None:
        """Another document is shown: its hits are not these."""
        self._words, self._hits, self._at = "", [], -1
        self._mark()

    def _step(self, step: int) -> None:
        if not self._hits:
            return
        self._at = (self._at + step) % len(self._hits)
        self._mark()
        self._window.pages.view.reveal(*self._hits[self._at])
        said = self.tr("{n} of {total} places").format(n=self._at + 1, total=len(self._hits))
        self._window.status.say(said)

    def _mark(self) -> None:
        view = self._window.pages.view
        others = [span for i, span in enumerate(self._hits) if i != self._at]
        view.set_marks(Layer.FIND, [Mark("find", Layer.FIND, *span) for span in others])
        current = self._hits[self._at : self._at + 1] if self._at >= 0 else []
        view.set_marks(Layer.FIND_CURRENT, [Mark("find", Layer.FIND_CURRENT, *span) for span in current])

    @Slot()
    def on_find_triggered(self) -> None:
        """Put the keyboard into the search line."""
        self._window.top_bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._window.top_bar.search.selectAll()

    @Slot()
    def on_next_triggered(self) -> None:
        """F3."""
        self._step(1)

    @Slot()
    def on_previous_triggered(self) -> None:
        """Shift+F3."""
        self._step(-1)

    @Slot(str)
    def on_search_text_changed(self, text: str) -> None:
        """An emptied line takes the hits away."""
        if not text:
            self.forget()
