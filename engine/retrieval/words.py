"""Words as the lexical index knows them: English ones as they are (FTS5 stems them), Chinese as pairs of characters."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"[a-z0-9]+(?:\.[0-9]+)*|[\u3400-\u9fff]+")
#: Words that stand in every clause, or that a question is made of.
_COMMON_ENGLISH = (
    "a an and any are as at be been being but by can did do does for from had has have hereby herein hereof hereto how "
    "i if in into is it its may me must my no not of on or other our shall should so such than that the their them "
    "then there thereof these they this those to under up upon was we were what when where which who whom whose why "
    "will with within would you your document contract agreement consider indicate mention state"
)
_COMMON = frozenset(_COMMON_ENGLISH.split())
_COMMON_CHINESE = frozenset("的了和与或在是为吗呢其该本应可将对由及按以被把也")


def index_words(text: str) -> list[str]:
    """The words of a text in lower case, common ones left out, in order and with repetitions."""
    out: list[str] = []
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        if token[0] >= "\u3400":
            out.extend(_pairs(token))
        elif token not in _COMMON:
            out.append(token)
    return out


def _pairs(run: str) -> list[str]:
    kept = [run[i : i + 2] for i in range(len(run) - 1)]
    kept = [pair for pair in kept if not any(character in _COMMON_CHINESE for character in pair)]
    return kept or [run]
