"""The order in which findings are offered for labelling, and random pairs mixed in to check the labels by.

A finding is a suggestion until somebody judges it. What teaches a model most comes first: findings whose
score is near one half (uncertainty), and not always the same kind in the same clauses (diversity). A control
is a pair of clauses drawn at random under a kind drawn from the others', so that it looks like any suggestion:
an annotator who accepts many of them is not reading, and those that are rightly accepted are what the review missed.
"""

from __future__ import annotations

import datetime
import hashlib
import heapq
import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from engine.document import Document
from engine.matter.records import Link, LinkEnd, Origin
from engine.protocol.findings import Finding, Severity

#: One place in this many is a control's.
CONTROL_EVERY = 8
#: A longer pause than this between two judgements is no labelling time, seconds.
PAUSE_S = 300.0
#: So many newest judgements make the pace.
PACE_OVER = 50
#: A clause shorter than this (a heading, a number) makes no pair worth reading, code points.
_LEAST_CHARACTERS = 30

Spans = frozenset[tuple[str, int, int]]


class Suggestion(msgspec.Struct, frozen=True):
    """A pair (or more) of passages that somebody should judge.

    ``id`` is the finding's, or ``c-`` and 16 hex digits for a control; ``origin`` is what a judgement of it is
    recorded with; ``score`` 0..1 is the finding's (one half for a control).
    """

    id: str
    ends: tuple[LinkEnd, ...]
    code: str
    score: float
    severity: Severity
    summary: str
    origin: Origin

    @property
    def spans(self) -> Spans:
        """Where it stands, whatever the order of its ends."""
        return spans_of(self.ends)


def spans_of(ends: Iterable[LinkEnd]) -> Spans:
    """The passages of a link or suggestion as a set."""
    return frozenset((end.document, end.start, end.end) for end in ends)


def suggestions(findings: Iterable[Finding], links: Iterable[Link], decided: Iterable[str]) -> list[Suggestion]:
    """The findings with two passages or more that nobody of ``links`` judged and ``decided`` does not name.

    Args:
        links: those of the annotator who will label, or of everybody.
        decided: ids of findings the annotator decided on in the inbox: those are labels already.
    """
    judged = {spans_of(link.ends) for link in links}
    passed = set(decided)
    out: list[Suggestion] = []
    for finding in findings:
        ends = tuple(dict.fromkeys(
            LinkEnd(p.document, p.clause_id, p.clause, p.text, p.start, p.end) for p in finding.passages
        ))  # fmt: skip
        if len(ends) < 2 or finding.id in passed or spans_of(ends) in judged:
            continue
        out.append(
            Suggestion(
                finding.id, ends, finding.code, finding.score, finding.severity, finding.summary, Origin.SUGGESTION
            )
        )
    return out


def in_teaching_order(waiting: Sequence[Suggestion], links: Iterable[Link] = ()) -> list[Suggestion]:
    """The most instructive first; ``links`` made already count as seen kinds and clauses.

    Each place goes to the suggestion with the greatest uncertainty ``1 - |2 score - 1|`` divided by what was
    seen of its kind (square root) and of its clauses. What was seen only grows, so a worth computed earlier
    is an upper bound, and the best can be found by a heap without computing all of them again.
    """
    kinds: Counter[str] = Counter()
    places: Counter[tuple[str, str]] = Counter()
    for link in links:
        kinds[link.code] += 1
        places.update({(end.document, end.clause_id) for end in link.ends})

    def worth(each: Suggestion) -> float:
        uncertainty = 0.02 + 1 - abs(2 * each.score - 1)
        seen = sum(places[end.document, end.clause_id] for end in each.ends)
        return uncertainty / (math.sqrt(1 + kinds[each.code]) * (1 + seen))

    heap = [(-worth(each), i) for i, each in enumerate(waiting)]
    heapq.heapify(heap)
    out: list[Suggestion] = []
    while heap:
        bound, i = heapq.heappop(heap)
        each = waiting[i]
        now = -worth(each)
        if now > bound and heap and now > heap[0][0]:
            heapq.heappush(heap, (now, i))
            continue
        out.append(each)
        kinds[each.code] += 1
        places.update({(end.document, end.clause_id) for end in each.ends})
    return out


def controls(
    documents: Sequence[Document], waiting: Sequence[Suggestion], links: Iterable[Link], count: int, seed: int
) -> list[Suggestion]:
    """``count`` random pairs of clauses of one document that neither a suggestion nor a link joins."""
    chance = random.Random(seed)
    taken = {each.spans for each in waiting} | {spans_of(link.ends) for link in links}
    codes = [each.code for each in waiting]
    ends = {document.id: _clause_ends(document) for document in documents}
    pools = [pool for pool in ends.values() if len(pool) > 1]
    out: list[Suggestion] = []
    for _attempt in range(20 * count if pools and codes else 0):
        if len(out) == count:
            break
        pool = chance.choices(pools, weights=[len(each) for each in pools])[0]
        pair = tuple(sorted(chance.sample(pool, 2), key=lambda end: end.start))
        spans = spans_of(pair)
        if spans in taken:
            continue
        taken.add(spans)
        name = hashlib.sha256(repr(sorted(spans)).encode()).hexdigest()[:16]
        code = chance.choice(codes)
        out.append(Suggestion(f"c-{name}", pair, code, 0.5, Severity.MEDIUM, "", Origin.CONTROL))
    return out


def _clause_ends(document: Document) -> list[LinkEnd]:
    parents = {clause.parent for clause in document.clauses}
    out: list[LinkEnd] = []
    for clause in document.clauses:
        text = document.text[clause.start : clause.end].rstrip()
        if clause.id not in parents and len(text) >= _LEAST_CHARACTERS // (2 if clause.language == "zh" else 1):
            out.append(LinkEnd(document.id, clause.id, clause.number, text, clause.start, clause.start + len(text)))
    return out


def mixed(ordered: Sequence[Suggestion], drawn: Sequence[Suggestion], seed: int) -> list[Suggestion]:
    """Put one control at a random place among every :data:`CONTROL_EVERY` places."""
    chance = random.Random(seed)
    out: list[Suggestion] = []
    rest = list(drawn)
    step = CONTROL_EVERY - 1
    for start in range(0, len(ordered), step):
        block = list(ordered[start : start + step])
        # A short last block gets one in proportion, so that few suggestions do not bring a control each time.
        if rest and chance.random() < len(block) / step:
            block.insert(chance.randint(0, len(block)), rest.pop())
        out += block
    return out


def pairs_per_hour(links: Iterable[Link], annotator: str) -> float:
    """The annotator's pace over her newest judgements, pauses left out; 0 with fewer than two."""
    times = sorted(
        datetime.datetime.fromisoformat(link.created_at).timestamp()
        for link in links
        if link.annotator == annotator and link.origin is not Origin.IMPORT and link.created_at
    )[-PACE_OVER:]
    gaps = [b - a for a, b in itertools.pairwise(times) if b - a <= PAUSE_S]
    return 3600 * len(gaps) / sum(gaps) if sum(gaps) > 0 else 0.0
