"""Short conflicts, as people write them beside long sentences, and look-alikes that share almost every word.

A person who contradicts a sentence of eighty words writes eight: one norm of it, said flatly. Any norm of the
sentence may be meant, not only its first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from planting_parts import Planted, join, pieces
from planting_tables import AGAINST, CONDITIONS, FLATLY, OWN_WAYS, TERM_PREFIXES

from engine.conflicts.norms import Modality, Norm, parse_norm

_WEAK_END = frozenset(
    "the a an of to and or in with for by any all its such that which on at from as their".split()  # noqa: SIM905
)


def _one_norm(text: str, norm: Norm, rng: Random) -> tuple[Modality, str, str] | None:
    """One of the sentence's norms: modality, who, the first words of the act."""
    fitting = [cue for cue in norm.cues if cue[0] in AGAINST and cue[1] >= norm.bearer[0]]
    if not fitting:
        return None
    modality, start, end = rng.choice(fitting)
    before = re.split(r"[,;:.]\s*", text[norm.bearer[0] : start])[-1].strip()
    who = before if 0 < len(before.split()) <= 7 else text[slice(*norm.bearer)].rsplit(",", maxsplit=1)[-1].strip()
    after = re.split(r"[;:.]|, (?:and|but|provided|unless|which)", text[end:])[0].split()
    keep = after[: rng.randint(2, 9)]
    while keep and keep[-1].lower().strip(",") in _WEAK_END:
        keep.pop()
    unfit = re.match(r"(?:neither|no|none|nothing|in no|it|that|which|who)\b", who, re.IGNORECASE)
    if len(keep) < 2 or not who or unfit or len(who.split()) > 9 or text.isupper() or keep[0] in ("to", "that", "any"):
        return None
    return modality, re.sub(r"^(?:and|but|that|or)\s+", "", who), " ".join(keep).rstrip(",;")


def absolute(text: str, norm: Norm, rng: Random) -> Planted | None:
    """One of its norms, turned round and said flatly: "Buyer shall not delay any shipment"."""
    found = _one_norm(text, norm, rng)
    if found is None:
        return None
    modality, who, act = found
    modal = rng.choice(rng.choice(AGAINST[modality])).replace("is prohibited from", "must not")
    if rng.random() < 0.4:
        act = re.sub(r"\b(?:the|a|an|such|its|all)\b", rng.choice(("any", "every", "all", "")), act, count=1)
    return Planted(join(who, modal, act, rng.choice(FLATLY)) + ".", "opposition", "absolute")


def own_way(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The same duty, to be done in a way that the original does not allow."""
    found = _one_norm(text, norm, rng)
    if found is None or found[0] is not Modality.MUST:
        return None
    _, who, act = found
    modal = rng.choice(("must", "shall", "may", "has to"))
    return Planted(join(who, modal, act, rng.choice(OWN_WAYS)) + ".", "object", "own_way")


def short_condition(text: str, norm: Norm, rng: Random) -> Planted | None:
    """One of its norms, turned round under a condition, in few words."""
    found = _one_norm(text, norm, rng)
    if found is None:
        return None
    modality, who, act = found
    condition = rng.choice(CONDITIONS)
    opening = rng.choice(("If", "If", "If", "Only if", "When", "In case"))
    modal = rng.choice(rng.choice(AGAINST[modality])).replace("is prohibited from", "must not")
    if opening == "Only if":
        modal = "must" if modality is Modality.MUST else "may"
    said = (opening, condition + ",", who, modal, act)
    if rng.random() < 0.3:
        said = (who, modal, act, opening.lower(), condition)
    return Planted(join(*said) + ".", "conditional", "short_condition")


def complement(text: str, norm: Norm, rng: Random) -> Planted | None:
    """The other half of a rule with a condition: what holds if it is not so. No conflict."""
    lead, bearer, _, act = pieces(text, norm)
    if not re.match(r"\W*If\b", lead) or norm.modality not in AGAINST:
        return None
    turned = re.sub(r"\b(does|do|is|are|has|have)\b(?! not)", r"\1 not", lead, count=1)
    if turned == lead:
        turned = re.sub(r"\b(does|do|is|are|has|have) not\b", r"\1", lead, count=1)
    if turned == lead:
        return None
    modal = rng.choice(rng.choice(AGAINST[norm.modality])).replace("is prohibited from", "must not")
    return Planted(join(turned, bearer, modal, act), "", "complement")


def other_term(text: str, norm: Norm, rng: Random, others: Sequence[str] = ()) -> Planted | None:
    """The same rule for a neighbouring defined term (Additional Products), often turned round. No conflict."""
    terms = sorted(set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?: [A-Z][a-z]+)?\b", text)))
    if not terms:
        return None
    term = rng.choice(terms)
    changed = text.replace(term, f"{rng.choice(TERM_PREFIXES)} {term}")
    found = parse_norm(changed)
    if found.modality in AGAINST and rng.random() < 0.5:
        lead, bearer, _, act = pieces(changed, found)
        modal = rng.choice(rng.choice(AGAINST[found.modality])).replace("is prohibited from", "must not")
        changed = join(lead, bearer, modal, act)
    return Planted(changed, "", "other_term")
