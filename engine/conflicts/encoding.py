"""Units encoded: each language by its encoder, one pass for the sentence's vector and its words' states."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.units import Unit
from engine.conflicts.word_states import stated_words, word_states
from engine.states.encoder import DIMENSIONS, Encoder, EncoderError
from engine.states.kept import KeptStates, states_key
from engine.states.snapshot import Passage, encoder_key, pack_tokens
from engine.states.store import StoredStates
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


class _Pass:
    """One review's encoding: what stands so far, by unit."""

    def __init__(self, units: Sequence[Unit], progress: Callable[[str, int, int], None], *, snapshots: bool) -> None:
        self.units = units
        self.words = [np.zeros((0, DIMENSIONS), np.float16)] * len(units)
        self.blocks = np.zeros((len(units), BLOCK_BYTES), np.uint8) if snapshots else None
        self.fault = ""
        self._progress = progress
        self._done = 0

    def report(self, count: int) -> None:
        """So many units more are done."""
        self._done += count
        self._progress("encoding", self._done, len(self.units))

    def restore(self, mine: list[int], texts: list[str], stored: StoredStates, vectors: NDArray[np.float32]) -> bool:
        """Take units ``mine`` from the store; False when what is stored is of other words."""
        counts = stored.segments[:, 2].tolist()
        if counts != [len(stated_words(text)) for text in texts]:
            return False
        vectors[mine] = stored.vectors
        for i, own in zip(mine, np.split(stored.words, np.cumsum(counts)[:-1]), strict=True):
            self.words[i] = own
        if self.blocks is not None:
            # All units of one document and language are in order: then the mapped file serves as it is.
            if len(mine) == len(self.units):
                self.blocks = stored.blocks
            else:
                self.blocks[mine] = stored.blocks
        return True

    def encode(
        self,
        mine: list[int],
        texts: list[str],
        language: str,
        encoder: Encoder,
        vectors: NDArray[np.float32],
        cancelled: Callable[[], bool],
    ) -> None:
        """Encode units ``mine``, whose masked texts are ``texts``."""
        for start in range(0, len(mine), CHUNK):
            chunk, some = mine[start : start + CHUNK], texts[start : start + CHUNK]
            states = encoder.encode_tokens(some, cancelled=cancelled)
            for i, text, tokens in zip(chunk, some, states, strict=True):
                vectors[i] = tokens.vector
                self.words[i] = word_states(text, tokens)
            if self.blocks is not None:
                try:
                    self.blocks[chunk] = pack_tokens(
                        [Passage(text, anchors=(), language=language) for text in some], states, encoder_key(encoder)
                    )
                except EncoderError as error:
                    self.blocks = None
                    self.fault = f"The second look at the pairs was left out: {error}."
            self.report(len(chunk))


def encode_units(
    units: Sequence[Unit],
    encoder_for: Callable[[str], Encoder],
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    *,
    snapshots: bool = False,
    kept: KeptStates | None = None,
) -> Encoded:
    """Encode the masked texts; with ``snapshots`` also keep a block of each, from the same pass.

    Sentences of two languages get vectors of two models, which must not be compared: the half that a model did not
    encode stays zero in a doubled space, so their cosine is 0. Each document's texts are encoded by themselves; with
    ``kept`` those that an earlier review encoded come from the matter's store, bit by bit the same.

    Raises:
        EncodingCancelled: ``cancelled`` answered True.
    """
    languages = ["zh" if unit.chinese else "en" for unit in units]
    made = _Pass(units, progress, snapshots=snapshots)
    parts = []
    for language in sorted(set(languages)):
        encoder = encoder_for(language)
        mine = [i for i, own in enumerate(languages) if own == language]
        vectors = np.zeros((len(units), DIMENSIONS), np.float32)
        for document in sorted({units[i].first.document for i in mine}):
            own_units = [i for i in mine if units[i].first.document == document]
            texts = [units[i].masked() for i in own_units]
            key = states_key(encoder, texts) if kept else 0
            stored = kept.load(document, key, len(texts)) if kept else None
            if stored is not None and made.restore(own_units, texts, stored, vectors):
                made.report(len(own_units))
                continue
            made.encode(own_units, texts, language, encoder, vectors, cancelled)
            # An encoder that had to leave its device on the way has another key now, and its states are a mixture.
            if kept and made.blocks is not None and states_key(encoder, texts) == key:
                kept.keep(document, key, made.blocks[own_units], vectors[own_units], [made.words[i] for i in own_units])
        if language == "zh" and len(mine) > 2:
            # The multilingual encoder's cosines are squeezed together; without its mean they spread.
            vectors[mine] -= vectors[mine].mean(axis=0)
            vectors[mine] /= np.maximum(np.linalg.norm(vectors[mine], axis=1, keepdims=True), 1e-9)
            _spread(made.words, mine)
        parts.append(vectors)
    together = np.concatenate(parts, axis=1) if parts else np.zeros((0, DIMENSIONS), np.float32)
    return Encoded(together, made.words, made.blocks, made.fault)
