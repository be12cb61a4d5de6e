"""The clause that keys act on, and the links made by keys: mark, go, link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Signal

from gui.pages.marks import first_height

if TYPE_CHECKING:
    from gui.pages.page_view import PageView


class CurrentClause(QObject):
    """Follows clicks and jumps; before any, it is the first clause that shows."""

    #: (sentence for the status line) what a key could not do, and what to do instead
    hint_changed = Signal(str)

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self.caret: int | None = None

    def set_caret(self, offset: int | None) -> None:
        """Make the clause around an offset the current one."""
        self.caret = offset
        self._view.viewport().update()

    def passage(self) -> tuple[int, int] | None:
        """The selection, else the current clause's own words; None without text."""
        view = self._view
        if view.clauses is None:
            return None
        if not view.selection.is_empty:
            return view.selection.start, view.selection.end
        offset = self._offset()
        return view.clauses.passage(offset) if offset is not None else None

    def step(self, step: int) -> None:
        """Make the clause after (before, if negative) the current one, and show it."""
        view, offset = self._view, self._offset()
        clause = view.clauses.next(offset, step) if view.clauses is not None and offset is not None else None
        if clause is not None and view.clauses is not None:
            view.selection.clear()
            view.reveal(*view.clauses.own_span(clause), record=False)
            self.set_caret(clause.start)

    def mark_source(self) -> None:
        """Mark the current passage as the source of a link."""
        passage = self.passage()
        if passage is not None:
            self._view.linker.mark(passage)
            self._view.selection.clear()
            self.hint_changed.emit(self.tr("Marked. Go to the other clause and press L to link them."))

    def link_here(self) -> None:
        """Link the marked source to the current passage."""
        passage, linker = self.passage(), self._view.linker
        if linker.marked is None:
            self.hint_changed.emit(self.tr("Press M on one clause, then L on another to link them."))
        elif passage is None or not linker.link_to(passage):
            self.hint_changed.emit(self.tr("A clause is not linked with itself: go to another one first."))

    def _offset(self) -> int | None:
        return self.caret if self.caret is not None else self._first_shown()

    def _first_shown(self) -> int | None:
        document, view = self._view.document, self._view
        if document is None or not view.layout_now.count:
            return None
        page, _, y_pt = view.page_place(QPointF(0, 0))
        for clause in document.clauses:
            place = first_height(document, clause.start, clause.end) if clause.page >= page else None
            if place is not None and (place[0] > page or place[1] >= y_pt):
                return clause.start
        return document.pages[page].start if page < len(document.pages) and document.text else None
