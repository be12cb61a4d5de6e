"""The parts of what a check says."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """Summary, path (state, reason) and settlement of a finding, as templates or filled in."""

    summary: str
    path: tuple[tuple[str, str], ...]
    settle: str


#: The states of a path that a check can reach.
SAME, DIFFERENT, CONFLICT = "same_matter", "different", "conflict"
