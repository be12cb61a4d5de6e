"""A sentence cut at its modals: one segment per duty, permission or prohibition, so that the right ones are compared.

Long sentences hold several norms ("… may be exercised by any agent; provided, however, ECC shall not be charged any
expense"). Two sentences clash where the segments that speak of one act clash, not where their first modals do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.norms import CONDITION, CONDITION_ZH, Modality, clash, parse_norm
from engine.conflicts.word_states import Nearest, mean_of, most
from engine.conflicts.words import Token

#: Segments kept of one sentence; few have more, and a list of forty modals must not cost the square of it.
MOST_SEGMENTS = 6

_BOUNDARY = re.compile(r"[,;:.，；：。、]")
_HARD = re.compile(r"[;:；：。]|\.(?=\s|$)|\bprovided\b|\bexcept\b|但")
_CONDITION_END = re.compile(r"[,;.，；。]")


class Segment(NamedTuple):
    """One norm: its modality, and which word states are its subject and its act (indices, ascending)."""

    modality: Modality
    subject: tuple[int, ...]
    act: tuple[int, ...]


class Segments(NamedTuple):
    """A sentence's segments, and the word states that stand in conditions."""

    norms: tuple[Segment, ...]
    condition: tuple[int, ...]


def _condition_spans(text: str, chinese: bool) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in (CONDITION_ZH if chinese else CONDITION).finditer(text):
        if spans and match.start() < spans[-1][1]:
            continue
        stop = _CONDITION_END.search(text, match.end())
        spans.append((match.start(), stop.start() if stop else len(text)))
    return spans


def _last_boundary(text: str, low: int, high: int) -> int:
    """The end of the last mark between two places, or the first place."""
    return max((m.end() for m in _BOUNDARY.finditer(text, low, high)), default=low)


def segments_of(text: str, words: Sequence[Token], chinese: bool) -> Segments:
    """Cut a text; ``words`` are its content words, in the order of their states."""
    conditions = _condition_spans(text, chinese)

    def inside(position: int) -> bool:
        return any(low <= position < high for low, high in conditions)

    norm = parse_norm(text)
    cues = [cue for cue in norm.cues if not inside(cue[1])][:MOST_SEGMENTS]
    free = [i for i, word in enumerate(words) if not inside(word.start)]
    condition = tuple(i for i, word in enumerate(words) if inside(word.start))
    if not cues:
        return Segments((Segment(Modality.STATEMENT, (), tuple(free)),), condition)
    found = []
    previous = 0
    for k, (said, start, end) in enumerate(cues):
        begin = _last_boundary(text, previous, start)
        next_start = cues[k + 1][1] if k + 1 < len(cues) else len(text)
        stop = _last_boundary(text, end, next_start) if k + 1 < len(cues) else next_start
        hard = _HARD.search(text, end, stop)
        stop = hard.start() if hard else stop
        # "Neither party may" is a prohibition.
        denied = norm.modality in (Modality.MUST_NOT, Modality.NOT) and norm.cue == (start, end)
        modality = norm.modality if denied else said
        subject = tuple(i for i in free if begin <= words[i].start < start)
        act = tuple(i for i in free if end <= words[i].start < stop)
        found.append(Segment(modality, subject, act))
        previous = end
    return Segments(tuple(found), condition)


class Aligned(NamedTuple):
    """How the best pair of segments of two sentences stand to each other; shares are 0..1.

    Attributes:
        cover: how much of one segment's words, by weight, has a counterpart in the other.
        back: the same the other way round.
        clash: of their modals, 0 to 2.
        subject: how near their subjects are, -1 when one has none.
        verb: how near the first word of the one act is to the other's nearest word.
        clash_cover: the best cover among segments that clash.
        condition: how much of the words in conditions has a counterpart anywhere in the other sentence, -1 without.
        weighted: how much of the shorter sentence's words, by weight, has a counterpart.
    """

    cover: float
    back: float
    clash: float
    subject: float
    verb: float
    clash_cover: float
    condition: float
    weighted: float


NOTHING = Aligned(0.0, 0.0, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0)


class Part(NamedTuple):
    """A segment as :func:`align` needs it, worked out once per sentence.

    Attributes:
        own: its subject and act, int64 ``[k]``; ``subject``: the subject alone.
        weights: of its words, float32 ``[k]``; ``total``: their sum.
        verb: the first word of its act, -1 without.
    """

    modality: Modality
    own: NDArray[np.int64]
    subject: NDArray[np.int64]
    weights: NDArray[np.float32]
    total: float
    verb: int


class Parts(NamedTuple):
    """A sentence's segments that have words, the word states in conditions int64 ``[c]``, and all words' weights."""

    parts: tuple[Part, ...]
    condition: NDArray[np.int64]
    weights: NDArray[np.float32]
    total: float


def parts_of(segments: Segments, weights: NDArray[np.float32]) -> Parts:
    """What :func:`align` needs of a sentence; ``weights`` are its word states', float32 ``[words]``."""
    found = []
    for norm in segments.norms:
        own = np.array(norm.subject + norm.act, np.int64)
        if len(own):
            subject, verb = own[: len(norm.subject)], norm.act[0] if norm.act else -1
            found.append(Part(norm.modality, own, subject, weights[own], float(weights[own].sum()), verb))
    return Parts(tuple(found), np.array(segments.condition, np.int64), weights, float(weights.sum()))


def _mean(values: NDArray[np.float32], weights: NDArray[np.float32], total: float) -> float:
    return float(values @ weights) / total if total > 0 else 0.0


def _best_cover(near: Sequence[NDArray[np.float32]], a: Parts, b: Parts) -> tuple[tuple[float, int, int], float]:
    """The best cover with its two segments (-1 without), and the best cover among segments that clash."""
    best: tuple[float, int, int] = (0.0, -1, -1)
    clash_cover = 0.0
    for i, s in enumerate(a.parts):
        for j, t in enumerate(b.parts):
            cover = _mean(near[j][s.own], s.weights, s.total)
            if cover > best[0]:
                best = (cover, i, j)
            if cover > clash_cover and clash(s.modality, t.modality) == 2:
                clash_cover = cover
    return best, clash_cover


def align(similarity: NDArray[np.float32], nearest: Nearest, a: Parts, b: Parts) -> Aligned:
    """The best pair of segments.

    Args:
        similarity: float32 ``[words of a, words of b]``, ``a`` the shorter sentence; ``nearest`` is of the same.
    """
    if similarity.size == 0:
        return NOTHING
    near = [most(similarity.take(t.own, axis=1), axis=1) for t in b.parts]
    (cover, i, j), clash_cover = _best_cover(near, a, b)
    weighted = _mean(nearest.forth, a.weights, a.total)
    condition = -1.0
    if len(a.condition) or len(b.condition):
        condition = mean_of(np.concatenate((nearest.forth[a.condition], nearest.back[b.condition])))
    if i < 0:
        return NOTHING._replace(condition=condition, weighted=weighted)
    s, t = a.parts[i], b.parts[j]
    back = _mean(most(similarity.take(s.own, axis=0).take(t.own, axis=1), axis=0), t.weights, t.total)
    subject = -1.0
    if len(s.subject) and len(t.subject):
        block = similarity.take(s.subject, axis=0).take(t.subject, axis=1)
        subject = min(mean_of(most(block, axis=1)), mean_of(most(block, axis=0)))
    verb = float(near[j][s.verb]) if s.verb >= 0 else 0.0
    return Aligned(cover, back, float(clash(s.modality, t.modality)), subject, verb, clash_cover, condition, weighted)
