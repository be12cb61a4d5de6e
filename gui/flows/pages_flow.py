"""Thumbnails and the file's own outline: ways round the document that is shown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from engine.document import OutlineEntry
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.supervisor_source import SupervisorSource
from gui.processes.interface import Processes
from gui.state.desk import Desk

#: How much of a page is left above a place that is gone to, in points.
_ABOVE_PT = 80.0


class PagesFlow(QObject):
    """Keeps thumbnails with the pages, and goes where outline and thumbnails lead."""

    def __init__(self, window: MainWindow, desk: Desk, processes: Processes) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._processes = processes
        self._source: SupervisorSource | None = None
        view, small = window.pages.view, window.left.pages.view
        small.set_marks(view.marks)
        view.marks_changed.connect(small.refresh)
        view.current_page_changed.connect(small.show_page)
        small.place_clicked.connect(self.on_thumbnails_place_clicked)
        window.left.clauses.outline.entry_chosen.connect(self.on_outline_entry_chosen)
        window.actions_by_name[Name.SHOW_PAGES].triggered.connect(self.on_show_pages_triggered)

    @Slot()
    def follow(self) -> None:
        """Another document is shown."""
        entry = self._desk.documents.get(self._desk.current)
        old, self._source = self._source, None
        if entry is not None and entry.pages:
            self._source = SupervisorSource(self._processes, entry.id, entry.pages, self)
        small = self._window.left.pages.view
        small.set_source(self._source)
        small.show_page(self._window.pages.view.current_page)
        if old is not None:
            old.deleteLater()

    @Slot(int, float)
    def on_thumbnails_place_clicked(self, page: int, y_pt: float) -> None:
        """Go to the place."""
        self._window.pages.view.go_to_page(page, max(0.0, y_pt - _ABOVE_PT))

    @Slot(object)
    def on_outline_entry_chosen(self, entry: OutlineEntry) -> None:
        """Go where a line of the outline leads."""
        view = self._window.pages.view
        if entry.start >= 0 and view.document is not None:
            view.reveal(entry.start, min(entry.start + max(1, len(entry.title)), len(view.document.text)))
        elif entry.page >= 0:
            view.go_to_page(entry.page, max(0.0, entry.y_pt))
        else:
            self._window.status.say(self.tr("This line of the outline leads out of the file."))

    @Slot()
    def on_show_pages_triggered(self) -> None:
        """The thumbnails."""
        self._window.left.show_tab(self._window.left.pages)
