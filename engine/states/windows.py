"""Texts longer than an encoder takes, cut into windows that overlap.

The first window is what the encoder would have kept of the text anyway, so a text's vector does not change; the later
ones give the rest of its tokens their states. Each begins with the marks and the prefix that the first began with, and
repeats the last :data:`OVERLAP` tokens before it as context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: Tokens of the window before that are read again for context; their first states are kept.
OVERLAP = 24
#: 24 windows of 256 tokens hold more than 5,000 tokens; what a text has beyond them is left out and said so.
MOST_WINDOWS = 24


class Window(NamedTuple):
    """Some tokens of a text.

    Attributes:
        text: the text's index.
        ids: what the encoder reads, marks and prefix included.
        kept: positions in ``ids`` whose states are kept.
        spans: the kept tokens' places in the text, the prefix not counted.
        first: whether the text's vector comes from this one.
        cut: whether the text goes on after the last window.
    """

    text: int
    ids: list[int]
    kept: list[int]
    spans: list[tuple[int, int]]
    first: bool
    cut: bool


def split(
    text: int, ids: Sequence[int], offsets: Sequence[tuple[int, int]], limit: int, skip: int, *, all_windows: bool
) -> list[Window]:
    """The windows of one text.

    Args:
        text: its index.
        ids, offsets: of the whole text, with one special token at each end; a special token's offset is (0, 0).
        limit: most tokens of a window, special ones included.
        skip: code points of the prefix.
        all_windows: False gives the first one only.
    """
    head = 1
    while head < len(ids) - 1 and offsets[head][1] <= skip:
        head += 1
    start_marks, end_mark = list(ids[:head]), ids[-1]
    body = range(head, len(ids) - 1)
    room = limit - head - 1
    found: list[Window] = []
    at = 0
    while True:
        context = OVERLAP if found else 0
        part = body[max(0, at - context) : at - context + room]
        fresh = [t for t in part[context:] if offsets[t][1] > max(offsets[t][0], skip)]
        positions = {t: head + i for i, t in enumerate(part)}
        at = at - context + room
        last = at >= len(body) or len(found) + 1 >= MOST_WINDOWS or not all_windows
        found.append(
            Window(
                text,
                [*start_marks, *(ids[t] for t in part), end_mark],
                [positions[t] for t in fresh],
                [(max(0, offsets[t][0] - skip), offsets[t][1] - skip) for t in fresh],
                not found,
                last and at < len(body),
            )
        )
        if last:
            return found
