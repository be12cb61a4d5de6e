"""One review at a time: started when it can be, cancelled when it is stale, with an honest time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QObject, Signal, Slot

from engine.document import Document
from engine.protocol.findings import EngineLine, Finding
from engine.protocol.messages import EngineStatus, Fault, FaultCode, ReviewOptions
from gui.processes.interface import Processes
from gui.state.wording import fault_words

#: Before this share is done a time left is a guess, and none is shown.
LEAST_SHARE = 0.05
#: Documents that have cost this many engines are not reviewed again by themselves.
MOST_DEATHS = 1


#: The part of a whole review that each of the engine's stages takes, as measured on contracts of 10 to 100 pages.
STAGES: dict[str, tuple[float, float]] = {
    "anchors": (0.0, 0.15),
    "encoding": (0.15, 0.75),
    "pairs": (0.75, 0.92),
    "reading": (0.92, 0.97),
    "findings": (0.97, 1.0),
}
#: … with the full check, beside which all else is short.
FULL_STAGES: dict[str, tuple[float, float]] = {
    "anchors": (0.0, 0.02),
    "encoding": (0.02, 0.08),
    "pairs": (0.08, 0.12),
    "reading": (0.12, 0.99),
    "findings": (0.99, 1.0),
}


class ReviewRun(QObject):
    """The review of the documents on the desk.

    Signals:
        started(): the engine has been asked.
        progressed(stage, share, left_s): ``share`` 0..1 of the whole, -1 when unknown; ``left_s`` -1 too.
        finished(document ids, findings, EngineLine): all findings, ranked.
        failed(sentence): no findings this time; what was there stays.
        cancelled(): stopped by the person or by a newer review.
        version_reviewed(document, findings): a document that is reviewed apart, after the others and in silence.
    """

    started = Signal()
    progressed = Signal(str, float, float)
    finished = Signal(object, object, object)
    failed = Signal(str)
    cancelled = Signal()
    version_reviewed = Signal(object, object)

    def __init__(
        self, processes: Processes, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._processes = processes
        self._clock = clock
        self._job = 0
        self._documents: tuple[Document, ...] = ()
        self._deaths = 0
        self._wanted: tuple[Document, ...] | None = None
        self._options = ReviewOptions()
        #: Whether reviews read every pair again with the whole encoder.
        self.full_check = False
        self._share = 0.0
        self._began_s = 0.0
        #: Which of the documents are reviewed together, and which each apart, when the others are done.
        self.divide: Callable[[Sequence[Document]], tuple[Sequence[Document], Sequence[Document]]] = _all_together
        self._apart: list[Document] = []
        self._apart_job = 0
        self.status: EngineStatus | None = None
        processes.engine_status_changed.connect(self.on_processes_engine_status_changed)
        processes.review_finished.connect(self.on_processes_review_finished)
        processes.job_progressed.connect(self.on_processes_job_progressed)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.job_cancelled.connect(self.on_processes_job_cancelled)
        processes.child_died.connect(self.on_processes_child_died)

    @property
    def is_running(self) -> bool:
        """Whether the engine is at it."""
        return self._job != 0

    @property
    def is_waiting(self) -> bool:
        """Whether a review will start when the engine is ready."""
        return self._wanted is not None

    def want(self, documents: Sequence[Document], options: ReviewOptions | None = None) -> None:
        """Review these as soon as the engine is ready; a review that is running is stale and cancelled."""
        self._wanted, self._deaths = tuple(documents), 0
        self._options = options or ReviewOptions()
        self._leave_apart()
        if self._job:
            self._processes.cancel(self._job)
        else:
            self._start_if_possible()

    def cancel(self) -> None:
        """Stop, and want no other."""
        self._wanted = None
        self._leave_apart()
        if self._job:
            self._processes.cancel(self._job)

    def _start_if_possible(self) -> None:
        if self._wanted is None or self._job or self.status is None or self.status.state != "ready":
            return
        documents, self._wanted = self._wanted, None
        self._documents = documents
        self._share, self._began_s = 0.0, self._clock()
        together, apart = self.divide(documents)
        self._apart = list(apart)
        self._options = msgspec.structs.replace(self._options, full_check=self.full_check)
        self._job = self._processes.review(together, self._options)
        self.started.emit()

    @Slot(object)
    def on_processes_engine_status_changed(self, status: EngineStatus) -> None:
        """The engine has become ready, or has failed."""
        self.status = status
        self._start_if_possible()

    @Slot(int, object, object)
    def on_processes_review_finished(self, job: int, findings: tuple[Finding, ...], _seconds: object) -> None:
        """The findings have come."""
        if job == self._apart_job and job:
            self._apart_job = 0
            self.version_reviewed.emit(self._apart.pop(0), findings)
            self._go_on_apart()
        if job != self._job:
            return
        self._job = 0
        if self._wanted is None:
            status = self.status
            line = EngineLine(status.device, status.encoder, status.verifier) if status else EngineLine("", "", "")
            self._deaths = 0
            self.finished.emit(tuple(document.id for document in self._documents), findings, line)
        else:
            self.cancelled.emit()
        self._start_if_possible()
        self._go_on_apart()

    def _go_on_apart(self) -> None:
        if self._apart and not self._apart_job and not self._job and self._wanted is None:
            self._apart_job = self._processes.review(self._apart[:1], ReviewOptions())

    def _leave_apart(self) -> None:
        """What is reviewed apart is of no interest any more."""
        self._apart.clear()
        job, self._apart_job = self._apart_job, 0
        if job:
            self._processes.cancel(job)

    @Slot(int, str, int, int)
    def on_processes_job_progressed(self, job: int, stage: str, done: int, total: int) -> None:
        """A step further."""
        if job != self._job:
            return
        stages = FULL_STAGES if self._options.full_check else STAGES
        begin, end = stages.get(stage, (0.0, 1.0))
        # Never backwards: a bar that jumps back is not believed again.
        self._share = max(self._share, begin + (end - begin) * (done / total if total else 0.0))
        if self._share < LEAST_SHARE:
            self.progressed.emit(stage, self._share if total else -1.0, -1.0)
        else:
            left_s = (self._clock() - self._began_s) * (1 - self._share) / self._share
            self.progressed.emit(stage, self._share, left_s)

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """The engine could not; a version that is reviewed apart is tried again with the next review."""
        if job == self._apart_job and job:
            self._apart.clear()
            self._apart_job = 0
        if job != self._job:
            return
        self._job = 0
        if fault.code is FaultCode.CHILD_DIED and self._deaths < MOST_DEATHS and self._wanted is None:
            # A new engine is on its way; it starts this review when it says that it is ready.
            self._deaths += 1
            self._wanted = self._documents
            self.cancelled.emit()
        else:
            self.failed.emit(fault_words(fault))
        self._start_if_possible()

    @Slot(str, str)
    def on_processes_child_died(self, role: str, _sentence: str) -> None:
        """What the dead engine said of itself holds no longer."""
        if role == "engine":
            self.status = None

    @Slot(int)
    def on_processes_job_cancelled(self, job: int) -> None:
        """It has stopped."""
        if job == self._job:
            self._job = 0
            self.cancelled.emit()
            self._start_if_possible()


def _all_together(documents: Sequence[Document]) -> tuple[Sequence[Document], Sequence[Document]]:
    return documents, ()
