"""The matter file: documents, findings, decisions, links and their journal, in SQLite.

Use :class:`Matter`; it runs in the window's process and in the command line's.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from engine.matter.errors import (
    DiskFailed,
    DiskFull,
    InvalidLink,
    MatterDamaged,
    MatterError,
    MatterExists,
    MatterLocked,
    MatterMissing,
    MatterReadOnly,
    MatterTooNew,
    NotAMatter,
    ReadOnlyFolder,
    UnknownRecord,
    UnreadableImport,
)
from engine.matter.labels import CONFLICT_CODES, NotAConflict, is_conflict
from engine.matter.records import (
    Annotator,
    Assignment,
    Changes,
    Decision,
    DecisionState,
    Direction,
    DocumentRecord,
    DocumentRole,
    Event,
    FindingRecord,
    Link,
    LinkEnd,
    LinkStatus,
    Origin,
    ReviewChanges,
    Verdict,
)
from engine.matter.relocate import Found, Relocation, relocate

if TYPE_CHECKING:
    from engine.matter.background import store_document, store_review
    from engine.matter.file import new_annotator_id
    from engine.matter.matter import Matter
    from engine.matter.reanchoring import Reanchored, reanchor_links

__all__ = [
    "CONFLICT_CODES",
    "Annotator",
    "Assignment",
    "Changes",
    "Decision",
    "DecisionState",
    "Direction",
    "DiskFailed",
    "DiskFull",
    "DocumentRecord",
    "DocumentRole",
    "Event",
    "FindingRecord",
    "Found",
    "InvalidLink",
    "Link",
    "LinkEnd",
    "LinkStatus",
    "Matter",
    "MatterDamaged",
    "MatterError",
    "MatterExists",
    "MatterLocked",
    "MatterMissing",
    "MatterReadOnly",
    "MatterTooNew",
    "NotAConflict",
    "NotAMatter",
    "Origin",
    "ReadOnlyFolder",
    "Reanchored",
    "Relocation",
    "ReviewChanges",
    "UnknownRecord",
    "UnreadableImport",
    "Verdict",
    "is_conflict",
    "new_annotator_id",
    "reanchor_links",
    "relocate",
    "store_document",
    "store_review",
]

#: Imported when they are asked for: SQLite's library costs a tenth of a second of processor time, which who wants
#: the records alone, as the window before its first frame does, shall not pay.
_HOME_OF = {
    "Matter": "matter",
    "Reanchored": "reanchoring",
    "new_annotator_id": "file",
    "reanchor_links": "reanchoring",
    "store_document": "background",
    "store_review": "background",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """A name whose module has not been needed until now."""
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
