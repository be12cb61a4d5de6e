"""Ways to damage a Word file and to make it harmful; each takes its bytes and a source of chance.

``outside`` is an address or path that must never be opened.
"""

from __future__ import annotations

import copy
import io
import random
import re
import zipfile

from lxml import etree

_ATTRIBUTE = re.compile(rb'="[^"]*"')
_VALUES = (b"-1", b"0", b"99999999999", b"NaN", b"", b"../../x", b"A" * 5000, b"&lt;", b"1e308", b"none", b"\xff")
_TEXTS = ("-1", "0", "99999999999", "NaN", "", "A" * 3000, "1e308", "none", "左", "0.5")
_OUTSIDE_KINDS = ("image", "attachedTemplate", "aFChunk", "subDocument", "oleObject", "header", "hyperlink", "settings")
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def parts_of(data: bytes) -> dict[str, bytes]:
    """The members of an archive, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive_of(files: dict[str, bytes]) -> bytes:
    """An archive of these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def damage_xml(xml: bytes, chance: random.Random) -> bytes:
    """Swap, double, remove or nest elements, change attributes."""
    pieces = xml.replace(b"><", b">\0<").split(b"\0")
    for _ in range(chance.randint(1, 8)):
        i, j = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        kind = chance.randrange(6)
        if kind == 0:
            pieces[i], pieces[j] = pieces[j], pieces[i]
        elif kind == 1:
            pieces[i:i] = pieces[j : j + chance.randint(1, 40)]
        elif kind == 2:
            del pieces[i : i + chance.randint(1, 5)]
            pieces = pieces or [b""]
        elif kind == 3:
            name = chance.choice((b"w:tbl", b"w:p", b"w:sdt", b"w:ins", b"w:tc", b"w:tr", b"w:r"))
            depth = chance.choice((3, 60, 300))
            pieces[i:i] = [b"<" + name + b">"] * depth
            pieces[j:j] = [b"</" + name + b">"] * depth
        else:
            found = list(_ATTRIBUTE.finditer(pieces[i]))
            if found:
                match = chance.choice(found)
                value = b'="' + chance.choice(_VALUES) + b'"'
                pieces[i] = pieces[i][: match.start()] + value + pieces[i][match.end() :]
    return b"".join(pieces)


def damage_tree(xml: bytes, chance: random.Random) -> bytes:
    """The same on the tree, so that the result stays well-formed."""
    try:
        root = etree.fromstring(xml)
    except etree.XMLSyntaxError:
        return xml
    for _ in range(chance.randint(1, 12)):
        nodes = [node for node in root.iter() if isinstance(node.tag, str) and node is not root]
        if len(nodes) < 3:
            break
        one, other = chance.sample(nodes, 2)
        kind = chance.randrange(6)
        if kind == 0:
            one.tag, other.tag = other.tag, one.tag
        elif kind == 1 and other not in one.iter():
            other.append(copy.deepcopy(one))
        elif kind == 2:
            one.getparent().remove(one)
        elif kind == 3 and one not in other.iterancestors() and other.getparent() is not None:
            other.addprevious(one)
        elif kind == 4 and one.attrib:
            one.set(chance.choice(sorted(one.attrib)), chance.choice(_TEXTS))
        elif kind == 5 and one.text:
            one.text = chance.choice(("\n\n\t", "\u200b\u0600\U0001f600", one.text * 200, "%1%2%3%9", "第%1条"))
    result: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return result


def swapped_parts(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Damage one or two XML parts of a good archive, or let two parts change places."""
    files = parts_of(data)
    names = [n for n in files if n.endswith((".xml", ".rels"))]
    weighted = [n for n in names if re.search(r"document|numbering|styles|header|footnotes|comments", n)] * 4 + names
    if chance.random() < 0.1:
        one, other = chance.sample(names, 2)
        files[one], files[other] = files[other], files[one]
        return archive_of(files)
    for _ in range(chance.randint(1, 2)):
        name = chance.choice(weighted)
        files[name] = chance.choice((damage_xml, damage_tree, damage_tree))(files[name], chance)
    return archive_of(files)


def deeply_nested(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Tables in tables, content controls in content controls, insertions in insertions, up to 100,000 deep."""
    files = parts_of(data)
    depth = chance.choice((50, 200, 250, 1_000, 20_000, 100_000))
    opening, closing = chance.choice(
        (
            (b"<w:tbl><w:tr><w:tc>", b"</w:tc></w:tr></w:tbl>"),
            (b"<w:sdt><w:sdtContent>", b"</w:sdtContent></w:sdt>"),
            (b'<w:ins w:id="1">', b"</w:ins>"),
            (b"<w:p><w:r><w:pict><w:txbxContent>", b"</w:txbxContent></w:pict></w:r></w:p>"),
            (b'<w:p><w:fldSimple w:instr="PAGE">', b"</w:fldSimple></w:p>"),
        )
    )
    body = opening * depth + b"<w:p><w:r><w:t>deep</w:t></w:r></w:p>" + closing * depth
    for name in files:
        if name.endswith("document.xml"):
            files[name] = re.sub(rb"(<w:body[^>]*>)", lambda m: m[1] + body, files[name], count=1)
    return archive_of(files)


def zip_bomb(data: bytes, chance: random.Random, outside: str) -> bytes:
    """A part of hundreds of megabytes of blanks or empty paragraphs, or far too many members."""
    files = parts_of(data)
    kind = chance.randrange(4)
    if kind == 0:
        files["word/document.xml"] = files.get("word/document.xml", b"") + b" " * chance.choice((40 << 20, 90 << 20))
    elif kind == 1:
        filler = b"<w:p/>" * chance.choice((200_000, 3_000_000))
        content = files.get("word/document.xml", b"")
        files["word/document.xml"] = content.replace(b"</w:body>", filler + b"</w:body>")
    elif kind == 2:
        files.update({f"word/media/x{i}.xml": b"" for i in range(25_000)})
    else:
        run = b"<w:r><w:t>" + b"A" * chance.choice((1 << 20, 9 << 20)) + b"</w:t></w:r>"
        content = files.get("word/document.xml", b"")
        files["word/document.xml"] = content.replace(b"</w:body>", b"<w:p>" + run + b"</w:p></w:body>")
    return archive_of(files)


def entity_bomb(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Entities that grow a billion times, that refer to themselves, or that lie outside the file."""
    files = parts_of(data)
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    inner, used = chance.choice(
        (
            ('<!ENTITY l0 "ha">' + laughs, "&l9;"),
            ('<!ENTITY a "&b;"><!ENTITY b "&a;">', "&a;"),
            (f'<!ENTITY x SYSTEM "{outside}">', "&x;"),
            (f'<!ENTITY % p SYSTEM "{outside}"> %p;', ""),
            (f'<!ENTITY q "{"A" * 100_000}">', "&q;" * 50_000),
        )
    )
    doctype = chance.choice((f"<!DOCTYPE x [{inner}]>", f'<!DOCTYPE x SYSTEM "{outside}" [{inner}]>')).encode()
    names = [n for n in files if n.endswith((".xml", ".rels"))]
    name = "word/document.xml" if chance.random() < 0.7 and "word/document.xml" in files else chance.choice(names)
    content = re.sub(rb"^(\s*<\?xml[^>]*\?>)?", lambda m: (m[1] or b"") + doctype, files[name], count=1)
    files[name] = re.sub(rb"(<w:t(?: [^>]*)?>)", lambda m: m[1] + used.encode(), content, count=3)
    return archive_of(files)


def outside_references(data: bytes, chance: random.Random, outside: str) -> bytes:
    """Pictures, templates, parts and fields whose content lies in other files and on other machines."""
    files = parts_of(data)
    relations = "".join(
        f'<Relationship Id="rOut{i}" Type="{_TYPES}{kind}" Target="{outside}" TargetMode="External"/>'
        for i, kind in enumerate(_OUTSIDE_KINDS)
    )
    climbing = f'<Relationship Id="rUp" Type="{_TYPES}image" Target="../../../../..{outside}"/>'
    for name in list(files):
        if name.endswith(".rels"):
            both = (relations + climbing).encode()
            files[name] = files[name].replace(b"</Relationships>", both + b"</Relationships>")
    fields = "".join(
        f'<w:p><w:fldSimple w:instr=" {instruction} &quot;{outside}&quot; "><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>'
        for instruction in ("INCLUDETEXT", "INCLUDEPICTURE", "LINK Word.Document", "DDEAUTO cmd")
    )
    content = files.get("word/document.xml", b"")
    files["word/document.xml"] = content.replace(b"</w:body>", fields.encode() + b"</w:body>")
    return archive_of(files)
