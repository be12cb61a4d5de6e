"""A link's two ends side by side: the second view shows the end that the pages do not."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from engine.matter.records import Link, LinkEnd
from gui.flows.beside_flow import BesideFlow
from gui.flows.labelling_flow import LabellingFlow
from gui.flows.links_flow import LinksFlow
from gui.main_window import MainWindow
from gui.state.desk import Desk
from gui.theme import Layer


class LinksBeside(QObject):
    """Keeps the second view's marks of links in step, and opens it where a link's ends are far apart."""

    def __init__(
        self, window: MainWindow, desk: Desk, links: LinksFlow, suggestions: LabellingFlow, beside: BesideFlow
    ) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._links = links
        self._beside = beside
        self._view = window.pages.beside.view
        self._chosen = ""
        # Once a turn of the event loop: a link kept changes the marks, the choice and the table one after the other.
        self._marking = QTimer(self, singleShot=True, interval=0)
        self._marking.timeout.connect(self.mark)
        links.marked.connect(self.on_links_marked)
        links.link_shown.connect(self.on_links_link_shown)
        suggestions.end_shown.connect(self.on_suggestions_end_shown)
        window.pages.beside.document_chosen.connect(self._marking.start)

    @Slot(str)
    def on_links_marked(self, chosen: str) -> None:
        """Other marks, or another link."""
        self._chosen = chosen
        if self._beside.is_open:
            self._marking.start()

    @Slot(object)
    def on_links_link_shown(self, link: Link) -> None:
        """The end that cannot be seen beside the first one goes into the second view."""
        first, *others = link.ends
        document = self._desk.document(first.document)
        for end in others:
            same = document is not None and end.document == first.document
            if not same or (document is not None and document.page_at(end.start) != document.page_at(first.start)):
                self._beside.show_place(end.document, end.start, end.end)
                self._marking.start()
                return

    @Slot(tuple, int)
    def on_suggestions_end_shown(self, ends: tuple[LinkEnd, ...], position: int) -> None:
        """The pages show one passage of a suggestion, the second view, if it is open, the next one."""
        if self._beside.is_open and len(ends) > 1:
            other = ends[(position + 1) % len(ends)]
            self._beside.show_place(other.document, other.start, other.end)
            self._marking.start()

    @Slot()
    def mark(self) -> None:
        """The links' ends in the document of the second view."""
        shown = self._view.document
        if self._beside.is_open and shown is not None:
            self._view.set_marks(Layer.LINK, self._links.marks_of(shown.id))
            if self._chosen:
                self._view.set_chosen(self._chosen)
