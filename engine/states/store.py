"""The states of a matter's texts, in files beside the matter file, mapped and never copied.

Beside ``deal.antinomy`` lies the folder ``deal.states`` with one file for each document and key, where the key stands
for the encoder, the texts and the versions of all that shaped the states (:mod:`engine.states.kept`):
``<first 32 hex digits of the document's sha256>-<key>-v1.sse``. A file is written under another name and renamed when
it is whole, so there is never half of one; what a killed process left under the other name goes with the next file.
Removing a document removes its files, and :meth:`StateStore.remove` removes the folder with the matter. When the limit
on size is reached, the files that were used longest ago go first.

File, little-endian: ``SSEF``, version of the file uint16, version of the blocks uint16, key uint64, texts n uint64,
word states w uint64, the file's length uint64, the document's sha256 (32 bytes), zeros up to 4,096; blocks uint8
``[n, 16384]``; vectors float32 ``[n, 384]``; segments int32 ``[n, 4]`` (start, end, word states, 0); words float16
``[w, 384]``, text by text.
"""

from __future__ import annotations

import contextlib
import logging
import math
import mmap
import os
import shutil
import struct
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.states.encoder import DIMENSIONS
from kernels.pack_states.layout import BLOCK_BYTES, VERSION

log = logging.getLogger(__name__)

MAGIC = b"SSEF"
FILE_VERSION = 2
_HEADER = struct.Struct("<4sHHQQQQ32s")
_BLOCKS_AT = 4096
#: Bytes that a matter's states may take on the disk: some 30 contracts of 100 pages.
LIMIT_BYTES = 2 << 30
#: Files of one document that are kept: it is reviewed alone and with its matter, and shares sentences there.
MOST_OF_A_DOCUMENT = 3
#: Seconds after which a file that was not finished belongs to a process that is gone.
_ABANDONED_S = 600.0


class StoreError(Exception):
    """Snapshots cannot be kept or read; the message says why in a sentence. A review goes on without the store."""


class DamagedStates(StoreError):
    """A file is cut off, foreign or of another version; it is to be made again."""


class StoredStates(NamedTuple):
    """What a file holds, as views of the mapped file (read-only); see the module for the shapes."""

    blocks: NDArray[np.uint8]
    vectors: NDArray[np.float32]
    segments: NDArray[np.int32]
    words: NDArray[np.float16]


class StateStore:
    """The files of one matter; safe to use from several processes, because files appear and go whole."""

    def __init__(self, folder: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes

    def path_of(self, document: str, key: int) -> Path:
        """Where the states of a document (``sha256:…``) under a key lie."""
        return self.folder / f"{_digest(document)[:16].hex()}-{key:016x}-v{VERSION}.sse"

    def save(self, document: str, key: int, states: StoredStates) -> Path:
        """Write a document's states, whole or not at all; older files go when the limit is reached.

        Raises:
            StoreError: the disk is full or read-only, or these states alone are beyond the limit.
        """
        n, w = len(states.blocks), len(states.words)
        shapes = [(n, BLOCK_BYTES), (n, DIMENSIONS), (n, 4), (w, DIMENSIONS)]
        if [part.shape for part in states] != shapes or int(states.segments[:, 2].sum()) != w:
            raise ValueError(f"the shapes {[part.shape for part in states]} do not match")
        length = _length(n, w)
        if length > self.limit_bytes:
            raise StoreError(f"the states take {length >> 20} MB; the limit is {self.limit_bytes >> 20} MB")
        path = self.path_of(document, key)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._make_room(length, path)
            header = _HEADER.pack(MAGIC, FILE_VERSION, VERSION, key, n, w, length, _digest(document))
            self._write(path, header, *states)
        except OSError as error:
            raise StoreError(f"the states cannot be written to {self.folder}: {error.strerror or error}") from error
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

    def open(self, document: str, key: int) -> StoredStates | None:
        """Map a document's states; None when there are none.

        Raises:
            DamagedStates: see there.
            StoreError: the file cannot be opened.
        """
        path = self.path_of(document, key)
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
        magic, version, blocks_version, own_key, n, w, length, digest = _HEADER.unpack_from(data)
        if magic != MAGIC or version != FILE_VERSION or blocks_version != VERSION:
            raise DamagedStates(f"{path.name} is no file of states of version {FILE_VERSION}")
        if own_key != key or digest != _digest(document):
            raise DamagedStates(f"{path.name} holds the states of another document or encoder")
        if length != size or _length(n, w) != size:
            raise DamagedStates(f"{path.name} is cut off")
        found = _views(data, n, w)
        if int(found.segments[:, 2].sum(dtype=np.int64)) != w or int(found.segments[:, 2].min(initial=0)) < 0:
            raise DamagedStates(f"{path.name} does not add up")
        return found

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

    def _make_room(self, length: int, path: Path) -> None:
        """Remove what was used longest ago, until ``length`` bytes fit beside the rest, and what nobody will finish."""
        for part in self.folder.glob(".new-*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > _ABANDONED_S:
                    part.unlink()
        files = [each for each in self._files() if each[2] != path]
        own = [each for each in files if each[2].name[:32] == path.name[:32]]
        spare = len(own) + 1 - MOST_OF_A_DOCUMENT
        taken = sum(size for _, size, _ in files)
        for each in [*own[: max(0, spare)], *(each for each in files if each not in own[: max(0, spare)])]:
            if spare <= 0 and taken + length <= self.limit_bytes:
                return
            log.info("removing %s: the matter's states have reached their limit", each[2].name)
            with contextlib.suppress(FileNotFoundError):
                each[2].unlink()
            taken -= each[1]
            spare -= 1


def _length(n: int, w: int) -> int:
    return _BLOCKS_AT + n * (BLOCK_BYTES + DIMENSIONS * 4 + 16) + w * DIMENSIONS * 2


def _views(data: mmap.mmap, n: int, w: int) -> StoredStates:
    at = _BLOCKS_AT
    parts: list[NDArray[Any]] = []
    for kind, shape in (
        (np.uint8, (n, BLOCK_BYTES)),
        (np.float32, (n, DIMENSIONS)),
        (np.int32, (n, 4)),
        (np.float16, (w, DIMENSIONS)),
    ):
        part: NDArray[Any] = np.frombuffer(data, kind, math.prod(shape), at).reshape(shape)
        parts.append(part)
        at += part.nbytes
    return StoredStates(*parts)


def _digest(document: str) -> bytes:
    digest = bytes.fromhex(document.removeprefix("sha256:"))
    if len(digest) != 32:
        raise ValueError(f"{document} is no document id")
    return digest
