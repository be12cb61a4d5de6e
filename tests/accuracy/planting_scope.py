"""Look-alikes that differ in what they apply to: other triggers, other occasions, the same rule from its other side.

In real contracts these are what a comparison of words takes for conflicts. None of them is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from planting_parts import Planted, join, pieces
from planting_tables import AGAINST, NUMBER

from engine.conflicts.norms import Modality, Norm, parse_norm

#: Occasions that exclude each other; the first of a pair is looked for.
OCCASIONS = (
    ("monthly", "quarterly"), ("quarterly", "annual"), ("annual", "monthly"), ("month", "quarter"), ("year", "month"),
    ("without cause", "for cause"), ("for convenience", "for material breach"), ("initial", "final"),
    ("written", "oral"), ("domestic", "foreign"),
)  # fmt: skip


def _ing(verb: str) -> str:
    return verb.removesuffix("e") + "ing" if not verb.endswith("ee") else verb + "ing"


def _against(norm: Norm, rng: Random) -> str:
    return rng.choice(rng.choice(AGAINST[norm.modality])).replace("is prohibited from", "must not")


def _other_number(text: str, rng: Random) -> str:
    """The text with one number changed, if it has any."""
    found = [m for m in NUMBER.finditer(text) if m.start() > 3 and m.group().replace(",", "").isdigit()]
    if not found:
        return text
    match = rng.choice(found)
    old = int(match.group().replace(",", ""))
    new = str(max(1, old * rng.choice((2, 3)) + rng.choice((0, 1))) if old < 1900 else old + 1)
    return text[: match.start()] + new + text[match.end() :]


def other_trigger(text: str, norm: Norm, rng: Random, others: Sequence[str] = ()) -> Planted | None:
    """A rule of the same form for another case, with another modal or another number."""
    if norm.modality not in AGAINST:
        return None
    lead, bearer, cue, act = pieces(text, norm)
    own = lead if len(lead.split()) > 3 else text[slice(*norm.condition)]
    leads = [other[: parse_norm(other).bearer[0]].strip() for other in rng.sample(list(others), min(12, len(others)))]
    fitting = [each for each in leads if len(each.split()) > 4 and each.endswith(",") and each != lead.strip()]
    if len(own.split()) < 3 or not fitting:
        return None
    rest = act if own == lead else act.replace(own, "").strip(" ,.;") + "."
    modal = _against(norm, rng) if rng.random() < 0.6 else cue
    return Planted(join(rng.choice(fitting), bearer, modal, _other_number(rest, rng)), "", "other_trigger")


def other_occasion(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same rule for another regular occasion or another ground, with its own numbers."""
    fitting = [(x, y) for pair in OCCASIONS for x, y in (pair, pair[::-1]) if re.search(rf"\b{x}\b", text)]
    if not fitting or not NUMBER.search(text):
        return None
    old, new = rng.choice(fitting)
    return Planted(_other_number(re.sub(rf"\b{old}\b", new, text), rng), "", "other_occasion")


def other_side(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same rule said as its counterpart: "shall not use" as "shall cease using"."""
    lead, bearer, _, act = pieces(text, norm)
    verb, _, rest = act.partition(" ")
    if not re.fullmatch(r"[a-z]{3,12}", verb) or verb in ("have", "also") or not bearer:
        return None
    if norm.modality is Modality.MUST:
        way = rng.choice(("shall not fail to", "may not omit to", "shall in no event fail to", "must not neglect to"))
        return Planted(join(lead, bearer, way, act), "", "other_side")
    if norm.modality is Modality.MUST_NOT:
        way = rng.choice(("shall refrain from", "shall cease", "must avoid", "shall abstain from", "must stop"))
        return Planted(join(lead, bearer, way, _ing(verb), rest), "", "other_side")
    return None


def with_leave(text: str, norm: Norm, rng: Random) -> Planted | None:
    """A prohibition without consent, said as the duty to ask for it."""
    if norm.modality is not Modality.MUST_NOT or not re.search(r"\bwithout\b[^.;]*\b(?:consent|approval)\b", text):
        return None
    _, bearer, _, act = pieces(text, norm)
    core = re.sub(r",?\s*without\b[^.;,]*", "", act).strip(" ,.;")
    verb, _, rest = core.partition(" ")
    bearer = re.split(r",\s*", bearer)[-1]
    if not re.fullmatch(r"[a-z]{3,12}", verb) or not bearer:
        return None
    way = rng.choice(("shall obtain prior written consent before", "must request approval prior to"))
    return Planted(join(bearer, way, _ing(verb), rest) + ".", "", "with_leave")


def general_and_case(text: str, norm: Norm, rng: Random, others: Sequence[str] = ()) -> Planted | None:
    """A weaker or stronger rule for a special case that says that it is one."""
    if norm.modality not in AGAINST:
        return None
    lead, bearer, _, act = pieces(text, norm)
    found = (re.search(r"\b(?:breach|failure|loss|delay|claim)\b[^,;.]{8,50}", other) for other in others)
    cases = [match.group() for match in found if match]
    if not cases or lead.strip():
        return None
    opening = rng.choice(("In the special case of {},", "For the event of {} only,", "Solely in respect of {},"))
    return Planted(join(opening.format(rng.choice(cases)), bearer, _against(norm, rng), act), "", "general_and_case")
