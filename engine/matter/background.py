"""Storing a document's text from another thread: megabytes, on whose way to the disk the window must not wait."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.document import Clause
from engine.matter import rows, storage
from engine.matter.errors import translated


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
