"""The window's view of its children: jobs go in, past facts come out, crashes are mended.

All of this runs in the window's thread and never blocks it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, Slot

from engine.protocol.child import Role, child_command
from engine.protocol.messages import (
    Cancel,
    Cancelled,
    CloseDocument,
    DocumentOpened,
    EngineStatus,
    Failed,
    Fault,
    FaultCode,
    HandOver,
    Message,
    OpenDocument,
    Progress,
    ReadingOptions,
    RenderPage,
)
from engine.protocol.shared_image import create_image
from engine.protocol.writing import StopWriting, WritingProgressed
from gui.processes.channel import CommandLine, EngineChannel, ReaderChannel
from gui.processes.endings import LateEndings
from gui.processes.engine_orders import EngineOrders
from gui.processes.heartbeat import Heartbeat, Keeper
from gui.processes.interface import Clip
from gui.processes.jobs import Job, JobBook, KnownDocument, image_bytes
from gui.processes.keeper import GRACE_MS, ChildKeeper
from gui.processes.replies import Reply, pass_on


class Supervisor(EngineOrders):
    """Reader and engine as child processes."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        command: CommandLine = child_command,
        make_reader: Callable[[], ReaderChannel] | None = None,
        make_engine: Callable[[], EngineChannel] | None = None,
    ) -> None:
        super().__init__(parent)
        self._book = JobBook()
        self._known: dict[str, KnownDocument] = {}
        self._open_in_reader: set[str] = set()
        self._reader = ChildKeeper(Role.READER, make_reader or (lambda: ReaderChannel(command)), self)
        self._engine = ChildKeeper(Role.ENGINE, make_engine or (lambda: EngineChannel(command)), self)
        self._endings = LateEndings(self)
        self._endings.failed.connect(self.job_failed)
        self._endings.cancelled.connect(self.job_cancelled)
        self._started = False
        self._closed = False
        self._reader.message_received.connect(self.on_reader_message_received)
        self._reader.died.connect(self.on_reader_died)
        self._reader.restarted.connect(self.on_reader_restarted)
        self._engine.message_received.connect(self.on_engine_message_received)
        self._engine.died.connect(self.on_engine_died)
        self._engine.restarted.connect(self.on_engine_restarted)
        keepers: dict[Role, Keeper] = {Role.READER: self._reader, Role.ENGINE: self._engine}
        self._heartbeat = Heartbeat(keepers, self._book, self._on_hung, self)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)

    # --- what the window asks -------------------------------------------------------------------

    def start(self) -> None:
        """Start both children; returns at once."""
        if self._started or self._closed:
            return
        self._started = True
        self._reader.start()
        self._engine.start()
        self._heartbeat.start()
        for job in self._book:
            self._send(job)

    def open_document(self, path: Path, password: str = "", options: ReadingOptions | None = None) -> int:
        """Read a file."""
        job = Job(
            self._book.number(), Role.READER, self._words.reading(path.name), path=path.absolute(), password=password,
            options=options or ReadingOptions(),
        )  # fmt: skip
        return self._begin(job)

    def close_document(self, document: str) -> None:
        """Forget an opened document."""
        self._known.pop(document, None)
        if document in self._open_in_reader:
            self._open_in_reader.discard(document)
            self._reader.post(CloseDocument(document))

    def render(self, document: str, page: int, scale: float, clip: Clip | None = None) -> int:
        """Draw a page of an opened document, or a part of it."""
        job = Job(
            self._book.number(), Role.READER, self._words.drawing(page), document=document, page=page, scale=scale,
            clip=clip or (),
        )  # fmt: skip
        return self._begin(job)

    def hand_over(self, order: HandOver) -> int:
        """Have a marked copy or a report written."""
        known = self._known.get(order.document)
        whole = msgspec.structs.replace(order, password=known.password if known else "")
        return self._order(Role.READER, self._words.handing_over(), lambda n: msgspec.structs.replace(whole, job=n))

    def stop_writing(self, job: int) -> None:
        """Let a model say no more."""
        self._engine.post(StopWriting(job))

    def _order(self, role: Role, words: str, make_message: Callable[[int], Message]) -> int:
        """Begin a job whose message is made of its number, in the channel's thread."""
        number = self._book.number()
        return self._begin(Job(number, role, words, lambda: make_message(number)))

    def cancel(self, job: int) -> None:
        """End a job: the window hears so at once, however long the child's present step takes."""
        ended = self._book.cancel(job)
        if ended is not None:
            self._keeper(ended.role).post(Cancel(job))
            self._endings.add(job, None)

    def restart(self, role: str) -> None:
        """Start a child again that was given up, or replace a running one."""
        self._keeper(Role(role)).replace(f"The {role} process was started again on request.")

    @Slot()
    def close(self) -> None:
        """End children and threads; no signal comes after it."""
        if self._closed:
            return
        self._closed = True
        self._heartbeat.stop()
        self._endings.stop()
        self._book.clear()
        deadline_s = time.monotonic() + GRACE_MS / 1000
        for keeper in (self._reader, self._engine):
            keeper.ask_to_end()
        for keeper in (self._reader, self._engine):
            keeper.finish(deadline_s)

    # --- jobs -----------------------------------------------------------------------------------

    def _keeper(self, role: Role) -> Keeper:
        return self._reader if role is Role.READER else self._engine

    def _begin(self, job: Job) -> int:
        self._book.add(job)
        self._send(job)
        return job.id

    def _send(self, job: Job) -> None:
        if self._closed:
            self._book.take(job.id)
        elif not self._started:
            return  # start() sends what waits
        elif self._keeper(job.role).given_up:
            self._fail_later(job.id, FaultCode.CHILD_DIED, self._words.given_up(job.role))
        elif job.drawing:
            self._send_drawing(job)
        elif job.path is not None:
            self._reader.post(OpenDocument(job.id, str(job.path), job.password, job.options))
        elif job.make_message is not None:
            self._keeper(job.role).post(job.make_message)

    def _send_drawing(self, job: Job) -> None:
        known = self._known.get(job.document)
        if known is None or not 0 <= job.page < len(known.opened.pages):
            self._fail_later(job.id, FaultCode.NOT_OPEN, self._words.no_such_page())
            return
        if job.document not in self._open_in_reader:
            self._open_again(job.document, known)
            return
        capacity = image_bytes(known.opened.pages[job.page], job.clip, job.scale)
        channel = self._reader.channel
        if capacity == 0 or channel is None:
            self._fail_later(job.id, FaultCode.TOO_LARGE, self._words.too_large())
            return
        try:
            image = create_image(capacity)
        except OSError as error:
            self._fail_later(job.id, FaultCode.OUT_OF_MEMORY, self._words.no_memory(error))
            return
        request = RenderPage(job.id, job.document, job.page, job.scale, image.name, capacity, job.clip)
        channel.post_render(request, image)

    def _open_again(self, document: str, known: KnownDocument) -> None:
        """Open a document in a restarted reader; its drawings wait for :meth:`_on_opened`."""
        if any(job.hidden and job.document == document for job in self._book):
            return
        what = self._words.opening_again(known.opened.name)
        self._begin(
            Job(self._book.number(), Role.READER, what, path=known.path, password=known.password, document=document,
                options=known.options, hidden=True)
        )  # fmt: skip

    def _fail_later(self, job: int, code: FaultCode, sentence: str) -> None:
        if self._book.take(job) is not None:
            self._endings.add(job, Fault(code, sentence))

    # --- what the children say ------------------------------------------------------------------

    @Slot(object)
    def on_reader_message_received(self, message: object) -> None:
        """The reader has sent something."""
        if isinstance(message, DocumentOpened):
            self._on_opened(message)
        else:
            self._on_common(message)

    @Slot(object)
    def on_engine_message_received(self, message: object) -> None:
        """The engine has sent something."""
        if isinstance(message, EngineStatus):
            self.engine_status_changed.emit(message)
        else:
            self._on_common(message)

    def _on_common(self, message: object) -> None:
        match message:
            case WritingProgressed():
                if self._book.get(message.job) is not None:
                    self.writing_progressed.emit(message.job, message.words)
            case Progress():
                job = self._book.get(message.job)
                if job is not None and not job.hidden:
                    self.job_progressed.emit(message.job, message.stage, message.done, message.total)
            case Failed():
                job = self._book.get(message.job)
                if job is not None and job.hidden:
                    self._fail_drawings(job.document, message.fault)
                if self._ended(message.job) is not None:
                    self.job_failed.emit(message.job, message.fault)
            case Cancelled():
                # Normally the window was told when it asked; a child that cancels by itself is told now.
                if self._ended(message.job) is not None:
                    self.job_cancelled.emit(message.job)
            case _ if isinstance(message, Reply):
                job = self._ended(message.job)
                if job is not None:
                    pass_on(self, job, message)

    def _ended(self, number: int) -> Job | None:
        """The job that a child's answer ends, or None for one that nobody waits for."""
        self._book.confirm(number)
        job = self._book.take(number)
        return None if job is None or job.hidden else job

    def _on_opened(self, message: DocumentOpened) -> None:
        job = self._book.get(message.job)
        document = message.document
        if job is None or job.path is None:
            if document not in self._known:
                self._reader.post(CloseDocument(document))
            return
        if job.hidden:
            self._on_opened_again(job, document)
            return
        self._open_in_reader.add(document)
        self._known[document] = KnownDocument(job.path, job.password, message, job.options)
        if not job.opened:
            job.opened = True
            job.document = document
            self.document_opened.emit(job.id, message)

    def _on_opened_again(self, job: Job, document: str) -> None:
        self._book.cancel(job.id)
        self._reader.post(Cancel(job.id))
        if document == job.document and document in self._known:
            self._open_in_reader.add(document)
            for drawing in self._book.drawings_of(document):
                self._send(drawing)
            return
        if document not in self._open_in_reader:
            self._reader.post(CloseDocument(document))
        sentence = self._words.changed_on_disk(job.path.name if job.path else "")
        self._fail_drawings(job.document, Fault(FaultCode.NOT_OPEN, sentence))

    def _fail_drawings(self, document: str, fault: Fault) -> None:
        for drawing in self._book.drawings_of(document):
            self._book.take(drawing.id)
            self._endings.add(drawing.id, fault)

    # --- crashes --------------------------------------------------------------------------------

    @Slot(str, bool)
    def on_reader_died(self, sentence: str, by_us: bool) -> None:
        """The reader has ended."""
        self._open_in_reader.clear()
        for job in self._book.of(Role.READER):
            if job.hidden:
                self._book.take(job.id)
        self._on_died(Role.READER, sentence, by_us)

    @Slot(str, bool)
    def on_engine_died(self, sentence: str, by_us: bool) -> None:
        """The engine has ended."""
        self._on_died(Role.ENGINE, sentence, by_us)

    def _on_died(self, role: Role, sentence: str, by_us: bool) -> None:
        self._book.forget_cancelled(role)
        pending = self._book.of(role)
        given_up = self._keeper(role).given_up
        if by_us and not given_up:
            for job in pending:
                self._send(job)
        else:
            for job in pending:
                self._book.take(job.id)
        self.child_died.emit(role, sentence + (" It is not started again by itself." if given_up else ""))
        if given_up:
            self.child_given_up.emit(role)
        if by_us and not given_up:
            return
        for job in pending:
            sentence = self._words.died(role, job.what, given_up=given_up)
            self.job_failed.emit(job.id, Fault(FaultCode.CHILD_DIED, sentence))

    @Slot()
    def on_reader_restarted(self) -> None:
        """A new reader is up."""
        self.child_restarted.emit(Role.READER)

    @Slot()
    def on_engine_restarted(self) -> None:
        """A new engine is up."""
        self.child_restarted.emit(Role.ENGINE)

    def _on_hung(self, role: Role) -> None:
        for job in self._book.of(role):
            if not job.hidden:
                self._fail_later(job.id, FaultCode.TOO_SLOW, self._words.hung(role, job.what))
