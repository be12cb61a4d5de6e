"""Chinese numerals, everyday and banker's (大写), mixed with digits: the value of a string of them."""

from __future__ import annotations

from decimal import Decimal

DIGITS = {
    **{c: i for i, c in enumerate("零一二三四五六七八九")},
    **{c: i for i, c in enumerate("零壹贰叁肆伍陆柒捌玖")},
    **{c: i for i, c in enumerate("〇壹貳參肆伍陸柒捌玖")},
    "○": 0, "两": 2, "兩": 2, "弍": 2, "弐": 2, "叄": 3, "幺": 1,
}  # fmt: skip
SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CAPITALS = frozenset("壹贰貳叁參叄肆伍陆陸柒捌玖拾佰仟")
#: Every character a Chinese numeral may hold.
ALL = "".join(dict.fromkeys([*DIGITS, *SMALL, *LARGE, "廿", "卅"]))
#: No numeral that people write is longer; longer runs are not numbers.
MAX_LENGTH = 40


def _tokens(text: str) -> list[tuple[str, Decimal]] | None:
    """``("digit"|"small"|"large"|"point", value)`` for each sign, digits of figures joined."""
    tokens: list[tuple[str, Decimal]] = []
    i = 0
    while i < len(text):
        char = text[i]
        if char.isascii() and char.isdigit():
            j = i
            while j < len(text) and text[j].isascii() and (text[j].isdigit() or text[j] in ".,"):
                j += 1
            figure = text[i:j].replace(",", "")
            if figure.count(".") > 1 or figure.endswith("."):
                return None
            tokens.append(("figure", Decimal(figure)))
            i = j
            continue
        if char in DIGITS:
            tokens.append(("digit", Decimal(DIGITS[char])))
        elif char in SMALL:
            tokens.append(("small", Decimal(SMALL[char])))
        elif char in LARGE:
            tokens.append(("large", Decimal(LARGE[char])))
        elif char in "廿卅":
            tokens += [("digit", Decimal(2 if char == "廿" else 3)), ("small", Decimal(10))]
        elif char in "点點":
            tokens.append(("point", Decimal(0)))
        else:
            return None
        i += 1
    return tokens


def _positional(digits: list[Decimal]) -> Decimal:
    return Decimal("".join(str(int(d)) for d in digits))


def chinese_value(text: str) -> Decimal | None:
    """The number that ``text`` writes, or None: ``贰拾万零柒仟`` 207000, ``17万5`` 175000, ``二〇二五`` 2025.

    A last digit without its unit counts for the next smaller unit (三百五 is 350) unless a 零 stands before it.
    """
    if not text or len(text) > MAX_LENGTH:
        return None
    tokens = _tokens(text)
    if not tokens:
        return None
    for i, (kind, _) in enumerate(tokens):
        if kind == "point":
            whole, fraction = tokens[:i], tokens[i + 1 :]
            if not whole or not fraction or any(k != "digit" for k, _ in fraction):
                return None
            integer = _whole(whole)
            digits = "".join(str(int(v)) for _, v in fraction)
            return None if integer is None else integer + Decimal(f"0.{digits}")
    return _whole(tokens)


def _whole(tokens: list[tuple[str, Decimal]]) -> Decimal | None:
    if all(kind == "digit" for kind, _ in tokens):
        return _positional([value for _, value in tokens])
    if len(tokens) == 1:
        # 十 alone is ten; 百, 千, 万 alone are no numbers.
        return tokens[0][1] if tokens[0][0] == "figure" or tokens[0] == ("small", Decimal(10)) else None
    if tokens[0][0] == "large":
        return None
    total = section = Decimal(0)
    digit: Decimal | None = None
    unit = Decimal(0)
    after_zero = False
    for kind, value in tokens:
        if kind in ("digit", "figure"):
            if kind == "digit" and value == 0:
                after_zero = True
                continue
            if digit is not None:
                return None
            digit = value
        elif kind == "small":
            # 零拾 in a filled-in form is no tens: 肆百零拾 is 400.
            section += (Decimal(0 if after_zero and unit == value * 10 else 1) if digit is None else digit) * value
            digit, unit, after_zero = None, value, False
        else:
            section += digit or Decimal(0)
            if section == 0 and total == 0:
                return None
            # 一万亿 multiplies what is there; 一亿零三万 adds to it.
            total = (total + section) * value if total and total < value else total + section * value
            section, digit, unit, after_zero = Decimal(0), None, value, False
    if digit is not None:
        short = unit >= 100 and not after_zero and digit < 10
        section += digit * (unit / 10) if short else digit
    return total + section


_WORDS = "零壹贰叁肆伍陆柒捌玖"
_PLAIN = "零一二三四五六七八九"


def write_chinese(number: int, capital: bool = False) -> str:
    """``number`` (0 to 10**12 - 1) in Chinese numerals; the inverse of :func:`chinese_value`."""
    if not 0 <= number < 10**12:
        raise ValueError(f"{number} is outside 0 .. 10**12 - 1")
    signs = _WORDS if capital else _PLAIN
    units = ["", "拾", "佰", "仟"] if capital else ["", "十", "百", "千"]
    if number == 0:
        return signs[0]

    def section(part: int) -> str:
        out, gap = "", False
        for power in (3, 2, 1, 0):
            digit = part // 10**power % 10
            if digit:
                out += (signs[0] if gap and out else "") + signs[digit] + units[power]
                gap = False
            else:
                gap = True
        return out

    out = ""
    for power, mark in ((8, "亿"), (4, "万"), (0, "")):
        part = number // 10**power % 10**4
        if part:
            low = out and (part < 1000 or number // 10 ** (power + 4) % 10**4 == 0)
            out += (signs[0] if low else "") + section(part) + mark
    return out
