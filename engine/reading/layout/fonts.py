"""The built-in faces and their glyphs: which face shows a character, how wide it is, its glyph number.

Widths are rounded to 1/1000 em, because that is what a PDF's width array holds and what MuPDF reads
from it: so the pen positions computed here and those of the drawn page agree exactly.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.reading.mupdf import pymupdf

#: (MuPDF name, PDF name, ascent, descent of the boxes in em). Index = face number. The first eight are
#: two families of regular, bold, italic, bold italic. Ascents cover accented capitals.
FACES: tuple[tuple[str, str, float, float], ...] = (
    ("tiro", "Antinomy-Serif", 0.93, -0.25),
    ("tibo", "Antinomy-SerifBold", 0.93, -0.25),
    ("tiit", "Antinomy-SerifItalic", 0.93, -0.25),
    ("tibi", "Antinomy-SerifBoldItalic", 0.93, -0.25),
    ("helv", "Antinomy-Sans", 0.96, -0.25),
    ("hebo", "Antinomy-SansBold", 0.96, -0.25),
    ("heit", "Antinomy-SansItalic", 0.96, -0.25),
    ("hebi", "Antinomy-SansBoldItalic", 0.96, -0.25),
    ("cour", "Antinomy-Mono", 0.9, -0.25),
    ("china-s", "Antinomy-Han", 0.95, -0.25),
    ("zadb", "Antinomy-Dingbats", 0.9, -0.25),
    ("symb", "Antinomy-Symbol", 0.95, -0.3),
)
SERIF, SANS, MONO, HAN = 0, 4, 8, 9
#: Faces tried, in this order, for what the wanted face lacks.
FALLBACKS = (HAN, 10, 11, SERIF)
#: Not a face: an empty frame is drawn for a character that no face has.
MISSING = len(FACES)
MISSING_ADVANCE = 0.6
#: Not a face either: drawn as nothing (spaces, controls), the width counts.
BLANK = MISSING + 1

#: Not a face either: boxes to tick are drawn by hand, because the faces' own are too small or lacking.
TICK = BLANK + 1
TICK_ADVANCE = 0.9
CHECKED, CROSSED = frozenset("☑🗹"), frozenset("☒🗷⌧")
TICK_BOXES = frozenset("□☐◻▢⬜❏❐❑❒") | CHECKED | CROSSED

#: Shown in place of a character that has a look but no glyph in the built-in faces.
LOOK_ALIKES = {
    0x00A0: 0x20, 0x202F: 0x20, 0x2010: 0x2D, 0x2011: 0x2D, 0x2012: 0x2013, 0x2015: 0x2014,
    0x2212: 0x2013, 0x25AA: 0x25A0, 0x25AB: 0x25A1,
    0x2043: 0x2D, 0x2023: 0x25B6, 0x2027: 0xB7, 0x30FB: 0xB7, 0x25E6: 0x25CB, 0x223C: 0x7E, 0x2219: 0xB7,
}  # fmt: skip

#: Superscript characters → the plain ones that are drawn raised for them.
SUPERSCRIPTS = {ord(s): ord(p) for s, p in zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁱᵛˣˡᶜᵈᵐ", "0123456789ivxlcdm", strict=True)}
LOOK_ALIKES.update({s: p for s, p in SUPERSCRIPTS.items() if s not in (0xB9, 0xB2, 0xB3)})

#: Of no width at all: zero-width space and joiners, marks of direction, soft hyphen, byte order mark.
ZERO_WIDTH = frozenset(
    [0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10)]
)
#: Widths in em of spaces that draw nothing; the ordinary ones are drawn as the face's own space.
_SPACES = {
    0x2000: 0.5, 0x2001: 1.0, 0x2002: 0.5, 0x2003: 1.0, 0x2004: 0.333, 0x2005: 0.25,
    0x2006: 0.167, 0x2007: 0.5, 0x2008: 0.25, 0x2009: 0.2, 0x200A: 0.1, 0x205F: 0.222, 0x3000: 1.0,
    0x1680: 0.5,
}  # fmt: skip


@lru_cache(maxsize=len(FACES))
def font(face: int) -> Any:
    """The MuPDF font of a face; loaded once a process (it holds no state of a document)."""
    return pymupdf.Font(FACES[face][0])


@dataclasses.dataclass(frozen=True, slots=True)
class Glyphs:
    """For each code point of a text: ``face`` uint8, ``glyph`` uint16, ``advance`` float64 in em.

    ``distinct`` lists each (face, glyph, code point, advance) once.
    """

    face: NDArray[np.uint8]
    glyph: NDArray[np.uint16]
    advance: NDArray[np.float64]
    distinct: list[tuple[int, int, int, float]]


def _blank_advance(code: int) -> float | None:
    """Width in em of a character that draws nothing, None for one that draws."""
    if code in _SPACES:
        return _SPACES[code]
    if code < 0x20 or 0x7F <= code < 0xA0 or code in ZERO_WIDTH or 0xE0000 <= code < 0xE0200:
        return 0.0
    return None


def _advance(face: int, code: int) -> tuple[int, float]:
    """Glyph number (0: the face lacks it) and advance in em."""
    chosen = font(face)
    glyph = int(chosen.has_glyph(code))
    return glyph, round(chosen.glyph_advance(code) * 1000) / 1000 if glyph else 0.0


@lru_cache(maxsize=1 << 16)
def resolve(wanted: int, code: int) -> tuple[int, int, float]:
    """(face, glyph, advance in em) of one character, the wanted face first."""
    if chr(code) in TICK_BOXES:
        return TICK, 0, TICK_ADVANCE
    blank = _blank_advance(code)
    if blank is not None:
        return BLANK, 0, blank
    for shown in (code, LOOK_ALIKES.get(code)):
        if shown is None:
            continue
        for face in (wanted, *FALLBACKS):
            glyph, advance = _advance(face, shown)
            if glyph:
                return face, glyph, advance
    return MISSING, 0, MISSING_ADVANCE


def glyphs(codes: NDArray[np.uint32], wanted: NDArray[np.uint8]) -> Glyphs:
    """Faces, glyphs and widths of a whole text; one look-up per distinct (face, character).

    Args:
        codes: uint32 ``[n]``, what is shown (capitals already applied).
        wanted: uint8 ``[n]``, face numbers.
    """
    keys = (wanted.astype(np.uint32) << 24) | codes
    distinct, inverse = np.unique(keys, return_inverse=True)
    found = [resolve(int(key) >> 24, int(key) & 0xFFFFFF) for key in distinct]
    face = np.array([f for f, _, _ in found], np.uint8)
    glyph = np.array([g for _, g, _ in found], np.uint16)
    advance = np.array([a for _, _, a in found], np.float64)
    listed = [(f, g, int(key) & 0xFFFFFF, a) for key, (f, g, a) in zip(distinct, found, strict=True)]
    return Glyphs(face[inverse], glyph[inverse], advance[inverse], listed)
