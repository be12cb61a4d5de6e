"""Labelling in the open matter: who labels what, the queue of suggestions, the guide, rulings on disagreements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from engine.matter.queue import (
    CONTROL_EVERY,
    Suggestion,
    controls,
    in_teaching_order,
    mixed,
    pairs_per_hour,
    spans_of,
    suggestions,
)
from engine.matter.records import Annotator, Assignment, DecisionState, Link, Origin
from gui.state.desk import Desk
from gui.state.link_draft import LinkDraft

if TYPE_CHECKING:
    from engine.matter import Matter
    from engine.matter.adjudication import Dispute, Remark
    from engine.matter.agreement import Agreement
    from engine.matter.guide import Guide

#: The controls are the same ones in every session with a matter, and are spread alike.
SEED = 20


class Labelling(QObject):
    """What the labelling panels show and do. Everything kept is on the disk when a call returns.

    Signals:
        queue_changed(): other suggestions wait.
        people_changed(): another annotator, assignment, blindness or guide.
    """

    queue_changed = Signal()
    people_changed = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._book = desk.book
        self._ordered: list[Suggestion] | None = None
        self._queue: list[Suggestion] = []
        self._skipped: set[str] = set()
        self._path = self._book.path
        self._book.rows_reset.connect(self.refresh)

    # --- the queue --------------------------------------------------------------------------------------

    @property
    def queue(self) -> Sequence[Suggestion]:
        """What waits, the most instructive first. It is put in order when it is first asked for."""
        if self._ordered is None:
            self._ordered = self._put_in_order()
            self._queue = self._unjudged()
        return self._queue

    def refresh(self) -> None:
        """What waits is another: after a review, in another matter, for another annotator."""
        self._ordered = None
        self._skipped.clear()
        if self._book.path != self._path:
            self._path = self._book.path
            self.people_changed.emit()
        self.queue_changed.emit()

    def refresh_judged(self) -> None:
        """Take away what has been judged, and bring back what was undone."""
        if self._ordered is not None:
            left = self._unjudged()
            if len(left) != len(self._queue):
                self._queue = left
                self.queue_changed.emit()

    def _put_in_order(self) -> list[Suggestion]:
        rows = self._book.rows()
        decided = [row.id for row in rows if row.verdict in (DecisionState.CONFIRMED, DecisionState.DISMISSED)]
        mine = self._my_links()
        waiting = suggestions((row.finding for row in rows if not row.is_gone), mine, decided)
        documents = [entry.document for entry in self._desk.documents.values() if entry.document is not None]
        drawn = controls(documents, waiting, mine, len(waiting) // CONTROL_EVERY + 1, SEED)
        return mixed(in_teaching_order(waiting, mine), drawn, SEED)

    def _unjudged(self) -> list[Suggestion]:
        judged = {spans_of(link.ends) for link in self._my_links()}
        return [each for each in self._ordered or () if each.spans not in judged]

    def _my_links(self) -> list[Link]:
        me = self.me
        return [link for link in self._book.links() if me is not None and link.annotator == me.id]

    def next(self, after: str = "") -> Suggestion | None:
        """The first that waits and was not skipped; ``after`` an id is passed over this time."""
        return next((s for s in self.queue if s.id not in self._skipped and s.id != after), None)

    def suggestion(self, suggestion_id: str) -> Suggestion | None:
        """One that waits."""
        return next((each for each in self.queue if each.id == suggestion_id), None)

    def skip(self, suggestion_id: str) -> None:
        """Leave one for later; when all were left, they come again."""
        self._skipped.add(suggestion_id)
        if self.next() is None:
            self._skipped = {suggestion_id} if len(self.queue) > 1 else set()

    def accept(self, suggestion: Suggestion) -> str:
        """The annotator's own judgement now: the suggestion's kind; the link's id, "" when it could not be kept."""
        return self._judge(suggestion, suggestion.code)

    def refuse(self, suggestion: Suggestion, reason: str) -> str:
        """No conflict, for a reason (a ``not.`` code); the link's id, "" when it could not be kept."""
        return self._judge(suggestion, reason)

    def _judge(self, suggestion: Suggestion, code: str) -> str:
        draft = LinkDraft(suggestion.ends, code, severity=suggestion.severity.value, origin=suggestion.origin.value)
        return self._book.add_link(draft)

    def pace(self, links: Iterable[Link]) -> float:
        """Pairs per hour of the present annotator, pauses left out; 0 while it cannot be said."""
        return pairs_per_hour(links, self.me.id) if self.me is not None else 0.0

    def controls_accepted(self, links: Iterable[Link]) -> tuple[int, int]:
        """How many controls the present annotator called a conflict, of how many."""
        me = self.me.id if self.me else ""
        judged = [link for link in links if link.annotator == me and link.origin is Origin.CONTROL]
        return sum(not link.code.startswith("not.") for link in judged), len(judged)

    # --- people -----------------------------------------------------------------------------------------

    @property
    def me(self) -> Annotator | None:
        """The present annotator; None without a matter."""
        return self._book.ask(lambda matter: matter.annotator(), None)

    def people(self) -> tuple[Annotator, ...]:
        """Everyone whom the matter knows."""
        return self._book.ask(lambda matter: matter.annotators(), ())

    def names(self) -> dict[str, str]:
        """Names by id."""
        return {each.id: each.name for each in self.people()}

    def become(self, annotator: Annotator) -> None:
        """Label as somebody from now on, whom the matter may not know yet."""
        self._book.keep(lambda matter: matter.use_annotator(annotator) or True)  # type: ignore[func-returns-value]  # it gives None
        self._book.reload()
        self.people_changed.emit()

    def add_person(self, name: str) -> None:
        """A new annotator, who labels from now on."""
        from engine.matter import new_annotator_id

        self.become(Annotator(new_annotator_id(), " ".join(name.split())))

    def assignments(self) -> tuple[Assignment, ...]:
        """Who has which document."""
        return self._book.ask(lambda matter: matter.assignments(), ())

    def assign(self, annotator: str, document: str, state: str) -> None:
        """Give a document to somebody, or say that she has finished (``open``, ``done``)."""
        self._book.keep(lambda matter: matter.assign(annotator, document, state) or True)  # type: ignore[func-returns-value]  # it gives None
        self.people_changed.emit()

    @property
    def is_blind(self) -> bool:
        """Whether others' links are hidden until the own assignment is done."""
        from engine.matter.blind import is_blind

        return self._book.ask(is_blind, False)

    def set_blind(self, blind: bool) -> None:
        """Hide them, or not."""
        from engine.matter.blind import set_blind

        self._book.keep(lambda matter: set_blind(matter, blind) or True)  # type: ignore[func-returns-value]  # it gives None
        self.people_changed.emit()

    @property
    def hides_others(self) -> bool:
        """Whether something is hidden from the present annotator now."""
        me = self.me
        return self.is_blind and me is not None and any(
            each.annotator == me.id and each.state != "done" for each in self.assignments()
        )  # fmt: skip

    def agreement(self) -> Agreement | None:
        """How far people agree; None without a matter."""
        from engine.matter.agreement import agreement

        return self._book.ask(agreement, None)

    # --- rulings ----------------------------------------------------------------------------------------

    def disputes(self) -> tuple[Dispute, ...]:
        """The pairs that people judged differently, unsettled ones first; none while others are hidden."""
        from engine.matter.adjudication import disputes

        return () if self.hides_others else disputes(self._book.links(), self.assignments())

    def remarks(self) -> tuple[Remark, ...]:
        """The record of the rulings."""
        from engine.matter.adjudication import remarks

        return self._book.ask(remarks, ())

    def rule(self, act: str, link_ids: Sequence[str], comment: str) -> bool:
        """``accept``, ``reject`` or ``comment`` the first, or ``merge`` all; False when it could not be kept."""
        from engine.matter import adjudication

        def ruling(matter: Matter) -> object:
            match act:
                case "accept":
                    return adjudication.accept(matter, link_ids[0], comment)
                case "reject":
                    return adjudication.reject(matter, link_ids[0], comment)
                case "merge":
                    return adjudication.merge_judgements(matter, link_ids, comment)
                case _:
                    return adjudication.comment(matter, link_ids[0], comment)

        return self._book.keep(ruling) is not None

    # --- the guide --------------------------------------------------------------------------------------

    def guide(self) -> Guide:
        """The matter's guide with its label set."""
        from engine.matter.guide import Guide, guide_of, standard_labels

        return self._book.ask(guide_of, Guide(labels=standard_labels()))

    def write_guide(self, guide: Guide) -> bool:
        """Keep the guide; False (and the reason is said) when the label set does not hold together."""
        from engine.matter.guide import keep_guide

        kept = self._book.keep(lambda matter: keep_guide(matter, guide) or True)  # type: ignore[func-returns-value]  # it gives None
        if kept is not None:
            self.people_changed.emit()
        return kept is not None

    def corrected(self, suggestion: Suggestion, draft: LinkDraft) -> LinkDraft:
        """A form's draft that answers a suggestion."""
        return msgspec.structs.replace(draft, origin=suggestion.origin.value)
