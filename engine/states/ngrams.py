"""A vector without a model: character n-grams, hashed. The fallback when a language's weights are not there."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.states.encoder import DIMENSIONS, EncodingCancelled, TokenStates, never


class NgramEncoder:
    """Signed hashing of the 1-, 2- and 3-grams of the NFKC-folded characters into 384 dimensions.

    It knows no synonyms: two sentences are near when they share characters. Counts are damped by their square
    root and longer grams weigh more. Deterministic on every machine (CRC-32).
    """

    def __init__(self) -> None:
        self.name = "character n-grams"
        self.precision = "exact"
        self.notice = (
            "The multilingual encoder's weights are not installed, so Chinese sentences are compared by their "
            "characters only: conflicts in other words may be missed."
        )

    def _vector(self, text: str) -> NDArray[np.float32]:
        folded = "".join(c for c in unicodedata.normalize("NFKC", text).lower() if not c.isspace())
        vector = np.zeros(DIMENSIONS, np.float32)
        for n, weight in ((1, 0.5), (2, 1.0), (3, 1.0)):
            for i in range(len(folded) - n + 1):
                code = zlib.crc32(folded[i : i + n].encode())
                vector[code % DIMENSIONS] += weight if code & 0x10000 else -weight
        vector = np.sign(vector) * np.sqrt(np.abs(vector))
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector

    def encode(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> NDArray[np.float32]:
        """See :class:`engine.states.encoder.Encoder`."""
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for i, text in enumerate(texts):
            if i % 64 == 0 and cancelled():
                raise EncodingCancelled
            vectors[i] = self._vector(text)
        return vectors

    def encode_tokens(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> list[TokenStates]:
        """One state per character: the vector of the trigram around it."""
        found = []
        for text in texts:
            if cancelled():
                raise EncodingCancelled
            spans = tuple((i, i + 1) for i, c in enumerate(text) if not c.isspace())
            rows = [self._vector(text[max(0, s - 1) : e + 1]) for s, e in spans]
            states = np.stack(rows) if rows else np.zeros((0, DIMENSIONS), np.float32)
            found.append(TokenStates(states, spans, self._vector(text)))
        return found
