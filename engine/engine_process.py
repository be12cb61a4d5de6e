"""The engine process: takes Documents, never files; owns the device, the encoders, the review.

Two threads, and a third while something is learnt. The main one receives, so that a ping, a cancel or a question is
answered whatever the others do; the worker loads torch first and then reviews, one job after another.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from typing import Protocol, assert_never

from engine.anchors.answers import OpenTables
from engine.document import Document, UnreadableDocument, unpack
from engine.learner import Learner
from engine.protocol import codec
from engine.protocol.answers import Answer
from engine.protocol.child import Role
from engine.protocol.codec import ProtocolError
from engine.protocol.findings import Finding
from engine.protocol.learning import Card
from engine.protocol.messages import (
    Answered,
    Ask,
    Cancel,
    Cancelled,
    Compare,
    Compared,
    Diagnose,
    Diagnosis,
    EngineStatus,
    Failed,
    Fault,
    FaultCode,
    FindPlaces,
    Learn,
    Learned,
    ListAnchors,
    Ping,
    Pong,
    Progress,
    Review,
    ReviewDone,
    ReviewOptions,
    Shutdown,
    ToEngine,
)
from engine.protocol.serve import Throttle, connect, prepare_process
from engine.protocol.transport import ConnectionLost, Wire
from engine.protocol.writing import ConfigureModel, DescribeModel, StopWriting, Write
from engine.writing.desk import WritingDesk

#: The receiving thread gets its turn after this long, also while the worker runs Python (default 5 ms).
SWITCH_INTERVAL_S = 0.0005
#: The window must stay smooth while a review takes all the cores.
NICENESS = 5

log = logging.getLogger(__name__)


class WorkCancelled(Exception):
    """A review saw that it was cancelled."""


class WorkFailed(Exception):
    """A review cannot be done; ``fault`` says why in one sentence."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class Backend(Protocol):
    """What does the engine's work; called from the worker's thread, but for :meth:`facts`."""

    def load(self, report: Callable[[EngineStatus], None]) -> bool:
        """Get ready, reporting each change; False when reviews are impossible."""
        ...

    def review(
        self,
        documents: list[Document],
        options: ReviewOptions,
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> tuple[list[Finding], dict[str, float]]:
        """Find the conflicts.

        Raises:
            WorkCancelled: ``cancelled`` answered True.
            WorkFailed: it cannot be done.
        """
        ...

    def ask(
        self,
        asked: Ask,
        documents: list[Document],
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> tuple[Answer, dict[str, float]]:
        """Answer a question; ``documents`` are those that came with it. Raises as :meth:`review`."""
        ...

    def learn(
        self,
        order: Learn,
        documents: list[Document],
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> Card:
        """Learn from labels, from a thread of its own beside the others. Raises as :meth:`review`."""
        ...

    def facts(self) -> dict[str, str]:
        """What this runs on; answers at once, from any thread, loaded or not."""
        ...


class Engine:
    """The receiving loop and the worker."""

    def __init__(self, wire: Wire[ToEngine], backend: Backend) -> None:
        self._wire = wire
        self._backend = backend
        self._tables = OpenTables()
        self._writing = WritingDesk(wire.send)
        self._changed = threading.Condition()
        self._waiting: deque[Review | Ask] = deque()
        self._current = 0
        self._current_cancelled = False
        self._learner = Learner(wire.send, self._learn)
        self._loaded = threading.Event()
        self._ready = False

    def run(self) -> None:
        """Receive until the window is gone or says so; the worker is left to the process's end."""
        threading.Thread(target=self._work, name="worker", daemon=True).start()
        with contextlib.suppress(ConnectionLost):
            while self._take(self._wire.receive()):
                pass

    def _take(self, message: ToEngine) -> bool:
        match message:
            case Ping():
                self._wire.send(Pong(message.token))
            case Review() | Ask():
                with self._changed:
                    self._waiting.append(message)
                    self._changed.notify()
            case Cancel():
                self._cancel(message.job)
            case ListAnchors() | FindPlaces():
                self._wire.send(self._tables.answer(message))
            case Compare():
                # A second of work that must wait for no review, and a ping not for it.
                threading.Thread(target=self._compare, args=(message,), name="comparison", daemon=True).start()
            case Learn():
                self._learner.put(message)
            case Write() | DescribeModel() | ConfigureModel():
                self._writing.take(message)
            case StopWriting():
                self._writing.stop(message.job)
            case Diagnose():
                self._wire.send(Diagnosis(message.job, self._backend.facts()))
            case Shutdown():
                return False
            case _:
                assert_never(message)
        return True

    def _cancel(self, job: int) -> None:
        if self._writing.cancel(job):
            return
        if self._learner.cancel(job):
            return
        with self._changed:
            if job == self._current:
                self._current_cancelled = True
                return
            before = len(self._waiting)
            self._waiting = deque(work for work in self._waiting if work.job != job)
            removed = len(self._waiting) < before
        if removed:
            self._wire.send(Cancelled(job))

    def _compare(self, message: Compare) -> None:
        """In a thread of its own: compare two versions and answer."""
        from engine.comparison.compare import compare_documents

        begun_s = time.perf_counter()
        answer: Compared | Failed
        try:
            old, new = unpack(message.old), unpack(message.new)
            found = compare_documents(old, new, message.old_findings, message.new_findings)
            answer = Compared(message.job, found, {"all": time.perf_counter() - begun_s})
        except Exception as error:  # noqa: BLE001 - thread boundary: every failure becomes a fault
            answer = Failed(message.job, fault_of(error))
        with contextlib.suppress(ConnectionLost):
            self._wire.send(answer)

    def _learn(self, work: Learn, cancelled: Callable[[], bool]) -> Learned | Failed | Cancelled:
        """In the learner's thread: wait for loading, learn, answer."""
        while not self._loaded.wait(0.1):
            if cancelled():
                return Cancelled(work.job)
        if not self._ready:
            return _not_loaded(work.job)
        try:
            documents = [unpack(packed) for packed in work.documents]
            return Learned(work.job, self._backend.learn(work, documents, self._progress(work.job), cancelled))
        except WorkCancelled:
            return Cancelled(work.job)
        except ConnectionLost:
            raise
        except Exception as error:  # noqa: BLE001 - thread boundary: every failure becomes a fault
            return Failed(work.job, fault_of(error))

    def _progress(self, job: int) -> Callable[[str, int, int], None]:
        throttle = Throttle()

        def progress(stage: str, done: int, total: int) -> None:
            if throttle.ready():
                self._wire.send(Progress(job, stage, done, total))

        return progress

    # --- the worker's thread --------------------------------------------------------------------

    def _work(self) -> None:
        try:
            ready = self._ready = self._load()
            self._loaded.set()
            while True:
                with self._changed:
                    while not self._waiting:
                        self._changed.wait()
                    work = self._waiting.popleft()
                    self._current, self._current_cancelled = work.job, False
                answer = self._answer(work, ready)
                with self._changed:
                    self._current = 0
                self._wire.send(answer)
        except ConnectionLost:
            os._exit(0)
        except Exception:  # thread boundary: without its worker this process is of no use
            log.exception("the engine's worker failed")
            logging.shutdown()
            os._exit(1)

    def _load(self) -> bool:
        try:
            return self._backend.load(self._wire.send)
        except ConnectionLost:
            raise
        except Exception as error:
            log.exception("loading failed")
            self._wire.send(EngineStatus("failed", "cpu", "", "", "", f"The engine could not be loaded: {error}."))
            return False

    def _answer(self, work: Review | Ask, ready: bool) -> ReviewDone | Answered | Failed | Cancelled:
        """Do a review or answer a question; gives back its one terminal message."""
        if not ready:
            return _not_loaded(work.job)
        progress = self._progress(work.job)
        try:
            documents = [unpack(packed) for packed in work.documents]
            if isinstance(work, Ask):
                answer, seconds = self._backend.ask(work, documents, progress, lambda: self._current_cancelled)
                return Answered(work.job, answer, seconds)
            findings, seconds = self._backend.review(documents, work.options, progress, lambda: self._current_cancelled)
        except WorkCancelled:
            return Cancelled(work.job)
        except ConnectionLost:
            raise
        except Exception as error:  # noqa: BLE001 - thread boundary: every failure becomes a fault
            return Failed(work.job, fault_of(error))
        return ReviewDone(work.job, tuple(findings), seconds)


def _not_loaded(job: int) -> Failed:
    sentence = "The engine could not be loaded, so nothing can be reviewed; antinomy doctor says why."
    return Failed(job, Fault.of(FaultCode.ENGINE_NOT_READY, sentence))


def fault_of(error: Exception) -> Fault:
    """What the window is told about a failure; our own bugs go to the log with their trace."""
    if isinstance(error, WorkFailed):
        return error.fault
    if isinstance(error, UnreadableDocument):
        return Fault.of(FaultCode.INTERNAL, "A document came damaged to the engine: {error}.", {"error": str(error)})
    if _is_out_of_memory(error):
        sentence = "There is not enough memory for this review; close other programs or review fewer documents at once."
        return Fault.of(FaultCode.OUT_OF_MEMORY, sentence)
    trace = "".join(traceback.format_exception(error))
    log.error("a review failed\n%s", trace)
    sentence = "The review failed because of a mistake in Antinomy; the log has the details."
    return Fault.of(FaultCode.INTERNAL, sentence, trace=trace)


def _is_out_of_memory(error: Exception) -> bool:
    """Torch has a class of its own for the device's memory and a plain RuntimeError for the machine's."""
    text = str(error)
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryError"
        or (isinstance(error, RuntimeError) and ("can't allocate memory" in text or "out of memory" in text))
    )


def real_backend() -> Backend:
    """The real work; importing it imports no torch yet."""
    from engine.backend import ReviewBackend

    return ReviewBackend()


def run_engine(address: str, make_backend: Callable[[], Backend] = real_backend) -> int:
    """Serve the window at ``address`` until it is gone; returns the exit status."""
    # Before torch is imported: idle threads must not spin, and nothing may look for models on the network.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    prepare_process(Role.ENGINE)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    if sys.platform != "win32":
        os.nice(NICENESS)
    status = 0
    try:
        Engine(connect(address, Role.ENGINE, codec.to_engine), make_backend()).run()
    except ProtocolError:
        log.exception("the window sent something that cannot be understood")
        status = 1
    logging.shutdown()
    # Torch needs seconds to take itself down; nothing here is worth them.
    os._exit(status)
