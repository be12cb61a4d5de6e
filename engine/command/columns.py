"""Text on a terminal: a Chinese character takes two columns, a contract's control characters do nothing."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """``text`` with spaces for white space and ``·`` for what would steer the terminal or turn the writing round.

    One character for each, so that spans still fit.
    """
    return "".join(
        " " if c.isspace() else "·" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") else c for c in text
    )


def width(text: str) -> int:
    """How many columns a terminal gives to ``text`` (Unicode Standard Annex 11: wide and full-width take two)."""
    return sum(_width(c) for c in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cc", "Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clip(text: str, columns: int) -> str:
    """The beginning of ``text`` that fits into ``columns``, with an ellipsis when something is missing."""
    if width(text) <= columns:
        return text
    kept, used = [], 0
    for character in text:
        used += _width(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def wrap(text: str, columns: int) -> list[str]:
    """``text`` in lines of at most ``columns``: broken at spaces, and between Chinese characters."""
    lines: list[str] = []
    line, used = "", 0
    for word in _words(printable(text)):
        needed = width(word.rstrip())
        if line and used + needed > columns:
            lines.append(line.rstrip())
            line, used = "", 0
        line += word
        used += width(word)
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return lines


def _words(text: str) -> list[str]:
    """Pieces that a line may end after, each with the spaces behind it."""
    words: list[str] = []
    current = ""
    for character in text:
        starts = bool(current) and (
            (current[-1].isspace() and not character.isspace())
            or (_width(character) == 2 and unicodedata.category(character) == "Lo")
        )
        if starts:
            words.append(current)
            current = ""
        current += character
    if current:
        words.append(current)
    return words


def shorten(text: str, columns: int, around: tuple[int, int] | None = None) -> str:
    """``text`` on one line of at most ``columns``, with what stands at ``around`` (a span in it) kept in sight."""
    flat = printable(text)
    if width(flat) <= columns:
        return " ".join(flat.split())
    start, end = around or (0, 0)
    centre = (start + end) // 2
    # Widen to both sides of the middle until the columns are full; two of them go to ellipses.
    left = right = min(centre, len(flat))
    room = columns - 2
    while room > 0 and (left > 0 or right < len(flat)):
        grew = False
        if right < len(flat) and (w := _width(flat[right])) <= room:
            room, right, grew = room - w, right + 1, True
        if left > 0 and (w := _width(flat[left - 1])) <= room:
            room, left, grew = room - w, left - 1, True
        if not grew:
            break
    if left > 0 and (space := flat.find(" ", left, left + 15)) >= 0 and space < (start or len(flat)):
        left = space + 1
    if right < len(flat) and (space := flat.rfind(" ", max(right - 15, end), right)) > 0:
        right = space
    head, tail = "…" if left > 0 else "", "…" if right < len(flat) else ""
    return head + " ".join(flat[left:right].split()) + tail
