"""A document on the desk, and a file on its way there."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import msgspec

from engine.document import Document, UnreadableDocument, unpack
from engine.protocol.messages import PageSize, ReadingOptions

#: The matter's setting that keeps how a document is read; its id follows.
READING_SETTING = "reading:"
#: The matter's setting that keeps where a document's pages stood; its id follows.
PLACE_SETTING = "place:"


@dataclasses.dataclass(slots=True)
class DeskDocument:
    """A document of the matter: its pages once the reader has it open, its text once it is known."""

    id: str
    name: str
    path: Path
    media: str
    pages: tuple[PageSize, ...] = ()
    document: Document | None = None
    is_read: bool = False


@dataclasses.dataclass(slots=True)
class Opening:
    """A file on its way. ``document`` is its id once it is open; ``died`` counts readers it has cost.

    ``options`` is how it is read, None while nobody has chosen.
    """

    path: Path
    add: bool
    options: ReadingOptions | None = None
    expected: str = ""
    password: str = ""
    wrong_passwords: int = 0
    document: str = ""
    died: int = 0


def remembered_options(setting: str) -> ReadingOptions | None:
    """How a document is read, from what the matter remembers; None when nobody has chosen."""
    try:
        return msgspec.json.decode(setting, type=ReadingOptions)
    except msgspec.MsgspecError:
        return None  # never chosen, or by another version


def unpacked(packed: bytes) -> Document | None:
    """A saved document, or None when it cannot be read: the file is then read afresh."""
    try:
        return unpack(packed)
    except UnreadableDocument:
        return None
