"""The matter: documents, findings, decisions and links of one deal, in one file.

Every call that changes something has committed to the disk when it returns, and says what changed by
:attr:`Matter.last_changes`. A Matter belongs to the thread that opened it (SQLite's connections do).
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence

import msgspec

from engine.document import Clause
from engine.matter import journal, reviews, rows
from engine.matter.clock import now
from engine.matter.errors import InvalidLink, UnknownRecord
from engine.matter.file import MatterFile
from engine.matter.labels import is_code
from engine.matter.records import (
    Act,
    Changes,
    Decision,
    DecisionState,
    Direction,
    DocumentRecord,
    Event,
    FindingRecord,
    Link,
    LinkEnd,
    LinkStatus,
    Origin,
    ReviewChanges,
    Step,
    Verdict,
)
from engine.protocol.findings import EngineLine, Finding, Severity


class Matter(MatterFile):
    """An open matter. Make one with :meth:`~MatterFile.create` or :meth:`~MatterFile.open`."""

    # --- documents --------------------------------------------------------------------------------

    def add_document(
        self, id: str, name: str, path: str, media: str, packed: bytes | None, role: str = "master",
        clauses: Sequence[Clause] = (),
    ) -> Changes:  # fmt: skip
        """Add a document, or bring the one of that id up to date. ``packed`` is ``engine.document.pack``'s.

        ``clauses`` (the Document's) let links and agreement be shown without unpacking the text.
        """
        with self._writing() as db:
            rows.put_document(db, id, name, path, media, packed, role, clauses)
        return self.changed(Changes(documents=(id,)))

    def documents(self) -> tuple[DocumentRecord, ...]:
        """The documents in the order they were added."""
        with self._reading() as db:
            return rows.documents(db)

    def packed_document(self, id: str) -> bytes | None:
        """A document's saved form for ``engine.document.unpack``, or None when only its name is known."""
        with self._reading() as db:
            row = db.execute("SELECT packed FROM document WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise UnknownRecord("That document is not in this matter.")
        return None if row[0] is None else bytes(row[0])

    # --- findings and decisions -------------------------------------------------------------------

    def save_review(
        self, document_ids: Sequence[str], findings: Sequence[Finding], engine: EngineLine
    ) -> ReviewChanges:
        """Keep a review's findings. All decisions stay, also those on findings that are gone now.

        Raises:
            UnknownRecord: a finding stands in a document that is not in the matter.
        """
        with self._writing() as db:
            result = reviews.save_known(db, document_ids, findings, engine)
        self.changed(Changes(findings=result.new + result.changed + result.returned + result.gone))
        return result

    def findings(self) -> tuple[Finding, ...]:
        """The findings of the newest review of each document, by rank."""
        return tuple(record.finding for record in self.finding_records() if record.present)

    def finding_records(self, known: Mapping[str, Finding] | None = None) -> tuple[FindingRecord, ...]:
        """All findings ever, those that are gone included, by rank.

        ``known`` are findings by id that were just saved: they are not read again.
        """
        with self._reading() as db:
            return reviews.records(db, known=known)

    def decide(self, finding_id: str, state: DecisionState | str, reason: str = "", note: str = "") -> Changes:
        """The current annotator's word on a finding. Open without reason and note takes it back.

        Raises:
            UnknownRecord: no such finding.
            ValueError: ``state`` is none of :class:`DecisionState`.
        """
        return self.decide_all((Verdict(finding_id, DecisionState(state), reason, note),))

    def decide_all(self, verdicts: Sequence[Verdict]) -> Changes:
        """The current annotator's word on several findings: one commit, and one step to undo.

        Raises:
            UnknownRecord: one of the findings is not there; then nothing is changed.
        """
        who = self.annotator().id
        with self._writing() as db:
            steps: list[tuple[str, Decision | None, Decision | None]] = []
            earlier = rows.decisions_on(db, who, [verdict.finding for verdict in verdicts])
            for verdict in verdicts:
                before, after = earlier[verdict.finding], _decision(verdict, who)
                if not _same_decision(before, after):
                    steps.append((verdict.finding, before, after))
            if not steps:
                return self.changed(Changes())
            if len(steps) == 1:
                entry = journal.Entry(db, who, Act.DECIDE, reviews.summary(db, steps[0][0]))
            else:
                entry = journal.Entry(db, who, Act.DECIDE_MANY, str(len(steps)))
            entry.set_decisions(who, steps)
        return self.changed(entry.changes)

    def decisions(self, annotator: str | None = None) -> tuple[Decision, ...]:
        """The decisions of an annotator (the current one when None), oldest first."""
        who = self.annotator().id if annotator is None else annotator
        with self._reading() as db:
            return rows.decisions(db, "annotator = ?", (who,))

    def all_decisions(self) -> tuple[Decision, ...]:
        """The decisions of every annotator, oldest first."""
        with self._reading() as db:
            return rows.decisions(db)

    # --- links ------------------------------------------------------------------------------------

    def add_link(
        self, ends: Sequence[LinkEnd], code: str, aspect: str = "", direction: Direction | str = Direction.NONE,
        severity: Severity | str = Severity.MEDIUM, confidence: float = 1.0, note: str = "",
        origin: Origin | str = Origin.PERSON, annotator: str = "",
    ) -> str:  # fmt: skip
        """Join two or more passages; gives the link's id. ``annotator`` "" is the current one.

        Raises:
            InvalidLink: fewer than two ends, a code that is no label, offsets that are no span.
            UnknownRecord: an end's document, or the annotator, is not in the matter.
        """
        moment = now()
        link = Link(
            "l-" + secrets.token_hex(8), tuple(ends), code, aspect, Direction(direction), Severity(severity),
            float(confidence), note, LinkStatus.LABELLED, Origin(origin), annotator or self.annotator().id,
            moment, moment,
        )  # fmt: skip
        self._set_link(Act.ADD_LINK, link.id, None, link)
        return link.id

    def edit_link(self, link: Link) -> Changes:
        """Put a link in the place of the one with its id (``msgspec.structs.replace`` makes the new one).

        Its annotator and time of making stay; the time of change is set here.
        """
        before = self.link(link.id)
        after = msgspec.structs.replace(
            link, annotator=before.annotator, created_at=before.created_at, changed_at=before.changed_at
        )
        if after == before:
            return self.changed(Changes())
        return self._set_link(Act.EDIT_LINK, link.id, before, msgspec.structs.replace(after, changed_at=now()))

    def delete_link(self, link_id: str) -> Changes:
        """Remove a link; :meth:`undo` brings it back.

        Raises:
            UnknownRecord: no such link.
        """
        return self._set_link(Act.DELETE_LINK, link_id, self.link(link_id), None)

    def _set_link(self, act: Act, link_id: str, before: Link | None, after: Link | None) -> Changes:
        named = after or before
        assert named is not None
        if after is not None:
            require_valid(after)
        who = self.annotator().id
        with self._writing() as db:
            for table, record in (("annotator", named.annotator), *(("document", e.document) for e in named.ends)):
                if not rows.is_in(db, table, record):
                    raise UnknownRecord(f"The link's {table} is not in this matter.")
            entry = journal.Entry(db, who, act, link_subject(named))
            entry.set_link(link_id, before, after)
        return self.changed(entry.changes)

    def link(self, link_id: str) -> Link:
        """One link; :class:`UnknownRecord` when it is not there."""
        with self._reading() as db:
            found = rows.links(db, "id = ?", (link_id,))
        if not found:
            raise UnknownRecord("That link is not in this matter.")
        return found[0]

    def links_of(self, ids: Collection[str]) -> tuple[Link, ...]:
        """Those of these links that are there, oldest first."""
        with self._reading() as db:
            return rows.links(db, f"id IN ({', '.join('?' * len(ids))})", tuple(ids))

    def links(self) -> tuple[Link, ...]:
        """All links, oldest first."""
        with self._reading() as db:
            return rows.links(db)

    # --- undo and the journal ---------------------------------------------------------------------

    def undo(self, language: str = "en") -> str | None:
        """Take the newest standing act back, by a new event; what it was, in words, or None."""
        return self._replay(Step.UNDO, language)

    def redo(self, language: str = "en") -> str | None:
        """Do the act undone last once more; what it was, in words, or None."""
        return self._replay(Step.REDO, language)

    def _replay(self, step: Step, language: str) -> str | None:
        who = self.annotator().id
        with self._writing() as db:
            change = journal.undoable(db) if step is Step.UNDO else journal.redoable(db)
            if change is None:
                self.changed(Changes())
                return None
            changes = journal.replay(db, change, who, step)
        self.changed(changes)
        return journal.in_words(change, language)

    def undoable(self, language: str = "en") -> str | None:
        """What :meth:`undo` would take back, in words, or None."""
        with self._reading() as db:
            change = journal.undoable(db)
        return None if change is None else journal.in_words(change, language)

    def redoable(self, language: str = "en") -> str | None:
        """What :meth:`redo` would do again, in words, or None."""
        with self._reading() as db:
            change = journal.redoable(db)
        return None if change is None else journal.in_words(change, language)

    def events(self, link: str = "", finding: str = "", document: str = "") -> tuple[Event, ...]:
        """The journal, oldest first; all of it, or that of one link, finding or document."""
        with self._reading() as db:
            return journal.events(db, link, finding, document)


def _decision(verdict: Verdict, annotator: str) -> Decision | None:
    if verdict.state is DecisionState.OPEN and not verdict.reason and not verdict.note:
        return None
    return Decision(verdict.finding, annotator, verdict.state, verdict.reason, verdict.note, now())


def _same_decision(before: Decision | None, after: Decision | None) -> bool:
    if before is None or after is None:
        return before is after
    return msgspec.structs.replace(before, decided_at=after.decided_at) == after


def link_subject(link: Link) -> str:
    """A link in a few words: its ends' clause numbers, or the beginnings of the quotes."""
    return " ↔ ".join(end.clause_number or _short(end.quote) for end in link.ends)


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return f"“{words[:24]}…”" if len(words) > 25 else f"“{words}”"


def require_valid(link: Link) -> None:
    """Raise :class:`InvalidLink` when a link cannot be kept."""
    if len(link.ends) < 2:
        raise InvalidLink("A link needs two passages.")
    if not is_code(link.code):
        raise InvalidLink("'{code}' is not a label; labels are lower-case words joined by dots.", code=link.code)
    if not 0 <= link.confidence <= 1:
        raise InvalidLink("A confidence lies between 0 and 1.")
    for end in link.ends:
        if not 0 <= end.start <= end.end or end.end - end.start != len(end.quote):
            raise InvalidLink("A passage's offsets do not fit its words.")
