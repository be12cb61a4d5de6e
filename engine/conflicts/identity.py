"""Names of findings that survive a second review of unchanged passages."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence

from engine.protocol.findings import Passage


def _normal_quote(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def finding_id(code: str, passages: Sequence[Passage], ordinal: int = 0) -> str:
    """``f-`` and 16 hex digits of SHA-256 over the code and the passages' words.

    Case, width and white space do not matter, nor does the order of the passages. ``ordinal`` (0, 1, …) tells apart
    findings of one review whose words are all the same.
    """
    quotes = sorted(_normal_quote(passage.text) for passage in passages)
    parts = [code, *quotes, *([str(ordinal)] if ordinal else [])]
    return "f-" + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
