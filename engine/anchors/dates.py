"""Calendar dates in ISO 8601 and, where something is left open, EDTF (ISO 8601-2): ``20XX-01-01``, ``2020-04``.

A date in figures that can be read in two ways keeps both: ``2025-04-03|2025-03-04``. A year as a span
(2025年内) is an interval: ``2025-01-01/2025-12-31``. A day that comes back every month is a rate, no date:
``R/P1M/31``.
"""

from __future__ import annotations

import calendar
import re

from engine.anchors.bounds import bound_of
from engine.anchors.chinese_numerals import chinese_value
from engine.anchors.model import AnchorKind
from engine.anchors.number_words import number_words
from engine.anchors.scan import Scan

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH_NUMBERS = (
    {name: i + 1 for i, name in enumerate(MONTHS)} | {name[:3]: i + 1 for i, name in enumerate(MONTHS)} | {"sept": 9}
)
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = re.compile(rf"(?<![A-Za-z])(?P<day>{'|'.join(WEEKDAYS)}),?[ ]{{1,2}}(?:the[ ])?$", re.IGNORECASE)

_MONTH = re.compile(
    r"(?<![A-Za-z])(?P<month>January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)(?=[. \d-]))(?![a-z])\.?",
    re.IGNORECASE,
)
_YEAR = r"(?P<year>(?:1[6-9]|2[01])\d\d(?!\d)|(?:19|20)(?:[ ]?_{1,12}|[ ]?\[[ _•.]{0,12}\]|\d_{1,3}))"
_AFTER_DAY = re.compile(
    rf"[ ]{{0,3}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d])(?!,\d{{3}}(?!\d))(?:[ ]{{0,3}},?[ \n]{{0,3}}(?:in the year "
    rf")?{_YEAR})?",
    re.IGNORECASE,
)
_AFTER_YEAR = re.compile(rf"[ ]{{0,3}},?[ ]{{0,3}}(?:of (?:the year )?)?{_YEAR}", re.IGNORECASE)
_DASH_YEAR = re.compile(r"-(?P<year>\d{4}|\d{2})(?!\d)")
_BEFORE_DAY = re.compile(
    r"(?<![\d.,])(?P<day>\d{1,2})[ ]?(?:st|nd|rd|th|t h|s t|n d|r d)?[ ]{0,2}"
    r"(?:(?:calendar )?day[ ]{1,2}of[ ]{1,2}|of[ ]{1,2}|-[ ]?)?$",
    re.IGNORECASE,
)
_BEFORE_BLANK_DAY = re.compile(
    r"(?:_{1,14}|\[[ _•.]{0,12}\])[ ]?(?:st|nd|rd|th)?[ ]{0,2}day[ ]{1,2}of[ ]{1,2}$", re.IGNORECASE
)
_BEFORE_WORD_DAY = re.compile(
    r"(?P<words>[A-Za-z]{4,12}(?:[ -][A-Za-z]{4,8})?)[ ]{0,2}(?:[(]\d{1,2}(?:st|nd|rd"
    r"|th)?[)])?[ ]{1,2}(?:day[ ]{1,2})?of[ ]{1,2}$",
    re.IGNORECASE,
)

_ISO = re.compile(r"(?<![\d./-])(?P<y>(?:19|20)\d\d)(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d]|[./-]\d)")
_NUMERIC = re.compile(
    r"(?<![\d./-])(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>(?:19|20)\d\d|\d\d)(?![\d]|[./-]\d)"
)
_COMPACT = re.compile(r"(?<![\d.,])(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?![\d.,])")
_COMPACT_CUE = re.compile(r"(?:日期|日|于|自|\b(?:date[d:]?|on))[ :：]{0,3}$", re.IGNORECASE)
_ZH_DIGIT = "〇零○一二三四五六七八九十廿卅两"
_ZH = re.compile(
    rf"(?P<y>(?<![\d])(?:(?:19|20)\d\d|(?:19|20)(?:[ ]?_{{1,12}}|\d?_{{1,3}}))"
    rf"|(?<![{_ZH_DIGIT}])[一二][{_ZH_DIGIT}]{{3}})[ ]{{0,2}}年(?P<within>(?:度)?(?:内|之内)?)"
    rf"(?:[ ]{{0,2}}(?P<m>\d{{1,2}}|[{_ZH_DIGIT}]{{1,3}}|_{{1,12}})[ ]{{0,2}}月(?:份)?(?:[ "
    rf"]{{0,2}}(?P<d>\d{{1,2}}|[{_ZH_DIGIT}]{{1,3}}|_{{1,12}})[ ]{{0,2}}[日号])?)?"
)
_ZH_MONTH_DAY = re.compile(
    rf"(?<![\d年{_ZH_DIGIT}])(?<!年[ ])(?P<m>\d{{1,2}}|[{_ZH_DIGIT}]{{1,3}})[ ]{{0,2}}月[ "
    rf"]{{0,2}}(?P<d>\d{{1,2}}|[{_ZH_DIGIT}]{{1,3}})[ ]{{0,2}}[日号](?!内|以内)"
)
_ZH_WEEKDAY = re.compile(r"[ ]{0,2}[,，(]?[ ]{0,2}(?:星期|周|礼拜)(?P<day>[一二三四五六日天])")
_YEARLY_ZH = re.compile(
    rf"每年(?:的)?[ ]{{0,2}}(?P<all>(?P<m>\d{{1,2}}|[{_ZH_DIGIT}]{{1,3}})[ ]{{0,2}}月份?)(?![ ]?[\d{_ZH_DIGIT}])"
)
_MONTHLY_ZH = re.compile(
    rf"每(?:个)?(?P<unit>月|季度|年)度?(?:的)?(?:第)?[ ]{{0,2}}(?P<d>\d{{1,2}}|[{_ZH_DIGIT}]{{1,3}})[ ]{{0,2}}[日号]"
)
_MONTHLY = re.compile(
    r"(?<![A-Za-z\d])(?P<day>\d{1,2}(?:st|nd|rd|th)|[A-Za-z]{4,12}(?:-[A-Za-z]{4,8})?)[ ]{0,2}(?:[(]\d{1,2}(?:st|nd"
    r"|rd|th)?[)][ ]{1,2})?"
    r"(?:(?P<type>business|calendar|working)[ ])?day[ ]{1,2}of[ ]{1,2}(?:each|every|the|any|such"
    r"|that)[ ]{1,2}(?:and every[ ])?(?:succeeding |following |next |subsequent |calendar |then )?"
    r"(?P<unit>month|quarter|year)(?![a-z])",
    re.IGNORECASE,
)
_ORDINAL_MONTH = re.compile(
    r"(?<![A-Za-z\d])(?P<n>\d{1,3}(?:st|nd|rd|th)|[A-Za-z]{4,12}(?:-[A-Za-z]{4,8})?)[ ]{1,2}(?P<unit>month|year|week"
    r"|quarter|anniversary)[ ]{1,2}of[ ]{1,2}the[ ](?P<of>[A-Z]?[A-Za-z]{2,20})",
)


def _valid(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year if year else 2024, month)[1]


def _year_text(year: str) -> str:
    digits = "".join(c for c in year if c.isdigit())
    return (digits + "XXXX")[:4]


def _iso(year: str, month: int, day: int | None) -> str | None:
    """The date, or None when no calendar has it; ``year`` may hold X."""
    number = int(year) if year.isdigit() else 0
    if not 1 <= month <= 12:
        return None
    if day is None:
        return f"{year}-{month:02d}"
    return f"{year}-{month:02d}-{day:02d}" if _valid(number, month, day) else None


def _add(
    scan: Scan, value: str, start: int, end: int, confidence: float = 1.0, detail: dict[str, str] | None = None
) -> None:
    for i in scan.values_between(start, end):
        scan.claimed.add(i)
    bound = bound_of(scan.text, start, end)
    scan.add(AnchorKind.DATE, value, start, end, confidence, bound=bound, detail=detail)


def _weekday(scan: Scan, start: int) -> tuple[int, dict[str, str]]:
    found = _WEEKDAY.search(scan.text, max(0, start - 20), start)
    return (found.start(), {"weekday": found["day"].lower()}) if found else (start, {})


def _word_day(text: str, start: int) -> tuple[int, int] | None:
    """``first day of`` before a month: the day and where its words start."""
    match = _BEFORE_WORD_DAY.search(text, max(0, start - 44), start)
    if not match:
        return None
    words = [n for n in number_words(match["words"]) if n.ordinal]
    if not words or not 1 <= words[-1].value <= 31:
        return None
    return int(words[-1].value), match.start("words") + words[-1].start


def _named(scan: Scan, match: re.Match[str]) -> None:
    """A date with an English month name."""
    text = scan.text
    name = match["month"].lower()
    month = _MONTH_NUMBERS[name]
    start, end = match.span()
    day: int | None = None
    year = ""
    blank_day = False
    after = _AFTER_DAY.match(text, end)
    # "28 November 2016" before "November 20, 16"; a day before the month wins when a year follows it.
    following_year = _AFTER_YEAR.match(text, end) or (
        _DASH_YEAR.match(text, end) if text[start - 1 : start] == "-" else None
    )
    if after and not (following_year and following_year["year"].isdigit() and after["year"] is None):
        day, year, end = int(after["day"]), after["year"] or "", after.end()
    else:
        before = _BEFORE_DAY.search(text, max(0, start - 24), start)
        if before and 1 <= int(before["day"]) <= 31:
            day, start = int(before["day"]), before.start()
        elif blank := _BEFORE_BLANK_DAY.search(text, max(0, start - 36), start):
            blank_day, start = True, blank.start()
        elif word := _word_day(text, start):
            day, start = word
        if following_year:
            year, end = following_year["year"], following_year.end()
    if day is None and not year and not blank_day:
        return
    if name in ("may", "march") and match["month"][0].islower():
        return
    if len(year) == 2 and year.isdigit():
        year = ("19" if int(year) > 60 else "20") + year
    year_text = _year_text(year) if year else "XXXX"
    if blank_day:
        _add(scan, f"{year_text}-{month:02d}-XX", start, end, 0.7, {"blank": "day"})
        return
    value = _iso(year_text, month, day)
    detail = {"blank": "year"} if year and not year.isdigit() else {}
    if value is None:
        _add(scan, f"{year_text}-{month:02d}-{day:02d}", start, end, 0.9, {"invalid": "yes"})
        return
    start, weekday = _weekday(scan, start)
    _add(scan, value, start, end, 1.0 if year else 0.8, detail | weekday)


def _numeric(scan: Scan) -> None:
    text = scan.text
    for match in _ISO.finditer(text):
        value = _iso(match["y"], int(match["m"]), int(match["d"]))
        if value:
            _add(scan, value, *match.span())
    for match in _NUMERIC.finditer(text):
        year = match["y"]
        if len(year) == 2:
            if match["s"] == ".":
                continue
            year = ("19" if int(year) > 60 else "20") + year
        a, b = int(match["a"]), int(match["b"])
        # Both readings are kept, day first, month first; never a silent guess.
        readings = list(dict.fromkeys(r for r in (_iso(year, b, a), _iso(year, a, b)) if r))
        if readings:
            _add(scan, "|".join(readings), *match.span(), 1.0 if len(readings) == 1 else 0.5)
    for match in _COMPACT.finditer(text):
        value = _iso(match["y"], int(match["m"]), int(match["d"]))
        if value and _COMPACT_CUE.search(text, max(0, match.start() - 8), match.start()):
            _add(scan, value, *match.span(), 0.9)


def _zh_number(text: str | None) -> int | None:
    if text is None or "_" in text:
        return None
    value = chinese_value(text)
    return int(value) if value is not None and value == int(value) else None


def _chinese(scan: Scan) -> None:
    text = scan.text
    for match in _ZH.finditer(text):
        raw = match["y"].replace(" ", "")
        year = _year_text(raw) if raw[0].isdigit() else str(_zh_number(raw) or "")
        if len(year) != 4:
            continue
        _chinese_date(scan, match, year)
    for match in _ZH_MONTH_DAY.finditer(text):
        month, day = _zh_number(match["m"]), _zh_number(match["d"])
        if month is not None and day is not None and (value := _iso("XXXX", month, day)):
            _add(scan, value, *match.span(), 0.8)
    for match in _YEARLY_ZH.finditer(text):
        month = _zh_number(match["m"])
        if month is not None and 1 <= month <= 12:
            _add(scan, f"XXXX-{month:02d}", *match.span("all"), 0.8)
    for match in _MONTHLY_ZH.finditer(text):
        day = _zh_number(match["d"])
        if day is not None and 1 <= day <= 31:
            _recurring(scan, {"月": "P1M", "季度": "P3M", "年": "P1Y"}[match["unit"]], day, match)


def _chinese_date(scan: Scan, match: re.Match[str], year: str) -> None:
    """A date that begins with its year, as far as it is filled in."""
    month, day = _zh_number(match["m"]), _zh_number(match["d"])
    detail = {"blank": "yes"} if "_" in match.group() else {}
    weekday = _ZH_WEEKDAY.match(scan.text, match.end())
    if weekday:
        detail["weekday"] = WEEKDAYS["一二三四五六日".index(weekday["day"].replace("天", "日"))]
    if match["m"] is None:
        if match["within"].endswith("内") and year.isdigit():
            _add(scan, f"{year}-01-01/{year}-12-31", *match.span(), 1.0, {"interval": "yes"})
        else:
            _add(scan, year, *match.span(), 0.9, detail)
    elif month is None:
        _add(scan, f"{year}-XX-XX", *match.span(), 0.6, detail)
    elif value := _iso(year, month, day):
        value += "-XX" if match["d"] and day is None else ""
        _add(scan, value, *match.span(), 1.0, detail)
    else:
        _add(scan, f"{year}-{month:02d}-{day or 0:02d}", *match.span(), 0.9, {"invalid": "yes"})


def _recurring(scan: Scan, every: str, day: int, match: re.Match[str], day_type: str = "") -> None:
    for i in scan.values_between(*match.span()):
        scan.claimed.add(i)
    suffix = "BD" if day_type in ("business", "working") else ""
    bound = bound_of(scan.text, *match.span())
    scan.add(
        AnchorKind.RATE,
        f"R/{every}/{day}{suffix}",
        *match.span(),
        bound=bound,
        detail={"day": str(day), "every": every},
    )


def _ordinal(text: str) -> int | None:
    if text[0].isdigit():
        return int("".join(c for c in text if c.isdigit()))
    words = number_words(text)
    return int(words[-1].value) if words and words[-1].ordinal and words[-1].end == len(text) else None


def _recurring_english(scan: Scan) -> None:
    for match in _MONTHLY.finditer(scan.text):
        day = _ordinal(match["day"])
        if day is not None and 1 <= day <= 31:
            every = {"month": "P1M", "quarter": "P3M", "year": "P1Y"}[match["unit"].lower()]
            _recurring(scan, every, day, match, (match["type"] or "").lower())
    for match in _ORDINAL_MONTH.finditer(scan.text):
        number = _ordinal(match["n"])
        if number is not None:
            for i in scan.values_between(*match.span()):
                scan.claimed.add(i)
            scan.add(
                AnchorKind.QUANTITY, f"#{number} {match['unit']}", *match.span(), 0.8,
                role=f"ordinal {match['unit']} of the {match['of'].lower()}",
            )  # fmt: skip


def find_dates(scan: Scan) -> None:
    """Note every calendar date and every recurring day."""
    for match in _MONTH.finditer(scan.text):
        _named(scan, match)
    _numeric(scan)
    _recurring_english(scan)
    if scan.has_han:
        _chinese(scan)
