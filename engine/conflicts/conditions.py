"""A passage's main clause and its conditions, each with its denials: what a conditional conflict turns round.

"The cost is not adjusted" and "If the cost is adjusted, no discount is due" share the words of a duty, one of them
under a condition; "If X does not deliver, it shall …" makes a condition of the duty itself. Which denials stand inside
the conditions and which outside tells such pairs from a rule and its case.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.conflicts.norms import CONDITION, CONDITION_ZH, Modality, Norm
from engine.conflicts.scope import UNDOING
from engine.conflicts.words import Token, stem

#: The features of :func:`conditions_between`, in their order.
CONDITION_FEATURES = (
    "denied_differs", "main_denials_differ", "when_denials_differ", "when_shared", "when_from_main", "denied_when",
    "duty_as_case",
)  # fmt: skip

_END = re.compile(r"[,;.]|\bthen\b")
_END_ZH = re.compile(r"[，；。]|则")
_DENIALS = frozenset(
    ("not", "no", "never", "neither", "nor", "none", "cannot", "can't", "won't", "without", "nothing", "refuse",
     "refuses", "decline", "declines", "fail", "fails", "unable", "lacks")
)  # fmt: skip
_DENIALS_ZH = re.compile(r"不(?!可抗力|动产|限于|仅|同|论|足|良)|无(?!论)|未|非(?!常)|禁止|拒绝|免于")
_DENYING = frozenset((Modality.MUST_NOT, Modality.NEED_NOT, Modality.NOT))
_TURNING = UNDOING | frozenset(map(stem, ("refuse", "decline", "fail", "omit", "neglect", "reject", "deny", "exempt")))
#: The weight of a word that the index does not know.
_UNSEEN = 4.0


class Halves(NamedTuple):
    """One passage's main clause and conditions.

    Attributes:
        main, when: stems outside and inside the conditions; ``main_weight``, ``when_weight`` their weights' sums.
        main_denials, when_denials: words that deny, counted in each.
        denied: the main modal denies the act, or asks to undo it, but not both.
    """

    main: frozenset[str]
    when: frozenset[str]
    main_weight: float
    when_weight: float
    main_denials: int
    when_denials: int
    denied: bool


def _spans(text: str, chinese: bool) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in (CONDITION_ZH if chinese else CONDITION).finditer(text):
        if spans and match.start() < spans[-1][1]:
            continue
        stop = (_END_ZH if chinese else _END).search(text, match.end())
        spans.append((match.start(), stop.start() if stop else len(text)))
    return spans


def halves_of(
    text: str, norm: Norm, tokens: Sequence[Token], content: Sequence[Token], idf: Mapping[str, float], *, chinese: bool
) -> Halves:
    """A passage taken apart; ``content`` are its content words, ``idf`` says how telling a stem is."""
    spans = _spans(text, chinese)

    def inside(position: int) -> bool:
        return any(low <= position < high for low, high in spans)

    within = [inside(token.start) for token in content]
    main = frozenset(token.stem for token, own in zip(content, within, strict=True) if not own)
    when = frozenset(token.stem for token, own in zip(content, within, strict=True) if own)
    if chinese:
        denials = [inside(match.start()) for match in _DENIALS_ZH.finditer(text)]
    else:
        denials = [inside(token.start) for token in tokens if token.lower in _DENIALS]
    first = next((token.stem for token in content if token.start >= norm.act[0]), "")
    return Halves(
        main=main,
        when=when,
        main_weight=_weight(main, idf),
        when_weight=_weight(when, idf),
        main_denials=denials.count(False),
        when_denials=denials.count(True),
        denied=(norm.modality in _DENYING) != (first in _TURNING),
    )


def _weight(stems: frozenset[str], idf: Mapping[str, float]) -> float:
    return math.fsum(idf.get(word, _UNSEEN) for word in stems)


def _share(common: frozenset[str], whole: float, idf: Mapping[str, float]) -> float:
    return _weight(common, idf) / whole if common and whole > 0 else 0.0


def conditions_between(a: Halves, b: Halves, idf: Mapping[str, float]) -> tuple[float, ...]:
    """The numbers of :data:`CONDITION_FEATURES` for two passages.

    ``when_shared`` and ``when_from_main`` are the shares of a condition's words, by weight, that stand in the other's
    condition and in the other's main clause; ``denied_when``: how much of the main clauses is shared where just one has
    a condition and they differ in denial; ``duty_as_case``: the same where the condition is made of the other's words.
    """
    shared = _share(a.main & b.main, min(a.main_weight, b.main_weight), idf)
    from_main = max(_share(a.when & b.main, a.when_weight, idf), _share(b.when & a.main, b.when_weight, idf))
    turned = (a.main_denials - b.main_denials) % 2
    one = bool(a.when) != bool(b.when)
    return (
        float(a.denied != b.denied),
        float(turned),
        float((a.when_denials - b.when_denials) % 2),
        _share(a.when & b.when, min(a.when_weight, b.when_weight), idf),
        from_main,
        shared if one and (turned or a.denied != b.denied) else 0.0,
        shared * from_main,
    )
