"""Amounts of money: ``USD 1000000`` from ``U.S.$1,000,000.00``, ``人民币壹佰万元整`` or ``one million dollars``."""

from __future__ import annotations

import re
from decimal import Decimal

from engine.anchors.bounds import bound_of
from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan, pair_detail, plain
from engine.anchors.values import Value

_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₩": "KRW", "₹": "INR", "￥": "CNY"}
_DOLLARS = {
    "US": "USD", "U.S.": "USD", "U.S": "USD", "USD": "USD", "HK": "HKD", "C": "CAD", "CA": "CAD", "CDN": "CAD",
    "CAN": "CAD", "CAD": "CAD", "A": "AUD", "AU": "AUD", "NT": "TWD", "S": "SGD", "SG": "SGD", "NZ": "NZD",
}  # fmt: skip
_CODES = (
    "USD",
    "EUR",
    "GBP",
    "CNY",
    "RMB",
    "HKD",
    "JPY",
    "CHF",
    "CAD",
    "AUD",
    "SGD",
    "TWD",
    "INR",
    "KRW",
    "NZD",
    "SEK",
    "DKK",
    "NOK",
)
_BEFORE = re.compile(
    r"(?:(?<![A-Za-z])(?P<prefix>U\.S\.?|US|HK|CDN|CAN|CAD|CA|C|AU|A|NT|SG|S|NZ|USD)[ ]?)?(?P<symbol>[$€£¥₩₹])[ ]{0,2}$"
    rf"|(?<![A-Za-z])(?P<code>{'|'.join(_CODES)})[ ]{{0,2}}[$¥€£]?[ ]{{0,2}}$"
    r"|(?P<renminbi>人民币|大写|小写)[ ]{0,2}[(（]?(?:大写|小写)?[)）]?[ ]{0,2}[:：]?[ ]{0,2}$"
)
_WORDS = {
    "dollar": "USD", "euro": "EUR", "pound": "GBP", "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "yen": "JPY",
    "franc": "CHF", "rupee": "INR",
}  # fmt: skip
_NATIONS = {
    "canadian": "CAD",
    "australian": "AUD",
    "hong kong": "HKD",
    "singapore": "SGD",
    "new zealand": "NZD",
    "taiwan": "TWD",
}
_AFTER = re.compile(
    r"[ \n-]{0,3}(?:of[ ])?(?:(?P<nation>U\.?S\.?|United States|Canadian|Australian|Hong Kong|Singapore"
    r"|New Zealand)[ ]{1,2})?"
    r"(?P<word>dollars?|euros?|pounds?(?: sterling)?|yuan|renminbi|rmb|yen|francs?|rupees?)(?![A-Za-z])"
    rf"|[ ]{{0,2}}(?P<code>{'|'.join(_CODES)})(?![A-Za-z])"
    r"|[ ]{0,2}(?P<symbol>[€£])"
    r"|[ ]{0,2}(?P<cent>cents?)(?![A-Za-z])",
    re.IGNORECASE,
)
_AFTER_ZH = re.compile(
    r"[ ]{0,2}(?P<scale>[万亿千百])?[ ]{0,2}(?:多|余)?"
    r"(?:(?P<other>美元|美金|港元|港币|欧元|日元|英镑|加元|澳元|新台币|新加坡元)"
    r"|(?:人民币)?[元圆圓](?P<rest>(?:[ ]{0,2}[(]?人民币[)]?)?)(?:整|正)?|块钱?|人民币(?!元))"
)
_OTHER = {"美元": "USD", "美金": "USD", "港元": "HKD", "港币": "HKD", "欧元": "EUR", "日元": "JPY", "英镑": "GBP",
          "加元": "CAD", "澳元": "AUD", "新台币": "TWD", "新加坡元": "SGD"}  # fmt: skip
_SCALES = {"万": 10**4, "亿": 10**8, "千": 1000, "百": 100}
_PER = re.compile(
    r"[ ]{0,2}(?:(?:(?:per|each|every)[ ]|(?:an?)[ ](?=month|year|day|week|hour|unit|share)"
    r"|/[ ]?)(?P<unit>(?![a-z]{2,18}ing(?![a-z]))[A-Za-z]{2,20})|/[ ]{0,2}(?P<zh>[\u4e00-\u9fff]{1,3})"
    r"|每(?P<each>[\u4e00-\u9fff]{1,3}))",
    re.IGNORECASE,
)
_EACH_BEFORE = re.compile(r"每(?P<unit>平方米|[\u4e00-\u9fff]{1,2}?)(?:[\u4e00-\u9fff]{0,4}?)(?:人民币)?[ ]{0,2}[¥]?$")


def _before(text: str, at: int) -> tuple[str, int, float]:
    """Currency, start and confidence from what stands right before ``at``."""
    match = _BEFORE.search(text, max(0, at - 16), at)
    if not match:
        return "", at, 0.0
    if match["symbol"]:
        return _symbol_before(text, match)
    if match["code"] or match["renminbi"] == "人民币":
        return _currency_code(match["code"] or "CNY"), match.start(), 1.0
    wider = _BEFORE.search(text, max(0, match.start() - 10), match.start())
    if wider and wider["renminbi"] == "人民币":
        return "CNY", wider.start(), 1.0
    return "", at, 0.0


def _symbol_before(text: str, match: re.Match[str]) -> tuple[str, int, float]:
    """The same for a symbol, which a prefix (HK$) or a code (CNY ¥) may make certain."""
    if match["symbol"] == "$" and match["prefix"]:
        return _DOLLARS.get(match["prefix"], "USD"), match.start(), 1.0
    start = match.start("symbol")
    wider = _BEFORE.search(text, max(0, start - 8), start)
    if wider and (wider["code"] or wider["renminbi"]):
        return _currency_code(wider["code"] or "CNY"), wider.start(), 1.0
    return _SYMBOLS[match["symbol"]], start, 0.95


def _currency_code(code: str) -> str:
    return {"RMB": "CNY"}.get(code.upper(), code.upper())


def _after(text: str, at: int) -> tuple[str, Decimal, int]:
    """Currency, factor and end from what follows ``at``; "" when no currency does."""
    match = _AFTER.match(text, at)
    if match:
        currency, factor = _english_after(match)
        return currency, factor, match.end() if currency else at
    match = _AFTER_ZH.match(text, at)
    if match:
        scale = Decimal(_SCALES.get(match["scale"] or "", 1))
        return _OTHER.get(match["other"] or "", "CNY"), scale, match.end()
    return "", Decimal(1), at


def _english_after(match: re.Match[str]) -> tuple[str, Decimal]:
    if match["cent"]:
        return "USD", Decimal("0.01")
    if match["symbol"] or match["code"]:
        return (_SYMBOLS[match["symbol"]] if match["symbol"] else _currency_code(match["code"])), Decimal(1)
    word = match["word"].lower().split()[0].rstrip("s")
    if word == "pound" and "sterling" not in match["word"].lower():
        # Without a £ beside them pounds are a weight more often than money.
        return "", Decimal(1)
    nation = (match["nation"] or "").lower()
    return _NATIONS.get(nation, _WORDS.get(word, "USD")), Decimal(1)


def _inner(text: str, value: Value) -> str:
    if value.currency_at >= 0:
        return _before(text, value.currency_at + len(value.inner_currency))[0] or "USD"
    for unit in (value.between_unit, value.inner_unit):
        currency = _after(text[:0] + unit, 0)[0] if unit else ""
        if currency and not unit.lower().startswith("cent"):
            return currency
    return ""


def _money_span(scan: Scan, value: Value) -> tuple[str, Decimal, int, int, float] | None:
    """Currency, number, start, end, confidence; None when the value is no money."""
    text = scan.text
    currency, start, confidence = _before(text, value.start)
    number, end = value.number, value.end
    after, factor, after_end = _after(text, value.end)
    if value.paired:
        inner = _inner(text, value)
        cents = "cent" in value.between_unit.lower() or (factor < 1 and value.inner_currency)
        if cents:
            number, end = (value.number / 100 if value.number >= 1 else value.number), max(end, after_end)
        elif after and not currency:
            number, end = number * factor, after_end
        spoken = ("CNY" if value.words[0] > "\x7f" else "USD") if value.money else ""
        currency, confidence = currency or inner or after or spoken, confidence or 0.95
        if after and inner and factor == 1:
            end = after_end
    elif value.form.endswith("money"):
        currency = currency or ("CNY" if value.form.startswith("chinese") else "USD")
        confidence = 1.0
    elif after:
        if factor != 1 or not currency:
            number = number * factor
        currency, end, confidence = currency if currency not in ("", "USD") else after, after_end, 1.0
    return (currency, number, start, end, confidence) if currency else None


def find_amounts(scan: Scan) -> None:
    """Note every amount of money of the text."""
    for i, value in enumerate(scan.values):
        if value.ordinal:
            continue
        money = _money_span(scan, value)
        if money is None:
            continue
        currency, number, start, end, confidence = money
        detail = pair_detail(value)
        per = _PER.match(scan.text, end)
        if per:
            detail["per"] = (per["unit"] or per["zh"] or per["each"]).lower()
        elif before := _EACH_BEFORE.search(scan.text, max(0, start - 12), start):
            detail["per"] = before["unit"]
        if value.odd:
            confidence = min(confidence, 0.6)
            detail["odd"] = "yes"
        scan.claimed.add(i)
        scan.add(
            AnchorKind.AMOUNT, f"{currency} {plain(number)}", start, end, confidence,
            bound=bound_of(scan.text, start, end), detail=detail,
        )  # fmt: skip
