"""Searching the document that is shown, or all of the matter: every hit marked, one of them the current."""

from __future__ import annotations

import bisect

import numpy as np
from PySide6.QtCore import QObject, Qt, Slot

from engine.document import Document
from gui.commands.names import Name
from gui.main_window import SEARCH_SWITCHES, MainWindow
from gui.pages.marks import Mark, Places
from gui.state.desk import Desk
from gui.state.text_search import BadExpression, SearchOptions, find_all
from gui.theme import Layer

#: A longer selection is a passage, not words to look for.
MOST_SELECTED = 100

Span = tuple[int, int]


class SearchFlow(QObject):
    """The search line, its hits, next and previous."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._words = ""
        self._options = SearchOptions()
        self._found: dict[str, tuple[Document, tuple[Span, ...]]] = {}
        self._hits: list[tuple[str, Span]] = []
        self._here = np.zeros((0, 2), np.int64)
        self._first_here = 0
        self._at = -1
        actions = window.actions_by_name
        actions[Name.FIND].triggered.connect(self.on_find_triggered)
        actions[Name.FIND_NEXT].triggered.connect(self.on_next_triggered)
        actions[Name.FIND_PREVIOUS].triggered.connect(self.on_previous_triggered)
        for name in SEARCH_SWITCHES:
            actions[name].toggled.connect(self.on_switch_toggled)
        line = window.top_bar.search
        window.top_bar.search_wanted.connect(self.search)
        line.textChanged.connect(self.on_search_text_changed)
        line.back_wanted.connect(self.on_previous_triggered)
        line.left.connect(self.on_search_left)

    @Slot(str)
    def search(self, words: str) -> None:
        """Find words; the same words again go to the next hit."""
        if words == self._words and self._hits:
            self._step(1)
            return
        self._words = words
        self._found = {}
        is_sound = self._seek()
        if self._hits:
            self._at = self._before_reading_place()
            self._step(1)
            return
        self._mark()
        if not is_sound or not words:
            return
        said = self.tr("“{words}” does not stand in this document.")
        if self._options.all_documents:
            said = self.tr("“{words}” does not stand in any document of this matter.")
        self._window.status.say(said.format(words=words))

    @Slot()
    def follow(self) -> None:
        """Another document is shown, or another text of it: mark its hits without going anywhere."""
        if not self._words:
            return
        current = self._hits[self._at] if self._at >= 0 else None
        if self._seek() and current in self._hits:
            self._at = self._hits.index(current)
        self._mark()

    @Slot()
    def forget(self) -> None:
        """The search is over."""
        self._words, self._found = "", {}
        self._take([])
        self._mark()

    def _seek(self) -> bool:
        """Find the words anew where a text is new; False when they are no expression."""
        entries = self._desk.documents if self._options.all_documents else [self._desk.current]
        texts = {each: self._desk.document(each) for each in entries}
        try:
            for name, document in texts.items():
                known = self._found.get(name)
                if document is not None and (known is None or known[0] is not document):
                    self._found[name] = (document, find_all(document.text, self._words, self._options))
        except BadExpression as error:
            self._found = {}
            self._take([])
            self._say_bad(error)
            return False
        self._take([(name, span) for name in texts for span in self._found.get(name, (None, ()))[1]])
        return True

    def _say_bad(self, error: BadExpression) -> None:
        if error.why:
            said = self.tr("“{words}” is no regular expression: {why}, at character {n}.")
            said = said.format(words=self._words, why=error.why, n=error.at + 1)
        else:
            said = self.tr("“{words}” would take too long to find. Make the expression more exact.")
            said = said.format(words=self._words)
        self._window.status.say(said)

    def _before_reading_place(self) -> int:
        """The hit before the page that is read: the next one is the first that is not behind the reader."""
        document = self._desk.document(self._desk.current)
        page = self._window.pages.view.current_page
        if document is None or not 0 <= page < len(document.pages):
            return -1
        here = [span for name, span in self._hits if name == self._desk.current]
        after = bisect.bisect_left(here, (document.pages[page].start, 0))
        if after == len(here):
            after = 0
        return self._first_here + after - 1

    # --- showing --------------------------------------------------------------------------------------------

    def _take(self, hits: list[tuple[str, Span]]) -> None:
        self._hits, self._at = hits, -1
        current = self._desk.current
        self._first_here = next((i for i, (name, _) in enumerate(hits) if name == current), 0)
        here = [span for name, span in hits if name == current]
        self._here = np.array(here, np.int64).reshape(-1, 2)
        self._window.top_bar.search_line.show_count(0, len(hits) if self._words else -1)

    def _step(self, step: int) -> None:
        if not self._hits:
            return
        self._at = (self._at + step) % len(self._hits)
        name, span = self._hits[self._at]
        at = self._at
        if name != self._desk.current:
            # Showing another document marks its hits; the place among all of them stays.
            self._desk.show(name)
            self._at = at
        self._mark()
        self._window.pages.view.reveal(*span)
        total = len(self._hits)
        self._window.status.say(self.tr("{n} of {total} places").format(n=at + 1, total=total))

    def _mark(self) -> None:
        view = self._window.pages.view
        at = self._at - self._first_here if self._at >= 0 else -1
        name, span = self._hits[self._at] if self._at >= 0 else ("", (0, 0))
        is_here = bool(name) and name == self._desk.current
        others = Places("find", self._here, at if is_here else -1)
        current = [Mark("find", Layer.FIND_CURRENT, *span)] if is_here else []
        view.set_layers({Layer.FIND: others, Layer.FIND_CURRENT: current})
        if self._at >= 0:
            self._window.top_bar.search_line.show_count(self._at + 1, len(self._hits))

    # --- slots ----------------------------------------------------------------------------------------------

    @Slot()
    def on_find_triggered(self) -> None:
        """Put the keyboard into the search line, with what is selected on the pages."""
        line = self._window.top_bar.search
        selected = " ".join(self._window.pages.view.selected_text().split())
        if selected and len(selected) <= MOST_SELECTED:
            line.setText(selected)
        line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        line.selectAll()

    @Slot()
    def on_next_triggered(self) -> None:
        """F3."""
        self._go(1)

    @Slot()
    def on_previous_triggered(self) -> None:
        """Shift+F3, Shift+Enter."""
        self._go(-1)

    def _go(self, step: int) -> None:
        words = self._window.top_bar.search.text()
        if words != self._words or not self._hits:
            self.search(words)
        else:
            self._step(step)

    @Slot(bool)
    def on_switch_toggled(self) -> None:
        """Another way of looking: the same words again."""
        case, whole, expression, everywhere = (self._window.actions_by_name[n].isChecked() for n in SEARCH_SWITCHES)
        self._options = SearchOptions(case, whole, expression, everywhere)
        words = self._words or self._window.top_bar.search.text()
        self._words, self._found = "", {}
        if words:
            self.search(words)

    @Slot()
    def on_search_left(self) -> None:
        """Esc: the keyboard goes back to the pages; the marks stay until the line is emptied."""
        self._window.pages.view.setFocus()

    @Slot(str)
    def on_search_text_changed(self, text: str) -> None:
        """An emptied line takes the hits away."""
        if not text:
            self.forget()
