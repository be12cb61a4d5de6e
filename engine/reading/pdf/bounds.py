"""Pages made to harm: content that unpacks to gigabytes, forms that draw each other a billion times."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any

#: A page's content unpacked, with its forms each counted once; 8 MB are some 400 dense pages of text.
MAX_CONTENT_BYTES = 8 << 20
#: How many times forms may be drawn on a page, forms in forms counted as often as they show.
MAX_FORMS = 20_000
#: How far up the tree of pages resources are looked for.
_MAX_ABOVE = 30
_DRAWN = re.compile(rb"/([^\s/<>\[\]()]{1,127})\s+Do\b")
_ENTRY = re.compile(r"/([^\s/<>\[\]()]{1,127})\s+(\d{1,8}) 0 R")


def is_harmless(file: Any, page: int) -> bool:
    """Whether a page may be given to MuPDF. Takes a millisecond or so.

    Args:
        file: an open PDF.
        page: index of the page.

    Raises:
        DAMAGE: the page cannot be found (see :mod:`engine.reading.mupdf`).
    """
    xref = file.page_xref(page)
    budget = [MAX_CONTENT_BYTES]
    content = b"\n".join(_unpacked(file, part, budget) for part in _contents(file, xref))
    times = _forms_drawn(file, xref, content, {}, budget)
    return budget[0] > 0 and times <= MAX_FORMS


def _contents(file: Any, xref: int) -> list[int]:
    kind, value = file.xref_get_key(xref, "Contents")
    if kind not in ("xref", "array"):
        return []
    found = [int(number) for number in re.findall(r"(\d{1,8}) 0 R", value)]
    if kind == "xref" and found and not file.xref_is_stream(found[0]):
        return [int(number) for number in re.findall(r"(\d{1,8}) 0 R", file.xref_object(found[0]))]
    return found


def _unpacked(file: Any, xref: int, budget: list[int]) -> bytes:
    """A stream's bytes, nothing more once the budget is spent; taken off it."""
    if budget[0] <= 0 or not file.xref_is_stream(xref):
        return b""
    filters = file.xref_get_key(xref, "Filter")[1]
    data: bytes = file.xref_stream_raw(xref)
    rounds = len(re.findall(r"/(?:FlateDecode|Fl)\b", filters))
    if rounds and len(re.findall("/", filters)) == rounds:
        for _ in range(rounds):
            data = _inflated(data, budget[0] + 1)
    elif len(data) <= budget[0] and rounds == 0:
        # Other filters grow a stream some thousand times at most, rarely met in page contents.
        data = file.xref_stream(xref) or b""
    budget[0] -= len(data)
    return data


def _inflated(data: bytes, most: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error:
        return b""


def _forms_drawn(file: Any, xref: int, content: bytes, known: dict[int, int], budget: list[int]) -> int:
    """How many forms a content draws, each with those inside it. Forms that draw themselves are drawn once."""
    forms = dict(_forms(file, xref)) if b"Do" in content else {}
    times = 0
    for match in _DRAWN.finditer(content):
        form = forms.get(match[1].decode("latin-1"))
        if form is None:
            continue
        if form not in known:
            known[form] = 1
            if len(known) < MAX_FORMS and budget[0] > 0:
                inner = _unpacked(file, form, budget)
                known[form] = 1 + _forms_drawn(file, form, inner, known, budget)
        times += known[form]
        if times > MAX_FORMS:
            break
    return times


def _forms(file: Any, xref: int) -> Iterator[tuple[str, int]]:
    """The forms that a page or a form names, by name."""
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
