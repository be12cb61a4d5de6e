"""Scanned pages: how far their recognition is, stopping it, and the words that may be wrong."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Slot

from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.processes.interface import Processes
from gui.state.desk import Desk
from gui.theme import Layer

#: The reader's stage in which pages are recognised.
_STAGE = "recognition"


class RecognitionFlow(QObject):
    """Between the reader's progress and the status line; between uncertain words and the pages."""

    def __init__(self, window: MainWindow, desk: Desk, processes: Processes) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._job = 0
        self._since_s = 0.0
        processes.job_progressed.connect(self.on_processes_job_progressed)
        processes.document_read.connect(self.on_processes_job_ended)
        processes.job_failed.connect(self.on_processes_job_ended)
        processes.job_cancelled.connect(self.on_processes_job_ended)
        window.status.cancel_wanted.connect(self.stop)

    @Slot(int, str, int, int)
    def on_processes_job_progressed(self, job: int, stage: str, done: int, total: int) -> None:
        """A step further; other stages are over in a moment."""
        name = self._desk.reading_name(job)
        if not name or self._desk.review.is_running:
            return
        if stage != _STAGE:
            if job == self._job:
                self.on_processes_job_ended(job)
            return
        if job != self._job:
            self._job, self._since_s = job, time.monotonic()
        took_s = time.monotonic() - self._since_s
        left_s = took_s / done * (total - done) if done else -1.0
        words = self.tr("recognising page {page} of {pages} of {name}")
        words = words.format(page=min(done + 1, total), pages=total, name=name)
        self._window.status.show_progress(words, done / total if total else -1.0, left_s)
        self._window.left.findings.set_empty_words(
            self.tr("Reading scanned pages… You can look at them meanwhile. Findings come when all are read.")
        )

    @Slot(int)
    @Slot(int, object)
    def on_processes_job_ended(self, job: int, _answer: object = None) -> None:
        """Nothing is being recognised any more."""
        if job and job == self._job:
            self._job = 0
            self._window.status.hide_progress()

    @Slot()
    def stop(self) -> None:
        """Leave the pages that are not recognised yet; the rest of the document is reviewed."""
        job = self._job
        if job:
            self.on_processes_job_ended(job)
            self._desk.read_without_recognising(job)
            words = self.tr("Scanned pages were not read and are not part of the review.")
            act = (self.tr("Read them"), self.read_scans)
            self._window.pages.banner.say(words, act=act)

    def read_scans(self) -> None:
        """Read the shown document again, its scanned pages too."""
        self._desk.recognise(self._desk.current)

    @Slot(str)
    def mark_pages(self, document_id: str) -> None:
        """Mark the words that may be wrong."""
        document = self._desk.document(document_id)
        if document is None or document_id != self._desk.current:
            return
        tip = self.tr("Recognised from the picture with {share}: compare it with the page.")
        marks = [
            Mark("uncertain", Layer.UNCERTAIN, word.start, word.end, (), tip.format(share=f"{word.confidence:.0%}"))
            for word in document.uncertain
        ]
        self._window.pages.view.set_marks(Layer.UNCERTAIN, marks)
