"""The bytes of an anchor table: header, slots of an open-addressing hash table in 16 segments, places, words.

Little-endian throughout. A file of :data:`HEADER` bytes of header and directory, then these arrays, each aligned to 64:

    keys    uint64 [slots]       key of an entry, 0 for an empty slot
    entry   uint32 [slots]       the entry's number
    first   uint32 [entries + 1] where an entry's rows begin; they end where the next one's begin
    document, start, end         uint32 [places] each: the document's number, the span in its canonical text;
                                 by document, value, reading order
    value   uint32 [places]      number of the canonical value
    fact    uint32 [places]      number of the role, times 16, plus the number of the bound (:data:`BOUNDS`)
    member  uint32 [members]     rows by document, role, then as above
    owner   uint64 [values]      the key of each value without a document (for merges and rebuilds)
    words   bytes                msgpack of :class:`Words`: what the numbers of documents, values and roles stand for

There are two sorts of entries. Those of values have rows of the columns. Those of roles (the values that could stand in
each other's place: one kind, one role) have rows ``places + i`` for index ``i`` of ``member``.

A key is a 64-bit BLAKE2b hash of kind and canonical value, or of kind and role, mixed with the document's number: like
values in different documents never share an entry. Segment = the key's top four bits; all segments have the same power
of two of slots, at least twice the entries of the fullest; a key's place in it is its low bits, then the next slots
(linear probing). Two different values share a key with a probability of n²/2⁶⁵: 3·10⁻⁸ for a million anchors.
"""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

MAGIC = b"SAHT"
VERSION = 2
SEGMENTS = 16
HEADER = 128
SEGMENT_BITS = 4
_FIXED = struct.Struct("<4sHHIIQQQQQQ")
#: What a value may be said to be; a place keeps its number.
BOUNDS = ("exact", "at_most", "at_least", "more_than", "less_than", "range", "about")
#: Between a kind and its value, or a kind and its role.
SEPARATOR = "\x1f"
#: The odd constant of Fibonacci hashing (2⁶⁴ / golden ratio; Knuth, The Art of Computer Programming, 6.4).
_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1

U64 = NDArray[np.uint64]
U32 = NDArray[np.uint32]
I64 = NDArray[np.int64]


class UnreadableTable(Exception):
    """The file is no anchor table of this version, or it is cut off; it has to be built again."""


class Words(msgspec.Struct, array_like=True):
    """What the numbers stand for: documents' ids; ``kind\\x1fvalue`` and ``kind\\x1frole`` of values and roles."""

    documents: list[str]
    values: list[str]
    roles: list[str]


class Header(NamedTuple):
    """Sizes of the arrays; a segment has ``2 ** bits`` slots, ``words`` is in bytes."""

    documents: int
    bits: int
    entries: int
    places: int
    members: int
    values: int
    words: int

    @property
    def slots(self) -> int:
        """The number of slots of all segments."""
        return SEGMENTS << self.bits


def align(size: int) -> int:
    """The next multiple of 64."""
    return (size + 63) // 64 * 64


def layout(header: Header) -> dict[str, tuple[int, int]]:
    """Offset and length in bytes of each array."""
    out: dict[str, tuple[int, int]] = {}
    at = HEADER
    for name, length in (
        ("keys", 8 * header.slots),
        ("entry", 4 * header.slots),
        ("first", 4 * (header.entries + 1)),
        ("document", 4 * header.places),
        ("start", 4 * header.places),
        ("end", 4 * header.places),
        ("value", 4 * header.places),
        ("fact", 4 * header.places),
        ("member", 4 * header.members),
        ("owner", 8 * header.values),
        ("words", header.words),
    ):
        out[name] = (at, length)
        at = align(at + length)
    out["size"] = (at, 0)
    return out


def pack_header(header: Header) -> bytes:
    """The first :data:`HEADER` bytes of a file."""
    fixed = _FIXED.pack(
        MAGIC, VERSION, SEGMENTS, header.documents, header.bits, header.entries, header.places, header.members,
        header.values, header.words, layout(header)["size"][0],
    )  # fmt: skip
    return fixed.ljust(HEADER, b"\0")


def unpack_header(data: bytes, file_size: int) -> Header:
    """The header of a file.

    Raises:
        UnreadableTable: foreign, of another version, or cut off.
    """
    if len(data) < HEADER or data[:4] != MAGIC:
        raise UnreadableTable("this file is no anchor table")
    _, version, segments, documents, bits, entries, places, members, values, words, end = _FIXED.unpack_from(data)
    if version != VERSION or segments != SEGMENTS:
        raise UnreadableTable(f"written by version {version} of the format, this program reads version {VERSION}")
    header = Header(documents, bits, entries, places, members, values, words)
    if bits > 40 or file_size < end or layout(header)["size"][0] != end:
        raise UnreadableTable("the anchor table is cut off")
    return header


@lru_cache(maxsize=1 << 16)
def value_key(kind: str, value: str) -> int:
    """The 64-bit key of a canonical value, without a document; never 0."""
    return key_of(f"{kind}{SEPARATOR}{value}")


@lru_cache(maxsize=1 << 12)
def role_key(kind: str, role: str) -> int:
    """The 64-bit key of all values of a kind and role, without a document; never 0."""
    # With a separator in front it is no value's: kinds have none in them.
    return key_of(f"{SEPARATOR}{kind}{SEPARATOR}{role}")


def key_of(text: str) -> int:
    """The 64-bit key of ``kind``, :data:`SEPARATOR` and a canonical value; never 0."""
    digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


def with_document(keys: U64, documents: U64) -> U64:
    """Keys of values (uint64 [n]) mixed with their documents' numbers (uint64 [n]); never 0.

    Formula: x = key xor (document + 1)·φ; x ·= φ; x xor= x >> 32; x ·= φ, all modulo 2⁶⁴.
    """
    golden = np.uint64(_GOLDEN)
    with np.errstate(over="ignore"):
        mixed = keys ^ ((documents + np.uint64(1)) * golden)
        mixed = mixed * golden
        mixed ^= mixed >> np.uint64(32)
        mixed = mixed * golden
    return np.where(mixed == 0, np.uint64(1), mixed)


def one_with_document(key: int, document: int) -> int:
    """:func:`with_document` for one key."""
    mixed = key ^ ((document + 1) * _GOLDEN & _MASK)
    mixed = mixed * _GOLDEN & _MASK
    mixed ^= mixed >> 32
    return mixed * _GOLDEN & _MASK or 1
