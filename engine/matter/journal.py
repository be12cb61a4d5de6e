"""The append-only journal of what people did, and undo as further events in it.

A *change* is one act of a person (a decision, a link, an import); its events say for each link and
decision what it was before and after. Undo writes a change of step ``undo`` that targets the first one
and puts every ``before`` back; redo writes one of step ``redo``. Nothing is ever taken out, so undo
works across restarts, and the tables can be computed again from the events.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TypeVar

import msgspec
from sqlite_utils import Database

from engine.matter import rows
from engine.matter.clock import now
from engine.matter.records import Act, Changes, Decision, Event, Link, RoleChoice, Step

_Record = TypeVar("_Record", bound=msgspec.Struct)


class ChangeRow(msgspec.Struct, frozen=True):
    """An act in the journal; ``subject`` names what it was about, in the words of the document."""

    id: int
    act: Act
    subject: str


class Entry:
    """One change being written; use inside a transaction."""

    def __init__(self, db: Database, annotator: str, act: Act, subject: str, *, step: Step = Step.DO, target: int = 0):
        self._db = db
        self._at = now()
        self._links: list[str] = []
        self._decisions: list[str] = []
        self._documents: list[str] = []
        cursor = db.execute(
            "INSERT INTO change (uid, at, annotator, act, step, target, subject) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (secrets.token_hex(12), self._at, annotator, act.value, step.value, target or None, subject),
        )
        assert cursor.lastrowid is not None
        self.id = cursor.lastrowid

    def set_link(self, link_id: str, before: Link | None, after: Link | None) -> None:
        """Bring a link from one state to another and record it."""
        if after is None:
            rows.remove_link(self._db, link_id)
        else:
            rows.put_link(self._db, after)
        self._db.execute(
            "INSERT INTO link_event (change, link, before, after) VALUES (?, ?, ?, ?)",
            (self.id, link_id, rows.as_json(before), rows.as_json(after)),
        )
        self._links.append(link_id)

    def set_decision(self, finding: str, annotator: str, before: Decision | None, after: Decision | None) -> None:
        """Bring an annotator's decision on a finding from one state to another and record it."""
        self.set_decisions(annotator, [(finding, before, after)])

    def set_decisions(
        self, annotator: str, steps: Sequence[tuple[str, Decision | None, Decision | None]]
    ) -> None:
        """The same for several findings (each with what was before and what is after)."""
        for finding, _, after in steps:
            if after is None:
                rows.remove_decision(self._db, finding, annotator)
        rows.put_decisions(self._db, [after for _, _, after in steps if after is not None])
        self._db.conn.executemany(
            "INSERT INTO decision_event (change, finding, annotator, before, after) VALUES (?, ?, ?, ?, ?)",
            [(self.id, each, annotator, rows.as_json(before), rows.as_json(after)) for each, before, after in steps],
        )
        self._decisions += [finding for finding, _, _ in steps]

    def set_role(self, document: str, before: RoleChoice, after: RoleChoice) -> None:
        """Give a document another role and record it."""
        self._db.execute("UPDATE document SET role = ? WHERE id = ?", (after.role, document))
        self._db.execute(
            "INSERT INTO document_event (change, document, before, after) VALUES (?, ?, ?, ?)",
            (self.id, document, rows.as_json(before), rows.as_json(after)),
        )
        self._documents.append(document)

    @property
    def changes(self) -> Changes:
        """What this change touched so far."""
        return Changes(
            documents=tuple(self._documents), decisions=tuple(self._decisions), links=tuple(self._links)
        )


# The last undo or redo of an act says whether it stands.
_STATES = """
    WITH latest AS (
        SELECT done.id AS id, done.act AS act, done.subject AS subject,
               (SELECT max(id) FROM change WHERE target = done.id) AS last
        FROM change AS done WHERE done.step = 'do')
    SELECT latest.id, latest.act, latest.subject FROM latest LEFT JOIN change AS c ON c.id = latest.last
"""


def undoable(db: Database) -> ChangeRow | None:
    """The newest act that stands, or None."""
    row = db.execute(_STATES + "WHERE c.step IS NULL OR c.step = 'redo' ORDER BY latest.id DESC LIMIT 1").fetchone()
    return None if row is None else ChangeRow(row[0], Act(row[1]), row[2])


def redoable(db: Database) -> ChangeRow | None:
    """The oldest undone act that no newer act has made moot, or None."""
    row = db.execute(
        _STATES + "WHERE c.step = 'undo' AND c.id > (SELECT max(id) FROM change WHERE step = 'do') "
        "ORDER BY latest.id LIMIT 1"
    ).fetchone()
    return None if row is None else ChangeRow(row[0], Act(row[1]), row[2])


def replay(db: Database, change: ChangeRow, annotator: str, step: Step) -> Changes:
    """Write the inverse of an act (``undo``) or the act once more (``redo``) as a new change."""
    entry = Entry(db, annotator, change.act, change.subject, step=step, target=change.id)
    back = step is Step.UNDO
    order = "DESC" if back else "ASC"
    for link_id, before, after in db.execute(
        f"SELECT link, before, after FROM link_event WHERE change = ? ORDER BY id {order}", (change.id,)
    ).fetchall():
        old, new = (after, before) if back else (before, after)
        entry.set_link(link_id, _record(old, Link), _record(new, Link))
    for finding, who, before, after in db.execute(
        f"SELECT finding, annotator, before, after FROM decision_event WHERE change = ? ORDER BY id {order}",
        (change.id,),
    ).fetchall():
        old, new = (after, before) if back else (before, after)
        entry.set_decision(finding, who, _record(old, Decision), _record(new, Decision))
    for document, before, after in db.execute(
        f"SELECT document, before, after FROM document_event WHERE change = ? ORDER BY id {order}", (change.id,)
    ).fetchall():
        old, new = (after, before) if back else (before, after)
        entry.set_role(document, *(msgspec.json.decode(text, type=RoleChoice) for text in (old, new)))
    return entry.changes


def _record(text: str | None, kind: type[_Record]) -> _Record | None:
    return None if text is None else msgspec.json.decode(text, type=kind)


def events(db: Database, link: str = "", finding: str = "", document: str = "") -> tuple[Event, ...]:
    """The journal, oldest first; all of it, or that of one link, finding or document."""
    out: list[Event] = []
    tables = (("link", "link", link), ("decision", "finding", finding), ("document", "document", document))
    for table, column, wanted in tables:
        if (link or finding or document) and not wanted:
            continue
        condition = f"WHERE e.{column} = ?" if wanted else ""
        cursor = db.execute(
            f"SELECT c.id, e.{column}, c.annotator, c.at, c.act, c.step, c.target, e.before, e.after, e.id "
            f"FROM {table}_event AS e JOIN change AS c ON c.id = e.change {condition} ORDER BY c.id, e.id",
            (wanted,) if wanted else (),
        )
        out += [
            Event(r[0], table, r[1], r[2], r[3], Act(r[4]), Step(r[5]), r[6] or 0, r[7] or "", r[8] or "")
            for r in cursor
        ]
    return tuple(sorted(out, key=lambda event: event.change))


_WORDS = {
    "en": {
        Act.DECIDE: "decision on {}", Act.DECIDE_MANY: "decision on {} findings", Act.ADD_LINK: "link {}",
        Act.EDIT_LINK: "edit of link {}", Act.DELETE_LINK: "deletion of link {}", Act.IMPORT: "import of {}",
        Act.MERGE: "merge of {}", Act.RELOCATE: "moving of the links in {}",
        Act.ADJUDICATE: "ruling on {}", Act.SET_ROLE: "role of {}",
    },
    "zh": {
        Act.DECIDE: "对“{}”的判断", Act.DECIDE_MANY: "对 {} 项发现的判断", Act.ADD_LINK: "关联 {}",
        Act.EDIT_LINK: "对关联 {} 的修改", Act.DELETE_LINK: "对关联 {} 的删除", Act.IMPORT: "导入 {}",
        Act.MERGE: "合并 {}", Act.RELOCATE: "对 {} 中关联的重新定位",
        Act.ADJUDICATE: "对 {} 的裁定", Act.SET_ROLE: "{} 的角色",
    },
}  # fmt: skip


def in_words(change: ChangeRow, language: str) -> str:
    """What an act was, as a noun phrase for "Undid: …" (``language`` is ``en`` or ``zh``)."""
    return _WORDS.get(language, _WORDS["en"])[change.act].format(change.subject)
