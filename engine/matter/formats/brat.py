"""brat's standoff files: ``NAME.txt`` and ``NAME.ann`` in a folder for each annotator.

Offsets are code points of the text file. A span may not hold a line break in brat, so one that does is
written in fragments (nlplab/brat#786). Dots are not allowed in brat's type names: ``value.period`` is
``value-period`` there. What a relation cannot carry stands as JSON in its note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from engine.matter.errors import UnreadableImport
from engine.matter.formats.bundle import Bundle, BundleDocument, Gathering, Loss, Written, within_one_document
from engine.matter.formats.carried import CarriedLink, brought_back, carried, read_carried
from engine.matter.records import Link

#: What a reader of lines may take for the end of one, and the tab that separates brat's columns.
_PIECES = re.compile("[^\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]+")
_SAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def write(bundle: Bundle) -> Written:
    """The files, all texts once for each annotator."""
    by_document, losses = within_one_document(bundle)
    people = sorted({link.annotator for links in by_document.values() for link in links})
    files: dict[str, bytes] = {}
    blank = 0
    for who in people:
        for number, document in enumerate(bundle.documents, 1):
            base = f"{_SAFE.sub('_', who)}/{number:03d}-{_SAFE.sub('_', document.name) or 'document'}"
            mine = [link for link in by_document[document.id] if link.annotator == who]
            held = [link for link in mine if all(_PIECES.search(end.quote) for end in link.ends)]
            blank += len(mine) - len(held)
            files[f"{base}.txt"] = document.text.encode()
            files[f"{base}.ann"] = "".join(_annotations(held)).encode()
    if blank:
        losses.append(Loss("{n} links have an end of white space alone; they were left out.", blank))
    if bundle.links:
        losses.append(
            Loss("What brat's relations cannot say stands in their notes; brat shows it, and does not edit it.")
        )
    return Written(files, tuple(losses))


def _annotations(links: list[Link]) -> list[str]:
    out: list[str] = []
    passages = relations = 0
    for link in links:
        names = []
        for end in link.ends:
            passages += 1
            names.append(f"T{passages}")
            pieces = [(m.start() + end.start, m.end() + end.start, m.group()) for m in _PIECES.finditer(end.quote)]
            spans = ";".join(f"{a} {b}" for a, b, _ in pieces)
            out.append(f"T{passages}\tpassage {spans}\t{' '.join(text for _, _, text in pieces)}\n")
        for i, other in enumerate(names[1:]):
            relations += 1
            out.append(f"R{relations}\t{link.code.replace('.', '-')} Arg1:{names[0]} Arg2:{other}\n")
            note = carried(link, first=i == 0)
            # JSON escapes line feeds and tabs, but not these, which end a line for some readers.
            note = re.sub("[\x7f\x85\u2028\u2029]", lambda m: f"\\u{ord(m.group()):04x}", note)
            out.append(f"#{relations}\tAnnotatorNotes R{relations}\t{note}\n")
    return out


def read(files: Mapping[str, bytes]) -> Bundle:
    """The relations of standoff files; one that carries our note comes back whole, unless brat moved it."""
    gathering = Gathering()
    for name in sorted(files):
        if name.endswith(".ann"):
            with gathering.at(0, name):
                _read_annotations(gathering, files, name)
    return gathering.bundle()


def _read_annotations(gathering: Gathering, files: Mapping[str, bytes], name: str) -> None:
    base = name.removesuffix(".ann")
    if f"{base}.txt" not in files:
        raise UnreadableImport("{name} is missing", name=f"{base}.txt")
    annotator = base.rsplit("/", 1)[0] if "/" in base else "brat"
    text = files[f"{base}.txt"].decode()
    known = next((d for d in gathering.documents.values() if d.text == text), None)
    document = known or BundleDocument(f"brat:{base}", base, text)
    gathering.documents[document.id] = document
    spans: dict[str, tuple[int, int]] = {}
    relations: dict[str, tuple[int, str, str, str]] = {}
    notes: dict[str, CarriedLink] = {}
    for number, line in enumerate(files[name].decode().split("\n"), 1):
        with gathering.at(number, name):
            try:
                _read_line(line, number, spans, relations, notes)
            except (ValueError, IndexError, msgspec.MsgspecError) as error:
                raise UnreadableImport("the line is not brat's ({error})", error=error) from error
    for relation, (number, kind, first, second) in relations.items():
        with gathering.at(number, name):
            if first not in spans or second not in spans:
                raise UnreadableImport("{relation} joins a passage that is not there", relation=relation)
            both = (spans[first], spans[second])
            link = brought_back(document, kind.replace("-", "."), both, annotator, notes.get(relation))
            if link is not None:
                gathering.add(link, number, name)
                document = msgspec.structs.replace(document, id=link.ends[0].document)
    gathering.documents[document.id] = document


def _read_line(
    line: str,
    number: int,
    spans: dict[str, tuple[int, int]],
    relations: dict[str, tuple[int, str, str, str]],
    notes: dict[str, CarriedLink],
) -> None:
    columns = line.split("\t")
    if line.startswith("T"):
        offsets = [int(each) for piece in columns[1].split(" ", 1)[1].split(";") for each in piece.split(" ")]
        spans[columns[0]] = (min(offsets), max(offsets))
    elif line.startswith("R"):
        kind, first, second = columns[1].split(" ")
        relations[columns[0]] = (number, kind, first.split(":")[1], second.split(":")[1])
    elif line.startswith("#") and columns[1].startswith("AnnotatorNotes R") and columns[2].startswith("{"):
        notes[columns[1].split(" ")[1]] = read_carried(columns[2])

