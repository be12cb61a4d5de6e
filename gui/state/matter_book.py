"""The open matter as the window sees it: rows of the inbox, links, undo. Changes are on the disk when they are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.matter.errors import MatterError
from engine.matter.records import Decision, DecisionState, Link, ReviewChanges, Verdict
from engine.protocol.findings import EngineLine, Finding
from gui.state.finding_row import FindingRow
from gui.state.link_draft import LinkDraft
from gui.state.open_matter import Answer, OpenMatter
from gui.state.wording import matter_error_words

if TYPE_CHECKING:
    from engine.matter import Matter


class MatterBook(OpenMatter):
    """The matter's content for the views; of the file itself see :class:`OpenMatter`, also for its signals.

    Signals:
        rows_reset(): the inbox is another one.
        rows_changed(dict): rows by id whose decision changed.
        review_compared(new, gone, changed): how many findings of a review that was not the first differ.
        links_changed(): a link was added, changed, deleted or brought back.
    """

    rows_reset = Signal()
    rows_changed = Signal(dict)
    review_compared = Signal(int, int, int)
    links_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        #: In which language the matter names what was undone.
        self.language = "en"
        self._rows: dict[str, FindingRow] = {}
        self._new, self._changed = frozenset[str](), frozenset[str]()
        self._links: tuple[Link, ...] | None = None
        self._is_patched = False
        # Connected before anybody else, so that whoever hears of other links gets them.
        self.links_changed.connect(self._forget_links)

    def _take_other_content(self) -> None:
        self._new, self._changed = frozenset(), frozenset()
        self.reload()
        self.links_changed.emit()

    # --- findings and decisions -------------------------------------------------------------------------

    def rows(self) -> list[FindingRow]:
        """The inbox: present findings by rank, then decided ones that are gone."""
        return list(self._rows.values())

    def row(self, finding_id: str) -> FindingRow | None:
        """One row."""
        return self._rows.get(finding_id)

    def counts(self) -> Counter[DecisionState]:
        """How many present findings are in each state."""
        return Counter(row.verdict for row in self._rows.values() if not row.is_gone)

    def saving_review(
        self, documents: Sequence[str], findings: Sequence[Finding], engine: EngineLine
    ) -> Callable[[], ReviewChanges | str]:
        """What keeps a review when it is called, in another thread; its answer for :meth:`take_review`, or why not."""
        path = self.path

        def save() -> ReviewChanges | str:
            if path is None:
                return ""
            try:
                from engine.matter import store_review

                return store_review(path, documents, findings, engine)
            except MatterError as error:
                return matter_error_words(error)

        return save

    def take_review(self, changes: ReviewChanges, findings: Sequence[Finding]) -> None:
        """A review was kept; decisions come back by the findings' ids."""
        had_review = bool(self._rows)
        new = (*changes.new, *changes.returned) if had_review else ()  # all of a first review is: that says nothing
        self._new, self._changed = frozenset(new), frozenset(changes.changed)
        self.reload({finding.id: finding for finding in findings})
        self.saved.emit()
        if had_review:
            self.review_compared.emit(len(self._new), len(changes.gone), len(self._changed))

    def show_unkept(self, findings: Sequence[Finding]) -> None:
        """List a review that could not be kept, with the decisions that are there; nothing is written."""
        decisions = {each.finding: each for each in self._matter.decisions()} if self._matter else {}
        self._rows = {each.id: self._row_of(each, decisions.get(each.id), False) for each in findings}
        self.rows_reset.emit()

    def reload(self, known: Mapping[str, Finding] | None = None) -> None:
        """Read the inbox from the file; ``known`` are findings by id that were just saved."""
        matter = self._matter
        if matter is None:
            self._rows = {}
        else:
            decisions = {decision.finding: decision for decision in matter.decisions()}
            records = matter.finding_records(known)
            shown = [record for record in records if record.present]
            shown += [record for record in records if not record.present and record.finding.id in decisions]
            self._rows = {
                record.finding.id: self._row_of(record.finding, decisions.get(record.finding.id), not record.present)
                for record in shown
            }
        self.rows_reset.emit()

    def decide(self, finding_ids: Sequence[str], state: DecisionState, reason: str = "") -> bool:
        """One decision for all of them; each keeps its note. Deciding the same twice takes it back to open."""
        rows = [row for row in (self._rows.get(each) for each in finding_ids) if row]
        if not rows:
            return False
        if state is not DecisionState.OPEN and all(row.verdict is state and row.reason == reason for row in rows):
            state, reason = DecisionState.OPEN, ""
        verdicts = [Verdict(row.id, state, reason, row.note) for row in rows]
        done = self._keep(lambda matter: matter.decide_all(verdicts))
        self._refresh([row.id for row in rows])
        return done is not None

    def write_note(self, finding_id: str, text: str) -> bool:
        """Keep the note of a finding."""
        row = self._rows.get(finding_id)
        if row is None:
            return False
        changes = self._keep(lambda matter: matter.decide(row.id, row.verdict, row.reason, text))
        self._refresh([finding_id])
        return changes is not None

    def _row_of(self, finding: Finding, decision: Decision | None, is_gone: bool) -> FindingRow:
        said = (decision.state, decision.reason, decision.note) if decision else (DecisionState.OPEN, "", "")
        return FindingRow(finding, *said, finding.id in self._new, is_gone, finding.id in self._changed)

    def _refresh(self, finding_ids: Sequence[str]) -> None:
        if self._matter is None:
            return
        decisions = {decision.finding: decision for decision in self._matter.decisions()}
        changed: dict[str, FindingRow] = {}
        for finding_id in finding_ids:
            old = self._rows.get(finding_id)
            if old is not None:
                row = self._row_of(old.finding, decisions.get(finding_id), old.is_gone)
                self._rows[finding_id] = changed[finding_id] = row
        if changed:
            self.rows_changed.emit(changed)

    # --- links --------------------------------------------------------------------------------------------

    def links(self) -> tuple[Link, ...]:
        """The links that may be seen (in a blind matter not all), oldest first."""
        if self._links is None:
            nothing: tuple[Link, ...] = ()
            self._links = self.ask(_visible_links, nothing)
        return self._links

    def _forget_links(self) -> None:
        if not self._is_patched:
            self._links = None
        self._is_patched = False

    def _patch_links(self, matter: Matter) -> None:
        """Bring the list of links up to date by those that changed: reading 10,000 again is felt at every label."""
        if self._links is None:
            return
        changed = set(matter.last_changes.links)
        now = {link.id: link for link in matter.links_of(changed)}
        kept = [now.pop(link.id, link) for link in self._links if link.id not in changed or link.id in now]
        self._links = (*kept, *sorted(now.values(), key=lambda link: (link.created_at, link.id)))
        self._is_patched = True

    def add_link(self, draft: LinkDraft) -> str:
        """Keep a link; its id, or "" when it could not be kept."""
        link_id = self._keep(
            lambda matter: matter.add_link(
                draft.ends, draft.code, draft.aspect, draft.direction, draft.severity, draft.confidence, draft.note,
                draft.origin,
            )
        )
        return self._links_kept(link_id, patch=True) or ""

    def change_link(self, link: Link) -> bool:
        """Put an edited link in the place of the one with its id."""
        return self._links_kept(self._keep(lambda matter: matter.edit_link(link)), patch=True) is not None

    def delete_link(self, link_id: str) -> bool:
        """Remove a link; undo brings it back."""
        return self._links_kept(self._keep(lambda matter: matter.delete_link(link_id)), patch=True) is not None

    def keep(self, act: Callable[[Matter], Answer]) -> Answer | None:
        """Change links or people in the file; None and :attr:`failed` when it cannot be done."""
        return self._links_kept(self._keep(act))

    def _links_kept(self, answer: Answer | None, patch: bool = False) -> Answer | None:
        if answer is not None:
            # Only for one's own links: another act can change which of the others' may be seen.
            if patch and self._matter is not None:
                self._patch_links(self._matter)
            self.links_changed.emit()
        return answer

    def move_links(self, document: Document, previous: str) -> tuple[int, int] | None:
        """Find the links of ``previous`` again in ``document``, its newer state: how many moved, how many did not."""

        def move(matter: Matter) -> tuple[int, int]:
            from engine.matter import reanchor_links

            answer = reanchor_links(matter, document, previous)
            return len(answer.moved), len(answer.lost)

        return self.keep(move)

    # --- undo -----------------------------------------------------------------------------------------------

    def undo(self) -> str:
        """Take the last decision, note or link back; what it was, "" when there is nothing."""
        return self._replayed(self._keep(lambda matter: matter.undo(self.language)) if self.is_open else "")

    def redo(self) -> str:
        """Do what was undone last once more; what it was, "" when there is nothing."""
        return self._replayed(self._keep(lambda matter: matter.redo(self.language)) if self.is_open else "")

    def _replayed(self, words: str | None) -> str:
        if not words or self._matter is None:
            return ""
        self._refresh(self._matter.last_changes.decisions)
        if self._matter.last_changes.links or not self._matter.last_changes.decisions:
            self.links_changed.emit()
        if self._matter.last_changes.documents:
            self.documents_changed.emit()
        return words


def _visible_links(matter: Matter) -> tuple[Link, ...]:
    from engine.matter.blind import visible_links

    return visible_links(matter)
