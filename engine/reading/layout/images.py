"""Pictures (JPEG and PNG) as PDF image objects, each once however often it is shown.

Source: ISO 32000-1, section 8.9.5 (image dictionaries); ITU-T T.81, annex B (JPEG markers).
"""

from __future__ import annotations

import hashlib
import struct
import zlib

import numpy as np

from engine.reading.mupdf import DAMAGE, pymupdf

#: A picture of more pixels is not shown, nor more pixels of PNG pictures than this in one document.
MAX_PIXELS, MAX_TOTAL_PIXELS = 16_000_000, 48_000_000
_PNG = b"\x89PNG\r\n\x1a\n"
_COLOURS = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}


class Images:
    """The pictures of one document."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._pictures: list[tuple[str, bytes, bytes]] = []
        self._pixels_left = MAX_TOTAL_PIXELS

    def add(self, data: bytes) -> str | None:
        """The resource name of a picture, None when it is no picture that can be shown."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._numbers:
            picture = self._jpeg(data) if data[:3] == b"\xff\xd8\xff" else self._png(data)
            if picture is None:
                return None
            self._numbers[digest] = len(self._pictures)
            self._pictures.append(picture)
        return f"Im{self._numbers[digest]}"

    def objects(self, first: int) -> tuple[list[bytes], list[str]]:
        """PDF objects numbered from ``first``, and the entries of the resource dictionary."""
        found: list[bytes] = []
        names = []
        for i, (entries, data, mask) in enumerate(self._pictures):
            opacity = ""
            if mask:
                found.append(_stream(mask, entries.partition("/ColorSpace")[0] + _GRAY))
                opacity = f"/SMask {first + len(found) - 1} 0 R"
            names.append(f"/Im{i} {first + len(found)} 0 R")
            found.append(_stream(data, entries + opacity))
        return found, names

    @staticmethod
    def _jpeg(data: bytes) -> tuple[str, bytes, bytes] | None:
        """JPEG data go into the file as they are."""
        size = jpeg_size(data)
        if size is None or size[0] * size[1] > MAX_PIXELS or size[2] not in _COLOURS:
            return None
        width, height, channels = size
        # Adobe writes four channels inverted.
        decode = "/Decode[1 0 1 0 1 0 1 0]" if channels == 4 else ""
        entries = f"/Width {width}/Height {height}/ColorSpace{_COLOURS[channels]}/BitsPerComponent 8/Filter/DCTDecode"
        return entries + decode, data, b""

    def _png(self, data: bytes) -> tuple[str, bytes, bytes] | None:
        if data[:8] != _PNG or len(data) < 33:
            return None
        width, height = struct.unpack(">II", data[16:24])
        if not 0 < width * height <= min(MAX_PIXELS, self._pixels_left):
            return None
        try:
            decoded = pymupdf.Pixmap(data)
            if decoded.colorspace is None or decoded.colorspace.n != 3:
                decoded = pymupdf.Pixmap(pymupdf.csRGB, decoded)
        except DAMAGE:
            return None
        width, height = decoded.width, decoded.height
        self._pixels_left -= width * height
        rows = np.frombuffer(decoded.samples, np.uint8).reshape(height, width, decoded.n)
        mask = b""
        colours = rows[:, :, :3]
        if decoded.alpha:
            alpha = rows[:, :, 3:4].astype(np.float32)
            # MuPDF multiplies colours by their opacity; a mask wants them plain.
            colours = np.where(alpha > 0, colours * (255.0 / np.maximum(alpha, 1.0)), 255.0).clip(0, 255)
            mask = zlib.compress(np.ascontiguousarray(rows[:, :, 3]).tobytes(), 1)
        entries = f"/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode"
        return entries, zlib.compress(np.ascontiguousarray(colours, np.uint8).tobytes(), 1), mask


_GRAY = "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"


def jpeg_size(data: bytes) -> tuple[int, int, int] | None:
    """(width, height, channels) out of a JPEG's frame header, None without one."""
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width, channels = struct.unpack(">HHB", data[at + 5 : at + 10])
            return (width, height, channels) if width and height else None
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if length < 2:
            return None
        at += 2 + length
    return None


def _stream(data: bytes, entries: str) -> bytes:
    return f"<</Type/XObject/Subtype/Image{entries}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"
