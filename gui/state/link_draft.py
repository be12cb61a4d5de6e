"""A link as the form gives it."""

from __future__ import annotations

import msgspec

from engine.matter.records import LinkEnd


class LinkDraft(msgspec.Struct, frozen=True):
    """A link as the form gives it: what is to be kept, before the matter gives it an id."""

    ends: tuple[LinkEnd, ...]
    code: str
    aspect: str = ""
    direction: str = "none"
    severity: str = "medium"
    confidence: float = 1.0
    note: str = ""
    origin: str = "person"
