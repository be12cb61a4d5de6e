"""The comparison of two units as numbers: how much is shared, and what differs. Contents never enter, only comparisons.

Comparisons carry over to contracts never seen, words do not: no feature here says which words a sentence holds.
"""

from __future__ import annotations

import bisect
import dataclasses
import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.anchors.model import Anchor
from engine.conflicts.candidates import Candidate, WordIndex
from engine.conflicts.norms import CONDITION, CONDITION_ZH, Modality, clash
from engine.conflicts.opposites import chinese_opposites, opposites_between
from engine.conflicts.units import VALUE_KINDS, Unit
from engine.conflicts.word_states import soft_overlap
from engine.conflicts.words import Token, is_content

NEGATION = frozenset(
    "not no never neither nor none cannot can't won't without nothing non refuse unable unless except lacks free".split()
)
NEGATION_ZH = re.compile(r"不(?!可抗力|动产|限于|仅|同|论|足|良)|无(?!论)|未|非(?!常)|禁止|拒绝|免于")
UNIVERSAL = frozenset("all any every each both always entire whole solely exclusively".split())
PARTIAL = frozenset("some certain part several only partially few sometimes".split())
ONLY = re.compile(r"\b(?:only|solely|exclusive(?:ly)?|sole)\b|仅|只|唯一|独家|独占|排他", re.IGNORECASE)
OVERRIDE = re.compile(
    r"\b(?:notwithstanding|subject to|except (?:as|for|that)|unless otherwise|without limiting|in addition to|other than as|"
    r"to the extent not|provided,? (?:however|that))\b|尽管|除[^，。]{0,20}另有|以[^，。]{0,12}为准|不受[^，。]{0,12}限制",
    re.IGNORECASE,
)
BLANK = re.compile(r"_{3,}|\[\*+\]|\*{3,}")

#: The features in order; a trained ranker names the ones it was trained on and is refused if they differ.
FEATURES = (
    "cosine", "cosine_margin", "rank_low", "rank_high", "dice", "contained_short", "contained_long", "shared_weight",
    "bigrams", "run", "extra_short", "extra_long", "extra_weight_short", "clash", "clash_any", "same_act", "both_norms",
    "bearer_same", "bearer_shared", "mirrored", "negation_differs", "negations", "opposites", "universal_partial",
    "only_differs", "condition_one", "condition_both", "condition_leads_one", "numbers_differ", "numbers_same",
    "values_differ", "values_same", "override_any", "override_one", "length_short", "length_ratio", "distance",
    "adjacent", "same_clause", "statements", "recital", "forms", "cue_same", "may_must", "aligned_clash", "act_contained",
    "rarest_shared", "shared_count", "mutual", "repeated", "same_lead", "condition_differs",
    "soft_short", "soft_long", "soft_worst", "soft_without",
)  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Side:
    """What is computed once per unit, before it is compared with many."""

    stems: frozenset[str]
    bigrams: frozenset[tuple[str, str]]
    sequence: tuple[str, ...]
    bearer: frozenset[str]
    act: tuple[str, ...]
    act_all: frozenset[str]
    acts: tuple[tuple[Modality, frozenset[str]], ...]
    condition: frozenset[str]
    lead: tuple[str, ...]
    negations: int
    numbers: frozenset[str]
    values: frozenset[tuple[str, str]]
    kinds: frozenset[str]
    universal: bool
    partial: bool
    only: bool
    conditional: bool
    override: bool
    forms: float
    words: NDArray[np.float32]


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


def _within(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    return [token for token in tokens if start <= token.start and token.end <= end]


def side_of(unit: Unit, words: NDArray[np.float16]) -> Side:
    """What a unit brings to each of its comparisons; ``words`` are its content words' states, ``[n, 384]``."""
    norm = unit.norm
    sequence = tuple(token.stem for token in unit.tokens)
    content = [token for token in unit.tokens if is_content(token)]
    bearer = frozenset(t.stem for t in _within(content, *norm.bearer))
    act = _within(content, *norm.act)
    if not bearer and unit.lead is not None:
        lead_content = [token for token in unit.lead_tokens if is_content(token)]
        bearer = frozenset(t.stem for t in _within(lead_content, *unit.lead.bearer))
    lower = [token.lower for token in unit.tokens]
    negations = len(NEGATION_ZH.findall(unit.text)) if unit.chinese else sum(word in NEGATION for word in lower)
    values = frozenset((a.kind.value, a.value) for a in unit.anchors if a.kind in VALUE_KINDS)
    condition = CONDITION_ZH if unit.chinese else CONDITION
    return Side(
        stems=frozenset(token.stem for token in content),
        bigrams=frozenset(zip(sequence, sequence[1:], strict=False)),
        sequence=sequence,
        bearer=bearer,
        act=tuple(t.stem for t in act[:3]),
        act_all=frozenset(t.stem for t in act),
        acts=tuple((kind, _next_words(content, end)) for kind, _, end in norm.cues[:8]),
        condition=frozenset(t.stem for t in _within(content, *norm.condition)),
        lead=tuple(token.stem for token in unit.lead_tokens),
        negations=negations,
        numbers=frozenset(word for word in lower if word[0].isdigit()),
        values=values,
        kinds=frozenset(kind for kind, _ in values),
        universal=not UNIVERSAL.isdisjoint(lower),
        partial=not PARTIAL.isdisjoint(lower),
        only=ONLY.search(unit.text) is not None,
        conditional=condition.search(unit.text) is not None,
        override=OVERRIDE.search(unit.text) is not None,
        forms=len(BLANK.findall(unit.text)) / max(4, len(unit.tokens)),
        words=words.astype(np.float32),
    )


def _next_words(content: Sequence[Token], end: int) -> frozenset[str]:
    """Stems of the first two content words after a modal: the act it is about."""
    start = bisect.bisect_left([token.start for token in content], end)
    return frozenset(token.stem for token in content[start : start + 2])


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
        found += [(x, y) for x, y in zip(mine, theirs, strict=False) if not (x.role and y.role and x.role != y.role)]
    return tuple(found)


def compare(
    a: Unit, b: Unit, a_side: Side, b_side: Side, pair: Candidate, index: WordIndex
) -> tuple[NDArray[np.float32], Differences]:
    """The features of a pair, float32 ``[len(FEATURES)]``, and its differences."""
    short, long = (a_side, b_side) if len(a_side.sequence) <= len(b_side.sequence) else (b_side, a_side)
    low_weight, high_weight = sorted((pair.weight_a, pair.weight_b))
    only_short, only_long = short.stems - long.stems, long.stems - short.stems
    opposite = tuple(opposites_between(frozenset(only_short), frozenset(only_long)))
    if a.chinese and b.chinese:
        opposite += tuple(chinese_opposites(a.text, b.text))
    bearer = _bearer(a_side, b_side)
    same_act = bool(
        (a_side.act and a_side.act[0] in b_side.stems) or (b_side.act and b_side.act[0] in a_side.stems)
    ) and bool(set(a_side.act) & b_side.stems or set(b_side.act) & a_side.stems)
    values = _different_values(a, b, a_side, b_side)
    numbers = bool(a_side.numbers - b_side.numbers) and bool(b_side.numbers - a_side.numbers)
    modal = clash(a.norm.modality, b.norm.modality)
    other_modals = max(
        (clash(x, y) for x, _, _ in a.norm.cues for y, _, _ in b.norm.cues if len(a.norm.cues) * len(b.norm.cues) < 50),
        default=0,
    )
    negation = a_side.negations != b_side.negations
    differences = Differences(
        clash=modal,
        same_act=same_act,
        bearer=bearer,
        opposites=opposite,
        values=values,
        numbers=numbers,
        condition=("none", "one", "both")[int(a_side.conditional) + int(b_side.conditional)],
        negation=negation,
        only=a_side.only != b_side.only,
        override=a_side.override or b_side.override,
    )
    distance = abs(a.order - b.order)
    n_short, n_long = len(short.sequence), max(1, len(long.sequence))
    statement = (Modality.STATEMENT, Modality.NOT)
    soft = soft_overlap(short.words, long.words)
    vector = (
        pair.cosine,
        pair.cosine - max(pair.crowd_a, pair.crowd_b),
        min(pair.rank_a, pair.rank_b, 30),
        min(max(pair.rank_a, pair.rank_b), 30),
        2 * pair.shared / max(1e-6, pair.weight_a + pair.weight_b),
        pair.shared / max(1e-6, low_weight),
        pair.shared / max(1e-6, high_weight),
        math.log1p(pair.shared),
        len(short.bigrams & long.bigrams) / max(1, len(short.bigrams)),
        _longest_run(short.sequence, long.sequence) / max(1, n_short),
        min(12, len(only_short)),
        min(20, len(only_long)),
        math.fsum(index.idf.get(word, 4.0) for word in only_short) / max(1, len(only_short)),
        modal,
        other_modals,
        same_act,
        a.norm.modality not in statement and b.norm.modality not in statement,
        bearer == "same",
        bearer in ("same", "shared"),
        bearer == "mirrored",
        negation,
        min(4, a_side.negations + b_side.negations),
        min(2, len(opposite)),
        (a_side.universal and b_side.partial) or (b_side.universal and a_side.partial),
        differences.only,
        differences.condition == "one",
        differences.condition == "both",
        (a.norm.leading and a.norm.condition != (0, 0)) != (b.norm.leading and b.norm.condition != (0, 0)),
        numbers,
        bool(a_side.numbers & b_side.numbers),
        min(2, len(values)),
        bool(a_side.values & b_side.values),
        differences.override,
        a_side.override != b_side.override,
        min(60, n_short),
        n_short / n_long,
        math.log1p(distance),
        distance <= 2,
        a.first.clause is not None and a.first.clause is b.first.clause,
        a.norm.modality in statement and b.norm.modality in statement,
        a.recital or b.recital,
        min(0.5, max(a_side.forms, b_side.forms)),
        a.norm.modality is b.norm.modality,
        frozenset((a.norm.modality, b.norm.modality)) == frozenset((Modality.MAY, Modality.MUST)),
        _aligned_clash(a_side, b_side),
        len(short.act_all & long.stems) / max(1, len(short.act_all)),
        max((index.idf.get(word, 0.0) for word in a_side.stems & b_side.stems), default=0.0),
        min(20, len(a_side.stems & b_side.stems)),
        pair.rank_a == 0 and pair.rank_b == 0,
        max(len(a.places), len(b.places)) > 1,
        bool(a_side.lead) and a_side.lead == b_side.lead,
        len(a_side.condition ^ b_side.condition) / max(1, len(a_side.condition | b_side.condition)),
        *soft,
    )
    return np.array(vector, np.float32), differences
