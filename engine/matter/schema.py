"""The tables, as migrations: each is a function that takes a database of the version before it.

The version is ``PRAGMA user_version`` (the number of migrations applied); the file's kind is
``PRAGMA application_id``, which stands in the first page and can be read without SQLite.
Nothing outside this module creates a table: sqlite-utils would create one for a mistyped name.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlite_utils import Database

#: "ANTM", at byte 68 of the file.
APPLICATION_ID = 0x414E544D

_TABLES = (
    """CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE annotator (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL) STRICT""",
    # The packed text is last: SQLite then lists documents without touching its overflow pages.
    """CREATE TABLE document (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL, media TEXT NOT NULL, role TEXT NOT NULL,
        position INTEGER NOT NULL, added_at TEXT NOT NULL, packed BLOB) STRICT""",
    """CREATE TABLE clause (
        document TEXT NOT NULL REFERENCES document(id) ON DELETE CASCADE, id TEXT NOT NULL, position INTEGER NOT NULL,
        number TEXT NOT NULL, heading TEXT NOT NULL, kind TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        parent TEXT NOT NULL, page INTEGER NOT NULL, language TEXT NOT NULL,
        PRIMARY KEY (document, id)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE review (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, device TEXT NOT NULL, encoder TEXT NOT NULL,
        verifier TEXT NOT NULL, findings INTEGER NOT NULL) STRICT""",
    """CREATE TABLE finding (
        id TEXT PRIMARY KEY, code TEXT NOT NULL, rank INTEGER NOT NULL, score REAL NOT NULL, present INTEGER NOT NULL,
        first_review INTEGER NOT NULL REFERENCES review(id), last_review INTEGER NOT NULL REFERENCES review(id),
        body TEXT NOT NULL) STRICT""",
    """CREATE TABLE finding_document (
        finding TEXT NOT NULL REFERENCES finding(id) ON DELETE CASCADE, document TEXT NOT NULL REFERENCES document(id),
        PRIMARY KEY (finding, document)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE decision (
        finding TEXT NOT NULL REFERENCES finding(id), annotator TEXT NOT NULL REFERENCES annotator(id),
        state TEXT NOT NULL, reason TEXT NOT NULL, note TEXT NOT NULL, decided_at TEXT NOT NULL,
        PRIMARY KEY (finding, annotator)) STRICT""",
    """CREATE TABLE link (
        id TEXT PRIMARY KEY, code TEXT NOT NULL, aspect TEXT NOT NULL, direction TEXT NOT NULL, severity TEXT NOT NULL,
        confidence REAL NOT NULL, note TEXT NOT NULL, status TEXT NOT NULL, origin TEXT NOT NULL,
        annotator TEXT NOT NULL REFERENCES annotator(id), created_at TEXT NOT NULL, changed_at TEXT NOT NULL) STRICT""",
    """CREATE TABLE link_end (
        link TEXT NOT NULL REFERENCES link(id) ON DELETE CASCADE, position INTEGER NOT NULL,
        document TEXT NOT NULL REFERENCES document(id), clause_id TEXT NOT NULL, clause_number TEXT NOT NULL,
        quote TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        PRIMARY KEY (link, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE assignment (
        annotator TEXT NOT NULL REFERENCES annotator(id), document TEXT NOT NULL REFERENCES document(id),
        state TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (annotator, document)) STRICT""",
    # One row per act of a person; ``uid`` is the same in every file the act is merged into.
    """CREATE TABLE change (
        id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
        annotator TEXT NOT NULL REFERENCES annotator(id), act TEXT NOT NULL, step TEXT NOT NULL,
        target INTEGER REFERENCES change(id), subject TEXT NOT NULL) STRICT""",
    """CREATE TABLE link_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT, change INTEGER NOT NULL REFERENCES change(id), link TEXT NOT NULL,
        before TEXT, after TEXT) STRICT""",
    """CREATE TABLE decision_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT, change INTEGER NOT NULL REFERENCES change(id), finding TEXT NOT NULL,
        annotator TEXT NOT NULL, before TEXT, after TEXT) STRICT""",
    "CREATE INDEX link_end_document ON link_end(document)",
    "CREATE INDEX finding_document_document ON finding_document(document)",
    "CREATE INDEX link_event_change ON link_event(change)",
    "CREATE INDEX link_event_link ON link_event(link)",
    "CREATE INDEX decision_event_change ON decision_event(change)",
    "CREATE INDEX change_target ON change(target)",
)

APPEND_ONLY = ("change", "link_event", "decision_event")

_ADJUDICATION = (
    """CREATE TABLE adjudication_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT, change INTEGER NOT NULL REFERENCES change(id), unit TEXT NOT NULL,
        ruling TEXT NOT NULL, comment TEXT NOT NULL) STRICT""",
    "CREATE INDEX adjudication_event_change ON adjudication_event(change)",
)


_DOCUMENT_ROLES = (
    """CREATE TABLE document_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT, change INTEGER NOT NULL REFERENCES change(id), document TEXT NOT NULL,
        before TEXT, after TEXT) STRICT""",
    "CREATE INDEX document_event_change ON document_event(change)",
)


def first_tables(db: Database) -> None:
    """Version 1: everything, and triggers that keep the journal append-only."""
    for statement in _TABLES:
        db.execute(statement)
    for table in APPEND_ONLY:
        _make_append_only(db, table)


def adjudication(db: Database) -> None:
    """Version 2: the adjudicators' own record, append-only as well."""
    for statement in _ADJUDICATION:
        db.execute(statement)
    _make_append_only(db, "adjudication_event")


def document_roles(db: Database) -> None:
    """Version 3: who gave a document its role in the matter, append-only as well."""
    for statement in _DOCUMENT_ROLES:
        db.execute(statement)
    _make_append_only(db, "document_event")


def _make_append_only(db: Database, table: str) -> None:
    for verb in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )


#: Applied in order; never edit one that was released, add another.
MIGRATIONS: tuple[Callable[[Database], None], ...] = (first_tables, adjudication, document_roles)
