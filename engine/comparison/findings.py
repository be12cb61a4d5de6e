"""Findings of two versions against each other: what the later one introduced, what it resolved, what is still there."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Callable, Sequence

from engine.protocol.comparison import ChangeKind, ClauseChange, FindingChange, FindingState
from engine.protocol.findings import Finding
from engine.protocol.showing import is_likely

#: The clauses (by their place in the comparison) in which a finding's passages stand, sorted.
_Places = tuple[int, ...]


def finding_changes(
    clauses: Sequence[ClauseChange], old: Sequence[Finding], new: Sequence[Finding],
    shown: Callable[[Finding], bool] = is_likely,
) -> tuple[FindingChange, ...]:
    """Every finding of either version that is shown, by state; ``old`` and ``new`` are of one document each.

    Two findings are one when they say the same words (their id), or are of one kind between the same clauses. A weak
    finding of the other version counts as its partner: what was there before, however faintly, was not introduced.
    """
    old_place = _finder(clauses, of_new=False)
    new_place = _finder(clauses, of_new=True)
    waiting = list(old)
    by_id = {finding.id: finding for finding in old}
    by_clauses: dict[tuple[str, _Places], list[Finding]] = defaultdict(list)
    for finding in old:
        by_clauses[finding.code, _places(finding, old_place)].append(finding)
    out: list[FindingChange] = []
    for finding in new:
        places = _places(finding, new_place)
        partner = by_id.get(finding.id)
        if partner is None or partner not in waiting:
            partner = next((each for each in by_clauses[finding.code, places] if each in waiting), None)
        if partner is not None:
            waiting.remove(partner)
        if shown(finding):
            state = FindingState.INTRODUCED if partner is None else FindingState.KEPT
            earlier = partner.id if partner is not None else ""
            out.append(FindingChange(state, finding.id, places, _is_touched(clauses, places), earlier))
    for finding in waiting:
        if shown(finding):
            places = _places(finding, old_place)
            out.append(FindingChange(FindingState.RESOLVED, finding.id, places, _is_touched(clauses, places)))
    order = list(FindingState)
    return tuple(sorted(out, key=lambda change: order.index(change.state)))


def _finder(clauses: Sequence[ClauseChange], *, of_new: bool) -> Callable[[int], int]:
    """What says in which clause of the comparison an offset lies."""
    places = [(c.new if of_new else c.old, i) for i, c in enumerate(clauses)]
    ordered = sorted((place.start, i) for place, i in places if place is not None)
    starts = [start for start, _ in ordered]

    def find(offset: int) -> int:
        at = bisect.bisect_right(starts, offset) - 1
        return ordered[at][1] if at >= 0 else 0

    return find


def _places(finding: Finding, find: Callable[[int], int]) -> _Places:
    return tuple(sorted({find(passage.start) for passage in finding.passages}))


def _is_touched(clauses: Sequence[ClauseChange], places: _Places) -> bool:
    quiet = (ChangeKind.SAME, ChangeKind.MOVED, ChangeKind.RENUMBERED)
    return any(clauses[i].kind not in quiet for i in places if i < len(clauses))
