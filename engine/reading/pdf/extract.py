"""Lines of characters with their boxes from a PDF page, in the frame of the page as displayed."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.reading.mupdf import pymupdf, turned_as_shown
from engine.reading.pdf.fonts import are_words
from engine.reading.pdf.line import HAN, Line, Run, clean_line, narrow_spaces, share_ligatures

#: Ligatures come apart, white space stays, what lies outside the page is left out, images are not loaded.
#: A glyph without a Unicode value comes as U+FFFD, not as its number in the font.
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_BOLD_FLAG = 16
_BOLD_NAME = re.compile(r"bold|black|heavy|-bd\b|simhei", re.IGNORECASE)
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8ff]")
#: A line, or a page, with more unknown characters than this share is not text.
_GARBAGE = 0.4
_NOT_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
_SMALL_WORD = re.compile(r"\b(?:the|of|and|to|in|a|is|or|for|by|no|page)\b", re.IGNORECASE)
#: Languages in Latin letters write at least this share of vowels, over this many letters.
_FEWEST_VOWELS, _ENOUGH_LETTERS = 0.3, 80


@dataclasses.dataclass(slots=True, eq=False)
class PageLines:
    """What stands on a page: its lines in the file's own order, and its size in the reading frame.

    Lines in fonts that do not say what their characters mean are left out, of their characters only the
    number is kept (``unreadable``; ``unmapped`` of them are in fonts without a map). ``annotations``: notes
    and stamps laid over the page, not read.
    """

    index: int
    width: float
    height: float
    lines: list[Line]
    characters: int
    unreadable: int
    upright: bool = True
    annotations: int = 0
    unmapped: int = 0


#: A line before it is cleaned: start, end, quarter turns, size, origin, bold, all bold, end of the leading bold,
#: characters in fonts without a map.
_Head = tuple[int, int, int, float, float, bool, bool, int, int]
#: Codes of symbol fonts that contracts are full of: bullets and boxes to tick.
_DINGBATS = re.compile(r"dingbats|\bZaDb\b", re.IGNORECASE)
_TICKS = str.maketrans({"3": "☑", "4": "☑", "8": "☒", "n": "■", "o": "☐", "q": "☐", "l": "●"})
_SYMBOLS = str.maketrans(
    dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf076\uf06c\uf06e\uf0fc\uf0b2", "•")
    | dict.fromkeys("\uf0a8\uf06f\uf071\uf0a3", "☐")
    | dict.fromkeys("\uf0fe\uf052\uf078", "☑")
)


def extract_page(page: Any, index: int, fonts: frozenset[str] = frozenset()) -> PageLines:
    """All text of a page, boxes on the page as displayed (rotation and crop applied).

    Args:
        page: an open page.
        index: its index.
        fonts: names of its fonts without a map (:class:`engine.reading.pdf.fonts.FontMaps`).
    """
    raw, annotations = _raw_text(page)
    matrix = turned_as_shown(page)
    texts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    heads: list[_Head] = []
    guessed: list[str] = []
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            head = _read_line(line, matrix, texts, boxes, fonts, guessed)
            if head is not None:
                heads.append(head)
    # Several times faster than an array of the list of tuples.
    rect = np.fromiter(itertools.chain.from_iterable(boxes), np.float32, 4 * len(boxes)).reshape(-1, 4)
    characters = "".join(texts)
    share_ligatures(characters, rect)
    narrow = narrow_spaces(characters, rect)
    if page.rotation:
        rect = _turned(rect, matrix)
    # What MuPDF guessed for a font without a map counts as text only where it reads like some.
    unmapped = 0 if are_words("".join(guessed)) else sum(map(len, guessed))
    main = _main_turn(heads)
    bounds = page.rect
    width, height = (bounds.width, bounds.height) if main % 2 == 0 else (bounds.height, bounds.width)
    lines = []
    for start, end, turn, size, origin, bold, all_bold, bold_end, guesses in heads:
        if unmapped and guesses > _GARBAGE * (end - start):
            continue
        made = clean_line(
            characters[start:end], rect[start:end], narrow[start:end], Run(size, bold, all_bold, bold_end)
        )
        if made is not None:
            made.turned = (turn - main) % 4
            made.page = index
            _place(made, main, bounds.width, bounds.height, origin)
            lines.append(made)
    unreadable = len(_UNKNOWN.findall(characters))
    if _is_garbled(characters):
        unreadable = len(characters)
    if unreadable:
        whole = unreadable > _GARBAGE * len(characters)
        lines = [line for line in lines if not whole and len(_UNKNOWN.findall(line.text)) <= _GARBAGE * len(line.text)]
    unreadable = max(unreadable, unmapped)
    kept = _without_overprints(lines)
    upright = main == 0
    return PageLines(index, width, height, kept, len(characters), unreadable, upright, annotations, unmapped)


def _raw_text(page: Any) -> tuple[dict[str, Any], int]:
    """MuPDF's raw text of a page with the values of its form fields, and how many annotations were left out."""
    annotations = sum(1 for annotation in page.annots() if annotation.type[0] != pymupdf.PDF_ANNOT_POPUP)
    if not annotations:
        raw: dict[str, Any] = page.get_text("rawdict", flags=_FLAGS)
        return raw, 0
    # What stands in notes and stamps laid over the page is no part of the contract's text.
    library = pymupdf.mupdf
    rotation = page.rotation
    page.set_rotation(0)
    try:
        sheet = page.this if isinstance(page.this, library.FzPage) else page.this.super()
        text = library.FzStextPage(library.fz_bound_page(sheet))
        device = library.fz_new_stext_device(text, library.FzStextOptions(_FLAGS))
        library.fz_run_page_contents(sheet, device, library.FzMatrix(), library.FzCookie())
        library.fz_run_page_widgets(sheet, device, library.FzMatrix(), library.FzCookie())
        library.fz_close_device(device)
    finally:
        page.set_rotation(rotation)
    raw = pymupdf.TextPage(text).extractRAWDICT()
    return raw, annotations


def _is_garbled(characters: str) -> bool:
    """Latin letters that cannot be words: a font whose codes were shifted ("WKH" for "the")."""
    letters = characters.encode("ascii", "ignore").translate(None, _NOT_LETTERS)
    if len(letters) < _ENOUGH_LETTERS:
        return False
    consonants = len(letters.translate(None, b"aeiouyAEIOUY"))
    few = len(letters) - consonants < _FEWEST_VOWELS * len(letters)
    return few and HAN.search(characters) is None and _SMALL_WORD.search(characters) is None


def _read_line(
    line: dict[str, Any],
    matrix: Any,
    texts: list[str],
    boxes: list[tuple[float, float, float, float]],
    fonts: frozenset[str],
    guessed: list[str],
) -> _Head | None:
    start = len(boxes)
    guesses = 0
    bold_end = 0
    all_bold = True
    size = 0.0
    longest = 0
    origin = 0.0
    for span in line["spans"]:
        characters = span["chars"]
        if not characters:
            continue
        text = "".join([character["c"] for character in characters])
        if not text.isascii() or _DINGBATS.search(span["font"]):
            text = text.translate(_TICKS if _DINGBATS.search(span["font"]) else _SYMBOLS)
        if len(text) > longest and not text.isspace():
            size, longest = span["size"], len(text)
        bold = (
            bool(span["flags"] & _BOLD_FLAG)
            or bool(_BOLD_NAME.search(span["font"]))
            or bool(span.get("char_flags", 0) & 8)
        )
        if not text.isspace():
            if bold and bold_end == len(boxes) - start:
                bold_end += len(text)
            all_bold = all_bold and bold
        elif bold_end == len(boxes) - start:
            bold_end += len(text)
        if fonts and span["font"] in fonts:
            guessed.append(text)
            guesses += len(text)
        texts.append(text)
        boxes.extend([character["bbox"] for character in characters])
    if len(boxes) == start:
        return None
    dx, dy = line["dir"]
    dx, dy = dx * matrix.a + dy * matrix.c, dx * matrix.b + dy * matrix.d
    turn = round(math.degrees(math.atan2(dy, dx)) / 90) % 4
    return start, len(boxes), turn, size, origin, bold_end > 0, all_bold, bold_end, guesses


def _turned(rect: NDArray[np.float32], matrix: Any) -> NDArray[np.float32]:
    x = rect[:, [0, 2]].astype(np.float64)
    y = rect[:, [1, 3]].astype(np.float64)
    new_x = x * matrix.a + y * matrix.c + matrix.e
    new_y = x * matrix.b + y * matrix.d + matrix.f
    return np.stack([new_x.min(1), new_y.min(1), new_x.max(1), new_y.max(1)], axis=1).astype(np.float32)


def _main_turn(heads: list[_Head]) -> int:
    weight = [0, 0, 0, 0]
    for start, end, turn, *_ in heads:
        weight[turn] += end - start
    return max(range(4), key=lambda turn: (weight[turn], turn == 0))


def _place(line: Line, main: int, width: float, height: float, _origin: float) -> None:
    """Bounds in the reading frame: the page turned back so that most of its text runs to the right."""
    low = line.rect[:, :2].min(axis=0)
    high = line.rect[:, 2:].max(axis=0)
    x0, y0, x1, y1 = float(low[0]), float(low[1]), float(high[0]), float(high[1])
    if main == 1:
        x0, y0, x1, y1 = y0, width - x1, y1, width - x0
    elif main == 2:
        x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
    elif main == 3:
        x0, y0, x1, y1 = height - y1, x0, height - y0, x1
    line.x0, line.y0, line.x1, line.y1 = x0, y0, x1, y1
    line.baseline = y1 - 0.2 * (y1 - y0)


def _without_overprints(lines: list[Line]) -> list[Line]:
    """Drop a line printed a second time over itself (fake bold, stamps laid twice)."""
    seen: dict[tuple[str, int, int], Line] = {}
    kept = []
    for line in lines:
        key = (line.text, round(line.x0 / 3), round(line.y0 / 3))
        if key in seen:
            continue
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                seen[key[0], key[1] + dx, key[2] + dy] = line
        kept.append(line)
    return kept
