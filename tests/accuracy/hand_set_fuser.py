"""The event fuser: where sentences end.

Each mark that could end a sentence gets one probability, fused by a logistic model out of punctuation
evidence, the class of the word before it (abbreviation, initial, number, list mark), the class of the
word after it, open brackets and quotes, and the distance from the last end. An end is taken at
:data:`END_THRESHOLD`. The weights are a table of numbers (:data:`WEIGHTS`), one per named feature, so
they can be learnt from marked text by any logistic regression over :func:`features`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from engine.reading.lexicon import (
    ABBREVIATIONS_INSIDE,
    ABBREVIATIONS_MAYBE_END,
    CITATION_WORDS,
    SENTENCE_OPENERS,
)

#: An end of a sentence is taken when its probability is at least this.
END_THRESHOLD = 0.92

#: The logistic model. Positive: more likely an end. Hand-set starting point.
WEIGHTS: dict[str, float] = {
    "bias": 0.0,
    "full_stop": 1.2,
    "exclamation_or_question": 3.0,
    "ideographic_stop": 8.0,
    "ellipsis": -1.5,
    "next_is_end": 12.0,
    "next_lower": -6.0,
    "next_upper": 1.6,
    "next_opener_word": 2.4,
    "next_digit": -0.2,
    "next_list_mark": 2.2,
    "next_open_quote_upper": 1.8,
    "next_han": 3.0,
    "next_punctuation": -6.0,
    "next_other": -0.5,
    "no_space_after": -4.0,
    "before_common_word": 1.6,
    "before_closing": 2.2,
    "before_number": 1.0,
    "before_abbreviation_inside": -9.0,
    "before_abbreviation_maybe": -2.7,
    "before_dotted_letters": -2.7,
    "before_initial": -4.0,
    "before_list_mark": -6.0,
    "before_citation_word": -5.0,
    "inside_bracket": -3.5,
    "inside_quote": -0.3,
    "very_short": -2.5,
    "long": 0.4,
}

_CANDIDATE = re.compile(r"[.!?]+|[。！？]+|…+")
_CLOSERS = "\"'”’)]}）】」』》〉"
_OPENERS = "\"'“‘([{（【「『《〈"
_WORD_BEFORE = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*$")
_WORD_AFTER = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LIST_MARK = re.compile(
    r"(?:\((?:[a-z]{1,2}|[ivxl]{1,5}|[A-Z]|\d{1,2})\)|\d{1,3}(?:\.\d{1,3}){0,9}[.)]|\d{1,3}(?:\.\d{1,3}){1,9}|[A-Za-z][.)]|[•●▪◦])\s"
)
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]$")
_LETTERED = re.compile(
    r"\b(?:exhibit|schedule|annex|appendix|attachment|part|section|class|plan|phase|option|table|type|series|grade|tier|level|rider)\s+$",
    re.IGNORECASE,
)
#: "10 m.": a unit behind a number.
_MEASURED = re.compile(r"\d\s?[mglthkKVWA]$")
_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_MAX_BRACKET = 400
#: Quotes and spaces before a sentence's first word are no more than this.
_MAX_OPENING = 40


def probability(present: Iterable[str]) -> float:
    """The chance that a place with these features ends a sentence."""
    score = WEIGHTS["bias"] + sum(WEIGHTS[name] for name in present)
    return 1.0 / (1.0 + math.exp(-score))


def split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the sentences in ``text[start:end)``, without white space around them, in order."""
    spans: list[tuple[int, int]] = []
    begin = start
    for match in _CANDIDATE.finditer(text, start, end):
        after = match.end()
        while after < end and text[after] in _CLOSERS and not _opens(text, after):
            after += 1
        if after >= end:
            break
        if after <= begin:
            continue
        if probability(features(text, begin, match.start(), after, end)) >= END_THRESHOLD:
            _add(spans, text, begin, after)
            begin = after
    _add(spans, text, begin, end)
    return spans


def _opens(text: str, at: int) -> bool:
    """A straight quote after a space and before a letter opens rather than closes."""
    return text[at] in "\"'" and at > 0 and text[at - 1].isspace()


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    if not any(character.isalnum() for character in text[start:end]):
        # Stray marks ("***", "__") belong to what they follow; alone they say nothing.
        if spans:
            spans[-1] = (spans[-1][0], end)
        return
    spans.append((start, end))


def features(text: str, begin: int, mark: int, after: int, end: int) -> Iterator[str]:
    """Names of the features present at a candidate end.

    Args:
        text: the canonical text.
        begin: start of the sentence so far.
        mark: offset of the first punctuation mark.
        after: offset behind the marks and the closing quotes and brackets that follow them.
        end: end of the region; nothing behind it is looked at.
    """
    first = text[mark]
    if first in "。！？":
        yield "ideographic_stop"
    elif first in "!?":
        yield "exclamation_or_question"
    elif first == "…" or text[mark : mark + 2] == "..":
        yield "ellipsis"
    else:
        yield "full_stop"
    yield from _features_after(text, after, end)
    if first == ".":
        yield from _features_before(text, begin, mark)
    if text[after - 1] in _CLOSERS:
        yield "before_closing"
    yield from _features_around(text, begin, mark, after)


def _features_after(text: str, after: int, end: int) -> Iterator[str]:
    at = after
    while at < end and (text[at].isspace() or text[at] in "*_"):
        at += 1
    if at >= end:
        yield "next_is_end"
        return
    following = text[at]
    if _HAN.match(following):
        yield "next_han"
        return
    if at == after:
        yield "no_space_after"
    if _LIST_MARK.match(text, at, end):
        yield "next_list_mark"
    elif following in _OPENERS:
        inner = at + 1
        yield "next_open_quote_upper" if inner < end and not text[inner].islower() else "next_other"
    elif following.isdigit():
        yield "next_digit"
    elif following.islower():
        yield "next_lower"
    elif following.isalpha():
        yield "next_upper"
        word = _WORD_AFTER.match(text, at, end)
        if word and word.group().lower() in SENTENCE_OPENERS:
            yield "next_opener_word"
    elif following in ",;:.%/-–—":
        yield "next_punctuation"
    else:
        yield "next_other"


def _features_before(text: str, begin: int, mark: int) -> Iterator[str]:
    match = _WORD_BEFORE.search(text, max(begin, mark - 40), mark)
    if match is None:
        yield "before_closing"
        return
    word = match.group()
    lower = word.lower()
    near = match.start() - begin <= _MAX_OPENING
    first = near and not text[begin : match.start()].strip("(\"'“ ")
    glued = word.isdigit() and len(word) <= 2 and bool(_HAN.match(text, mark + 1))
    if glued or (first and (word.isdigit() or (len(word) <= 3 and not lower.isalpha()) or len(word) == 1)):
        yield "before_list_mark"
    if lower in ABBREVIATIONS_INSIDE:
        yield "before_abbreviation_inside"
    elif lower in ABBREVIATIONS_MAYBE_END:
        yield "before_abbreviation_maybe"
    elif _DOTTED.search(word):
        yield "before_dotted_letters"
    elif len(word) == 1 and word.isalpha():
        # "Exhibit A. The parties …": there the letter is a number, not somebody's initial.
        lettered = _LETTERED.search(text, max(begin, match.start() - 20), match.start())
        lettered = lettered or _MEASURED.search(text, max(begin, match.start() - 4), match.end())
        yield "before_number" if lettered else "before_initial"
    elif word[-1].isdigit():
        yield "before_number"
    elif lower in CITATION_WORDS:
        yield "before_citation_word"
    elif len(word) > 2:
        yield "before_common_word"


def _features_around(text: str, begin: int, mark: int, after: int) -> Iterator[str]:
    window = text[max(begin, mark - _MAX_BRACKET) : after]
    if window.count("(") + window.count("（") > window.count(")") + window.count("）") and not _enumerates(window):
        yield "inside_bracket"
    if window.count("“") > window.count("”"):
        yield "inside_quote"
    length = after - begin
    if length < 8 and text[mark] == ".":
        yield "very_short"
    elif length > 120:
        yield "long"


def _enumerates(window: str) -> bool:
    """Whether the unbalanced bracket is the list style ``a)`` or ``1)`` mirrored; then it says nothing."""
    return window.rfind("(") >= 0 and len(window) - window.rfind("(") > 250
