"""The anchor table (SAHT): a memory-mapped hash table over a matter, from a value to every place where it stands.

``AnchorTable.open`` maps a file and reads its header only, whatever its size. A lookup tells the places of one value in
one document or in all; :meth:`AnchorTable.probe` looks up many keys at once. A document is added or removed without
reading any other one again. A file that is cut off or of another version raises :class:`UnreadableTable`;
:func:`open_or_build` then builds it anew and says so in the log.
"""

from __future__ import annotations

import logging
import mmap
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.anchors.model import Anchor
from engine.anchors.table_format import (
    HEADER,
    I64,
    SEGMENT_BITS,
    SEGMENTS,
    U32,
    U64,
    Header,
    UnreadableTable,
    layout,
    one_with_document,
    pack_header,
    unpack_header,
    value_key,
    with_document,
)

log = logging.getLogger(__name__)

#: Queries are probed in pieces that stay in the cache.
_PIECE = 1 << 15


class Place(NamedTuple):
    """Where a value stands: the document's id, and the span in its canonical text."""

    document: str
    start: int
    end: int


class _Built(NamedTuple):
    keys: U64
    first: U32
    counts: U32


class AnchorTable:
    """An open table. Immutable; :meth:`with_document` and :meth:`without_document` write a new file.

    ``keys``, ``first``, ``counts`` are the slots (uint64, uint32, uint32 ``[16 << bits]``), ``place`` uint32
    ``[places, 3]``, ``owner`` uint64 ``[places]``.
    """

    def __init__(self, header: Header, data: memoryview) -> None:
        spans = layout(header.slots, header.places, header.names)

        def part(name: str, dtype: type) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
            at, length = spans[name]
            return np.frombuffer(data, dtype, length // np.dtype(dtype).itemsize, at)

        self.keys: U64 = part("keys", np.uint64).view(np.uint64)
        self.first: U32 = part("first", np.uint32).view(np.uint32)
        self.counts: U32 = part("count", np.uint32).view(np.uint32)
        self.place: U32 = part("place", np.uint32).view(np.uint32).reshape(-1, 3)
        self.owner: U64 = part("owner", np.uint64).view(np.uint64)
        self.bits = header.bits
        at, length = spans["names"]
        self._names = data[at : at + length]
        self._documents: tuple[str, ...] | None = None

    @classmethod
    def open(cls, path: Path) -> AnchorTable:
        """Map the file at ``path``.

        Raises:
            UnreadableTable: foreign, of another version, cut off.
            OSError: no such file.
        """
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < HEADER:
                raise UnreadableTable("the anchor table is cut off")
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return cls(unpack_header(bytes(view[:HEADER]), size), view)

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents' ids, by their numbers."""
        if self._documents is None:
            text = bytes(self._names).decode()
            self._documents = tuple(text.split("\n")) if text else ()
        return self._documents

    def places(self, kind: str, value: str, document: str = "") -> list[Place]:
        """Every place of a value in one document, or in all of them in order when ``document`` is empty."""
        names = self.documents
        numbers = range(len(names)) if not document else [names.index(document)] if document in names else []
        key = value_key(kind, value)
        if len(numbers) > 8:
            keys = with_document(np.full(len(numbers), key, np.uint64), np.arange(len(numbers), dtype=np.uint64))
            slots = [slot for slot in self.probe(keys).tolist() if slot >= 0]
        else:
            slots = [slot for number in numbers if (slot := self._find(one_with_document(key, number))) >= 0]
        out: list[Place] = []
        for slot in slots:
            at = int(self.first[slot])
            for number, start, end in self.place[at : at + int(self.counts[slot])].tolist():
                out.append(Place(names[number], start, end))
        return out

    def _find(self, key: int) -> int:
        """The slot of a key, or -1."""
        mask = (1 << self.bits) - 1
        base, at = key >> (64 - SEGMENT_BITS) << self.bits, key & mask
        while (found := int(self.keys[base + at])) != 0:
            if found == key:
                return base + at
            at = (at + 1) & mask
        return -1

    def probe(self, keys: U64) -> I64:
        """The slots (int64 ``[n]``) of many keys (uint64 ``[n]``, from :func:`with_document`); -1 for none."""
        mask = np.uint64((1 << self.bits) - 1)
        rest = np.uint64((SEGMENTS - 1) << self.bits)
        shift = np.uint64(64 - SEGMENT_BITS - self.bits)
        out = np.empty(len(keys), np.int64)
        for begin in range(0, len(keys), _PIECE):
            piece = keys[begin : begin + _PIECE]
            slot = (((piece >> shift) & rest) | (piece & mask)).view(np.int64)
            found = self.keys.take(slot)
            hit = found == piece
            result = out[begin : begin + len(piece)]
            result[:] = -1
            np.copyto(result, slot, where=hit)
            left = np.flatnonzero(~hit & (found != 0))
            while left.size:
                here = slot[left].view(np.uint64)
                moved = ((here & ~mask) | ((here + np.uint64(1)) & mask)).view(np.int64)
                slot[left] = moved
                found = self.keys.take(moved)
                hit = found == piece[left]
                result[left[hit]] = moved[hit]
                left = left[~hit & (found != 0)]
        return out

    def with_document(self, path: Path, document: str, anchors: Sequence[Anchor]) -> AnchorTable:
        """Write to ``path`` the table with one more document (or a new reading of it), and open it."""
        kept = self._rows(document)
        new = _rows_of(anchors, len(kept[2]))
        owner = np.concatenate([kept[0], new[0]])
        place = np.concatenate([kept[1], new[1]])
        return _write(path, owner, place, [*kept[2], document])

    def without_document(self, path: Path, document: str) -> AnchorTable:
        """Write to ``path`` the table without one document, and open it."""
        owner, place, names = self._rows(document)
        return _write(path, owner, place, names)

    def _rows(self, without: str) -> tuple[U64, U32, list[str]]:
        names = list(self.documents)
        if without not in names:
            return self.owner.copy(), self.place.copy(), names
        number = names.index(without)
        keep = self.place[:, 0] != number
        place = self.place[keep].copy()
        place[place[:, 0] > number, 0] -= 1
        names.remove(without)
        return self.owner[keep].copy(), place, names


def _rows_of(anchors: Sequence[Anchor], number: int) -> tuple[U64, U32]:
    owner = np.array([value_key(a.kind, a.value) for a in anchors], np.uint64)
    place = np.empty((len(anchors), 3), np.uint32)
    place[:, 0] = number
    place[:, 1] = [a.start for a in anchors]
    place[:, 2] = [a.end for a in anchors]
    return owner, place


def build(path: Path, documents: Mapping[str, Sequence[Anchor]], workers: int = 2) -> AnchorTable:
    """Write the table of a matter to ``path`` (replacing what is there at once or not at all), and open it."""
    rows = [_rows_of(anchors, number) for number, anchors in enumerate(documents.values())]
    owner = np.concatenate([r[0] for r in rows]) if rows else np.zeros(0, np.uint64)
    place = np.concatenate([r[1] for r in rows]) if rows else np.zeros((0, 3), np.uint32)
    return _write(path, owner, place, list(documents), workers)


def _write(path: Path, owner: U64, place: U32, names: Sequence[str], workers: int = 2) -> AnchorTable:
    keys = with_document(owner, place[:, 0].astype(np.uint64))
    order = np.argsort(keys, kind="stable")
    keys, owner, place = keys[order], owner[order], place[order]
    # Sorted keys fall into segments by themselves: the segment is the top four bits.
    cuts = np.searchsorted(keys, np.arange(1, SEGMENTS, dtype=np.uint64) << np.uint64(60))
    bounds = [0, *cuts.tolist(), len(keys)]
    # All segments get the size that the fullest one needs, so that a slot follows from the key alone.
    bits = (2 * max(b - a for a, b in pairwise(bounds)) - 1).bit_length() if len(keys) else 0
    with ThreadPoolExecutor(workers) as pool:
        segments = list(pool.map(lambda i: _segment(keys[bounds[i] : bounds[i + 1]], bounds[i], bits), range(SEGMENTS)))
    text = "\n".join(names).encode()
    header = Header(len(names), bits, len(place), len(text))
    parts = {
        "keys": np.concatenate([s.keys for s in segments]).tobytes(),
        "first": np.concatenate([s.first for s in segments]).tobytes(),
        "count": np.concatenate([s.counts for s in segments]).tobytes(),
        "place": np.ascontiguousarray(place).tobytes(),
        "owner": owner.tobytes(),
        "names": text,
    }
    spans = layout(header.slots, header.places, header.names)
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        file.write(pack_header(header))
        for name, data in parts.items():
            file.seek(spans[name][0])
            file.write(data)
        file.truncate(spans["end"][0])
    temporary.replace(path)
    return AnchorTable.open(path)


def _segment(keys: U64, base: int, bits: int) -> _Built:
    """The ``2 ** bits`` slots of one segment from its sorted keys; ``base`` is the index of its first place."""
    size = 1 << bits
    slots = np.zeros(size, np.uint64)
    starts, counts = np.zeros(size, np.uint32), np.zeros(size, np.uint32)
    unique, first, count = np.unique(keys, return_index=True, return_counts=True)
    left = np.arange(len(unique))
    at = (unique & np.uint64(size - 1)).astype(np.intp)
    while left.size:
        # Of those that want one free slot the first wins; the others move on.
        wanted = at[left]
        free = slots[wanted] == 0
        winners, index = np.unique(wanted[free], return_index=True)
        chosen = left[free][index]
        slots[winners] = unique[chosen]
        starts[winners] = (first[chosen] + base).astype(np.uint32)
        counts[winners] = count[chosen].astype(np.uint32)
        left = np.setdiff1d(left, chosen, assume_unique=True)
        at[left] = (at[left] + 1) & (size - 1)
    return _Built(slots, starts, counts)


def open_or_build(path: Path, documents: Callable[[], Mapping[str, Sequence[Anchor]]]) -> AnchorTable:
    """Open the table at ``path``; build it from ``documents()`` when it is missing or unreadable, and log why."""
    try:
        return AnchorTable.open(path)
    except FileNotFoundError:
        log.info("No anchor table at %s yet; building it.", path.name)
    except UnreadableTable as error:
        log.warning("The anchor table %s was built again: %s.", path.name, error)
    return build(path, documents())
