"""What a person would see of a difference: the findings of contracts left out, ranked with two sets of weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.protocol.findings import Finding, Passage
from engine.protocol.learning import Figure, PairLabel, Place
from engine.protocol.showing import is_likely

#: The first findings of a contract that a person certainly reads.
FIRST = 10
#: Draws of contracts for the spread, and the share of them between its bounds.
DRAWS, SHARE = 2000, 0.9


@dataclasses.dataclass(frozen=True, slots=True)
class Seen:
    """One contract's findings against its labels.

    Attributes:
        average_precision: of the conflicts among the findings with a label, in rank order; NaN without a conflict.
            Findings nobody judged are passed over: nobody knows what they are.
        recall: share of the conflicts among the first :data:`FIRST` of all findings; NaN without a conflict.
        conflicts_shown, false_alarms_shown: labelled pairs among the findings that are shown unasked.
    """

    average_precision: float
    recall: float
    conflicts_shown: int
    false_alarms_shown: int


def seen(findings: Sequence[Finding], labels: Sequence[PairLabel]) -> Seen:
    """Compare a contract's findings, by rank, with what a person said of its pairs."""
    best: dict[int, int] = {}
    for position, finding in enumerate(findings):
        for i, label in enumerate(labels):
            if i not in best and answers(finding, label):
                best[i] = position
    conflicts = [i for i, label in enumerate(labels) if label.is_conflict]
    # Two labels on one finding: a conflict somewhere in it makes it a true one.
    true = {best[i] for i in conflicts if i in best}
    false = {best[i] for i, label in enumerate(labels) if i in best and not label.is_conflict} - true
    shown = {position for position in (*true, *false) if is_likely(findings[position])}
    return Seen(
        _average_precision(sorted(true), sorted(false), len(conflicts)),
        sum(best.get(i, FIRST) < FIRST for i in conflicts) / len(conflicts) if conflicts else float("nan"),
        len(true & shown),
        len(false & shown),
    )


def _average_precision(true: Sequence[int], false: Sequence[int], wanted: int) -> float:
    """Mean of the precision at each conflict's place; one that is not found at all counts as 0."""
    if not wanted:
        return float("nan")
    places = np.array(true)
    before = np.searchsorted(np.array(false), places) if false else np.zeros(len(places))
    precision = np.arange(1, len(places) + 1) / (np.arange(1, len(places) + 1) + before)
    return min(1.0, float(precision.sum()) / wanted)


def answers(finding: Finding, label: PairLabel) -> bool:
    """Whether two passages of a finding stand at two different ends of a label, at any of their places."""
    ends = [{i for i, passage in enumerate(finding.passages) if _meets(passage, end)} for end in label.ends]
    return any(
        first != second
        for i, here in enumerate(ends)
        for there in ends[i + 1 :]
        for first in here
        for second in there
    )  # fmt: skip


def _meets(passage: Passage, end: Place) -> bool:
    """Whether the shorter of the two stands at least half in the other."""
    if passage.document != end.document:
        return False
    for start, stop in ((passage.start, passage.end), *passage.also):
        common = min(stop, end.end) - max(start, end.start)
        if common > 0 and 2 * common >= min(stop - start, end.end - end.start):
            return True
    return False


def figures(before: Sequence[Seen], after: Sequence[Seen], seed: int) -> tuple[Figure, ...]:
    """Both sides of the contracts in one order, as figures with the spread of their difference."""
    chance = np.random.default_rng(seed)
    draws = chance.integers(0, len(before), (DRAWS, len(before)))
    made = []
    for name, attribute in (
        ("average_precision", "average_precision"),
        ("recall_10", "recall"),
        ("conflicts_shown", "conflicts_shown"),
        ("false_alarms_shown", "false_alarms_shown"),
    ):
        old, new = (np.array([float(getattr(each, attribute)) for each in side]) for side in (before, after))
        is_mean = not name.endswith("shown")
        low, high = _spread(new - old, draws, is_mean)
        if is_mean:
            old, new = old[~np.isnan(old)], new[~np.isnan(new)]
            made.append(Figure(name, _mean(old), _mean(new), low, high))
        else:
            made.append(Figure(name, float(old.sum()), float(new.sum()), low, high))
    return tuple(made)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _spread(difference: NDArray[np.float64], draws: NDArray[np.int64], is_mean: bool) -> tuple[float, float]:
    """Bounds of the mean (contracts without a value left out) or sum of the difference over the draws."""
    drawn = difference[draws]
    known = ~np.isnan(drawn)
    total = np.where(known, drawn, 0).sum(axis=1)
    if is_mean:
        total = total / np.maximum(known.sum(axis=1), 1)
    low, high = np.quantile(total, ((1 - SHARE) / 2, (1 + SHARE) / 2))
    return float(low), float(high)


def helps(found: Sequence[Figure]) -> bool:
    """Whether the order of the findings is better beyond its spread, and nothing a person would mind got worse."""
    by_name = {figure.name: figure for figure in found}
    order, first = by_name["average_precision"], by_name["recall_10"]
    return order.low > 0 and first.high >= 0 and first.after >= first.before - 0.02
