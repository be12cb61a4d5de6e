"""Pages made to harm: content that unpacks to gigabytes, forms that draw each other a billion times."""

from __future__ import annotations

import dataclasses
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

#: A page's content unpacked, with its forms each counted once; 8 MB are some 400 dense pages of text.
MAX_CONTENT_BYTES = 8 << 20
#: What is drawn of a page: forms counted as often as they show, in number and in bytes of their content.
MAX_FORMS, MAX_DRAWN_BYTES = 20_000, 32 << 20
#: Bytes of strings shown on a page; an ordinary dense page has 10,000.
MAX_SHOWN_BYTES = 200_000
#: What one file may draw again from streams that an earlier page drew: letterheads do so, and bombs.
MAX_REPEATED_BYTES, MAX_REPEATED_SHOWN = 256 << 20, 3_000_000
#: Strings are not counted in smaller streams: a share of their bytes is taken.
_SMALL_BYTES = 30_000
#: How far up the tree of pages resources are looked for.
_MAX_ABOVE = 30
_DRAWN = re.compile(rb"/([^\s/<>\[\]()]{1,127})\s+Do\b")
#: Strings of a content stream; those in hexadecimal count double, which is no matter for a limit.
_SHOWN = re.compile(rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]*>", re.DOTALL)
_ENTRY = re.compile(r"/([^\s/<>\[\]()]{1,127})\s+(\d{1,8}) 0 R")


@dataclasses.dataclass(frozen=True, slots=True)
class _Stream:
    """A stream by itself: bytes unpacked, bytes of strings shown, how often it draws each name."""

    size: int
    shown: int
    drawn: dict[str, int]


@dataclasses.dataclass(frozen=True, slots=True)
class _Cost:
    """A stream with all that it draws: bytes, bytes of strings, forms."""

    size: int
    shown: int
    forms: int

    def is_too_much(self) -> bool:
        return self.size > MAX_DRAWN_BYTES or self.shown > MAX_SHOWN_BYTES or self.forms > MAX_FORMS


_ONCE = _Cost(0, 0, 1)


class Bounds:
    """Judges the pages of one open PDF; what a stream costs is found out once, whoever uses it."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._streams: dict[int, _Stream] = {}
        self._forms: dict[int, _Cost] = {}
        self._repeated_bytes = 0
        self._repeated_shown = 0

    def is_harmless(self, page: int) -> bool:
        """Whether a page may be given to MuPDF. Takes a millisecond or so. Ask once for each page.

        Args:
            page: index of the page.

        Raises:
            DAMAGE: the page cannot be found (see :mod:`engine.reading.mupdf`).
        """
        xref = self._file.page_xref(page)
        budget = [MAX_CONTENT_BYTES]
        known = set(self._streams)
        parts = [(part, self._stream(part, budget)) for part in self._contents(xref)]
        drawn: Counter[str] = Counter()
        for _, stream in parts:
            drawn.update(stream.drawn)
        forms = self._cost_of(drawn, xref, budget)
        cost = _Cost(
            forms.size + sum(stream.size for _, stream in parts),
            forms.shown + sum(stream.shown for _, stream in parts),
            forms.forms,
        )
        if budget[0] <= 0 or cost.is_too_much():
            return False
        for part, stream in parts:
            if part in known:
                self._repeated_bytes += stream.size
                self._repeated_shown += stream.shown
        if forms.forms and not set(self._streams) - known:
            self._repeated_bytes += forms.size
            self._repeated_shown += forms.shown
        return self._repeated_bytes <= MAX_REPEATED_BYTES and self._repeated_shown <= MAX_REPEATED_SHOWN

    def _contents(self, xref: int) -> list[int]:
        kind, value = self._file.xref_get_key(xref, "Contents")
        if kind not in ("xref", "array"):
            return []
        found = [int(number) for number in re.findall(r"(\d{1,8}) 0 R", value)]
        if kind == "xref" and found and not self._file.xref_is_stream(found[0]):
            return [int(number) for number in re.findall(r"(\d{1,8}) 0 R", self._file.xref_object(found[0]))]
        return found

    def _stream(self, xref: int, budget: list[int]) -> _Stream:
        """A stream's measures; taken off the budget, and cut short where that is spent."""
        stream = self._streams.get(xref)
        if stream is None:
            data = self._unpacked(xref, budget[0])
            if len(data) > budget[0]:
                stream = _Stream(len(data), 0, {})
            else:
                names = _DRAWN.findall(data) if b"Do" in data else []
                small = len(data) <= _SMALL_BYTES
                shown = len(data) // 8 if small else sum(map(len, _SHOWN.findall(data)))
                stream = _Stream(len(data), shown, dict(Counter(name.decode("latin-1") for name in names)))
            if budget[0] == MAX_CONTENT_BYTES or len(data) <= budget[0]:
                self._streams[xref] = stream
        budget[0] -= stream.size
        return stream

    def _unpacked(self, xref: int, most: int) -> bytes:
        """A stream's bytes, at most one more than ``most``."""
        file = self._file
        if most <= 0 or not file.xref_is_stream(xref):
            return b""
        filters = file.xref_get_key(xref, "Filter")[1]
        data: bytes = file.xref_stream_raw(xref)
        rounds = len(re.findall(r"/(?:FlateDecode|Fl)\b", filters))
        if rounds and len(re.findall("/", filters)) == rounds:
            for _ in range(rounds):
                data = _inflated(data, most + 1)
        elif len(data) <= most and rounds == 0:
            # Other filters grow a stream some thousand times at most, rarely met in page contents.
            data = file.xref_stream(xref) or b""
        return data

    def _cost_of(self, drawn: dict[str, int], owner: int, budget: list[int]) -> _Cost:
        """What the forms named in ``drawn`` cost, each with those inside it; one that draws itself counts once."""
        if not drawn:
            return _Cost(0, 0, 0)
        size = shown = times = 0
        named = dict(self._forms_of(owner))
        for name, count in drawn.items():
            form = named.get(name)
            if form is None:
                continue
            cost = self._forms.get(form)
            if cost is None:
                self._forms[form] = _ONCE
                if len(self._forms) < MAX_FORMS and budget[0] > 0:
                    stream = self._stream(form, budget)
                    inner = self._cost_of(stream.drawn, form, budget)
                    cost = _Cost(stream.size + inner.size, stream.shown + inner.shown, 1 + inner.forms)
                    self._forms[form] = cost
            cost = cost or _ONCE
            size, shown, times = size + count * cost.size, shown + count * cost.shown, times + count * cost.forms
            if _Cost(size, shown, times).is_too_much():
                break
        return _Cost(size, shown, times)

    def _forms_of(self, xref: int) -> Iterator[tuple[str, int]]:
        """The forms that a page or a form names, by name."""
        file = self._file
        kind, value = file.xref_get_key(xref, "Resources/XObject")
        above = xref
        for _ in range(_MAX_ABOVE):
            if kind != "null":
                break
            # A page may take its resources from the nodes above it.
            parent_kind, parent = file.xref_get_key(above, "Parent")
            if parent_kind != "xref":
                break
            above = int(parent.split()[0])
            kind, value = file.xref_get_key(above, "Resources/XObject")
        if kind == "xref":
            value = file.xref_object(int(value.split()[0]))
        for name, number in _ENTRY.findall(value):
            if file.xref_get_key(int(number), "Subtype")[1] == "/Form":
                yield name, int(number)


def _inflated(data: bytes, most: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error:
        return b""
