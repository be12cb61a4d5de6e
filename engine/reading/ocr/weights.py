"""The models of PP-OCR, found in the package that carries them, made fit for quick running."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

#: The package that carries the models (Apache-2.0), looked up by name and never imported.
PACKAGE = "rapidocr"
RUNTIME = "onnxruntime"
_DETECTION, _RECOGNITION = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
#: Fields of the ONNX format: ModelProto.graph, GraphProto.initializer, TensorProto.data_type and .raw_data.
_GRAPH, _INITIALIZER, _DATA_TYPE, _RAW_DATA = 7, 5, 2, 9
_FLOAT = 1
_VARINT, _FIXED_64, _LENGTH_DELIMITED, _FIXED_32 = 0, 1, 2, 5


@dataclasses.dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where the two models lie."""

    detection: Path
    recognition: Path


def model_files() -> ModelFiles | None:
    """The models of the installed package, or None when it is not there or carries others.

    A bundle has the models without the package (PyInstaller says in ``sys._MEIPASS`` where).
    """
    spec = importlib.util.find_spec(PACKAGE)
    folders = list(spec.submodule_search_locations or []) if spec is not None else []
    bundle = getattr(sys, "_MEIPASS", "")
    if bundle:
        folders.append(str(Path(bundle, PACKAGE)))
    for folder in folders:
        files = ModelFiles(Path(folder, "models", _DETECTION), Path(folder, "models", _RECOGNITION))
        if files.detection.is_file() and files.recognition.is_file():
            return files
    return None


def without_denormals(model: bytes) -> bytes:
    """A model whose weights too small for a float's full precision (below 1.2e-38) are zero.

    A quarter of a million such weights of the detection model made processors fall back to microcode: it
    took four times as long. Results are the same to the last bit that matters. A model that is not laid
    out as expected is given back as it was.
    """
    data = bytearray(model)
    try:
        spans = [span for start, end in _fields(data, 0, len(data), _GRAPH) for span in _weights(data, start, end)]
    except (IndexError, ValueError):
        return model
    tiny = np.finfo(np.float32).tiny
    for start, end in spans:
        values = np.frombuffer(data[start:end], np.float32).copy()
        values[np.abs(values) < tiny] = 0.0
        data[start:end] = values.tobytes()
    return bytes(data)


def _weights(data: bytearray, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the float32 weights of a graph."""
    for first, last in _fields(data, start, end, _INITIALIZER):
        kinds = [_varint(data, place)[0] for place, _ in _fields(data, first, last, _DATA_TYPE)]
        if kinds == [_FLOAT]:
            yield from ((a, b) for a, b in _fields(data, first, last, _RAW_DATA) if (b - a) % 4 == 0)


def _fields(data: bytearray, start: int, end: int, wanted: int) -> Iterator[tuple[int, int]]:
    """The spans of the values of a field in a protocol-buffer message.

    Raises:
        IndexError, ValueError: the bytes are no such message.
    """
    place = start
    while place < end:
        key, place = _varint(data, place)
        kind = key & 7
        if kind == _VARINT:
            stop = _varint(data, place)[1]
        elif kind == _LENGTH_DELIMITED:
            length, place = _varint(data, place)
            stop = place + length
        elif kind in (_FIXED_32, _FIXED_64):
            stop = place + (4 if kind == _FIXED_32 else 8)
        else:
            raise ValueError(f"a protocol buffer has no wire type {kind}")
        if stop > end:
            raise ValueError("a field ends behind its message")
        if key >> 3 == wanted:
            yield place, stop
        place = stop


def _varint(data: bytearray, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place += 1
        if byte < 0x80:
            return value, place
        shift += 7
