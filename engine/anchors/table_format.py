"""The bytes of an anchor table: header, slots of an open-addressing hash table in 16 segments, places.

Little-endian throughout. A file of :data:`HEADER` bytes of header and directory, then these arrays, each aligned to 64:

    keys    uint64 [slots]     key of an entry, 0 for an empty slot
    first   uint32 [slots]     index of the entry's first place
    count   uint32 [slots]     number of its places
    place   uint32 [places, 3] document's number, start and end in its canonical text
    owner   uint64 [places]    the key of the value without its document (for merges and rebuilds)
    names   bytes              documents' ids, one a line, UTF-8

A key is a 64-bit BLAKE2b hash of kind and canonical value, mixed with the document's number: like values in different
documents never share an entry. Segment = the key's top four bits; all segments have the same power of two of slots, at
least twice the entries of the fullest; a key's place in it is its low bits, then the next slots (linear probing). Two
different values share a key with a probability of n²/2⁶⁵: 3·10⁻⁸ for a million anchors.
"""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAGIC = b"SAHT"
VERSION = 1
SEGMENTS = 16
HEADER = 64
SEGMENT_BITS = 4
_FIXED = struct.Struct("<4sHHIIQQQ")
#: The odd constant of Fibonacci hashing (2⁶⁴ / golden ratio; Knuth, The Art of Computer Programming, 6.4).
_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1

U64 = NDArray[np.uint64]
U32 = NDArray[np.uint32]
I64 = NDArray[np.int64]


class UnreadableTable(Exception):
    """The file is no anchor table of this version, or it is cut off; it has to be built again."""


class Header(NamedTuple):
    """Sizes of the arrays; a segment has ``2 ** bits`` slots."""

    documents: int
    bits: int
    places: int
    names: int

    @property
    def slots(self) -> int:
        """The number of slots of all segments."""
        return SEGMENTS << self.bits


def align(size: int) -> int:
    """The next multiple of 64."""
    return (size + 63) // 64 * 64


def layout(slots: int, places: int, names: int) -> dict[str, tuple[int, int]]:
    """Offset and length in bytes of each array."""
    out: dict[str, tuple[int, int]] = {}
    at = HEADER
    for name, length in (
        ("keys", 8 * slots),
        ("first", 4 * slots),
        ("count", 4 * slots),
        ("place", 12 * places),
        ("owner", 8 * places),
        ("names", names),
    ):
        out[name] = (at, length)
        at = align(at + length)
    out["end"] = (at, 0)
    return out


def pack_header(header: Header) -> bytes:
    """The first :data:`HEADER` bytes of a file."""
    fixed = _FIXED.pack(
        MAGIC, VERSION, SEGMENTS, header.documents, header.bits, header.places, header.names,
        layout(header.slots, header.places, header.names)["end"][0],
    )  # fmt: skip
    return fixed.ljust(HEADER, b"\0")


def unpack_header(data: bytes, file_size: int) -> Header:
    """The header of a file.

    Raises:
        UnreadableTable: foreign, of another version, or cut off.
    """
    if len(data) < HEADER or data[:4] != MAGIC:
        raise UnreadableTable("this file is no anchor table")
    _, version, segments, documents, bits, places, names, end = _FIXED.unpack_from(data)
    if version != VERSION or segments != SEGMENTS:
        raise UnreadableTable(f"written by version {version} of the format, this program reads version {VERSION}")
    header = Header(documents, bits, places, names)
    if bits > 40 or file_size < end or layout(header.slots, places, names)["end"][0] != end:
        raise UnreadableTable("the anchor table is cut off")
    return header


@lru_cache(maxsize=1 << 16)
def value_key(kind: str, value: str) -> int:
    """The 64-bit key of a canonical value, without a document; never 0."""
    digest = hashlib.blake2b(f"{kind}\x1f{value}".encode(), digest_size=8).digest()
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
