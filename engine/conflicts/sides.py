"""What a unit brings to each of its comparisons, computed once: stems, acts, bearer, values, tell-tale words."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.conditions import Halves, halves_of
from engine.conflicts.knowledge_features import Named, named_in
from engine.conflicts.norms import CONDITION, CONDITION_ZH, Modality
from engine.conflicts.opposites import NOTHING_SAID, Said, said_of
from engine.conflicts.scope import Scope, scope_of
from engine.conflicts.segments import Parts, Segments, parts_of, segments_of
from engine.conflicts.units import VALUE_KINDS, Unit
from engine.conflicts.word_states import stated_words
from engine.conflicts.words import Token, content_tokens, is_content
from engine.states.knowledge_facts import shipped_knowledge

NEGATION = frozenset(
    ("not", "no", "never", "neither", "nor", "none", "cannot", "can't", "won't", "without", "nothing", "non", "refuse",
     "unable", "unless", "except", "lacks", "free")
)  # fmt: skip
NEGATION_ZH = re.compile(r"不(?!可抗力|动产|限于|仅|同|论|足|良)|无(?!论)|未|非(?!常)|禁止|拒绝|免于")
UNIVERSAL = frozenset(("all", "any", "every", "each", "both", "always", "entire", "whole", "solely", "exclusively"))
PARTIAL = frozenset(("some", "certain", "part", "several", "only", "partially", "few", "sometimes"))
ABSOLUTE = frozenset(("any", "every", "all", "never", "always", "no", "anything", "everything", "nothing", "whatever"))
ABSOLUTE_ZH = re.compile(r"任何|一切|全部|所有|均|始终|一律|绝不|永久")
#: The weight of a word that the index does not know.
UNSEEN = 4.0
ONLY = re.compile(r"\b(?:only|solely|exclusive(?:ly)?|sole)\b|仅|只|唯一|独家|独占|排他", re.IGNORECASE)
OVERRIDE = re.compile(
    r"\b(?:notwithstanding|subject to|except (?:as|for|that)|unless otherwise|without limiting|in addition to|"
    r"other than as|to the extent not|provided,? (?:however|that))\b|"
    r"尽管|除[^，。]{0,20}另有|以[^，。]{0,12}为准|不受[^，。]{0,12}限制",
    re.IGNORECASE,
)
LABELLED = re.compile(
    r"\b(?:option|phase|schedule|exhibit|annex|appendix|year|class|type|tier|lot|series|stage|step|level|milestone|part|"
    r"group|category|product|task|item|zone|region|period|model|unit|building|floor|tranche|party)\s*(?:#|no\.?\s*)?"
    r"(\d+|[a-z]|[ivx]+)\b|\b(?:first|second|third|fourth|fifth|initial|renewal|final|interim)\b|第[一二三四五六七八九十\d]+[期批次阶年项]",
    re.IGNORECASE,
)
#: The narrower ones that reach for another passage: "unless otherwise agreed" resolves nothing between two clauses.
YIELDS = re.compile(
    r"\b(?:notwithstanding(?! the (?:foregoing|above|preceding))|"
    r"subject to(?! (?:the |all |all the |any )?(?:other )?(?:terms|conditions|provisions)[^,;]{0,40}"
    r"\b(?:this|the) (?:Agreement|Contract|Lease|Order))|"
    r"except (?:as|for|that|where)|other than as)\b|"
    r"尽管|除[^，。]{0,20}另有|以[^，。]{0,12}为准|不受[^，。]{0,12}限制",
    re.IGNORECASE,
)
#: What reaches only for the sentences before it.
FOREGOING = re.compile(
    r"\bnotwithstanding the (?:foregoing|above|preceding)|尽管(?:有)?(?:前述|上述|前款)", re.IGNORECASE
)
BLANK = re.compile(r"_{3,}|\[\*+\]|\*{3,}")


@dataclasses.dataclass(frozen=True, slots=True)
class Side:
    """What is computed once per unit, before it is compared with many.

    ``main`` are its stems but for those that say when it applies, ``main_weight`` their weights' sum.
    """

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
    roles: dict[str, frozenset[str]]
    universal: bool
    partial: bool
    only: bool
    conditional: bool
    override: bool
    forms: float
    names: frozenset[str]
    labels: frozenset[str]
    words: NDArray[np.float32]
    segments: Segments
    weights: NDArray[np.float32]
    parts: Parts
    terms: dict[str, frozenset[str]]
    lower: frozenset[str]
    absolute: bool
    scope: Scope
    main: frozenset[str]
    main_weight: float
    said: Said
    halves: Halves
    named: Named


def _names(unit: Unit) -> frozenset[str]:
    """Stems of capitalised words inside the sentence: defined terms and names, the things a contract tells apart."""
    if unit.text.isupper():
        return frozenset()
    inner = unit.tokens[1:]
    return frozenset(t.stem for t in inner if unit.text[t.start].isupper() and is_content(t) and len(t.lower) > 2)


def _roles(unit: Unit) -> dict[str, frozenset[str]]:
    """The roles of its values that have one, by kind."""
    found: dict[str, set[str]] = {}
    for anchor in unit.anchors:
        if anchor.kind in VALUE_KINDS and anchor.role:
            found.setdefault(anchor.kind.value, set()).add(anchor.role)
    return {kind: frozenset(roles) for kind, roles in found.items()}


def _within(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    return [token for token in tokens if start <= token.start and token.end <= end]


def _terms(unit: Unit) -> dict[str, frozenset[str]]:
    """Runs of capitalised words inside the sentence by their last word: Fees -> {maintenance fees, additional fees}."""
    if unit.text.isupper():
        return {}
    found: dict[str, set[str]] = {}
    run: list[str] = []
    last = 0
    for token in (*unit.tokens[1:], Token("", "", len(unit.text) + 9, len(unit.text) + 9)):
        capital = len(token.lower) > 2 and unit.text[token.start].isupper() and is_content(token)
        if run and (not capital or token.start > last + 1):
            found.setdefault(run[-1], set()).add(" ".join(run))
            run = []
        if capital:
            run.append(token.lower)
        last = token.end
    return {head: frozenset(terms) for head, terms in found.items()}


def _weights(unit: Unit, words: Sequence[Token], idf: Mapping[str, float]) -> NDArray[np.float32]:
    """How telling each stated word is; a Chinese character counts as the rarer of the pairs it stands in."""
    if not unit.chinese:
        return np.array([idf.get(word.stem, UNSEEN) for word in words], np.float32)
    return np.ones(len(words), np.float32)


def weight_of(stems: Iterable[str], idf: Mapping[str, float]) -> float:
    """How telling some stems are together, whatever their order."""
    return math.fsum([idf.get(stem, UNSEEN) for stem in stems])


def side_of(unit: Unit, words: NDArray[np.float16], idf: Mapping[str, float]) -> Side:
    """What a unit brings to each of its comparisons.

    Args:
        words: its content words' states, ``[n, 384]``.
        idf: how telling a stem is in these documents.
    """
    masked = unit.masked()
    stated = stated_words(masked)[: len(words)]
    norm = unit.norm
    sequence = tuple(token.stem for token in unit.tokens)
    content = content_tokens(unit.tokens)
    bearer = frozenset(t.stem for t in _within(content, *norm.bearer))
    act = _within(content, *norm.act)
    if not bearer and unit.lead is not None:
        lead_content = content_tokens(unit.lead_tokens)
        bearer = frozenset(t.stem for t in _within(lead_content, *unit.lead.bearer))
    lower = [token.lower for token in unit.tokens]
    negations = len(NEGATION_ZH.findall(unit.text)) if unit.chinese else sum(word in NEGATION for word in lower)
    segments, weights = segments_of(masked, stated, unit.chinese), _weights(unit, stated, idf)
    values = frozenset((a.kind.value, a.value) for a in unit.anchors if a.kind in VALUE_KINDS)
    condition = CONDITION_ZH if unit.chinese else CONDITION
    scope = scope_of(unit.text, unit.tokens, norm, content, unit.anchors, chinese=unit.chinese)
    stems = frozenset(token.stem for token in content)
    main = stems - scope.trigger
    return Side(
        stems=stems,
        bigrams=frozenset(itertools.pairwise(sequence)),
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
        roles=_roles(unit),
        universal=not UNIVERSAL.isdisjoint(lower),
        partial=not PARTIAL.isdisjoint(lower),
        only=ONLY.search(unit.text) is not None,
        conditional=condition.search(unit.text) is not None,
        override=OVERRIDE.search(unit.text) is not None,
        forms=len(BLANK.findall(unit.text)) / max(4, len(unit.tokens)),
        names=_names(unit),
        labels=frozenset(" ".join(match.group().lower().split()) for match in LABELLED.finditer(unit.text)),
        words=words.astype(np.float32),
        segments=segments,
        weights=weights,
        parts=parts_of(segments, weights),
        terms=_terms(unit),
        lower=frozenset(lower),
        absolute=not ABSOLUTE.isdisjoint(lower) or ABSOLUTE_ZH.search(unit.text) is not None,
        scope=scope,
        main=main,
        main_weight=weight_of(main, idf),
        said=said_of(unit.text) if unit.chinese else NOTHING_SAID,
        halves=halves_of(unit.text, norm, unit.tokens, content, idf, chinese=unit.chinese),
        named=named_in(shipped_knowledge(), unit.text),
    )


def _next_words(content: Sequence[Token], end: int) -> frozenset[str]:
    """Stems of the first two content words after a modal: the act it is about."""
    start = bisect.bisect_left([token.start for token in content], end)
    return frozenset(token.stem for token in content[start : start + 2])
