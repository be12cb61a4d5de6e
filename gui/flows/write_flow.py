"""Written answers: configured in a dialog, shown before they are sent, streamed into the panel, checked at the end.

The window sends nothing to a network: the engine process does, and only what was agreed to here.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from engine.protocol.answers import Answer
from engine.protocol.messages import Fault
from engine.protocol.writing import (
    AnswerWritten,
    ConfigureModel,
    DescribeModel,
    ModelDescribed,
    ModelSettings,
    Write,
    WriteProposed,
    Written,
)
from gui.flows.ask_flow import AskFlow
from gui.main_window import MainWindow
from gui.processes.interface import Processes
from gui.right.model_dialog import ModelDialog
from gui.right.send_dialog import SendDialog
from gui.state.wording import fault_words


class WriteFlow(QObject):
    """One written answer at a time, about the answer that the panel shows."""

    def __init__(self, window: MainWindow, processes: Processes, folder: Path, ask: AskFlow) -> None:
        super().__init__(window)
        self._window = window
        self._processes = processes
        self._folder = str(folder)
        self._ask = ask
        self._card = window.right.ask.written
        self._answer: Answer | None = None
        self._told: ModelDescribed | None = None
        #: Jobs: of writing, of asking which model there is, of keeping one.
        self._writing = self._describing = self._configuring = 0
        self._dialog: ModelDialog | None = None
        self._sending: SendDialog | None = None
        self._card.write_wanted.connect(self.on_card_write_wanted)
        self._card.stop_wanted.connect(self.on_card_stop_wanted)
        self._card.model_wanted.connect(self.open_model)
        ask.answer_shown.connect(self.on_ask_answer_shown)
        ask.note_shown.connect(self.on_ask_note_shown)
        processes.model_described.connect(self.on_processes_model_described)
        processes.write_proposed.connect(self.on_processes_write_proposed)
        processes.writing_progressed.connect(self.on_processes_writing_progressed)
        processes.answer_written.connect(self.on_processes_answer_written)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.job_cancelled.connect(self.on_processes_job_cancelled)

    # --- which model ------------------------------------------------------------------------------------------

    @Slot(object)
    def on_ask_answer_shown(self, answer: Answer | None) -> None:
        """What can be written about now; what was being written about another answer ends."""
        self._answer = answer
        if self._writing:
            job, self._writing = self._writing, 0
            self._processes.cancel(job)
        if self._sending is not None:
            self._sending.reject()
        self._show_ready()
        if answer is not None and self._told is None and not self._describing:
            self._describing = self._processes.write(DescribeModel(0, self._folder))

    @Slot(object)
    def on_ask_note_shown(self, written: Written | None) -> None:
        """A kept answer, with what was written then."""
        if written is not None:
            self._card.show_written(written)

    def _show_ready(self) -> None:
        settings = self._told.settings if self._told else None
        self._card.show_ready(settings.model if settings else "", settings.url if settings else "")

    @Slot()
    def open_model(self) -> None:
        """The dialog, with what is configured now."""
        if self._dialog is None:
            self._dialog = ModelDialog(self._told or ModelDescribed(0, None), self._window)
            self._dialog.save_wanted.connect(self.on_dialog_save_wanted)
            self._dialog.finished.connect(self.on_dialog_finished)
            self._dialog.open()

    @Slot(object, str)
    def on_dialog_save_wanted(self, settings: ModelSettings | None, key: str) -> None:
        """Have the engine keep it."""
        self._configuring = self._processes.write(ConfigureModel(0, self._folder, settings, key))

    @Slot()
    def on_dialog_finished(self) -> None:
        """Closed, however."""
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    @Slot(int, object)
    def on_processes_model_described(self, job: int, told: ModelDescribed) -> None:
        """Which model there is now."""
        if job not in (self._describing, self._configuring):
            return
        self._told = told
        if job == self._configuring:
            self._configuring = 0
            if self._dialog is not None:
                self._dialog.accept()
        else:
            self._describing = 0
        if not self._writing and self._ask.written is None:
            self._show_ready()

    # --- writing ----------------------------------------------------------------------------------------------

    @Slot()
    def on_card_write_wanted(self) -> None:
        """Have an answer written, once what is sent was agreed to."""
        if self._answer is not None and not self._writing:
            self._write(Write(0, self._folder, self._answer))

    def _write(self, order: Write) -> None:
        self._writing = self._processes.write(order)
        self._card.show_waiting()

    @Slot(int, object)
    def on_processes_write_proposed(self, job: int, proposed: WriteProposed) -> None:
        """Show what would be sent; nothing was."""
        if job != self._writing:
            return
        self._writing = 0
        self._show_ready()
        self._sending = SendDialog(proposed, self._window)
        self._sending.finished.connect(self.on_sending_finished)
        self._sending.open()

    @Slot(int)
    def on_sending_finished(self, result: int) -> None:
        """Agreed to, or not."""
        dialog, self._sending = self._sending, None
        if dialog is None:
            return
        dialog.deleteLater()
        if result == SendDialog.DialogCode.Accepted and self._answer is not None:
            proposed = dialog.proposed
            self._write(
                Write(0, self._folder, self._answer, proposed.mark, proposed.url, remember=dialog.remember.isChecked())
            )

    @Slot()
    def on_card_stop_wanted(self) -> None:
        """What has come stays, and is checked."""
        if self._writing:
            self._processes.stop_writing(self._writing)

    @Slot(int, str)
    def on_processes_writing_progressed(self, job: int, words: str) -> None:
        """The next words."""
        if job == self._writing:
            self._card.add_words(words)

    @Slot(int, object)
    def on_processes_answer_written(self, job: int, done: AnswerWritten) -> None:
        """The whole of it."""
        if job == self._writing:
            self._writing = 0
            self._ask.written = done.written
            self._card.show_written(done.written)

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """A sentence; the quoted passages stay."""
        if job and job == self._writing:
            self._writing = 0
            self._card.show_problem(fault_words(fault))
        elif job and job == self._configuring:
            self._configuring = 0
            if self._dialog is not None:
                self._dialog.show_problem(fault_words(fault))
        elif job and job == self._describing:
            # A file that is not readable: said when somebody wants to write.
            self._describing = 0

    @Slot(int)
    def on_processes_job_cancelled(self, job: int) -> None:
        """Stopped before its first word."""
        if job and job == self._writing:
            self._writing = 0
            self._show_ready()
