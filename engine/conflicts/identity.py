"""Ids of findings: the same words give the same id in a second review, so that decisions stay attached."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence


def _normal(quote: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", quote).split())


def finding_id(code: str, quotes: Sequence[str], ordinal: int = 0) -> str:
    """``f-`` and 16 hex digits of SHA-256 over the kind, the quotes (spacing and width folded) and the ordinal.

    The quotes' order does not matter; ``ordinal`` counts the findings with equal kind and quotes before this one.
    """
    parts = [code, *sorted(_normal(quote) for quote in quotes), str(ordinal)]
    return "f-" + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
