"""What a review gives back, and the JSON of it (schema ``antinomy.findings/1``).

Spans are code points of the canonical text of the document named beside them.
"""

from __future__ import annotations

import enum

import msgspec

FINDINGS_SCHEMA = "antinomy.findings/1"


class Severity(enum.StrEnum):
    """How much is at stake, before how sure we are."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class AnchorMark(msgspec.Struct, frozen=True, gc=False):
    """A typed value in a passage: kind (``period``), canonical value (``P30D``) and span."""

    kind: str
    value: str
    start: int
    end: int


class PathStep(msgspec.Struct, frozen=True, gc=False):
    """One transition of the arbitration: the state reached and the reason in words."""

    state: str
    because: str


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A sentence or short item that a finding rests on.

    ``clause`` is the displayed number ("" without one), ``clause_id`` the node in the clause tree.
    ``text`` is the document's text at the span, exactly. ``quads`` are ``(x0, y0, x1, y1)`` in PDF
    points on ``page``; the engine leaves them empty, who holds the boxes fills them in.
    ``also`` lists further places of the same words, ``(start, end)`` each.
    """

    document: str
    clause: str
    clause_id: str
    page: int
    start: int
    end: int
    text: str
    anchors: tuple[AnchorMark, ...] = ()
    quads: tuple[tuple[float, float, float, float], ...] = ()
    also: tuple[tuple[int, int], ...] = ()


class Finding(msgspec.Struct, frozen=True, gc=False):
    """A place where a contract does not hold together.

    Attributes:
        id: ``f-`` and 16 hex digits, the same in a second review of unchanged passages.
        code: a kind of DESIGN's table (``value.period``).
        rank: 1 is the most serious and sure.
        score: 0..1, calibrated where the code has been calibrated.
        summary: one sentence in plain words.
        path: the arbitration's steps.
        passages: one, two or more.
        settle: what would settle it, one sentence; may be empty.
        tier: ``conflict``, ``possible`` or ``check``.
    """

    id: str
    code: str
    rank: int
    score: float
    severity: Severity
    summary: str
    path: tuple[PathStep, ...]
    passages: tuple[Passage, ...]
    settle: str = ""
    tier: str = "conflict"


class ClauseLine(msgspec.Struct, frozen=True, gc=False):
    """A clause as listed in the findings file."""

    id: str
    number: str
    heading: str
    start: int
    end: int
    page: int


class DocumentLine(msgspec.Struct, frozen=True, gc=False):
    """A document as listed in the findings file."""

    id: str
    name: str
    language: str
    pages: int
    characters: int
    clauses: tuple[ClauseLine, ...]


class EngineLine(msgspec.Struct, frozen=True):
    """What computed the findings."""

    device: str
    encoder: str
    verifier: str


class FindingsFile(msgspec.Struct, frozen=True):
    """The file that ``antinomy review --json`` writes."""

    schema: str
    app_version: str
    engine: EngineLine
    documents: tuple[DocumentLine, ...]
    findings: tuple[Finding, ...]
