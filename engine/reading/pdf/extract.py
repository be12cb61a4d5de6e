"""Lines of characters with their boxes from a PDF page, in the frame of the page as displayed."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.reading.mupdf import pymupdf

#: Ligatures come apart, white space stays, what lies outside the page is left out, images are not loaded.
#: A glyph without a Unicode value comes as U+FFFD, not as its number in the font.
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_BOLD_FLAG = 16
_BOLD_NAME = re.compile(r"bold|black|heavy|-bd\b|simhei", re.IGNORECASE)
_DROPPED = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")
_HAN = "\u3400-\u9fff\uf900-\ufaff\u3000-\u303f\uff00-\uffef"
_HAN_SPACE = re.compile(f"(?<=[{_HAN}]) (?=[{_HAN}])")
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8ff]")
_LATIN = re.compile("[A-Za-z]")
_SMALL_WORD = re.compile(r"\b(?:the|of|and|to|in|a|is|or|for|by|no|page)\b", re.IGNORECASE)
#: Languages in Latin letters write at least this share of vowels, over this many letters.
_FEWEST_VOWELS, _ENOUGH_LETTERS = 0.3, 80
_HAN_WIDE = re.compile(f"[{_HAN}]")


@dataclasses.dataclass(slots=True, eq=False)
class Line:
    """A run of characters on one baseline.

    Attributes:
        text: the characters, single spaces only, none at the ends.
        rect: float32 ``[len(text), 4]``, boxes in points on the page as displayed.
        x0, y0, x1, y1: bounds in the reading frame, in which the page's main direction runs left to right.
        size: font size in points (of the longest run), baseline: y of the baseline in the reading frame.
        bold: the first characters are bold; all_bold: all are. bold_end: offset where the leading bold run ends.
        turned: quarter turns away from the page's main direction (0 for ordinary text).
    """

    text: str
    rect: NDArray[np.float32]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    baseline: float
    bold: bool
    all_bold: bool
    bold_end: int
    turned: int = 0
    page: int = 0
    column: int = 0

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """In points."""
        return self.y1 - self.y0


@dataclasses.dataclass(slots=True, eq=False)
class PageLines:
    """What stands on a page: its lines in the file's own order, and its size in the reading frame."""

    index: int
    width: float
    height: float
    lines: list[Line]
    characters: int
    unreadable: int
    upright: bool = True


def extract_page(page: Any, index: int) -> PageLines:
    """All text of a page, boxes on the page as displayed (rotation and crop applied)."""
    raw = page.get_text("rawdict", flags=_FLAGS)
    matrix = page.rotation_matrix
    texts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    heads: list[tuple[int, int, int, float, float, bool, bool, int]] = []
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            head = _read_line(line, matrix, texts, boxes)
            if head is not None:
                heads.append(head)
    rect = np.array(boxes, np.float32).reshape(-1, 4)
    if page.rotation:
        rect = _turned(rect, matrix)
    main = _main_turn(heads)
    bounds = page.rect
    width, height = (bounds.width, bounds.height) if main % 2 == 0 else (bounds.height, bounds.width)
    lines = []
    characters = "".join(texts)
    for start, end, turn, size, origin, bold, all_bold, bold_end in heads:
        made = _clean(characters[start:end], rect[start:end], size, bold, all_bold, bold_end)
        if made is not None:
            made.turned = (turn - main) % 4
            made.page = index
            _place(made, main, bounds.width, bounds.height, origin)
            lines.append(made)
    unreadable = len(_UNKNOWN.findall(characters))
    if _is_garbled(characters):
        unreadable = len(characters)
    return PageLines(index, width, height, _without_overprints(lines), len(characters), unreadable, main == 0)


def _is_garbled(characters: str) -> bool:
    """Latin letters that cannot be words: a font whose codes were shifted ("WKH" for "the")."""
    letters = _LATIN.findall(characters)
    if len(letters) < _ENOUGH_LETTERS or _HAN_WIDE.search(characters):
        return False
    vowels = sum(letter in "aeiouyAEIOUY" for letter in letters)
    return vowels < _FEWEST_VOWELS * len(letters) and _SMALL_WORD.search(characters) is None


def _read_line(
    line: dict[str, Any], matrix: Any, texts: list[str], boxes: list[tuple[float, float, float, float]]
) -> tuple[int, int, int, float, float, bool, bool, int] | None:
    start = len(boxes)
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
        texts.append(text)
        boxes.extend([character["bbox"] for character in characters])
    if len(boxes) == start:
        return None
    dx, dy = line["dir"]
    dx, dy = dx * matrix.a + dy * matrix.c, dx * matrix.b + dy * matrix.d
    turn = round(math.degrees(math.atan2(dy, dx)) / 90) % 4
    return start, len(boxes), turn, size, origin, bold_end > 0, all_bold, bold_end


def _turned(rect: NDArray[np.float32], matrix: Any) -> NDArray[np.float32]:
    x = rect[:, [0, 2]].astype(np.float64)
    y = rect[:, [1, 3]].astype(np.float64)
    new_x = x * matrix.a + y * matrix.c + matrix.e
    new_y = x * matrix.b + y * matrix.d + matrix.f
    return np.stack([new_x.min(1), new_y.min(1), new_x.max(1), new_y.max(1)], axis=1).astype(np.float32)


def _main_turn(heads: list[tuple[int, int, int, float, float, bool, bool, int]]) -> int:
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


def _clean(text: str, rect: NDArray[np.float32], size: float, bold: bool, all_bold: bool, bold_end: int) -> Line | None:
    """Single spaces, no invisible characters, no spaces between Han characters; boxes follow."""
    plain = (
        text.replace("\xa0", " ")
        .replace("\t", " ")
        .replace("\n", " ")
        .replace("\r", " ")
        .replace("\u3000", " ")
        .replace("\u2002", " ")
        .replace("\u2003", " ")
    )
    if not plain.strip():
        return None
    if "  " in plain or plain[0] == " " or plain[-1] == " " or _DROPPED.search(plain):
        keep = []
        before = " "
        for place, character in enumerate(plain):
            if _DROPPED.match(character) or (character == " " and before == " "):
                continue
            keep.append(place)
            before = character
        while keep and plain[keep[-1]] == " ":
            keep.pop()
        if not keep:
            return None
        bold_end = sum(1 for place in keep if place < bold_end)
        plain, rect = "".join([plain[place] for place in keep]), rect[keep]
    if _HAN_WIDE.search(plain) and " " in plain:
        plain, rect = _without_han_spaces(plain, rect, size)
    return Line(plain, rect, 0, 0, 0, 0, size, 0, bold, all_bold, min(bold_end, len(plain)))


def _without_han_spaces(text: str, rect: NDArray[np.float32], size: float) -> tuple[str, NDArray[np.float32]]:
    places = [match.start() for match in _HAN_SPACE.finditer(text)]
    dropped = set()
    letter_spaced = all(len(word) == 1 for word in text.split(" "))
    for place in places:
        spaced_out = place + 2 < len(text) and (text[place + 2] == " " or (place >= 2 and text[place - 2] == " "))
        gap = abs(float(rect[place + 1, 0]) - float(rect[place - 1, 2]))
        # A wider gap is a blank to fill in, or a column.
        if letter_spaced or gap < (1.3 if spaced_out else 0.4) * size:
            dropped.add(place)
    if not dropped:
        return text, rect
    keep = [place for place in range(len(text)) if place not in dropped]
    return "".join(text[place] for place in keep), rect[keep]


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
