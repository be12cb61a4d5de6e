"""Numbers as clause labels write them: digits of any width, Roman, letters, Chinese, circled."""

from __future__ import annotations

import re
import unicodedata

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_FORM = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")
_HAN_DIGIT = {
    character: value
    for value, group in enumerate(("零〇○", "一壹", "二贰两", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖"))
    for character in group
}
_HAN_UNIT = {"十": 10, "拾": 10, "百": 100, "佰": 100}

HAN_NUMERAL = "[零〇○一二三四五六七八九十百两壹贰叁肆伍陆柒捌玖拾佰]{1,6}"


def roman(text: str) -> int | None:
    """Value of a well-formed Roman numeral in either case, else None."""
    lower = text.lower()
    if not lower or not _ROMAN_FORM.fullmatch(lower):
        return None
    total = 0
    for this, following in zip(lower, lower[1:] + " ", strict=True):
        value = _ROMAN[this]
        total += -value if value < _ROMAN.get(following, 0) else value
    return total


def letters(text: str) -> int | None:
    """Place of a letter label: a → 1, z → 26, aa → 27, bb → 28 (a doubled letter); else None."""
    lower = text.lower()
    if not lower.isascii() or not lower.isalpha() or len(lower) > 3 or len(set(lower)) != 1:
        return None
    return ord(lower[0]) - ord("a") + 1 + 26 * (len(lower) - 1)


def han(text: str) -> int | None:
    """Value of a Chinese numeral below 1,000 (十二 → 12, 二十 → 20, 一百零三 → 103), else None."""
    if all(character in _HAN_DIGIT for character in text):
        digits = [_HAN_DIGIT[character] for character in text]
        return int("".join(map(str, digits))) if len(digits) > 1 or digits[0] else None
    total = current = 0
    for character in text:
        if character in _HAN_DIGIT:
            current = _HAN_DIGIT[character]
        elif character in _HAN_UNIT:
            total += (current or 1) * _HAN_UNIT[character]
            current = 0
        else:
            return None
    return total + current or None


def digits(text: str) -> int | None:
    """Value of decimal digits of any width (１２ → 12), else None."""
    plain = unicodedata.normalize("NFKC", text)
    return int(plain) if plain.isascii() and plain.isdigit() else None


def circled(character: str) -> int | None:
    """Value of one enclosed number (① ⑴ ⒈ ㈠ → 1), else None."""
    if "①" <= character <= "⑳":
        return ord(character) - ord("①") + 1
    if "⑴" <= character <= "⒇":
        return ord(character) - ord("⑴") + 1
    if "⒈" <= character <= "⒛":
        return ord(character) - ord("⒈") + 1
    if "㈠" <= character <= "㈩":
        return ord(character) - ord("㈠") + 1
    return None
