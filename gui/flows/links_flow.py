"""Linking: a drop, one key for the kind, Enter; and the table of links."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from engine.matter.queue import Suggestion
from engine.matter.records import Link, LinkEnd
from gui.commands.names import Name
from gui.left.links_tab import link_places
from gui.main_window import MainWindow
from gui.pages.marks import Mark
from gui.pages.span_mime import DraggedSpan
from gui.right.link_form import FormLabel
from gui.state.desk import Desk
from gui.state.labelling import Labelling
from gui.state.link_draft import LinkDraft
from gui.state.wording import code_words
from gui.theme import Layer

#: The id of the marks of passages that are no link yet.
_DRAFT = "draft"


class LinksFlow(QObject):
    """Between drops, the link form, the matter and the Links tab.

    Signals:
        suggestion_answered(): the form was left after a suggestion was corrected, or given up.
        link_shown(Link): a link is shown in the form, its first end on the pages.
        marked(id): the pages' marks of links are others, or another link is stressed; "" for none.
    """

    suggestion_answered = Signal()
    link_shown = Signal(object)
    marked = Signal(str)

    def __init__(self, window: MainWindow, desk: Desk, labelling: Labelling) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._labelling = labelling
        self._correcting: Suggestion | None = None
        self._draft: tuple[LinkEnd, ...] = ()
        self._words: dict[str, str] = {}
        labelling.people_changed.connect(self.on_labelling_people_changed)
        view, form = window.pages.view, window.right.link_form
        view.link_dropped.connect(self.on_view_link_dropped)
        view.link_dropped_from.connect(self.on_view_link_dropped_from)
        view.mark_clicked.connect(self.on_view_mark_clicked)
        window.left.clauses.link_dropped.connect(self.on_link_dropped)
        window.left.links.link_chosen.connect(self.show_link)
        window.left.links.link_deleted.connect(self.on_links_link_deleted)
        window.left.links.edit_wanted.connect(form.search.setFocus)
        form.draft_saved.connect(self.on_form_draft_saved)
        form.link_changed.connect(self.on_form_link_changed)
        form.given_up.connect(self.on_form_given_up)
        form.end_entered.connect(self.show_end)
        desk.book.links_changed.connect(self.on_book_links_changed)

    def refresh(self) -> None:
        """Show the matter's links, in a new window."""
        self._labelling.refresh()
        self.on_labelling_people_changed()

    # --- making ---------------------------------------------------------------------------------------------

    @Slot(int, int, int, int)
    def on_view_link_dropped(self, start: int, end: int, to_start: int, to_end: int) -> None:
        """A drop inside the document that is shown."""
        here = self._desk.current
        self.on_link_dropped(DraggedSpan(here, start, end), DraggedSpan(here, to_start, to_end))

    @Slot(str, int, int, int, int)
    def on_view_link_dropped_from(self, document: str, start: int, end: int, to_start: int, to_end: int) -> None:
        """A drop from another document."""
        source = DraggedSpan(document, start, end)
        self.on_link_dropped(source, DraggedSpan(self._desk.current, to_start, to_end))

    @Slot(object, object)
    def on_link_dropped(self, source: DraggedSpan, target: DraggedSpan) -> None:
        """Two passages are to be joined: ask for the kind."""
        ends = [end for end in (self._end(source), self._end(target)) if end is not None]
        if len(ends) < 2:
            return
        if _overlap(*ends):
            self._window.status.say(self.tr("A passage cannot be linked with a part of itself."))
            return
        if self._desk.book.read_only:
            self._window.status.say(self.tr("This matter can only be read here, so no link can be kept."))
            return
        form = self._window.right.link_form
        drafted = form.draft_ends if form.isVisible() else ()
        kept = [end for end in ends if end in drafted]
        if drafted and len(kept) == 1:
            # A third clause dropped on an end of the link in the making (or the other way round) joins it.
            form.add_end(next(end for end in ends if end not in drafted))
            self.mark_draft(form.draft_ends)
            return
        self._correcting = None
        self._window.right.show_link_form()
        form.begin(ends, self._aspects())
        self.mark_draft(ends)

    def correct(self, suggestion: Suggestion) -> None:
        """Open the form with a suggestion's kind, to be changed."""
        self._correcting = suggestion
        self._window.right.show_link_form()
        self._window.right.link_form.correct(
            suggestion.ends, suggestion.code, suggestion.severity.value, self._aspects()
        )

    def mark_draft(self, ends: Sequence[LinkEnd]) -> None:
        """Mark passages that are no link yet: a link in the making, a suggestion."""
        self._draft = tuple(ends)
        self.mark_pages()
        self._stress(_DRAFT if ends else "", ends)

    def _stress(self, mark_id: str, ends: Sequence[LinkEnd]) -> None:
        """Draw the connection of one link."""
        elsewhere = [end.clause_number or end.quote[:24] for end in ends if end.document != self._desk.current]
        self._window.pages.view.set_chosen(mark_id, elsewhere)
        self.marked.emit(mark_id)

    @Slot(object)
    def on_form_draft_saved(self, draft: LinkDraft) -> None:
        """Keep it; say "saved" only when it is on the disk."""
        correcting = self._correcting
        link_id = self._desk.book.add_link(self._labelling.corrected(correcting, draft) if correcting else draft)
        if link_id:
            words = self.tr("Link saved: {kind}. U takes it back.").format(kind=self.label_words(draft.code))
            self._window.status.say(words)
            self._draft = ()
            self._leave_form()
            self.mark_pages()
            self._stress(link_id, draft.ends)
            self._after_correcting()

    @Slot(object)
    def on_form_link_changed(self, link: Link) -> None:
        """Keep an edited link; another person's judgement stays, and the edited one is one's own beside it."""
        me = self._labelling.me
        if me is not None and link.annotator != me.id:
            own = LinkDraft(
                link.ends, link.code, link.aspect, link.direction.value, link.severity.value, link.confidence, link.note
            )
            if self._desk.book.add_link(own):
                words = self.tr("Saved as your own judgement; that of {name} stays. U takes it back.")
                self._window.status.say(words.format(name=self._labelling.names().get(link.annotator, "")))
                self.on_form_given_up()
        elif self._desk.book.change_link(link):
            self._window.status.say(self.tr("Link saved."))
            self.on_form_given_up()

    @Slot()
    def on_form_given_up(self) -> None:
        """Esc: back to the evidence, or to the suggestion."""
        self._leave_form()
        self.mark_draft(())
        self._after_correcting()

    def _after_correcting(self) -> None:
        if self._correcting is not None:
            self._correcting = None
            self.suggestion_answered.emit()

    def _leave_form(self) -> None:
        # In this order: a hidden form hands the keyboard to the first passage, which would move the pages.
        self._window.pages.view.setFocus()
        self._window.right.show_evidence()

    # --- looking ----------------------------------------------------------------------------------------------

    @Slot(object)
    def show_link(self, link: Link) -> None:
        """Both ends in the form, marked on the pages, which go to the first one."""
        self._correcting = None
        self._draft = ()
        self._window.right.show_link_form()
        me = self._labelling.me
        others = self._labelling.names().get(link.annotator, "") if me is not None and link.annotator != me.id else ""
        self._window.right.link_form.show_link(link, self._aspects(), others)
        self.show_end(link.ends[0])
        self._stress(link.id, link.ends)
        self.link_shown.emit(link)

    @Slot(object)
    def show_end(self, end: LinkEnd) -> None:
        """Go to one end."""
        if end.document != self._desk.current:
            self._desk.show(end.document)
        self._window.pages.view.reveal(end.start, end.end)

    @Slot(str)
    def on_view_mark_clicked(self, mark_id: str) -> None:
        """A link's mark on the page."""
        link = next((link for link in self._desk.book.links() if link.id == mark_id), None)
        if link is not None:
            self.show_link(link)

    @Slot(str)
    def on_links_link_deleted(self, link_id: str) -> None:
        """Delete; undo brings it back."""
        if self._desk.book.delete_link(link_id):
            keys = self._window.actions_by_name[Name.UNDO].shortcuts()[-1].toString()
            self._window.status.say(self.tr("Link deleted. {keys} brings it back.").format(keys=keys))
            self._window.right.show_evidence()

    @Slot()
    def on_book_links_changed(self) -> None:
        """Other links."""
        me = self._labelling.me
        self._window.left.links.set_links(self._desk.book.links(), self._labelling.names(), me.id if me else "")
        self.mark_pages()

    @Slot()
    def on_labelling_people_changed(self) -> None:
        """Another annotator sees other links; another guide has other labels."""
        labels = [
            FormLabel(each.code, each.words or code_words(each.code), each.key, each.colour, each.example)
            for each in self._labelling.guide().labels
        ]
        self._words = {label.code: label.words for label in labels}
        self._window.right.link_form.set_labels(labels)
        self._window.left.links.model.set_label_words(self._words)
        self.on_book_links_changed()

    def label_words(self, code: str) -> str:
        """What the project calls a label."""
        return self._words.get(code) or code_words(code)

    @Slot()
    def mark_pages(self) -> None:
        """Mark the links' ends on the document that is shown."""
        view = self._window.pages.view
        view.set_marks(Layer.LINK, self.marks_of(self._desk.current))
        self.marked.emit(view.chosen)

    def marks_of(self, document: str) -> list[Mark]:
        """The links' ends in a document, those of a link in the making too."""
        marks = [
            Mark(link.id, Layer.LINK, end.start, end.end, (), f"{self.label_words(link.code)}: {link_places(link)}")
            for link in self._desk.book.links()
            for end in link.ends
            if end.document == document
        ]
        return marks + [
            Mark(_DRAFT, Layer.LINK, end.start, end.end, (), "") for end in self._draft if end.document == document
        ]

    def _aspects(self) -> list[str]:
        return [link.aspect for link in self._desk.book.links() if link.aspect]

    def _end(self, span: DraggedSpan) -> LinkEnd | None:
        document = self._desk.document(span.document)
        if document is None or not 0 <= span.start < span.end <= len(document.text):
            return None
        clause = document.clause_at(span.start)
        return LinkEnd(
            span.document,
            clause.id if clause else "",
            clause.number if clause else "",
            document.quote(span.start, span.end),
            span.start,
            span.end,
        )


def _overlap(one: LinkEnd, other: LinkEnd) -> bool:
    return one.document == other.document and one.start < other.end and other.start < one.end
