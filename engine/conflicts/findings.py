"""From scored pairs and checks to one ranked list: near-duplicates merged, ids given, ranks given."""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Collection, Sequence

import msgspec

from engine.anchors.model import AnchorKind
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.forum import SCORE, forum_conflicts
from engine.conflicts.identity import finding_id
from engine.conflicts.pairs import ScoredPair
from engine.conflicts.precedence import Order, order_of
from engine.conflicts.units import VALUE_KINDS, Unit
from engine.conflicts.wording import code_of, forum_words, place_name, settle_of, severity_of, summary_of
from engine.document import Document
from engine.protocol.findings import AnchorMark, Finding, Passage, PathStep, Severity
from engine.protocol.messages import ReviewOptions

#: What clashes in a passage on law and forum.
FORUM_KINDS = frozenset({AnchorKind.LAW, AnchorKind.COURT, AnchorKind.ARBITRATION})

#: Findings per 1,000 words, at most, the checks' findings counted in; and of pairs in a short document.
MOST_PER_1000_WORDS = 8.4
MOST_OF_A_SHORT_DOCUMENT = 16

#: A sentence that already stands in a finding is less likely to stand in a second one: its odds fall by this factor.
ODDS_WHEN_USED = 0.45

#: A sentence may stand in this many findings; further ones say the same again.
MOST_PER_SENTENCE = 3

#: Two sentences with this share of their words in common are one passage said twice.
NEARLY_EQUAL = 0.85

#: From these scores on a finding is called a conflict (when a rule says so too) or at least possible.
SURE, LIKELY = 0.5, 0.25

#: Two values of one thing that a rule sets against each other are possible from here on: the trees saw few of them, and
#: of those that the rule lets through in ordinary contracts there is one in eight contracts.
LIKELY_VALUE = 0.08

#: What a check's score weighs beside a conflict of contents: form comes after substance.
FORM_WEIGHT = {"draft": 0.18, "number": 0.18, "term": 0.15, "party": 0.15, "reference": 0.24, "value": 0.95}


@dataclasses.dataclass(slots=True)
class _Group:
    """A finding in the making: the pair that opened it, the units it names, its score."""

    first: ScoredPair
    verdict: State
    path: tuple[PathStep, ...]
    units: list[int]
    score: float


def _nearly_equal(a: Unit, b: Unit) -> bool:
    mine, theirs = ({token.lower for token in unit.tokens} for unit in (a, b))
    shared = len(mine & theirs)
    numbers = [{word for word in words if word[0].isdigit()} for words in (mine, theirs)]
    return numbers[0] == numbers[1] and shared >= NEARLY_EQUAL * max(len(mine), len(theirs))


def _discounted(item: ScoredPair, used: dict[int, int]) -> float:
    """Its score when its sentences already stand in findings."""
    times = used.get(item.pair.a, 0) + used.get(item.pair.b, 0)
    if not times:
        return item.score
    odds = item.score / max(1e-9, 1 - item.score) * ODDS_WHEN_USED**times
    return odds / (1 + odds)


def _join(groups: Sequence[_Group], units: Sequence[Unit], item: ScoredPair, verdict: State) -> bool:
    """Add a pair to a finding that already says it with nearly the same sentence; whether there was one."""
    for group in groups:
        shared = {item.pair.a, item.pair.b} & {group.first.pair.a, group.first.pair.b}
        if len(shared) != 1 or group.verdict is not verdict:
            continue
        (kept,) = shared
        new = item.pair.b if item.pair.a == kept else item.pair.a
        old = group.first.pair.b if group.first.pair.a == kept else group.first.pair.a
        if units[new].norm.modality is units[old].norm.modality and _nearly_equal(units[new], units[old]):
            if new not in group.units:
                group.units.append(new)
            return True
    return False


def _groups(units: Sequence[Unit], scored: Sequence[ScoredPair], options: ReviewOptions, others: int) -> list[_Group]:
    """The pairs that the arbitration lets through, greedily from the best, discounted by what was already said."""
    words = sum(len(unit.tokens) * len(unit.places) for unit in units)
    most = max(MOST_OF_A_SHORT_DOCUMENT, math.floor(MOST_PER_1000_WORDS * words / 1000) - others)
    # A heap with stale scores: a pair whose sentences were used meanwhile goes back with its discounted score.
    waiting: list[tuple[float, int]] = []
    verdicts = []
    for i, item in enumerate(scored):
        verdict, path = arbitrate(item.case)
        verdicts.append((verdict, path))
        if "arbitration" in options.without or verdict not in (State.CONSISTENT, State.RESOLVED):
            waiting.append((-item.score, i))
    heapq.heapify(waiting)
    used: dict[int, int] = {}
    groups: list[_Group] = []
    while waiting and len(groups) < most:
        stale, i = heapq.heappop(waiting)
        item, (verdict, path) = scored[i], verdicts[i]
        a, b = item.pair.a, item.pair.b
        score = _discounted(item, used)
        if score < -stale:
            heapq.heappush(waiting, (-score, i))
        elif max(used.get(a, 0), used.get(b, 0)) < MOST_PER_SENTENCE and not _join(groups, units, item, verdict):
            groups.append(_Group(item, verdict, path, [a, b], score))
            for unit in (a, b):
                used[unit] = used.get(unit, 0) + 1
    return groups


def _passage(documents: Sequence[Document], unit: Unit, kinds: Collection[AnchorKind] = VALUE_KINDS) -> Passage:
    place = unit.first
    document = documents[place.document]
    return Passage(
        document=document.id,
        clause=place.clause.number if place.clause else "",
        clause_id=place.clause.id if place.clause else "",
        page=document.page_at(place.start),
        start=place.start,
        end=place.end,
        text=unit.text,
        anchors=tuple(
            AnchorMark(a.kind.value, a.value, place.start + a.start, place.start + a.end)
            for a in unit.anchors
            if a.kind in kinds
        ),
        also=tuple((other.start, other.end) for other in unit.places[1:] if other.document == place.document),
    )


def _tier(verdict: State, score: float, code: str) -> str:
    """What to call it: a rule and the ranker agree, one of them says so, or neither is sure."""
    least = LIKELY_VALUE if code.startswith("value.") else LIKELY
    if verdict is State.CONFLICT and score >= SURE:
        return "conflict"
    likely = score >= SURE or (verdict is State.CONFLICT and score >= least)
    return "possible" if likely else "check"


def _finding(documents: Sequence[Document], units: Sequence[Unit], group: _Group) -> Finding:
    case = group.first.case
    plain = code_of(case)
    first, second = (documents[unit.first.document] for unit in (case.a, case.b))
    code = plain if first.id == second.id else f"document.{plain}"
    chinese = case.a.chinese
    passages = tuple(_passage(documents, units[i]) for i in group.units)
    return Finding(
        id=finding_id(code, passages),
        code=code,
        rank=0,
        score=round(group.score, 4),
        severity=severity_of(case, plain),
        summary=summary_of(case, plain, place_name(first, case.a, chinese), place_name(second, case.b, chinese)),
        path=group.path,
        passages=passages,
        settle=settle_of(case, plain),
        tier=_tier(group.verdict, group.score, plain),
    )


def forum_findings(documents: Sequence[Document], units: Sequence[Unit]) -> tuple[list[Finding], set[tuple[int, int]]]:
    """The findings on governing law and forum, and the pairs of units they take."""
    found = []
    for conflict in forum_conflicts(units):
        a, b = units[conflict.a], units[conflict.b]
        first, second = (documents[unit.first.document] for unit in (a, b))
        code = conflict.code if first.id == second.id else f"document.{conflict.code}"
        passages = (_passage(documents, a, FORUM_KINDS), _passage(documents, b, FORUM_KINDS))
        names = (place_name(first, a, a.chinese), place_name(second, b, a.chinese))
        summary, settle = forum_words(conflict, names, a.chinese)
        found.append(
            Finding(
                id=finding_id(code, passages),
                code=code,
                rank=0,
                score=SCORE[conflict.code],
                severity=Severity.HIGH,
                summary=summary,
                path=conflict.path,
                passages=passages,
                settle=settle,
                tier="conflict" if conflict.code == "forum.law" else "possible",
            )
        )
    return found, {(min(c.a, c.b), max(c.a, c.b)) for c in forum_conflicts(units)}


def _with_order(item: ScoredPair, order: Order) -> ScoredPair:
    """The pair with the words of precedence, when they decide between its two documents."""
    first, second = item.case.a.first.document, item.case.b.first.document
    if first == second or order.winner not in (first, second):
        return item
    return dataclasses.replace(item, case=dataclasses.replace(item.case, prevails=order.words))


def pair_findings(
    documents: Sequence[Document],
    units: Sequence[Unit],
    scored: Sequence[ScoredPair],
    options: ReviewOptions,
    taken: set[tuple[int, int]],
    others: int,
) -> list[Finding]:
    """The findings of the pairs, best first, without ranks.

    Pairs in ``taken`` were already told; ``others`` is how many findings there are beside these.
    """
    free = [item for item in scored if (item.pair.a, item.pair.b) not in taken]
    order = order_of(documents)
    if order is not None:
        free = [_with_order(item, order) for item in free]
    return [_finding(documents, units, group) for group in _groups(units, free, options, others)]


def _worth(finding: Finding) -> float:
    """What a finding is ranked by: its score, form after substance."""
    if finding.code.startswith(("norm.", "document.", "forum.")) or (
        finding.code.startswith("value.") and len(finding.passages) > 1
    ):
        return finding.score
    return finding.score * FORM_WEIGHT.get(finding.code.partition(".")[0], 0.5)


def rank_findings(found: Sequence[Finding], options: ReviewOptions) -> list[Finding]:
    """All findings by worth, with ranks from 1 and ids that are unique; those under the minimum score are dropped."""
    kept = [finding for finding in found if finding.score >= options.minimum_score]
    kept.sort(key=lambda f: (-_worth(f), f.passages[0].document, f.passages[0].start, f.code))
    ranked = []
    seen: dict[str, int] = {}
    for rank, finding in enumerate(kept, 1):
        times = seen.get(finding.id, 0)
        seen[finding.id] = times + 1
        name = finding.id if not times else finding_id(finding.code, finding.passages, times)
        ranked.append(msgspec.structs.replace(finding, rank=rank, id=name))
    return ranked
