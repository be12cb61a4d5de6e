"""The comparison of two units as numbers: how much is shared, and what differs. Contents never enter, only comparisons.

Comparisons carry over to contracts never seen, words do not: no feature here says which words a sentence holds.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.anchors.roles import comparable
from engine.conflicts.candidates import Candidate, WordIndex
from engine.conflicts.conditions import CONDITION_FEATURES, conditions_between
from engine.conflicts.differences import RIVALS, Differences, differences_of, each_has_more
from engine.conflicts.knowledge_features import KNOWLEDGE_FEATURES, knowledge_between
from engine.conflicts.norms import Modality, clash
from engine.conflicts.segments import align
from engine.conflicts.sides import Side, weight_of
from engine.conflicts.standing import STANDING_FEATURES
from engine.conflicts.units import Unit
from engine.conflicts.word_states import nearest_of, soft_overlap
from engine.states.knowledge_facts import shipped_knowledge

#: Pairs of modals of two sentences that are looked at; none where there are more.
MOST_CUES = 50

_STATEMENTS = (Modality.STATEMENT, Modality.NOT)

#: What :func:`compare` says of a pair, in order.
COMPARED = (
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
    "terms_clash", "lead_differs", "consequence", "values_rival", "exchanged", "triggers_apart", "triggers_both",
    "rhythms_apart", "faults_apart", "both_ask", "introduces", "cases", "same_list", "actors_same", "actors_differ",
    "right_and_duty", "unnamed", "main_cover", "condition_in_main", *CONDITION_FEATURES, *KNOWLEDGE_FEATURES,
)  # fmt: skip

#: The features in order; a trained ranker names the ones it was trained on and is refused if they differ.
FEATURES = (*COMPARED, *STANDING_FEATURES)


def _aligned_clash(a: Side, b: Side) -> int:
    """The strongest clash between modals, anywhere in the two, that are followed by a shared word."""
    return max((clash(x, y) for x, mine in a.acts for y, theirs in b.acts if mine & theirs), default=0)


@functools.lru_cache(maxsize=64)
def _where(words: tuple[str, ...]) -> Mapping[str, bytes]:
    """Each word's places as a row of bits, of as many bytes for each word, the last bit free.

    A unit is compared with many in a row, so a few are enough to keep.
    """
    places: dict[str, int] = {}
    for i, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << i
    width = len(words) // 8 + 1
    return {word: bits.to_bytes(width, "little") for word, bits in places.items()}


def longest_run(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """Length of the longest common run of words; 0 for sentences of hundreds of words, where it says nothing.

    All pairs of places lie in one whole number, a row of bits for each word of ``b``. A run is a diagonal: the pairs
    are shifted by a row and a bit until none is left.
    """
    if len(a) * len(b) > 40_000:
        return 0
    where = _where(a)
    width = len(a) // 8 + 1
    none = bytes(width)
    equal = left = int.from_bytes(b"".join([where.get(word, none) for word in b]), "little")
    longest = 0
    while left:
        longest += 1
        left = equal & (left >> (8 * width + 1))
    return longest


Numbers = dict[str, float]
_in_order: Callable[[Numbers], tuple[float, ...]] = operator.itemgetter(*COMPARED)


def _overlap(a_side: Side, b_side: Side, pair: Candidate, index: WordIndex) -> Numbers:
    """How much is shared: by vectors, by weighted words, by runs of words, by word states."""
    short, long = (a_side, b_side) if len(a_side.sequence) <= len(b_side.sequence) else (b_side, a_side)
    low_weight, high_weight = sorted((pair.weight_a, pair.weight_b))
    only_short = short.stems - long.stems
    both = a_side.stems & b_side.stems
    only_long = len(long.stems) - len(both)
    n_short, n_long = len(short.sequence), max(1, len(long.sequence))
    similarity = np.asarray(short.words @ long.words.T, np.float32)
    nearest = nearest_of(similarity)
    soft = soft_overlap(nearest)
    aligned = align(similarity, nearest, short.parts, long.parts)
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
        "run": longest_run(a_side.sequence, b_side.sequence) / max(1, n_short),
        "extra_short": min(12, len(only_short)),
        "extra_long": min(20, only_long),
        "extra_both": min(8, len(only_short), only_long),
        "extra_weight_short": weight_of(only_short, index.idf) / max(1, len(only_short)),
        "act_contained": len(short.act_all & long.stems) / max(1, len(short.act_all)),
        "rarest_shared": max([index.idf.get(word, 0.0) for word in both], default=0.0),
        "shared_count": min(20, len(both)),
        "length_short": min(60, n_short),
        "length_ratio": n_short / n_long,
        "names_differ": not (short.names <= long.stems or long.names <= short.stems),
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
    few = len(a.norm.cues) * len(b.norm.cues) < MOST_CUES
    cues = [(x, y) for x, _, _ in a.norm.cues for y, _, _ in b.norm.cues] if few else []
    kinds = (a.norm.modality, b.norm.modality)
    conditions = a_side.condition | b_side.condition
    leads = [unit.norm.leading and unit.norm.condition != (0, 0) for unit in (a, b)]
    return {
        "clash": differences.clash,
        "clash_any": max([clash(x, y) for x, y in cues], default=0),
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
    roles = [(a_side.roles[kind], b_side.roles[kind]) for kind in a_side.roles.keys() & b_side.roles.keys()]
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
        "roles_differ": any(len(x | y) > 1 for x, y in roles),
        "labels_differ": each_has_more(a_side.labels, b_side.labels),
        "override_any": differences.override,
        "override_one": a_side.override != b_side.override,
        "same_words": differences.same_words,
        "terms_clash": bool(differences.terms[0]),
        "definitions": bool(a.defines) + bool(b.defines),
    }


def _scopes(a: Unit, b: Unit, a_side: Side, b_side: Side, differences: Differences, index: WordIndex) -> Numbers:
    """What each applies to: cases, occasions, parties; and how like they are without their conditions."""
    x, y = a_side.scope.trigger, b_side.scope.trigger
    own = [(x - y, b_side.main), (y - x, a_side.main)] if x or y else []
    inside = [len(words & main) / len(words) for words, main in own if words]
    shared = weight_of(a_side.main & b_side.main, index.idf)
    kinds = frozenset((a.norm.modality, b.norm.modality))
    return {
        "exchanged": differences.exchanged,
        "triggers_apart": differences.triggers_apart,
        "triggers_both": bool(x) and bool(y),
        "rhythms_apart": differences.rhythms_apart,
        "faults_apart": differences.faults_apart,
        "both_ask": differences.both_ask,
        "introduces": a.introduces + b.introduces,
        "cases": a.case + b.case,
        "same_list": a.lead_at == b.lead_at and a.lead_at[1] >= 0,
        "actors_same": differences.actors == "same",
        "actors_differ": differences.actors == "different",
        "right_and_duty": differences.actors == "different" and kinds == frozenset((Modality.MAY, Modality.MUST)),
        "unnamed": differences.unnamed,
        "main_cover": shared / max(1e-6, min(a_side.main_weight, b_side.main_weight)),
        "condition_in_main": max(inside, default=0.0),
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
    """What is compared of a pair, float32 ``[len(COMPARED)]``, and its differences."""
    differences = differences_of(a, b, a_side, b_side)
    known = knowledge_between(shipped_knowledge(), a_side.named, b_side.named)
    numbers = {
        **_overlap(a_side, b_side, pair, index),
        **_modals(a, b, a_side, b_side, differences),
        **_contents(a, b, a_side, b_side, differences),
        **_scopes(a, b, a_side, b_side, differences, index),
        **_places(a, b, a_side, b_side),
        **dict(zip(CONDITION_FEATURES, conditions_between(a_side.halves, b_side.halves, index.idf), strict=True)),
        **dict(zip(KNOWLEDGE_FEATURES, known, strict=True)),
    }
    return np.array(_in_order(numbers), np.float32), differences
