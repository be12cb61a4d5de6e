"""What learning from a person's labels is given and what it gives back. Torch-free: window and engine share it.

Spans are code points of the canonical text of the document named beside them.
"""

from __future__ import annotations

import msgspec

CARD_SCHEMA = "antinomy.learned/1"

#: Fewer labels than this teach nothing that could be told from chance: of each side, and contracts that hold them.
LEAST_OF_EACH, LEAST_CONTRACTS = 8, 3


class Place(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A passage: document and span."""

    document: str
    start: int
    end: int


class PairLabel(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A person's word on two or more passages: whether they conflict, and which kind or why not (``not.`` codes)."""

    ends: tuple[Place, ...]
    is_conflict: bool
    code: str


class Figure(msgspec.Struct, frozen=True):
    """A measure on contracts that were not learnt from, with the shipped weights and with the learnt ones.

    ``name`` is ``average_precision``, ``recall_10``, ``conflicts_shown`` or ``false_alarms_shown``; the first two are
    means over contracts of shares 0..1, the others counts over all. ``low`` and ``high`` bound the difference (after
    minus before) in nine of ten draws of as many contracts with replacement.
    """

    name: str
    before: float
    after: float
    low: float
    high: float


class Card(msgspec.Struct, frozen=True):
    """What was learnt from, how, and whether it helps; kept beside the weights as ``card.json``.

    Attributes:
        name: of the weights, as the person sees it.
        contracts: groups of documents that labels join; each was left out once and measured.
        found: labels whose pair the review compares at all; the others could teach nothing.
        codes: labels by code.
        base: names the shipped weights that these are made from; with others they are refused.
        figures: before and after, see :class:`Figure`; ``replay`` is average precision on the program's own samples,
            before and after, which shows forgetting.
        helps: whether the figures speak for keeping: average precision is better beyond its spread.
        seconds: by stage.
    """

    name: str
    app_version: str
    created_at: str
    seed: int
    contracts: int
    conflicts: int
    not_conflicts: int
    found: int
    codes: dict[str, int]
    base: str
    figures: tuple[Figure, ...]
    replay: tuple[float, float]
    helps: bool
    seconds: dict[str, float]
    schema: str = CARD_SCHEMA
