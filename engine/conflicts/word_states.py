"""The encoder's states of a unit's content words: synonyms stand near each other where stems do not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.words import Token, is_content, tokenize
from engine.states.encoder import TokenStates

#: Content words kept of one sentence; longer ones are cut, which bounds a comparison's cost.
MOST_WORDS = 96

#: A word whose nearest word in the other sentence is farther than this has no counterpart there.
COUNTERPART = 0.5

#: The method ``max`` of an array spends more time on the way to this than in it: these arrays are tiny, and many.
most = np.maximum.reduce


def stated_words(text: str) -> list[Token]:
    """The words of a text that get a state, in order: its first content words."""
    return [word for word in tokenize(text) if is_content(word)][:MOST_WORDS]


def word_states(text: str, tokens: TokenStates) -> NDArray[np.float16]:
    """Unit states of the content words of a text, float16 ``[n, 384]``: each the mean of its word pieces' states."""
    words = stated_words(text)
    rows: list[NDArray[np.float32]] = []
    at = 0
    for word in words:
        while at < len(tokens.spans) and tokens.spans[at][1] <= word.start:
            at += 1
        stop = at
        while stop < len(tokens.spans) and tokens.spans[stop][0] < word.end:
            stop += 1
        # A word past the encoder's longest input keeps its place, with a state that is near nothing.
        rows.append(tokens.states[at:stop].mean(axis=0) if stop > at else np.zeros(tokens.states.shape[1], np.float32))
    if not rows:
        return np.zeros((0, tokens.states.shape[1]), np.float16)
    found = np.stack(rows)
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return found.astype(np.float16)


class Nearest(NamedTuple):
    """Each word's best cosine in the other sentence: ``forth`` of the shorter one's words, ``back`` of the longer's."""

    forth: NDArray[np.float32]
    back: NDArray[np.float32]


def nearest_of(similarity: NDArray[np.float32]) -> Nearest:
    """Of the cosines of two sentences' words, float32 ``[words of the shorter, of the longer]``; of none, nothing."""
    if similarity.size == 0:
        return Nearest(similarity[:0].ravel(), similarity[:0].ravel())
    return Nearest(most(similarity, axis=1), most(similarity, axis=0))


def mean_of(values: NDArray[np.float32]) -> float:
    """The same as ``values.mean()`` of a vector, to the last bit."""
    return float(np.add.reduce(values) / np.float32(len(values)))


def soft_overlap(nearest: Nearest) -> tuple[float, float, float, float]:
    """Late interaction of two sentences by their words' best cosines.

    Returns the mean over the shorter one's words of their best cosine in the longer one, the same the other way
    round, the worst best cosine of the shorter one, and the share of its words without a counterpart.
    """
    forth, back = nearest
    if not len(forth) or not len(back):
        return 0.0, 0.0, 0.0, 1.0
    without = np.count_nonzero(forth < COUNTERPART) / len(forth)
    return mean_of(forth), mean_of(back), float(np.minimum.reduce(forth)), without
