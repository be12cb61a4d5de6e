"""The records that the matter file gives and takes. Times are ISO 8601 in UTC; spans are code points."""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec

from engine.protocol.findings import Finding, Severity


class DecisionState(enum.StrEnum):
    """What a person said about a finding."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    FLAGGED = "flagged"


class Direction(enum.StrEnum):
    """Which end of a link bears on which; ``forward`` is from the first end to the others."""

    NONE = "none"
    FORWARD = "forward"
    BACKWARD = "backward"


class Origin(enum.StrEnum):
    """Where a link comes from: a person's own finding, a judged suggestion, a random control, a file, a ruling."""

    PERSON = "person"
    SUGGESTION = "suggestion"
    CONTROL = "control"
    IMPORT = "import"
    ADJUDICATION = "adjudication"


class LinkStatus(enum.StrEnum):
    """Where a link stands in adjudication; a fresh one is ``labelled``."""

    LABELLED = "labelled"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class DocumentRole(enum.StrEnum):
    """A document's place in its matter. ``Matter`` accepts other words too."""

    MASTER = "master"
    ORDER = "order"
    AMENDMENT = "amendment"
    ANNEX = "annex"
    EARLIER_VERSION = "earlier_version"
    TRANSLATION = "translation"
    OTHER = "other"


class DocumentRecord(msgspec.Struct, frozen=True):
    """A document of the matter. ``id`` is ``sha256:`` and 64 hex digits; ``position`` counts from 0."""

    id: str
    name: str
    path: str
    media: str
    role: str
    position: int
    added_at: str
    has_text: bool


class RoleChoice(msgspec.Struct, frozen=True):
    """A document's role, and whether a person said so."""

    role: str
    by_person: bool


class Annotator(msgspec.Struct, frozen=True):
    """A person who decides and links. ``id`` is the same in every matter of that person."""

    id: str
    name: str
    created_at: str = ""


class Assignment(msgspec.Struct, frozen=True):
    """A document given to an annotator; ``state`` is ``open`` or ``done``."""

    annotator: str
    document: str
    state: str = "open"
    created_at: str = ""


class Decision(msgspec.Struct, frozen=True):
    """One annotator's word on one finding. ``reason`` is a code of :mod:`engine.matter.labels` or free text."""

    finding: str
    annotator: str
    state: DecisionState
    reason: str
    note: str
    decided_at: str


class Verdict(msgspec.Struct, frozen=True):
    """What an annotator wants to say about a finding, before it is kept as a :class:`Decision`."""

    finding: str
    state: DecisionState
    reason: str = ""
    note: str = ""


class LinkEnd(msgspec.Struct, frozen=True, gc=False):
    """A passage that a link joins: where it stands, and its words so that it can be found again.

    ``clause_id`` and ``clause_number`` (as displayed) may be empty. ``quote`` is the document's text at
    ``[start, end)`` when the link was made.
    """

    document: str
    clause_id: str
    clause_number: str
    quote: str
    start: int
    end: int


class Link(msgspec.Struct, frozen=True, gc=False):
    """A labelled relation of two or more passages, by one annotator.

    ``code`` is a conflict's code or a ``not.*`` code (see :mod:`engine.matter.labels`), ``aspect`` what
    the passages differ on ("definition of breach"), ``confidence`` 0..1 as the annotator gave it.
    """

    id: str
    ends: tuple[LinkEnd, ...]
    code: str
    aspect: str
    direction: Direction
    severity: Severity
    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)]
    note: str
    status: LinkStatus
    origin: Origin
    annotator: str
    created_at: str
    changed_at: str


class Changes(msgspec.Struct, frozen=True):
    """What a call changed, by ids, so that views redraw only that."""

    documents: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.documents or self.findings or self.decisions or self.links)


class ReviewChanges(msgspec.Struct, frozen=True):
    """How a review differs from the one before: ids that are new, gone, changed in words, and the same.

    ``returned`` are findings that an earlier review had lost and this one found again.
    """

    new: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]
    kept: tuple[str, ...]
    returned: tuple[str, ...] = ()


class FindingRecord(msgspec.Struct, frozen=True):
    """A finding as kept: ``present`` is false when the newest review of its documents no longer has it."""

    finding: Finding
    present: bool
    first_seen_at: str
    last_seen_at: str


class Act(enum.StrEnum):
    """What a person did, as the journal names it."""

    DECIDE = "decide"
    DECIDE_MANY = "decide_many"
    ADD_LINK = "add_link"
    EDIT_LINK = "edit_link"
    DELETE_LINK = "delete_link"
    IMPORT = "import"
    MERGE = "merge"
    RELOCATE = "relocate"
    ADJUDICATE = "adjudicate"
    SET_ROLE = "set_role"


class Step(enum.StrEnum):
    """How a journal entry came about: done, undone, done again, or brought in with another file's history."""

    DO = "do"
    UNDO = "undo"
    REDO = "redo"
    HISTORY = "history"


class Event(msgspec.Struct, frozen=True):
    """One append-only line of the journal: who, when, and the record before and after (JSON, "" for none).

    ``table`` is ``link``, ``decision`` or ``document``; ``record`` the link's, the finding's or the document's id.
    ``change`` groups the events of one act; ``target`` is the change that an undo or redo refers to, or 0.
    """

    change: int
    table: str
    record: str
    annotator: str
    at: str
    act: Act
    step: Step
    target: int
    before: str
    after: str
