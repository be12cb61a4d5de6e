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


def _mean(values: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total > 0 else 0.0


def align(
    similarity: NDArray[np.float32],
    a: Segments,
    b: Segments,
    a_weights: NDArray[np.float32],
    b_weights: NDArray[np.float32],
) -> Aligned:
    """The best pair of segments; ``similarity`` is float32 ``[words of a, words of b]``, ``a`` the shorter sentence."""
    if similarity.size == 0:
        return NOTHING
    columns = [list(t.subject + t.act) for t in b.norms]
    near = [similarity[:, own].max(axis=1) if own else None for own in columns]
    best: tuple[float, int, int] = (0.0, -1, -1)
    clash_cover = 0.0
    for i, s in enumerate(a.norms):
        rows = list(s.subject + s.act)
        if not rows:
            continue
        for j, t in enumerate(b.norms):
            forth = near[j]
            if forth is None:
                continue
            cover = _mean(forth[rows], a_weights[rows])
            if cover > best[0]:
                best = (cover, i, j)
            if cover > clash_cover and clash(s.modality, t.modality) == 2:
                clash_cover = cover
    weighted = _mean(similarity.max(axis=1), a_weights)
    outside = [similarity[i].max() for i in a.condition] + [similarity[:, j].max() for j in b.condition]
    condition = float(np.mean(outside)) if outside else -1.0
    cover, i, j = best
    if i < 0:
        return NOTHING._replace(condition=condition, weighted=weighted)
    s, t = a.norms[i], b.norms[j]
    rows = list(s.subject + s.act)
    back = _mean(similarity[np.ix_(rows, columns[j])].max(axis=0), b_weights[columns[j]])
    subject = -1.0
    if s.subject and t.subject:
        block = similarity[np.ix_(s.subject, t.subject)]
        subject = min(float(block.max(axis=1).mean()), float(block.max(axis=0).mean()))
    verb = float(similarity[s.act[0], columns[j]].max()) if s.act else 0.0
    return Aligned(cover, back, float(clash(s.modality, t.modality)), subject, verb, clash_cover, condition, weighted)
