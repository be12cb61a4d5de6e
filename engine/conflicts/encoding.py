"""Units encoded: each language by its encoder, one pass for the sentence's vector and its words' states."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.units import Unit
from engine.conflicts.word_states import word_states
from engine.states.encoder import DIMENSIONS, Encoder, EncoderError
from engine.states.snapshot import Passage, encoder_key, pack_tokens
from kernels.pack_states.layout import BLOCK_BYTES

#: Units encoded between two reports of progress; the encoder itself asks for cancellation between batches.
CHUNK = 256


@dataclasses.dataclass(frozen=True, slots=True)
class Encoded:
    """Units as the encoder saw their masked texts.

    Attributes:
        vectors: unit vectors, float32 ``[n, 384 * languages]``.
        words: per unit its content words' states.
        blocks: the snapshots, uint8 ``[n, 16384]``; None when nobody asked for them or they could not be made.
        fault: why they could not be made, one sentence, else empty.
    """

    vectors: NDArray[np.float32]
    words: list[NDArray[np.float16]]
    blocks: NDArray[np.uint8] | None = None
    fault: str = ""


def _spread(words: list[NDArray[np.float16]], mine: Sequence[int]) -> None:
    """Take the mean off the word states of the units in ``mine``, in place, for the same reason."""
    count = sum(len(words[i]) for i in mine)
    if count == 0:
        return
    mean = np.sum([words[i].sum(axis=0, dtype=np.float32) for i in mine], axis=0) / count
    for i in mine:
        spread = words[i].astype(np.float32) - mean
        spread /= np.maximum(np.linalg.norm(spread, axis=1, keepdims=True), 1e-9)
        words[i] = spread.astype(np.float16)


def encode_units(
    units: Sequence[Unit],
    encoder_for: Callable[[str], Encoder],
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    *,
    snapshots: bool = False,
) -> Encoded:
    """Encode the masked texts; with ``snapshots`` also keep a block of each, from the same pass.

    Sentences of two languages get vectors of two models, which must not be compared: the half that a model did not
    encode stays zero in a doubled space, so their cosine is 0.

    Raises:
        EncodingCancelled: ``cancelled`` answered True.
    """
    languages = ["zh" if unit.chinese else "en" for unit in units]
    words = [np.zeros((0, DIMENSIONS), np.float16)] * len(units)
    blocks = np.zeros((len(units), BLOCK_BYTES), np.uint8) if snapshots else None
    fault = ""
    parts = []
    done = 0
    for language in sorted(set(languages)):
        encoder = encoder_for(language)
        mine = [i for i, own in enumerate(languages) if own == language]
        vectors = np.zeros((len(units), DIMENSIONS), np.float32)
        for start in range(0, len(mine), CHUNK):
            chunk = mine[start : start + CHUNK]
            texts = [units[i].masked() for i in chunk]
            states = encoder.encode_tokens(texts, cancelled=cancelled)
            for i, text, tokens in zip(chunk, texts, states, strict=True):
                vectors[i] = tokens.vector
                words[i] = word_states(text, tokens)
            if blocks is not None:
                try:
                    blocks[chunk] = pack_tokens(
                        [Passage(text, anchors=(), language=language) for text in texts], states, encoder_key(encoder)
                    )
                except EncoderError as error:
                    blocks, fault = None, f"The second look at the pairs was left out: {error}."
            done += len(chunk)
            progress("encoding", done, len(units))
        if language == "zh" and len(mine) > 2:
            # The multilingual encoder's cosines are squeezed together; without its mean they spread.
            vectors[mine] -= vectors[mine].mean(axis=0)
            vectors[mine] /= np.maximum(np.linalg.norm(vectors[mine], axis=1, keepdims=True), 1e-9)
            _spread(words, mine)
        parts.append(vectors)
    together = np.concatenate(parts, axis=1) if parts else np.zeros((0, DIMENSIONS), np.float32)
    return Encoded(together, words, blocks, fault)
