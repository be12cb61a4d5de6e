"""The documents on the desk: opened, read, kept in their matter, reviewed. Knows no widgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.document import Document
from engine.protocol.findings import EngineLine, Finding
from engine.protocol.messages import DocumentOpened, Fault, FaultCode, ReadingOptions
from gui.processes.interface import Processes
from gui.state.file_pool import FilePool
from gui.state.file_watch import FileWatch
from gui.state.keeping import Keeping
from gui.state.matter_book import MatterBook
from gui.state.opening import READING_SETTING, DeskDocument, Opening, remembered_options, unpacked
from gui.state.recent import RecentMatters
from gui.state.review_run import ReviewRun
from gui.state.wording import fault_words

#: This many wrong passwords end the asking.
MOST_PASSWORDS = 3
#: A file that has cost this many readers is not tried again by itself.
MOST_DEATHS = 1


class Desk(QObject):
    """What the person works on.

    Signals:
        opening_started(name): the reader was asked for a file.
        document_opened(id): its pages can be shown.
        matter_opened(): what was decided about the documents is there.
        document_known(id): its text and clauses are known (from the matter, or freshly read).
        document_removed(id): it has left the desk.
        current_changed(id): another document is the one to show; "" for none.
        password_wanted(path, wrong): a password is needed; ``wrong`` counts those that did not open it.
        opening_ended(): nothing is being opened any more.
        faulted(sentence): something a person can act on; everything else stays as it was.
    """

    opening_started = Signal(str)
    document_opened = Signal(str)
    matter_opened = Signal()
    document_known = Signal(str)
    document_removed = Signal(str)
    current_changed = Signal(str)
    password_wanted = Signal(str, int)
    opening_ended = Signal()
    faulted = Signal(str)

    def __init__(self, processes: Processes, book: MatterBook, folder: Path, parent: QObject | None = None) -> None:
        """``folder`` keeps the matters and the list of recent ones."""
        super().__init__(parent)
        self.book = book
        self.review = ReviewRun(processes, self)
        self.recent = RecentMatters(folder / "recent.json")
        self.documents: dict[str, DeskDocument] = {}
        self.current = ""
        #: What reads scanned pages where nobody chose otherwise: the best there is when empty, "none" for nothing.
        self.recogniser = ""
        self._processes = processes
        self._pool = FilePool(self)
        self.files = FileWatch(self._pool, self)
        self.keeping = Keeping(book, self._pool, self.recent, folder / "matters", self)
        self._jobs: dict[int, Opening] = {}
        self._reading: dict[int, Opening] = {}
        self._waiting: deque[Opening] = deque()
        self._asked: dict[str, Opening] = {}
        self._to_keep: list[tuple[str, bool]] = []
        self._keep_timer = QTimer(self)
        self._keep_timer.setSingleShot(True)
        self._keep_timer.timeout.connect(self.keep_opened)
        processes.document_opened.connect(self.on_processes_document_opened)
        processes.document_read.connect(self.on_processes_document_read)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.job_cancelled.connect(self.on_processes_job_cancelled)
        self.review.finished.connect(self.on_review_finished)

    # --- what the person does ---------------------------------------------------------------------------

    def open_files(self, paths: Sequence[Path], add: bool = False) -> None:
        """Open files: the first one's matter, the others beside it; ``add`` keeps the present matter."""
        openings = [Opening(path, add or i > 0) for i, path in enumerate(paths)]
        if not openings:
            return
        self._waiting.clear()
        # The others wait for the first: they belong to its matter.
        self._waiting.extend(openings[1:])
        self._start(openings[0])

    def open_matter(self, path: Path) -> None:
        """Open a matter again: its documents from their saved form, their pages from the files."""
        # Before anything is left: a matter that cannot be opened leaves the desk as it is.
        if not self.book.can_open(path):
            return
        self.leave_matter()
        if not self.book.open(path):
            return
        for record in self.book.documents():
            if self.keeping.is_replaced(record.id):
                continue
            self.documents[record.id] = DeskDocument(record.id, record.name, Path(record.path), record.media)
            self._recall(record.id)
            self._start(Opening(Path(record.path), True, self._remembered(record.id), record.id))
        self.keeping.remember_recent()

    def give_password(self, path: str, password: str) -> None:
        """Try a password for the file that wanted one."""
        opening = self._asked.pop(path, None)
        if opening is not None:
            opening.password = password
            self._start(opening)

    def give_up_password(self, path: str) -> None:
        """The person has no password: the file is not opened."""
        self._asked.pop(path, None)
        self._next_waiting()

    def show(self, document_id: str) -> None:
        """Make a document of the desk the one to show."""
        if document_id in self.documents and document_id != self.current:
            self.current = document_id
            self.current_changed.emit(document_id)

    def read_again(self, document_id: str, **chosen: str) -> None:
        """Read a document in another way (:class:`ReadingOptions`' fields by name); what was decided about it stays."""
        entry = self.documents.get(document_id)
        if entry is None:
            return
        for job, opening in list(self._reading.items()):
            if opening.document == document_id:
                del self._reading[job]
                self._processes.cancel(job)
        options = msgspec.structs.replace(self._remembered(document_id) or ReadingOptions(), **chosen)
        self.book.remember(READING_SETTING + document_id, msgspec.json.encode(options).decode())
        self.review.cancel()
        self._start(Opening(entry.path, True, options, document_id))

    def read_anew(self, document_id: str, path: Path | None = None) -> None:
        """Open a document's file once more, from ``path`` when it has moved; another content takes its place."""
        entry = self.documents.get(document_id)
        if entry is not None:
            self.review.cancel()
            self._start(Opening(path or entry.path, True, self._remembered(document_id), document_id))

    def write_here(self) -> bool:
        """Try again to get a matter that can be written; what could not be kept goes into it."""
        return self.keeping.write_here(self.documents)

    def reading_name(self, job: int) -> str:
        """The file's name that a job reads, "" for another job."""
        opening = self._reading.get(job)
        return opening.path.name if opening is not None else ""

    def read_without_recognising(self, job: int) -> None:
        """Leave the scanned pages of a file that is being read unread; the rest is read."""
        opening = self._reading.pop(job, None)
        if opening is not None:
            self._processes.cancel(job)
            options = msgspec.structs.replace(opening.options or ReadingOptions(), recogniser="none")
            self._start(Opening(opening.path, True, options, opening.document, opening.password))

    def recognise(self, document_id: str) -> None:
        """Read a document again, its scanned pages too."""
        entry = self.documents.get(document_id)
        if entry is not None:
            self.review.cancel()
            options = msgspec.structs.replace(self._remembered(document_id) or ReadingOptions(), recogniser="")
            self._start(Opening(entry.path, True, options, document_id))

    def _remembered(self, document_id: str) -> ReadingOptions | None:
        """How a document of this matter is read; None when nobody has chosen."""
        return remembered_options(self.book.setting(READING_SETTING + document_id))

    def review_again(self) -> None:
        """Review what is on the desk."""
        known = [entry.document for entry in self.documents.values() if entry.document is not None]
        if known:
            self.review.want(known, self.book.review_options([document.id for document in known]))

    def document(self, document_id: str) -> Document | None:
        """A document's text and clauses, once known."""
        entry = self.documents.get(document_id)
        return entry.document if entry else None

    @property
    def waits_for_password(self) -> bool:
        """Whether a file waits for its password."""
        return bool(self._asked)

    @property
    def is_opening(self) -> bool:
        """Whether the reader is at work on a file."""
        return bool(self._jobs or self._reading or self._waiting)

    def close(self) -> None:
        """Cancel what runs and close the matter; nothing is lost, all of it was on the disk already."""
        self._keep_timer.stop()
        self.files.close()
        self.review.cancel()
        for job in (*self._jobs, *self._reading):
            self._processes.cancel(job)
        self._pool.close()
        self.book.close()

    # --- opening -------------------------------------------------------------------------------------------

    def _start(self, opening: Opening) -> None:
        self.opening_started.emit(opening.path.name)
        options = opening.options
        if options is None and self.recogniser:
            options = ReadingOptions(recogniser=self.recogniser)
        self._jobs[self._processes.open_document(opening.path, opening.password, options)] = opening

    def _next_waiting(self) -> None:
        if self._waiting:
            opening = self._waiting.popleft()
            # When the first file failed, the next one founds the matter.
            opening.add = opening.add and bool(self.documents)
            self._start(opening)
        elif not self._jobs:
            self.opening_ended.emit()

    def leave_matter(self) -> None:
        """Clear the desk; all of the matter is kept."""
        self.review.cancel()
        for job in self._reading:
            self._processes.cancel(job)
        self._reading.clear()
        for document_id in list(self.documents):
            self._remove(document_id)
        self.keeping.leave()
        self.book.close()
        self.current = ""
        self.current_changed.emit("")

    def _remove(self, document_id: str) -> None:
        del self.documents[document_id]
        self.files.leave(document_id)
        self._processes.close_document(document_id)
        self.document_removed.emit(document_id)

    def _replace(self, opening: Opening, opened: DocumentOpened) -> None:
        """A file has another content than the document that it was: the new one stands in the old one's place."""
        old, new = opening.expected, opened.document
        was_shown = self.current == old
        order = [new if each == old else each for each in self.documents if each != new]
        if old in self.documents:
            self._remove(old)
        self.keeping.replace(old, new)
        self.documents.setdefault(new, DeskDocument(new, opened.name, opening.path, opened.media))
        self.documents = {each: self.documents[each] for each in order if each in self.documents} | self.documents
        if was_shown:
            self.current = ""
        self.faulted.emit(
            self.tr("{name} has changed on the disk and was read anew; decisions and links stay with their words.")
            .format(name=opened.name)
        )  # fmt: skip

    def _recall(self, document_id: str) -> None:
        """Show a known document from its saved form while the reader reads the file."""
        packed = self.book.packed_document(document_id)
        if packed is None:
            return
        self._pool.run(lambda: unpacked(packed), lambda answer: self._take_recalled(document_id, answer))

    def _take_recalled(self, document_id: str, answer: object) -> None:
        entry = self.documents.get(document_id)
        if entry is not None and entry.document is None and isinstance(answer, Document):
            entry.document = answer
            self.document_known.emit(document_id)
            self._show_first(document_id)
            self._spare_recognising(document_id)

    def _spare_recognising(self, document_id: str) -> None:
        """Recognising takes seconds a page; what the matter holds of a scan is not made a second time."""
        entry = self.documents.get(document_id)
        if entry is None or entry.document is None or all(n.code != "recognised" for n in entry.document.notices):
            return
        for job, opening in list(self._reading.items()):
            if opening.document == document_id and opening.options is None:
                del self._reading[job]
                self._processes.cancel(job)
                entry.is_read = True
                if not self.is_opening:
                    self.opening_ended.emit()
                    self.review_again()

    def _show_first(self, document_id: str) -> None:
        if not self.current:
            self.show(document_id)

    @Slot(int, object)
    def on_processes_document_opened(self, job: int, opened: DocumentOpened) -> None:
        """A file is open: found or find its matter, and show its first page."""
        opening = self._jobs.pop(job, None)
        if opening is None:
            return
        document_id = opened.document
        if opening.expected and document_id != opening.expected:
            self._replace(opening, opened)
        founds = not opening.add and document_id not in self.documents
        if founds:
            self.leave_matter()
        entry = self.documents.setdefault(
            document_id, DeskDocument(document_id, opened.name, opening.path, opened.media)
        )
        entry.path, entry.pages = opening.path, opened.pages
        if opening.options is not None:
            # The text of another reading does not lie on these pages.
            entry.document = None
        opening.document = document_id
        self._reading[job] = opening
        self._to_keep.append((document_id, founds))
        self._keep_timer.start(0)
        self.files.watch(document_id, entry.path)
        self.document_opened.emit(document_id)
        if not opening.add:
            self.show(document_id)
        self._show_first(document_id)
        self._spare_recognising(document_id)
        self._next_waiting()

    @Slot()
    def keep_opened(self) -> None:
        """Open the matter of what was opened; after its first page, for making a file waits for the disk."""
        pending, self._to_keep = self._to_keep, []
        for document_id, founds in pending:
            entry = self.documents.get(document_id)
            if entry is None:
                continue
            if founds and self.keeping.found(document_id):
                self.matter_opened.emit()
            self.keeping.keep(entry)
            chosen = self._remembered(document_id)
            unasked = (o for o in self._reading.values() if o.document == document_id and o.options is None)
            if chosen is not None and chosen != ReadingOptions() and any(unasked):
                self.read_again(document_id)
            elif entry.document is None:
                self._recall(document_id)

    @Slot(int, object)
    def on_processes_document_read(self, job: int, document: Document) -> None:
        """The text has come: keep it, and review once all documents are there."""
        self.keep_opened()
        self._reading.pop(job, None)
        entry = self.documents.get(document.id)
        if entry is None:
            return
        entry.document, entry.is_read = document, True
        self.document_known.emit(document.id)
        self.keeping.carry_over(document)
        self.keeping.store(entry)
        if not self.is_opening:
            self.opening_ended.emit()
            self.review_again()

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """A file could not be opened or read: say so, keep everything else."""
        opening = self._jobs.pop(job, None) or self._reading.pop(job, None)
        if opening is None:
            return
        if fault.code is FaultCode.CHILD_DIED and opening.died < MOST_DEATHS:
            # The reader is being started again; the file may not have been to blame.
            opening.died += 1
            opening.add = opening.add or bool(opening.document)
            self._start(opening)
            return
        if fault.code in (FaultCode.NEEDS_PASSWORD, FaultCode.WRONG_PASSWORD):
            opening.wrong_passwords += fault.code is FaultCode.WRONG_PASSWORD
            if opening.wrong_passwords < MOST_PASSWORDS:
                self._asked[str(opening.path)] = opening
                self.password_wanted.emit(str(opening.path), opening.wrong_passwords)
                return
            self.faulted.emit(
                self.tr(
                    "None of the three passwords opens {name}. Ask its sender for the right one, then open it again."
                ).format(name=opening.path.name)
            )
        else:
            self.faulted.emit(fault_words(fault))
        self._next_waiting()

    @Slot(int)
    def on_processes_job_cancelled(self, job: int) -> None:
        """An opening was cancelled."""
        if self._jobs.pop(job, None) is not None:
            self._next_waiting()
        self._reading.pop(job, None)

    @Slot(object, object, object)
    def on_review_finished(self, documents: Sequence[str], findings: Sequence[Finding], engine: EngineLine) -> None:
        """Keep the findings; the inbox follows the matter."""
        self.keeping.take_review([each for each in documents if each in self.documents], findings, engine)
