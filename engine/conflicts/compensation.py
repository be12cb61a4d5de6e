"""The compensation vectors (PBCV): which of 217 kinds of difference lie between two passages.

Embeddings alone do not see that 30 is not 45. So each pair of anchors (and the modals, negations and opposed words) is
named by what it is and how it differs: 31 things times 7 differences. The verifier has learnt a vector for each of the
217 and adds those of a pair to what it knows of it (:mod:`engine.conflicts.verifier`).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.roles import comparable
from engine.conflicts.differences import Differences
from engine.conflicts.norms import clash
from engine.conflicts.units import VALUE_KINDS, Unit


class Difference(enum.IntEnum):
    """How two anchors of one kind stand to each other."""

    SAME = 0
    NEAR = 1
    FAR = 2
    BOUND = 3
    UNIT = 4
    ALONE = 5
    OPPOSED = 6


_VALUED = tuple(kind for kind in AnchorKind if kind in VALUE_KINDS)
_OTHERS = tuple(kind for kind in AnchorKind if kind not in VALUE_KINDS)
#: How the roles of two values stand to each other.
_ROLES = ("one role", "unknown role", "other role")

#: The 31 things: values by kind and role, the other anchors by kind, negations and opposed words.
THINGS = (
    *(f"{kind.value}, {role}" for kind in _VALUED for role in _ROLES),
    *(kind.value for kind in _OTHERS),
    "negation",
    "opposed words",
)
ENTRIES = len(THINGS) * len(Difference)

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def entry(thing: str, difference: Difference) -> int:
    """The row of the table, 0 to 216.

    Raises:
        ValueError: ``thing`` is not one of :data:`THINGS`.
    """
    return THINGS.index(thing) * len(Difference) + difference


def entry_name(row: int) -> str:
    """A row in words: ``period, one role: far``."""
    thing, difference = divmod(row, len(Difference))
    return f"{THINGS[thing]}: {Difference(difference).name.lower()}"


def value_difference(a: Anchor, b: Anchor) -> Difference:
    """How two values of one kind differ: other units, other bounds, near (up to twice) or far."""
    if a.value == b.value:
        return Difference.SAME if a.bound == b.bound else Difference.BOUND
    first, second = _NUMBER.findall(a.value), _NUMBER.findall(b.value)
    if _NUMBER.sub("#", a.value) != _NUMBER.sub("#", b.value) or not first or not second:
        return Difference.UNIT
    low, high = sorted(float(numbers[0]) for numbers in (first, second))
    if a.kind is AnchorKind.DATE:
        return Difference.NEAR if low == high else Difference.FAR
    return Difference.NEAR if high <= 2 * low else Difference.FAR


def _role_state(a: Anchor, b: Anchor) -> str:
    if not a.role or not b.role:
        return _ROLES[1]
    return _ROLES[0] if comparable(a, b) >= 0.5 else _ROLES[2]


def _valued(a: Unit, b: Unit) -> Iterable[int]:
    """Each value beside its best counterpart in the other unit, once a kind and role state."""
    for kind in _VALUED:
        mine, theirs = a.values(kind), b.values(kind)
        if mine and theirs:
            for x in mine[:4]:
                y = max(theirs[:4], key=lambda other: (comparable(x, other), other.value == x.value))
                yield entry(f"{kind.value}, {_role_state(x, y)}", value_difference(x, y))
        elif mine or theirs:
            yield entry(f"{kind.value}, {_ROLES[1]}", Difference.ALONE)


def _named(a: Unit, b: Unit) -> Iterable[int]:
    """The anchors without a size: the same, one within the other, or apart."""
    for kind in _OTHERS:
        if kind is AnchorKind.MODALITY:
            continue
        mine, theirs = ({anchor.value.casefold() for anchor in unit.values(kind)} for unit in (a, b))
        if not mine and not theirs:
            continue
        if mine == theirs:
            difference = Difference.SAME
        elif not mine or not theirs:
            difference = Difference.ALONE
        else:
            difference = Difference.NEAR if mine & theirs else Difference.OPPOSED
        yield entry(kind.value, difference)


def entries_of(a: Unit, b: Unit, differences: Differences) -> tuple[int, ...]:
    """The rows of the table that hold for a pair, ascending, each once."""
    strength = clash(a.norm.modality, b.norm.modality)
    modal = (Difference.SAME, Difference.NEAR, Difference.OPPOSED)[strength]
    found = {*_valued(a, b), *_named(a, b), entry(AnchorKind.MODALITY.value, modal)}
    found.add(entry("negation", Difference.OPPOSED if differences.negation else Difference.SAME))
    if differences.opposites:
        found.add(entry("opposed words", Difference.OPPOSED))
    return tuple(sorted(found))
