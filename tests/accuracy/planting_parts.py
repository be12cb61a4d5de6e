"""What every operation of planting.py works with: a sentence's pieces, and what an operation gives back."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.conflicts.norms import Norm


class Planted(NamedTuple):
    """A changed copy: the text, the kind of conflict, or "" for a look-alike, and the operation's name."""

    text: str
    kind: str
    operation: str


def pieces(text: str, norm: Norm) -> tuple[str, str, str, str]:
    """Leading words, bearer, cue, act."""
    lead = text[: norm.bearer[0]]
    return lead, text[slice(*norm.bearer)].strip(), text[slice(*norm.cue)].strip(), text[slice(*norm.act)].strip()


def join(*parts: str) -> str:
    text = re.sub(r"\s+", " ", " ".join(part for part in parts if part)).strip()
    return text[0].upper() + text[1:] if text else text
