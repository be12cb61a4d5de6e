"""Any other model that a user names, through sentence-transformers: slower to start, but it reads them all.

Vectors and states have 384 dimensions here whatever the model has, because blocks do: fewer are padded with zeros,
which changes no cosine; more are turned by a fixed random matrix with orthonormal columns and cut, which keeps cosines
within some 0.05 (Johnson and Lindenstrauss 1984) and is said in :attr:`LibraryEncoder.notice`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.states.encoder import DIMENSIONS, BrokenStates, EncoderError, EncodingCancelled, TokenStates, never

BATCH = 32
_SEED = 384


class LibraryEncoder:
    """A SentenceTransformer behind the :class:`engine.states.encoder.Encoder` protocol."""

    def __init__(self, name: str, model: Any) -> None:
        self.name = name
        self.precision = "float32"
        self._model = model
        width = int(model.get_embedding_dimension())
        self._turn = None if width <= DIMENSIONS else _columns(width)
        self.notice = (
            f"The model {name} has {width} dimensions, of which {DIMENSIONS} are kept, which costs some precision."
            if self._turn is not None
            else ""
        )

    def _fitted(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Rows of the model's width as rows of 384."""
        if not np.isfinite(rows).all():
            raise BrokenStates(f"the weights of {self.name} are damaged: it gives states that are not numbers")
        if self._turn is not None:
            return np.asarray(rows @ self._turn, np.float32)
        padded = np.zeros((len(rows), DIMENSIONS), np.float32)
        padded[:, : rows.shape[1]] = rows
        return padded

    def encode(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> NDArray[np.float32]:
        """See :class:`engine.states.encoder.Encoder`."""
        found = [tokens.vector for tokens in self.encode_tokens(texts, cancelled=cancelled)]
        return np.stack(found) if found else np.zeros((0, DIMENSIONS), np.float32)

    def encode_tokens(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> list[TokenStates]:
        """See :class:`engine.states.encoder.Encoder`; a text beyond the model's own limit is cut and marked so."""
        found: list[TokenStates] = []
        for start in range(0, len(texts), BATCH):
            if cancelled():
                raise EncodingCancelled
            found += self._batch(list(texts[start : start + BATCH]))
        return found

    def _batch(self, texts: list[str]) -> list[TokenStates]:
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        given = self._model.encode(clean, output_value=None, show_progress_bar=False, batch_size=BATCH)
        limit = self._model.max_seq_length
        marks = self._model.tokenizer(clean, truncation=True, max_length=limit, return_offsets_mapping=True)
        whole = self._model.tokenizer(clean, truncation=False, verbose=False)
        found = []
        for i, (text, output) in enumerate(zip(texts, given, strict=True)):
            offsets = marks["offset_mapping"][i]
            kept = [t for t, (a, b) in enumerate(offsets) if b > a]
            states = self._fitted(np.asarray(output["token_embeddings"].float().cpu().numpy(), np.float32)[kept])
            vector = self._fitted(np.asarray(output["sentence_embedding"].float().cpu().numpy(), np.float32)[None])[0]
            vector = vector / max(1e-12, float(np.linalg.norm(vector))) * bool(text.strip() and kept)
            cut = len(whole["input_ids"][i]) > len(offsets)
            found.append(TokenStates(states, tuple(tuple(offsets[t]) for t in kept), vector.astype(np.float32), cut))
        return found


def _columns(width: int) -> NDArray[np.float32]:
    """A matrix ``[width, 384]`` with orthonormal columns, the same on every machine up to rounding."""
    gaussian = np.random.default_rng(_SEED).standard_normal((width, DIMENSIONS))
    return np.linalg.qr(gaussian)[0].astype(np.float32) * np.float32(np.sqrt(width / DIMENSIONS))


def load_library_folder(folder: Path) -> LibraryEncoder:
    """The model of a folder, by sentence-transformers.

    Raises:
        EncoderError: the library is not installed here, or it cannot read the folder either.
    """
    try:
        from transformers import utils

        # transformers probes a package named kernels and would take ours for another one.
        for place in (utils, utils.import_utils):
            vars(place)["is_kernels_available"] = lambda *_, **__: False
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise EncoderError(f"{folder} needs sentence-transformers, which is not part of this installation") from error
    try:
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError, AttributeError) as error:
        raise EncoderError(f"{folder} is no model that sentence-transformers can read: {error}") from error
    if not getattr(model.tokenizer, "is_fast", False):
        raise EncoderError(f"the tokenizer in {folder} does not say where its tokens stand in a text")
    return LibraryEncoder(folder.name, model)
