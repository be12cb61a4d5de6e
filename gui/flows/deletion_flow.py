"""Throwing a matter away: into the system's trash, with all that is kept beside it, so that it can be brought back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFile, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from engine.matter.errors import MatterError
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.state.desk import Desk
from gui.state.wording import matter_error_words

#: Puts a file or folder into the trash: where it lies there, "" when there is no trash for it.
Trash = Callable[[Path], str]


def system_trash(path: Path) -> str:
    """The trash of the desktop (freedesktop.org, Windows, macOS)."""
    file = QFile(str(path))
    return file.fileName() if file.moveToTrash() else ""


class DeletionFlow(QObject):
    """The command for the open matter, and the same in the list of recent ones."""

    def __init__(self, window: MainWindow, desk: Desk, trash: Trash = system_trash) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self.trash = trash
        window.actions_by_name[Name.DELETE_MATTER].triggered.connect(self.on_delete_triggered)
        recent = window.pages.first_run.recent
        self._delete_recent = QAction(self.tr("Move to the trash"), recent)
        self._delete_recent.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        self._delete_recent.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._delete_recent.triggered.connect(self.on_delete_recent_triggered)
        recent.addAction(self._delete_recent)
        recent.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        recent.customContextMenuRequested.connect(self.on_recent_context_menu_requested)

    @Slot()
    def on_delete_triggered(self) -> None:
        """The open matter."""
        book = self._desk.book
        if book.path is None:
            self._window.status.say(self.tr("No matter is open."))
        elif book.read_only:
            self._window.status.say(self.tr("This matter can only be read here; close it where it is written first."))
        else:
            self.delete(book.path)

    @Slot()
    def on_delete_recent_triggered(self) -> None:
        """The one chosen among the recent ones."""
        item = self._window.pages.first_run.recent.currentItem()
        if item is not None:
            self.delete(Path(str(item.data(Qt.ItemDataRole.UserRole))))

    @Slot(QPoint)
    def on_recent_context_menu_requested(self, place: QPoint) -> None:
        """What can be done with a recent matter."""
        recent = self._window.pages.first_run.recent
        item = recent.itemAt(place)
        if item is not None:
            recent.setCurrentItem(item)
            menu = QMenu(recent)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(self._delete_recent)
            menu.popup(recent.viewport().mapToGlobal(place))

    def delete(self, path: Path) -> None:
        """Move a matter and what belongs to it to the trash; when that cannot be, nothing is changed."""
        from engine.matter.deletion import files_of, leftovers_of, settle

        was_open = self._desk.book.path == path
        if was_open:
            self._desk.leave_matter()
        try:
            settle(path)
        except MatterError as error:
            self._window.pages.banner.say(matter_error_words(error))
            return
        moved: list[tuple[Path, Path]] = []
        for each in files_of(path):
            there = self.trash(each)
            if not there and each == path:
                self._say_no_trash(path, was_open)
                return
            if there:
                moved.append((each, Path(there)))
        for each in leftovers_of(path):
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)
        self._refresh_recent()
        self._window.pages.banner.say(
            self.tr("{name} is in the trash, with all that was kept beside it. The contracts stay where they are.")
            .format(name=path.name), calm=True,
            act=(self.tr("Bring it back"), lambda: self.bring_back(path, moved)),
        )  # fmt: skip

    def bring_back(self, path: Path, moved: list[tuple[Path, Path]]) -> None:
        """Take everything out of the trash again and open the matter."""
        try:
            for home, there in moved:
                if not home.exists():
                    there.replace(home)
                    # The trash's own note of where it came from (freedesktop.org's layout).
                    (there.parent.parent / "info" / f"{there.name}.trashinfo").unlink(missing_ok=True)
        except OSError as error:
            words = self.tr("{name} could not be brought back ({error}); take it out of the trash yourself.")
            self._window.pages.banner.say(words.format(name=path.name, error=error.strerror))
            return
        self._desk.open_matter(path)
        self._refresh_recent()

    def _say_no_trash(self, path: Path, was_open: bool) -> None:
        if was_open:
            self._desk.open_matter(path)
        words = self.tr("{name} has no trash where it is, so it stays. “antinomy matter delete” deletes for good.")
        self._window.pages.banner.say(words.format(name=path.name))

    def _refresh_recent(self) -> None:
        self._window.pages.first_run.show_recent(self._desk.recent.entries())
