"""Comparing two documents of the matter: asked of the engine, listed at the right, both places on the pages."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QFileDialog

from engine.document import Document
from engine.protocol.comparison import ClausePlace, Comparison, WordSign
from engine.protocol.messages import Fault
from gui.commands.names import Name
from gui.flows.beside_flow import BesideFlow
from gui.flows.list_flow import AskTarget
from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.processes.interface import Processes
from gui.right.comparison_panel import ComparisonPanel
from gui.state.comparison_export import write_comparison
from gui.state.comparison_view import ComparisonView
from gui.state.comparison_words import kind_words
from gui.state.desk import Desk
from gui.state.versions import Versions
from gui.state.wording import fault_words
from gui.theme import Layer


class ComparisonFlow(QObject):
    """One comparison at a time: the earlier version's place left, the later one's right."""

    def __init__(
        self, window: MainWindow, desk: Desk, processes: Processes, versions: Versions, beside: BesideFlow,
        ask_target: AskTarget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._versions = versions
        self._beside = beside
        self._ask_target = ask_target or self._ask_with_dialog
        self._panel: ComparisonPanel | None = None
        self._pair: tuple[str, str] | None = None
        self._job = 0
        self._texts: tuple[Document, Document] | None = None
        self._view: ComparisonView | None = None
        self._opened_beside = False
        self._beside_next: tuple[str, int, int, list[Mark]] | None = None
        self._then_beside = QTimer(self, singleShot=True, interval=0)
        self._then_beside.timeout.connect(self.on_then_beside_timeout)
        # A review and what follows from it tell several times; one comparison answers them all.
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self.ask)
        actions = window.actions_by_name
        actions[Name.NEXT_DIFFERENCE].triggered.connect(self.on_next_triggered)
        actions[Name.PREVIOUS_DIFFERENCE].triggered.connect(self.on_previous_triggered)
        actions[Name.SAVE_COMPARISON].triggered.connect(self.save)
        processes.compared.connect(self.on_processes_compared)
        processes.job_failed.connect(self.on_processes_job_failed)
        desk.book.rows_reset.connect(self.ask_again)
        versions.findings_changed.connect(self.ask_again)
        desk.document_known.connect(self.on_desk_document_known)
        desk.document_removed.connect(self.on_desk_document_removed)
        self._enable()

    @property
    def panel(self) -> ComparisonPanel:
        """The list of differences; made when it is first wanted."""
        if self._panel is None:
            panel = self._panel = ComparisonPanel()
            self._window.right.addWidget(panel)
            panel.row_shown.connect(self.show_clause)
            panel.swap_wanted.connect(self.on_panel_swap_wanted)
            panel.save_wanted.connect(self.save)
            panel.left.connect(self.leave)
        return self._panel

    @property
    def is_open(self) -> bool:
        """Whether a comparison is on the desk."""
        return self._pair is not None

    # --- asking ---------------------------------------------------------------------------------------------

    @Slot(str, str)
    def compare(self, first: str, second: str) -> None:
        """Compare two documents of the matter; which one is earlier is said by their roles, else by this order."""
        self._begin(*self._versions.in_order(first, second))

    def _begin(self, old: str, new: str) -> None:
        if old == new or self._desk.document(old) is None or self._desk.document(new) is None:
            self._window.status.say(self.tr("Wait until both documents have been read."))
            return
        self._opened_beside = self._opened_beside or not self._beside.is_open
        self._pair, self._view = (old, new), None
        self.panel.show_waiting(*self._names())
        self._window.right.setCurrentWidget(self.panel)
        self.panel.list.setFocus()
        self._enable()
        self.ask()

    @Slot()
    def ask_again(self) -> None:
        """Findings or texts are others: compare once more, when all of them have been told."""
        if self._pair is not None:
            self._again.start()

    @Slot()
    def ask(self) -> None:
        """Ask the engine."""
        if self._pair is None:
            return
        old, new = (self._desk.document(each) for each in self._pair)
        if old is None or new is None:
            return
        if self._job:
            self._processes.cancel(self._job)
        self._texts = (old, new)
        findings = [self._versions.findings_of(document) for document in (old, new)]
        if None in findings:
            # Against a version of which nothing is known every finding would be a new one.
            findings = [(), ()]
        self._job = self._processes.compare(old, new, *(each or () for each in findings))

    @Slot(int, object)
    def on_processes_compared(self, job: int, comparison: Comparison) -> None:
        """It is done."""
        if job != self._job or self._pair is None or self._texts is None:
            return
        self._job = 0
        old, new = self._texts
        known = [self._versions.findings_of(document) for document in (old, new)]
        findings = [finding for each in known for finding in each or ()]
        self._view = ComparisonView(comparison, old, new, findings)
        self.panel.show_comparison(self._view, *self._names(), None in known)
        self._enable()

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """The engine could not."""
        if job == self._job and job:
            self._job = 0
            self.panel.show_waiting(*self._names(), fault_words(fault))

    def _names(self) -> tuple[str, str]:
        old, new = (self._desk.documents.get(each) for each in self._pair or ("", ""))
        return (old.name if old else "", new.name if new else "")

    # --- showing --------------------------------------------------------------------------------------------

    @Slot(int)
    def show_clause(self, clause: int) -> None:
        """A clause's place in the earlier version at the left, in the later one at the right."""
        if self._view is None or self._pair is None:
            return
        old, new = self._pair
        old_place, new_place = self._view.places(clause)
        change = self._view.comparison.clauses[clause]
        changed = [run for run in change.words if run.sign is not WordSign.EQUAL]
        old_spans = _spans(change.old, [(run.old_start, run.old_end) for run in changed])
        new_spans = _spans(change.new, [(run.new_start, run.new_end) for run in changed])
        self._desk.show(old)
        if old_place is not None:
            self._window.pages.view.reveal(*_first(old_place, old_spans))
        tip = kind_words(change)
        self._window.pages.view.set_marks(Layer.DIFFERENCE, _marks(old_spans, tip))
        if new_place is not None:
            # In a turn of its own: two long documents at once would hold the window up.
            self._beside_next = (new, *_first(new_place, new_spans), _marks(new_spans, tip))
            self._then_beside.start()

    @Slot()
    def on_then_beside_timeout(self) -> None:
        """The later version's place."""
        wanted, self._beside_next = self._beside_next, None
        if wanted is not None and self._pair is not None:
            document_id, start, end, marks = wanted
            self._beside.show_place(document_id, start, end)
            self._window.pages.beside.view.set_marks(Layer.DIFFERENCE, marks)

    @Slot()
    def on_next_triggered(self) -> None:
        """F7."""
        self._step(1)

    @Slot()
    def on_previous_triggered(self) -> None:
        """Shift+F7."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._pair is None:
            return
        if self._window.right.currentWidget() is not self.panel:
            self._window.right.setCurrentWidget(self.panel)
        if not self.panel.step(by):
            self._window.status.say(self.tr("There is no further difference in the list."))

    @Slot()
    def on_panel_swap_wanted(self) -> None:
        """The later one is the earlier one."""
        if self._pair is not None:
            self._begin(self._pair[1], self._pair[0])

    @Slot()
    def leave(self) -> None:
        """Back to the findings, and to the later version."""
        pair, self._pair, self._view = self._pair, None, None
        if self._job:
            job, self._job = self._job, 0
            self._processes.cancel(job)
        self._window.right.show_evidence()
        for view in (self._window.pages.view, self._window.pages.beside.view):
            view.set_marks(Layer.DIFFERENCE, [])
        if self._opened_beside:
            self._beside.close()
        self._opened_beside = False
        if pair is not None:
            self._desk.show(pair[1])
        self._enable()
        self._window.pages.view.setFocus()

    @Slot(str)
    def on_desk_document_known(self, document_id: str) -> None:
        """A text has come anew, its tracked changes in another state perhaps."""
        if self._pair is not None and document_id in self._pair:
            self.ask_again()

    @Slot(str)
    def on_desk_document_removed(self, document_id: str) -> None:
        """One of them has left the desk."""
        if self._pair is not None and document_id in self._pair:
            self._pair = None
            self.leave()

    def _enable(self) -> None:
        actions = self._window.actions_by_name
        for name in (Name.NEXT_DIFFERENCE, Name.PREVIOUS_DIFFERENCE, Name.SAVE_COMPARISON):
            actions[name].setEnabled(self._view is not None)

    # --- saving ---------------------------------------------------------------------------------------------

    @Slot()
    def save(self) -> None:
        """Write the list of differences as a table."""
        path = self._ask_target(self.tr("differences") + ".csv") if self._view is not None else None
        if path is None or self._view is None:
            return
        try:
            write_comparison(path, self._view)
        except OSError as error:
            words = self.tr("The list could not be written to {file}: {why}. Choose another folder.")
            self._window.pages.banner.say(words.format(file=path, why=error.strerror or error))
        else:
            self._window.status.say(self.tr("Saved {file}.").format(file=path.name))

    def _ask_with_dialog(self, name: str) -> Path | None:
        title = self.tr("Save the list of differences")
        chosen, kind = QFileDialog.getSaveFileName(self._window, title, name, "CSV (*.csv);;Excel (*.xlsx)")
        # A name without an ending gets that of the kind chosen.
        ending = "" if Path(chosen).suffix else kind.partition("(*")[2].rstrip(")")
        return Path(chosen + ending) if chosen else None


def _spans(place: ClausePlace | None, changed: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What differs on one side: the changed words, or the whole clause where it is there alone or was moved."""
    if place is None:
        return []
    return [(start, end) for start, end in changed if end > start] if changed else [(place.start, place.end)]


def _marks(spans: list[tuple[int, int]], tip: str) -> list[Mark]:
    return [Mark("difference", Layer.DIFFERENCE, start, end, tip=tip) for start, end in spans]


def _first(place: ClausePlace, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Where to look: the first changed words, or the clause's beginning."""
    start, end = spans[0] if spans else (place.start, place.end)
    return start, max(start + 1, min(end, start + 200))
