"""Which law and which forum: two that differ are a conflict by themselves, however differently they are worded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts import alike, exceptions
from engine.conflicts.units import Unit
from engine.protocol.findings import PathStep

#: Words that show a court beside an arbitration clause on purpose: interim measures, enforcement, a narrower matter.
BESIDE = re.compile(
    r"injuncti|interim|provisional|equitable|enforce|judg(?:e)?ment|award|compel|in aid of|waive|either|may also|"
    r"to the extent (?:that )?(?:any|such|an?)\b|in the event (?:that )?(?:section|clause|article|paragraph)|"
    r"arising under (?:said |such )?(?:section|clause|article|paragraph)|"
    r"保全|执行|裁决|临时",
    re.IGNORECASE,
)

#: Words that limit a choice of law to a part of the matter.
PART_ONLY = re.compile(
    r"except|other than|with respect to|as to matters|solely|employee|data protection|real property|patent|"
    r"除外|仅就|部分",
    re.IGNORECASE,
)

#: One law under two names.
SAME_LAW = {"english": "england", "england and wales": "england", "prc": "china", "people's republic of china": "china"}

SCORE = {"forum.law": 0.88, "forum.court": 0.72}


def _law(value: str) -> str:
    lower = value.lower().removeprefix("state of ").strip()
    return SAME_LAW.get(lower, lower)


def _mentions(
    units: Sequence[Unit], kind: AnchorKind, fits: Callable[[Unit, Anchor], bool]
) -> list[tuple[int, Anchor]]:
    found = []
    for i, unit in enumerate(units):
        anchor = next((a for a in unit.values(kind) if fits(unit, a)), None)
        if anchor is not None and not (unit.recital or unit.unchosen or unit.note):
            found.append((i, anchor))
    return found


def _path(code: str, first: str, second: str, chinese: bool) -> tuple[PathStep, ...]:
    if chinese:
        subject = "适用法律" if code == "forum.law" else "争议解决方式"
        words = (
            f"两处都约定{subject}。",
            f"一处为{first}，另一处为{second}。",
            "两处均未约定以另一处为准。",
            "两处相互矛盾。",
        )
    else:
        subject = "the governing law" if code == "forum.law" else "who decides disputes"
        words = (
            f"Both settle {subject}.",
            f"One says {first}, the other {second}.",
            "Neither yields to the other in words.",
            "The passages contradict each other.",
        )
    states = ("same_matter", "comparable", "different", "conflict")
    return tuple(PathStep(state, because) for state, because in zip(states, words, strict=True))


class ForumConflict(NamedTuple):
    """Two units (by index) that choose differently, in their own words, and the path that says so."""

    code: str
    a: int
    b: int
    first: str
    second: str
    path: tuple[PathStep, ...]


def _settled(a: Unit, b: Unit) -> bool:
    """Whether the contract says which choice holds when: one yields to the other by name, or each has its case."""
    cases = alike.begins_with_case(a) and alike.begins_with_case(b)
    return cases or exceptions.names(a, b) or exceptions.names(b, a)


def forum_conflicts(units: Sequence[Unit]) -> list[ForumConflict]:
    """Laws and forums that differ, each pair of choices once, in reading order."""
    found: list[tuple[str, int, int, Anchor, Anchor]] = []
    laws = _mentions(
        units,
        AnchorKind.LAW,
        lambda u, a: a.role == "governing law" and a.confidence >= 0.7 and not PART_ONLY.search(u.text),
    )
    for (i, a), (j, b) in combinations(laws, 2):
        if _law(a.value) != _law(b.value) and not _settled(units[i], units[j]):
            found.append(("forum.law", i, j, a, b))
    courts = _mentions(units, AnchorKind.COURT, lambda u, _: not BESIDE.search(u.text))
    tribunals = _mentions(units, AnchorKind.ARBITRATION, lambda _, a: a.role == "dispute resolution")
    # One pair is enough: every further sentence of the same two clauses says the same again.
    pairs = ((c, t) for c in courts for t in tribunals if not _settled(units[c[0]], units[t[0]]))
    choice = next(pairs, None)
    if choice is not None and choice[0][0] != choice[1][0]:
        (i, a), (j, b) = sorted(choice, key=lambda mention: mention[0])
        found.append(("forum.court", i, j, a, b))
    told = []
    seen: set[tuple[str, int]] = set()
    for code, i, j, a, b in found:
        if (code, j) in seen:
            continue
        seen.add((code, j))
        first, second = (units[k].text[x.start : x.end].strip() for k, x in ((i, a), (j, b)))
        told.append(ForumConflict(code, i, j, first, second, _path(code, first, second, units[i].chinese)))
    return told
