"""What a file brings besides its text (tracked changes, comments, annotations), and how its pages are made."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from engine.document import Media, Remark, RevisionView
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.state.desk import Desk
from gui.state.wording import remark_words
from gui.theme import Layer

#: How much of a page is left above a remark that is gone to, in points.
_ABOVE_PT = 80.0


class RemarksFlow(QObject):
    """Keeps the ways of reading, the Notes tab and the remarks' marks with the document that is shown."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._shown = ""
        window.pages.revisions.view_chosen.connect(self.on_revisions_view_chosen)
        window.pages.layout_choice.layout_chosen.connect(self.on_layout_choice_layout_chosen)
        window.left.notes.remark_chosen.connect(self.on_notes_remark_chosen)
        window.actions_by_name[Name.SHOW_NOTES].triggered.connect(self.on_show_notes_triggered)
        desk.current_changed.connect(self.refresh)
        desk.document_known.connect(self.refresh)
        desk.document_opened.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what belongs to the current document."""
        bar, layout, left = self._window.pages.revisions, self._window.pages.layout_choice, self._window.left
        current = self._desk.current
        document = self._desk.document(current)
        if document is None and current and current == self._shown:
            # It is being read anew: what is shown stays, but cannot be asked for again.
            bar.setEnabled(False)
            layout.setEnabled(False)
            return
        self._shown = current
        revisions = document.revisions if document is not None else None
        if revisions is not None:
            bar.show_revisions(revisions)
        else:
            bar.hide()
        if document is not None and document.media is Media.DOCX:
            layout.show_layout(document.rendered_by)
        else:
            layout.hide()
        self._window.pages.reading.settle()
        remarks = document.remarks if document is not None else ()
        left.notes.set_remarks(remarks)
        left.show_notes(bool(remarks))
        self._window.actions_by_name[Name.SHOW_NOTES].setEnabled(bool(remarks))

    @Slot(str)
    def mark_pages(self, document_id: str) -> None:
        """The pages have a document's text: underline the words that remarks concern."""
        document = self._desk.document(document_id)
        remarks = document.remarks if document is not None else ()
        marks = [
            Mark(f"remark-{number}", Layer.REMARK, remark.start, remark.end, (), "\n".join(remark_words(remark)))
            for number, remark in enumerate(remarks)
            if 0 <= remark.start < remark.end
        ]
        self._window.pages.view.set_marks(Layer.REMARK, marks)

    @Slot(object)
    def on_revisions_view_chosen(self, view: RevisionView) -> None:
        """Read the document in another state; decisions are kept by the findings' words and stay."""
        self._desk.read_again(self._desk.current, revisions=view.value)

    @Slot(str)
    def on_layout_choice_layout_chosen(self, layout: str) -> None:
        """Have the document's pages made by the other; text and findings are the same."""
        self._desk.read_again(self._desk.current, layout=layout)

    @Slot(object)
    def on_notes_remark_chosen(self, remark: Remark) -> None:
        """Go to its words, or to its place on the page."""
        view = self._window.pages.view
        if remark.start < 0 or not view.reveal(remark.start, remark.end):
            view.go_to_page(remark.page, max(0.0, remark.box[1] - _ABOVE_PT))

    @Slot()
    def on_show_notes_triggered(self) -> None:
        """Bring the list forward."""
        self._window.left.show_tab(self._window.left.notes)
