"""What the event fuser looks at: the features of a mark that could end a sentence.

Three kinds of evidence, by which the ablation in tests/accuracy switches them off: punctuation (which mark, what
closes behind it, what follows without a space), token class (abbreviation, initial, number or list mark before; opener,
capital, digit, list mark after; and the two together), and distance (how far back the sentence began, whether it has a
verb yet, open brackets and quotes). Every look is bounded, so a text costs time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.reading.lexicon import (
    ABBREVIATIONS_INSIDE,
    ABBREVIATIONS_MAYBE_END,
    CITATION_WORDS,
    SENTENCE_OPENERS,
)

#: Quotes and brackets that may close behind a sentence's mark.
CLOSERS = "\"'”’)]}）】」』》〉〕］"
_OPENERS = "\"'“‘([{（【「『《〈〔［"
#: The kinds of features, by the beginnings of their names.
GROUPS: dict[str, tuple[str, ...]] = {
    "punctuation": ("mark_", "after_"),
    "token class": ("before_", "next_", "pair_"),
    "distance": ("far_",),
}

_WORD_BEFORE = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*$")
_AFTER_HAN = re.compile(r"[^㐀-鿿豈-﫿]+$")
_WORD_AFTER = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LIST_MARK = re.compile(
    r"(?:\((?:[a-z]{1,2}|[ivxl]{1,5}|[A-Z]|\d{1,2})\)|\d{1,3}(?:\.\d{1,3}){0,9}[.)]|\d{1,3}(?:\.\d{1,3}){1,9}|[A-Za-z][.)]|[ivx]{1,5}[.)])\s|[•●▪◦·○■]"
)
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]$")
_LABEL = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,5}[a-z]?$|[A-Za-z]$|[ivxIVX]{1,5}$")
#: What goes on without a space as an e-mail or web address does: "j.Doe@example.com".
_ADDRESS = re.compile(r"[\w.%-]{1,40}[@/]")
_LETTERED = re.compile(
    r"(?<![\w-])(?:article|clause|paragraph|exhibit|schedule|annex|appendix|attachment|part|section|class|plan|phase|option|table|type|"
    r"series|grade|tier|level|rider|party|group|unit|room|building|block|lot|tranche|zone|line)\s+$",
    re.IGNORECASE,
)
#: What stands before a number or letter that opens a list item inside a sentence: "…: 1. was known; or 2. …".
_BEFORE_LABEL = re.compile(r"[:;：；]\s*(?:(?:and|or|and/or)\s+)?$|[,;]\s*(?:and|or|and/or)\s+$", re.IGNORECASE)
#: "Section 5.01." at a sentence's beginning is the number of a heading.
_HEADING_WORD = re.compile(r"[\s(\"'“*#]*(?:section|article|clause|part|item|paragraph)\s+$", re.IGNORECASE)
#: "10 m.": a unit behind a number.
_MEASURED = re.compile(r"\d\s?[mglthkKVW]$")
#: "2025. 1. 1": a year may be the first part of a date.
_YEAR = re.compile(r"(?:19|20)\d\d$")
_AFTER_YEAR = re.compile(r"(?:19|20)\d\d\.\s?$")
_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_VERB = re.compile(
    r"\b(?:shall|will|may|must|can|should|would|could|is|are|was|were|be|been|has|have|had|do|does|did|means?|agrees?|"
    r"includes?|applies|apply|pays?|represents?|warrants?|grants?|remains?)\b"
)
#: How far back open brackets, open quotes and a verb are looked for, and how far ahead a closing bracket is.
_WINDOW = 400
_CLOSES_WITHIN = 240
#: Quotes and spaces before a sentence's first word are no more than this.
_MAX_OPENING = 40
_SHORT, _LONG = 8, 120
_ROMAN_OR_LETTER = re.compile(r"(?:[A-Za-z]|[ivxIVX]{2,5})$")


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
    if first in "。！？｡":
        yield "mark_ideographic_stop"
    elif first in "!?":
        yield "mark_exclamation_or_question"
    elif first == "…" or text[mark : mark + 3] == "...":
        # "[…***…]" is a redaction, no pause.
        yield "mark_redaction" if text[after - 1] == "]" else "mark_ellipsis"
    else:
        yield "mark_full_stop"
    if text[after - 1] in CLOSERS:
        yield "after_closing"
    following, hints = _following(text, after, end)
    yield from hints
    yield following
    if first in ".!?…":
        before = _before(text, begin, mark)
        yield before
        if first == ".":
            yield f"pair_{before[7:]}+{following[5:]}"
        if before in ("before_abbreviation_maybe", "before_dotted_letters", "before_initial"):
            window = max(begin, mark - _WINDOW)
            if not _VERB.search(text, window, mark):
                yield "far_no_verb_yet"
    yield from _around(text, begin, mark, after, end)


def _following(text: str, after: int, end: int) -> tuple[str, list[str]]:
    """The class of what follows, and the punctuation seen on the way there."""
    at = after
    while at < end and (text[at].isspace() or text[at] in "*_"):
        at += 1
    if at >= end:
        return "next_end", []
    character = text[at]
    if _HAN.match(character):
        return "next_han", []
    hints = ["after_no_space"] if at == after else []
    # "14.73. Payments …": the rest of a decimal is no list mark.
    label = _LIST_MARK.match(text, at, end) if at > after or not character.isdigit() else None
    if label is not None and not (character.isdigit() and text[label.end() : min(end, label.end() + 1)].isdigit()):
        return "next_list_mark", hints
    if hints and _ADDRESS.match(text, at, end):
        hints.append("after_address")
    if character.isalpha():
        return _first_word(text, at, end), hints
    if character in ",;:.%/-–—，；：、":
        hints.append("after_punctuation")
    if character in _OPENERS:
        return ("next_open_lower" if at + 1 >= end or text[at + 1].islower() else "next_open"), hints
    return ("next_digit" if character.isdigit() else "next_other"), hints


def _first_word(text: str, at: int, end: int) -> str:
    """The class of the word that begins at ``at``."""
    if text[at].islower() and not text[at + 1 : min(end, at + 2)].isupper():  # "eGain", "iMedicor" are names
        return "next_lower"
    if text[at + 1 : min(end, at + 2)] == ".":
        return "next_initial"
    word = _WORD_AFTER.match(text, at, end)
    return "next_opener" if word is not None and word.group().lower() in SENTENCE_OPENERS else "next_upper"


def _before(text: str, begin: int, mark: int) -> str:
    """The class of the word before the mark."""
    match = _WORD_BEFORE.search(text, max(begin, mark - 40), mark)
    if match is None:
        return "before_no_word"
    # "编号No. 5": Han letters need no space before a Latin word.
    latin = _AFTER_HAN.search(text, match.start(), mark)
    if latin is None:
        return "before_common_word"
    start = latin.start()
    if mark - start > 2 and text[mark - 2] == "-" and text[mark - 3].isalpha():
        start = mark - 1  # "non-U.S."
    word = text[start:mark]
    if _is_label(text, begin, start, word, mark):
        return "before_list_mark"
    if _ROMAN_OR_LETTER.match(word) and _LETTERED.search(text, max(begin, start - 20), start):
        return "before_number"  # "Exhibit A. The parties …", "Article V. It …"
    return _abbreviation(word) or _plain(text, begin, start, word)


def _abbreviation(word: str) -> str:
    """The class of an abbreviation, or "" for another word."""
    lower = word.lower()
    if lower in ABBREVIATIONS_INSIDE:
        return "before_abbreviation_inside"
    if lower in ABBREVIATIONS_MAYBE_END:
        return "before_abbreviation_maybe"
    if _DOTTED.search(word):
        return "before_dotted_letters"
    return "before_citation_word" if lower in CITATION_WORDS else ""


def _plain(text: str, begin: int, start: int, word: str) -> str:
    """The class of an initial, a number or an ordinary word."""
    if len(word) == 1 and word.isalpha():
        measured = _MEASURED.search(text, max(begin, start - 4), start + 1)
        return "before_number" if measured else "before_initial"
    if word[-1].isdigit():
        dated = _YEAR.match(word) or (len(word) <= 2 and _AFTER_YEAR.search(text, max(begin, start - 8), start))
        return "before_date" if dated else "before_number"
    if word.isupper():
        return "before_capitals"
    return "before_common_word" if len(word) > 2 else "before_short_word"


def _is_label(text: str, begin: int, start: int, word: str, mark: int) -> bool:
    """Whether the word is the number or letter of a heading or list item that only begins here."""
    if not _LABEL.match(word):
        return False
    if word.isdigit() and len(word) <= 2 and _HAN.match(text, mark + 1):
        return True
    if start - begin <= _MAX_OPENING:
        opening = text[begin:start]
        if not opening.strip("(\"'“ *#\n\t"):
            return True
        if _HEADING_WORD.match(opening):
            return True
    return _BEFORE_LABEL.search(text, max(begin, start - 12), start) is not None


def _around(text: str, begin: int, mark: int, after: int, end: int) -> Iterator[str]:
    window = text[max(begin, mark - _WINDOW) : after]
    if _opens_more(window, "(（[【", ")）]】") and _closes_ahead(text, after, end):
        # "[Note: choose one. Delete the other.]": whole sentences stand between these brackets.
        whole = text[begin : begin + _MAX_OPENING].lstrip()[:1] in "(（[【"
        yield "far_bracketed_whole" if whole else "far_inside_bracket"
    if window.count("“") > window.count("”"):
        yield "far_inside_quote"
    length = after - begin
    if length < _SHORT and text[mark] == ".":
        yield "far_very_short"
    elif length > _LONG:
        yield "far_long"


def _opens_more(window: str, openers: str, closers: str) -> bool:
    return sum(map(window.count, openers)) > sum(map(window.count, closers))


def _closes_ahead(text: str, after: int, end: int) -> bool:
    """Whether a bracket closes behind ``after`` before another opens: a bracket left open says nothing."""
    for at in range(after, min(end, after + _CLOSES_WITHIN)):
        if text[at] in ")）]】":
            return True
        if text[at] in "(（[【":
            return False
    return False
