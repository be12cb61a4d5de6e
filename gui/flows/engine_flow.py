"""What the children say: the engine's state, how far a review is, deaths and restarts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from engine.protocol.messages import EngineStatus
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.processes.interface import Processes
from gui.state.desk import Desk
from gui.state.wording import engine_notice_words


class EngineFlow(QObject):
    """Between children and status line, top bar, banner."""

    def __init__(self, window: MainWindow, desk: Desk, processes: Processes) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._notice = ""
        review = desk.review
        processes.engine_status_changed.connect(self.on_processes_engine_status_changed)
        processes.child_died.connect(self.on_processes_child_died)
        processes.child_given_up.connect(self.on_processes_child_given_up)
        review.started.connect(self.on_review_started)
        review.progressed.connect(self.on_review_progressed)
        review.finished.connect(self.on_review_finished)
        review.failed.connect(self.on_review_failed)
        review.cancelled.connect(self.on_review_cancelled)
        desk.opening_ended.connect(self.show_waiting)
        desk.document_opened.connect(self.on_desk_document_opened)
        desk.current_changed.connect(self.on_desk_current_changed)
        window.status.cancel_wanted.connect(review.cancel)
        window.actions_by_name[Name.REVIEW].triggered.connect(desk.review_again)
        window.actions_by_name[Name.CANCEL_REVIEW].triggered.connect(review.cancel)
        window.actions_by_name[Name.CANCEL_REVIEW].setEnabled(False)

    def refresh(self) -> None:
        """Show what the engine said last, in a new window."""
        status = self._desk.review.status
        if status is not None:
            self._window.top_bar.engine.show_status(status)
            self._notice = status.notice
        if self._desk.review.is_running:
            self.on_review_started()
        self.show_waiting()

    @Slot(object)
    def on_processes_engine_status_changed(self, status: EngineStatus) -> None:
        """Loading, ready or failed."""
        self._window.top_bar.engine.show_status(status)
        if status.notice and status.notice != self._notice:
            self._window.pages.banner.say(engine_notice_words(status), calm=status.state == "ready")
        self._notice = status.notice
        self.show_waiting()

    @Slot(str, str)
    def on_processes_child_died(self, role: str, _sentence: str) -> None:
        """Say it in words; nothing was lost."""
        if role == "engine":
            self._window.top_bar.engine.show_state("starting", "")
        words = self.tr("{name} stopped and was started again; nothing was lost.").format(name=self._name(role))
        self._window.pages.banner.say(words, calm=True)

    @Slot(str)
    def on_processes_child_given_up(self, role: str) -> None:
        """It dies again and again: the person starts it."""
        if role == "engine":
            self._window.top_bar.engine.show_state("stopped", "")
        words = self.tr("{name} keeps stopping. Nothing was lost; what you decided is saved.")
        act = (self.tr("Start it again"), lambda: self._processes.restart(role))
        self._window.pages.banner.say(words.format(name=self._name(role)), act=act)

    def _name(self, role: str) -> str:
        return {"reader": self.tr("The reader"), "engine": self.tr("The engine")}.get(role, role)

    # --- the review -------------------------------------------------------------------------------------------

    @Slot()
    def on_review_started(self) -> None:
        """The engine is at it."""
        self._window.actions_by_name[Name.CANCEL_REVIEW].setEnabled(True)
        self._window.status.show_progress(self.tr("reviewing"), -1, -1)
        self._window.left.findings.set_empty_words(
            self.tr("Reviewing… You can read meanwhile; findings appear here when it is done.")
        )

    @Slot(str, float, float)
    def on_review_progressed(self, stage: str, share: float, left_s: float) -> None:
        """A step further."""
        full = stage == "reading" and self._desk.review.full_check
        words = self.tr("reading every pair together") if full else self.tr("reviewing")
        self._window.status.show_progress(words, share, left_s)

    @Slot()
    def on_review_finished(self) -> None:
        """The findings have come."""
        self._end()
        self._window.left.findings.set_empty_words(
            self.tr("No contradiction was found. That is no proof that there is none.")
        )

    @Slot(str)
    def on_review_failed(self, sentence: str) -> None:
        """No findings this time."""
        self._end()
        self._window.status.show_outcome(self.tr("the review did not finish"))
        self._window.left.findings.set_empty_words(self.tr("The review did not finish. F5 reviews again."))
        self._window.pages.banner.say(sentence, act=(self.tr("Review again"), self._desk.review_again))

    @Slot()
    def on_review_cancelled(self) -> None:
        """Stopped."""
        self._end()
        if not self._desk.current:
            return
        self._window.left.findings.set_empty_words(self.tr("The review was stopped. F5 reviews again."))

    def _end(self) -> None:
        self._window.actions_by_name[Name.CANCEL_REVIEW].setEnabled(False)
        self._window.status.hide_progress()

    @Slot()
    def show_waiting(self) -> None:
        """Say why there are no findings yet."""
        status = self._desk.review.status
        if self._desk.review.is_running or not self._desk.current:
            return
        if status is not None and status.state == "failed":
            words = engine_notice_words(status) or self.tr("The engine could not start, so there is no review.")
        elif self._desk.review.is_waiting:
            words = self.tr("The engine is loading. The review starts by itself.")
        else:
            return
        self._window.left.findings.set_empty_words(words)

    @Slot()
    def on_desk_document_opened(self) -> None:
        """Its text is still being read."""
        self._window.left.findings.set_empty_words(self.tr("Reading the contract…"))

    @Slot(str)
    def on_desk_current_changed(self, document_id: str) -> None:
        """The desk is empty, perhaps."""
        if not document_id:
            self._window.left.findings.set_empty_words(
                self.tr("Open a contract to see where it contradicts itself.")
            )
