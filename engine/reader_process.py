"""The reader process: the only one that opens a contract's bytes.

One thread. Reading is a generator of short steps; between two of them the connection is looked at,
pages are drawn first, and cancelled jobs end. A hostile file can kill this process and nothing else.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import assert_never

import psutil

from engine.document import pack
from engine.export.errors import ExportError
from engine.protocol import codec
from engine.protocol.child import Role
from engine.protocol.messages import (
    Cancel,
    Cancelled,
    CloseDocument,
    DocumentOpened,
    DocumentRead,
    Failed,
    Fault,
    FaultCode,
    HandedOver,
    HandOver,
    OpenDocument,
    PageRendered,
    Ping,
    Pong,
    Progress,
    ReadingOptions,
    RenderPage,
    Shutdown,
    ToReader,
)
from engine.protocol.serve import Throttle, connect, prepare_process
from engine.protocol.shared_image import attached
from engine.protocol.transport import ConnectionLost, Wire
from engine.reading.errors import ReadingError
from engine.reading.opened import NeedsPreparing, OpenedFile

#: Address space of the reader, half the machine's memory between these bounds; a file that asks for more gets
#: "too large" instead of the whole machine.
MOST_MEMORY_BYTES = 6 << 30
LEAST_MEMORY_BYTES = 2 << 30

Opener = Callable[[Path, str, ReadingOptions], OpenedFile]
log = logging.getLogger(__name__)


def open_any_file(path: Path, password: str, options: ReadingOptions) -> OpenedFile:
    """Open a file with the real readers, imported at the first use."""
    from engine.reading.open_file import open_file

    return open_file(str(path), password, options)


class _Reading:
    """A file being read for a job."""

    def __init__(self, job: int, file: OpenedFile, steps: Iterator[tuple[str, int, int]]) -> None:
        self.job = job
        self.file = file
        self.steps = steps
        self.throttle = Throttle()


class Reader:
    """The reader's loop: what waits, what is open, what is being read."""

    def __init__(self, wire: Wire[ToReader], opener: Opener) -> None:
        self._wire = wire
        self._opener = opener
        self._to_open: deque[OpenDocument] = deque()
        self._to_render: deque[RenderPage] = deque()
        self._to_hand_over: deque[HandOver] = deque()
        #: Files whose pages are still being made; they are not open yet.
        self._preparations: deque[_Reading] = deque()
        self._readings: deque[_Reading] = deque()
        self._open: dict[str, OpenedFile] = {}
        self._ended = False

    def run(self) -> None:
        """Work until the window says so or is gone."""
        try:
            while not self._ended:
                if self._wire.poll(0.0 if self._is_busy() else None):
                    self._take(self._wire.receive())
                elif self._to_render:
                    self._render(self._to_render.popleft())
                elif self._to_open:
                    self._open_document(self._to_open.popleft())
                elif self._to_hand_over:
                    self._hand_over(self._to_hand_over.popleft())
                elif self._preparations:
                    self._prepare()
                else:
                    self._step()
        except ConnectionLost:
            log.info("the window is gone")
        finally:
            for reading in (*self._preparations, *self._readings):
                self._close_steps(reading)
            for preparation in self._preparations:
                self._close_file(preparation.file)
            for file in self._open.values():
                self._close_file(file)

    def _is_busy(self) -> bool:
        waiting = self._to_open or self._to_render or self._to_hand_over
        return bool(waiting or self._preparations or self._readings)

    # --- messages -------------------------------------------------------------------------------

    def _take(self, message: ToReader) -> None:
        match message:
            case OpenDocument():
                self._to_open.append(message)
            case RenderPage():
                self._to_render.append(message)
            case HandOver():
                self._to_hand_over.append(message)
            case Cancel():
                self._cancel(message.job)
            case CloseDocument():
                self._close_document(message.document)
            case Ping():
                self._wire.send(Pong(message.token))
            case Shutdown():
                self._ended = True
            case _:
                assert_never(message)

    def _cancel(self, job: int) -> None:
        waiting = len(self._to_open) + len(self._to_render) + len(self._to_hand_over)
        self._to_open = deque(request for request in self._to_open if request.job != job)
        self._to_render = deque(request for request in self._to_render if request.job != job)
        self._to_hand_over = deque(order for order in self._to_hand_over if order.job != job)
        if len(self._to_open) + len(self._to_render) + len(self._to_hand_over) < waiting:
            self._wire.send(Cancelled(job))
            return
        for preparation in self._preparations:
            if preparation.job == job:
                self._preparations.remove(preparation)
                self._close_steps(preparation)
                self._close_file(preparation.file)
                self._wire.send(Cancelled(job))
                return
        for reading in self._readings:
            if reading.job == job:
                # The file stays open: its pages can still be drawn until it is closed.
                self._readings.remove(reading)
                self._close_steps(reading)
                self._forget_unless_open(reading.file)
                self._wire.send(Cancelled(job))
                return

    def _close_document(self, document: str) -> None:
        file = self._open.pop(document, None)
        if file is not None and all(reading.file is not file for reading in self._readings):
            self._close_file(file)

    def _forget_unless_open(self, file: OpenedFile) -> None:
        """Close a file that no reading and no drawing needs any more."""
        needed = self._open.get(file.id) is file or any(reading.file is file for reading in self._readings)
        if not needed:
            self._close_file(file)

    def _close_file(self, file: OpenedFile) -> None:
        try:
            file.close()
        except Exception:  # process boundary: a library may fail to close what a file broke
            log.exception("closing a file failed")

    def _close_steps(self, reading: _Reading) -> None:
        close = getattr(reading.steps, "close", None)
        try:
            if close is not None:
                close()
        except Exception:  # process boundary: abandoning must not fail
            log.exception("abandoning a reading failed")

    # --- work -----------------------------------------------------------------------------------

    def _open_document(self, request: OpenDocument) -> None:
        try:
            file = self._opener(Path(request.path), request.password, request.options)
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._fail(request.job, error)
            return
        if isinstance(file, NeedsPreparing):
            self._preparations.append(_Reading(request.job, file, file.prepare()))
        else:
            self._begin_reading(request.job, file)

    def _prepare(self) -> None:
        """One step of making a file's pages; when it is the last, the file is open."""
        preparation = self._preparations[0]
        try:
            stage, done, total = next(preparation.steps)
        except StopIteration:
            self._preparations.popleft()
            self._begin_reading(preparation.job, preparation.file)
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._preparations.popleft()
            self._close_file(preparation.file)
            self._fail(preparation.job, error)
        else:
            self._preparations.rotate(-1)
            if preparation.throttle.ready():
                self._wire.send(Progress(preparation.job, stage, done, total))

    def _begin_reading(self, job: int, file: OpenedFile) -> None:
        try:
            opened = DocumentOpened(job, file.id, file.name, file.media, tuple(file.page_sizes))
            reading = _Reading(job, file, file.read())
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._close_file(file)
            self._fail(job, error)
            return
        before = self._open.pop(file.id, None)
        self._open[file.id] = file
        if before is not None:
            self._forget_unless_open(before)
        self._readings.append(reading)
        self._wire.send(opened)

    def _step(self) -> None:
        """One step of the reading in front; the others take their turn after it."""
        reading = self._readings[0]
        try:
            stage, done, total = next(reading.steps)
        except StopIteration:
            self._readings.popleft()
            self._deliver(reading)
            return
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._readings.popleft()
            if self._open.get(reading.file.id) is reading.file:
                del self._open[reading.file.id]
            self._forget_unless_open(reading.file)
            self._fail(reading.job, error)
            return
        self._readings.rotate(-1)
        if reading.throttle.ready():
            self._wire.send(Progress(reading.job, stage, done, total))

    def _deliver(self, reading: _Reading) -> None:
        try:
            answer = DocumentRead(reading.job, reading.file.id, pack(reading.file.document))
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._fail(reading.job, error)
        else:
            self._wire.send(answer)
        self._forget_unless_open(reading.file)

    def _render(self, request: RenderPage) -> None:
        file = self._open.get(request.document)
        if file is None:
            fault = Fault.of(FaultCode.NOT_OPEN, "This document is not open; open it again.")
            self._wire.send(Failed(request.job, fault))
            return
        try:
            with attached(request.memory, request.capacity) as target:
                width, height, stride = file.render(request.page, request.scale, request.clip, target)
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._fail(request.job, error)
            return
        self._wire.send(PageRendered(request.job, request.document, request.page, width, height, stride))

    def _hand_over(self, order: HandOver) -> None:
        from engine.export.hand_over import hand_over

        try:
            left_out = hand_over(order, self._as_pdf)
        except Exception as error:  # noqa: BLE001 - process boundary: every failure becomes a fault
            self._fail(order.job, error)
        else:
            self._wire.send(HandedOver(order.job, order.target, tuple(left_out)))

    def _as_pdf(self, document: str) -> bytes | None:
        """The pages that were laid out for an open document that is no PDF."""
        file = self._open.get(document)
        return None if file is None else file.laid_out_pdf()

    def _fail(self, job: int, error: Exception) -> None:
        self._wire.send(Failed(job, fault_of(error)))


def fault_of(error: Exception) -> Fault:
    """What the window is told about a failure of reading; our own bugs go to the log with their trace."""
    if isinstance(error, ReadingError | ExportError):
        return error.fault
    if isinstance(error, MemoryError):
        sentence = "This file needs more memory than there is; split it, or close other programs."
        return Fault.of(FaultCode.TOO_LARGE, sentence)
    trace = "".join(traceback.format_exception(error))
    log.error("a job failed\n%s", trace)
    sentence = "Antinomy could not read this because of a mistake of its own; the log has the details."
    return Fault.of(FaultCode.INTERNAL, sentence, trace=trace)


def limit_memory() -> None:
    """Bound this process's address space where the system can."""
    if sys.platform == "win32":
        return
    import resource

    limit = min(MOST_MEMORY_BYTES, max(LEAST_MEMORY_BYTES, psutil.virtual_memory().total // 2))
    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (OSError, ValueError) as error:
        log.warning("memory is not limited: %s", error)


def run_reader(address: str, opener: Opener = open_any_file) -> int:
    """Serve the window at ``address`` until it is gone; returns the exit status."""
    prepare_process(Role.READER)
    limit_memory()
    wire = connect(address, Role.READER, codec.to_reader)
    status = 0
    try:
        Reader(wire, opener).run()
    except ConnectionLost:
        pass
    except Exception:  # process boundary: the log is all that remains of a bug here
        log.exception("the reader process failed")
        status = 1
    logging.shutdown()
    # Libraries that a file has upset may hang or crash in their own clean-up.
    os._exit(status)
