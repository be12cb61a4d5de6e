"""The matter that is open: its file, its documents, what it remembers. Every change is on the disk when it is told.

SQLite lives in the window's thread on purpose: a commit takes a few milliseconds, and "saved" may be
said only after it.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from engine.document import Document, Notice, pack
from engine.matter.errors import DiskFull, MatterError, MatterMissing, ReadOnlyFolder
from engine.matter.records import Annotator, DocumentRecord, DocumentRole
from engine.protocol.messages import ReviewOptions
from gui.state.wording import matter_error_words, notice_words

if TYPE_CHECKING:
    from engine.matter import Matter

Answer = TypeVar("Answer")
ANCHOR_TABLE_SUFFIX = ".saht"
INDEX_SUFFIX = ".index"
STATES_SUFFIX = ".states"


class OpenMatter(QObject):
    """The open matter's file, without what stands in the inbox and among the links (:class:`MatterBook`).

    Signals:
        documents_changed(): the matter's list of documents is another one.
        saved(): something was committed.
        failed(sentence): something could not be kept; nothing changed.
        noticed(sentence): the matter said something on opening (read-only, brought up to date).
    """

    documents_changed = Signal()
    saved = Signal()
    failed = Signal(str)
    noticed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matter: Matter | None = None
        #: Who decides in a matter that is made now; None: whoever the account is of.
        self.person: Annotator | None = None

    # --- the file ---------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether there is a matter."""
        return self._matter is not None

    @property
    def read_only(self) -> bool:
        """Whether nothing can be kept: no matter, or one that another window is writing."""
        return self._matter is None or self._matter.read_only

    @property
    def path(self) -> Path | None:
        """The matter's file."""
        return self._matter.path if self._matter else None

    @property
    def anchor_table(self) -> Path | None:
        """Where the matter's anchor table is kept: beside its file. The engine writes it, and can build it again."""
        return self._matter.path.with_suffix(ANCHOR_TABLE_SUFFIX) if self._matter else None

    @property
    def index_folder(self) -> Path | None:
        """Where the engine keeps the matter's index of passages, beside its file; None where nothing can be kept."""
        return self._matter.path.with_suffix(INDEX_SUFFIX) if self._matter and not self._matter.read_only else None

    def review_options(self, reviewed: Sequence[str]) -> ReviewOptions:
        """A review of these documents brings the anchor table up to date, where this window may write."""
        if self.anchor_table is None or self.read_only:
            return ReviewOptions()
        kept = tuple(record.id for record in self.documents() if record.id not in reviewed)
        states = str(self.anchor_table.with_suffix(STATES_SUFFIX))
        return ReviewOptions(table=str(self.anchor_table), kept=kept, states=states)

    def open(self, path: Path) -> bool:
        """Open the matter at ``path``, or make it; the one before is closed. False when neither works."""
        try:
            matter = _opened(path, self.person)
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return False
        self.close()
        self._take(matter)
        return True

    def can_open(self, path: Path) -> bool:
        """Whether there is a matter at ``path`` that can be read; when not, :attr:`failed` says why."""
        from engine.matter import Matter

        try:
            Matter.open(path, read_only=True).close()
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return False
        return True

    def write_here(self) -> bool:
        """Take the right to write a matter that could only be read, when whoever had it is gone."""
        read = self._matter
        if read is None or not read.read_only:
            return read is not None
        try:
            matter = _opened(read.path, self.person)
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return False
        self._matter = None
        read.close()
        self._take(matter)
        return not matter.read_only

    def _take(self, matter: Matter) -> None:
        self._matter = matter
        if matter.notice:
            self.noticed.emit(self._readable(notice_words(Notice(matter.notice_code, matter.notice)), matter.path))
        self._take_other_content()
        self.documents_changed.emit()

    def close(self) -> None:
        """Close the file; harmless without one."""
        if self._matter is not None:
            matter, self._matter = self._matter, None
            matter.close()
            self._take_other_content()
            self.documents_changed.emit()

    def _take_other_content(self) -> None:
        """Another file is open, or none: what was read from the one before is of no use."""

    def _readable(self, words: str, path: Path) -> str:
        """A sentence in which a matter that was named by the program is not called by 24 digits."""
        is_ours = re.fullmatch(r"[0-9a-f]{24}", path.stem) is not None
        return words.replace(path.name, self.tr("This matter")) if is_ours else words

    # --- documents --------------------------------------------------------------------------------------

    def documents(self) -> tuple[DocumentRecord, ...]:
        """The matter's documents in order."""
        return self._matter.documents() if self._matter else ()

    def add_document(self, document_id: str, name: str, path: str, media: str) -> bool:
        """Add a document or bring it up to date; the text that is kept of it stays."""
        role = self._role_of(document_id)
        done = self._keep(lambda matter: matter.add_document(document_id, name, path, media, None, role), quiet=True)
        if done is not None:
            self.documents_changed.emit()
        return done is not None

    def set_role(self, document_id: str, role: DocumentRole) -> bool:
        """Give a document its role; undo takes it back."""
        from engine.matter.roles import set_role

        done = self._keep(lambda matter: set_role(matter, document_id, role))
        if done:
            self.documents_changed.emit()
        return done is not None

    def earlier_versions(self) -> frozenset[str]:
        """The documents that a person calls earlier versions; a guess leaves nothing out."""
        return frozenset(each.id for each in self.documents() if each.role == DocumentRole.EARLIER_VERSION)

    def storing(self, document: Document, path: str) -> Callable[[], str]:
        """What keeps a document with its text when it is called, in another thread; :meth:`take_stored` its answer."""
        role, matter = self._role_of(document.id), self.path

        def store() -> str:
            if matter is None:
                return ""
            parts = (document.id, document.name, path, document.media, pack(document), role, document.clauses)
            try:
                from engine.matter import store_document

                store_document(matter, *parts)
            except MatterError as error:
                return matter_error_words(error)
            return ""

        return store

    def take_stored(self, problem: object) -> None:
        """A document was kept, or ``problem`` says why not."""
        if problem:
            self.failed.emit(str(problem))
        else:
            self.documents_changed.emit()

    def _role_of(self, document_id: str) -> str:
        known = {record.id: record for record in self.documents()}
        return known[document_id].role if document_id in known else ("master" if not known else "other")

    def packed_document(self, document_id: str) -> bytes | None:
        """A known document's saved form, or None."""
        if self._matter is None or document_id not in {record.id for record in self.documents()}:
            return None
        return self._matter.packed_document(document_id)

    # --- settings -------------------------------------------------------------------------------------------

    def setting(self, name: str, default: str = "") -> str:
        """Something the matter remembers."""
        return self._matter.setting(name, default) if self._matter else default

    def remember(self, name: str, value: str) -> None:
        """Let the matter remember something; a matter that can only be read remembers nothing."""
        if self._matter is not None and not self._matter.read_only and self._matter.setting(name) != value:
            self._keep(lambda matter: matter.set_setting(name, value) or True, quiet=True)  # type: ignore[func-returns-value]  # it gives None

    # --- ground ---------------------------------------------------------------------------------------------

    def ask(self, question: Callable[[Matter], Answer], otherwise: Answer) -> Answer:
        """Read something in the file; ``otherwise`` without a matter, or when it cannot be read."""
        if self._matter is None:
            return otherwise
        try:
            return question(self._matter)
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return otherwise

    def _keep(self, act: Callable[[Matter], Answer], quiet: bool = False) -> Answer | None:
        """Do something to the file; None and :attr:`failed` when it cannot be done."""
        if self._matter is None:
            self.failed.emit(self.tr("There is no matter file to keep this in. Make room for one, then try again."))
            return None
        try:
            answer = act(self._matter)
        except MatterError as error:
            self.failed.emit(self._readable(matter_error_words(error), self._matter.path))
            return None
        if not quiet:
            self.saved.emit()
        return answer


def load_matter_library() -> None:
    """Import what a matter needs: a tenth of a second, which a thread takes once the window is on the screen."""
    from engine.matter import Matter, store_document, store_review

    del Matter, store_document, store_review


def _opened(path: Path, person: Annotator | None) -> Matter:
    from engine.matter import Matter

    try:
        return Matter.open(path)
    except MatterMissing:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise DiskFull("The disk is full; free some space, then try again.") from error
            folder = f"The folder {path.parent} cannot be written; give yourself the right to, then try again."
            raise ReadOnlyFolder(folder) from error
        return Matter.create(path, person)
