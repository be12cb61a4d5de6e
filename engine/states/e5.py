"""Placeholder for the multilingual encoder."""

from __future__ import annotations

from engine.states.encoder import BertEncoder


def load_e5() -> BertEncoder | None:
    """None."""
    return None
