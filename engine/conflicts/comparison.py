"""The comparison of two units as numbers: how much is shared, and what differs. Contents never enter, only comparisons.

Comparisons carry over to contracts never seen, words do not: no feature here says which words a sentence holds.
"""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
from numpy.typing import NDArray

from engine.anchors.model import Anchor
from engine.anchors.roles import comparable
from engine.conflicts.candidates import Candidate, WordIndex
from engine.conflicts.norms import Modality, clash
from engine.conflicts.opposites import chinese_opposites, opposites_between
from engine.conflicts.segments import align
from engine.conflicts.sides import NEGATION, Side
from engine.conflicts.units import VALUE_KINDS, Unit
from engine.conflicts.word_states import soft_overlap

#: How far two values must be comparable to be rivals, and to be shown as different where nobody can name one of them.
RIVALS, UNNAMED_RIVALS = 0.6, 0.15

#: Values of one kind that are looked at in one sentence.
MOST_VALUES = 6

_STATEMENTS = (Modality.STATEMENT, Modality.NOT)

#: The features in order; a trained ranker names the ones it was trained on and is refused if they differ.
FEATURES = (
    "cosine", "cosine_margin", "rank_low", "rank_high", "dice", "contained_short", "contained_long",
    "shared_weight", "bigrams", "run", "extra_short", "extra_long", "extra_weight_short", "clash", "clash_any",
    "same_act", "both_norms", "bearer_same", "bearer_shared", "mirrored", "negation_differs", "negations",
    "opposites", "universal_partial", "only_differs", "condition_one", "condition_both", "condition_leads_one",
    "numbers_differ", "numbers_same", "values_differ", "values_same", "override_any", "override_one",
    "length_short", "length_ratio", "distance", "adjacent", "same_clause", "statements", "recital", "forms",
    "cue_same", "may_must", "aligned_clash", "act_contained", "rarest_shared", "shared_count", "mutual",
    "repeated", "same_lead", "condition_differs", "soft_short", "soft_long", "soft_worst", "soft_without",
    "names_differ", "labels_differ", "roles_clash", "roles_differ", "definitions", "same_words", "extra_both",
    "siblings", "segment_cover", "segment_back", "segment_clash", "segment_subject", "segment_verb", "clash_cover",
    "condition_cover", "soft_weighted", "absolute_short", "condition_short", "swapped", "conditions_opposed",
    "terms_clash", "lead_differs", "consequence", "values_rival",
)  # fmt: skip


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


def _aligned_clash(a: Side, b: Side) -> int:
    """The strongest clash between modals, anywhere in the two, that are followed by a shared word."""
    return max((clash(x, y) for x, mine in a.acts for y, theirs in b.acts if mine & theirs), default=0)


def _longest_run(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """Length of the longest common run of words (rolling rows; both are short)."""
    if len(a) * len(b) > 40_000:
        return 0
    best = 0
    where: dict[str, list[int]] = {}
    for j, word in enumerate(b):
        where.setdefault(word, []).append(j)
    previous: dict[int, int] = {}
    for word in a:
        row = {j: previous.get(j - 1, 0) + 1 for j in where.get(word, ())}
        if row:
            best = max(best, *row.values())
        previous = row
    return best


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
    opposite = tuple(opposites_between(a_side.stems - b_side.stems, b_side.stems - a_side.stems))
    if a.chinese and b.chinese:
        opposite += tuple(chinese_opposites(a.text, b.text))
    return Differences(
        clash=clash(a.norm.modality, b.norm.modality),
        same_act=_same_act(a_side, b_side),
        bearer=_bearer(a_side, b_side),
        opposites=opposite,
        values=_different_values(a, b, a_side, b_side),
        numbers=_each_has_more(a_side.numbers, b_side.numbers),
        condition=("none", "one", "both")[int(a_side.conditional) + int(b_side.conditional)],
        negation=a_side.negations != b_side.negations,
        only=a_side.only != b_side.only,
        override=a_side.override or b_side.override,
        same_words=all(word[0].isdigit() for word in a_side.stems ^ b_side.stems),
        complementary=_conditions_opposed(a, b, a_side, b_side),
        swapped=_swapped(a_side, b_side),
        consequence=_follows(a_side, b_side) or _follows(b_side, a_side),
        terms=_terms_apart(a_side, b_side),
    )


def _follows(cause: Side, effect: Side) -> bool:
    """Whether the first word of one act stands in the other's condition and not in its act."""
    if not cause.act or not effect.condition:
        return False
    verb = cause.act[0]
    return verb in effect.condition and verb not in effect.act[:2] and verb not in cause.condition


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
    if not x or not y or 2 * len(x & y) < min(len(x), len(y)):
        return False
    counts = [
        sum(token.lower in NEGATION for token in unit.tokens if low <= token.start < high)
        for unit, (low, high) in ((a, a.norm.condition), (b, b.norm.condition))
    ]
    return counts[0] != counts[1] or bool(opposites_between(x - y, y - x))


def _each_has_more(a: frozenset[str], b: frozenset[str]) -> bool:
    return bool(a - b) and bool(b - a)


Numbers = dict[str, float]


def _overlap(a_side: Side, b_side: Side, pair: Candidate, index: WordIndex) -> Numbers:
    """How much is shared: by vectors, by weighted words, by runs of words, by word states."""
    short, long = (a_side, b_side) if len(a_side.sequence) <= len(b_side.sequence) else (b_side, a_side)
    low_weight, high_weight = sorted((pair.weight_a, pair.weight_b))
    only_short, only_long = short.stems - long.stems, long.stems - short.stems
    both = a_side.stems & b_side.stems
    n_short, n_long = len(short.sequence), max(1, len(long.sequence))
    similarity = np.asarray(short.words @ long.words.T, np.float32)
    soft = soft_overlap(similarity)
    aligned = align(similarity, short.segments, long.segments, short.weights, long.weights)
    return {
        "cosine": pair.cosine,
        "cosine_margin": pair.cosine - max(pair.crowd_a, pair.crowd_b),
        "rank_low": min(pair.rank_a, pair.rank_b, 30),
        "rank_high": min(max(pair.rank_a, pair.rank_b), 30),
        "mutual": pair.rank_a == 0 and pair.rank_b == 0,
        "dice": 2 * pair.shared / max(1e-6, pair.weight_a + pair.weight_b),
        "contained_short": pair.shared / max(1e-6, low_weight),
        "contained_long": pair.shared / max(1e-6, high_weight),
        "shared_weight": math.log1p(pair.shared),
        "bigrams": len(short.bigrams & long.bigrams) / max(1, len(short.bigrams)),
        "run": _longest_run(short.sequence, long.sequence) / max(1, n_short),
        "extra_short": min(12, len(only_short)),
        "extra_long": min(20, len(only_long)),
        "extra_both": min(8, len(only_short), len(only_long)),
        "extra_weight_short": math.fsum(index.idf.get(word, 4.0) for word in only_short) / max(1, len(only_short)),
        "act_contained": len(short.act_all & long.stems) / max(1, len(short.act_all)),
        "rarest_shared": max((index.idf.get(word, 0.0) for word in both), default=0.0),
        "shared_count": min(20, len(both)),
        "length_short": min(60, n_short),
        "length_ratio": n_short / n_long,
        "names_differ": bool(short.names - long.stems) and bool(long.names - short.stems),
        "soft_short": soft[0],
        "soft_long": soft[1],
        "soft_worst": soft[2],
        "soft_without": soft[3],
        "segment_cover": aligned.cover,
        "segment_back": aligned.back,
        "segment_clash": aligned.clash,
        "segment_subject": aligned.subject,
        "segment_verb": aligned.verb,
        "clash_cover": aligned.clash_cover,
        "condition_cover": aligned.condition,
        "soft_weighted": aligned.weighted,
        "absolute_short": short.absolute,
        "condition_short": short.conditional,
    }


def _modals(a: Unit, b: Unit, a_side: Side, b_side: Side, differences: Differences) -> Numbers:
    """Who must, may or must not: clashes, bearers, negations, conditions."""
    cues = [(x, y) for x, _, _ in a.norm.cues for y, _, _ in b.norm.cues] if len(a.norm.cues) < 50 else []
    kinds = (a.norm.modality, b.norm.modality)
    conditions = a_side.condition | b_side.condition
    leads = [unit.norm.leading and unit.norm.condition != (0, 0) for unit in (a, b)]
    return {
        "clash": differences.clash,
        "clash_any": max((clash(x, y) for x, y in cues), default=0) if len(cues) < 50 else 0,
        "aligned_clash": _aligned_clash(a_side, b_side),
        "same_act": differences.same_act,
        "both_norms": kinds[0] not in _STATEMENTS and kinds[1] not in _STATEMENTS,
        "statements": kinds[0] in _STATEMENTS and kinds[1] in _STATEMENTS,
        "cue_same": kinds[0] is kinds[1],
        "may_must": frozenset(kinds) == frozenset((Modality.MAY, Modality.MUST)),
        "bearer_same": differences.bearer == "same",
        "bearer_shared": differences.bearer in ("same", "shared"),
        "mirrored": differences.bearer == "mirrored",
        "negation_differs": differences.negation,
        "negations": min(4, a_side.negations + b_side.negations),
        "condition_one": differences.condition == "one",
        "condition_both": differences.condition == "both",
        "condition_leads_one": leads[0] != leads[1],
        "swapped": differences.swapped,
        "conditions_opposed": differences.complementary,
        "consequence": differences.consequence,
        "condition_differs": len(a_side.condition ^ b_side.condition) / max(1, len(conditions)),
    }


def _contents(a: Unit, b: Unit, a_side: Side, b_side: Side, differences: Differences) -> Numbers:
    """What else differs: opposites, quantifiers, numbers, values, labels, override words."""
    roles = [(x.role, y.role) for x in a.anchors for y in b.anchors if x.kind is y.kind and x.kind in VALUE_KINDS]
    return {
        "opposites": min(2, len(differences.opposites)),
        "universal_partial": (a_side.universal and b_side.partial) or (b_side.universal and a_side.partial),
        "only_differs": differences.only,
        "numbers_differ": differences.numbers,
        "numbers_same": bool(a_side.numbers & b_side.numbers),
        "values_differ": min(2, len(differences.values)),
        "values_same": bool(a_side.values & b_side.values),
        "roles_clash": sum(bool(x.role and y.role) and comparable(x, y) >= RIVALS for x, y in differences.values),
        "values_rival": max((comparable(x, y) for x, y in differences.values), default=0.0),
        "roles_differ": any(x and y and x != y for x, y in roles),
        "labels_differ": _each_has_more(a_side.labels, b_side.labels),
        "override_any": differences.override,
        "override_one": a_side.override != b_side.override,
        "same_words": differences.same_words,
        "terms_clash": bool(differences.terms[0]),
        "definitions": bool(a.defines) + bool(b.defines),
    }


def _places(a: Unit, b: Unit, a_side: Side, b_side: Side) -> Numbers:
    """Where they stand: beside each other, in one list, in recitals, in a form."""
    distance = abs(a.order - b.order)
    first, second = a.first.clause, b.first.clause
    same = first is not None and first is second
    siblings = first is not None and second is not None and first is not second and first.parent == second.parent
    return {
        "distance": math.log1p(distance),
        "adjacent": distance <= 2,
        "same_clause": same,
        "siblings": siblings,
        "lead_differs": bool(a_side.lead) and bool(b_side.lead) and a_side.lead != b_side.lead,
        "same_lead": bool(a_side.lead) and a_side.lead == b_side.lead,
        "recital": a.recital or b.recital,
        "forms": min(0.5, max(a_side.forms, b_side.forms)),
        "repeated": max(len(a.places), len(b.places)) > 1,
    }


def compare(
    a: Unit, b: Unit, a_side: Side, b_side: Side, pair: Candidate, index: WordIndex
) -> tuple[NDArray[np.float32], Differences]:
    """The features of a pair, float32 ``[len(FEATURES)]``, and its differences."""
    differences = differences_of(a, b, a_side, b_side)
    numbers = {
        **_overlap(a_side, b_side, pair, index),
        **_modals(a, b, a_side, b_side, differences),
        **_contents(a, b, a_side, b_side, differences),
        **_places(a, b, a_side, b_side),
    }
    return np.array([numbers[name] for name in FEATURES], np.float32), differences
