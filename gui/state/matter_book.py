"""The open matter as the window sees it: rows of the inbox, links, undo. Every change is on the disk when it is told.

SQLite lives in the window's thread on purpose: a commit takes a few milliseconds, and "saved" may be
said only after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from PySide6.QtCore import QObject, Signal

from engine.document import Document, Notice, pack
from engine.matter.errors import MatterError, MatterMissing
from engine.matter.records import Decision, DecisionState, DocumentRecord, Link, LinkEnd, Verdict
from engine.protocol.findings import EngineLine, Finding
from engine.protocol.messages import ReviewOptions
from gui.state.finding_row import FindingRow
from gui.state.wording import matter_error_words, notice_words

if TYPE_CHECKING:
    from engine.matter import Matter

Answer = TypeVar("Answer")
ANCHOR_TABLE_SUFFIX = ".saht"
INDEX_SUFFIX = ".index"


class LinkDraft(msgspec.Struct, frozen=True):
    """A link as the form gives it: what is to be kept, before the matter gives it an id."""

    ends: tuple[LinkEnd, ...]
    code: str
    aspect: str = ""
    direction: str = "none"
    severity: str = "medium"
    confidence: float = 1.0
    note: str = ""
    origin: str = "person"


class MatterBook(QObject):
    """The matter's content for the views.

    Signals:
        rows_reset(): the inbox is another one.
        rows_changed(dict): rows by id whose decision changed.
        links_changed(): a link was added, changed, deleted or brought back.
        documents_changed(): the matter's list of documents is another one.
        saved(): something was committed.
        failed(sentence): something could not be kept; nothing changed.
        noticed(sentence): the matter said something on opening (read-only, brought up to date).
    """

    rows_reset = Signal()
    rows_changed = Signal(dict)
    review_compared = Signal(int, int, int)  # new, gone, changed findings of a review that was not the first
    links_changed = Signal()
    documents_changed = Signal()
    saved = Signal()
    failed = Signal(str)
    noticed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        #: In which language the matter names what was undone.
        self.language = "en"
        self._matter: Matter | None = None
        self._rows: dict[str, FindingRow] = {}
        self._new, self._changed = frozenset[str](), frozenset[str]()
        self._links: tuple[Link, ...] | None = None
        self._is_patched = False
        # Connected before anybody else, so that whoever hears of other links gets them.
        self.links_changed.connect(self._forget_links)

    # --- the file ---------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether there is a matter."""
        return self._matter is not None

    @property
    def read_only(self) -> bool:
        """Whether nothing can be kept: no matter, or one that another window is writing."""
        return self._matter is None or self._matter.read_only

    @property
    def path(self) -> Path | None:
        """The matter's file."""
        return self._matter.path if self._matter else None

    @property
    def anchor_table(self) -> Path | None:
        """Where the matter's anchor table is kept: beside its file. The engine writes it, and can build it again."""
        return self._matter.path.with_suffix(ANCHOR_TABLE_SUFFIX) if self._matter else None

    @property
    def index_folder(self) -> Path | None:
        """Where the engine keeps the matter's index of passages, beside its file; None where nothing can be kept."""
        return self._matter.path.with_suffix(INDEX_SUFFIX) if self._matter and not self._matter.read_only else None

    def review_options(self, reviewed: Sequence[str]) -> ReviewOptions:
        """A review of these documents brings the anchor table up to date, where this window may write."""
        if self.anchor_table is None or self.read_only:
            return ReviewOptions()
        kept = tuple(record.id for record in self.documents() if record.id not in reviewed)
        return ReviewOptions(table=str(self.anchor_table), kept=kept)

    def open(self, path: Path) -> bool:
        """Open the matter at ``path``, or make it; the one before is closed. False when neither works."""
        try:
            matter = _opened(path)
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return False
        self.close()
        self._matter = matter
        if matter.notice:
            self.noticed.emit(notice_words(Notice(matter.notice_code, matter.notice)))
        self.reload()
        self.links_changed.emit()
        self.documents_changed.emit()
        return True

    def close(self) -> None:
        """Close the file; harmless without one."""
        if self._matter is not None:
            matter, self._matter = self._matter, None
            self._rows, self._new, self._changed = {}, frozenset(), frozenset()
            matter.close()
            self.rows_reset.emit()
            self.links_changed.emit()
            self.documents_changed.emit()

    # --- documents --------------------------------------------------------------------------------------

    def documents(self) -> tuple[DocumentRecord, ...]:
        """The matter's documents in order."""
        return self._matter.documents() if self._matter else ()

    def add_document(self, document_id: str, name: str, path: str, media: str) -> bool:
        """Add a document or bring it up to date; the text that is kept of it stays."""
        role = self._role_of(document_id)
        done = self._keep(lambda matter: matter.add_document(document_id, name, path, media, None, role), quiet=True)
        if done is not None:
            self.documents_changed.emit()
        return done is not None

    def storing(self, document: Document, path: str) -> Callable[[], str]:
        """What keeps a document with its text when it is called, in another thread; :meth:`take_stored` its answer."""
        role, matter = self._role_of(document.id), self.path

        def store() -> str:
            if matter is None:
                return ""
            parts = (document.id, document.name, path, document.media, pack(document), role, document.clauses)
            try:
                from engine.matter import store_document

                store_document(matter, *parts)
            except MatterError as error:
                return matter_error_words(error)
            return ""

        return store

    def take_stored(self, problem: object) -> None:
        """A document was kept, or ``problem`` says why not."""
        if problem:
            self.failed.emit(str(problem))
        else:
            self.documents_changed.emit()

    def _role_of(self, document_id: str) -> str:
        known = {record.id: record for record in self.documents()}
        return known[document_id].role if document_id in known else ("master" if not known else "other")

    def packed_document(self, document_id: str) -> bytes | None:
        """A known document's saved form, or None."""
        if self._matter is None or document_id not in {record.id for record in self.documents()}:
            return None
        return self._matter.packed_document(document_id)

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

    def take_review(self, documents: Sequence[str], findings: Sequence[Finding], engine: EngineLine) -> bool:
        """Keep a review; decisions come back by the findings' ids."""
        had_review = bool(self._rows)
        changes = self._keep(lambda matter: matter.save_review(documents, findings, engine), quiet=True)
        if changes is None:
            return False
        new = (*changes.new, *changes.returned) if had_review else ()  # all of a first review is: that says nothing
        self._new, self._changed = frozenset(new), frozenset(changes.changed)
        self.reload()
        self.saved.emit()
        if had_review:
            self.review_compared.emit(len(self._new), len(changes.gone), len(self._changed))
        return True

    def reload(self) -> None:
        """Read the inbox from the file."""
        matter = self._matter
        if matter is None:
            self._rows = {}
        else:
            decisions = {decision.finding: decision for decision in matter.decisions()}
            records = matter.finding_records()
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

    def _links_kept(self, answer: Answer | None, patch: bool = False) -> Answer | None:
        if answer is not None:
            # Only for one's own links: another act can change which of the others' may be seen.
            if patch and self._matter is not None:
                self._patch_links(self._matter)
            self.links_changed.emit()
        return answer

    # --- undo -----------------------------------------------------------------------------------------------

    def undo(self) -> str:
        """Take the last decision, note or link back; what it was, "" when there is nothing."""
        return self._replayed(self._keep(lambda matter: matter.undo(self.language)))

    def redo(self) -> str:
        """Do what was undone last once more; what it was, "" when there is nothing."""
        return self._replayed(self._keep(lambda matter: matter.redo(self.language)))

    def _replayed(self, words: str | None) -> str:
        if not words or self._matter is None:
            return ""
        self._refresh(self._matter.last_changes.decisions)
        if self._matter.last_changes.links or not self._matter.last_changes.decisions:
            self.links_changed.emit()
        return words

    # --- settings -------------------------------------------------------------------------------------------

    def setting(self, name: str, default: str = "") -> str:
        """Something the matter remembers."""
        return self._matter.setting(name, default) if self._matter else default

    def remember(self, name: str, value: str) -> None:
        """Let the matter remember something; a matter that can only be read remembers nothing."""
        if self._matter is not None and not self._matter.read_only and self._matter.setting(name) != value:
            self._keep(lambda matter: matter.set_setting(name, value) or True, quiet=True)  # type: ignore[func-returns-value]  # it gives None

    # --- ground ---------------------------------------------------------------------------------------------

    def ask(self, question: Callable[[Matter], Answer], otherwise: Answer) -> Answer:
        """Read something in the file; ``otherwise`` without a matter, or when it cannot be read."""
        if self._matter is None:
            return otherwise
        try:
            return question(self._matter)
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return otherwise

    def keep(self, act: Callable[[Matter], Answer]) -> Answer | None:
        """Change links or people in the file; None and :attr:`failed` when it cannot be done."""
        return self._links_kept(self._keep(act))

    def _keep(self, act: Callable[[Matter], Answer], quiet: bool = False) -> Answer | None:
        """Do something to the file; None and :attr:`failed` when it cannot be done."""
        if self._matter is None:
            return None
        try:
            answer = act(self._matter)
        except MatterError as error:
            self.failed.emit(matter_error_words(error))
            return None
        if not quiet:
            self.saved.emit()
        return answer

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


def _visible_links(matter: Matter) -> tuple[Link, ...]:
    from engine.matter.blind import visible_links

    return visible_links(matter)


def load_matter_library() -> None:
    """Import what a matter needs: a tenth of a second, which a thread takes once the window is on the screen."""
    from engine.matter import Matter, store_document

    del Matter, store_document


def _opened(path: Path) -> Matter:
    from engine.matter import Matter

    try:
        return Matter.open(path)
    except MatterMissing:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Matter.create(path)
