"""The saved form of a Document: the same bytes for the same Document, every time.

Layout: the 4 bytes ``ANTD``, one byte version, then a zlib stream (level 1) of one msgpack map. The
character boxes are delta-coded per column before compression, which halves them.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import numpy as np

from engine.document.model import CharacterBoxes, Document

MAGIC = b"ANTD"
VERSION = 1
#: A document larger than this after decompression is refused rather than eating all memory.
MAX_UNPACKED_BYTES = 1 << 30


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


def _decode_boxes(kind: type, value: Any) -> Any:
    if kind is CharacterBoxes:
        n, planes, page = value
        delta = np.frombuffer(planes, np.uint8).reshape(4, 4, n).transpose(0, 2, 1)
        bits = np.cumsum(np.ascontiguousarray(delta).view(np.uint32).reshape(4, n).T, axis=0, dtype=np.uint32)
        pages = np.cumsum(np.frombuffer(page, np.int32), dtype=np.int32)
        return CharacterBoxes(np.ascontiguousarray(bits).view(np.float32), pages)
    raise NotImplementedError(f"cannot load a {kind.__name__}")


_encoder = msgspec.msgpack.Encoder(enc_hook=_encode_boxes, order="deterministic")
_decoder = msgspec.msgpack.Decoder(Document, dec_hook=_decode_boxes, strict=True)


def pack(document: Document) -> bytes:
    """The Document's saved form."""
    return MAGIC + bytes([VERSION]) + zlib.compress(_encoder.encode(document), 1)


def unpack(data: bytes) -> Document:
    """The Document of a saved form.

    Raises:
        UnreadableDocument: the bytes are cut off, foreign, of another version, or too large.
    """
    if data[:4] != MAGIC or len(data) < 6:
        raise UnreadableDocument("these bytes are not a saved document")
    if data[4] != VERSION:
        raise UnreadableDocument(f"saved by version {data[4]} of the format, this program reads version {VERSION}")
    try:
        stream = zlib.decompressobj()
        plain = stream.decompress(data[5:], MAX_UNPACKED_BYTES)
        if not stream.eof:
            raise UnreadableDocument("the saved document is cut off or too large")
        return _decoder.decode(plain)
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise UnreadableDocument(f"the saved document is damaged: {error}") from error
