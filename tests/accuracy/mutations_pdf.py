"""Ways to damage a PDF and to make it harmful; each takes its bytes and a source of chance.

``outside`` is an address or path that must never be opened.
"""

from __future__ import annotations

import functools
import random
import re
import zlib

_OBJECT = re.compile(rb"(\d+) 0 obj\b(.*?)\bendobj", re.DOTALL)
_NUMBER = re.compile(rb"(?<=[\s\[/(])-?\d+(?:\.\d+)?")
_NUMBERS = (b"-1", b"0", b"99999999999999", b"1e38", b"-2147483648", b"4294967296", b"0.0000001", b"null", b"true")
_KEY = re.compile(rb"/(Type|Kids|Parent|Count|Contents|Resources|Font|MediaBox|Filter|Length|ToUnicode|W|Encoding)\b")


def flip(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Change some bytes."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 40)):
        place = chance.randrange(len(changed))
        changed[place] = chance.randrange(256) if chance.random() < 0.5 else changed[place] ^ 1 << chance.randrange(8)
    return bytes(changed)


def cut(data: bytes, chance: random.Random, outside: str) -> bytes:
    """End early, or lose a piece in the middle."""
    at = chance.randrange(len(data))
    return data[:at] if chance.random() < 0.5 else data[:at] + data[at + chance.randint(1, 2000) :]


def swapped_objects(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Objects change places, are doubled under another's number or emptied; references point elsewhere."""
    found = list(_OBJECT.finditer(data))
    if len(found) < 3:
        return flip(data, chance, outside)
    pieces: dict[int, bytes] = {}
    for _ in range(chance.randint(1, 6)):
        one, other = chance.sample(found, 2)
        kind = chance.randrange(4)
        if kind < 2:
            pieces[one.start(2)] = other[2]
        if kind == 0:
            pieces[other.start(2)] = one[2]
        elif kind == 2:
            pieces[one.start(2)] = chance.choice((b" null ", b" [] ", b" <<>> ", b" 7 "))
        elif kind == 3:
            target = b"%d 0 R" % chance.randint(1, len(found) + 3)
            pieces[one.start(2)] = re.sub(rb"\d+ 0 R", target, one[2], count=chance.randint(1, 3))
    return _replaced(data, found, pieces)


def changed_values(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Numbers out of all bounds, keys that are other keys."""
    found = [match for match in _OBJECT.finditer(data) if b"stream" not in match[2][:2000]]
    if not found:
        return flip(data, chance, outside)
    pieces = {}
    for match in chance.sample(found, min(len(found), chance.randint(1, 5))):
        body = match[2]
        numbers = list(_NUMBER.finditer(body))
        if numbers and chance.random() < 0.7:
            number = chance.choice(numbers)
            body = body[: number.start()] + chance.choice(_NUMBERS) + body[number.end() :]
        else:
            keys = [b"/" + name for name in (b"Kids", b"Parent", b"Contents", b"Filter", b"X", b"Font")]
            body = _KEY.sub(chance.choice(keys), body, count=1)
        pieces[match.start(2)] = body
    return _replaced(data, found, pieces)


def deeply_nested(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Arrays, dictionaries, page nodes, forms and graphics states within each other."""
    depth = chance.choice((50, 500, 5_000, 100_000))
    kind = chance.randrange(5)
    if kind == 0:
        return _pdf([_PAGES, _page(b"/X " + b"[" * depth + b"]" * depth), _stream(_TEXT)])
    if kind == 1:
        return _pdf([_PAGES, _page(b"/X " + b"<</X " * depth + b"1" + b">>" * depth), _stream(_TEXT)])
    if kind == 2:
        return _pdf([_PAGES, _page(), _stream(b"q " * depth + _TEXT + b" Q" * depth)])
    if kind == 3:
        width = chance.choice((1, 2, 10))
        forms = []
        for level in range(min(depth, 400)):
            inner = 5 + level
            extra = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</F %d 0 R>>>>" % inner
            forms.append(_stream(b"/F Do " * width, extra))
        forms.append(_stream(_TEXT, b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]" + _RESOURCES))
        return _pdf([_PAGES, _page(b"", b"/XObject<</F 5 0 R>>"), _stream(b"/F Do"), *forms])
    nodes = min(depth, 5_000)
    chain = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (3 + i) for i in range(nodes)]
    page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]>>" % (nodes + 1)
    return _pdf([*chain, page])


def stream_bomb(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Streams that unpack to hundreds of megabytes: page contents, shared ones, pictures, fonts, object streams."""
    size = chance.choice((20 << 20, 200 << 20, 1 << 30))
    packed = _packed(b"q Q\n" if chance.random() < 0.5 else b"BT /F 9 Tf (a) Tj ET\n", size)
    kind = chance.randrange(4)
    if kind == 0:
        return _pdf([_PAGES, _page(), _stream(packed, b"/Filter/FlateDecode")])
    if kind == 1:
        count = chance.choice((20, 200))
        kids = b" ".join(b"%d 0 R" % (4 + i) for i in range(count))
        tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)
        one = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<<" + _FONT + b">>>>"
        smaller = _packed(b"BT /F 9 Tf (a) Tj ET\n", chance.choice((1 << 20, 6 << 20, 20 << 20)))
        return _pdf([tree, _stream(smaller, b"/Filter/FlateDecode"), *[one] * count])
    if kind == 2:
        side = chance.choice((5_000, 20_000))
        image = b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceRGB" % (side, side)
        page = _page(b"", b"/XObject<</F 5 0 R>>")
        return _pdf([_PAGES, page, _stream(b"q 600 0 0 700 0 0 cm /F Do Q"), _stream(packed, image + _FLATE)])
    twice = zlib.compress(packed, 1)
    return _pdf([_PAGES, _page(), _stream(twice, b"/Filter[/FlateDecode/FlateDecode]")])


def outside_references(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Streams, actions, links and forms whose content lies in other files and on other machines."""
    name = b"(" + outside.encode() + b")"
    actions = (
        b"/OpenAction<</S/Launch/F%s>>" % name,
        b"/OpenAction<</S/URI/URI%s>>" % name,
        b"/OpenAction<</S/JavaScript/JS(app.launchURL\\(%s\\))>>" % outside.encode(),
        b"/OpenAction<</S/GoToR/F%s/D[0/Fit]>>" % name,
        b"/AcroForm<</XFA%s/Fields[]>>" % name,
    )
    stream = b"/F<</Type/Filespec/FS/URL/F%s>>" % name if chance.random() < 0.5 else b"/F%s" % name
    note = b"/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI%s>>>>]" % name
    font = b"<</Type/Font/Subtype/TrueType/BaseFont/Far/FontDescriptor<</FontFile2 5 0 R/FontName/Far/Flags 4>>>>"
    image = b"/Type/XObject/Subtype/Image/Width 9/Height 9/BitsPerComponent 8/ColorSpace/DeviceRGB" + stream
    page = _page(note, b"/XObject<</F 5 0 R>>")
    content = _stream(b"q 600 0 0 700 0 0 cm /F Do Q " + _TEXT, stream if chance.random() < 0.5 else b"")
    return _pdf([_PAGES, page, content, _stream(b"", image), font], chance.choice(actions))


_FLATE = b"/Filter/FlateDecode"
_PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
_FONT = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
_RESOURCES = b"/Resources<<" + _FONT + b">>"
_TEXT = b"BT /F 12 Tf 72 700 Td (1. Payment. The Buyer shall pay within 30 days.) Tj ET"


def _page(more: bytes = b"", resources: bytes = b"") -> bytes:
    inner = b"<<" + _FONT + resources + b">>"
    return b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources%s%s>>" % (inner, more)


def _stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), more, data)


@functools.cache
def _packed(pattern: bytes, size: int) -> bytes:
    packer = zlib.compressobj(1)
    piece = pattern * ((1 << 20) // len(pattern))
    return b"".join(packer.compress(piece) for _ in range(size >> 20)) + packer.flush()


def _pdf(objects: list[bytes], more: bytes = b"") -> bytes:
    """A PDF whose object 1 is its catalogue, 2 the first of ``objects``."""
    data, offsets = bytearray(b"%PDF-1.5\n"), []
    for number, content in enumerate([b"<</Type/Catalog/Pages 2 0 R%s>>" % more, *objects], 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(data + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start))


def _replaced(data: bytes, found: list[re.Match[bytes]], pieces: dict[int, bytes]) -> bytes:
    parts, at = [], 0
    for match in found:
        if match.start(2) in pieces:
            parts += [data[at : match.start(2)], pieces[match.start(2)]]
            at = match.end(2)
    return b"".join([*parts, data[at:]])
