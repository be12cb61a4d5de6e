"""Opening: files, drops, passwords, recent matters; and which document the pages show."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMenu

from engine.document import Clause, Document
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.history import Place
from gui.pages.page_source import PageSource
from gui.pages.supervisor_source import SupervisorSource
from gui.processes.interface import Processes
from gui.samples import sample_contract
from gui.state.desk import Desk
from gui.state.keeping import MATTER_SUFFIX
from gui.state.opening import PLACE_SETTING
from gui.state.references import reference_at
from gui.state.wording import notice_words

#: Notices that the line of tracked changes and the Notes tab make needless.
_SHOWN_ELSEWHERE = ("tracked_changes", "comments", "annotations")
FILE_PATTERNS = "*.pdf *.docx *.doc *.txt *.md *.antinomy"

#: Asks the person for files; a test puts its own in.
AskFiles = Callable[[], Sequence[Path]]


class DocumentsFlow(QObject):
    """Between the desk's documents and the pages.

    Signals:
        text_shown(id): the pages now have the document's text, marks can be put on it.
        document_switched(): the pages show another document.
    """

    text_shown = Signal(str)
    document_switched = Signal()

    def __init__(
        self, window: MainWindow, desk: Desk, processes: Processes, ask_files: AskFiles | None = None
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self.ask_files = ask_files or self._ask_with_dialog
        self._sources: dict[str, PageSource] = {}
        self._places: dict[str, Place] = {}
        self._shown = ""
        self._shown_text: Document | None = None
        actions = window.actions_by_name
        actions[Name.OPEN].triggered.connect(self.on_open_triggered)
        actions[Name.ADD].triggered.connect(self.on_add_triggered)
        actions[Name.SAMPLE].triggered.connect(self.open_sample)
        actions[Name.SAMPLE_CHINESE].triggered.connect(self.open_chinese_sample)
        first_run = window.pages.first_run
        first_run.open_wanted.connect(self.on_open_triggered)
        first_run.sample_wanted.connect(self.open_sample)
        first_run.chinese_sample_wanted.connect(self.open_chinese_sample)
        first_run.matter_chosen.connect(self.on_matter_chosen)
        first_run.show_recent(desk.recent.entries())
        window.files_dropped.connect(self.on_files_dropped)
        window.top_bar.document_chosen.connect(desk.show)
        password = window.pages.password
        password.password_given.connect(self.on_password_given)
        password.given_up.connect(self.on_password_given_up)
        desk.opening_started.connect(self.on_desk_opening_started)
        desk.document_opened.connect(self.on_desk_document_opened)
        desk.matter_opened.connect(self.on_desk_matter_opened)
        desk.document_known.connect(self.on_desk_document_known)
        desk.document_removed.connect(self.on_desk_document_removed)
        desk.current_changed.connect(self.on_desk_current_changed)
        desk.password_wanted.connect(self.on_desk_password_wanted)
        desk.opening_ended.connect(self.on_desk_opening_ended)
        desk.faulted.connect(self.on_desk_faulted)
        view = window.pages.view
        view.current_page_changed.connect(self.on_view_current_page_changed)
        view.history_changed.connect(self.on_view_history_changed)
        view.hint_changed.connect(window.status.say)
        view.passage_clicked.connect(self.on_view_passage_clicked)
        view.context_menu_requested.connect(self.on_view_context_menu_requested)
        window.left.clauses.clause_chosen.connect(self.on_clause_chosen)
        actions[Name.BACK].triggered.connect(view.go_back)
        actions[Name.FORWARD].triggered.connect(view.go_forward)
        window.closing.connect(self.remember_place)
        self.on_view_history_changed(False, False)
        actions[Name.ADD].setEnabled(False)
        actions[Name.REVIEW].setEnabled(False)

    def refresh(self) -> None:
        """Show what is on the desk, in a new window."""
        for document_id, entry in self._desk.documents.items():
            if entry.pages:
                self.on_desk_document_opened(document_id)
        if self._desk.current and self._shown != self._desk.current:
            self.on_desk_current_changed(self._desk.current)

    # --- what the person asks ---------------------------------------------------------------------------

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open files as one matter."""
        self._open(paths)

    def _open(self, paths: Sequence[Path], add: bool = False) -> None:
        # What was said about the files before is settled; what is said about these must stay.
        if paths:
            self._window.pages.banner.hide()
        matters = [path for path in paths if path.suffix == MATTER_SUFFIX]
        contracts = [path for path in paths if path not in matters]
        if not matters:
            self._desk.open_files(contracts, add)
        elif add or len(matters) > 1:
            self._window.pages.banner.say(self.tr("A matter opens alone: choose one matter file, or only contracts."))
        elif not matters[0].is_file():
            self._window.pages.banner.say(self.tr("There is no file {path}.").format(path=matters[0]))
        else:
            self._desk.open_matter(matters[0])
            self._desk.open_files(contracts, add=True)

    @Slot()
    def on_open_triggered(self) -> None:
        """Choose files; they become the matter."""
        self._open(self.ask_files())

    @Slot()
    def on_add_triggered(self) -> None:
        """Choose files; they come into this matter."""
        self._open(self.ask_files(), add=self._desk.book.is_open)

    @Slot()
    def open_sample(self) -> None:
        """Open the English sample contract."""
        self._open_sample(chinese=False)

    @Slot()
    def open_chinese_sample(self) -> None:
        """Open the Chinese sample contract."""
        self._open_sample(chinese=True)

    def _open_sample(self, chinese: bool) -> None:
        path = sample_contract(chinese)
        if path is not None:
            self._open([path])
        else:
            self._window.pages.banner.say(self.tr("This installation has no sample contracts."))

    @Slot(list)
    def on_files_dropped(self, paths: list[Path]) -> None:
        """Files were dropped on the window."""
        self._open(paths)

    @Slot(str)
    def on_matter_chosen(self, path: str) -> None:
        """A recent matter."""
        self._window.pages.banner.hide()
        self._desk.open_matter(Path(path))

    @Slot(str, str)
    def on_password_given(self, path: str, password: str) -> None:
        """Try a password."""
        self._show_middle()
        self._desk.give_password(path, password)

    @Slot(str)
    def on_password_given_up(self, path: str) -> None:
        """No password: as before."""
        self._desk.give_up_password(path)
        self._show_middle()

    @Slot(object)
    def on_clause_chosen(self, clause: Clause, _checked: bool = False) -> None:
        """A clause of the tree: go there."""
        self._window.pages.view.reveal(clause.start, max(clause.start + 1, min(clause.body_start, clause.end)))

    # --- what the desk says -------------------------------------------------------------------------------

    @Slot(str)
    def on_desk_opening_started(self, name: str) -> None:
        """The reader is at it."""
        self._window.status.say(self.tr("Opening {name}…").format(name=name))

    @Slot(str)
    def on_desk_document_opened(self, document_id: str) -> None:
        """Its pages can be drawn."""
        entry = self._desk.documents[document_id]
        self._sources[document_id] = SupervisorSource(self._processes, document_id, entry.pages, self)
        self._list_documents()
        if document_id == self._shown:
            self._shown = ""
        if document_id == self._desk.current:
            self.on_desk_current_changed(document_id)

    @Slot()
    def on_desk_matter_opened(self) -> None:
        """The matter knows where the pages stood when they were left."""
        place = self._remembered_place(self._shown) if self._shown else None
        if place is not None and place.page < self._window.pages.view.page_count:
            self._window.pages.view.set_place(place)

    @Slot(str)
    def on_desk_document_known(self, document_id: str) -> None:
        """Its text can be marked."""
        if document_id == self._desk.current:
            self._show_text(document_id)

    @Slot(str)
    def on_desk_document_removed(self, document_id: str) -> None:
        """It has left the desk."""
        if document_id == self._shown:
            self.remember_place()
        source = self._sources.pop(document_id, None)
        if source is not None:
            if document_id == self._shown:
                self._window.pages.view.set_source(None)
            source.deleteLater()
        self._places.pop(document_id, None)

    @Slot(str)
    def on_desk_current_changed(self, document_id: str) -> None:
        """Show another document, at the place where it was left."""
        view = self._window.pages.view
        self.remember_place()
        source = self._sources.get(document_id)
        self._shown = document_id if source else ""
        self._shown_text = None
        view.set_source(source)
        self._window.left.clauses.set_document(None)
        if document_id:
            self._show_text(document_id)
            place = self._places.get(document_id) or self._remembered_place(document_id)
            if source is not None and place is not None and place.page < view.page_count:
                view.set_place(place)
        self._show_middle()
        self._list_documents()
        self.on_view_current_page_changed(view.current_page)
        self.document_switched.emit()

    @Slot(str, int)
    def on_desk_password_wanted(self, path: str, wrong: int) -> None:
        """Ask where the pages would be."""
        self._window.pages.show_password()
        self._window.pages.password.ask(path, wrong)

    @Slot()
    def on_desk_opening_ended(self) -> None:
        """Nothing is being opened."""
        self._show_middle()

    @Slot(str)
    def on_desk_faulted(self, sentence: str) -> None:
        """Say it; everything else stays."""
        self._window.pages.banner.say(sentence)
        self._show_middle()

    @Slot(int)
    def on_view_current_page_changed(self, page: int) -> None:
        """Another page is in the middle."""
        self._window.status.show_page(page, self._window.pages.view.page_count)

    @Slot(bool, bool)
    def on_view_history_changed(self, can_go_back: bool, can_go_forward: bool) -> None:
        """Back and forward are possible, or not."""
        self._window.actions_by_name[Name.BACK].setEnabled(can_go_back)
        self._window.actions_by_name[Name.FORWARD].setEnabled(can_go_forward)

    @Slot(int)
    def on_view_passage_clicked(self, offset: int) -> None:
        """A place in the text: the clause tree follows."""
        document = self._desk.document(self._desk.current)
        if document is not None:
            self._window.left.clauses.show_place(document.clause_at(offset))

    @Slot(QPoint, int)
    def on_view_context_menu_requested(self, place: QPoint, offset: int) -> None:
        """What can be done at a place in the text."""
        view = self._window.pages.view
        if offset >= 0:
            view.current_clause.set_caret(offset)
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        document = self._desk.document(self._desk.current)
        reference = reference_at(document, offset) if document is not None and offset >= 0 else None
        if reference is not None:
            words, target = reference
            go = menu.addAction(self.tr("Go to {reference}").format(reference=" ".join(words.split())))
            go.triggered.connect(functools.partial(self.on_clause_chosen, target))
            menu.addSeparator()
        copy = menu.addAction(self.tr("Copy"), view.copy)
        copy.setEnabled(not view.selection.is_empty)
        menu.addSeparator()
        mark = menu.addAction(self.tr("Mark this clause as one end of a link"), view.mark_source)
        link = menu.addAction(self.tr("Link the marked clause with this one"), view.link_here)
        mark.setEnabled(offset >= 0)
        link.setEnabled(offset >= 0 and view.linker.marked is not None)
        if view.rest_at is not None and offset >= 0:
            menu.addSeparator()
            menu.addAction(self.tr("Every place of this value"), functools.partial(view.rest_at, offset, place, True))
        menu.popup(place)

    @Slot()
    def remember_place(self) -> None:
        """Keep where the pages stand, in the matter too."""
        if self._shown and self._shown in self._sources and self._window.pages.view.page_count:
            place = self._window.pages.view.place()
            self._places[self._shown] = place
            self._desk.book.remember(PLACE_SETTING + self._shown, msgspec.json.encode(place).decode())

    def _remembered_place(self, document_id: str) -> Place | None:
        try:
            return msgspec.json.decode(self._desk.book.setting(PLACE_SETTING + document_id), type=Place)
        except msgspec.MsgspecError:
            return None  # never remembered, or by another version: the document opens at its start

    # --- ground -----------------------------------------------------------------------------------------------

    def _show_text(self, document_id: str) -> None:
        document = self._desk.document(document_id)
        if document is None or document is self._shown_text:
            return
        self._shown_text = document
        self._window.pages.view.set_document(document)
        self._window.left.clauses.set_document(document)
        notices = [notice for notice in document.notices if not notice.code.startswith(_SHOWN_ELSEWHERE)]
        if notices and not self._window.pages.banner.sentence:
            self._window.pages.banner.say(" ".join(notice_words(notice) for notice in notices[:2]), calm=True)
        self.text_shown.emit(document_id)

    def _show_middle(self) -> None:
        pages = self._window.pages
        if pages.shows_password and self._desk.waits_for_password:
            return
        if self._desk.current:
            pages.show_pages()
        else:
            pages.first_run.show_recent(self._desk.recent.entries())
            pages.show_first_run()

    def _list_documents(self) -> None:
        entries = [(entry.id, entry.name) for entry in self._desk.documents.values()]
        current = self._desk.current
        self._window.top_bar.show_documents(entries, current)
        name = next((name for document_id, name in entries if document_id == current), "")
        self._window.setWindowTitle(f"{name} – Antinomy" if name else "Antinomy")
        self._window.actions_by_name[Name.ADD].setEnabled(bool(entries))
        self._window.actions_by_name[Name.REVIEW].setEnabled(bool(entries))

    def _ask_with_dialog(self) -> Sequence[Path]:
        entry = self._desk.documents.get(self._desk.current)
        folder = str(entry.path.parent) if entry else ""
        words = self.tr("Contracts")
        names, _ = QFileDialog.getOpenFileNames(self._window, self.tr("Open"), folder, f"{words} ({FILE_PATTERNS})")
        return [Path(name) for name in names]
