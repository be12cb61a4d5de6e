"""Words as the comparison of two sentences needs them: lower case, stems, stop words. English and Chinese."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]{1,2})?|\d+(?:[.,]\d+)*%?|[\u3400-\u9fff]|\[?\*{2,}\]?|_{3,}|[$€£¥]")

#: Words that say nothing about what a sentence is about. Modals and negations are among them on purpose: they
#: are compared apart (engine.conflicts.norms).
STOP = frozenset((
    "a", "an", "the", "this", "that", "these", "those", "such", "said", "any", "all", "each", "every", "both",
    "either", "neither", "some", "no", "not", "nor", "and", "or", "but", "if", "then", "than", "so", "as", "at",
    "by", "for", "from", "in", "into", "of", "on", "onto", "to", "upon", "with", "within", "without", "under",
    "over", "between", "among", "during", "until", "through", "per", "via", "about", "against", "is", "are", "was",
    "were", "be", "been", "being", "am", "do", "does", "did", "done", "have", "has", "had", "having", "will",
    "shall", "must", "may", "can", "could", "should", "would", "might", "cannot", "ought", "it", "its", "they",
    "them", "their", "he", "she", "his", "her", "him", "we", "us", "our", "you", "your", "who", "whom", "whose",
    "which", "what", "when", "where", "while", "there", "here", "hereof", "herein", "hereto", "hereby",
    "hereunder", "hereinafter", "thereof", "therein", "thereto", "thereby", "thereunder", "thereafter",
    "foregoing", "above", "below", "following", "other", "others", "another", "same", "own", "also", "only",
    "however", "provided", "otherwise", "unless", "except", "never", "agree", "agrees", "agreed", "agreement",
    "parties", "party", "section", "article", "paragraph", "clause", "including", "include", "includes",
    "included", "limitation", "respect", "pursuant", "accordance", "forth", "set", "whether", "even", "very",
    "more", "most", "less", "least", "one", "two",
))  # fmt: skip

STOP_ZH = frozenset(
    "的了和与及或在于为以由对向从被把将之其该此等并且也都就而则者所应须得可不无未非如若当时后前内上下中"
)

_SUFFIXES = (
    ("ational", "at"), ("ization", "iz"), ("isation", "iz"), ("fulness", ""), ("iveness", "iv"), ("ations", "at"),
    ("ation", "at"), ("ments", ""), ("ment", ""), ("ities", ""), ("ness", ""), ("ings", ""), ("ibility", ""),
    ("ability", ""), ("ible", ""), ("able", ""), ("ions", ""), ("ance", ""), ("ence", ""), ("ally", ""), ("ing", ""),
    ("ied", "y"), ("ies", "y"), ("ity", ""), ("ion", ""), ("ors", ""), ("ers", ""), ("ely", ""), ("ed", ""),
    ("es", ""), ("ly", ""), ("or", ""), ("er", ""), ("al", ""), ("ate", "at"), ("s", ""), ("e", ""), ("y", ""),
)  # fmt: skip

#: These endings are often part of the word itself (supply, order, floor).
_SHY = frozenset(("ly", "or", "er", "al", "ors", "ers", "ely"))


class Token(NamedTuple):
    """A word and its span in the sentence; ``stem`` equals ``lower`` for numbers and Chinese characters."""

    lower: str
    stem: str
    start: int
    end: int


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its endings: crude on purpose (``engineer``, ``engineering``; ``pay``, ``payment``).

    It only has to bring the forms of one word together within one contract; at least 3 letters stay.
    """
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    for _ in range(2):
        for suffix, new in _SUFFIXES:
            shortest = 4 if suffix in _SHY else 3
            if word.endswith(suffix) and len(word) - len(suffix) + len(new) >= shortest:
                word = word[: len(word) - len(suffix)] + new
                break
        else:
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def tokenize(text: str) -> tuple[Token, ...]:
    """The words of a sentence, in order."""
    found = []
    for match in WORD.finditer(text):
        lower = match.group().lower().replace("’", "'")
        if lower.endswith("'s"):
            lower = lower[:-2]
        found.append(Token(lower, stem(lower), match.start(), match.end()))
    return tuple(found)


def is_content(token: Token) -> bool:
    """Whether a word says what the sentence is about."""
    lower = token.lower
    if "\u3400" <= lower[0] <= "\u9fff":
        return lower not in STOP_ZH
    return lower not in STOP and len(lower) > 1 and lower[0].isalnum()


def content_tokens(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """What overlap is counted over: the content words; for Chinese, pairs of neighbouring characters as words."""
    found: list[Token] = []
    before: Token | None = None
    for token in tokens:
        chinese = "\u3400" <= token.lower[0] <= "\u9fff"
        if not chinese:
            if is_content(token):
                found.append(token)
        elif before is not None and before.end == token.start and "\u3400" <= before.lower[0] <= "\u9fff":
            pair = before.lower + token.lower
            found += [Token(pair, pair, before.start, token.end)] * (is_content(token) or is_content(before))
        before = token
    return tuple(found)


def features(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """The stems of :func:`content_tokens`."""
    return tuple(token.stem for token in content_tokens(tokens))
