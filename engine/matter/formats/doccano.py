"""doccano's JSONL (relation): a line for each document with its text, entities and relations.

Offsets are code points (doccano's "grapheme mode" off). An export holds no annotators: doccano writes a
file for each, so the file's name is the person's.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from engine.matter.errors import UnreadableImport
from engine.matter.formats.bundle import (
    Bundle,
    BundleDocument,
    Gathering,
    Loss,
    Written,
    end_at,
    new_link,
    within_one_document,
)
from engine.matter.records import Annotator, Direction, Link


class _Entity(msgspec.Struct):
    id: int
    start_offset: int
    end_offset: int
    label: str = "passage"


class _Relation(msgspec.Struct):
    id: int
    from_id: int
    to_id: int
    type: str


class _Line(msgspec.Struct, omit_defaults=True):
    text: str
    id: int = 0
    entities: list[_Entity] = []
    relations: list[_Relation] = []
    document: str = ""
    name: str = ""


_decoder = msgspec.json.Decoder(_Line)


def write(bundle: Bundle) -> Written:
    """A file for each annotator, named by the annotator's id."""
    by_document, losses = within_one_document(bundle)
    files: dict[str, bytes] = {}
    for who in sorted({link.annotator for links in by_document.values() for link in links}):
        lines: list[bytes] = []
        serial = 0
        for number, document in enumerate(bundle.documents, 1):
            line = _Line(document.text, number, [], [], document.id, document.name)
            for link in by_document[document.id]:
                if link.annotator == who:
                    serial = _add(line, link, serial)
            lines.append(msgspec.json.encode(line))
        files[f"{who}.jsonl"] = b"\n".join(lines) + b"\n"
    many = sum(len(link.ends) > 2 for links in by_document.values() for link in links)
    if many:
        losses.append(Loss("{n} links with more than two ends became one relation for each further end.", many))
    if bundle.links:
        losses.append(
            Loss("doccano's relations have a type and a direction alone: no aspect, note, severity, and the rest.")
        )
    return Written(files, tuple(losses))


def _add(line: _Line, link: Link, serial: int) -> int:
    """Append a link's entities and relations; the next free id."""
    ids = []
    for end in link.ends:
        serial += 1
        ids.append(serial)
        line.entities.append(_Entity(serial, end.start, end.end, "passage"))
    for other in ids[1:]:
        serial += 1
        source, target = (other, ids[0]) if link.direction is Direction.BACKWARD else (ids[0], other)
        line.relations.append(_Relation(serial, source, target, link.code))
    return serial


def read(files: Mapping[str, bytes]) -> Bundle:
    """The relations of doccano's files, each a link of two ends, from the first to the second."""
    gathering = Gathering()
    for name, data in files.items():
        person = Annotator(name.rsplit("/", 1)[-1].removesuffix(".jsonl"), name.removesuffix(".jsonl"))
        gathering.people[person.id] = person
        for number, text in enumerate(data.split(b"\n"), 1):
            if text.strip():
                with gathering.at(number, name):
                    _read_line(gathering, text, number, name, person.id)
    return gathering.bundle()


def _read_line(gathering: Gathering, text: bytes, number: int, name: str, person: str) -> None:
    try:
        line = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableImport("the line is not doccano's ({error})", error=error) from error
    document = BundleDocument(line.document or f"line:{name}:{number}", line.name or name, line.text)
    gathering.documents[document.id] = document
    entities = {entity.id: entity for entity in line.entities}
    for relation in line.relations:
        with gathering.at(number, name):
            if relation.from_id not in entities or relation.to_id not in entities:
                raise UnreadableImport("an entity of the relation {id} is not there", id=relation.id)
            ends = [
                end_at(document, entity.start_offset, entity.end_offset)
                for entity in (entities[relation.from_id], entities[relation.to_id])
            ]
            gathering.add(new_link(ends, relation.type, person, direction=Direction.FORWARD), number, name)
