"""A document on the desk, and a file on its way there."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from engine.document import Document
from engine.protocol.messages import PageSize, ReadingOptions


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
