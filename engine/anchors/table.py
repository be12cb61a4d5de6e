"""The anchor table (SAHT): a memory-mapped hash table over a matter, from a value to every place where it stands.

``AnchorTable.open`` maps a file and reads its header only, whatever its size. A lookup tells the places of one value,
or of all values that could stand in its place, in one document or in all; :meth:`AnchorTable.probe` looks up many keys
at once. A document is added or removed without reading any other one again. A file that is cut off, damaged or of
another version raises :class:`UnreadableTable`; :func:`open_or_build` and :func:`update` then build it anew and say so
in the log.
"""

from __future__ import annotations

import logging
import mmap
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from engine.anchors.model import Anchor
from engine.anchors.table_build import KINDS, Columns, Rows, gather, without, write
from engine.anchors.table_format import (
    BOUNDS,
    HEADER,
    I64,
    SEGMENT_BITS,
    SEGMENTS,
    SEPARATOR,
    U32,
    U64,
    Header,
    UnreadableTable,
    Words,
    layout,
    one_with_document,
    role_key,
    unpack_header,
    value_key,
    with_document,
)

log = logging.getLogger(__name__)

#: Queries are probed in pieces that stay in the cache.
_PIECE = 1 << 14
_DAMAGED = "it is damaged"


class Place(NamedTuple):
    """Where a value stands: the document's id, and the span in its canonical text."""

    document: str
    start: int
    end: int


class Known(NamedTuple):
    """What the table knows of an anchor: its place, kind, canonical value, role and bound."""

    document: str
    start: int
    end: int
    kind: str
    value: str
    role: str
    bound: str


class AnchorTable:
    """An open table. Immutable; :meth:`with_document` and :meth:`without_document` write a new file.

    ``keys``, ``entry`` are the slots (uint64, uint32 ``[16 << bits]``), ``first`` uint32 ``[entries + 1]``; the columns
    of the rows are described in :mod:`engine.anchors.table_format`.
    """

    def __init__(self, header: Header, data: memoryview) -> None:
        spans = layout(header)

        def part(name: str, dtype: type) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
            at, length = spans[name]
            return np.frombuffer(data, dtype, length // np.dtype(dtype).itemsize, at)

        self.keys: U64 = part("keys", np.uint64).view(np.uint64)
        self.entry: U32 = part("entry", np.uint32).view(np.uint32)
        self.first: U32 = part("first", np.uint32).view(np.uint32)
        self.document: U32 = part("document", np.uint32).view(np.uint32)
        self.start: U32 = part("start", np.uint32).view(np.uint32)
        self.end: U32 = part("end", np.uint32).view(np.uint32)
        self.value: U32 = part("value", np.uint32).view(np.uint32)
        self.fact: U32 = part("fact", np.uint32).view(np.uint32)
        self.member: U32 = part("member", np.uint32).view(np.uint32)
        self.owner: U64 = part("owner", np.uint64).view(np.uint64)
        self.bits = header.bits
        self._header = header
        at, length = spans["words"]
        self._text = data[at : at + length]

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

    @cached_property
    def words(self) -> Words:
        """What the numbers stand for.

        Raises:
            UnreadableTable: that part of the file is damaged.
        """
        try:
            words = msgspec.msgpack.decode(self._text, type=Words)
        except (msgspec.MsgspecError, ValueError) as error:
            raise UnreadableTable(_DAMAGED) from error
        if (len(words.documents), len(words.values)) != (self._header.documents, self._header.values):
            raise UnreadableTable(_DAMAGED)
        return words

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents' ids, by their numbers."""
        return tuple(self.words.documents)

    def rows(self) -> Rows:
        """All rows, to write another table from; copies, so that the file may be replaced.

        Raises:
            UnreadableTable: the file is damaged.
        """
        words, columns = self.words, (self.document, self.start, self.end, self.value, self.fact)
        most = [int(column.max(initial=0)) for column in (self.document, self.value, self.fact >> 4)]
        lengths = [max(1, len(texts)) for texts in (words.documents, words.values, words.roles)]
        kinds = {text.partition(SEPARATOR)[0] for text in (*words.values, *words.roles)}
        if any(a >= b for a, b in zip(most, lengths, strict=True)) or not kinds <= KINDS:
            raise UnreadableTable(_DAMAGED)
        if np.any(self.document[1:] < self.document[:-1]):
            raise UnreadableTable(_DAMAGED)
        return Rows(words, self.owner.copy(), *(column.copy() for column in columns))

    # --- looking up ---------------------------------------------------------------------------------------------

    def places(self, kind: str, value: str, document: str = "") -> list[Place]:
        """Every place of a value in one document, or in all of them in order when ``document`` is empty.

        Raises:
            UnreadableTable: the file is damaged (so do all lookups).
        """
        found = self.known(self.value_rows(kind, value, document))
        return [Place(known.document, known.start, known.end) for known in found]

    def rivals(self, kind: str, role: str, document: str = "") -> list[Known]:
        """Every value of a kind and role, with its place: those that agree, and those that rival each other."""
        return self.known(self.role_rows(kind, role, document))

    def value_rows(self, kind: str, value: str, document: str = "") -> I64:
        """The rows (int64) where a value stands, in one document or in all of them in order."""
        return self._entries(value_key(kind, value), document)

    def role_rows(self, kind: str, role: str, document: str = "") -> I64:
        """The rows (int64) of all values of a kind and role; none for no role."""
        if not role:
            return np.zeros(0, np.int64)
        try:
            return self.member[self._entries(role_key(kind, role), document) - len(self.value)].astype(np.int64)
        except IndexError as error:
            raise UnreadableTable(_DAMAGED) from error

    def rows_of(self, document: str) -> I64:
        """The rows (int64) of a document's anchors, by value; empty when it is not in the table."""
        names = self.words.documents
        if document not in names:
            return np.zeros(0, np.int64)
        number = names.index(document)
        low, high = np.searchsorted(self.document, [number, number + 1])
        return np.arange(low, high, dtype=np.int64)

    def known(self, rows: I64) -> list[Known]:
        """What the table knows of some rows (int64 ``[n]``)."""
        words, out = self.words, []
        values = [text.partition(SEPARATOR)[::2] for text in words.values] if len(rows) > len(words.values) else None
        roles = [text.partition(SEPARATOR)[2] for text in words.roles]
        try:
            columns = (self.document, self.start, self.end, self.value, self.fact)
            for number, start, end, value, fact in zip(*(c[rows].tolist() for c in columns), strict=True):
                kind, canonical = values[value] if values else words.values[value].partition(SEPARATOR)[::2]
                bound = BOUNDS[fact & 15]
                out.append(Known(words.documents[number], start, end, kind, canonical, roles[fact >> 4], bound))
        except IndexError as error:
            raise UnreadableTable(_DAMAGED) from error
        return out

    def _entries(self, key: int, document: str) -> I64:
        """What the entries of a key without its document hold (int64), in one document or in all."""
        names = self.words.documents
        numbers = range(len(names)) if not document else [names.index(document)] if document in names else []
        if len(numbers) > 8:
            keys = with_document(np.full(len(numbers), key, np.uint64), np.arange(len(numbers), dtype=np.uint64))
            slots = [slot for slot in self.probe(keys).tolist() if slot >= 0]
        else:
            slots = [slot for number in numbers if (slot := self._find(one_with_document(key, number))) >= 0]
        try:
            entries = self.entry[slots].astype(np.int64)
            low, high = self.first[entries].tolist(), self.first[entries + 1].tolist()
        except IndexError as error:
            raise UnreadableTable(_DAMAGED) from error
        if any(b > len(self.value) + len(self.member) for b in high):
            raise UnreadableTable(_DAMAGED)
        parts = [np.arange(a, b, dtype=np.int64) for a, b in zip(low, high, strict=True)]
        return np.concatenate([np.zeros(0, np.int64), *parts])

    def _find(self, key: int) -> int:
        """The slot of a key, or -1."""
        mask = (1 << self.bits) - 1
        base, at = key >> (64 - SEGMENT_BITS) << self.bits, key & mask
        # A sound table has free slots; in a damaged one the search ends where it began.
        for _ in range(mask + 1):
            found = int(self.keys[base + at])
            if found == key:
                return base + at
            if not found:
                break
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
            steps = 0
            while left.size and steps <= int(mask):
                here = slot[left].view(np.uint64)
                moved = ((here & ~mask) | ((here + np.uint64(1)) & mask)).view(np.int64)
                slot[left] = moved
                found = self.keys.take(moved)
                hit = found == piece[left]
                result[left[hit]] = moved[hit]
                left = left[~hit & (found != 0)]
                steps += 1
        return out

    # --- documents come and go ----------------------------------------------------------------------------------

    def with_document(self, path: Path, document: str, anchors: Sequence[Anchor]) -> AnchorTable:
        """Write to ``path`` the table with one more document (or a new reading of it), and open it."""
        write(path, gather({document: anchors}, without(self.rows(), {document})))
        return AnchorTable.open(path)

    def without_document(self, path: Path, document: str) -> AnchorTable:
        """Write to ``path`` the table without one document, and open it."""
        write(path, without(self.rows(), {document}))
        return AnchorTable.open(path)


def build(path: Path, documents: Mapping[str, Columns | Sequence[Anchor]], workers: int = 2) -> AnchorTable:
    """Write the table of a matter to ``path`` (replacing what is there at once or not at all), and open it.

    Raises:
        OSError: it cannot be written there.
    """
    write(path, gather(documents), workers)
    return AnchorTable.open(path)


def update(
    path: Path, documents: Mapping[str, Columns | Sequence[Anchor]], keep: Collection[str] = ()
) -> AnchorTable:
    """Bring the table at ``path`` up to date: these documents anew, those of ``keep`` as they are, no others.

    A file that is missing or unreadable is built from ``documents`` alone, and the log says why.

    Raises:
        OSError: it cannot be written there.
    """
    rows: Rows | None = None
    try:
        rows = AnchorTable.open(path).rows()
    except FileNotFoundError:
        log.info("No anchor table at %s yet; building it.", path.name)
    except UnreadableTable as error:
        log.warning("The anchor table %s was built again: %s.", path.name, error)
    if rows is not None:
        rows = without(rows, {name for name in rows.words.documents if name in documents or name not in keep})
    write(path, gather(documents, rows))
    return AnchorTable.open(path)


def open_or_build(path: Path, documents: Callable[[], Mapping[str, Sequence[Anchor]]]) -> AnchorTable:
    """Open the table at ``path``; build it from ``documents()`` when it is missing or unreadable, and log why."""
    try:
        return AnchorTable.open(path)
    except FileNotFoundError:
        log.info("No anchor table at %s yet; building it.", path.name)
    except UnreadableTable as error:
        log.warning("The anchor table %s was built again: %s.", path.name, error)
    return build(path, documents())
