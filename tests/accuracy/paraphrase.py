"""Other ways to write a value: number words and figures, date orders, currency forms, clause references, two languages.

Written from the canonical values alone (``USD 1200``, ``P30D``, ``2025-04-03``), with no code of the extractors.
"""

from __future__ import annotations

import random
import re
from decimal import Decimal

_ONES = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
)
_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_MONTHS = re.findall(
    r"\w+",
    "January February March April May June July August September October November December",
)
_DIGITS = "零一二三四五六七八九"
_UNITS = {
    "Y": ("year", "年"), "M": ("month", "个月"), "W": ("week", "周"), "D": ("day", "日"),
    "BD": ("business day", "个工作日"), "TH": ("hour", "小时"), "TM": ("minute", "分钟"), "TS": ("second", "秒"),
}  # fmt: skip
_CURRENCIES = {
    "USD": ("${n}", "US${n}", "USD {n}", "{n} US dollars"),
    "EUR": ("€{n}", "EUR {n}", "{n} euros"),
    "GBP": ("£{n}", "GBP {n}", "{n} pounds sterling"),
    "CNY": ("CNY {n}", "RMB {n}"),
}
_PERIOD = re.compile(r"P(?:(\d+)(Y|M|W|D|BD)|T(\d+)(H|M|S))$")


def english_number(n: int) -> str:
    """``145`` as "one hundred and forty-five"; below a thousand million."""
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
    for size, name in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if n >= size:
            rest = n % size
            joint = " and " if rest and rest < 100 else " " if rest else ""
            return f"{english_number(n // size)} {name}{joint}{english_number(rest) if rest else ''}"
    raise ValueError(n)


def chinese_number(n: int) -> str:
    """``145`` as 一百四十五; below a hundred million."""
    if n >= 10_000:
        rest = n % 10_000
        tail = ("零" if rest < 1000 else "") + chinese_number(rest) if rest else ""
        return f"{chinese_number(n // 10_000)}万{tail}"
    out, gap = "", False
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, n = divmod(n, size)
        if digit:
            out += ("零" if gap and out else "") + _DIGITS[digit] + name
            gap = False
        else:
            gap = True
    return re.sub("^一十", "十", out) or "零"


def write(kind: str, value: str, language: str, chance: random.Random) -> str | None:
    """The value in one of its forms; None where this language has none for it here."""
    makers = {
        "period": _period, "amount": _amount, "percent": _percent, "date": _date, "reference": _reference,
        "quantity": _quantity,
    }  # fmt: skip
    forms = makers[kind](value, language) if kind in makers else []
    return chance.choice(forms) if forms else None


def _period(value: str, language: str) -> list[str]:
    match = _PERIOD.match(value)
    if match is None:
        return []
    n = int(match.group(1) or match.group(3))
    english, chinese = _UNITS[match.group(2) or "T" + match.group(4)]
    if language == "zh":
        unit = {"日": ("日", "天")}.get(chinese, (chinese,))
        return [f"{figure}{u}" for u in unit for figure in (str(n), "两" if n == 2 else chinese_number(n))]
    plural = english if n == 1 else english + "s"
    words = english_number(n)
    return [f"{n} {plural}", f"{words} {plural}", f"{words} ({n}) {plural}", f"{n}-{english.replace(' ', '-')}"]


def _amount(value: str, language: str) -> list[str]:
    match = re.match(r"([A-Z]{3}) ([\d.]+)$", value)
    if match is None or match.group(1) not in _CURRENCIES:
        return []
    number = Decimal(match.group(2))
    plain = f"{number:,f}"
    whole = number == int(number)
    if language == "zh":
        return _chinese_amount(match.group(1), number, plain)
    figures = [plain, f"{number:f}", *([f"{plain}.00"] if whole else [])]
    if whole and int(number) % 100_000 == 0 and number >= 1_000_000:
        figures.append(f"{(number / 1_000_000).normalize():f} million")
    return [form.format(n=n) for form in _CURRENCIES[match.group(1)] for n in figures]


def _chinese_amount(currency: str, number: Decimal, plain: str) -> list[str]:
    unit = {"CNY": "元", "USD": "美元", "EUR": "欧元", "GBP": "英镑"}[currency]
    out = [f"{plain}{unit}", f"{number:f}{unit}"]
    if currency == "CNY":
        out += [f"人民币{plain}元", f"¥{plain}", f"￥{number:f}元", f"人民币{plain}元整"]
    if number == int(number):
        out.append(chinese_number(int(number)) + unit)
        if int(number) % 1000 == 0 and number >= 10_000:
            out.append(f"{(number / 10_000).normalize():f}万{unit}")
    return out


def _percent(value: str, language: str) -> list[str]:
    if not re.match(r"[\d.]+%$", value):
        return []
    number = Decimal(value[:-1])
    if language == "zh":
        out = [value, f"{number:f}％"]
        if number == int(number):
            out.append("百分之" + chinese_number(int(number)))
        if number < 1 and number * 10 == int(number * 10):
            out += ["千分之" + chinese_number(int(number * 10)), f"{int(number * 10)}‰"]
        return out
    out = [value, f"{number:f} per cent", f"{number:f} percent"]
    if number == int(number):
        words = english_number(int(number))
        out += [f"{words} percent", f"{words} per cent ({number:f}%)"]
    return out


def _date(value: str, language: str) -> list[str]:
    match = re.match(r"(\d{4})-(\d\d)-(\d\d)$", value)
    if match is None:
        return []
    year, month, day = map(int, match.groups())
    if language == "zh":
        years = "".join(_DIGITS[int(d)] if d != "0" else "〇" for d in str(year))
        spoken = f"{years}年{chinese_number(month)}月{chinese_number(day)}日"
        return [f"{year}年{month}月{day}日", f"{year}年{month:02}月{day:02}日", value, spoken]
    name = _MONTHS[month - 1]
    ordinal = f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
    return [
        f"{day} {name} {year}", f"{name} {day}, {year}", f"{ordinal} {name} {year}", f"{name} {ordinal}, {year}",
        f"{day} {name[:3]} {year}", value, f"the {ordinal} day of {name}, {year}",
    ]  # fmt: skip


def _reference(value: str, language: str) -> list[str]:
    match = re.match(r"clause:(\d+(?:\.\d+)*)$", value)
    if match is None:
        return []
    number = match.group(1)
    if language == "zh":
        if "." in number:
            return [f"第{number}款", f"第{number}条"]
        return [f"第{number}条", f"第{chinese_number(int(number))}条"]
    return [f"Section {number}", f"Clause {number}", f"section {number}", f"§ {number}"]


def _quantity(value: str, language: str) -> list[str]:
    match = re.match(r"(\d+) (\S+)$", value)
    # A unit is written in the language that it came in; translating it is no part of this.
    if match is None or (language == "zh") != ("\u3400" <= match.group(2)[0] <= "\u9fff"):
        return []
    n, unit = int(match.group(1)), match.group(2)
    if language == "zh":
        return [f"{n}{unit}", f"{n:,}{unit}", f"{'两' if n == 2 else chinese_number(n)}{unit}"]
    plural = unit if n == 1 or unit.endswith("s") or len(unit) < 3 else unit + "s"
    return [f"{n} {plural}", f"{n:,} {plural}", f"{english_number(n)} {plural}"]


def changed(kind: str, value: str, chance: random.Random) -> str:
    """Another value of the same kind and form: a figure that is not the one; the same where it holds none."""
    if kind == "date":
        year, month, day = map(int, value.split("-"))
        part = chance.randrange(3)
        if part == 0:
            return f"{year + chance.choice((-1, 1, 2))}-{month:02}-{day:02}"
        if part == 1:
            return f"{year}-{month % 12 + 1:02}-{min(day, 28):02}"
        return f"{year}-{month:02}-{day % 28 + 1:02}"
    numbers = list(re.finditer(r"\d+(?:\.\d+)?", value))
    if not numbers:
        return value
    last = numbers[-1]
    n = Decimal(last.group())
    candidates = [n + 1, n + 5, n * 2, n * 10, n + 10, n + 2]
    other = chance.choice([c for c in candidates if c != n])
    return f"{value[: last.start()]}{other.normalize():f}{value[last.end() :]}"
