"""The matter file: documents, findings, decisions, links and their journal, in SQLite.

Use :class:`Matter`; it runs in the window's process and in the command line's.
"""

from engine.matter.background import store_document
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
from engine.matter.file import new_annotator_id
from engine.matter.labels import CONFLICT_CODES, NotAConflict, is_conflict
from engine.matter.matter import Matter
from engine.matter.reanchoring import Reanchored, reanchor_links
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
]
