"""What is on the desk goes into its matter: documents, reviews, and what a newer file of a document takes over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.matter.records import ReviewChanges
from engine.protocol.findings import EngineLine, Finding
from gui.state.file_pool import FilePool
from gui.state.matter_book import MatterBook
from gui.state.opening import PLACE_SETTING, DeskDocument
from gui.state.recent import RecentMatter, RecentMatters

MATTER_SUFFIX = ".antinomy"
#: The matter's setting that names the document which a document's newer file became; the old one's id follows.
_REPLACED_SETTING = "replaced:"


class Keeping(QObject):
    """Writes into the open matter; where it cannot, what was found stays in the window until it can.

    Signals:
        replaced(new id, moved, lost): a document's file was read anew; how many links moved with their words, and how
            many have an end that is not in the new text.
    """

    replaced = Signal(str, int, int)

    def __init__(
        self, book: MatterBook, pool: FilePool, recent: RecentMatters, folder: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._book = book
        self._pool = pool
        self._recent = recent
        self._folder = folder
        self._unkept: tuple[Sequence[str], Sequence[Finding], EngineLine] | None = None
        self._saving = 0
        self._to_move: dict[str, str] = {}

    # --- the matter ---------------------------------------------------------------------------------------

    def found(self, document_id: str) -> bool:
        """Open the matter of a document, or make it; False when neither works."""
        return self._book.open(self._folder / (document_id.removeprefix("sha256:")[:24] + MATTER_SUFFIX))

    def leave(self) -> None:
        """The desk is cleared: what could not be kept of it is of no use to the next matter."""
        self._unkept = None
        self._saving = 0
        self._to_move.clear()

    def keep(self, entry: DeskDocument) -> None:
        """Name a document in the matter, and the matter among the recent ones."""
        if not self._book.read_only:
            self._book.add_document(entry.id, entry.name, str(entry.path.absolute()), entry.media)
        self.remember_recent()

    def store(self, entry: DeskDocument) -> None:
        """Keep a document's text, in another thread."""
        if entry.document is not None and not self._book.read_only:
            self._pool.run(self._book.storing(entry.document, str(entry.path.absolute())), self._book.take_stored)

    def remember_recent(self) -> None:
        """The open matter is the newest of the recent ones."""
        path = self._book.path
        first = next(iter(self._book.documents()), None)
        if path is not None and first is not None:
            self._recent.put_first(RecentMatter(str(path), first.name, first.path))

    def write_here(self, entries: Mapping[str, DeskDocument]) -> bool:
        """Try again to get a matter that can be written, and bring into it what could not be kept."""
        unkept = self._unkept
        is_open = self._book.is_open
        done = self._book.write_here() if is_open else bool(entries) and self.found(next(iter(entries)))
        if not done or self._book.read_only:
            return False
        for entry in entries.values():
            self.keep(entry)
            self.store(entry)
        if unkept is not None:
            self.take_review(*unkept)
        else:
            self._book.saved.emit()
        return True

    # --- reviews ------------------------------------------------------------------------------------------

    def take_review(self, documents: Sequence[str], findings: Sequence[Finding], engine: EngineLine) -> None:
        """Keep a review, in another thread; where that cannot be done it is listed all the same."""
        older = [old for old, new in self._replacements().items() if new in documents and old not in documents]
        # Before it is tried: whoever hears that it failed finds what there is to try again.
        self._unkept = (documents, findings, engine)
        if self._book.read_only:
            self._book.show_unkept(findings)
            return
        self._saving += 1
        ticket = self._saving
        self._pool.run(
            self._book.saving_review([*documents, *older], findings, engine),
            lambda answer: self._take_saved(ticket, answer),
            lambda: self._take_saved(ticket, ""),
        )

    def _take_saved(self, ticket: int, answer: object) -> None:
        if ticket != self._saving or self._unkept is None:
            return  # a newer review is on its way, or the desk has been cleared
        findings = self._unkept[1]
        self._saving = 0
        if isinstance(answer, ReviewChanges):
            self._unkept = None
            self._book.take_review(answer, findings)
        else:
            self._book.failed.emit(str(answer) or self.tr("The review could not be kept. Review again."))
            self._book.show_unkept(findings)

    @property
    def is_saving(self) -> bool:
        """Whether a review is on its way to the disk."""
        return self._saving != 0

    @property
    def has_unkept(self) -> bool:
        """Whether a review is listed that is in no file."""
        return self._unkept is not None

    # --- newer files ----------------------------------------------------------------------------------------

    def replace(self, old: str, new: str) -> None:
        """A document's file has become another document: it takes over the place, later the links and findings."""
        self._to_move[new] = old
        place = self._book.setting(PLACE_SETTING + old)
        if place:
            self._book.remember(PLACE_SETTING + new, place)

    def carry_over(self, document: Document) -> None:
        """Once a newer file's text is known and named in the matter: find the older one's links again in it."""
        old = self._to_move.pop(document.id, "")
        if not old or self._book.read_only:
            return
        self._book.remember(_REPLACED_SETTING + old, document.id)
        self._book.remember(_REPLACED_SETTING + document.id, "")
        moved = self._book.move_links(document, old)
        if moved is not None:
            self.replaced.emit(document.id, *moved)

    def is_replaced(self, document_id: str) -> bool:
        """Whether a document of the matter is only the older state of another one."""
        return bool(self._book.setting(_REPLACED_SETTING + document_id))

    def _replacements(self) -> dict[str, str]:
        """Older documents with the newest that stands in their place."""
        known: Iterable[str] = (record.id for record in self._book.documents())
        next_one = {each: self._book.setting(_REPLACED_SETTING + each) for each in known}
        out = {}
        for old in next_one:
            newest, seen = old, set[str]()
            while next_one.get(newest) and newest not in seen:
                seen.add(newest)
                newest = next_one[newest]
            if newest != old:
                out[old] = newest
        return out
