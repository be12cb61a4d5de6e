"""A line of a PDF page: its characters cleaned, a box for each."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
from numpy.typing import NDArray

_DROPPED = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")
_HAN = "\u3400-\u9fff\uf900-\ufaff\u3000-\u303f\uff00-\uffef"
_HAN_SPACE = re.compile(f"(?<=[{_HAN}]) (?=[{_HAN}])")
#: Full-width marks bring their own space.
_FULL_WIDTH_SPACE = re.compile(r"(?<=[，。；：！？、（《]) (?=\S)|(?<=\S) (?=[，。；：！？、）》])")
HAN = re.compile(f"[{_HAN}]")
#: Letters that ligatures are made of.
_LIGATED = frozenset("fijltshkbTAEOaeo")


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
        confidence: float32 ``[len(text)]`` of characters recognised in a picture, None for text.
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
    confidence: NDArray[np.float32] | None = None

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """In points."""
        return self.y1 - self.y0


@dataclasses.dataclass(frozen=True, slots=True)
class Run:
    """The look of a line as the file has it: see :class:`Line`."""

    size: float
    bold: bool
    all_bold: bool
    bold_end: int


def share_ligatures(characters: str, rect: NDArray[np.float32]) -> None:
    """Give each letter of a ligature its share of the box, which MuPDF gives to the first; boxes are changed in place.

    Args:
        characters: in the order of the file.
        rect: float32 ``[len(characters), 4]``, before the page is turned.
    """
    places = np.flatnonzero(rect[:, 2] <= rect[:, 0])
    letters = [place for place in places.tolist() if place and characters[place] in _LIGATED]
    for first, last in _neighbours(letters):
        head = rect[first - 1]
        if characters[first - 1] not in _LIGATED or (rect[first : last + 1, [1, 3]] != head[[1, 3]]).any():
            continue
        edges = np.linspace(head[0], head[2], last - first + 3, dtype=np.float32)
        rect[first - 1 : last + 1, 0], rect[first - 1 : last + 1, 2] = edges[:-1], edges[1:]


def _neighbours(places: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of consecutive numbers."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place - 1:
            found[-1] = found[-1][0], place
        else:
            found.append((place, place))
    return found


def narrow_spaces(characters: str, rect: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Per character, whether it is a space with no room between its neighbours ("N DA" set as "NDA")."""
    narrow = np.zeros(len(characters), np.bool_)
    codes = np.frombuffer(characters.encode("utf-32-le", "surrogatepass"), np.uint32)
    places = np.flatnonzero(codes[1:-1] == 32) + 1
    if len(places):
        gap = rect[places + 1, 0] - rect[places - 1, 2]
        height = rect[places, 3] - rect[places, 1]
        narrow[places] = (gap < 0.04 * height) & (gap > -0.5 * height)
    return narrow


def clean_line(text: str, rect: NDArray[np.float32], narrow: NDArray[np.bool_], run: Run) -> Line | None:
    """Single spaces, no invisible characters, no spaces between Han characters; boxes follow.

    Args:
        text, rect: the characters and their boxes.
        narrow: see :func:`narrow_spaces`.
        run: their look.
    """
    bold_end = run.bold_end
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
    if "  " in plain or plain[0] == " " or plain[-1] == " " or narrow.any() or _DROPPED.search(plain):
        keep = []
        before = " "
        for place, character in enumerate(plain):
            if narrow[place] or _DROPPED.match(character) or (character == " " and before == " "):
                continue
            keep.append(place)
            before = character
        while keep and plain[keep[-1]] == " ":
            keep.pop()
        if not keep:
            return None
        bold_end = sum(1 for place in keep if place < bold_end)
        plain, rect = "".join([plain[place] for place in keep]), rect[keep]
    if HAN.search(plain) and " " in plain:
        plain, rect = _without_han_spaces(plain, rect, run.size)
    return Line(plain, rect, 0, 0, 0, 0, run.size, 0, run.bold, run.all_bold, min(bold_end, len(plain)))


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
    for match in _FULL_WIDTH_SPACE.finditer(text):
        place = match.start()
        if abs(float(rect[place + 1, 0]) - float(rect[place - 1, 2])) < 1.15 * size:
            dropped.add(place)
    if not dropped:
        return text, rect
    keep = [place for place in range(len(text)) if place not in dropped]
    return "".join(text[place] for place in keep), rect[keep]
