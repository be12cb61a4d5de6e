"""Answers that a person keeps with the matter: the question, the quotes with their places, what was written."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from engine.protocol.answers import Answer
from engine.protocol.writing import Written
from gui.state.matter_book import MatterBook

#: The matter's setting that holds them, oldest first.
NOTES_SETTING = "ask.notes"
MOST_NOTES = 100


class AnswerNote(msgspec.Struct, frozen=True):
    """A kept answer. ``asked`` is the question as it was put, ``written`` a model's answer where there is one."""

    asked: str
    answer: Answer
    written: Written | None = None

    @property
    def id(self) -> str:
        """The same for the same question and the same passages."""
        places = [(p.document, p.start, p.end) for p in self.answer.passages]
        return hashlib.sha256(f"{self.asked}\n{places}".encode()).hexdigest()[:16]


class AnswerNotes:
    """The notes of the matter that is open; each change is kept at once."""

    def __init__(self, book: MatterBook) -> None:
        self._book = book
        self.notes: tuple[AnswerNote, ...] = ()

    def load(self) -> None:
        """Those of the matter; none where its setting is not readable."""
        try:
            self.notes = msgspec.json.decode(
                self._book.setting(NOTES_SETTING, "[]"), type=tuple[AnswerNote, ...]
            )
        except msgspec.MsgspecError:
            self.notes = ()

    def holds(self, note: AnswerNote) -> bool:
        """Whether this answer is kept."""
        return any(each.id == note.id for each in self.notes)

    def keep(self, note: AnswerNote) -> bool:
        """Keep it, in place of what was kept of the same answer; False where the matter takes nothing."""
        return self._write([*(each for each in self.notes if each.id != note.id), note][-MOST_NOTES:])

    def forget(self, note: AnswerNote) -> bool:
        """Keep it no longer."""
        return self._write([each for each in self.notes if each.id != note.id])

    def _write(self, notes: Sequence[AnswerNote]) -> bool:
        if self._book.read_only:
            return False
        self._book.remember(NOTES_SETTING, msgspec.json.encode(notes).decode())
        self.notes = tuple(notes)
        return True
