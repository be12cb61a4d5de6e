"""What a document is known by: the digest of its bytes."""

from __future__ import annotations

import hashlib


def document_id(data: bytes) -> str:
    """``sha256:`` and the hex digest of a file's bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
