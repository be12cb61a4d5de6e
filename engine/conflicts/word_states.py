"""The encoder's states of a unit's content words: synonyms stand near each other where stems do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.words import is_content, tokenize
from engine.states.encoder import TokenStates

#: Content words kept of one sentence; longer ones are cut, which bounds a comparison's cost.
MOST_WORDS = 64

#: A word whose nearest word in the other sentence is farther than this has no counterpart there.
COUNTERPART = 0.5


def word_states(text: str, tokens: TokenStates) -> NDArray[np.float16]:
    """Unit states of the content words of a text, float16 ``[n, 384]``: each the mean of its word pieces' states."""
    words = [word for word in tokenize(text) if is_content(word)][:MOST_WORDS]
    rows: list[NDArray[np.float32]] = []
    at = 0
    for word in words:
        while at < len(tokens.spans) and tokens.spans[at][1] <= word.start:
            at += 1
        stop = at
        while stop < len(tokens.spans) and tokens.spans[stop][0] < word.end:
            stop += 1
        if stop > at:
            rows.append(tokens.states[at:stop].mean(axis=0))
    if not rows:
        return np.zeros((0, tokens.states.shape[1]), np.float16)
    found = np.stack(rows)
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return found.astype(np.float16)


def soft_overlap(short: NDArray[np.float32], long: NDArray[np.float32]) -> tuple[float, float, float, float]:
    """Late interaction of two sentences' word states, float32 ``[n, 384]`` and ``[m, 384]``.

    Returns the mean over the shorter one's words of their best cosine in the longer one, the same the other way
    round, the worst best cosine of the shorter one, and the share of its words without a counterpart.
    """
    if len(short) == 0 or len(long) == 0:
        return 0.0, 0.0, 0.0, 1.0
    similarity = short @ long.T
    forth = similarity.max(axis=1)
    back = similarity.max(axis=0)
    return float(forth.mean()), float(back.mean()), float(forth.min()), float((forth < COUNTERPART).mean())
