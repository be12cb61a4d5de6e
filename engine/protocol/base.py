"""What all messages share: their base class, failures, and those that go both ways."""

from __future__ import annotations

import enum

import msgspec

#: Raised by one whenever a message changes; both sides must agree at the handshake.
PROTOCOL = 3


class FaultCode(enum.StrEnum):
    """What went wrong, for programs; the sentence beside it is for people."""

    MISSING_FILE = "missing_file"
    EMPTY_FILE = "empty_file"
    UNREADABLE_FILE = "unreadable_file"
    WRONG_FORMAT = "wrong_format"
    UNSUPPORTED_FORMAT = "unsupported_format"
    NEEDS_PASSWORD = "needs_password"
    WRONG_PASSWORD = "wrong_password"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    NOT_OPEN = "not_open"
    ENGINE_NOT_READY = "engine_not_ready"
    OUT_OF_MEMORY = "out_of_memory"
    TOO_FEW_LABELS = "too_few_labels"
    NOT_WRITTEN = "not_written"
    CHILD_DIED = "child_died"
    INTERNAL = "internal"


class Fault(msgspec.Struct, frozen=True):
    """A failure: a code, one sentence a person can act on, and (for our own bugs) the trace.

    ``english`` is the sentence before ``values`` were filled into its ``{names}``: a window in another
    language looks it up and fills them in again. A fault that the window made itself has none, because
    its sentence is in the window's language already.
    """

    code: FaultCode
    sentence: str
    trace: str = ""
    english: str = ""
    values: dict[str, str] = {}

    @classmethod
    def of(cls, code: FaultCode, english: str, values: dict[str, str] | None = None, trace: str = "") -> Fault:
        """A fault of a child. Without ``values``, braces in ``english`` are nothing special."""
        return cls(code, english.format_map(values) if values else english, trace, english, values or {})


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages; the class's name is the tag."""


class Hello(Message, frozen=True, tag="hello"):
    """The child's first message. ``role`` is ``reader`` or ``engine``."""

    protocol: int
    role: str
    pid: int
    app_version: str


class Ping(Message, frozen=True, tag="ping"):
    """Heartbeat and round-trip measure; answered at once with the same token."""

    token: int


class Pong(Message, frozen=True, tag="pong"):
    """The answer to a :class:`Ping`."""

    token: int


class Cancel(Message, frozen=True, tag="cancel"):
    """End a job; answered by its terminal message. Unknown and finished jobs are ignored."""

    job: int


class Shutdown(Message, frozen=True, tag="shutdown"):
    """End the child. It ends too when the connection closes."""


class Progress(Message, frozen=True, tag="progress"):
    """How far a job is: ``done`` of ``total`` steps (total 0 when unknown); at most 10 a second."""

    job: int
    stage: str
    done: int
    total: int


class Failed(Message, frozen=True, tag="failed"):
    """Terminal: the job failed."""

    job: int
    fault: Fault


class Cancelled(Message, frozen=True, tag="cancelled"):
    """Terminal: the job was cancelled."""

    job: int
