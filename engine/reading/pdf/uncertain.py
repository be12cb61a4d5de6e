"""Words recognised in a picture that may well be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.document import UncertainWord

#: A word is uncertain when one of its characters has a lower confidence.
UNCERTAIN_BELOW = 0.75
_HAN = "\u3400-\u9fff"
#: A run of Chinese characters has no words to look at; each is judged alone.
_WORD = re.compile(f"[{_HAN}]|[^\\s{_HAN}]+")


def uncertain_words(text: str, start: int, sure: NDArray[np.float32]) -> Iterator[UncertainWord]:
    """The uncertain words of a line, neighbouring Chinese characters as one.

    Args:
        text: the canonical text.
        start: where the line begins in it.
        sure: the confidence of each of the line's characters.
    """
    if not len(sure) or float(sure.min()) >= UNCERTAIN_BELOW:
        return
    pending: UncertainWord | None = None
    for match in _WORD.finditer(text, start, start + len(sure)):
        # Marks are often unsure (which kind of quote?) and seldom matter.
        letters = [place for place in range(match.start(), match.end()) if text[place].isalnum()]
        least = min((float(sure[place - start]) for place in letters), default=1.0)
        if least >= UNCERTAIN_BELOW:
            continue
        word = UncertainWord(match.start(), match.end(), round(least, 2))
        if pending is not None and pending.end == word.start:
            word = UncertainWord(pending.start, word.end, min(pending.confidence, word.confidence))
        elif pending is not None:
            yield pending
        pending = word
    if pending is not None:
        yield pending
