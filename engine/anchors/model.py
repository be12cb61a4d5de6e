"""The typed value that everything in Antinomy compares."""

from __future__ import annotations

import enum

import msgspec


class AnchorKind(enum.StrEnum):
    """What sort of thing a contract fixes at a place."""

    AMOUNT = "amount"
    PERCENT = "percent"
    QUANTITY = "quantity"
    PERIOD = "period"
    DATE = "date"
    RATE = "rate"
    PARTY = "party"
    TERM = "term"
    REFERENCE = "reference"
    LAW = "law"
    COURT = "court"
    ARBITRATION = "arbitration"
    ADDRESS = "address"
    PERSON = "person"
    MODALITY = "modality"
    CONDITION = "condition"
    PRECEDENCE = "precedence"


class Anchor(msgspec.Struct, frozen=True):
    """A value at a place.

    Attributes:
        kind: see :class:`AnchorKind`.
        value: canonical form, equal for equal values: ``USD 1000000``, ``P30D``, ``P10BD`` (business
            days), ``2025-04-03``, ``2025-04-03|2025-03-04`` (both readings of an ambiguous date),
            ``5%``, ``clause:12.4(c)``, ``must``, ``must not``.
        start, end: span in the document's canonical text.
        confidence: 0..1.
        role: what the value is the value of (``payment period``), "" when unknown.
        bound: ``exact``, ``at_most``, ``at_least``, ``more_than``, ``less_than``, ``range`` or ``about``.
        detail: further facts, kind by kind (``words`` and ``figures`` of an amount given twice; the
            ``form`` of a reference: ``section``, ``this``, ``external``).
    """

    kind: AnchorKind
    value: str
    start: int
    end: int
    confidence: float = 1.0
    role: str = ""
    bound: str = "exact"
    detail: dict[str, str] = {}
