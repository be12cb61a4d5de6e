"""What comparing two versions of a document gives back, and the JSON of it (schema ``antinomy.comparison/1``).

Spans are code points of the canonical text of the earlier (``old``) or the later (``new``) document.
"""

from __future__ import annotations

import enum

import msgspec

COMPARISON_SCHEMA = "antinomy.comparison/1"


class ChangeKind(enum.StrEnum):
    """What became of a clause, in its main point: a changed clause may be moved and renumbered as well."""

    SAME = "same"
    CHANGED = "changed"
    MOVED = "moved"
    RENUMBERED = "renumbered"
    INSERTED = "inserted"
    DELETED = "deleted"


class WordSign(enum.StrEnum):
    """What became of words inside a clause."""

    EQUAL = "="
    DELETED = "-"
    INSERTED = "+"


class ClausePlace(msgspec.Struct, frozen=True, gc=False):
    """A clause's own words on one side, without those of the clauses inside it.

    ``number`` is as displayed, ``heading`` may be empty. ``start``, ``end`` hold number and heading too; a clause that
    goes on after the clauses inside it has a place of its own for that, with ``part`` 1, 2, …
    """

    clause: str
    number: str
    heading: str
    page: int
    start: int
    end: int
    part: int = 0


class WordChange(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A run of words; ``old`` is empty (start == end) for inserted words, ``new`` for deleted ones."""

    sign: WordSign
    old_start: int
    old_end: int
    new_start: int
    new_end: int


class ValueChange(msgspec.Struct, frozen=True, gc=False):
    """A value that only one side has, or that both have differently. ``kind`` is an anchor's (``period``).

    ``old``, ``new`` are canonical (``P30D``), "" where that side has none; then its span is empty.
    """

    kind: str
    old: str
    new: str
    old_start: int
    old_end: int
    new_start: int
    new_end: int


class ClauseChange(msgspec.Struct, frozen=True):
    """A clause of both sides, or of one.

    ``similarity`` is of the words, 0..1 (1 for the same, 0 for one side alone). ``words`` cover both places from end
    to end, in order; they are empty where nothing differs, and where one side is missing.
    """

    kind: ChangeKind
    old: ClausePlace | None
    new: ClausePlace | None
    moved: bool = False
    renumbered: bool = False
    similarity: float = 1.0
    words: tuple[WordChange, ...] = ()
    values: tuple[ValueChange, ...] = ()


class FindingState(enum.StrEnum):
    """What became of a finding from one version to the next."""

    INTRODUCED = "introduced"
    RESOLVED = "resolved"
    KEPT = "kept"


class FindingChange(msgspec.Struct, frozen=True, gc=False):
    """A finding and the clauses that its passages stand in.

    ``finding`` is the id in the version that has it (the later one's for ``kept``, with the earlier one's in
    ``earlier``). ``clauses`` are places in :attr:`Comparison.clauses`; ``touched`` tells whether one of them differs.
    """

    state: FindingState
    finding: str
    clauses: tuple[int, ...]
    touched: bool
    earlier: str = ""


class Comparison(msgspec.Struct, frozen=True):
    """Every clause of both documents, once: in the later one's order, deleted ones where they used to stand."""

    old: str
    new: str
    clauses: tuple[ClauseChange, ...]
    findings: tuple[FindingChange, ...] = ()


class ComparisonFile(msgspec.Struct, frozen=True):
    """The file that ``antinomy compare --json`` writes; ``old_name`` and ``new_name`` are the files' names."""

    schema: str
    app_version: str
    old_name: str
    new_name: str
    comparison: Comparison
    seconds: dict[str, float]
