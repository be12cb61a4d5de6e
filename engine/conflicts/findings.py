"""From scored pairs and checks to one ranked list: near-duplicates merged, ids given, ranks given."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.identity import finding_id
from engine.conflicts.pairs import ScoredPair
from engine.conflicts.units import VALUE_KINDS, Unit
from engine.conflicts.wording import code_of, place_name, settle_of, severity_of, summary_of
from engine.document import Document
from engine.protocol.findings import AnchorMark, Finding, Passage, PathStep
from engine.protocol.messages import ReviewOptions

#: Findings from pairs per 1,000 words, at most.
MOST_PER_1000_WORDS = 6

#: A sentence may stand in this many pair findings; further ones say the same again.
MOST_PER_SENTENCE = 3


def _passage(documents: Sequence[Document], unit: Unit) -> Passage:
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
            if a.kind in VALUE_KINDS
        ),
        also=tuple((other.start, other.end) for other in unit.places[1:] if other.document == place.document),
    )


def pair_findings(
    documents: Sequence[Document], units: Sequence[Unit], scored: Sequence[ScoredPair], options: ReviewOptions
) -> list[Finding]:
    """The findings of the pairs that the arbitration lets through, best first, without ranks."""
    words = sum(len(unit.tokens) * len(unit.places) for unit in units)
    most = max(12, MOST_PER_1000_WORDS * words // 1000)
    used: dict[int, int] = {}
    found: list[Finding] = []
    for item in scored:
        if len(found) >= most:
            break
        a, b = item.pair.a, item.pair.b
        if max(used.get(a, 0), used.get(b, 0)) >= MOST_PER_SENTENCE:
            continue
        verdict, path = arbitrate(item.case)
        if "arbitration" not in options.without and verdict in (State.CONSISTENT, State.RESOLVED):
            continue
        for unit in (a, b):
            used[unit] = used.get(unit, 0) + 1
        found.append(_finding(documents, item, verdict, path))
    return found


def _finding(
    documents: Sequence[Document], item: ScoredPair, verdict: State, path: tuple[PathStep, ...]
) -> Finding:
    case = item.case
    code = code_of(case)
    document_a, document_b = (documents[unit.first.document] for unit in (case.a, case.b))
    if document_a.id != document_b.id:
        code = f"document.{code}"
    chinese = case.a.chinese
    names = (place_name(document_a, case.a, chinese), place_name(document_b, case.b, chinese))
    plain = code.removeprefix("document.")
    passages = (_passage(documents, case.a), _passage(documents, case.b))
    if verdict is State.CONFLICT and item.score >= 0.5:
        tier = "conflict"
    else:
        tier = "possible" if verdict is State.CONFLICT or item.score >= 0.5 else "check"
    return Finding(
        id=finding_id(code, passages),
        code=code,
        rank=0,
        score=round(item.score, 4),
        severity=severity_of(case, plain),
        summary=summary_of(case, plain, *names),
        path=path,
        passages=passages,
        settle=settle_of(case, plain),
        tier=tier,
    )


def rank_findings(found: Sequence[Finding], options: ReviewOptions) -> list[Finding]:
    """All findings by score, with ranks from 1 and ids that are unique; those under the minimum are dropped."""
    kept = [finding for finding in found if finding.score >= options.minimum_score]
    kept.sort(key=lambda f: (-f.score, f.passages[0].document, f.passages[0].start, f.code))
    ranked = []
    seen: dict[str, int] = {}
    for rank, finding in enumerate(kept, 1):
        times = seen.get(finding.id, 0)
        seen[finding.id] = times + 1
        name = finding.id if not times else finding_id(finding.code, finding.passages, times)
        ranked.append(msgspec.structs.replace(finding, rank=rank, id=name))
    return ranked
