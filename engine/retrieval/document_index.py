"""What the index keeps of one document: chunks, vectors, anchors, three snapshots a chunk. One folder's three files."""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.anchors.model import Anchor
from engine.document import Document
from engine.retrieval.chunks import Chunk, chunks_of, shown_to_encoder
from engine.retrieval.naming import head_of
from engine.states.encoder import DIMENSIONS, Encoder, TokenStates, never
from engine.states.snapshot import Passage, encoder_key, pack_tokens
from kernels.pack_states.layout import BLOCK_BYTES

#: Raised whenever what is kept changes its meaning; an index of another version is built anew.
VERSION = 2
SNAPSHOTS_A_CHUNK = 3
#: Chunks encoded at once: bounds the memory of their float32 states (some 45 MB).
_TOGETHER = 256


class ChunkAnchor(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An anchor of a chunk as ranking needs it; the span is in the document's canonical text."""

    kind: str
    value: str
    role: str
    start: int
    end: int


class Kept(msgspec.Struct, frozen=True):
    """The part of a document's index that is no array."""

    version: int
    document: str
    name: str
    language: str
    encoder: int
    head: str
    chunks: tuple[Chunk, ...]
    words: tuple[str, ...]
    anchors: tuple[tuple[ChunkAnchor, ...], ...]


class DocumentIndex(NamedTuple):
    """A document's chunks and arrays.

    ``vectors`` float32 ``[n, 384]`` unit; ``blocks`` uint8 ``[m, 16384]``; ``picks`` int32 ``[n, 3]``: the blocks of
    each chunk's first sentence, last sentence and the one with the most anchors (the same one where there is one).
    """

    kept: Kept
    vectors: NDArray[np.float32]
    blocks: NDArray[np.uint8]
    picks: NDArray[np.int32]


def build_document_index(
    document: Document, anchors: Sequence[Anchor], encoder: Encoder, *, cancelled: Callable[[], bool] = never
) -> DocumentIndex:
    """Index a document; ``anchors`` are its own, sorted by start.

    Each chunk is encoded once: its vector, and from the states of its tokens the snapshots of its sentences, which
    so know the headings that they stand under.

    Raises:
        EncodingCancelled: ``cancelled`` answered True.
        BrokenStates: the encoder's states are not numbers.
    """
    chunks = chunks_of(document)
    near = _Near(anchors)
    vectors = np.zeros((len(chunks), DIMENSIONS), np.float32)
    picks = np.zeros((len(chunks), SNAPSHOTS_A_CHUNK), np.int32)
    blocks = [np.zeros((0, BLOCK_BYTES), np.uint8)]
    key, count = encoder_key(encoder), 0
    for start in range(0, len(chunks), _TOGETHER):
        some = chunks[start : start + _TOGETHER]
        shown = [shown_to_encoder(document, chunk) for chunk in some]
        passages: list[Passage] = []
        states: list[TokenStates] = []
        for i, (chunk, text, whole) in enumerate(
            zip(some, shown, encoder.encode_tokens(shown, cancelled=cancelled), strict=True), start
        ):
            vectors[i] = whole.vector
            spans, picks[i] = _picked(chunk, near, count + len(passages))
            lead = len(text) - (chunk.end - chunk.start) - chunk.start
            for a, b in spans:
                own = _moved(near.within(a, b), a)
                passages.append(Passage(document.text[a:b], a, own, language=document.language))
                states.append(part_of(whole, a + lead, b + lead))
        blocks.append(pack_tokens(passages, states, key))
        count += len(passages)
    kept = Kept(
        VERSION, document.id, document.name, document.language, key, head_of(document),
        tuple(chunks), tuple(document.text[chunk.start : chunk.end] for chunk in chunks),
        tuple(tuple(_kept_anchor(a) for a in near.within(chunk.start, chunk.end)) for chunk in chunks),
    )  # fmt: skip
    return DocumentIndex(kept, vectors, np.concatenate(blocks), picks)


class _Near:
    """Anchors by place."""

    def __init__(self, anchors: Sequence[Anchor]) -> None:
        self._anchors = anchors
        self._starts = [anchor.start for anchor in anchors]

    def within(self, start: int, end: int) -> list[Anchor]:
        """Those that lie in a span."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [anchor for anchor in self._anchors[first:last] if anchor.end <= end]


def _picked(chunk: Chunk, near: _Near, first: int) -> tuple[list[tuple[int, int]], list[int]]:
    """A chunk's sentences that get a snapshot, and each pick's number among all, counted from ``first``."""
    telling = max(chunk.sentences, key=lambda span: len(near.within(*span)))
    wanted = (chunk.sentences[0], chunk.sentences[-1], telling)
    spans = list(dict.fromkeys(wanted))
    return spans, [first + spans.index(span) for span in wanted]


def part_of(whole: TokenStates, start: int, end: int) -> TokenStates:
    """The states of the tokens that lie in a part of a text, their spans counted from its beginning."""
    kept = [i for i, (a, b) in enumerate(whole.spans) if a >= start and b <= end]
    spans = tuple((whole.spans[i][0] - start, whole.spans[i][1] - start) for i in kept)
    return TokenStates(whole.states[kept], spans, whole.vector, whole.cut)


def _moved(anchors: Sequence[Anchor], by: int) -> list[Anchor]:
    return [msgspec.structs.replace(a, start=a.start - by, end=a.end - by) for a in anchors]


def _kept_anchor(anchor: Anchor) -> ChunkAnchor:
    return ChunkAnchor(anchor.kind.value, anchor.value, anchor.role, anchor.start, anchor.end)


# --- files --------------------------------------------------------------------------------------------------------

_decoder = msgspec.msgpack.Decoder(Kept)


def paths_of(folder: Path, document: str) -> tuple[Path, Path, Path, Path]:
    """The files of a document: what is kept, vectors, blocks, picks."""
    stem = document.removeprefix("sha256:")
    return tuple(folder / f"{stem}.{ending}" for ending in ("index", "vectors.npy", "blocks.npy", "picks.npy"))  # type: ignore[return-value]  # four of them


def save_document_index(folder: Path, index: DocumentIndex) -> None:
    """Write the files, the one that makes the others count last, so that nothing half-written is ever opened.

    Raises:
        OSError: the folder takes no files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept, *arrays = paths_of(folder, index.kept.document)
    contents: tuple[NDArray[Any], ...] = (index.vectors, index.blocks, index.picks)
    for path, array in zip(arrays, contents, strict=True):
        draft = path.with_suffix(".new")
        with draft.open("wb") as file:
            np.save(file, array, allow_pickle=False)
        draft.replace(path)
    draft = kept.with_suffix(".new")
    draft.write_bytes(msgspec.msgpack.encode(index.kept))
    draft.replace(kept)


def load_document_index(folder: Path, document: str, encoder: int) -> DocumentIndex | None:
    """A document's index, its arrays mapped and not read; None when it is not there, damaged, of another version or
    of another encoder: it is then built anew."""
    kept_path, *paths = paths_of(folder, document)
    try:
        kept = _decoder.decode(kept_path.read_bytes())
        vectors, blocks, picks = (np.load(path, mmap_mode="r", allow_pickle=False) for path in paths)
    except (OSError, ValueError, EOFError, msgspec.MsgspecError):
        return None
    if kept.version != VERSION or kept.document != document or kept.encoder != encoder:
        return None
    if len(vectors) != len(kept.chunks) or len(picks) != len(kept.chunks) or picks.max(initial=-1) >= len(blocks):
        return None
    return DocumentIndex(kept, vectors, blocks, picks)


def delete_document_index(folder: Path, document: str) -> None:
    """Delete a document's files; those that are not there are no matter."""
    for path in paths_of(folder, document):
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
