"""The selected text: a span of the canonical text, grown by characters, words or clauses."""

from __future__ import annotations

import enum

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from gui.pages.text_places import ClausePlaces, word_at


class Unit(enum.Enum):
    """What a selection grows by."""

    CHARACTER = 1
    WORD = 2
    CLAUSE = 3


class TextSelection(QObject):
    """One span, empty when nothing is selected. It follows the order of the canonical text."""

    #: (start, end); equal when nothing is selected
    changed = Signal(int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._clauses: ClausePlaces | None = None
        self._unit = Unit.CHARACTER
        self._origin = (0, 0)
        self.start = 0
        self.end = 0

    def set_document(self, document: Document | None, clauses: ClausePlaces | None) -> None:
        """Select in another document; nothing is selected."""
        self._document, self._clauses = document, clauses
        self.clear()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return self.start >= self.end

    @property
    def text(self) -> str:
        """The selected text, exactly as the document has it."""
        return self._document.quote(self.start, self.end) if self._document is not None else ""

    def contains(self, offset: int) -> bool:
        """Whether a character is selected."""
        return self.start <= offset < self.end

    def begin(self, offset: int, unit: Unit) -> None:
        """Start a selection at a caret (for characters) or a character (for words and clauses)."""
        self._unit = unit
        self._origin = self._around(offset)
        self._become(*self._origin)

    def extend(self, offset: int) -> None:
        """Select from where the selection began to here, in whole units."""
        if self.is_empty and self._unit is not Unit.CHARACTER:
            return
        start, end = self._around(offset)
        self._become(min(start, self._origin[0]), max(end, self._origin[1]))

    def select(self, start: int, end: int) -> None:
        """Select a span, cut to the text."""
        length = len(self._document.text) if self._document is not None else 0
        start, end = max(0, min(start, length)), max(0, min(end, length))
        self._unit, self._origin = Unit.CHARACTER, (start, start)
        self._become(start, max(start, end))

    def clear(self) -> None:
        """Select nothing."""
        self._unit, self._origin = Unit.CHARACTER, (self.start, self.start)
        self._become(self.start, self.start)

    def _around(self, offset: int) -> tuple[int, int]:
        document = self._document
        if document is None or self._unit is Unit.CHARACTER or not document.text:
            return offset, offset
        offset = min(offset, len(document.text) - 1)
        if self._unit is Unit.CLAUSE and self._clauses is not None:
            return self._clauses.passage(offset)
        return word_at(document.text, offset)

    def _become(self, start: int, end: int) -> None:
        if (start, end) == (self.start, self.end):
            return
        was_empty = self.is_empty
        self.start, self.end = start, end
        if not (was_empty and self.is_empty):
            self.changed.emit(start, end)
