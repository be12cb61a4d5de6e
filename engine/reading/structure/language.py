"""Which language a passage is in: Chinese, English, or undetermined."""

from __future__ import annotations

import re

_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str) -> str:
    """``zh``, ``en`` or ``und`` (neither): one Han character weighs like half an English word."""
    han = len(_HAN.findall(text))
    words = len(_LATIN_WORD.findall(text))
    if han == 0 and words == 0:
        return "und"
    return "zh" if han / 2 > words else "en"
