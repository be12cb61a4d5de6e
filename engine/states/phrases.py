"""Many phrases found in a text at once, the longest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Found(NamedTuple):
    """A phrase in a text: the key it was given, and where."""

    key: str
    start: int
    end: int


_WORDS = re.compile(r"[a-z]")
_NO_PHRASE = re.compile(r"(?!)")


class Phrases:
    """Phrases with a key each; several may share a key.

    The same phrase keeps the first of two keys; with ``several`` it keeps them all and is found once for each. English
    phrases match whole words, whatever their case, and with a plural ``s``; Chinese ones match anywhere.
    """

    def __init__(self, phrases: Iterable[tuple[str, str]], *, several: bool = False) -> None:
        self._keys: dict[str, tuple[str, ...]] = {}
        for phrase, key in phrases:
            before = self._keys.get(_folded(phrase), ())
            if not before or (several and key not in before):
                self._keys[_folded(phrase)] = (*before, key)
        ordered = sorted(self._keys, key=lambda phrase: (-len(phrase), phrase))
        spelled = [_pattern(phrase) for phrase in ordered if _WORDS.match(phrase)]
        others = [_pattern(phrase) for phrase in ordered if not _WORDS.match(phrase)]
        # The look-around stands outside the alternatives: so a place is ruled out by its first letter.
        self._spelled = (
            re.compile(rf"(?<![a-z-])(?:{'|'.join(spelled)})(?:e?s)?(?![a-z-])") if spelled else _NO_PHRASE
        )
        self._others = re.compile("|".join(others)) if others else _NO_PHRASE

    def find(self, text: str) -> list[Found]:
        """The phrases in a text, in order; of two that overlap in one script the earlier, then the longer."""
        folded = text.lower()
        if len(folded) != len(text):
            # A letter whose lower case is longer (İ) would move all spans after it.
            folded = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        folded = folded.replace("’", "'")
        found = [
            Found(key, m.start(), m.end())
            for pattern in (self._spelled, self._others)
            for m in pattern.finditer(folded)
            for key in self._keys_of(m.group())
        ]
        return sorted(found, key=lambda hit: hit.start)

    def _keys_of(self, words: str) -> tuple[str, ...]:
        joined = " ".join(words.split())
        forms = (joined, joined.removesuffix("s"), joined.removesuffix("es"))
        return next(self._keys[form] for form in forms if form in self._keys)


def _folded(phrase: str) -> str:
    return " ".join(phrase.lower().replace("’", "'").split())


def _pattern(phrase: str) -> str:
    return r"\s+".join(re.escape(word) for word in phrase.split(" "))
