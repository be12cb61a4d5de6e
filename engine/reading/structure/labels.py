"""Clause labels at the start of a paragraph: what they could mean, before the tree decides."""

from __future__ import annotations

import dataclasses
import re
import unicodedata

from engine.reading.structure import numerals
from engine.reading.structure.numerals import HAN_NUMERAL

#: Words that begin an attached part whose numbering starts anew.
SCHEDULE_WORDS = "schedule|exhibit|annex|annexure|appendix|attachment|addendum|rider"
_DIGIT = "[0-9０-９]"
#: "EXHIBIT A QUALITY SPECIFICATIONS Gas …": a title in capitals even where its text follows at once.
_CAPITALS = re.compile(r"[A-Z]{5,}\s+\S+[\s:.–-]+(?:[A-Z]{2,}|To\b|to\b)")
#: "Attachment A to Master Agreement" on a line of its own.
_ATTACHED_TO = re.compile(r"to(?:\s+(?:the\s+|this\s+)?[A-Z][^.;,]{2,70})?")
#: Short words that stand behind "Schedule" without numbering it.
_NO_NUMBERS = frozenset(["of", "to", "in", "is", "as", "by", "or", "an", "no", "on", "at", "if", "be"])
_HIGHEST_SECTION = 199
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"

_WORD = re.compile(
    r"(?P<word>(?i:article|section|sec\.|clause|paragraph|part|chapter)(?=\s)|(?:ARTICLE|SECTION|PART)(?=\d)|§§?)\s{0,3}"
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,7}(?![A-Za-z])|[A-Z](?![A-Za-z]))(?P<tail>(?:\([A-Za-z0-9]{1,4}\))*)"
    r"(?P<stop>[.:：)]?(?=[\s–—-])|[.:：]?$|[.:](?=[A-Z]))"
)
_SCHEDULE = re.compile(
    rf"(?P<word>{SCHEDULE_WORDS})\s{{1,3}}(?:no\.?\s*)?[\"“']?"
    r"(?P<number>\d{1,3}(?:[.-]\d{1,3}){0,2}|[IVXLC]{1,6}|[A-Z]{1,2}(?:[.-]?\d{1,3})?)[\"”']?(?:\([a-z0-9]{1,3}\))*[.:]?(?=\s|[–—:-]|$)",
    re.IGNORECASE,
)
_DECIMAL = re.compile(
    rf"(?P<number>{_DIGIT}{{1,3}}(?:[.．]{_DIGIT}{{1,3}}){{1,6}})(?:\.(?P<letter>[a-z])(?=[.)\s]))?(?P<stop>[.．:、)）]?)(?P<tail>(?:\([A-Za-z0-9]{{1,4}}\))*)(?=[\s\"“(\[（【]|[^\W\d]|$)"
)
_SINGLE = re.compile(
    rf"(?P<open>[(（\[［【〔]?)\s?(?P<number>{_DIGIT}{{1,3}}|[A-Za-z]{{1,6}}|{HAN_NUMERAL})\s?(?P<stop>\.\)|[.．)）\]］】〕、:：])"
    r"(?P<tail>(?:\([A-Za-z0-9]{1,4}\))*)"
)
_BARE = re.compile(r"(?P<number>\d{1,2})(?=\s+[\"“(A-Z\u4e00-\u9fff])")
_HAN_ARTICLE = re.compile(
    rf"第\s?(?P<number>{HAN_NUMERAL}|{_DIGIT}{{1,3}})\s?(?P<word>条|章|节|款|项|部分|编|篇)(?P<stop>[：:、.．]?)"
)
_HAN_SCHEDULE = re.compile(
    rf"(?P<word>附件|附录|附表|附则)\s?(?P<number>{HAN_NUMERAL}|{_DIGIT}{{1,3}}|[A-Z])?(?P<stop>[：:、.．]?)"
)
#: Behind a space only what no title begins with: "第九条 所有权的变动" is an article, "第九条所列" is not.
_HAN_REFERENCE = re.compile(
    r"(?:第|规定|约定|所|中的|之|的|至|到|和|或|及|以及|、|，|项|款|条)|\s(?:第|规定的|约定的|所述|所列|中的|的|项|款|条)"
)
_BULLET = re.compile(r"[•●▪◦‣○■□◆◇★※►▶➢✓·∙–—*-](?=\s)")
_UNIT = re.compile(
    r"\s*(?:%|％|(?:percent|per cent|million|billion|thousand|hundred|times|inches|feet|"
    r"miles|acres|days|months|years|hours)\b|"
    r"万|亿|元|年|月|日|天|个|平方|米|倍|％)",
    re.IGNORECASE,
)
_BRACKETS = {"(": ")）", "（": ")）", "[": "]］", "［": "]］", "【": "】", "〔": "〕"}
_LEVEL_OF_WORD = {
    "条": "article",
    "章": "chapter",
    "节": "section",
    "款": "subsection",
    "项": "item",
    "部分": "part",
    "编": "book",
    "篇": "book",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a label: the sequence it would belong to and its place there.

    ``style`` names the sequence (``(a)``, ``(i)``, ``1.``, ``article``); ``path`` is absolute for
    decimal numbers of several levels, else one element long.
    """

    style: str
    value: int
    path: tuple[int | str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Label:
    """A label as printed at ``[start, end)`` and its possible readings, likeliest first.

    ``kind`` is ``word`` (Article IV), ``decimal`` (5.2), ``single`` ((a)), ``schedule`` or ``bullet``;
    ``tail`` are further levels printed at once (``3.1(a)``); ``weak`` ones need their neighbours' support.
    """

    start: int
    end: int
    kind: str
    readings: tuple[Reading, ...]
    tail: tuple[str, ...] = ()
    weak: bool = False
    number: str = ""


def label_at(text: str, start: int, end: int) -> Label | None:
    """The clause label at ``start`` of a paragraph ``[start, end)``, or None."""
    while start < end and text[start] in " \t\u3000\xa0*_#":
        start += 1
    if start >= end:
        return None
    for finder in (
        _word_label,
        _han_label,
        _schedule_label,
        _decimal_label,
        _circled_label,
        _single_label,
        _bare_label,
    ):
        label = finder(text, start, end)
        if label is not None:
            return label
    bullet = _BULLET.match(text, start, end)
    if bullet:
        return Label(start, bullet.end(), "bullet", (Reading("bullet " + bullet.group(), 0, ()),))
    return None


def _word_label(text: str, start: int, end: int) -> Label | None:
    match = _WORD.match(text, start, end)
    if match is None:
        return None
    word = match["word"].lower().rstrip(".")
    word = "section" if word in ("sec", "§", "§§") else word
    after = text[match.end() : match.end() + 20].lstrip()
    if not match["stop"] and after[:1].islower():
        return None  # "Section 5 of this Agreement": a reference that happens to begin a paragraph.
    number = match["number"]
    tail = _tail(match["tail"])
    if "." in number:
        path = tuple(int(part) for part in number.split("."))
        return Label(start, match.end(), "decimal", (Reading(f"{word} decimal", path[-1], path),), tail, number=number)
    readings = []
    value = numerals.digits(number)
    if value is not None:
        if value > _HIGHEST_SECTION:
            return None  # "§ 820": a statute's section
        readings.append(Reading(word, value, (value,)))
    else:
        as_roman = numerals.roman(number)
        if as_roman is not None and number.isupper():
            readings.append(Reading(word, as_roman, (as_roman,)))
        place = numerals.letters(number)
        if place is not None and len(number) == 1:
            readings.append(Reading(f"{word} letter", place, (number.lower(),)))
    return Label(start, match.end(), "word", tuple(readings), tail, number=number) if readings else None


def _schedule_label(text: str, start: int, end: int) -> Label | None:
    match = _SCHEDULE.match(text, start, end)
    if match is None or not text[start].isupper() or match["number"].lower() in _NO_NUMBERS:
        return None
    rest = text[match.end() : end].strip(' .:–—-\t"”')
    # A short line that names the attachment, not a sentence about it.
    if (
        (len(rest) > 120 and not _CAPITALS.match(text, match.start(), match.end() + 40))
        or (rest and (rest[0].islower() or re.match(r"[,;]", rest)) and not _ATTACHED_TO.fullmatch(rest))
        or rest.endswith(";")
    ):
        return None
    number = match["number"].upper()
    return Label(
        start,
        match.end(),
        "schedule",
        (Reading(match["word"].lower(), _order(number), (match["word"].lower(), _element(number))),),
        number=number,
    )


def _order(number: str) -> int:
    value = numerals.digits(number) or numerals.letters(number) or numerals.roman(number)
    return value or 0


def _element(number: str) -> int | str:
    value = numerals.digits(number)
    return value if value is not None else number.lower()


def _han_label(text: str, start: int, end: int) -> Label | None:
    match = _HAN_ARTICLE.match(text, start, end)
    if match is not None:
        value = numerals.digits(match["number"]) or numerals.han(match["number"])
        if value is None or (not match["stop"] and _HAN_REFERENCE.match(text, match.end(), end)):
            return None
        return Label(
            start,
            match.end(),
            "word",
            (Reading("第" + match["word"], value, (value,)),),
            number=match.group().rstrip("：:、.．"),
        )
    match = _HAN_SCHEDULE.match(text, start, end)
    if match is None:
        return None
    rest = text[match.end() : end].strip()
    if len(rest) > 40 or "。" in rest or (rest and rest[0] in "为是的与和及、，" and not match["stop"]):
        return None
    number = match["number"] or ""
    value = (numerals.digits(number) or numerals.han(number) or _order(number)) if number else 1
    return Label(
        start,
        match.end(),
        "schedule",
        (Reading(match["word"], value or 0, (match["word"], value or 0)),),
        number=match["word"] + number,
    )


def _decimal_label(text: str, start: int, end: int) -> Label | None:
    match = _DECIMAL.match(text, start, end)
    if match is None or (_UNIT.match(text, match.end(), end) and not match["stop"]):
        return None
    path = tuple(numerals.digits(part) or 0 for part in re.split("[.．]", match["number"]))
    if path[0] == 0 or path[0] > 199 or match["number"][0] == "0":
        return None
    if len(path) >= 2 and path[1] == 0 and len(path) == 2:
        # "1.0 Definitions": the first level of documents that number 1.0, 2.0, 2.1.
        return Label(
            start,
            match.end(),
            "decimal",
            (Reading("n.0", path[0], (path[0],)),),
            _tail(match["tail"]),
            number=match["number"],
        )
    number = unicodedata.normalize("NFKC", match["number"])
    tail = _tail(match["tail"])
    if match["letter"]:
        tail = (match["letter"], *tail)
    return Label(start, match.end(), "decimal", (Reading("decimal", path[-1], path),), tail, number=number)


def _circled_label(text: str, start: int, _end: int) -> Label | None:
    value = numerals.circled(text[start])
    if value is None:
        return None
    after = start + 1
    if text[after : after + 1] in ("、", ".", "．"):
        after += 1
    group = next(
        name for name, last in (("①", "⑳"), ("⑴", "⒇"), ("⒈", "⒛"), ("㈠", "㈩")) if name <= text[start] <= last
    )
    return Label(start, after, "single", (Reading(group, value, (value,)),), number=text[start])


def _single_label(text: str, start: int, end: int) -> Label | None:
    match = _SINGLE.match(text, start, end)
    if match is None:
        return None
    opening, stop, number = match["open"], match["stop"], match["number"]
    if not (stop in _BRACKETS[opening] if opening else _is_plain_stop(text, number, stop, match.end())):
        return None
    readings = _single_readings(number, opening, stop)
    if not readings or (_UNIT.match(text, match.end(), end) and not opening and stop in ".．"):
        return None
    number = unicodedata.normalize("NFKC", number)
    return Label(start, match.end(), "single", readings, _tail(match["tail"]), number=number)


def _is_plain_stop(text: str, number: str, stop: str, end: int) -> bool:
    """Whether a number without an opening bracket ends like a label: ``1.`` ``a)`` ``一、``."""
    if stop in "]］】〕":
        return False
    is_digits = numerals.digits(number) is not None
    is_han = not number.isascii() and numerals.han(number) is not None
    if stop in ":：":
        return is_han
    if stop == "、":
        return is_han or is_digits
    following = text[end : end + 1]
    if stop in ")）" or not following or following.isspace() or _is_wide(following) or following in '"“(（':
        return True
    # "1.Definitions" is a label, "U.S." and "3.5" are not.
    return is_digits and not following.isdigit() and not following.islower()


def _shape(opening: str, stop: str) -> str:
    if opening:
        return "({})" if opening in "(（" else "[{}]"
    return "{})" if stop in ")）" else "{}、" if stop in "、：:" else "{}."


def _single_readings(number: str, opening: str, stop: str) -> tuple[Reading, ...]:
    shape = _shape(opening, stop)
    value = numerals.digits(number)
    if value is not None:
        return (Reading(shape.format("1"), value, (value,)),) if 0 < value < 200 else ()
    value = None if number.isascii() else numerals.han(number)
    if value is not None:
        return (Reading(shape.replace(".", "、").format("一"), value, (value,)),)
    if opening in ("[", "［", "【", "〔"):
        return ()  # "[ x ]" is a box to tick, "[A]" a blank to fill in
    case = "a" if number.islower() else "A" if number.isupper() else ""
    if not case:
        return ()
    readings = []
    place = numerals.letters(number)
    as_roman = numerals.roman(number)
    if place is not None and (len(number) == 1 or opening):
        readings.append(Reading(shape.format(case), place, (number.lower(),)))
    if as_roman is not None and as_roman < 60:
        readings.append(Reading(shape.format("i" if case == "a" else "I"), as_roman, (number.lower(),)))
        if len(number) > 1:
            readings.reverse()
    return tuple(readings)


def _bare_label(text: str, start: int, end: int) -> Label | None:
    match = _BARE.match(text, start, end)
    if match is None or int(match["number"]) == 0:
        return None
    rest = text[match.end() : match.end() + 14].strip().lower()
    if re.match(rf"(?:{_MONTHS})\b", rest) or _UNIT.match(rest):
        return None
    value = int(match["number"])
    return Label(start, match.end(), "single", (Reading("1", value, (value,)),), weak=True, number=match["number"])


def _tail(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\(([A-Za-z0-9]{1,4})\)", text))


def _is_wide(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
