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
from engine.states.encoder import Encoder, never
from engine.states.snapshot import Passage, encoder_key, take_snapshots

#: Raised whenever what is kept changes its meaning; an index of another version is built anew.
VERSION = 1
SNAPSHOTS_A_CHUNK = 3


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

    Raises:
        EncodingCancelled: ``cancelled`` answered True.
    """
    chunks = chunks_of(document)
    starts = [anchor.start for anchor in anchors]

    def within(start: int, end: int) -> Sequence[Anchor]:
        return [a for a in anchors[bisect_left(starts, start) : bisect_left(starts, end)] if a.end <= end]

    places: dict[tuple[int, int], int] = {}
    picks = np.zeros((len(chunks), SNAPSHOTS_A_CHUNK), np.int32)
    for i, chunk in enumerate(chunks):
        telling = max(chunk.sentences, key=lambda span: len(within(*span)))
        for j, span in enumerate((chunk.sentences[0], chunk.sentences[-1], telling)):
            picks[i, j] = places.setdefault(span, len(places))
    passages = [Passage(document.text[a:b], a, _moved(within(a, b), a), language=document.language) for a, b in places]
    snapshots = take_snapshots(encoder, passages, cancelled=cancelled)
    vectors = encoder.encode([shown_to_encoder(document, chunk) for chunk in chunks], cancelled=cancelled)
    kept = Kept(
        VERSION, document.id, document.name, document.language, encoder_key(encoder), head_of(document),
        tuple(chunks), tuple(document.text[chunk.start : chunk.end] for chunk in chunks),
        tuple(tuple(_kept_anchor(a) for a in within(chunk.start, chunk.end)) for chunk in chunks),
    )  # fmt: skip
    return DocumentIndex(kept, vectors, snapshots.blocks, picks)


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
