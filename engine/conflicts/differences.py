"""What differs between two units, for the arbitration, for words and for the comparison's numbers."""

from __future__ import annotations

import dataclasses
import itertools

from engine.anchors.model import Anchor
from engine.anchors.roles import comparable
from engine.conflicts.norms import clash
from engine.conflicts.opposites import opposites_between, opposites_said
from engine.conflicts.scope import both_ask, exchanged, faults_apart, rhythms_apart, triggers_apart
from engine.conflicts.sides import NEGATION, Side
from engine.conflicts.units import Unit

#: How far two values must be comparable to be rivals, and to be shown as different where nobody can name one of them.
RIVALS, UNNAMED_RIVALS = 0.6, 0.15

#: Values of one kind that are looked at in one sentence.
MOST_VALUES = 6


@dataclasses.dataclass(frozen=True, slots=True)
class Differences:
    """What differs between two units, for the arbitration and for words.

    Attributes:
        clash: of the main modals, 0 to 2.
        same_act: whether the words right after one modal are found in the other's act.
        bearer: ``same``, ``shared``, ``different`` or ``mirrored``.
        opposites: opposed word pairs.
        values: pairs of comparable anchors of one kind with different values (a's, b's).
        numbers: whether each has a number that the other lacks.
        condition: ``none``, ``one``, ``both``.
        negation: whether one has more negations than the other.
        only: whether just one says only, solely or exclusively.
        override: whether one of them yields or overrides in words.
        same_words: whether their content words are the same.
        complementary: whether one holds if something is so and the other if it is not.
        swapped: how much nearer they come when their bearers are exchanged, 0..1 (see :func:`_swapped`).
        consequence: whether one says what follows when the other's act is done ("may terminate", "upon termination").
        exchanged: how much nearer they come when two parties are exchanged, 0..1 (see engine.conflicts.scope).
        triggers_apart, rhythms_apart, faults_apart: whether they speak of other cases, occasions or grounds.
        both_ask: whether a duty and a prohibition ask for the same.
        actors: ``same``, ``different`` or ``unknown``: the parties that are named as bound.
        terms: defined terms with one last word that stand in one of the two each ("Additional Charges", "Charges").
    """

    clash: int
    same_act: bool
    bearer: str
    opposites: tuple[tuple[str, str], ...]
    values: tuple[tuple[Anchor, Anchor], ...]
    numbers: bool
    condition: str
    negation: bool
    only: bool
    override: bool
    same_words: bool
    complementary: bool = False
    swapped: float = 0.0
    consequence: bool = False
    terms: tuple[str, str] = ("", "")
    exchanged: float = 0.0
    triggers_apart: bool = False
    rhythms_apart: bool = False
    faults_apart: bool = False
    both_ask: bool = False
    actors: str = "unknown"

    @property
    def unnamed(self) -> bool:
        """Whether no rule names what differs."""
        named = self.values or self.numbers or self.opposites or self.clash or self.negation or self.only
        return not named and self.condition != "one"


def _bearer(a: Side, b: Side) -> str:
    if not a.bearer or not b.bearer:
        return "unknown"
    if a.bearer == b.bearer:
        return "same"
    if a.bearer & b.bearer:
        return "shared"
    if a.bearer & b.act_all and b.bearer & a.act_all:
        return "mirrored"
    return "different"


def _different_values(a: Unit, b: Unit, a_side: Side, b_side: Side) -> tuple[tuple[Anchor, Anchor], ...]:
    found = []
    for kind in sorted(a_side.kinds & b_side.kinds):
        mine = [x for x in a.anchors if x.kind.value == kind and (kind, x.value) not in b_side.values]
        theirs = [y for y in b.anchors if y.kind.value == kind and (kind, y.value) not in a_side.values]
        rivals = [(comparable(x, y), x, y) for x in mine[:MOST_VALUES] for y in theirs[:MOST_VALUES]]
        best = max(rivals, key=lambda rival: rival[0], default=None)
        pairs = [best[1:]] if best is not None and best[0] >= RIVALS else []
        pairs += [(x, y) for x, y in zip(mine, theirs, strict=False) if comparable(x, y) >= UNNAMED_RIVALS]
        found += [pair for i, pair in enumerate(pairs) if pair not in pairs[:i]]
    # Values of one role come first: they are what a finding shows.
    return tuple(sorted(found, key=lambda pair: -comparable(*pair)))


def _same_act(a: Side, b: Side) -> bool:
    """Whether the first word after one modal is found in the other sentence."""
    return bool((a.act and a.act[0] in b.stems) or (b.act and b.act[0] in a.stems))


def differences_of(a: Unit, b: Unit, a_side: Side, b_side: Side) -> Differences:
    """What differs between two units."""
    only_a, only_b = a_side.stems - b_side.stems, b_side.stems - a_side.stems
    opposite = tuple(opposites_between(only_a, only_b))
    if a.chinese and b.chinese:
        opposite += tuple(opposites_said(a_side.said, b_side.said))
    return Differences(
        clash=clash(a.norm.modality, b.norm.modality),
        same_act=_same_act(a_side, b_side),
        bearer=_bearer(a_side, b_side),
        opposites=opposite,
        values=_different_values(a, b, a_side, b_side),
        numbers=each_has_more(a_side.numbers, b_side.numbers),
        condition=("none", "one", "both")[int(a_side.conditional) + int(b_side.conditional)],
        negation=a_side.negations != b_side.negations,
        only=a_side.only != b_side.only,
        override=a_side.override or b_side.override,
        same_words=_numbers_only(only_a) and _numbers_only(only_b),
        complementary=_conditions_opposed(a, b, a_side, b_side),
        swapped=_swapped(a_side, b_side),
        consequence=_follows(a_side, b_side) or _follows(b_side, a_side),
        terms=_terms_apart(a_side, b_side),
        exchanged=exchanged(a_side.scope, b_side.scope),
        triggers_apart=triggers_apart(a_side.scope, b_side.scope),
        rhythms_apart=rhythms_apart(a_side.scope, b_side.scope),
        faults_apart=faults_apart(a_side.scope, b_side.scope),
        both_ask=both_ask(a_side, b_side, (a.norm.modality, b.norm.modality)),
        actors=_actors(a_side, b_side),
    )


def _numbers_only(words: frozenset[str]) -> bool:
    return all(word[0].isdigit() for word in words)


def _actors(a: Side, b: Side) -> str:
    first, second = a.scope.actor, b.scope.actor
    return "unknown" if not first or not second else "same" if first == second else "different"


def _follows(cause: Side, effect: Side) -> bool:
    """Whether the first word of one act stands in the other's condition and not in its act."""
    if not cause.act or not effect.condition:
        return False
    verb = cause.act[0]
    return verb in effect.condition and verb not in effect.act_all and verb not in cause.condition


def _terms_apart(a: Side, b: Side) -> tuple[str, str]:
    """The first two defined terms that share their last word and nothing else, one from each sentence."""
    for head in sorted(a.terms.keys() & b.terms.keys()):
        if a.terms[head].isdisjoint(b.terms[head]):
            return min(a.terms[head]), min(b.terms[head])
    return "", ""


def _swapped(a: Side, b: Side) -> float:
    """How much nearer the two come, in shared pairs of words, when their bearers are exchanged: mirrored duties."""
    only_a, only_b = a.bearer - b.bearer, b.bearer - a.bearer
    if not 0 < len(only_a) <= 3 or not 0 < len(only_b) <= 3 or not (only_a <= b.stems or only_b <= a.stems):
        return 0.0
    if len(a.bigrams & b.bigrams) * 4 < min(len(a.bigrams), len(b.bigrams)):
        return 0.0
    gains = []
    for x in sorted(only_a):
        for y in sorted(only_b):
            exchange = {x: y, y: x}
            turned = [exchange.get(word, word) for word in a.sequence]
            gains.append(len(set(itertools.pairwise(turned)) & b.bigrams))
    return (max(gains) - len(a.bigrams & b.bigrams)) / max(1, min(len(a.bigrams), len(b.bigrams)))


def _conditions_opposed(a: Unit, b: Unit, a_side: Side, b_side: Side) -> bool:
    """Whether one holds if something is so and the other if it is not."""
    x, y = a_side.condition, b_side.condition
    if len(x & y) < 2 or 2 * len(x & y) < min(len(x), len(y)):
        return False
    counts = [
        sum(token.lower in NEGATION for token in unit.tokens if low <= token.start < high)
        for unit, (low, high) in ((a, a.norm.condition), (b, b.norm.condition))
    ]
    return counts[0] != counts[1] or bool(opposites_between(x - y, y - x))


def each_has_more(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether each has something that the other lacks."""
    return bool(a - b) and bool(b - a)
