"""Going through suggestions: one at a time, a key for each answer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engine.matter.queue import Suggestion
from engine.matter.records import LinkEnd
from engine.protocol.findings import Passage
from gui.commands.names import Name
from gui.flows.links_flow import LinksFlow
from gui.main_window import MainWindow
from gui.right.queue_panel import QueuePanel
from gui.state.desk import Desk
from gui.state.labelling import Labelling
from gui.state.wording import DISMISSAL_REASONS, code_words
from gui.theme import grid


class LabellingFlow(QObject):
    """Between the queue, its panel, the link form and the Links tab.

    Signals:
        end_shown(ends, position): the pages show this passage of a suggestion.
    """

    end_shown = Signal(tuple, int)

    def __init__(self, window: MainWindow, desk: Desk, labelling: Labelling, links: LinksFlow) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._labelling = labelling
        self._links = links
        self._panel: QueuePanel | None = None
        self._shown = ""
        self._end = 0
        actions = window.actions_by_name
        actions[Name.LABEL_NEXT].triggered.connect(self.show_next)
        actions[Name.ACCEPT].triggered.connect(self.on_accept_triggered)
        actions[Name.CORRECT].triggered.connect(self.on_correct_triggered)
        actions[Name.REFUSE].triggered.connect(self.on_refuse_triggered)
        window.left.links.suggestion_chosen.connect(self.show_suggestion)
        labelling.queue_changed.connect(self.on_labelling_queue_changed)
        desk.book.links_changed.connect(labelling.refresh_judged)
        links.suggestion_answered.connect(self.show_next)
        window.left.links.suggestions_wanted.connect(self.on_labelling_queue_changed)

    @property
    def panel(self) -> QueuePanel:
        """The panel, made when it is first wanted."""
        if self._panel is None:
            panel = self._panel = QueuePanel()
            panel.setMinimumWidth(grid(40))
            self._window.right.addWidget(panel)
            panel.accepted.connect(self.on_accept_triggered)
            panel.corrected.connect(self.on_correct_triggered)
            panel.refused.connect(self.refuse)
            panel.skipped.connect(self.on_panel_skipped)
            panel.left.connect(self.on_panel_left)
            panel.learn_wanted.connect(self._window.actions_by_name[Name.LEARN].trigger)
            panel.end_entered.connect(self.show_end)
        return self._panel

    @property
    def chosen(self) -> Suggestion | None:
        """The suggestion that is shown now, if the panel is."""
        if self._panel is None or self._window.right.currentWidget() is not self._panel:
            return None
        return self._labelling.suggestion(self._shown)

    # --- showing ------------------------------------------------------------------------------------------

    @Slot()
    def show_next(self) -> None:
        """G: the most instructive that waits; again: the one after it."""
        suggestion = self._labelling.next()
        if suggestion is None:
            self._shown = ""
            words = self.tr("Nothing waits to be judged. A review's findings come here.")
            self.panel.show_nothing(words)
            self._show_panel()
        else:
            self.show_suggestion(suggestion)

    @Slot(object)
    def show_suggestion(self, suggestion: Suggestion) -> None:
        """Show one, its first passage on the pages, the others marked there too."""
        self._shown = suggestion.id
        several = len(self._desk.documents) > 1
        passages = [(self._passage(end), self._name(end.document) if several else "") for end in suggestion.ends]
        kind = self._links.label_words(suggestion.code)
        self.panel.show_suggestion(kind, passages, len(self._labelling.queue))
        self._show_panel()
        self.show_end(0)

    def _show_panel(self) -> None:
        links = self._desk.book.links()
        me = self._labelling.me
        judged = sum(me is not None and link.annotator == me.id for link in links)
        self.panel.show_pace(self._labelling.pace(links), judged, self._labelling.controls_accepted(links))
        self._window.right.setCurrentWidget(self.panel)
        self.panel.setFocus()

    @Slot(int)
    def show_end(self, position: int) -> None:
        """Go to one of the passages."""
        suggestion = self._labelling.suggestion(self._shown)
        if suggestion is None or not 0 <= position < len(suggestion.ends):
            return
        self._end = position
        self._links.show_end(suggestion.ends[position])
        self._links.mark_draft(suggestion.ends)
        self.panel.set_current(position)
        self.end_shown.emit(suggestion.ends, position)

    # --- answers ------------------------------------------------------------------------------------------

    @Slot()
    def on_accept_triggered(self) -> None:
        """A: it is this kind of conflict."""
        suggestion = self.chosen
        if suggestion is not None and self._labelling.accept(suggestion):
            kind = self._links.label_words(suggestion.code)
            self._window.status.say(self.tr("Accepted: {kind}. U takes it back.").format(kind=kind))
            self.show_next()

    @Slot()
    def on_refuse_triggered(self) -> None:
        """R: it is none, without a closer reason."""
        if self.chosen is not None:
            self.refuse(DISMISSAL_REASONS[-1].code.value)

    @Slot(str)
    def refuse(self, reason: str) -> None:
        """It is no conflict, for a reason."""
        suggestion = self.chosen
        if suggestion is not None and self._labelling.refuse(suggestion, reason):
            words = self.tr("Refused: {reason}. U takes it back.").format(reason=code_words(reason))
            self._window.status.say(words)
            self.show_next()

    @Slot()
    def on_correct_triggered(self) -> None:
        """E: another kind, an aspect, a note."""
        suggestion = self.chosen
        if suggestion is not None:
            self._links.correct(suggestion)

    @Slot()
    def on_panel_skipped(self) -> None:
        """S: later."""
        self._labelling.skip(self._shown)
        self.show_next()

    @Slot()
    def on_panel_left(self) -> None:
        """Esc: back to the pages."""
        self._links.mark_draft(())
        self._window.right.show_evidence()
        self._window.pages.view.setFocus()

    @Slot()
    def on_labelling_queue_changed(self) -> None:
        """Other suggestions wait, or they are listed now."""
        if self._window.left.links.shows_suggestions:
            self._window.left.links.set_suggestions(self._labelling.queue)

    def _passage(self, end: LinkEnd) -> Passage:
        document = self._desk.document(end.document)
        page = document.page_at(end.start) if document is not None else 0
        return Passage(end.document, end.clause_number, end.clause_id, page, end.start, end.end, end.quote)

    def _name(self, document_id: str) -> str:
        entry = self._desk.documents.get(document_id)
        return entry.name if entry else ""
