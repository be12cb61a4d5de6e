"""A small PDF writer: pages of content streams over shared, embedded fonts. Same input, same bytes.

Source: ISO 32000-1, sections 7.5 (file structure), 9.7 (composite fonts), 9.10 (ToUnicode).
"""

from __future__ import annotations

import zlib

from engine.reading.layout import fonts
from engine.reading.layout.images import Images


class PdfWriter:
    """Collects pages and glyphs, then writes one PDF. Fonts are embedded once, whatever the page count."""

    def __init__(self) -> None:
        self._pages: list[tuple[float, float, bytes]] = []

    def add_page(self, width_pt: float, height_pt: float, content: bytes) -> None:
        """Append a page; ``content`` names fonts ``/F0`` … by face number."""
        self._pages.append((width_pt, height_pt, zlib.compress(content, 1)))

    def finish(self, used: dict[int, dict[int, tuple[int, int]]], images: Images) -> bytes:
        """The file. ``used``: face → glyph → (code point, width in 1/1000 em)."""
        objects: list[bytes] = [b"", b"", b""]
        names = []
        for face in sorted(used):
            names.append(f"/F{face} {len(objects) + 1} 0 R")
            objects.extend(_font_objects(face, used[face], len(objects) + 1))
        pictures, picture_names = images.objects(len(objects) + 1)
        objects.extend(pictures)
        kids = []
        for width, height, stream in self._pages:
            number = len(objects) + 1
            kids.append(f"{number} 0 R")
            objects.append(
                f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:g} {height:g}]/Resources 3 0 R"
                f"/Contents {number + 1} 0 R>>".encode()
            )
            objects.append(_stream(stream, "/Filter/FlateDecode"))
        objects[0] = b"<</Type/Catalog/Pages 2 0 R>>"
        objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
        objects[2] = f"<</Font<<{' '.join(names)}>>/XObject<<{' '.join(picture_names)}>>>>".encode()
        return _file(objects)


def _stream(data: bytes, entries: str = "") -> bytes:
    return f"<</Length {len(data)}{entries}>>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: list[bytes]) -> bytes:
    parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
    at = len(parts[0])
    places = []
    for number, body in enumerate(objects, 1):
        part = b"%d 0 obj\n%s\nendobj\n" % (number, body)
        places.append(at)
        at += len(part)
        parts.append(part)
    table = [f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"]
    table.extend(f"{place:010d} 00000 n \n" for place in places)
    table.append(f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n")
    parts.append("".join(table).encode())
    return b"".join(parts)


def _font_objects(face: int, used: dict[int, tuple[int, int]], first: int) -> list[bytes]:
    """Type0 font, descendant, descriptor, font file, ToUnicode: five objects from number ``first``."""
    _, name, ascent, descent = fonts.FACES[face]
    program = bytes(fonts.font(face).buffer)
    truetype = program[:4] in (b"\0\1\0\0", b"true")
    sort = "CIDFontType2" if truetype else "CIDFontType0"
    key = "FontFile2" if truetype else "FontFile3"
    widths = " ".join(f"{glyph}[{used[glyph][1]}]" for glyph in sorted(used))
    identity = "/CIDToGIDMap/Identity" if truetype else ""
    return [
        f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H"
        f"/DescendantFonts[{first + 1} 0 R]/ToUnicode {first + 4} 0 R>>".encode(),
        f"<</Type/Font/Subtype/{sort}/BaseFont/{name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
        f"/Supplement 0>>/FontDescriptor {first + 2} 0 R/DW 1000/W[{widths}]{identity}>>".encode(),
        f"<</Type/FontDescriptor/FontName/{name}/Flags 4/FontBBox[-200 {descent * 1000:.0f} 1200 {ascent * 1000:.0f}]"
        f"/ItalicAngle 0/Ascent {ascent * 1000:.0f}/Descent {descent * 1000:.0f}/CapHeight 700/StemV 80"
        f"/{key} {first + 3} 0 R>>".encode(),
        _stream(program, f"/Length1 {len(program)}" if truetype else "/Subtype/CIDFontType0C"),
        _stream(zlib.compress(_to_unicode(used), 1), "/Filter/FlateDecode"),
    ]


def _to_unicode(used: dict[int, tuple[int, int]]) -> bytes:
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        "1 begincodespacerange <0000> <ffff> endcodespacerange",
    ]
    entries = [f"<{glyph:04x}> <{chr(used[glyph][0]).encode('utf-16-be').hex()}>" for glyph in sorted(used)]
    for i in range(0, len(entries), 100):
        block = entries[i : i + 100]
        lines.append(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar")
    lines.append("endcmap CMapName currentdict /CMap defineresource pop end end")
    return "\n".join(lines).encode()
