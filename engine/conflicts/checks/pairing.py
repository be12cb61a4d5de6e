"""draft.unpaired: a bracket or double quotation mark that is opened and never closed, or closed and never opened.

Marks pair up within a line first, then across the lines that follow, for a bracket may hold a whole list. What only
looks unpaired is left alone: list marks ("1)", "iv)", "一）"), inch and second marks, quotations whose every paragraph
is opened anew, the column of brackets beside a notary's venue, intervals ("[0, 1)"), notes ("*)"), table cells. Single
quotation marks are not looked at, for nobody can tell them from apostrophes; two side by side are a double one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from engine.conflicts.checks.evidence import STRUCK_OUT, Evidence, make, quoted
from engine.conflicts.checks.sentences import phrase, say
from engine.document import ClauseKind
from engine.protocol.findings import Finding, Severity

_OPENERS = {
    "(": "()", "（": "()", "[": "[]", "［": "[]", "【": "[]", "〔": "[]", "{": "{}", "｛": "{}",
    "《": "《》", "〈": "〈〉", "「": "「」", "『": "『』", "“": '"', "„": '"', "«": "«»",
}  # fmt: skip
_CLOSERS = {
    ")": "()", "）": "()", "]": "[]", "］": "[]", "】": "[]", "〕": "[]", "}": "{}", "｝": "{}",
    "》": "《》", "〉": "〈〉", "」": "「」", "』": "『』", "”": '"', "»": "«»",
}  # fmt: skip
_QUOTES = frozenset(('"', "「」", "『』", "«»"))
_STRAIGHT = frozenset('"＂')
_TWO_SINGLE = ("‘‘", "’’", "''", "``")
_MARK = re.compile("|".join(_TWO_SINGLE) + "|[" + re.escape("".join([*_OPENERS, *_CLOSERS, *_STRAIGHT])) + "]")
#: What a list mark is made of, before its bracket.
_LIST_MARK = re.compile(
    r"(?:^|[\s,;:.，；：、。(（/–-])"
    r"(?:\d{1,3}(?:\.\d{1,2})*|[A-Za-z]{1,2}|[ivxlIVXL]{1,6}|[一二三四五六七八九十]{1,3}|[①-⑳]{1,3})\s?$|[*†‡]{1,3}$"
)
_VENUE = re.compile(r"^[\s).:§]*(?:ss\b.*)?$", re.IGNORECASE)
_INTERVAL = re.compile(r"\[[\d.+\-∞% ]{1,12}[,;，][\d.+\-∞% ]{1,12}\)|\([\d.+\-∞% ]{1,12}[,;，][\d.+\-∞% ]{1,12}\]")
#: A bracket is closed within so many characters, or not at all; a quotation may be a whole clause of an amendment.
REACH, QUOTED_REACH = 4000, 15_000
#: With more unpaired marks than this, or than one in so many characters, the text was badly read: nobody can tell.
MOST, CHARACTERS_EACH = 6, 18_000
_LABEL = 12
#: How near to a mark words that were struck out stand.
STRUCK_REACH = 160


class Mark(NamedTuple):
    """A bracket or quotation mark: where, what it pairs with, whether it opens."""

    at: int
    pair: str
    opens: bool


def _direction(text: str, at: int, sign: str, is_open: bool) -> bool | None:
    """Whether a double quotation mark opens, by what stands around it; None when that does not tell."""
    before, after = text[at - 1 : at], text[at + len(sign) : at + len(sign) + 1]
    leans_right = not before or before.isspace() or before in "([{（【“—–-/:：，。、"
    leans_left = not after or after.isspace() or after in ")]}）】”.,;:!?。，；：！？、—–-/'’"
    if leans_right != leans_left:
        # Typed marks are often turned the wrong way; between two Chinese signs the shape alone tells.
        return leans_right
    if sign in _STRAIGHT or sign == "''":
        return None if leans_right else not is_open
    return sign in _OPENERS or sign in ("‘‘", "``")


def _is_measure(text: str, at: int) -> bool:
    """Inches, seconds and ditto marks: after a figure and not before a letter, or alone."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if (not before or before.isspace()) and (not after or after.isspace()):
        return True
    # 1.1"Affiliates" opens; 8½"x11" measures.
    is_name = after.isalpha() and not (after in "xX" and not text[at + 2 : at + 3].isalpha())
    return text[at] in '"＂”' and bool(before) and (before.isdigit() or before in "½¼¾⅛'′’") and not is_name


def _marks(text: str, start: int, end: int) -> list[Mark]:
    """The marks of one line. Quotation marks know their direction; measures are left out."""
    found: list[Mark] = []
    quote_open = False
    intervals = {at for match in _INTERVAL.finditer(text, start, end) for at in (match.start(), match.end() - 1)}
    for match in _MARK.finditer(text, start, end):
        at, sign = match.start(), match.group()
        if at in intervals:
            continue
        pair = _OPENERS.get(sign) or _CLOSERS.get(sign) or '"'
        opens = sign in _OPENERS
        if pair == '"':
            if not quote_open and (_is_measure(text, at) or (len(sign) > 1 and text[at - 1 : at].isdigit())):
                continue
            leaning = _direction(text, at, sign, quote_open)
            opens = not quote_open if leaning is None else leaning
            quote_open = opens
        found.append(Mark(at, pair, opens))
    return found


def _unpaired_in(marks: list[Mark]) -> list[Mark]:
    """What is left of a line when its pairs are taken out; brackets that cross each other are left."""
    open_marks: list[Mark] = []
    left: list[Mark] = []
    for mark in marks:
        if mark.opens:
            open_marks.append(mark)
            continue
        place = next((i for i in range(len(open_marks) - 1, -1, -1) if open_marks[i].pair == mark.pair), None)
        if place is None:
            left.append(mark)
        else:
            left += open_marks[place + 1 :]
            del open_marks[place:]
    return sorted(left + open_marks)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if end > at:
            yield at, end
        at = end + 1


def _is_list_mark(text: str, start: int, mark: Mark) -> bool:
    return mark.pair == "()" and bool(_LIST_MARK.search(text[max(start, mark.at - _LABEL) : mark.at]))


def _is_odd_one(text: str, mark: Mark) -> bool:
    """Whether the only "b)" of a text stands between an "(a)" and a "(c)", so that its own first half is missing."""
    label = re.search(r"[A-Za-z0-9]+$", text[max(0, mark.at - 4) : mark.at])
    if label is None or len(label[0]) != 1 or label[0] in "iIvVxX":
        return False
    around = text[max(0, mark.at - REACH) : mark.at + REACH]
    before, after = (f"({chr(ord(label[0]) + step)})" for step in (-1, 1))
    return after in around and (before in around or label[0] in "aA1")


def _is_venue(text: str, start: int, end: int, mark: Mark) -> bool:
    """A bracket with space before it: the column beside "STATE OF NEW YORK", or a stray sign of a form."""
    before = text[mark.at - 1 : mark.at]
    return mark.pair == "()" and (mark.at == start or before.isspace() or bool(_VENUE.match(text[start:end])))


def _is_excerpt(text: str, end: int) -> bool:
    """Whether the line is the text's first and begins amid a sentence: its other half may stand before the excerpt."""
    first = text[:end].lstrip()
    return "\n" not in first and first[:1].islower()


def _goes_on_quoting(text: str, start: int, end: int, marks: list[Mark], left: list[Mark]) -> bool:
    """Whether a line opens anew a quotation of paragraphs: its mark is not closed, or only at the line's end."""
    quotes = [mark for mark in marks if mark.pair == '"']
    if not quotes or not quotes[0].opens or any(c.isalpha() for c in text[start : quotes[0].at]):
        return False
    return quotes[0] in left or (len(quotes) == 2 and not text[quotes[1].at + 1 : end].strip(" .;,。；，"))


def unpaired(text: str) -> list[Mark]:
    """The marks of a text without their pair, in order."""
    waiting: list[Mark] = []
    found: list[Mark] = []
    lists: list[Mark] = []
    again: set[int] = set()
    for start, end in _lines(text):
        marks = _marks(text, start, end)
        left = _unpaired_in(marks)
        if _goes_on_quoting(text, start, end, marks, left):
            again.update(mark.at for mark in waiting if mark.pair == '"')
        for mark in left:
            if mark.opens:
                waiting.append(mark)
                continue
            place = next((i for i in range(len(waiting) - 1, -1, -1) if waiting[i].pair == mark.pair), None)
            if place is not None and mark.at - waiting[place].at <= (QUOTED_REACH if mark.pair == '"' else REACH):
                del waiting[place]
            elif _is_list_mark(text, start, mark):
                lists.append(mark)
            elif not (_is_venue(text, start, end, mark) or _is_excerpt(text, end)):
                found.append(mark)
    if len(lists) == 1 and _is_odd_one(text, lists[0]):
        found += lists
    return sorted(found + [mark for mark in waiting if mark.at not in again])


def unpaired_here(evidence: Evidence) -> list[Mark]:
    """The marks without their pair, outside of tables, contents and signatures."""
    return [mark for mark in unpaired(evidence.text) if not _is_cell(evidence, mark.at)]


def too_many(evidence: Evidence, places: list[Mark]) -> bool:
    """Whether so many marks lack their pair that the text must have been badly read."""
    return len(places) > max(MOST, len(evidence.text) // CHARACTERS_EACH)


def check_pairs(evidence: Evidence) -> Iterator[Finding]:
    """draft.unpaired: one finding a mark, none where there are too many to be the drafter's."""
    places = unpaired_here(evidence)
    if too_many(evidence, places):
        return
    for mark in places:
        if _struck_out(evidence.text, mark):
            continue
        chinese = evidence.chinese(mark.at)
        low, high = evidence.sentence_span(mark.at, mark.at + 1)
        start, end = (mark.at, min(high, mark.at + 40)) if mark.opens else (max(low, mark.at - 39), mark.at + 1)
        yield make(
            "draft.unpaired",
            0.72,
            Severity.LOW,
            say(
                "draft.unpaired",
                chinese,
                place=evidence.place(mark.at),
                sort=phrase("unpaired.quote" if mark.pair in _QUOTES else "unpaired.bracket", chinese),
                how=phrase("unpaired.opened" if mark.opens else "unpaired.closed", chinese),
                words=quoted(evidence.text[start:end], 40),
            ),
            [evidence.passage(mark.at, mark.at + 1)],
            tier="check",
        )


def _struck_out(text: str, mark: Mark) -> bool:
    """Whether words were struck out for a filing where the other half may have stood."""
    side = text[mark.at : mark.at + STRUCK_REACH] if mark.opens else text[max(0, mark.at - STRUCK_REACH) : mark.at]
    return STRUCK_OUT.search(side) is not None


def _is_cell(evidence: Evidence, at: int) -> bool:
    """Whether a place lies in a table or in the contents, whose lines may be cut anywhere."""
    clause = evidence.document.clause_at(at)
    return clause is not None and clause.kind in (ClauseKind.TABLE_ROW, ClauseKind.CONTENTS, ClauseKind.SIGNATURE)


def longest_run(keys: list[str]) -> list[int]:
    """The places of ``keys`` that are in order when as few as can be are left out (patience sorting)."""
    tails: list[str] = []
    ends: list[int] = []
    before: list[int] = []
    for i, key in enumerate(keys):
        at = bisect_right(tails, key)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(key)
            ends.append(i)
        else:
            tails[at], ends[at] = key, i
    out: list[int] = []
    i = ends[-1] if ends else -1
    while i >= 0:
        out.append(i)
        i = before[i]
    return out[::-1]
