"""Storing documents' texts and reviews from another thread: megabytes, for which the window must not wait."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.document import Clause
from engine.matter import reviews, rows, storage
from engine.matter.errors import translated
from engine.matter.records import ReviewChanges
from engine.protocol.findings import EngineLine, Finding


def store_document(
    matter: Path, id: str, name: str, path: str, media: str, packed: bytes, role: str, clauses: Sequence[Clause]
) -> None:
    """Like :meth:`Matter.add_document`, over a connection of its own, so from any thread.

    Only for a process that has ``matter`` open for writing: that Matter holds the writer's lock, and its own
    changes wait while this one commits.

    Raises:
        MatterError: it could not be kept; nothing was changed.
    """
    with translated(matter):
        db = storage.connect(matter, read_only=False)
        try:
            with storage.writing(db):
                rows.put_document(db, id, name, path, media, packed, role, clauses)
        finally:
            db.close()


def store_review(
    matter: Path, documents: Sequence[str], findings: Sequence[Finding], engine: EngineLine
) -> ReviewChanges:
    """Like :meth:`Matter.save_review`, over a connection of its own; see :func:`store_document`.

    Raises:
        MatterError: it could not be kept; nothing was changed.
    """
    with translated(matter):
        db = storage.connect(matter, read_only=False)
        try:
            with storage.writing(db):
                return reviews.save_known(db, documents, findings, engine)
        finally:
            db.close()
