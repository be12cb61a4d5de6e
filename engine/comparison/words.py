"""Texts in words, as they are compared: how they are laid out and typed makes no difference.

Line breaks, spaces, full-width forms and curly quotes do not count. A Chinese character is a word of its own, and so is
a run of Chinese numerals: 三十 against 四十五 is one number against another, not a character more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_WORD = re.compile(
    r"[0-9０-９](?:[0-9０-９]|[.,，．](?=[0-9０-９]))*"
    r"|[〇零一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟萬億]+"
    r"|[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[^\W\d_\u3400-\u9fff\uf900-\ufaff]+(?:['’][^\W\d_]+)*"
    r"|[^\s\u00ad\u200b]"
)
_SPACE = re.compile(r"[\s\u00ad\u200b]+")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "­": ""})


class Word(NamedTuple):
    """A word's span in its text, and what it is compared by."""

    start: int
    end: int
    key: str


def plain(text: str) -> str:
    """A text as it is compared, letter case kept: typography and width folded."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_PLAIN)


def words_of(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of ``text[start:end]`` with their spans in ``text``."""
    stop = len(text) if end is None else end
    return [Word(m.start(), m.end(), plain(m.group())) for m in _WORD.finditer(text, start, stop)]


def same_text(text: str) -> str:
    """What two texts have in common when they differ in spaces and typography alone."""
    return _SPACE.sub("", plain(text))


def is_wordless(words: Sequence[Word]) -> bool:
    """Whether there is nothing but punctuation."""
    return not any(character.isalnum() for word in words for character in word.key)
