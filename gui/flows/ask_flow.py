"""Asking: a question goes to the engine with what it has not read yet; its answer goes to the panel and the pages."""

from __future__ import annotations

import re

import msgspec
from PySide6.QtCore import QObject, Signal, Slot

from engine.matter.records import DecisionState
from engine.protocol.answers import Answer, AnswerPassage, PassageConflict
from engine.protocol.findings import Passage
from engine.protocol.messages import Ask, Fault, FaultCode
from engine.protocol.writing import Written
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.pages.span_mime import DraggedSpan
from gui.processes.interface import Processes
from gui.right.ask_panel import MAX_EARLIER
from gui.state.answer_notes import AnswerNote, AnswerNotes
from gui.state.desk import Desk
from gui.state.wording import fault_words, page_words
from gui.theme import Layer

_HAN = re.compile(r"[\u3400-\u9fff]")
MARK = "answer"
#: The matter's setting that holds its questions, oldest first.
QUESTIONS_SETTING = "ask.questions"


class AskFlow(QObject):
    """One question at a time; a new one takes the place of the one that runs.

    Signals:
        answer_shown(Answer or None): what the panel shows; None while it shows none.
        note_shown(Written or None): the answer shown is a kept one, with what was written then.
    """

    answer_shown = Signal(object)
    note_shown = Signal(object)

    def __init__(self, window: MainWindow, desk: Desk, processes: Processes) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._job = 0
        self._answer: Answer | None = None
        self._asked = ""
        self._notes = AnswerNotes(desk.book)
        #: What a model wrote about the answer shown; set by the flow that asks it.
        self.written: Written | None = None
        self._earlier: list[str] = []
        self._matter = ""
        #: What the engine has indexed, by document and language.
        self._indexed: set[tuple[str, str]] = set()
        self._sent: tuple[set[tuple[str, str]], str] = (set(), "")
        panel = window.right.ask
        panel.asked.connect(self.ask)
        panel.stopped.connect(self.on_panel_stopped)
        panel.passage_entered.connect(self.show_passage)
        panel.link_wanted.connect(self.on_panel_link_wanted)
        panel.copy_wanted.connect(self.on_panel_copy_wanted)
        panel.note_toggled.connect(self.on_panel_note_toggled)
        panel.note_entered.connect(self.on_panel_note_entered)
        panel.left.connect(self.on_panel_left)
        window.actions_by_name[Name.ASK].triggered.connect(self.on_ask_triggered)
        processes.answered.connect(self.on_processes_answered)
        processes.job_progressed.connect(self.on_processes_job_progressed)
        processes.job_failed.connect(self.on_processes_job_failed)
        processes.child_died.connect(self.on_processes_child_died)
        desk.matter_opened.connect(self.on_desk_matter_opened)
        desk.current_changed.connect(self.on_desk_current_changed)

    # --- asking -----------------------------------------------------------------------------------------------

    @Slot()
    def on_ask_triggered(self) -> None:
        """The panel, its line ready to be written into."""
        self._window.right.show_ask()
        self._window.right.ask.focus_question()

    @Slot(str)
    def ask(self, question: str) -> None:
        """Ask the documents on the desk."""
        panel = self._window.right.ask
        everything = [entry.document for entry in self._desk.documents.values() if entry.document is not None]
        # What an earlier version says holds no more.
        earlier = self._desk.book.earlier_versions()
        known = [document for document in everything if document.id not in earlier] or everything
        if not known:
            panel.show_problem(self.tr("Open a contract first, and wait until it has been read."))
            return
        self._stop()
        chinese = _HAN.search(question) or any(document.language != "en" for document in known)
        language = "zh" if chinese else "en"
        fresh = [document for document in known if (document.id, language) not in self._indexed]
        index = self._desk.book.index_folder
        order = Ask(
            0, question, tuple(document.id for document in known), language, index=str(index) if index else "",
            history=tuple(self._earlier[-2:]),
        )  # fmt: skip
        self._sent = ({(document.id, language) for document in known}, question)
        self._job = self._processes.ask(order, fresh)
        panel.show_waiting(question, self.tr("Looking…"))
        self._clear_marks()

    def _stop(self) -> None:
        if self._job:
            job, self._job = self._job, 0
            self._processes.cancel(job)

    @Slot()
    def on_panel_stopped(self) -> None:
        """Stop."""
        self._stop()
        self._window.right.ask.show_problem(self.tr("Stopped."))

    # --- answers ----------------------------------------------------------------------------------------------

    @Slot(int, object, object)
    def on_processes_answered(self, job: int, answer: Answer, _seconds: object) -> None:
        """Show it, mark its quotes, go to the first."""
        if job != self._job:
            return
        self._job = 0
        indexed, question = self._sent
        self._indexed |= indexed
        self._remember(question)
        self._window.right.ask.show_earlier(self._earlier[:-1])
        self._show(question, answer)

    def _show(self, question: str, answer: Answer) -> None:
        self._answer, self._asked, self.written = answer, question, None
        panel = self._window.right.ask
        sentences, pair = self._disagreements(answer)
        panel.show_answer(answer, self._name_of, sentences, pair)
        panel.show_kept(self._notes.holds(AnswerNote(question, answer)))
        self.answer_shown.emit(answer)
        if answer.passages:
            self.show_passage(0)

    @Slot(int, str, int, int)
    def on_processes_job_progressed(self, job: int, stage: str, done: int, total: int) -> None:
        """Indexing takes a while the first time."""
        if job == self._job and stage == "indexing" and total:
            words = self.tr("Reading for the first question: document {n} of {total}…")
            self._window.right.ask.said.setText(words.format(n=done + 1, total=total))

    @Slot(int, object)
    def on_processes_job_failed(self, job: int, fault: Fault) -> None:
        """Say why not; what an engine of before had indexed must be sent again."""
        if job != self._job:
            return
        self._job = 0
        if fault.code is FaultCode.NOT_OPEN:
            self._indexed.clear()
        self._window.right.ask.show_problem(fault_words(fault))

    @Slot(str, str)
    def on_processes_child_died(self, role: str, _sentence: str) -> None:
        """A new engine has indexed nothing."""
        if role == "engine":
            self._indexed.clear()

    def _remember(self, question: str) -> None:
        if question in self._earlier:
            self._earlier.remove(question)
        self._earlier = [*self._earlier, question][-MAX_EARLIER - 1 :]
        if not self._desk.book.read_only:
            self._desk.book.remember(QUESTIONS_SETTING, msgspec.json.encode(self._earlier).decode())

    def _remembered(self) -> list[str]:
        """The questions of the matter's last time; none where its setting is not readable."""
        try:
            return msgspec.json.decode(self._desk.book.setting(QUESTIONS_SETTING, "[]"), type=list[str])
        except msgspec.MsgspecError:
            return []

    def _name_of(self, passage: AnswerPassage) -> tuple[str, str]:
        entry = self._desk.documents.get(passage.document)
        named = entry.name if entry and len(self._desk.documents) > 1 else ""
        return passage.heading.rpartition(" / ")[2], named

    def _disagreements(self, answer: Answer) -> tuple[list[str], tuple[int, int] | None]:
        """What the review found between passages of the answer, if the inbox shows it and nobody dismissed it, then
        values that differ in others; and the places of the first two."""
        out = []
        told: set[tuple[int, int]] = set()
        pair: tuple[int, int] | None = None
        is_passing = self._window.left.findings.model.is_passing
        for row in self._desk.book.rows():
            if row.verdict is DecisionState.DISMISSED or not is_passing(row.id):
                continue
            touched = {i for i, p in enumerate(answer.passages, 1) if any(_overlap(p, q) for q in row.finding.passages)}
            if len(touched) > 1 and not row.is_gone:
                first, second = sorted(touched)[:2]
                pair = pair or (first - 1, second - 1)
                told.add((first - 1, second - 1))
                words = self.tr("Passages {a} and {b} disagree: {summary}")
                out.append(words.format(a=first, b=second, summary=row.finding.summary))
        for conflict in answer.conflicts:
            places = (conflict.first, conflict.second)
            if places not in told:
                out.append(self._differing(conflict))
                pair = pair or places
        return out, pair

    def _differing(self, conflict: PassageConflict) -> str:
        words = {
            "first_prevails": self.tr("Passage {a} says that it prevails over passage {b}: “{x}” against “{y}”."),
            "second_prevails": self.tr("Passage {b} says that it prevails over passage {a}: “{x}” against “{y}”."),
        }.get(conflict.code, self.tr("Passages {a} and {b} differ: “{x}” against “{y}”."))
        x, y = conflict.values
        return words.format(a=conflict.first + 1, b=conflict.second + 1, x=x, y=y)

    # --- on the pages -----------------------------------------------------------------------------------------

    @Slot(int)
    def show_passage(self, position: int) -> None:
        """Move the pages to a passage of the answer."""
        if self._answer is None or not 0 <= position < len(self._answer.passages):
            return
        passage = self._answer.passages[position]
        if passage.document != self._desk.current:
            self._desk.show(passage.document)
        self._mark()
        self._window.pages.view.reveal(*passage.quotes[0])
        self._window.right.ask.set_current(position)

    @Slot(str)
    def on_desk_current_changed(self, _document: str) -> None:
        """The quotes in the document that is shown now."""
        self._mark()

    def _mark(self) -> None:
        marks = []
        for passage in self._answer.passages if self._answer is not None else ():
            if passage.document == self._desk.current:
                marks += [Mark(MARK, Layer.ANCHOR, start, end, tip=passage.heading) for start, end in passage.quotes]
        self._window.pages.view.set_marks(Layer.ANCHOR, marks)

    def _clear_marks(self) -> None:
        self._answer = self.written = None
        self._mark()
        self.answer_shown.emit(None)

    @Slot()
    def on_desk_matter_opened(self) -> None:
        """Another matter: its questions are its own."""
        path = str(self._desk.book.path)
        if path != self._matter:
            self._matter = path
            self._earlier = self._remembered()
            self._stop()
            self._clear_marks()
            self._window.right.ask.clear()
            self._window.right.ask.show_earlier(self._earlier[-MAX_EARLIER:])
            self._notes.load()
            self._list_notes()

    # --- what can be done with an answer ------------------------------------------------------------------------

    @Slot(int, int)
    def on_panel_link_wanted(self, first: int, second: int) -> None:
        """Join two passages."""
        if self._answer is not None and max(first, second) < len(self._answer.passages):
            chosen = (self._answer.passages[first], self._answer.passages[second])
            spans = [DraggedSpan(p.document, *p.quotes[0]) for p in chosen]
            self.link_wanted(*spans)

    def link_wanted(self, first: DraggedSpan, second: DraggedSpan) -> None:
        """Ask for the link's kind, as a drop does."""
        self._window.left.clauses.link_dropped.emit(first, second)

    @Slot()
    def on_panel_copy_wanted(self) -> None:
        """The question and its quotes with their places, for a mail or a note."""
        if self._answer is None:
            return
        lines = [self._answer.question]
        for passage in self._answer.passages:
            entry = self._desk.documents.get(passage.document)
            document = entry.document if entry else None
            quotes = [document.quote(a, b) for a, b in passage.quotes] if document else [passage.text]
            place = ", ".join(
                part for part in (passage.number, *self._name_of(passage), page_words(passage.page)) if part
            )
            lines.append(f"{place}:\n“{' … '.join(quotes)}”")
        self._window.right.ask.copy_text("\n\n".join(lines))
        self._window.status.say(self.tr("Copied."))

    @Slot(bool)
    def on_panel_note_toggled(self, kept: bool) -> None:
        """Keep the answer with the matter, or no longer."""
        panel = self._window.right.ask
        if self._answer is None:
            return
        note = AnswerNote(self._asked, self._answer, self.written)
        done = self._notes.keep(note) if kept else self._notes.forget(note)
        if not done:
            self._window.status.say(self.tr("This matter cannot be changed here."))
        panel.show_kept(self._notes.holds(note))
        self._list_notes()

    def _list_notes(self) -> None:
        self._window.right.ask.show_notes([note.asked for note in self._notes.notes])

    @Slot(int)
    def on_panel_note_entered(self, position: int) -> None:
        """Show a kept answer again; the newest is 0."""
        if position < len(self._notes.notes):
            note = self._notes.notes[-1 - position]
            self._stop()
            self._window.right.ask.question.setText(note.asked)
            self._show(note.asked, note.answer)
            self.written = note.written
            self.note_shown.emit(note.written)

    @Slot()
    def on_panel_left(self) -> None:
        """Esc: back to the evidence."""
        self._window.right.show_evidence()
        self._window.left.show_tab(self._window.left.findings)


def _overlap(passage: AnswerPassage, other: Passage) -> bool:
    return passage.document == other.document and passage.start < other.end and other.start < passage.end

