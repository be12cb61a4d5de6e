"""Numbers as Word's list formats show them.

Source: ECMA-376 part 1, section 17.18.59 (ST_NumberFormat), and what Word displays where it differs.
"""

from __future__ import annotations

from collections.abc import Callable

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_DIGITS = "〇一二三四五六七八九"
_FORMAL_SIMPLIFIED = "零壹贰叁肆伍陆柒捌玖"
_FORMAL_TRADITIONAL = "零壹貳參肆伍陸柒捌玖"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_CYRILLIC = "абвгдежзиклмнопрстуфхцчшщэюя"
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス"
_GANADA = "가나다라마바사아자차카타파하"
_CHOSUNG = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def roman(n: int) -> str:
    """Lower-case Roman numeral; decimal outside 1..32767 (longer ones would fill a page)."""
    if not 0 < n < 1 << 15:
        return str(n)
    parts = []
    for value, sign in _ROMAN:
        count, n = divmod(n, value)
        parts.append(sign * count)
    return "".join(parts)


def letter(n: int) -> str:
    """Lower-case letter: a … z, then aa, bb, … as Word repeats it."""
    if not 0 < n <= 780:
        return str(n)
    return chr(ord("a") + (n - 1) % 26) * ((n - 1) // 26 + 1)


def ordinal(n: int) -> str:
    """1st, 2nd, 3rd, 4th, …"""
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def cardinal_words(n: int) -> str:
    """In English words, lower case; decimal from a million on."""
    if not 0 <= n < 1_000_000:
        return str(n)
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{_ONES[n // 100]} hundred" + (f" {cardinal_words(n % 100)}" if n % 100 else "")
    return f"{cardinal_words(n // 1000)} thousand" + (f" {cardinal_words(n % 1000)}" if n % 1000 else "")


def ordinal_words(n: int) -> str:
    """First, second, … in English words, lower case."""
    words = cardinal_words(n)
    if words.isdigit():
        return ordinal(n)
    at = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[at:]
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return words[:at] + last


def counting(n: int, digits: str, units: str, ten_thousand: str, zero: str, *, bare_ten: bool) -> str:
    """Chinese counting with units (十百千) up to 99,999,999; ``bare_ten``: 十 instead of 一十 at the front."""
    if n == 0:
        return digits[0]
    if not 0 < n < 100_000_000:
        return str(n)
    if n >= 10_000:
        high = counting(n // 10_000, digits, units, ten_thousand, zero, bare_ten=bare_ten)
        rest = n % 10_000
        if not rest:
            return high + ten_thousand
        gap = zero if rest < 1000 else ""
        return high + ten_thousand + gap + counting(rest, digits, units, ten_thousand, zero, bare_ten=False)
    parts: list[str] = []
    pending = False
    for power in (3, 2, 1, 0):
        digit = n // 10**power % 10
        if digit == 0:
            pending = bool(parts)
            continue
        if pending:
            parts.append(zero)
            pending = False
        parts.append(digits[digit] + (units[power - 1] if power else ""))
    result = "".join(parts)
    if bare_ten and 10 <= n < 20:
        result = result[1:]
    return result


def chinese(n: int) -> str:
    """一, 二, 十, 十一, 二十一, 一百零一."""
    return counting(n, _DIGITS, "十百千", "万", "零", bare_ten=True)


def japanese(n: int) -> str:
    """一, 十一, 百, 千: a one before hundred and thousand is left out, zeros too."""
    plain = counting(n, _DIGITS, "十百千", "万", "", bare_ten=True)
    return plain.replace("一百", "百").replace("一千", "千") if n < 10_000 else plain


def chinese_legal(n: int) -> str:
    """壹, 贰, 壹拾."""
    return counting(n, _FORMAL_SIMPLIFIED, "拾佰仟", "万", "零", bare_ten=False)


def traditional_legal(n: int) -> str:
    """壹, 貳, 壹拾."""
    return counting(n, _FORMAL_TRADITIONAL, "拾佰仟", "萬", "零", bare_ten=False)


def ideograph_digits(n: int) -> str:
    """One Chinese digit per decimal digit: 一〇二."""
    return "".join(_DIGITS[int(d)] if d.isdigit() else d for d in str(n))


def _from(sequence: str) -> Callable[[int], str]:
    """Members of a sequence; beyond its end they begin anew, as in Word."""
    return lambda n: sequence[(n - 1) % len(sequence)] if n > 0 else str(n)


def _only(sequence: str) -> Callable[[int], str]:
    """Members of a sequence; decimal beyond its end."""
    return lambda n: sequence[n - 1] if 0 < n <= len(sequence) else str(n)


def _block(first: int, last: int, start: int = 1) -> Callable[[int], str]:
    """Enclosed numbers of a Unicode block; decimal beyond it."""
    return lambda n: chr(first + n - start) if start <= n <= start + last - first else str(n)


def _circled(n: int) -> str:
    """①–⑳, ㉑–㉟, ㊱–㊿."""
    if 1 <= n <= 20:
        return chr(0x2460 + n - 1)
    if 21 <= n <= 35:
        return chr(0x3251 + n - 21)
    if 36 <= n <= 50:
        return chr(0x32B1 + n - 36)
    return str(n)


def _full_width(n: int) -> str:
    return "".join(chr(ord(d) + 0xFEE0) for d in str(n))


def _chicago(n: int) -> str:
    return "*†‡§"[(n - 1) % 4] * ((n - 1) // 4 + 1) if 0 < n <= 80 else str(n)


def _nothing(_number: int) -> str:
    return ""


_FORMATS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalHalfWidth": str,
    "decimalZero": lambda n: f"{n:02d}",
    "upperRoman": lambda n: roman(n).upper(),
    "lowerRoman": roman,
    "upperLetter": lambda n: letter(n).upper(),
    "lowerLetter": letter,
    "ordinal": ordinal,
    "cardinalText": lambda n: cardinal_words(n).capitalize(),
    "ordinalText": lambda n: ordinal_words(n).capitalize(),
    "hex": lambda n: f"{n:X}",
    "chicago": _chicago,
    "numberInDash": lambda n: f"- {n} -",
    "ideographDigital": ideograph_digits,
    "taiwaneseDigital": ideograph_digits,
    "japaneseDigitalTenThousand": ideograph_digits,
    "koreanDigital2": ideograph_digits,
    "chineseCounting": chinese,
    "chineseCountingThousand": chinese,
    "taiwaneseCounting": chinese,
    "taiwaneseCountingThousand": chinese,
    "japaneseCounting": japanese,
    "koreanCounting": japanese,
    "chineseLegalSimplified": chinese_legal,
    "ideographLegalTraditional": traditional_legal,
    "japaneseLegal": lambda n: counting(n, "〇壱弐参四伍六七八九", "拾百阡", "萬", "", bare_ten=False),
    "ideographTraditional": _only(_STEMS),
    "ideographZodiac": _only(_BRANCHES),
    "ideographZodiacTraditional": lambda n: _STEMS[(n - 1) % 10] + _BRANCHES[(n - 1) % 12] if 0 < n <= 60 else str(n),
    "ideographEnclosedCircle": _block(0x3280, 0x3289),
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalEnclosedFullstop": _block(0x2488, 0x249B),
    "decimalEnclosedParen": _block(0x2474, 0x2487),
    "decimalFullWidth": _full_width,
    "decimalFullWidth2": _full_width,
    "russianLower": _from(_CYRILLIC),
    "russianUpper": _from(_CYRILLIC.upper()),
    "aiueo": _from(_AIUEO),
    "aiueoFullWidth": _from(_AIUEO),
    "iroha": _from(_IROHA),
    "irohaFullWidth": _from(_IROHA),
    "ganada": _from(_GANADA),
    "chosung": _from(_CHOSUNG),
    "none": _nothing,
    "bullet": _nothing,  # its sign stands in the level's text
}


def displayed(n: int, number_format: str) -> str:
    """A list number as Word shows it; decimal for a format that is not known."""
    return _FORMATS.get(number_format, str)(n)


def custom(n: int, pattern: str) -> str:
    """A number in a custom format such as ``001, 002, 003, ...``: as many digits as its first member."""
    first = pattern.partition(",")[0].strip()
    return f"{n:0{len(first)}d}" if first.isdigit() else str(n)
