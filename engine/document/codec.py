"""The saved form of a Document: the same bytes for the same Document, every time.

Layout: the 4 bytes ``ANTD``, one byte version, then a zlib stream (level 1) of one msgpack map. The
character boxes are delta-coded per column before compression, which halves them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, get_args, get_origin

import msgspec
import numpy as np

from engine.document.model import CharacterBoxes, Document

MAGIC = b"ANTD"
VERSION = 1
#: A document larger than this after decompression is refused rather than eating all memory.
MAX_UNPACKED_BYTES = 1 << 30
#: Decompressed at once: one call over a long document keeps all other threads waiting, the window's too.
_PIECE_IN_BYTES, _PIECE_OUT_BYTES = 1 << 17, 1 << 20
_ROWS = 1 << 15
#: Where a Document keeps the bytes that it was unpacked from.
_KEPT = "_saved_form"


class UnreadableDocument(Exception):
    """The bytes are not a saved Document of this version (cut off, foreign or newer)."""


def _encode_boxes(value: Any) -> Any:
    if isinstance(value, CharacterBoxes):
        bits = np.ascontiguousarray(value.rect, np.float32).view(np.uint32)
        delta = np.diff(bits, axis=0, prepend=np.zeros((1, 4), np.uint32))
        # Byte planes: the high bytes of neighbouring deltas are nearly all equal.
        planes = np.ascontiguousarray(delta.T).view(np.uint8).reshape(4, -1, 4).transpose(0, 2, 1)
        page = np.diff(value.page, prepend=np.zeros(1, np.int32)).astype(np.int32)
        return [len(value), planes.tobytes(), page.tobytes()]
    raise NotImplementedError(f"cannot save a {type(value).__name__}")


class _SavedBoxes(msgspec.Struct, frozen=True, array_like=True):
    """The boxes as saved; views of the message, because they are most of it."""

    count: int
    planes: memoryview
    page: memoryview

    def boxes(self) -> CharacterBoxes:
        """The inverse of :func:`_encode_boxes`; ValueError when the lengths do not fit."""
        planes = np.frombuffer(self.planes, np.uint8).reshape(4, 4, self.count)
        step = np.frombuffer(self.page, np.int32).reshape(self.count)
        bits, page = np.zeros((self.count, 4), np.uint32), np.zeros(self.count, np.int32)
        # numpy's cumsum holds the interpreter to its end, so it runs over rows that take it a millisecond.
        for start in range(0, self.count, _ROWS):
            rows = slice(start, min(start + _ROWS, self.count))
            delta = np.ascontiguousarray(planes[:, :, rows].transpose(0, 2, 1)).view(np.uint32)[:, :, 0]
            np.cumsum(delta.T, axis=0, dtype=np.uint32, out=bits[rows])
            np.cumsum(step[rows], dtype=np.int32, out=page[rows])
            if start:
                bits[rows] += bits[start - 1]
                page[rows] += page[start - 1]
        return CharacterBoxes(bits.view(np.float32), page)


_encoder = msgspec.msgpack.Encoder(enc_hook=_encode_boxes, order="deterministic")
_fields = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_items = msgspec.msgpack.Decoder(list[msgspec.Raw])


def _decoder_of(kind: Any) -> Callable[[msgspec.Raw], Any]:
    """What decodes a field of that type: long tuples one by one, so that other threads get their turn between."""
    if kind is CharacterBoxes:
        saved = msgspec.msgpack.Decoder(_SavedBoxes, strict=True)
        return lambda raw: saved.decode(raw).boxes()
    if get_origin(kind) is tuple:
        item = msgspec.msgpack.Decoder(get_args(kind)[0], strict=True)
        return lambda raw: tuple([item.decode(each) for each in _items.decode(raw)])
    return msgspec.msgpack.Decoder(kind, strict=True).decode


_decoders = {field.name: _decoder_of(field.type) for field in msgspec.structs.fields(Document)}
#: Fields that came later, and are left out where they hold nothing.
_OPTIONAL = {field.name for field in msgspec.structs.fields(Document) if not field.required}


def pack(document: Document) -> bytes:
    """The Document's saved form; at once for one that was unpacked with ``keep``."""
    kept: bytes | None = vars(document).get(_KEPT)
    if kept is not None:
        return kept
    return MAGIC + bytes([VERSION]) + zlib.compress(_encoder.encode(document), 1)


def unpack(data: bytes, *, keep: bool = False) -> Document:
    """The Document of a saved form. With ``keep`` it holds on to ``data``, for who will save it again.

    Raises:
        UnreadableDocument: the bytes are cut off, foreign, of another version, or too large.
    """
    if data[:4] != MAGIC or len(data) < 6:
        raise UnreadableDocument("these bytes are not a saved document")
    if data[4] != VERSION:
        raise UnreadableDocument(f"saved by version {data[4]} of the format, this program reads version {VERSION}")
    try:
        saved = _fields.decode(_inflated(memoryview(data)[5:]))
        present = {name: saved[name] for name in _decoders if name in saved or name not in _OPTIONAL}
        document = Document(**{name: _decoders[name](raw) for name, raw in present.items()})
    except KeyError as error:
        raise UnreadableDocument(f"the saved document has no {error}") from error
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise UnreadableDocument(f"the saved document is damaged: {error}") from error
    if keep:
        vars(document)[_KEPT] = data
    return document


def _inflated(data: memoryview) -> bytes:
    stream = zlib.decompressobj()
    pieces: list[bytes] = []
    size = 0
    for start in range(0, len(data), _PIECE_IN_BYTES):
        rest: bytes | memoryview = data[start : start + _PIECE_IN_BYTES]
        while rest and size <= MAX_UNPACKED_BYTES:
            pieces.append(stream.decompress(rest, _PIECE_OUT_BYTES))
            size += len(pieces[-1])
            rest = stream.unconsumed_tail
    if not stream.eof or size > MAX_UNPACKED_BYTES:
        raise UnreadableDocument("the saved document is cut off or too large")
    return b"".join(pieces)
