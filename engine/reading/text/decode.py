"""Which encoding a text file is in, and its text."""

from __future__ import annotations

import codecs
import re

from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_HARD_SOFT_HYPHEN = re.compile("\u00ad(?=[A-Z])")
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
#: Share of the characters beyond ASCII that must be everyday Chinese for GB18030 to be believed.
_GB_SHARE = 0.6
_SAMPLE = 1 << 16


def decode(data: bytes, name: str) -> str:
    """The text of a file's bytes, with every line end as one line feed.

    Told apart: byte order marks, UTF-8, UTF-16 without a mark, GB18030, and Windows-1252 for the rest.

    Raises:
        ReadingError: the bytes are no text (WRONG_FORMAT).
    """
    text = _decode(data, name)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").removeprefix("\ufeff")
    # Before a capital a soft hyphen was a real one ("Know-How"); elsewhere nobody sees it.
    return _INVISIBLE.sub("", _HARD_SOFT_HYPHEN.sub("-", text))


def _decode(data: bytes, name: str) -> str:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, "replace")
    sample = data[:_SAMPLE]
    wide = _wide_encoding(sample)
    if wide:
        return data.decode(wide, "replace")
    if len(_CONTROL.findall(sample)) > 0.01 * len(sample) + 1:
        words = "“{name}” is not a text file; open the contract as PDF, DOCX or text instead."
        raise ReadingError(FaultCode.WRONG_FORMAT, words, name=name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # One bad byte far into a long UTF-8 file is damage, not another encoding.
        if _mostly_utf8(data, error):
            return data.decode("utf-8", "replace")
    gb = _as_gb18030(data)
    return gb if gb is not None else _as_windows_1252(data)


def _wide_encoding(sample: bytes) -> str:
    """UTF-16 without a byte order mark shows as NULs at every other place of its ASCII."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = max(1, len(sample) // 2)
    if odd > 0.3 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.3 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def _mostly_utf8(data: bytes, error: UnicodeDecodeError) -> bool:
    good = sum(1 for byte in data[: error.start] if byte >= 0xC0)
    bad = data.decode("utf-8", "replace").count("\ufffd")
    return good > 0 and bad <= 0.02 * (good + bad) + 1 and good > 4 * bad


def _as_gb18030(data: bytes) -> str | None:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 4:
            return None
        text = data.decode("gb18030", "replace")  # cut off inside the last character
    foreign = [character for character in text if character > "\x7f"]
    everyday = sum(1 for character in foreign if _in_gb2312(character))
    return text if everyday >= _GB_SHARE * len(foreign) else None


def _in_gb2312(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _as_windows_1252(data: bytes) -> str:
    # Five bytes are undefined in Windows-1252; browsers read them as Latin-1 and so do we.
    return "".join(
        piece.decode("cp1252")
        if piece not in (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")
        else piece.decode("latin-1")
        for piece in re.split(rb"([\x81\x8d\x8f\x90\x9d])", data)
    )
