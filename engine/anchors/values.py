"""The numbers of a text as a contract means them: one value where words and figures stand side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from engine.anchors.figures import Figure, figures
from engine.anchors.number_words import SCALES, SPACE, WordNumber, number_words

#: Words that may stand between the words and the bracket with the figures.
_UNITS = (
    r"(?:(?:U\.?\s?S\.?|United States|Canadian|Australian|Hong Kong|Singapore)[ -]{1,2})?"
    r"(?:dollars?|cents?|pounds?(?: sterling)?|euros?|renminbi|yuan|rmb|yen|francs?|rupees?|pesos?|"
    r"per ?cent(?:um)?|percentage points?|basis points|%|"
    r"(?:(?:calendar|business|working|consecutive|trading|banking)[ -])?(?:days?|weeks?|months?|years?|hours?"
    r"|minutes?))"
)
_CHINESE_UNITS = (
    r"(?:[元圆块](?:整|正)?|美元|港元|欧元|日元|个工作日|个月|个?自然日|工作日|日历日|日|天|年|月|周|小时|%|份|万元)"
)
_OPEN = re.compile(
    rf"(?P<unit>{SPACE}{_UNITS}|[ ]?{_CHINESE_UNITS})?{SPACE}[.,]?{SPACE}(?P<open>[(\[])[ ]{{0,3}}"
    r"(?P<label>(?:大写|小写|即|i\.e\.|say|approximately|RMB|人民币)[ ]{0,2}[:：,]?[ ]{0,2}){0,2}"
    r"(?P<currency>(?:U\.?S\.?[ ]?\$|US[ ]?D|[A-Z]{0,3}[ ]?[$€£¥]|CNY|RMB|USD|EUR|GBP|HKD|人民币|美元)[ ]{0,3})?",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    rf"(?P<unit>[ ]{{0,2}}-?[ ]{{0,2}}(?:{_UNITS}|{_CHINESE_UNITS}|/100))?"
    r"(?P<more>[ ](?:U\.?S\.?|each|lawful|only))?(?:\.00)?[ ]{0,3}(?:整|正)?[ ]{0,3}(?P<close>[)\]])",
    re.IGNORECASE,
)
_LABEL_BEFORE = re.compile(
    r"(?:\b(?:year|phase|section|exhibit|article|schedule|tranche|option|step|class|level|tier|zone|lot|unit|"
    r"building|part|appendix|annex|item|no\.|number|paragraph|clause|chapter|series|note|table|figure|volume)"
    r"|第)[ ]{0,2}$",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"[)\]][ ]{0,2}(?:o'?.?clock|noon|midnight|[ap]\.?[ ]?m\b|hours[ ](?:local|gmt|utc))", re.IGNORECASE
)
_SCALE_AFTER = re.compile(
    rf"{SPACE}(?P<scale>hundred|thousand|million|billion|trillion|万|亿)(?![A-Za-z])", re.IGNORECASE
)
_CENT = re.compile(r"cents?\b", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%|per ?cent|percentage|百分)", re.IGNORECASE)
_AND_CENTS = re.compile(rf"{SPACE}{_UNITS}{SPACE}[,]?{SPACE}(?:and|&){SPACE}$", re.IGNORECASE)
_OF_ONE = re.compile(rf"{SPACE}of{SPACE}$", re.IGNORECASE)
_AFTER_SCALES = {
    **{k: Decimal(v) for k, v in SCALES.items()},
    "hundred": Decimal(100),
    "万": Decimal(10**4),
    "亿": Decimal(10**8),
}
_CAPITAL_MONEY = re.compile(
    r"(?:零)?(?:(?P<jiao>[零壹贰叁肆伍陆柒捌玖一二三四五六七八九\d])角)?(?:零)?(?:"
    r"(?P<fen>[零壹贰叁肆伍陆柒捌玖一二三四五六七八九\d])分)?(?:整|正)?"
)
_YUAN = re.compile(r"[ ]{0,2}[元圆圓块]")


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its span in the normalised text.

    ``start, end`` cover both forms and the bracket when it is given twice. ``words`` and ``figures`` are the texts of
    the two forms, ``words_value`` and ``figures_value`` what each says; ``agrees`` is False only when they clash. Then
    ``number`` is what the words say, which prevail by the usual rule of construction. ``unit_at`` is where a unit may
    follow (after the bracket), ``inner_unit`` and ``inner_currency`` are what the bracket itself holds,
    ``between_unit`` what stands between words and bracket.
    """

    number: Decimal
    start: int
    end: int
    form: str
    ordinal: bool = False
    scaled: bool = False
    part: bool = False
    words: str = ""
    figures: str = ""
    words_value: Decimal | None = None
    figures_value: Decimal | None = None
    agrees: bool = True
    odd: bool = False
    between_unit: str = ""
    inner_unit: str = ""
    inner_currency: str = ""
    currency_at: int = -1
    money: bool = False

    @property
    def paired(self) -> bool:
        """Whether words and figures both give it."""
        return bool(self.words)


@dataclass(frozen=True, slots=True)
class _Number:
    value: Decimal
    start: int
    end: int
    form: str
    ordinal: bool = False
    scaled: bool = False
    odd: bool = False
    part: bool = False


def _numbers(text: str) -> list[_Number]:
    """Words, figures and Chinese numerals together, in order; overlaps go to the one that starts first."""
    words: list[WordNumber] = number_words(text)
    signs: list[Figure] = figures(text)
    merged: list[_Number] = [_Number(w.value, w.start, w.end, "words", w.ordinal, False, w.odd, w.part) for w in words]
    merged += [
        _Number(f.value, f.start, f.end, f.form, f.ordinal, f.scaled, f.odd) for f in signs if f.value is not None
    ]
    merged.sort(key=lambda n: (n.start, -n.end))
    kept: list[_Number] = []
    for number in merged:
        if kept and number.start < kept[-1].end:
            continue
        kept.append(_with_jiao(text, number) if number.form == "chinese" else number)
    return _compound(text, kept)


def _with_jiao(text: str, number: _Number) -> _Number:
    """``叁仟元肆角陆分``: the jiao and fen belong to the number (the yuan mark stays inside its span)."""
    yuan = _YUAN.match(text, number.end)
    if not yuan:
        return number
    tail = _CAPITAL_MONEY.match(text, yuan.end())
    if not tail or not (tail["jiao"] or tail["fen"]):
        return number
    digits = {c: i % 10 for i, c in enumerate("零壹贰叁肆伍陆柒捌玖零一二三四五六七八九0123456789")}
    value = number.value + Decimal(digits[tail["jiao"] or "零"]) / 10 + Decimal(digits[tail["fen"] or "零"]) / 100
    return _Number(value, number.start, tail.end(), "chinese money")


def _compound(text: str, numbers: list[_Number]) -> list[_Number]:
    """Join ``Ten Dollars and Fifty Cents`` and ``one-half of one`` (percent)."""
    out: list[_Number] = []
    for number in numbers:
        if out and 0 < number.start - out[-1].end < 60:
            previous = out[-1]
            if (
                number.value < 100
                and _CENT.match(text, number.end + 1)
                and _AND_CENTS.fullmatch(text, previous.end, number.start)
            ):
                end = number.end + len("cents") + 1
                end = min(end, len(text))
                out[-1] = _Number(previous.value + number.value / 100, previous.start, end, previous.form + " money")
                continue
            small = previous.part or (previous.form == "figures" and previous.value < 1)
            if small and number.value == 1 and _OF_ONE.fullmatch(text, previous.end, number.start):
                out[-1] = _Number(previous.value, previous.start, number.end, previous.form)
                continue
        out.append(number)
    return out


def _equal(words: Decimal, figure: Decimal, figure_text: str) -> bool:
    if words == figure:
        return True
    # "two-thirds (66.67%)", "(.333)": as many decimals as the figures show.
    decimals = len(figure_text.rpartition(".")[2]) if "." in figure_text else 0
    return words != int(words) and decimals > 0 and abs(words - figure) <= Decimal(10) ** -decimals


def _agrees(text: str, words: _Number, figure: _Number, opening: re.Match[str], closing: re.Match[str]) -> bool:
    """Whether the two forms say the same, units and scales taken into account."""
    said = words.value
    shown = figure.value
    shown_text = text[figure.start : figure.end]
    between = (opening["unit"] or "").strip()
    inside = (closing["unit"] or "").strip()
    after_at = closing.end()
    candidates = [said]
    scale = _SCALE_AFTER.match(text, after_at)
    if scale:
        # "Six (6,000,000) Million": the scale belongs to the words.
        candidates.append(said * _AFTER_SCALES[scale["scale"].lower()])
    after = text[after_at : after_at + 30].lstrip(" -\n")
    if opening["currency"] and (_CENT.match(between) or _CENT.match(after)):
        candidates.append(said / 100)
    if _PERCENT.match(between) or _PERCENT.match(after) or _PERCENT.match(text[:0] + inside):
        if "basis" not in inside and "%" not in inside:
            candidates.append(said / 100)
        if "%" not in inside:
            candidates.append(said * 100)
    if "basis" in between.lower() and _PERCENT.match(inside):
        candidates.append(said / 100)
    if words.part and _PERCENT.match(inside):
        candidates.append(said * 100)
    if between in ("万元",):
        candidates.append(said * 10**4)
    return any(_equal(candidate, shown, shown_text) for candidate in candidates)


def _opens_list(text: str, figure: _Number, closing: re.Match[str], opening: re.Match[str]) -> bool:
    """``the higher of (1) zero (2) the rate``: a bare small number in brackets may be a list mark."""
    if opening["currency"] or (closing["unit"] or "").strip() or figure.value > 20 or figure.value != int(figure.value):
        return False
    if figure.value == 1:
        return f"({2})" in text[closing.end() : closing.end() + 400] and text[closing.end() : closing.end() + 1] == " "
    return f"({int(figure.value) - 1})" in text[max(0, opening.start() - 400) : opening.start()]


def _two_forms(text: str, first: _Number, second: _Number) -> bool:
    """Whether one is in words and the other in figures, so that they can be two forms of one value."""
    if (first.form == "figures") == (second.form == "figures") or (first.ordinal and not second.ordinal):
        return False
    # "RMB 1 0 5": digits that a reading tore apart are no number.
    torn = first.start > 1 and text[first.start - 1] == " " and text[first.start - 2].isdigit()
    return not (torn and first.form == "figures")


def _pair(text: str, first: _Number, second: _Number, previous: _Number | None) -> Value | None:
    """The value that two neighbouring numbers give together, or None."""
    if not 0 < second.start - first.end < 200 or not _two_forms(text, first, second):
        return None
    opening = _OPEN.match(text, first.end)
    if not opening or opening.end() != second.start:
        return None
    closing = _CLOSE.match(text, second.end)
    if not closing or (opening["open"] == "(") != (closing["close"] == ")"):
        return None
    if _CLOCK.match(text, closing.end() - 1) or _LABEL_BEFORE.search(text, max(0, first.start - 14), first.start):
        return None
    words, figure = (second, first) if first.form == "figures" else (first, second)
    agrees = _agrees(text, words, figure, opening, closing)
    if not agrees:
        if _opens_list(text, second, closing, opening):
            return None
        adjacent = previous is not None and previous.form == "words" and first.start - previous.end <= 2
        if adjacent and previous is not None:
            # "nineteen ninety-eight (1998)", "twenty twenty-five (2025)".
            agrees = Decimal(f"{int(previous.value)}{int(first.value):02d}") == second.value
    number = words.value
    if (
        agrees
        and figure.value != words.value
        and figure.value > words.value
        and not _PERCENT.match(closing["unit"] or "")
    ):
        number = figure.value
    return Value(
        number, first.start, closing.end(), "paired", first.ordinal, first.scaled or second.scaled, words.part,
        text[words.start : words.end], text[figure.start : figure.end], words.value, figure.value, agrees,
        words.odd or figure.odd, (opening["unit"] or "").strip(), (closing["unit"] or "").strip(),
        (opening["currency"] or "").strip(),
        opening.start("currency") if opening["currency"] else -1,
        words.form.endswith("money"),
    )  # fmt: skip


def values(text: str) -> list[Value]:
    """Every number of the normalised ``text``, in order, words and figures joined."""
    numbers = _numbers(text)
    out: list[Value] = []
    i = 0
    while i < len(numbers):
        number = numbers[i]
        if i + 1 < len(numbers):
            pair = _pair(text, number, numbers[i + 1], numbers[i - 1] if i else None)
            if pair is not None:
                out.append(pair)
                i += 2
                continue
        out.append(
            Value(
                number.value,
                number.start,
                number.end,
                number.form,
                number.ordinal,
                number.scaled,
                number.part,
                odd=number.odd,
            )
        )
        i += 1
    return out
