"""Numbers in figures: groups, decimals in both fashions, fractions, scale signs (17万5, $5-Million)."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from engine.anchors.chinese_numerals import ALL as CHINESE
from engine.anchors.chinese_numerals import MAX_LENGTH, chinese_value
from engine.anchors.number_words import SCALES

#: Longer runs of digits are identifiers, not values.
MAX_DIGITS = 30

_FIGURE = re.compile(
    r"(?<![\d_])(?<!\d[.,])(?:"
    rf"(?P<number>\d{{1,{MAX_DIGITS}}}(?:[.,]\d{{1,{MAX_DIGITS}}}){{0,10}})(?![\d_])"
    r"(?:(?:[ -](?P<top>\d{1,2})|(?P<whole>))(?:/|⁄)(?P<bottom>\d{1,3})(?![\d/]))?"
    r"|(?P<bare>\.\d{1,12})(?!\d))"
)
_SCALE = re.compile(r"[ -]{0,2}(?P<scale>thousand|million|billion|trillion|mm|bn|m|k)(?![A-Za-z0-9])", re.IGNORECASE)
_SCALE_VALUES = {**SCALES, "mm": 10**6, "bn": 10**9, "m": 10**6, "k": 10**3}
_CHINESE_TAIL = re.compile(r"[十百千万亿拾佰仟萬億][0-9" + CHINESE + r"]{0,20}")
_CHINESE = re.compile(
    rf"(?<![{CHINESE}点點])[{CHINESE}]{{1,{MAX_LENGTH}}}(?:[点點][{CHINESE}]{{1,12}})?(?![{CHINESE}])"
)
_CURRENCY_BEFORE = re.compile(r"[$€£¥₽₩₹]\s?$")


class Figure(NamedTuple):
    """A number in figures: value (None when it is no well-formed number) and span.

    ``form`` is ``figures``, ``chinese`` or ``dotted`` (``12.4.1``, an address or a section); ``scaled`` when a word or
    sign such as Million or 万 belongs to it; ``ordinal`` for ``1st``; ``odd`` for ``100,00``.
    """

    value: Decimal | None
    start: int
    end: int
    form: str = "figures"
    scaled: bool = False
    ordinal: bool = False
    odd: bool = False


def _grouped(parts: list[str]) -> bool:
    western = len(parts[0]) <= 3 and all(len(p) == 3 for p in parts[1:])
    # Lakh and crore: 10,00,000.
    indian = len(parts[0]) <= 2 and len(parts[-1]) == 3 and all(len(p) == 2 for p in parts[1:-1])
    return western or indian


def _with_both_marks(text: str) -> tuple[Decimal | None, bool]:
    """The last of the two marks is the decimal one."""
    decimal_mark = "," if text.rfind(",") > text.rfind(".") else "."
    if text.count(decimal_mark) > 1:
        return None, True
    whole, fraction = text.rsplit(decimal_mark, 1)
    groups = whole.split("." if decimal_mark == "," else ",")
    return Decimal("".join(groups) + "." + fraction), not _grouped(groups)


def figure_value(text: str) -> tuple[Decimal | None, bool]:
    """The value of ``1,234.50``, ``1.234,5``, ``712,40`` or ``.125``, and whether its form is doubtful.

    None for dotted numbers of three parts or more that are no grouping (``12.4.1``).
    """
    commas, dots = text.count(","), text.count(".")
    if text.startswith(".") or not (commas or dots):
        return Decimal(text), False
    if commas and dots:
        return _with_both_marks(text)
    mark = "," if commas else "."
    parts = text.split(mark)
    if len(parts) == 2 and (mark == "." or len(parts[1]) != 3):
        return Decimal(".".join(parts)), mark == "," and len(parts[1]) > 3
    if _grouped(parts):
        return Decimal("".join(parts)), False
    return None, mark == ","


def _fraction(match: re.Match[str], value: Decimal | None) -> Decimal | None:
    bottom = Decimal(match["bottom"])
    if bottom == 0 or value is None:
        return None
    if match["top"] is not None:
        top = Decimal(match["top"])
        return value + top / bottom if top < bottom else None
    return value / bottom


def _western(text: str, match: re.Match[str]) -> Figure:
    start, end = match.span()
    value, odd = figure_value(match["number"] or match["bare"])
    if value is None:
        return Figure(None, start, end, "dotted", odd=odd)
    if match["bottom"] is not None:
        fraction = _fraction(match, value)
        if fraction is not None:
            return Figure(fraction, start, end)
        end = match.end("number")
    tail = _CHINESE_TAIL.match(text, end)
    if tail and (whole := chinese_value(text[start:end].replace(",", "") + tail.group())) is not None:
        return Figure(whole, start, tail.end(), scaled=True)
    if text[end : end + 2].lower() in ("st", "nd", "rd", "th") and not text[end + 2 : end + 3].isalpha():
        return Figure(value, start, end + 2, ordinal=True)
    scale = _SCALE.match(text, end)
    if scale:
        word = scale["scale"].lower()
        money = bool(_CURRENCY_BEFORE.search(text, max(0, start - 2), start))
        # "5 m" is metres more often than millions: the short signs count only after a currency sign.
        if word in SCALES or money:
            return Figure(value * _SCALE_VALUES[word], start, scale.end(), scaled=True, odd=odd)
    return Figure(value, start, end, odd=odd)


def figures(text: str) -> list[Figure]:
    """Every number in figures or Chinese numerals, in order, not overlapping."""
    found: list[Figure] = []
    for match in _FIGURE.finditer(text):
        if found and match.start() < found[-1].end:
            continue
        found.append(_western(text, match))
    taken = [(f.start, f.end) for f in found]
    i = 0
    for match in _CHINESE.finditer(text):
        while i < len(taken) and taken[i][1] <= match.start():
            i += 1
        if i < len(taken) and taken[i][0] < match.end():
            continue
        value = chinese_value(match.group().replace("點", "点"))
        if value is not None:
            found.append(Figure(value, match.start(), match.end(), "chinese"))
    found.sort(key=lambda figure: figure.start)
    return found
