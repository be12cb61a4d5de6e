"""What the window asks of its children and what it hears, whoever answers: processes or a fake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.messages import Ask, HandOver, Learn, ReadingOptions, ReviewOptions
from engine.protocol.writing import ConfigureModel, DescribeModel, Write

#: What begins a job of writing.
WritingOrder = Write | DescribeModel | ConfigureModel
#: A part of a page: x0, y0, x1, y1 in PDF points.
Clip = tuple[float, float, float, float]


class Processes(QObject):
    """Jobs for the reader and the engine.

    Every method that starts a job answers its number at once. Each job ends in exactly one of
    ``document_read``, ``page_rendered``, ``handed_over``, ``review_finished``, ``anchors_found``, ``compared``,
    ``learned``, ``diagnosed``, ``job_failed`` and ``job_cancelled``, always later than the call that started it; only
    :meth:`close` ends jobs in silence.

    Signals:
        document_opened(job, DocumentOpened): the file is open, its pages can be rendered.
        document_read(job, Document): the whole document with its boxes.
        page_rendered(job, document id, page index, QImage, scale in pixels per point).
        handed_over(job, HandedOver): the file is written.
        review_finished(job, tuple[Finding, ...], dict of seconds by stage).
        anchors_found(job, AnchorsFound): what a matter's anchor table holds.
        answered(job, Answer, dict of seconds).
        compared(job, Comparison): two versions, clause by clause.
        learned(job, Card): something was learnt and is on trial.
        diagnosed(job, dict of facts).
        model_described(job, ModelDescribed): which model writes answers.
        write_proposed(job, WriteProposed): what would be sent to it; nothing was.
        writing_progressed(job, words): the next words of an answer that is being written.
        answer_written(job, AnswerWritten): the whole of it, checked.
        job_progressed(job, stage, done, total): total is 0 when unknown.
        job_failed(job, Fault).
        job_cancelled(job).
        engine_status_changed(EngineStatus).
        child_died(role, sentence): ``reader`` or ``engine``.
        child_restarted(role).
        child_given_up(role): follows ``child_died``; only :meth:`restart` starts that child again.
    """

    document_opened = Signal(int, object)
    document_read = Signal(int, object)
    page_rendered = Signal(int, str, int, QImage, float)
    handed_over = Signal(int, object)
    review_finished = Signal(int, object, object)
    anchors_found = Signal(int, object)
    answered = Signal(int, object, object)
    compared = Signal(int, object)
    learned = Signal(int, object)
    diagnosed = Signal(int, object)
    model_described = Signal(int, object)
    write_proposed = Signal(int, object)
    writing_progressed = Signal(int, str)
    answer_written = Signal(int, object)
    job_progressed = Signal(int, str, int, int)
    job_failed = Signal(int, object)
    job_cancelled = Signal(int)
    engine_status_changed = Signal(object)
    child_died = Signal(str, str)
    child_restarted = Signal(str)
    child_given_up = Signal(str)

    #: Gives the file of the learnt weights that reviews use, "" for the shipped ones; asked before each.
    weights: Callable[[], str] = str

    def start(self) -> None:
        """Start the children; returns at once. Jobs may be asked for before they are up."""
        raise NotImplementedError

    def open_document(self, path: Path, password: str = "", options: ReadingOptions | None = None) -> int:
        """Read a file; a file that is open already is read anew, its pages with it."""
        raise NotImplementedError

    def close_document(self, document: str) -> None:
        """Forget an opened document; its pages cannot be rendered any more."""
        raise NotImplementedError

    def render(self, document: str, page: int, scale: float, clip: Clip | None = None) -> int:
        """Draw a page of an opened document, or ``clip`` of it (x0, y0, x1, y1 in points)."""
        raise NotImplementedError

    def hand_over(self, order: HandOver) -> int:
        """Have a marked copy or a report written; the order's own job number does not matter."""
        raise NotImplementedError

    def review(self, documents: Sequence[Document], options: ReviewOptions | None = None) -> int:
        """Find the conflicts in and between documents."""
        raise NotImplementedError

    def list_anchors(self, table: Path, document: str = "") -> int:
        """Ask for the anchors in a matter's table; in a large matter for those of ``document``."""
        raise NotImplementedError

    def find_places(self, table: Path, kind: str, value: str, role: str = "") -> int:
        """Ask where a value and its rivals (other values of ``role``) stand in the matter of a table."""
        raise NotImplementedError

    def ask(self, order: Ask, documents: Sequence[Document]) -> int:
        """Answer a question; ``documents`` are those of the order's that the engine has not indexed yet."""
        raise NotImplementedError

    def compare(
        self, old: Document, new: Document, old_findings: Sequence[Finding] = (), new_findings: Sequence[Finding] = ()
    ) -> int:
        """Compare an earlier and a later version of a document, with the findings of each."""
        raise NotImplementedError

    def write(self, order: WritingOrder) -> int:
        """Ask about the model that writes answers, configure it, or have it write; the job's number does not matter."""
        raise NotImplementedError

    def stop_writing(self, job: int) -> None:
        """Let a model say no more; what it has said comes as ``answer_written``."""
        raise NotImplementedError

    def learn(self, order: Learn) -> int:
        """Learn from labels, beside reviews; the order's own job number does not matter."""
        raise NotImplementedError

    def diagnose(self) -> int:
        """Ask what the engine runs on."""
        raise NotImplementedError

    def cancel(self, job: int) -> None:
        """End a job; ``job_cancelled`` follows. Unknown and finished jobs are ignored."""
        raise NotImplementedError

    def restart(self, role: str) -> None:
        """Start a child again that the supervisor has given up, or replace a running one."""
        raise NotImplementedError

    def close(self) -> None:
        """End all; no signal comes after it. Safe at any moment and more than once."""
        raise NotImplementedError
