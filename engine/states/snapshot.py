"""State snapshots: what the encoder saw at the telling tokens of a text, in one block of 16,384 bytes.

The block's layout stands in :mod:`kernels.pack_states.layout`, the choice of the tokens in :mod:`engine.states.choice`.
Blocks are numpy arrays uint8 ``[n, 16384]`` here, so that a store can map them from a file; ``tensor_of`` gives the
same memory to the kernels. The same text gives the same bytes, from run to run on one device and precision.
"""

from __future__ import annotations

import bisect
import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor
from engine.document import Document
from engine.states.choice import Choice, choose, marks_of
from engine.states.decision_points import HAN, DecisionPoints, find_decision_points, segment_anchors
from engine.states.encoder import DIMENSIONS, BrokenStates, Encoder, TokenStates, never
from kernels.pack_states.layout import BLOCK_BYTES, HEADER, HEADER_BYTES, MAGIC, ROWS, VERSION

if TYPE_CHECKING:
    from torch import Tensor

#: Texts encoded and packed at once: bounds the memory of float32 states (some 12 MB).
CHUNK = 256
LANGUAGES = {"en": 1, "zh": 2}
#: Flags of a header.
LEFT_OUT, CUT = 1, 2
_U16 = 0xFFFF


@dataclasses.dataclass(frozen=True, slots=True)
class Passage:
    """A text to be kept as a snapshot.

    Attributes:
        text: what is encoded.
        start: where it begins in its document's canonical text (0 outside a document).
        anchors: those of the text, spans within ``text``; None to have them found.
        kind: of its decision point (:class:`engine.states.decision_points.PointKind`), 0 outside a document.
        language: ``en``, ``zh`` or ``und``.
    """

    text: str
    start: int = 0
    anchors: Sequence[Anchor] | None = None
    kind: int = 0
    language: str = "und"


@dataclasses.dataclass(frozen=True, slots=True)
class Snapshots:
    """Blocks uint8 ``[n, 16384]`` and unit vectors float32 ``[n, 384]`` of n passages, in their order."""

    blocks: NDArray[np.uint8]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.blocks)


def encoder_key(encoder: Encoder) -> int:
    """The 64-bit id of an encoder, its weights and the layers of its states; blocks of two ids must not be compared."""
    name = f"{encoder.name}\x1f{encoder.precision}\x1f{','.join(map(str, getattr(encoder, 'state_layers', ())))}"
    name += f"\x1f{getattr(encoder, 'adapted', '')}\x1f{getattr(encoder, 'weights', '')}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def tensor_of(blocks: NDArray[np.uint8]) -> Tensor:
    """The blocks as a tensor over the same memory; a mapped file stays a mapped file (never write to it)."""
    import warnings

    import torch

    with warnings.catch_warnings():
        # A read-only map makes torch warn that writing would be undefined; the kernels only read.
        warnings.filterwarnings("ignore", message="The given NumPy array is not writable")
        return torch.from_numpy(blocks)


def _classes_packed(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    each = np.zeros(44, np.uint8)
    each[: len(classes)] = classes
    four = each.reshape(11, 4)
    packed: NDArray[np.uint8] = (four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6).astype(np.uint8)
    return packed


def make_headers(
    passages: Sequence[Passage], tokens: Sequence[TokenStates], choices: Sequence[Choice], encoder: int
) -> NDArray[np.uint8]:
    """The headers, uint8 ``[n, 172]``."""
    headers = np.zeros(len(passages), HEADER)
    headers["magic"], headers["version"], headers["dimensions"] = MAGIC, VERSION, DIMENSIONS
    headers["encoder"] = encoder
    for i, (passage, states, choice) in enumerate(zip(passages, tokens, choices, strict=True)):
        header = headers[i]
        kept = len(choice.tokens)
        header["rows"], header["language"], header["kind"] = kept, LANGUAGES.get(passage.language, 0), passage.kind
        header["flags"] = LEFT_OUT * (kept < len(states.spans)) | CUT * states.cut
        header["tokens"] = min(_U16, len(states.spans))
        header["start"], header["end"] = passage.start, passage.start + len(passage.text)
        spans = np.array([states.spans[t] for t in choice.tokens.tolist()], np.int64).reshape(-1, 2)
        header["token_start"][:kept] = np.minimum(spans[:, 0], _U16)
        header["token_length"][:kept] = np.minimum(spans[:, 1] - spans[:, 0], 255)
        header["classes"] = _classes_packed(choice.classes)
    return headers.view(np.uint8).reshape(len(passages), HEADER_BYTES)


def read_headers(blocks: NDArray[np.uint8]) -> NDArray[Any]:
    """The headers of blocks as records (:data:`kernels.pack_states.layout.HEADER`), ``[n]``."""
    return np.ascontiguousarray(blocks[:, :HEADER_BYTES]).view(HEADER).reshape(-1)


def token_spans(blocks: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Where each kept token stands in its document's canonical text: int64 ``[n, 42, 2]``, (-1, -1) where unused."""
    headers = read_headers(blocks)
    starts = headers["start"].astype(np.int64)[:, None] + headers["token_start"]
    spans = np.stack([starts, starts + headers["token_length"]], axis=2)
    spans[np.arange(ROWS) >= headers["rows"][:, None]] = -1
    return spans


def pack_tokens(
    passages: Sequence[Passage],
    tokens: Sequence[TokenStates],
    encoder: int,
    choose_tokens: Callable[[Passage, TokenStates], Choice] | None = None,
) -> NDArray[np.uint8]:
    """Blocks uint8 ``[n, 16384]`` of texts whose states are there already (one encoding can serve more than blocks).

    Raises:
        BrokenStates: a state is not a number.
    """
    import torch

    from kernels.pack_states.op import StatesNotFinite, pack_states

    if not passages:
        return np.zeros((0, BLOCK_BYTES), np.uint8)
    select = choose_tokens or telling_tokens
    choices = [select(passage, states) for passage, states in zip(passages, tokens, strict=True)]
    rows = np.full((len(passages), ROWS), -1, np.int64)
    first = 0
    for i, (states, choice) in enumerate(zip(tokens, choices, strict=True)):
        rows[i, : len(choice.tokens)] = first + choice.tokens
        first += len(states.spans)
    every = torch.from_numpy(np.concatenate([states.states for states in tokens]).astype(np.float32, copy=False))
    headers = torch.from_numpy(make_headers(passages, tokens, choices, encoder))
    try:
        return pack_states(every, torch.from_numpy(rows), headers).numpy()
    except StatesNotFinite as error:
        raise BrokenStates("the encoder gave states that are not numbers; its weights are damaged") from error


def telling_tokens(passage: Passage, tokens: TokenStates) -> Choice:
    """The choice that :mod:`engine.states.choice` makes."""
    anchors = passage.anchors
    if anchors is None:
        anchors = extract_from_text(passage.text, "zh" if passage.language == "zh" else "en")
    return choose(passage.text, tokens.spans, marks_of(passage.text, anchors))


def take_snapshots(
    encoder: Encoder,
    passages: Sequence[Passage],
    *,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] = never,
) -> Snapshots:
    """Encode passages once and keep their snapshots and vectors.

    Raises:
        EncodingCancelled: ``cancelled`` answered True; it is asked before each batch.
        BrokenStates: the encoder's states are not numbers.
    """
    blocks = np.zeros((len(passages), BLOCK_BYTES), np.uint8)
    vectors = np.zeros((len(passages), DIMENSIONS), np.float32)
    key = encoder_key(encoder)
    for start in range(0, len(passages), CHUNK):
        some = passages[start : start + CHUNK]
        tokens = encoder.encode_tokens([passage.text for passage in some], cancelled=cancelled)
        blocks[start : start + len(some)] = pack_tokens(some, tokens, key)
        vectors[start : start + len(some)] = [states.vector for states in tokens]
        if progress is not None:
            progress(start + len(some), len(passages))
    return Snapshots(blocks, vectors)


@dataclasses.dataclass(frozen=True, slots=True)
class DocumentStates:
    """A document's segments (decision_points) and the snapshot of each, in order."""

    points: DecisionPoints
    snapshots: Snapshots


def document_passages(document: Document, anchors: Sequence[Anchor], points: DecisionPoints) -> list[Passage]:
    """A passage for each segment of a document, its anchors with it."""
    starts = [anchor.start for anchor in anchors]
    found = []
    for segment in points.segments:
        near = anchors[bisect.bisect_left(starts, segment.start) : bisect.bisect_left(starts, segment.end)]
        text = document.text[segment.start : segment.end]
        language = "zh" if HAN.search(text) else document.language
        own = segment_anchors(segment, near)
        found.append(Passage(text, segment.start, own, int(segment.kind), language))
    return found


def document_states(
    document: Document,
    anchors: Sequence[Anchor],
    encoder: Encoder,
    *,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] = never,
) -> DocumentStates:
    """The snapshots of a whole document; ``anchors`` are its own, sorted by start. Raises as :func:`take_snapshots`."""
    points = find_decision_points(document, anchors)
    passages = document_passages(document, anchors, points)
    return DocumentStates(points, take_snapshots(encoder, passages, progress=progress, cancelled=cancelled))


def query_rows(tokens: Sequence[TokenStates]) -> tuple[Tensor, Tensor]:
    """Token states at full precision as :func:`kernels.maxsim.op.maxsim` takes them.

    Returns:
        float32 ``[q, m, 384]`` padded with zeros, and weights float32 ``[q, m]``, 1 for tokens that are there.
    """
    import torch

    longest = max((len(states.spans) for states in tokens), default=0)
    queries = torch.zeros((len(tokens), longest, DIMENSIONS))
    weights = torch.zeros((len(tokens), longest))
    for i, states in enumerate(tokens):
        queries[i, : len(states.spans)] = torch.from_numpy(states.states)
        weights[i, : len(states.spans)] = 1
    return queries, weights
