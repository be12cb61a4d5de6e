"""Fonts that do not say which characters their glyphs stand for.

A simple font needs an encoding, a composite one a ``ToUnicode`` map (ISO 32000-1, 9.10.2). Without them MuPDF
guesses; for some files the guess is right, for others it gives characters that nobody wrote, and no sign of it.
"""

from __future__ import annotations

import re
from typing import Any

_SUBSET = re.compile(r"^[A-Z]{6}\+")
#: So few characters, or so few different ones, are bullets and boxes rather than words.
_FEWEST, _FEWEST_KINDS = 4, 3
#: Words are letters, digits and common marks but for this share; and their Latin letters have vowels.
_WORD_SHARE, _VOWEL_SHARE = 0.7, 0.2
_WORDY = re.compile(r"[\w\s.,;:()’'“”\"/-]")
_LATIN = re.compile("[A-Za-z]")
_RARE = re.compile("[\ufffd\ue000-\uf8ff]")


class FontMaps:
    """Knows the fonts of one open PDF."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._unmapped: dict[int, bool] = {}
        self._by_resources: dict[str, frozenset[str]] = {}

    def unmapped(self, page: int) -> frozenset[str]:
        """The names, as MuPDF gives them with the text, of a page's fonts without a map.

        Raises:
            DAMAGE: the page's fonts cannot be listed (see :mod:`engine.reading.mupdf`).
        """
        resources: str = self._file.xref_get_key(self._file.page_xref(page), "Resources/Font")[1]
        known = self._by_resources.get(resources)
        if known is None:
            known = self._listed(page)
            # Without a dictionary of its own a page has that of a node above it, which may be another's.
            if resources != "null":
                self._by_resources[resources] = known
        return known

    def _listed(self, page: int) -> frozenset[str]:
        found = set()
        for xref, extension, kind, name, _, encoding, *_ in self._file.get_page_fonts(page):
            if xref not in self._unmapped:
                self._unmapped[xref] = self._has_no_map(xref, extension, kind, encoding)
            if self._unmapped[xref]:
                found.add(_SUBSET.sub("", name))
        return frozenset(found)

    def _has_no_map(self, xref: int, extension: str, kind: str, encoding: str) -> bool:
        if xref <= 0 or self._file.xref_get_key(xref, "ToUnicode")[0] != "null":
            return False
        if kind == "Type3":
            return True
        # A font that is not embedded is one that everybody knows.
        embedded = extension not in ("", "n/a")
        return embedded and ((kind == "TrueType" and not encoding) or (kind == "Type0" and "Identity" in encoding))


def are_words(text: str) -> bool:
    """Whether what MuPDF guessed for a font without a map can be words after all (or is a few bullets)."""
    characters = [character for character in text if not character.isspace()]
    if len(characters) < _FEWEST or len(set(characters)) < _FEWEST_KINDS:
        return True
    if len(_RARE.findall(text)) > 0.1 * len(characters):
        return False
    if len(_WORDY.findall(text)) < _WORD_SHARE * len(text):
        return False
    latin = _LATIN.findall(text)
    if len(latin) < 0.3 * len(characters):
        return any(ord(character) > 0x2E80 for character in characters) or any(c.isdigit() for c in characters)
    return sum(letter in "aeiouyAEIOUY" for letter in latin) >= _VOWEL_SHARE * len(latin)
