"""What a review needs of the encoder, kept from one review of a matter to the next.

A document's texts are encoded together and apart from those of other documents, so what is kept of them does not depend
on who their neighbours were, and a review from the store gives the findings of a fresh one to the last bit. The key of
what is kept stands for the texts, the encoder with its weights and device, and the versions of torch, of Antinomy and
of the choices made here; whatever changes, the states are made again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import APP_VERSION
from engine.states.encoder import Encoder
from engine.states.snapshot import encoder_key
from engine.states.store import DamagedStates, StateStore, StoredStates, StoreError

log = logging.getLogger(__name__)

#: Raised whenever word states or the choice of a block's tokens change their meaning.
KEPT_VERSION = 1

_UNUSED = "What the encoder saw of this matter is not kept, so the next review takes as long as this one: {}."
_DAMAGED = "What was kept of an earlier review was damaged or of another version and was made again."


def states_key(encoder: Encoder, texts: Sequence[str]) -> int:
    """The 64-bit key of some texts' states by an encoder on its device."""
    import torch

    digest = hashlib.blake2b(digest_size=8)
    facts = (encoder_key(encoder), getattr(encoder, "device", "cpu"), str(torch.__version__), APP_VERSION, KEPT_VERSION)
    digest.update(repr(facts).encode())
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return int.from_bytes(digest.digest(), "little")


class KeptStates:
    """The store of a matter, as a review uses it: nothing that goes wrong with it stops the review.

    Args:
        folder: of the matter's states (:class:`engine.states.store.StateStore`).
        documents: the ids of the documents under review, in order.
        notice: told, in a sentence and once, that nothing is kept or that what was kept was damaged.
    """

    def __init__(self, folder: Path, documents: Sequence[str], notice: Callable[[str], None]) -> None:
        self._store = StateStore(folder)
        self._documents = tuple(documents)
        self._notice = notice
        self._said: set[str] = set()
        self._shut = False

    def _say(self, words: str) -> None:
        if words not in self._said:
            self._said.add(words)
            self._notice(words)

    def load(self, document: int, key: int, texts: int) -> StoredStates | None:
        """The states of a document (its place in the review) under a key; None when they must be made."""
        if self._shut:
            return None
        try:
            found = self._store.open(self._documents[document], key)
        except DamagedStates as error:
            log.warning("%s", error)
            self._say(_DAMAGED)
            return None
        except StoreError as error:
            self._give_up(error)
            return None
        return found if found is not None and len(found.blocks) == texts else None

    def keep(
        self,
        document: int,
        key: int,
        blocks: NDArray[np.uint8],
        vectors: NDArray[np.float32],
        words: Sequence[NDArray[np.float16]],
    ) -> None:
        """Keep the states of all texts of a document that were encoded under a key."""
        if self._shut:
            return
        segments = np.zeros((len(blocks), 4), np.int32)
        segments[:, 2] = [len(each) for each in words]
        every = np.concatenate([*words, np.zeros((0, vectors.shape[1]), np.float16)])
        try:
            self._store.save(self._documents[document], key, StoredStates(blocks, vectors, segments, every))
        except StoreError as error:
            self._give_up(error)

    def _give_up(self, error: StoreError) -> None:
        self._shut = True
        log.warning("%s", error)
        self._say(_UNUSED.format(error))
