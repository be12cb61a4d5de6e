"""Handing over: a marked copy of the shown contract, a report about the review."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from engine.protocol.handover import Form
from engine.protocol.messages import EngineStatus, Fault, HandedOver, HandOver
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.processes.interface import Processes
from gui.state.desk import Desk
from gui.state.finding_row import FindingRow
from gui.state.handover import AskPlace, Handover
from gui.state.wording import fault_words

_FILTERS = {Form.PDF: "PDF (*.pdf)", Form.DOCX: "Word (*.docx)"}


class HandoverFlow(QObject):
    """Asks where to, has the reader write it, says when it is there."""

    def __init__(
        self, window: MainWindow, desk: Desk, processes: Processes, ask_place: AskPlace | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._ask_place = ask_place or self._ask_with_dialog
        self._handover = Handover(desk, self)
        self._engine: EngineStatus | None = None
        self._jobs: set[int] = set()
        actions = window.actions_by_name
        actions[Name.SAVE_MARKED].triggered.connect(self.on_save_marked_triggered)
        actions[Name.SAVE_REPORT].triggered.connect(self.on_save_report_triggered)
        processes.engine_status_changed.connect(self.on_processes_engine_status_changed)
        processes.handed_over.connect(self.on_processes_handed_over)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.job_cancelled.connect(self.on_processes_job_cancelled)

    @Slot()
    def on_save_marked_triggered(self) -> None:
        """A copy of the contract on the pages, with its findings."""
        entry = self._desk.documents.get(self._desk.current)
        if entry is None or entry.document is None:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
            return
        document = entry.document
        marks = self._handover.marks(self._rows(), document)
        if not marks:
            self._window.status.say(self.tr("There is no finding to mark in this document."))
            return
        forms = [Form.DOCX, Form.PDF] if entry.media == "docx" and entry.path.suffix == ".docx" else [Form.PDF]
        name = self.tr("{name} (marked)").format(name=Path(entry.name).stem)
        asked = self._ask(self.tr("Save a marked copy"), name, forms)
        if asked is None:
            return
        path, form = asked
        self._order(
            HandOver(
                0, form, str(path), document=document.id, source=str(entry.path.absolute()),
                is_pdf=entry.media == "pdf", text=document.text if form is Form.DOCX else "", marks=marks,
            )
        )  # fmt: skip

    @Slot()
    def on_save_report_triggered(self) -> None:
        """A report about the findings that are shown."""
        rows = self._rows()
        if not self._desk.documents:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
            return
        asked = self._ask(self.tr("Save a report"), self.tr("Review report"), [Form.PDF, Form.DOCX])
        if asked is not None:
            path, form = asked
            report = self._handover.report(rows, self._engine, self._desk.book.language)
            self._order(HandOver(0, form, str(path), report))

    def _rows(self) -> list[FindingRow]:
        """The findings that the inbox shows."""
        is_passing = self._window.left.findings.model.is_passing
        return [row for row in self._desk.book.rows() if is_passing(row.id)]

    def _order(self, order: HandOver) -> None:
        self._jobs.add(self._processes.hand_over(order))
        self._window.status.say(self.tr("Saving {file}…").format(file=Path(order.target).name))

    # --- asking -----------------------------------------------------------------------------------------------

    def _ask(self, title: str, name: str, forms: Sequence[Form]) -> tuple[Path, Form] | None:
        chosen = self._ask_place(title, f"{name}.{forms[0]}", [_FILTERS[form] for form in forms])
        if not chosen:
            return None
        path = Path(chosen)
        form = next((form for form in forms if path.suffix.lower() == f".{form}"), None)
        # A name without an ending of ours gets the first one's, as file dialogs do.
        return (path, form) if form else (path.with_name(f"{path.name}.{forms[0]}"), forms[0])

    def _ask_with_dialog(self, title: str, name: str, filters: Sequence[str]) -> str:
        chosen, wanted = QFileDialog.getSaveFileName(self._window, title, name, ";;".join(filters))
        ending = wanted.partition("(*")[2].rstrip(")")
        return chosen if not chosen or Path(chosen).suffix or not ending else chosen + ending

    # --- answers ----------------------------------------------------------------------------------------------

    @Slot(object)
    def on_processes_engine_status_changed(self, status: EngineStatus) -> None:
        """The report names the engine."""
        self._engine = status

    @Slot(int, object)
    def on_processes_handed_over(self, job: int, answer: HandedOver) -> None:
        """It is there."""
        if job not in self._jobs:
            return
        self._jobs.discard(job)
        self._window.status.say(self.tr("Saved {file}.").format(file=Path(answer.target).name))
        if answer.left_out:
            words = self.tr("Saved {file}. These passages have no place of their own in it and got no mark: {labels}.")
            labels = ", ".join(answer.left_out)
            self._window.pages.banner.say(words.format(file=Path(answer.target).name, labels=labels))

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """It could not be made: the sentence says what to do."""
        if job in self._jobs:
            self._jobs.discard(job)
            self._window.pages.banner.say(fault_words(fault))

    @Slot(int)
    def on_processes_job_cancelled(self, job: int) -> None:
        """Nothing was written."""
        self._jobs.discard(job)
