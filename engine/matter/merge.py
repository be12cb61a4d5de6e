"""Bringing another matter file's documents, people, findings, decisions, links and history into this one.

Judgements of different people never collide: a link has its own id and annotator, a decision is kept
per finding and annotator. Where both files hold the same link (or one person's decision on the same
finding) in different states, the later state stands, and the other is kept in the journal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from sqlite_utils import Database

from engine.matter import reviews, rows
from engine.matter.adjudication import STANDS
from engine.matter.guide import guide_of
from engine.matter.guide_merge import GuideRemark, merge_guides
from engine.matter.journal import Entry
from engine.matter.matter import Matter
from engine.matter.records import Act, Changes, Decision, Link

#: The journal's tables, with the columns that name what an event is about.
_EVENTS = (("link_event", "link"), ("decision_event", "finding, annotator"), ("document_event", "document"))


class MergeReport(msgspec.Struct, frozen=True):
    """What a merge brought: ids that are new here, ids taken because theirs were later, ids kept because ours were.

    ``guide`` names every difference between the two guides, ``guide_changed`` whether this matter's is another now.
    """

    documents: tuple[str, ...]
    findings: tuple[str, ...]
    added: tuple[str, ...]
    taken: tuple[str, ...]
    kept: tuple[str, ...]
    history: int
    guide: tuple[GuideRemark, ...] = ()
    guide_changed: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the other file held nothing that was not here already."""
        brought = self.documents or self.findings or self.added or self.taken
        return not (brought or self.history or self.guide_changed)


_Record = TypeVar("_Record", Link, Decision)


class _State(msgspec.Struct, Generic[_Record], frozen=True):
    """A record as one file has it (None: removed there) and since when."""

    record: _Record | None
    since: str


def merge(matter: Matter, other: Path) -> MergeReport:
    """Bring ``other`` into ``matter``, all or nothing; merging the same file again changes nothing.

    Raises:
        MatterError: ``other`` cannot be opened, or ``matter`` cannot be written.
    """
    who = matter.annotator().id
    with Matter.open(other, read_only=True) as theirs, matter.transaction() as db, theirs.snapshot() as their_db:
        documents = _merge_people_and_documents(db, their_db)
        findings = _merge_findings(db, their_db, other.name)
        links = _differences(_link_states(db), _link_states(their_db))
        decisions = _differences(_decision_states(db), _decision_states(their_db))
        history = _merge_history(db, their_db)
        added: list[str] = []
        taken: list[str] = []
        kept: list[str] = []
        steps_links: list[tuple[str, Link | None, Link | None]] = []
        for link_id, our_link, their_link in links:
            if _note(link_id, our_link, their_link, added, taken, kept):
                steps_links.append((link_id, our_link.record if our_link else None, their_link.record))
        steps_decisions: list[tuple[tuple[str, str], Decision | None, Decision | None]] = []
        for key, our_decision, their_decision in decisions:
            if _note(key[0], our_decision, their_decision, added, taken, kept):
                steps_decisions.append((key, our_decision.record if our_decision else None, their_decision.record))
        guide_changed, remarks = merge_guides(matter, guide_of(theirs), other.name)
        changes = Changes(documents=documents, findings=findings)
        if steps_links or steps_decisions:
            entry = Entry(db, who, Act.MERGE, other.name)
            for link_id, before, after in steps_links:
                entry.set_link(link_id, before, after)
            for (finding, annotator), earlier, later in steps_decisions:
                entry.set_decision(finding, annotator, earlier, later)
            changes = msgspec.structs.replace(entry.changes, documents=documents, findings=findings)
    matter.changed(changes)
    return MergeReport(
        documents, findings, tuple(added), tuple(taken), tuple(kept), history, remarks, guide_changed
    )


class _LookedAt(Exception):
    """Ends the transaction of :func:`preview_merge`."""


def preview_merge(matter: Matter, other: Path) -> MergeReport:
    """What :func:`merge` would bring; nothing is changed.

    Raises:
        MatterError: as :func:`merge`.
    """
    before = matter.last_changes
    try:
        with matter.transaction():
            report = merge(matter, other)
            raise _LookedAt
    except _LookedAt:
        matter.changed(before)
    return report


def _note(
    name: str, ours: _State[_Record] | None, theirs: _State[_Record],
    added: list[str], taken: list[str], kept: list[str],
) -> bool:  # fmt: skip
    """Sort a difference into one of the lists; whether theirs is to be taken."""
    if ours is None:
        added.append(name)
        return True
    # At equal times ours differs only by a merge that was undone here; asking again means wanting it.
    if theirs.since >= ours.since:
        taken.append(name)
        return True
    kept.append(name)
    return False


def _merge_people_and_documents(db: Database, other: Database) -> tuple[str, ...]:
    for annotator in rows.annotators(other):
        db.execute(
            "INSERT OR IGNORE INTO annotator VALUES (?, ?, ?)", (annotator.id, annotator.name, annotator.created_at)
        )
    new: list[str] = []
    for document in rows.documents(other):
        here = db.execute("SELECT packed IS NOT NULL FROM document WHERE id = ?", (document.id,)).fetchone()
        if here is None:
            rows.put_document_name(db, document.id, document.name, document.media, document.role)
            db.execute("UPDATE document SET path = ? WHERE id = ?", (document.path, document.id))
        if here is None or (document.has_text and not here[0]):
            new.append(document.id)
            packed = other.execute("SELECT packed FROM document WHERE id = ?", (document.id,)).fetchone()[0]
            db.execute("UPDATE document SET packed = ? WHERE id = ?", (packed, document.id))
            clauses = other.execute("SELECT * FROM clause WHERE document = ?", (document.id,)).fetchall()
            db.execute("DELETE FROM clause WHERE document = ?", (document.id,))
            db.conn.executemany("INSERT INTO clause VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", clauses)
    db.conn.executemany(
        "INSERT OR IGNORE INTO assignment VALUES (?, ?, ?, ?)",
        other.execute("SELECT annotator, document, state, created_at FROM assignment").fetchall(),
    )
    return tuple(new)


def _merge_findings(db: Database, other: Database, name: str) -> tuple[str, ...]:
    known = {row[0] for row in db.execute("SELECT id FROM finding")}
    new = [record for record in reviews.records(other) if record.finding.id not in known]
    if not new:
        return ()
    # Where this file has its own review of a document, that review says which findings stand.
    reviewed = {row[0] for row in db.execute("SELECT DISTINCT document FROM finding_document")}
    review = reviews.open_review(db, "merge", name, "", len(new))
    for record in new:
        reviews.put_finding(db, record.finding, review)
        documents = {passage.document for passage in record.finding.passages}
        if not record.present or documents & reviewed:
            db.execute("UPDATE finding SET present = 0 WHERE id = ?", (record.finding.id,))
    return tuple(record.finding.id for record in new)


def _link_states(db: Database) -> dict[str, _State[Link]]:
    """Each link that ever was, as it stands, with the time of the newest event that is not a merge's own."""
    live = {link.id: link for link in rows.links(db)}
    since = db.execute(
        "SELECT e.link, max(c.at) FROM link_event AS e JOIN change AS c ON c.id = e.change "
        "WHERE c.act <> ? GROUP BY e.link",
        (Act.MERGE.value,),
    )
    return {row[0]: _State(live.get(row[0]), row[1]) for row in since}


def _decision_states(db: Database) -> dict[tuple[str, str], _State[Decision]]:
    live = {(each.finding, each.annotator): each for each in rows.decisions(db)}
    since = db.execute(
        "SELECT e.finding, e.annotator, max(c.at) FROM decision_event AS e JOIN change AS c ON c.id = e.change "
        "WHERE c.act <> ? GROUP BY e.finding, e.annotator",
        (Act.MERGE.value,),
    )
    return {(row[0], row[1]): _State(live.get((row[0], row[1])), row[2]) for row in since}


_Key = TypeVar("_Key", str, tuple[str, str])


def _differences(
    ours: dict[_Key, _State[_Record]], theirs: dict[_Key, _State[_Record]]
) -> list[tuple[_Key, _State[_Record] | None, _State[_Record]]]:
    """Where their state is not ours; what they removed and we never had is no difference."""
    out: list[tuple[_Key, _State[_Record] | None, _State[_Record]]] = []
    for key, state in sorted(theirs.items()):
        mine = ours.get(key)
        if (mine.record if mine else None) != state.record:
            out.append((key, mine, state))
    return out


def _merge_history(db: Database, other: Database) -> int:
    """Copy the acts that are not here yet, with their own times and people, as ``history``; how many."""
    known = {row[0] for row in db.execute("SELECT uid FROM change")}
    count = 0
    # A merge's own acts stay in their file: what they brought is in the history of the one it came from.
    acts = other.execute(
        "SELECT id, uid, at, annotator, act, subject FROM change WHERE act <> ? ORDER BY id", (Act.MERGE.value,)
    )
    for row in acts.fetchall():
        if row[1] in known:
            continue
        cursor = db.execute(
            "INSERT INTO change (uid, at, annotator, act, step, target, subject) "
            "VALUES (?, ?, ?, ?, 'history', NULL, ?)",
            (row[1], row[2], row[3], row[4], row[5]),
        )
        for table, columns in _EVENTS:
            events = other.execute(
                f"SELECT {columns}, before, after FROM {table} WHERE change = ? ORDER BY id", (row[0],)
            ).fetchall()
            marks = ", ".join("?" * (columns.count(",") + 4))
            db.conn.executemany(
                f"INSERT INTO {table} (change, {columns}, before, after) VALUES ({marks})",
                [(cursor.lastrowid, *event) for event in events],
            )
        _merge_rulings(db, other, row[0], cursor.lastrowid)
        count += 1
    return count


def _merge_rulings(db: Database, other: Database, theirs: int, ours: int | None) -> None:
    """An adjudicator's record of an act that stands; one that was undone there stays there."""
    events = other.execute(
        "SELECT e.unit, e.ruling, e.comment FROM adjudication_event AS e JOIN change AS c ON c.id = e.change "
        f"WHERE c.id = ? AND {STANDS} ORDER BY e.id",
        (theirs,),
    ).fetchall()
    db.conn.executemany(
        "INSERT INTO adjudication_event (change, unit, ruling, comment) VALUES (?, ?, ?, ?)",
        [(ours, *event) for event in events],
    )
