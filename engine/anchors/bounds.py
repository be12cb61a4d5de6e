"""How a value binds: exactly, at most, at least … read from the words just before and after it."""

from __future__ import annotations

import re

_WINDOW = 48
_GLUE = r"(?:\s{1,3}(?:the|a|an|of|to|sum|amount|total|period|aggregate|in|any|than|such|than)){0,5}\s{0,3}[($¥€£]{0,2}"
_NOR = r"(?:nor?|not|no event|no case)(?: be)?"
_BEFORE = (
    (
        "at_most",
        (
            rf"{_NOR} (?:more|later|longer|greater|higher) than|not (?:to )?exceed(?:ing)?|(?:at|the) most"
            r"|up to|maximum(?: of)?|within|capped at|(?:is |be )?limited to|on or before|or before|not in excess of"
            r"|as late as|less than or equal to"
        ),
    ),
    (
        "at_least",
        (
            rf"{_NOR} (?:less|fewer|earlier|sooner|lower) than|at least|(?:a )?minimum(?: of)?|on or after|not under"
            r"|greater than or equal to"
        ),
    ),
    ("more_than", r"(?:more|greater|longer|later|higher) than|(?:in )?excess of|exceed(?:s|ing)?|over|above|after"),
    ("less_than", r"(?:less|fewer|earlier|shorter|lower|sooner) than|below|under|before|prior to"),
    ("about", r"approximately|about|around|roughly|estimated(?: at)?|circa"),
)
_BEFORE_ZH = (
    ("at_least", r"(?:不|未)(?:得)?(?:少|低|短|早)于|至少|最少|最低(?:为)?|不少於|起码|不得不足"),
    ("at_most", (r"不(?:得)?(?:超过|多于|高于|大于|迟于|晚于|长于|超出)|最多|最高(?:不超过|为)?|至多|最长(?:不超过)?"
                r"|最迟(?:不超过|于)?|上限(?:为)?|未超过")),
    ("more_than", r"(?:超过|超出|多于|高于|大于|逾期超过|超)"),
    ("less_than", r"(?:少于|低于|不足|未满|不满|小于|短于)"),
    ("about", r"(?:大约|大概|约为|约)"),
)  # fmt: skip
_BEFORE_RE = [(name, re.compile(rf"(?<![A-Za-z])(?:{words}){_GLUE}$", re.IGNORECASE)) for name, words in _BEFORE]
_BEFORE_ZH_RE = [(name, re.compile(rf"(?:{words})[^，。；、]{{0,3}}$")) for name, words in _BEFORE_ZH]
_AFTER_RE = [
    ("at_least", re.compile(r"\s{0,2},?\s{0,2}(?:or|and) (?:more|longer|greater|over|above|later)\b", re.IGNORECASE)),
    ("at_most", re.compile(r"\s{0,2},?\s{0,2}(?:or|and) (?:less|fewer|shorter|under|below"
                           r"|earlier)\b|\s{1,2}maximum\b", re.IGNORECASE)),
    ("at_least", re.compile(r"\s{0,2}(?:[(]含[^)]{0,4}[)])?及?以上")),
    ("at_most", re.compile(r"\s{0,2}(?:[(]含[^)]{0,4}[)])?(?:及?以内|及?以下|之内|内(?!部|容)|前(?!款|述|项|期))")),
    ("about", re.compile(r"\s{0,2}左右|上下")),
]  # fmt: skip

_NEGATION = re.compile(
    r"\b(?:not|never|no event|no case|no circumstances?)\b[^.;]{1,200}\bexce(?:ed|ss)[^.;]{0,60}$", re.IGNORECASE
)


def bound_of(text: str, start: int, end: int) -> str:
    """The bound of the value at ``[start, end)``: ``at_most`` for "no later than", 以内; ``exact`` without words."""
    for name, pattern in _AFTER_RE:
        if pattern.match(text, end):
            return name
    before = text[max(0, start - _WINDOW) : start]
    # Chinese: only the words right before the value.
    short = before[-12:]
    if short and not short.isascii():
        for name, pattern in _BEFORE_ZH_RE:
            if pattern.search(short):
                return name
        return "exact"
    for name, pattern in _BEFORE_RE:
        if match := pattern.search(before):
            exceeds = name == "more_than" and "exce" in match.group().lower()
            # "In no event shall the liability exceed": the negation stands before the subject.
            if exceeds and _NEGATION.search(text, max(0, start - 240), start):
                return "at_most"
            return name
    return "exact"
