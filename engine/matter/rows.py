"""Rows to records and back. Only here are columns named beside the schema."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlite_utils import Database

from engine.document import Clause
from engine.matter.clock import now
from engine.matter.errors import UnknownRecord
from engine.matter.records import (
    Annotator,
    Decision,
    DecisionState,
    Direction,
    DocumentRecord,
    Link,
    LinkEnd,
    LinkStatus,
    Origin,
)
from engine.protocol.findings import Severity

_LINK_COLUMNS = (
    "id, code, aspect, direction, severity, confidence, note, status, origin, annotator, created_at, changed_at"
)

Row = Sequence[Any]
#: SQLite has taken this many in one statement since 2007.
_MOST_PARAMETERS = 900


def put_link(db: Database, link: Link) -> None:
    """Write a link and its ends, in the place of an earlier state of it."""
    remove_link(db, link.id)
    db.execute(
        f"INSERT INTO link ({_LINK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            link.id, link.code, link.aspect, link.direction.value, link.severity.value, link.confidence, link.note,
            link.status.value, link.origin.value, link.annotator, link.created_at, link.changed_at,
        ),
    )  # fmt: skip
    db.conn.executemany(
        "INSERT INTO link_end VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (link.id, i, e.document, e.clause_id, e.clause_number, e.quote, e.start, e.end)
            for i, e in enumerate(link.ends)
        ],
    )


def remove_link(db: Database, link: str) -> None:
    """Remove a link and its ends, if it is there."""
    db.execute("DELETE FROM link WHERE id = ?", (link,))


def links(db: Database, where: str = "", parameters: Sequence[str] = ()) -> tuple[Link, ...]:
    """The links, oldest first, with their ends."""
    condition = f"WHERE {where}" if where else ""
    ends: dict[str, list[LinkEnd]] = {}
    inner = f"WHERE link IN (SELECT id FROM link {condition})" if where else ""
    for row in db.execute(
        f'SELECT link, document, clause_id, clause_number, quote, start, "end" FROM link_end {inner} '
        "ORDER BY link, position",
        parameters,
    ):
        ends.setdefault(row[0], []).append(LinkEnd(*row[1:]))
    rows = db.execute(f"SELECT {_LINK_COLUMNS} FROM link {condition} ORDER BY created_at, id", parameters)
    return tuple(_link(row, ends.get(row[0], ())) for row in rows)


def _link(row: Row, ends: Iterable[LinkEnd]) -> Link:
    return Link(
        id=row[0], ends=tuple(ends), code=row[1], aspect=row[2], direction=Direction(row[3]),
        severity=Severity(row[4]), confidence=row[5], note=row[6], status=LinkStatus(row[7]), origin=Origin(row[8]),
        annotator=row[9], created_at=row[10], changed_at=row[11],
    )  # fmt: skip


def put_decision(db: Database, decision: Decision) -> None:
    """Write a decision, in the place of the annotator's earlier one on that finding."""
    put_decisions(db, [decision])


def put_decisions(db: Database, decided: Sequence[Decision]) -> None:
    """Write decisions, each in the place of its annotator's earlier one on that finding."""
    db.conn.executemany(
        "INSERT OR REPLACE INTO decision (finding, annotator, state, reason, note, decided_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [(each.finding, each.annotator, each.state.value, each.reason, each.note, each.decided_at) for each in decided],
    )


def remove_decision(db: Database, finding: str, annotator: str) -> None:
    """Remove an annotator's decision on a finding, if it is there."""
    db.execute("DELETE FROM decision WHERE finding = ? AND annotator = ?", (finding, annotator))


def decisions(db: Database, where: str = "", parameters: Sequence[str] = ()) -> tuple[Decision, ...]:
    """The decisions, oldest first."""
    condition = f"WHERE {where}" if where else ""
    rows = db.execute(
        f"SELECT finding, annotator, state, reason, note, decided_at FROM decision {condition} "
        "ORDER BY decided_at, finding, annotator",
        parameters,
    )
    return tuple(Decision(r[0], r[1], DecisionState(r[2]), r[3], r[4], r[5]) for r in rows)


def decisions_on(db: Database, annotator: str, findings: Sequence[str]) -> dict[str, Decision | None]:
    """An annotator's decision on each of some findings, of which there may be thousands.

    Raises:
        UnknownRecord: one of them is not there.
    """
    found: dict[str, Decision | None] = {}
    for at in range(0, len(findings), _MOST_PARAMETERS):
        some = findings[at : at + _MOST_PARAMETERS]
        marks = ", ".join("?" * len(some))
        for row in db.execute(
            "SELECT f.id, d.state, d.reason, d.note, d.decided_at FROM finding AS f LEFT JOIN decision AS d "
            f"ON d.finding = f.id AND d.annotator = ? WHERE f.id IN ({marks})",
            (annotator, *some),
        ):
            decided = row[1] is not None
            found[row[0]] = Decision(row[0], annotator, DecisionState(row[1]), *row[2:]) if decided else None
    if any(each not in found for each in findings):
        raise UnknownRecord("That finding is not in this matter.")
    return found


def documents(db: Database) -> tuple[DocumentRecord, ...]:
    """The documents in the order they were added."""
    rows = db.execute(
        "SELECT id, name, path, media, role, position, added_at, packed IS NOT NULL FROM document ORDER BY position, id"
    )
    return tuple(DocumentRecord(row[0], row[1], row[2], row[3], row[4], row[5], row[6], bool(row[7])) for row in rows)


def put_document(
    db: Database, id: str, name: str, path: str, media: str, packed: bytes | None, role: str, clauses: Sequence[Clause]
) -> None:
    """Add a document, or bring the one of that id up to date; without text or clauses, what is there of them stays."""
    db.execute(
        "INSERT INTO document (id, name, path, media, role, position, added_at, packed) "
        "VALUES (?, ?, ?, ?, ?, (SELECT count(*) FROM document), ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "name = excluded.name, path = excluded.path, media = excluded.media, "
        # What a person said stands, also against a text that was on its way to the disk meanwhile.
        "role = iif(EXISTS (SELECT 1 FROM document_event WHERE document = excluded.id), role, excluded.role), "
        "packed = coalesce(excluded.packed, packed)",
        (id, name, path, str(media), role, now(), packed),
    )
    if clauses:
        db.execute("DELETE FROM clause WHERE document = ?", (id,))
        db.conn.executemany(
            "INSERT INTO clause VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (id, c.id, i, c.number, c.heading, c.kind.value, c.start, c.end, c.parent, c.page, c.language)
                for i, c in enumerate(clauses)
            ),
        )


def put_document_name(db: Database, id: str, name: str, media: str, role: str) -> None:
    """Add a document of which only the name is known; one that is there stays as it is."""
    db.execute(
        "INSERT OR IGNORE INTO document (id, name, path, media, role, position, added_at, packed) "
        "VALUES (?, ?, '', ?, ?, (SELECT count(*) FROM document), ?, NULL)",
        (id, name, media, role, now()),
    )


def put_annotator(db: Database, annotator: Annotator) -> None:
    """Write an annotator; the name of one already there is kept up to date."""
    db.execute(
        "INSERT INTO annotator (id, name, created_at) VALUES (?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name",
        (annotator.id, annotator.name, annotator.created_at),
    )


def annotators(db: Database) -> tuple[Annotator, ...]:
    """The annotators in the order they came."""
    return tuple(
        Annotator(*row) for row in db.execute("SELECT id, name, created_at FROM annotator ORDER BY created_at, id")
    )


def as_json(record: msgspec.Struct | None) -> str | None:
    """A record as the journal keeps it."""
    return None if record is None else msgspec.json.encode(record).decode()


def is_in(db: Database, table: str, record: str) -> bool:
    """Whether ``record`` is an id of ``table``."""
    cursor: sqlite3.Cursor = db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (record,))
    return cursor.fetchone() is not None
