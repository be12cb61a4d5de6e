"""The children without children: widgets are tested against this, and the test plays the answers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QColor, QImage

from engine.document import Document
from engine.protocol.answers import Answer
from engine.protocol.comparison import Comparison
from engine.protocol.findings import Finding
from engine.protocol.learning import Card
from engine.protocol.messages import (
    AnchorsFound,
    AnchorValue,
    Ask,
    DocumentOpened,
    EngineStatus,
    Fault,
    HandedOver,
    HandOver,
    Learn,
    PageSize,
    ReadingOptions,
    ReviewOptions,
)
from engine.protocol.writing import FromWriting, ModelDescribed, WriteProposed, WritingProgressed
from gui.processes.interface import Clip, Processes, WritingOrder


class FakeProcesses(Processes):
    """Remembers what was asked; the ``play_…`` methods answer, at once and in the caller's thread.

    Attributes:
        asked: ``(method, job, arguments)`` in order; ``job`` is 0 for methods that start none.
        draw: answers drawings by itself with a plain image when True.
    """

    def __init__(self, parent: QObject | None = None, *, draw: bool = True) -> None:
        super().__init__(parent)
        self.asked: list[tuple[str, int, tuple[Any, ...]]] = []
        self.draw = draw
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[str, tuple[Any, ...]]] = {}
        self._sizes: dict[str, tuple[PageSize, ...]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.play_drawings)

    def _begin(self, method: str, *arguments: Any) -> int:
        job = next(self._numbers)
        self.asked.append((method, job, arguments))
        self._waiting[job] = (method, arguments)
        return job

    def waiting(self, method: str = "") -> list[int]:
        """The jobs that have not ended, oldest first; of one method when it is named."""
        return [job for job, (name, _) in self._waiting.items() if not method or name == method]

    # --- what the window asks -------------------------------------------------------------------

    def start(self) -> None:
        """Nothing to start."""
        self.asked.append(("start", 0, ()))

    def open_document(self, path: Path, password: str = "", options: ReadingOptions | None = None) -> int:
        """See :meth:`play_opened`, :meth:`play_read`."""
        return self._begin("open_document", path, password, options)

    def close_document(self, document: str) -> None:
        """Forget the pages' sizes."""
        self.asked.append(("close_document", 0, (document,)))
        self._sizes.pop(document, None)

    def render(self, document: str, page: int, scale: float, clip: Clip | None = None) -> int:
        """Answered from :meth:`play_drawings`, or by the event loop when ``draw`` is set."""
        job = self._begin("render", document, page, scale, clip)
        if self.draw:
            self._timer.start(0)
        return job

    def hand_over(self, order: HandOver) -> int:
        """See :meth:`play_handed_over`."""
        return self._begin("hand_over", order)

    def review(self, documents: Sequence[Document], options: ReviewOptions | None = None) -> int:
        """See :meth:`play_reviewed`."""
        return self._begin("review", tuple(documents), options)

    def list_anchors(self, table: Path, document: str = "") -> int:
        """See :meth:`play_anchors`."""
        return self._begin("list_anchors", table, document)

    def find_places(self, table: Path, kind: str, value: str, role: str = "") -> int:
        """See :meth:`play_anchors`."""
        return self._begin("find_places", table, kind, value, role)

    def ask(self, order: Ask, documents: Sequence[Document]) -> int:
        """See :meth:`play_answered`."""
        return self._begin("ask", order, tuple(documents))

    def compare(
        self, old: Document, new: Document, old_findings: Sequence[Finding] = (), new_findings: Sequence[Finding] = ()
    ) -> int:
        """See :meth:`play_compared`."""
        return self._begin("compare", old, new, tuple(old_findings), tuple(new_findings))

    def write(self, order: WritingOrder) -> int:
        """See :meth:`play_writing`."""
        return self._begin("write", order)

    def stop_writing(self, job: int) -> None:
        """Only remembered."""
        self.asked.append(("stop_writing", job, ()))

    def learn(self, order: Learn) -> int:
        """See :meth:`play_learned`."""
        return self._begin("learn", order)

    def diagnose(self) -> int:
        """See :meth:`play_diagnosed`."""
        return self._begin("diagnose")

    def cancel(self, job: int) -> None:
        """End a waiting job."""
        self.asked.append(("cancel", job, ()))
        if self._waiting.pop(job, None) is not None:
            self.job_cancelled.emit(job)

    def restart(self, role: str) -> None:
        """Only remembered."""
        self.asked.append(("restart", 0, (role,)))

    def close(self) -> None:
        """Forget all waiting jobs in silence."""
        self.asked.append(("close", 0, ()))
        self._waiting.clear()

    # --- what the test plays --------------------------------------------------------------------

    def play_opened(self, job: int, document: Document) -> None:
        """The file is open."""
        sizes = tuple(PageSize(page.width_pt, page.height_pt) for page in document.pages)
        self._sizes[document.id] = sizes
        self.document_opened.emit(job, DocumentOpened(job, document.id, document.name, document.media, sizes))

    def play_read(self, job: int, document: Document) -> None:
        """The file is open, when it was not, and read."""
        if document.id not in self._sizes:
            self.play_opened(job, document)
        self._end(job, "open_document")
        self.document_read.emit(job, document)

    @Slot()
    def play_drawings(self) -> None:
        """Answer all waiting drawings with plain pages (pale grey, the page's index in the blue)."""
        for job in self.waiting("render"):
            _, (document, page, scale, clip) = self._waiting[job]
            sizes = self._sizes.get(document, ())
            width_pt, height_pt = (sizes[page].width_pt, sizes[page].height_pt) if page < len(sizes) else (612, 792)
            if clip:
                width_pt, height_pt = clip[2] - clip[0], clip[3] - clip[1]
            width, height = max(1, round(width_pt * scale)), max(1, round(height_pt * scale))
            image = QImage(width, height, QImage.Format.Format_RGB888)
            image.fill(QColor(240, 240, 200 + page % 56))
            self._end(job, "render")
            self.page_rendered.emit(job, document, page, image, scale)

    def play_progress(self, job: int, stage: str, done: int, total: int) -> None:
        """A waiting job is that far."""
        self.job_progressed.emit(job, stage, done, total)

    def play_handed_over(self, job: int, left_out: tuple[str, ...] = ()) -> None:
        """The file is written."""
        _, (order,) = self._waiting[job]
        self._end(job, "hand_over")
        self.handed_over.emit(job, HandedOver(job, order.target, left_out))

    def play_reviewed(self, job: int, findings: Sequence[Finding], seconds: dict[str, float] | None = None) -> None:
        """The review is done."""
        self._end(job, "review")
        self.review_finished.emit(job, tuple(findings), seconds or {})

    def play_anchors(
        self, job: int, documents: Sequence[str], values: Sequence[AnchorValue], left_out: int = 0
    ) -> None:
        """The table has been looked into."""
        self._end(job)
        self.anchors_found.emit(job, AnchorsFound(job, tuple(documents), tuple(values), left_out))

    def play_answered(self, job: int, answer: Answer) -> None:
        """The question is answered."""
        self._end(job, "ask")
        self.answered.emit(job, answer, {})

    def play_compared(self, job: int, comparison: Comparison) -> None:
        """The versions are compared."""
        self._end(job, "compare")
        self.compared.emit(job, comparison)

    def play_writing(self, message: FromWriting) -> None:
        """Part of a written answer, or what ends a job of writing; ``message`` names its job."""
        if isinstance(message, WritingProgressed):
            self.writing_progressed.emit(message.job, message.words)
            return
        self._end(message.job, "write")
        if isinstance(message, ModelDescribed):
            self.model_described.emit(message.job, message)
        elif isinstance(message, WriteProposed):
            self.write_proposed.emit(message.job, message)
        else:
            self.answer_written.emit(message.job, message)

    def play_learned(self, job: int, card: Card) -> None:
        """Something was learnt; who plays this has laid it on trial."""
        self._end(job, "learn")
        self.learned.emit(job, card)

    def play_diagnosed(self, job: int, facts: dict[str, str]) -> None:
        """The diagnosis is done."""
        self._end(job, "diagnose")
        self.diagnosed.emit(job, facts)

    def play_failed(self, job: int, fault: Fault) -> None:
        """The job failed."""
        self._end(job)
        self.job_failed.emit(job, fault)

    def play_engine_status(self, state: str = "ready", notice: str = "") -> None:
        """The engine's state has changed."""
        self.engine_status_changed.emit(EngineStatus(state, "cpu", "float32", "fake", "none", notice))

    def play_death(self, role: str, sentence: str, *, given_up: bool = False) -> None:
        """A child has died, and been restarted or given up; its jobs must be failed by the test."""
        self.child_died.emit(role, sentence)
        (self.child_given_up if given_up else self.child_restarted).emit(role)

    def _end(self, job: int, method: str = "") -> None:
        waiting, _ = self._waiting.pop(job)
        if method and waiting != method:
            raise ValueError(f"job {job} is a {waiting}, not a {method}")
