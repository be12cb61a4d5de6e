"""Which character of one text is which of another that shows the same words: ours, and a page's as drawn.

The two differ in running heads, in where notes and text boxes stand, in signs that a font lacks. So: runs of
characters that stand once in both are found first and put in one order (Hunt and Szymanski 1977), what lies
between them is compared more and more closely, and what is left over is looked for out of order.
"""

from __future__ import annotations

import bisect
import difflib
import unicodedata
from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Places = NDArray[np.int64]

#: Lengths of the runs that are looked for, longest first.
_RUNS = (24, 12, 6)
#: What lies between two runs is compared character by character up to so many pairs.
_MOST_PAIRS = 60_000
#: A piece shorter than this is not looked for out of order: it would be found anywhere.
_SHORTEST_PIECE = 4
#: What is looked for of a piece that does not stand there as a whole, and how often anything is looked for.
_SEED, _MOST_TRIES = 12, 2_000
#: A page number is no longer than this.
_LONGEST_END = 6
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
#: Signs that fonts and programs write in several ways.
_ALIKE = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad", "-"),
    **dict.fromkeys("‘’‚′ʼ`", "'"),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("●▪◦·⚫∙◆➢✓§", "•"),
    **dict.fromkeys("☐▢", "□"),
}


def folded(text: str) -> Codes:
    """A code for each code point of ``text``, equal for characters that may be drawn alike; 0 for white space."""
    known = {character: _fold(character) for character in set(text)}
    return np.fromiter((known[character] for character in text), np.uint32, len(text))


def _fold(character: str) -> int:
    if character.isspace():
        return 0
    plain = _ALIKE.get(character) or unicodedata.normalize("NFKC", character).lower()
    plain = plain.strip() or character
    return ord(_ALIKE.get(plain[0], plain[0]))


def aligned(
    ours: Codes, theirs: Codes, line_starts: NDArray[np.bool_]
) -> Generator[None, None, tuple[Places, NDArray[np.bool_]]]:
    """For each of our codes the place of the one of theirs that shows it, -1 without; and which stand in order.

    In short steps; the result is the generator's value.

    Args:
        ours, theirs: codes of :func:`folded`, without white space.
        line_starts: which of theirs begin a line of the page.
    """
    found = np.full(len(ours), -1, np.int64)
    gaps = [(0, len(ours), 0, len(theirs))]
    for run in _RUNS:
        left: list[tuple[int, int, int, int]] = []
        for gap in gaps:
            left.extend(_fill(ours, theirs, found, gap, run))
            yield
        gaps = left
    for gap in gaps:
        _compare(ours, theirs, found, gap)
        yield
    _settle_ends(ours, theirs, found, line_starts)
    in_order = found >= 0
    yield from _out_of_order(ours, theirs, found)
    return found, in_order


def _fill(
    ours: Codes, theirs: Codes, found: Places, gap: tuple[int, int, int, int], run: int
) -> list[tuple[int, int, int, int]]:
    """Match what equal runs of a length tell of a gap (start and end in ours, in theirs); the gaps that are left."""
    a0, a1, b0, b1 = gap
    left = []
    for from_a, from_b in _chain(ours[a0:a1], theirs[b0:b1], run):
        a, b = from_a + gap[0], from_b + gap[2]
        if a < a0 or b < b0:
            continue  # the run before has grown over it
        back = _common(ours[a0:a][::-1], theirs[b0:b][::-1])
        length = _common(ours[a:a1], theirs[b:b1])
        found[a - back : a + length] = np.arange(b - back, b + length)
        if a - back > a0 and b - back > b0:
            left.append((a0, a - back, b0, b - back))
        a0, b0 = a + length, b + length
    if a0 < a1 and b0 < b1:
        left.append((a0, a1, b0, b1))
    return left


def _common(ours: Codes, theirs: Codes) -> int:
    """How many codes are equal at the start of both."""
    count = min(len(ours), len(theirs))
    other = np.flatnonzero(ours[:count] != theirs[:count])
    return int(other[0]) if len(other) else count


def _hashes(codes: Codes, run: int) -> NDArray[np.uint64]:
    """A number for each run of that length, equal for equal runs (and by chance for one pair in 2**64)."""
    count = len(codes) - run + 1
    if count <= 0:
        return np.zeros(0, np.uint64)
    total = np.zeros(count, np.uint64)
    for offset in range(run):
        total = total * _MULTIPLIER + codes[offset : offset + count].astype(np.uint64) + np.uint64(1)
        total ^= total >> np.uint64(29)
    return total


def _once(codes: Codes, run: int) -> dict[int, int]:
    """Where the runs begin that stand only once."""
    values, first, counts = np.unique(_hashes(codes, run), return_index=True, return_counts=True)
    alone = counts == 1
    return dict(zip(values[alone].tolist(), first[alone].tolist(), strict=True))


def _chain(ours: Codes, theirs: Codes, run: int) -> list[tuple[int, int]]:
    """The longest row of runs, each once in both, that comes in the same order in both."""
    here, there = _once(ours, run), _once(theirs, run)
    pairs = sorted((here[key], there[key]) for key in here.keys() & there.keys())
    tails: list[int] = []
    last: list[int] = []
    before = [-1] * len(pairs)
    for index, (_, b) in enumerate(pairs):
        at = bisect.bisect_left(tails, b)
        before[index] = last[at - 1] if at else -1
        if at == len(tails):
            tails.append(b)
            last.append(index)
        else:
            tails[at], last[at] = b, index
    chain = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _compare(ours: Codes, theirs: Codes, found: Places, gap: tuple[int, int, int, int]) -> None:
    """Match a small gap character by character, the longest equal part first; a large one stays."""
    a0, a1, b0, b1 = gap
    if not 0 < (a1 - a0) * (b1 - b0) <= _MOST_PAIRS:
        return
    matcher = difflib.SequenceMatcher(None, ours[a0:a1].tolist(), theirs[b0:b1].tolist(), autojunk=False)
    for block in matcher.get_matching_blocks():
        found[a0 + block.a : a0 + block.a + block.size] = np.arange(b0 + block.b, b0 + block.b + block.size)


def _settle_ends(ours: Codes, theirs: Codes, found: Places, line_starts: NDArray[np.bool_]) -> None:
    """Give a run's last codes to the next one where they fit there too and stood on a line of their own.

    A run that reaches a page's end goes on into its page number: "…paid. 1" before "1. Term" of the next page.
    """
    ends = np.flatnonzero((found[:-1] >= 0) & (found[1:] > found[:-1] + 1))
    for end in ends.tolist():
        last, following = int(found[end]), int(found[end + 1])
        for count in range(1, min(_LONGEST_END, following - last - 1, end + 1) + 1):
            at = end + 1 - count
            if found[at] != last + 1 - count or ours[at] != theirs[following - count]:
                break
            if line_starts[last + 1 - count]:
                found[at : end + 1] = np.arange(following - count, following)
                break


def _out_of_order(ours: Codes, theirs: Codes, found: Places) -> Generator[None, None, None]:
    """Look for what has no place yet among what nobody has taken, wherever it stands; nearest first."""
    free = np.ones(len(theirs), bool)
    free[found[found >= 0]] = False
    search = _Search(np.where(free, theirs, 0))
    for start, end in _spans(found < 0):
        near = int(found[start - 1]) if start and found[start - 1] >= 0 else 0
        piece = _as_text(ours[start:end])
        for low, high, at in search.pieces(piece, near):
            found[start + low : start + high] = np.arange(at, at + high - low)
            yield
        yield


def _as_text(codes: Codes) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _spans(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


class _Search:
    """Finds pieces in what is still free of a text."""

    def __init__(self, codes: Codes) -> None:
        """``codes``: of the text, 0 where it is taken."""
        self._text = _as_text(codes)
        self._tries = _MOST_TRIES

    def pieces(self, piece: str, near: int) -> Iterator[tuple[int, int, int]]:
        """(from, to, place) for the parts of a piece that stand in the text, from its start on; they are then taken.

        The whole first; then, because a line of the page may end inside it, as much as stands there.
        """
        low = 0
        while len(piece) - low >= _SHORTEST_PIECE and self._tries > 0:
            at, high = self._nearest(piece[low:], near), len(piece)
            if at < 0:
                seed = piece[low : low + _SEED]
                at = self._nearest(seed, near)
                if at < 0:
                    low += max(1, len(seed) // 2)
                    continue
                high = low + len(seed)
                while piece[high : high + 1] and self._text[at + high - low : at + high - low + 1] == piece[high]:
                    high += 1
            yield low, high, at
            near = at + high - low
            self._text = self._text[:at] + "\0" * (near - at) + self._text[near:]
            low = high

    def _nearest(self, piece: str, near: int) -> int:
        """Where ``piece`` stands, the place after ``near`` before one in front of it; -1 for nowhere."""
        self._tries -= 1
        after = self._text.find(piece, near)
        return after if after >= 0 else self._text.rfind(piece, 0, near + len(piece))
