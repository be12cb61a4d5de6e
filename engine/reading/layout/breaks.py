"""Where a line may end: between Latin words, between Han characters, never against the kinsoku rules.

Source: the basic rules of UAX 14 and of JIS X 4051 / CLREQ for characters that may not begin or end a line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: May not begin a line.
NO_START = frozenset("、。，．；：？！）］｝〕】》〉」』〗”’…‥ー々〻ゝゞ％℃‰,.;:?!)]}%°¢·・—～〞＂＇〟")
#: May not end a line.
NO_END = frozenset("（［｛〔【《〈「『〖“‘([{$£¥￥＄〝")

_WIDE_RANGES = (
    (0x2E80, 0x303F), (0x3040, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA4CF), (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF), (0x2460, 0x24FF), (0x3200, 0x32FF),
)  # fmt: skip
_NO_START_CODES = np.array(sorted(map(ord, NO_START)), np.uint32)
_NO_END_CODES = np.array(sorted(map(ord, NO_END)), np.uint32)
_SPACE_CODES = np.array([0x20, 9, 10, 13, 0x200B, 0x1680, *range(0x2000, 0x2007), *range(0x2008, 0x200B)], np.uint32)
_HYPHENS = np.array([0x2D, 0x2010, 0x2013, 0x2014, 0xAD, 0x2F, 0x5F], np.uint32)


def wide(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which characters are of the Chinese, Japanese, Korean full-width sort."""
    result = np.zeros(codes.shape, bool)
    for low, high in _WIDE_RANGES:
        result |= (codes >= low) & (codes <= high)
    return result


def spaces(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which characters are blanks at which a line may end and which hang over its end."""
    return np.isin(codes, _SPACE_CODES)


def may_start(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """``[n]``: whether a line may begin with the character, given the one before it."""
    result = np.zeros(codes.shape, bool)
    if codes.size < 2:
        return result
    blank, broad = spaces(codes), wide(codes)
    before, here = codes[:-1], codes[1:]
    after_blank = blank[:-1] & ~blank[1:]
    between = (broad[:-1] | broad[1:]) & ~blank[1:] & ~blank[:-1]
    between &= ~np.isin(here, _NO_START_CODES) & ~np.isin(before, _NO_END_CODES)
    hyphen = np.isin(before, _HYPHENS)
    letter = ((here | 0x20) >= 0x61) & ((here | 0x20) <= 0x7A)
    after_hyphen = hyphen & letter
    after_hyphen[1:] &= ~blank[:-2]
    after_hyphen[:1] = False
    result[1:] = after_blank | between | after_hyphen
    return result
