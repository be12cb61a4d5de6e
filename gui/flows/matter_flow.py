"""What becomes of the matter's file and the contracts' files: saved or not, read only, changed or gone on the disk."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Slot

from gui.main_window import MainWindow
from gui.state.desk import Desk
from gui.state.file_watch import FileState


class MatterFlow(QObject):
    """Says it, and offers what can be done about it."""

    def __init__(self, window: MainWindow, desk: Desk, ask_files: Callable[[], Sequence[Path]]) -> None:
        """``ask_files`` asks the person where a file is now."""
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._ask_files = ask_files
        self._failure = ""
        book = desk.book
        book.saved.connect(self.on_book_saved)
        book.failed.connect(self.on_book_failed)
        book.noticed.connect(self.on_book_noticed)
        desk.document_opened.connect(self.show_saving)
        desk.current_changed.connect(self.on_desk_current_changed)
        desk.files.state_changed.connect(self.on_files_state_changed)
        desk.keeping.replaced.connect(self.on_keeping_replaced)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Who comes back to the window may have saved a contract elsewhere."""
        if event.type() is QEvent.Type.WindowActivate and watched is self._window:
            self._desk.files.look()
        return super().eventFilter(watched, event)

    # --- the matter's file ----------------------------------------------------------------------------------

    @Slot()
    def on_book_saved(self) -> None:
        """It is on the disk; what was said of not saving is settled."""
        self._window.status.show_saved(self.tr("saved"))
        if self._failure and self._window.pages.banner.sentence == self._failure:
            self._window.pages.banner.hide()
        self._failure = ""

    @Slot(str)
    def on_book_failed(self, sentence: str) -> None:
        """It is not."""
        self._failure = sentence
        self._window.status.show_saved(self.tr("not saved"))
        if self._desk.documents and (self._desk.book.read_only or self._desk.keeping.has_unkept):
            self._offer_writing(sentence)
        else:
            self._window.pages.banner.say(sentence)

    @Slot(str)
    def on_book_noticed(self, sentence: str) -> None:
        """The matter said something on opening."""
        if self._desk.book.read_only:
            self._offer_writing(sentence, calm=True)
            self.show_saving()
        else:
            self._window.pages.banner.say(sentence, calm=True)

    @Slot()
    def show_saving(self) -> None:
        """Say in the status line whether what is done here is kept."""
        read_only = self._desk.book.is_open and self._desk.book.read_only
        self._window.status.show_saved(self.tr("read only") if read_only else "")

    @Slot(str)
    def on_desk_current_changed(self, document_id: str) -> None:
        """With nothing on the desk there is nothing that is saved."""
        if not document_id:
            self.show_saving()

    def _offer_writing(self, sentence: str, calm: bool = False) -> None:
        self._window.pages.banner.say(sentence, calm=calm, act=(self.tr("Try to write here"), self.write_here))

    @Slot()
    def write_here(self) -> None:
        """Try again to write; the matter says why when it cannot be done."""
        if self._desk.write_here():
            self._window.status.say(self.tr("What you decide is kept here now."))

    # --- the contracts' files ---------------------------------------------------------------------------------

    @Slot(str, object)
    def on_files_state_changed(self, document_id: str, state: FileState) -> None:
        """A contract's file is no longer what was opened."""
        entry = self._desk.documents.get(document_id)
        if entry is None:
            return
        banner = self._window.pages.banner
        if state is FileState.CHANGED:
            words = self.tr("{name} has changed on the disk. What you see is how it was; your decisions stay.")
            act = (self.tr("Read it anew"), functools.partial(self._desk.read_anew, document_id))
            banner.say(words.format(name=entry.name), act=act)
        elif state is FileState.GONE:
            words = self.tr("{name} is no longer in {folder}. You can read on; put it back, or choose where it is.")
            act = (self.tr("Choose the file…"), functools.partial(self.find_again, document_id))
            banner.say(words.format(name=entry.name, folder=entry.path.absolute().parent), act=act)
        else:
            banner.say(self.tr("{name} is again as it was opened.").format(name=entry.name), calm=True)

    def find_again(self, document_id: str) -> None:
        """Ask where a document's file is now."""
        chosen = self._ask_files()
        if chosen:
            self._desk.read_anew(document_id, chosen[0])

    @Slot(str, int, int)
    def on_keeping_replaced(self, document_id: str, moved: int, lost: int) -> None:
        """A newer file has taken over the links of the older one."""
        entry = self._desk.documents.get(document_id)
        if entry is None or not lost:
            return
        words = self.tr(
            "{name} was read anew. {moved} links stand with their words again; {lost} have an end that is no longer in "
            "it and stay as they were, to be mended or deleted."
        )
        self._window.pages.banner.say(words.format(name=entry.name, moved=moved, lost=lost))
