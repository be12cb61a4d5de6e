"""Going through findings: the inbox, the evidence, the marks on the pages, the decisions."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication

from engine.matter.records import DecisionState
from engine.protocol.findings import Finding, Passage
from gui.commands.names import Name
from gui.flows.finding_marks import FindingMarks, common_marks
from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.state.desk import Desk
from gui.state.finding_row import FindingRow
from gui.state.sieve import Certainty
from gui.theme import Layer

_CERTAINTY = {
    Name.LIST_SURE: Certainty.SURE,
    Name.LIST_LIKELY: Certainty.LIKELY,
    Name.LIST_EVERYTHING: Certainty.EVERYTHING,
}


class FindingsFlow(QObject):
    """Chooses, decides, and keeps inbox, evidence and pages in step.

    Signals:
        passage_shown(position): the pages went to this passage of the chosen finding.
    """

    passage_shown = Signal(int)

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._chosen = ""
        self._passage = 0
        #: The pages had no text yet when they were sent to a passage.
        self._is_unshown = False
        self._drawn_as_reviewed: set[str] = set()
        self._marks = FindingMarks()
        # A new inbox is taken in two turns of the event loop, the list first: in one it is felt.
        self._rest_of_reset = QTimer(self, singleShot=True, interval=0)
        self._rest_of_reset.timeout.connect(self.on_inbox_sieve_changed)
        inbox, evidence = window.left.findings, window.right.evidence
        book = desk.book
        book.review_compared.connect(self.on_book_review_compared)
        book.rows_reset.connect(self.on_book_rows_reset)
        book.rows_changed.connect(self.on_book_rows_changed)
        inbox.finding_chosen.connect(self.on_inbox_finding_chosen)
        inbox.sieve_changed.connect(self.on_inbox_sieve_changed)
        inbox.finding_entered.connect(self.on_inbox_finding_entered)
        inbox.view.selectionModel().selectionChanged.connect(self.on_inbox_selection_changed)
        inbox.other_wanted.connect(self.show_other_passage)
        evidence.passage_entered.connect(self.show_passage)
        evidence.decided.connect(self.on_evidence_decided)
        evidence.note_written.connect(self.on_evidence_note_written)
        evidence.left.connect(self.on_evidence_left)
        evidence.undo_wanted.connect(self.on_undo_triggered)
        window.pages.view.mark_clicked.connect(self.on_view_mark_clicked)
        window.pages.view.elsewhere_clicked.connect(self.on_view_elsewhere_clicked)
        actions = window.actions_by_name
        actions[Name.NEXT_FINDING].triggered.connect(self.on_next_triggered)
        actions[Name.PREVIOUS_FINDING].triggered.connect(self.on_previous_triggered)
        actions[Name.OTHER_PASSAGE].triggered.connect(self.show_other_passage)
        actions[Name.CONFIRM].triggered.connect(self.on_confirm_triggered)
        actions[Name.FLAG].triggered.connect(self.on_flag_triggered)
        actions[Name.DISMISS].triggered.connect(evidence.ask_reason)
        actions[Name.NOTE].triggered.connect(evidence.edit_note)
        actions[Name.UNDO].triggered.connect(self.on_undo_triggered)
        actions[Name.REDO].triggered.connect(self.on_redo_triggered)
        actions[Name.COPY_FINDING].triggered.connect(self.on_copy_triggered)
        actions[Name.SELECT_ALL].triggered.connect(inbox.select_all)
        for name in _CERTAINTY:
            actions[name].triggered.connect(self.on_certainty_triggered)
        self._check_certainty()

    def refresh(self) -> None:
        """Show the matter's findings, in a new window."""
        self.on_book_rows_reset()

    # --- choosing -------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> FindingRow | None:
        """The finding whose evidence is shown."""
        return self._desk.book.row(self._chosen)

    @property
    def passage(self) -> int:
        """Which of the chosen finding's passages the pages were sent to last."""
        return self._passage

    def choose(self, finding_id: str) -> None:
        """Show a finding's evidence and go to its first passage."""
        row = self._desk.book.row(finding_id)
        if row is None:
            return
        fresh = finding_id != self._chosen
        self._chosen = finding_id
        self._window.right.show_evidence()
        self._show_row(row)
        if fresh:
            self.show_passage(0)

    @Slot(int)
    def show_passage(self, position: int) -> None:
        """Move the pages to one of the chosen finding's passages."""
        row = self.chosen
        if row is None or not 0 <= position < len(row.finding.passages):
            return
        self._passage = position
        passage = row.finding.passages[position]
        if passage.document != self._desk.current:
            self._desk.show(passage.document)
        self._choose_on_pages(row.finding)
        self._is_unshown = not self._window.pages.view.reveal(passage.start, passage.end)
        self._window.right.evidence.set_current_passage(position)
        self.passage_shown.emit(position)

    @Slot()
    def show_other_passage(self) -> None:
        """The next passage of the chosen finding, round and round."""
        row = self.chosen
        if row is not None and row.finding.passages:
            self.show_passage((self._passage + 1) % len(row.finding.passages))

    @Slot(str)
    def on_inbox_finding_chosen(self, finding_id: str) -> None:
        """The current row changed."""
        self.choose(finding_id)

    @Slot(str)
    def on_inbox_finding_entered(self, finding_id: str) -> None:
        """Enter or a double click: the other passage."""
        if finding_id == self._chosen:
            self._window.right.show_evidence()
            self.show_other_passage()

    @Slot()
    def on_inbox_selection_changed(self) -> None:
        """Several may be selected: the decision bar says so."""
        row = self.chosen
        if row is not None:
            self._show_row(row)

    @Slot(str)
    def on_view_mark_clicked(self, mark_id: str) -> None:
        """A mark on the page: choose its finding, unless it is a link's."""
        if self._desk.book.row(mark_id) is None:
            return
        if not self._window.left.findings.choose(mark_id):
            self.choose(mark_id)

    @Slot(int)
    def on_view_elsewhere_clicked(self, number: int) -> None:
        """A stub that leads into another document."""
        row = self.chosen
        if row is None:
            return
        elsewhere = [i for i, p in enumerate(row.finding.passages) if p.document != self._desk.current]
        if number < len(elsewhere):
            self.show_passage(elsewhere[number])

    @Slot()
    def on_next_triggered(self) -> None:
        """J."""
        if not self._window.left.findings.step(1):
            self._window.status.say(self.tr("That was the last finding."))

    @Slot()
    def on_previous_triggered(self) -> None:
        """K."""
        if not self._window.left.findings.step(-1):
            self._window.status.say(self.tr("That was the first finding."))

    # --- deciding -------------------------------------------------------------------------------------------

    @Slot(str, str)
    def on_evidence_decided(self, state: str, reason: str) -> None:
        """A decision for all that is selected."""
        ids = self._window.left.findings.selected_ids() or [self._chosen]
        if self._chosen and self._chosen not in ids:
            ids = [self._chosen]
        if self._desk.book.decide(ids, DecisionState(state), reason) and len(ids) == 1:
            self._go_on(ids[0])

    @Slot()
    def on_confirm_triggered(self) -> None:
        """C."""
        if self.chosen is not None:
            self.on_evidence_decided(DecisionState.CONFIRMED.value, "")

    @Slot()
    def on_flag_triggered(self) -> None:
        """F."""
        if self.chosen is not None:
            self.on_evidence_decided(DecisionState.FLAGGED.value, "")

    @Slot(str, str)
    def on_evidence_note_written(self, finding_id: str, text: str) -> None:
        """Keep a note."""
        self._desk.book.write_note(finding_id, text)

    @Slot()
    def on_evidence_left(self) -> None:
        """The keyboard goes back to the inbox."""
        self._window.left.show_tab(self._window.left.findings)

    @Slot()
    def on_undo_triggered(self) -> None:
        """U: take the last act back, and show what it was about."""
        self._window.right.evidence.note.flush()
        words = self._desk.book.undo()
        said = self.tr("Undone: {what}").format(what=words) if words else self.tr("There is nothing to undo.")
        self._window.status.say(said)

    @Slot()
    def on_redo_triggered(self) -> None:
        """Shift+U: once more what was taken back."""
        words = self._desk.book.redo()
        said = self.tr("Done again: {what}").format(what=words) if words else self.tr("There is nothing to do again.")
        self._window.status.say(said)

    def _go_on(self, decided: str) -> None:
        """After a decision on one finding: the next one, as in a mail client."""
        row = self._desk.book.row(decided)
        inbox = self._window.left.findings
        settled = row is not None and row.verdict in (DecisionState.CONFIRMED, DecisionState.DISMISSED)
        if settled and inbox.current_id() == decided:
            inbox.step(1)

    # --- handing over -------------------------------------------------------------------------------------------

    @Slot()
    def on_copy_triggered(self) -> None:
        """The chosen finding as text, for a mail."""
        row = self.chosen
        if row is None:
            return
        parts = [row.finding.summary]
        for passage in row.finding.passages:
            heading, document = self._name(passage)
            page = self.tr("page {page}").format(page=passage.page + 1)
            place = ", ".join(part for part in (passage.clause, heading, document, page) if part)
            parts.append(f"{place}:\n{passage.text}")
        QGuiApplication.clipboard().setText("\n\n".join([*parts, row.finding.settle]).rstrip())
        self._window.status.say(self.tr("Copied."))

    # --- the matter says ------------------------------------------------------------------------------------

    @Slot()
    def on_book_rows_reset(self) -> None:
        """Another inbox."""
        rows = self._desk.book.rows()
        self._marks.forget()
        if self._desk.book.row(self._chosen) is None:
            self._chosen = ""
            self._window.right.evidence.show_row(None, self._name)
        self._window.left.findings.model.document_names = {
            each.id: each.name for each in self._desk.documents.values()
        }
        self._window.left.findings.set_rows(rows)
        # The list may have found again, in silence, what was chosen when these findings were listed before.
        self._chosen = self._chosen or self._window.left.findings.current_id()
        chosen = self.chosen
        if chosen is not None:
            self._show_row(chosen)
        self._show_counts()
        self._rest_of_reset.start()

    @Slot(int, int, int)
    def on_book_review_compared(self, new: int, gone: int, changed: int) -> None:
        """A second review: say what is other than before."""
        words = self.tr("Reviewed again: {new} new, {gone} gone, {changed} changed. Every decision is kept.")
        if not (new or gone or changed):
            words = self.tr("Reviewed again: nothing is new, gone or changed.")
        self._window.status.say(words.format(new=new, gone=gone, changed=changed))

    @Slot()
    def on_inbox_sieve_changed(self) -> None:
        """Weaker findings are shown, or hidden: in the counts and on the pages alike."""
        self._check_certainty()
        self._show_counts()
        self.mark_pages()

    @Slot(dict)
    def on_book_rows_changed(self, changed: dict[str, FindingRow]) -> None:
        """Decisions changed."""
        self._window.left.findings.update_rows(changed)
        self._show_counts()
        row = changed.get(self._chosen)
        if row is not None:
            self._show_row(row)
        # Only a dismissal, or its end, changes how a finding is drawn; with 2,000 of them drawing anew is felt.
        dismissed = {each.id for each in changed.values() if each.verdict is DecisionState.DISMISSED}
        if dismissed != self._drawn_as_reviewed & changed.keys():
            self.mark_pages()

    @Slot()
    def on_certainty_triggered(self) -> None:
        """A command that shows weaker findings, or only surer ones."""
        action = self.sender()
        if isinstance(action, QAction):
            bar = self._window.left.findings.certainty
            bar.set_sieve(bar.sieve.with_certainty(_CERTAINTY[Name(action.objectName())]))

    def _check_certainty(self) -> None:
        certainty = self._window.left.findings.certainty.sieve.certainty
        name = next(name for name, each in _CERTAINTY.items() if each is certainty)
        self._window.actions_by_name[name].setChecked(True)

    def shown_rows(self) -> list[FindingRow]:
        """The findings that the inbox lists."""
        is_passing = self._window.left.findings.model.is_passing
        return [row for row in self._desk.book.rows() if is_passing(row.id)]

    def _show_counts(self) -> None:
        counts = Counter(row.verdict for row in self.shown_rows() if not row.is_gone)
        self._window.status.show_counts(counts)

    # --- drawing ----------------------------------------------------------------------------------------------

    @Slot()
    def mark_pages(self) -> None:
        """Put all findings' marks on the document that is shown."""
        for layer, marks in self.layers_of(self._desk.current).items():
            if layer is not Layer.ANCHOR:
                self._put_marks(layer, marks)
        row_now = self.chosen
        if row_now is not None:
            self._choose_on_pages(row_now.finding)
            if self._is_unshown and self._desk.document(self._desk.current) is not None:
                self.show_passage(self._passage)
                self._is_unshown = False

    def layers_of(self, document: str) -> dict[Layer, list[Mark]]:
        """The marks of all findings on a document, and of the values on which the chosen one's passages agree."""
        conflicts: list[Mark] = []
        reviewed: list[Mark] = []
        shown = self.shown_rows()
        for row in shown:
            if row.is_gone:
                continue
            marks = reviewed if row.verdict is DecisionState.DISMISSED else conflicts
            marks.extend(self._marks.of(row, document))
        self._drawn_as_reviewed = {
            row.id for row in shown if row.verdict is DecisionState.DISMISSED and not row.is_gone
        }
        chosen = self.chosen
        common = common_marks(chosen.finding, document) if chosen is not None else []
        return {Layer.CONFLICT: conflicts, Layer.REVIEWED: reviewed, Layer.ANCHOR: common}

    def _put_marks(self, layer: Layer, marks: list[Mark]) -> None:
        view = self._window.pages.view
        if view.marks.layer(layer) != tuple(marks):
            view.set_marks(layer, marks)

    def _choose_on_pages(self, finding: Finding) -> None:
        current = self._desk.current
        elsewhere = [self._name(p)[1] or p.clause for p in finding.passages if p.document != current]
        self._put_marks(Layer.ANCHOR, common_marks(finding, current))
        self._window.pages.view.set_chosen(finding.id, elsewhere)

    def _show_row(self, row: FindingRow) -> None:
        selected = len(self._window.left.findings.selected_ids())
        self._window.right.evidence.show_row(row, self._name, selected)

    def _name(self, passage: Passage) -> tuple[str, str]:
        """A passage's clause heading, and its document's name when there are several."""
        document = self._desk.document(passage.document)
        clause = document.clause_by_id.get(passage.clause_id) if document else None
        heading = clause.heading if clause else ""
        if document and clause and not heading:
            # A clause without a heading is known by that of the article around it.
            heading = next((parent.heading for parent in document.ancestors(clause) if parent.heading), "")
        entry = self._desk.documents.get(passage.document)
        several = len(self._desk.documents) > 1
        return (heading, entry.name if entry and several else "")
