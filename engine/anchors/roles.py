"""What a value is the value of, and whether two values can be rivals.

Two anchors are comparable only when their roles can be the same: this is where false alarms are won or lost.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.normal import alternatives
from engine.anchors.role_rules import CHINESE_ROLES, RELATED, RULES, RoleRule

_VALUED = frozenset(
    {AnchorKind.AMOUNT, AnchorKind.PERCENT, AnchorKind.PERIOD, AnchorKind.DATE, AnchorKind.RATE, AnchorKind.QUANTITY}
)
#: A cue farther than this from its value (code points) does not count, so long sentences stay cheap and honest.
REACH = 240
_STOP = alternatives(
    "the|a|an|of|to|in|on|by|for|and|or|any|such|that|this|its|their|his|her|after|following|from|date|receipt"
)


class Window(NamedTuple):
    """A sentence's span, and the headings above it, nearest first, in one string."""

    start: int
    end: int
    heading: str = ""
    lead_in: str = ""


_ACT_BEHIND = re.compile(r"\s?[以之]?内[，,]")
_BREAK = re.compile(r"(?<=[。；！？;\n])|(?<=[.!?])(?=\s{1,3}[A-Z“\"(])")


def windows_of(text: str) -> list[Window]:
    """Rough sentences for a text without a clause tree."""
    cuts = [0, *(match.start() for match in _BREAK.finditer(text) if match.start() > 0), len(text)]
    return [Window(a, b) for a, b in pairwise(cuts) if b > a]


def _runs_from_an_event(sentence: str, start: int, end: int) -> bool:
    """Whether a Chinese period runs from an event and what is done in it stands behind: 验收后十日内，甲方支付."""
    event = sentence[max(0, start - 4) : start].rstrip().rstrip("的第")
    return event.endswith(("后", "起")) and _ACT_BEHIND.match(sentence, end) is not None


def _score(rule: RoleRule, sentence: str, start: int, end: int, *, event: bool) -> float:
    """How near the rule's best cue stands to the value; 0 without one. ``event``: see :func:`_runs_from_an_event`."""
    low, high = max(0, start - REACH), min(len(sentence), end + REACH)
    best = 0.0
    for match in rule.cue.finditer(sentence, low, high):
        if match.start() >= start and match.end() <= end:
            continue
        before = match.end() <= start
        gap = start - match.end() if before else match.start() - end
        if gap < 0:
            continue
        # Words between value and cue count less than a clause boundary.
        between = sentence[match.end() : start] if before else sentence[end : match.start()]
        if event:
            # The comma behind 内 parts nothing, and the event is not what the period is for.
            gap = gap + 60 if before else max(0, gap - 40)
        gap += 40 * (between.count(",") + between.count("，") + 2 * (between.count(";") + between.count("；")))
        closeness = 1.0 / (1.0 + gap / 40.0) * (1.0 if before else 0.85) + min(match.end() - match.start(), 20) / 200
        best = max(best, closeness)
    return best


def role_of(kind: AnchorKind, sentence: str, start: int, end: int, heading: str = "") -> tuple[str, float]:
    """The role of the value at ``[start, end)`` of ``sentence`` and how sure we are (0..1); "" when nothing tells."""
    best, best_score = "", 0.0
    event = _runs_from_an_event(sentence, start, end)
    for order, rule in enumerate(RULES):
        if kind not in rule.kinds:
            continue
        if rule.needs is not None and not rule.needs.search(sentence):
            continue
        score = _score(rule, sentence, start, end, event=event)
        if rule.needs is not None and score:
            score += 0.35
        if heading and rule.cue.search(heading):
            score += 0.3
        score -= order * 1e-4
        if score > best_score + 1e-9:
            best, best_score = rule.role, score
    return (best, min(1.0, best_score)) if best_score > 0.12 else ("", 0.0)


def assign_roles(text: str, anchors: Sequence[Anchor], windows: Sequence[Window]) -> list[Anchor]:
    """The same anchors with their roles; those that have one keep it."""
    starts = [window.start for window in windows]
    out: list[Anchor] = []
    for anchor in anchors:
        if anchor.kind not in _VALUED or anchor.role or not windows:
            out.append(anchor)
            continue
        window = windows[max(0, bisect_right(starts, anchor.start) - 1)]
        low = max(window.start, anchor.start - 2 * REACH)
        high = max(anchor.end, min(window.end, anchor.end + 2 * REACH))
        lead = window.lead_in[-REACH:]
        sentence = lead + text[low:high]
        shift = len(lead) - low
        role, _ = role_of(anchor.kind, sentence, anchor.start + shift, anchor.end + shift, window.heading)
        out.append(msgspec.structs.replace(anchor, role=role) if role else anchor)
    return out


@functools.lru_cache(maxsize=1024)
def _event_words(event: str) -> frozenset[str]:
    """The words of an event ("receipt of the invoice"); a value is compared with many, so they are kept a while."""
    event = event.lower()
    if not event.isascii():
        return frozenset(event[i : i + 2] for i in range(len(event) - 1))
    return frozenset(word.strip("\"'").rstrip("s") for word in event.split()[:8] if word not in _STOP)


_FLOOR_AND_CEILING = frozenset(
    frozenset(bounds) for bounds in (("at_least", "at_most"), ("more_than", "less_than"), ("at_least", "less_than"))
)


def comparable(a: Anchor, b: Anchor) -> float:
    """How far two anchors can be rival values of one thing, 0 (never) to 1 (the same role).

    Kinds must be equal. Without a role on one side it stays under a half: a value nobody can name proves nothing.
    """
    if a.kind is not b.kind or a.role.startswith("ordinal") or b.role.startswith("ordinal"):
        return 0.0
    if a.kind not in _VALUED:
        return 1.0 if a.role == b.role else 0.5
    if a.role and b.role:
        score = 1.0 if a.role == b.role else RELATED.get(frozenset({a.role, b.role}), 0.0)
    else:
        score = 0.35 if a.role or b.role else 0.3
    first, second = a.detail, b.detail
    if first.get("per", "") != second.get("per", ""):
        score *= 0.5 if "per" in first and "per" in second else 0.7
    if first.get("direction") and second.get("direction"):
        if first["direction"] != second["direction"]:
            score *= 0.2
        elif _event_words(first.get("event", "")).isdisjoint(_event_words(second.get("event", ""))):
            score *= 0.6
    if a.bound != b.bound and frozenset((a.bound, b.bound)) in _FLOOR_AND_CEILING:
        # A floor and a ceiling do not clash by being different numbers.
        score *= 0.4
    return score


def role_name(role: str, language: str) -> str:
    """A role as a sentence in ``language`` (``en``, ``zh``) names it: ``late interest`` is 逾期利息.

    A role that the table lacks ("" among them) comes back as it is.
    """
    return CHINESE_ROLES.get(role, role) if language == "zh" else role
