"""Several people on one matter: who labels, who has what, the guide, rulings on disagreements."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from engine.matter.records import Annotator
from gui.commands.names import Name
from gui.flows.links_flow import LinksFlow
from gui.main_window import MainWindow
from gui.right.guide_panel import GuidePanel
from gui.right.people_panel import PeoplePanel
from gui.right.rulings_panel import RulingsPanel
from gui.state.desk import Desk
from gui.state.labelling import Labelling


class PeopleFlow(QObject):
    """Between the people, rulings and guide panels and the matter. Panels are made when they are first wanted."""

    def __init__(self, window: MainWindow, desk: Desk, labelling: Labelling, links: LinksFlow) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._labelling = labelling
        self._links = links
        self._people: PeoplePanel | None = None
        self._rulings: RulingsPanel | None = None
        self._guide: GuidePanel | None = None
        actions = window.actions_by_name
        actions[Name.PEOPLE].triggered.connect(self.show_people)
        actions[Name.RULINGS].triggered.connect(self.show_rulings)
        actions[Name.GUIDE].triggered.connect(self.show_guide)
        actions[Name.ACCEPT].triggered.connect(self.on_accept_triggered)
        actions[Name.REFUSE].triggered.connect(self.on_refuse_triggered)
        labelling.people_changed.connect(self.refresh)
        desk.book.links_changed.connect(self.refresh)

    # --- panels -------------------------------------------------------------------------------------------

    @property
    def people(self) -> PeoplePanel:
        """Annotators, assignments, agreement."""
        if self._people is None:
            panel = self._people = PeoplePanel()
            self._window.right.addWidget(panel)
            panel.person_chosen.connect(self.on_people_person_chosen)
            panel.person_added.connect(self._labelling.add_person)
            panel.assigned.connect(self._labelling.assign)
            panel.blind_chosen.connect(self._labelling.set_blind)
            panel.left.connect(self.leave)
        return self._people

    @property
    def rulings(self) -> RulingsPanel:
        """Disagreements."""
        if self._rulings is None:
            panel = self._rulings = RulingsPanel()
            self._window.right.addWidget(panel)
            panel.ruled.connect(self.on_rulings_ruled)
            panel.judgement_chosen.connect(self.on_rulings_judgement_chosen)
            panel.left.connect(self.leave)
        return self._rulings

    @property
    def guide(self) -> GuidePanel:
        """The guide and the label set."""
        if self._guide is None:
            panel = self._guide = GuidePanel()
            self._window.right.addWidget(panel)
            panel.guide_written.connect(self.on_guide_written)
            panel.left.connect(self.leave)
        return self._guide

    # --- showing ------------------------------------------------------------------------------------------

    @Slot()
    def show_people(self) -> None:
        """The people panel."""
        if self._has_matter():
            self._window.right.setCurrentWidget(self.people)
            self.refresh()
            self.people.person.setFocus()

    @Slot()
    def show_rulings(self) -> None:
        """The disagreements."""
        if self._has_matter():
            self._window.right.setCurrentWidget(self.rulings)
            self.refresh()
            self.rulings.pairs.setFocus()

    @Slot()
    def show_guide(self) -> None:
        """The guide."""
        if self._has_matter():
            self._window.right.setCurrentWidget(self.guide)
            self.guide.show_guide(self._labelling.guide(), not self._desk.book.read_only)
            self.guide.text.setFocus()

    def _has_matter(self) -> bool:
        if not self._desk.book.is_open:
            self._window.status.say(self.tr("Open a contract first, and wait until it has been read."))
        return self._desk.book.is_open

    @Slot()
    def refresh(self) -> None:
        """Show what is so now, in the panel that is shown."""
        labelling, shown = self._labelling, self._window.right.currentWidget()
        if shown is self._people and self._people is not None:
            me, names = labelling.me, labelling.names()
            self._people.show_people(labelling.people(), me.id if me else "", labelling.is_blind)
            self._people.show_assignments(labelling.assignments(), self._desk.book.documents(), names)
            self._people.show_agreement(labelling.agreement(), names, labelling.hides_others)
        elif shown is self._rulings and self._rulings is not None:
            self._rulings.show_disputes(
                labelling.disputes(), labelling.remarks(), labelling.names(), self._links.label_words,
                labelling.hides_others,
            )  # fmt: skip

    @Slot()
    def leave(self) -> None:
        """Esc: back to the pages."""
        self._links.mark_draft(())
        self._window.right.show_evidence()
        self._window.pages.view.setFocus()

    # --- acting -------------------------------------------------------------------------------------------

    @Slot(str)
    def on_people_person_chosen(self, person: str) -> None:
        """Somebody else labels."""
        known = next((each for each in self._labelling.people() if each.id == person), None)
        if known is not None:
            self.become(known)

    def become(self, annotator: Annotator) -> None:
        """Label as her from now on."""
        self._labelling.become(annotator)
        self._window.status.say(self.tr("Labelling as {name}.").format(name=annotator.name))

    @Slot(str, list, str)
    def on_rulings_ruled(self, act: str, links: list[str], comment: str) -> None:
        """An adjudicator ruled."""
        if self._labelling.rule(act, links, comment):
            self._window.status.say(self.tr("Ruling saved. U takes it back."))

    @Slot(object)
    def on_rulings_judgement_chosen(self, link: object) -> None:
        """Show a judgement's passages on the pages."""
        ends = getattr(link, "ends", ())
        if ends:
            self._links.show_end(ends[0])
            self._links.mark_draft(ends)

    @Slot()
    def on_accept_triggered(self) -> None:
        """A, while disagreements are shown."""
        if self._rulings is not None and self._window.right.currentWidget() is self._rulings:
            self._rulings.on_accept_clicked()

    @Slot()
    def on_refuse_triggered(self) -> None:
        """R, while disagreements are shown."""
        if self._rulings is not None and self._window.right.currentWidget() is self._rulings:
            self._rulings.on_reject_clicked()

    @Slot(object)
    def on_guide_written(self, guide: object) -> None:
        """Keep the guide; the form offers its labels from now on."""
        from engine.matter.guide import Guide

        if isinstance(guide, Guide) and self._labelling.write_guide(guide):
            self._window.status.say(self.tr("Guide saved."))
