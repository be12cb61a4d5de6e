"""The snapshots of a matter, in files beside the matter file, mapped and never copied.

Beside ``deal.antinomy`` lies the folder ``deal.antinomy.states`` with one file a document, encoder and layout version:
``<first 32 hex digits of the document's sha256>-<encoder id>-v1.sse``. A file is written under another name and
renamed when it is whole, so there is never half of one; removing a document removes its files, and :meth:`remove`
removes the folder with the matter. When the limit on size is reached, the files that were used longest ago go first.

File, little-endian: ``SSEF``, version uint16, reserved uint16, encoder uint64, segments n uint64, the file's length
uint64, the document's sha256 (32 bytes), zeros up to 4,096; blocks uint8 ``[n, 16384]``; vectors float32 ``[n, 384]``;
segments int32 ``[n, 4]`` (start, end, kind, sentence).
"""

from __future__ import annotations

import contextlib
import logging
import mmap
import os
import shutil
import struct
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.states.encoder import DIMENSIONS
from kernels.pack_states.layout import BLOCK_BYTES, VERSION

log = logging.getLogger(__name__)

MAGIC = b"SSEF"
_HEADER = struct.Struct("<4sHHQQQ32s")
_BLOCKS_AT = 4096
#: Bytes that a matter's snapshots may take on the disk: some 100 contracts of 100 pages.
LIMIT_BYTES = 4 << 30


class StoreError(Exception):
    """Snapshots cannot be kept or read; the message says why in a sentence. A review goes on without the store."""


class DamagedStates(StoreError):
    """A file is cut off, foreign or of another version; it is to be made again."""


class StoredStates(NamedTuple):
    """What a file holds, as views of the mapped file (read-only): blocks, vectors, segments."""

    blocks: NDArray[np.uint8]
    vectors: NDArray[np.float32]
    segments: NDArray[np.int32]


def states_folder(matter: Path) -> Path:
    """The folder beside a matter file."""
    return matter.with_name(matter.name + ".states")


class StateStore:
    """The files of one matter; safe to use from several processes, because files appear and go whole."""

    def __init__(self, matter: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = states_folder(matter)
        self.limit_bytes = limit_bytes

    def path_of(self, document: str, encoder: int) -> Path:
        """Where the snapshots of a document (``sha256:…``) by an encoder (:func:`encoder_key`) lie."""
        return self.folder / f"{_digest(document)[:16].hex()}-{encoder:016x}-v{VERSION}.sse"

    def save(
        self,
        document: str,
        encoder: int,
        blocks: NDArray[np.uint8],
        vectors: NDArray[np.float32],
        segments: NDArray[np.int32],
    ) -> Path:
        """Write a document's snapshots, whole or not at all; older files go when the limit is reached.

        Raises:
            StoreError: the disk is full or read-only, or these snapshots alone are beyond the limit.
        """
        n = len(blocks)
        if blocks.shape != (n, BLOCK_BYTES) or vectors.shape != (n, DIMENSIONS) or segments.shape != (n, 4):
            raise ValueError(f"blocks {blocks.shape}, vectors {vectors.shape}, segments {segments.shape} do not match")
        length = _length(n)
        if length > self.limit_bytes:
            raise StoreError(f"the snapshots take {length >> 20} MB; the limit is {self.limit_bytes >> 20} MB")
        path = self.path_of(document, encoder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._make_room(length, keep=path)
            header = _HEADER.pack(MAGIC, VERSION, 0, encoder, n, length, _digest(document))
            self._write(path, header, blocks, vectors, segments)
        except OSError as error:
            raise StoreError(f"the snapshots cannot be written to {self.folder}: {error.strerror or error}") from error
        return path

    def _write(self, path: Path, header: bytes, *arrays: NDArray[np.generic]) -> None:
        descriptor, name = tempfile.mkstemp(prefix=".new-", suffix=".part", dir=self.folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(header.ljust(_BLOCKS_AT, b"\0"))
                for array in arrays:
                    file.write(np.ascontiguousarray(array).data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def open(self, document: str, encoder: int) -> StoredStates | None:
        """Map a document's snapshots; None when there are none.

        Raises:
            DamagedStates: see there.
            StoreError: the file cannot be opened.
        """
        path = self.path_of(document, encoder)
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < _BLOCKS_AT:
                    raise DamagedStates(f"{path.name} is cut off")
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            # Its age decides what goes first when room is needed.
            with contextlib.suppress(OSError):
                os.utime(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path} cannot be opened: {error.strerror or error}") from error
        magic, version, _, own_encoder, n, length, digest = _HEADER.unpack_from(data)
        if magic != MAGIC or version != VERSION:
            raise DamagedStates(f"{path.name} is no file of snapshots of version {VERSION}")
        if own_encoder != encoder or digest != _digest(document):
            raise DamagedStates(f"{path.name} holds the snapshots of another document or encoder")
        if length != size or _length(n) != size:
            raise DamagedStates(f"{path.name} is cut off")
        vectors_at = _BLOCKS_AT + n * BLOCK_BYTES
        segments_at = vectors_at + n * DIMENSIONS * 4
        return StoredStates(
            np.frombuffer(data, np.uint8, n * BLOCK_BYTES, _BLOCKS_AT).reshape(n, BLOCK_BYTES),
            np.frombuffer(data, np.float32, n * DIMENSIONS, vectors_at).reshape(n, DIMENSIONS),
            np.frombuffer(data, np.int32, n * 4, segments_at).reshape(n, 4),
        )

    def forget(self, document: str) -> None:
        """Remove a document's files, of every encoder and version."""
        for path in self.folder.glob(f"{_digest(document)[:16].hex()}-*.sse"):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()

    def remove(self) -> None:
        """Remove all files of the matter, with the folder. For when the matter is deleted."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def size_bytes(self) -> int:
        """What the matter's snapshots take on the disk."""
        return sum(size for _, size, _ in self._files())

    def _files(self) -> list[tuple[float, int, Path]]:
        found = []
        for path in self.folder.glob("*.sse"):
            with contextlib.suppress(FileNotFoundError):
                facts = path.stat()
                found.append((facts.st_mtime, facts.st_size, path))
        return sorted(found)

    def _make_room(self, length: int, keep: Path) -> None:
        files = [each for each in self._files() if each[2] != keep]
        taken = sum(size for _, size, _ in files)
        for _, size, path in files:
            if taken + length <= self.limit_bytes:
                return
            log.info("removing %s: the matter's snapshots have reached their limit", path.name)
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
            taken -= size


def _length(n: int) -> int:
    return _BLOCKS_AT + n * (BLOCK_BYTES + DIMENSIONS * 4 + 16)


def _digest(document: str) -> bytes:
    digest = bytes.fromhex(document.removeprefix("sha256:"))
    if len(digest) != 32:
        raise ValueError(f"{document} is no document id")
    return digest
