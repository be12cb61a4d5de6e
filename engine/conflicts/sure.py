"""Clashes of values that a rule may be sure of: one role, one subject, one value each, nothing that tells them apart.

The trees saw few pairs that say a thing in other words and give it another value, and score them low. What is asked
here is narrow on purpose; measured, nearly all that pass are real, and an ordinary contract hardly ever holds one.
"""

from __future__ import annotations

import re

from engine.anchors.roles import comparable
from engine.conflicts import grounds
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.exceptions import names_others_only
from engine.conflicts.grounds import Case
from engine.conflicts.units import Unit
from engine.conflicts.words import content_tokens

#: What a pair must share: of the shorter one's weighted words, and of the masked vectors' direction.
CONTAINED, COSINE = 0.4, 0.45
#: Short passages in other words may share less when their vectors are near.
CONTAINED_SHORT, COSINE_SHORT, SHORT = 0.32, 0.6, 30
#: The least score of such a pair (of those found while this was written, nine in ten were real), and its log-odds.
SCORE, FLOOR = 0.6, -0.5

#: Roles that many different things have in one contract: a fee, a notice, a time for an answer.
COMMON = frozenset(("fee", "notice", "response time", "voting threshold", "ownership share", "audit", "claim period"))

#: What begins a case; "after receipt" and "from the due date" only say when a time begins.
_CASE = re.compile(
    r"\b(?:if|unless|in the event|in case|where|when(?:ever)?|should|provided|to the extent|except|during|"
    r"upon (?:an?|any)|after (?:an?|any|failure|default)|once|until)\b[^,;.]*|"
    r"(?:如|若|倘|一旦|除非)[^，。；]*|[^，。；]{2,30}的(?=[，,])",
    re.IGNORECASE,
)
#: A case that says nothing of its own.
_EMPTY_CASE = re.compile(
    r"(?:if|unless|until)\b(?: it is| this agreement is)? ?(?:\w+ ){0,2}?(?:terminated|earlier|sooner|otherwise|"
    r"that is less|paid|payment|lower|permitted|required by law)\b|during (?:the|this) (?:term|agreement)\b",
    re.IGNORECASE,
)
#: Words by which a value is added to another one, or is for what is left.
_MORE = re.compile(
    r"\b(?:additional(?:ly)?|further|extra|excess|in addition|instead|another|others?|remaining|balance|special|"
    r"emergency|default rate|new|increase[sd]?|reduc\w+)\b|另|额外|其余|余款|尾款|罚息|加班|夜间|超过部分|超出部分",
    re.IGNORECASE,
)


def sure_of_values(case: Case) -> bool:
    """Whether two passages give different values to one thing beyond what a rule can doubt."""
    pair = next(((x, y) for x, y in case.rivals if x.role and x.role == y.role), None)
    if pair is None or pair[0].role in COMMON or comparable(*pair) < 1 or not _near(case):
        return False
    passages = ((case.a, pair[0]), (case.b, pair[1]))
    if any(unit.recital or unit.introduces or unit.case or unit.lead_at[1] >= 0 for unit, _ in passages):
        return False
    if any(len([a for a in unit.anchors if a.kind is anchor.kind]) != 1 for unit, anchor in passages):
        return False
    d = case.differences
    parties = grounds.other_bearers(case) or d.exchanged > 0 or d.actors == "different"
    if case.a.defines or case.b.defines or parties:
        return False
    added = [{m.group().lower() for m in _MORE.finditer(unit.text)} for unit, _ in passages]
    return added[0] == added[1] and _cases_alike(case) and arbitrate(case)[0] is State.CONFLICT


def _near(case: Case) -> bool:
    """Whether they speak of one thing in enough words, apart from each other in the document."""
    if case.a.first.document == case.b.first.document and abs(case.a.order - case.b.order) <= 2:
        return False
    short = min(len(case.a.tokens), len(case.b.tokens)) <= SHORT
    return (case.contained >= CONTAINED and case.cosine >= COSINE) or (
        short and case.contained >= CONTAINED_SHORT and case.cosine >= COSINE_SHORT
    )


def _cases_alike(case: Case) -> bool:
    """Whether both hold always, or in one case."""
    first, second = (_cases(unit, other) for unit, other in ((case.a, case.b), (case.b, case.a)))
    if not first and not second:
        return True
    return bool(first and second) and 3 * len(first & second) >= 2 * max(len(first), len(second))


def _cases(unit: Unit, other: Unit) -> set[str]:
    """The stems of the words that say in which cases a passage holds."""
    exempt = names_others_only(unit, other)
    spans = [
        m.span()
        for m in _CASE.finditer(unit.text)
        if not _EMPTY_CASE.match(unit.text, m.start()) and not (exempt and m.group().lower().startswith("except"))
    ]
    return {t.stem for t in content_tokens(unit.tokens) for low, high in spans if low <= t.start and t.end <= high}
