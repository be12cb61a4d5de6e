"""Mutated Word files through our reader: each must give a SourceText or a ReadingError, none may hang.

    python tests/accuracy/fuzz_docx.py FOLDER [--count 2000] [--seed 1]

Takes the .docx files under FOLDER (or $ANTINOMY_DATA), damages them (bits, cuts, swapped, doubled, removed
and nested elements, changed attributes) and reads the result. Prints what escaped and the slowest file.
"""

from __future__ import annotations

import argparse
import copy
import io
import os
import random
import re
import resource
import signal
import sys
import time
import zipfile
import zlib
from collections import Counter
from pathlib import Path

from lxml import etree

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.reading.docx import read_source
from engine.reading.errors import ReadingError

LIMIT_S = 30
LIMIT_BYTES = 3 << 30
_ATTRIBUTE = re.compile(rb'="[^"]*"')
_VALUES = (b"-1", b"0", b"99999999999", b"NaN", b"", b"../../x", b"A" * 5000, b"&lt;", b"1e308", b"none", b"\xff")


def flip(data: bytes, chance: random.Random) -> bytes:
    """Change some bytes of the archive itself."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 20)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, chance: random.Random) -> bytes:
    """End early, or lose a piece in the middle."""
    at = chance.randrange(len(data))
    return data[:at] if chance.random() < 0.5 else data[:at] + data[at + chance.randint(1, 2000) :]


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
            name = chance.choice(sorted(one.attrib))
            one.set(
                name, chance.choice(("-1", "0", "99999999999", "NaN", "", "A" * 3000, "1e308", "none", "左", "0.5"))
            )
        elif kind == 5 and one.text:
            one.text = chance.choice(("\n\n\t", "\u200b\u0600\U0001f600", one.text * 200, "%1%2%3%9", "第%1条"))
    result: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return result


def rewrite(data: bytes, chance: random.Random) -> bytes:
    """Damage one or two XML parts of a good archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    names = [n for n in files if n.endswith((".xml", ".rels"))]
    weighted = [n for n in names if re.search(r"document|numbering|styles|header|footnotes", n)] * 4 + names
    for _ in range(chance.randint(1, 2)):
        name = chance.choice(weighted)
        files[name] = chance.choice((damage_xml, damage_tree, damage_tree))(files[name], chance)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


class Hang(Exception):
    """Reading took longer than the limit."""


def _on_alarm(*_: object) -> None:
    raise Hang


def attempt(data: bytes) -> str:
    """``read``, the fault's code, or the name of what escaped."""
    signal.alarm(LIMIT_S)
    try:
        source = read_source(data)
    except ReadingError as error:
        return f"fault {error.fault.code.value}"
    except Exception as error:  # noqa: BLE001 - what escapes is what this script looks for
        return f"ESCAPED {type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return "read" if len(source.boxes) == len(source.text) else "ESCAPED boxes do not match"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    files = [f.read_bytes() for f in sorted(Path(arguments.folder or "").rglob("*.docx"))] if arguments.folder else []
    if not files:
        print("Name a folder with .docx files (or set ANTINOMY_DATA).")  # noqa: T201 - a script's output
        return 2
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    signal.signal(signal.SIGALRM, _on_alarm)
    outcomes: Counter[str] = Counter()
    slowest = (0.0, -1)
    for number in range(arguments.count):
        chance = random.Random(arguments.seed * 1_000_003 + number)
        data = chance.choice(files)
        try:
            mutated = chance.choice((flip, cut, rewrite, rewrite, rewrite))(data, chance)
        except (zipfile.BadZipFile, zlib.error):
            continue
        since = time.process_time()
        outcome = attempt(mutated)
        slowest = max(slowest, (time.process_time() - since, number))
        outcomes[outcome] += 1
        if outcome.startswith("ESCAPED"):
            print(f"{number}: {outcome}")  # noqa: T201 - a script's output
    for outcome, count in outcomes.most_common():
        print(f"{count:6d}  {outcome}")  # noqa: T201 - a script's output
    print(f"slowest: {slowest[0]:.2f} s of processor time (number {slowest[1]})")  # noqa: T201 - a script's output
    return 1 if any(o.startswith("ESCAPED") for o in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
