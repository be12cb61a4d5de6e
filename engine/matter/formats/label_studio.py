"""Label Studio's JSON: a task for each document, regions and relations in an annotation for each annotator.

Offsets are code points, as Label Studio stores them since 1.4 (HumanSignal/label-studio#1559); earlier
versions counted UTF-16 units. A link's note travels as the first region's ``meta.text``.
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

NAME = "label_studio.json"
_TO_TOOL = {Direction.FORWARD: "right", Direction.BACKWARD: "left", Direction.NONE: "bi"}
_FROM_TOOL = {word: direction for direction, word in _TO_TOOL.items()}


class _Value(msgspec.Struct, omit_defaults=True):
    start: int
    end: int
    text: str = ""
    labels: list[str] = []


class _Meta(msgspec.Struct, omit_defaults=True):
    text: list[str] = []


class _Result(msgspec.Struct, omit_defaults=True):
    type: str
    id: str = ""
    from_name: str = ""
    to_name: str = ""
    value: _Value | None = None
    meta: _Meta | None = None
    from_id: str = ""
    to_id: str = ""
    direction: str = ""
    labels: list[str] = []


class _Person(msgspec.Struct, omit_defaults=True):
    id: int
    email: str = ""
    first_name: str = ""


class _Annotation(msgspec.Struct, omit_defaults=True):
    id: int
    result: list[_Result]
    completed_by: _Person | int | None = None


class _Data(msgspec.Struct, omit_defaults=True):
    text: str
    name: str = ""
    document: str = ""


class _Task(msgspec.Struct, omit_defaults=True):
    id: int
    data: _Data
    annotations: list[_Annotation] = []


_decoder = msgspec.json.Decoder(list[_Task], strict=True)


def write(bundle: Bundle) -> Written:
    """One JSON file for Label Studio's import."""
    by_document, losses = within_one_document(bundle)
    people = {annotator.id: number for number, annotator in enumerate(bundle.annotators, 1)}
    names = {annotator.id: annotator.name for annotator in bundle.annotators}
    tasks: list[_Task] = []
    for number, document in enumerate(bundle.documents, 1):
        annotations: list[_Annotation] = []
        for who in sorted({link.annotator for link in by_document[document.id]}):
            results = [r for link in by_document[document.id] if link.annotator == who for r in _results(link)]
            person = _Person(people.get(who, 0), who, names.get(who, ""))
            annotations.append(_Annotation(number * 1000 + len(annotations), results, person))
        tasks.append(_Task(number, _Data(document.text, document.name, document.id), annotations))
    many = sum(len(link.ends) > 2 for links in by_document.values() for link in links)
    if many:
        losses.append(Loss("{n} links with more than two ends became one relation for each further end.", many))
    if bundle.links:
        losses.append(Loss("Label Studio's relations have no aspect, severity, confidence, status and clause number."))
    return Written({NAME: msgspec.json.encode(tasks)}, tuple(losses))


def _results(link: Link) -> list[_Result]:
    out: list[_Result] = []
    for i, end in enumerate(link.ends):
        value = _Value(end.start, end.end, end.quote, ["passage"])
        meta = _Meta([link.note]) if i == 0 and link.note else None
        out.append(_Result("labels", f"{link.id}-{i}", "label", "text", value, meta))
    for i in range(1, len(link.ends)):
        out.append(
            _Result(
                "relation", from_id=f"{link.id}-0", to_id=f"{link.id}-{i}", direction=_TO_TOOL[link.direction],
                labels=[link.code],
            )
        )  # fmt: skip
    return out


def read(files: Mapping[str, bytes]) -> Bundle:
    """The relations of an export, each a link of two ends.

    Raises:
        UnreadableImport: it is not Label Studio's JSON.
    """
    gathering = Gathering()
    for name, data in files.items():
        try:
            tasks = _decoder.decode(data)
        except msgspec.MsgspecError as error:
            raise UnreadableImport(
                "{name} is not an export of Label Studio ({error}).", name=name, error=error
            ) from error
        for task in tasks:
            document = BundleDocument(task.data.document or f"task:{task.id}", task.data.name, task.data.text)
            gathering.documents[document.id] = document
            for annotation in task.annotations:
                person = _annotator(annotation.completed_by)
                gathering.people[person.id] = person
                _read_relations(gathering, document, annotation, person.id, f"{name}, task {task.id}")
    return gathering.bundle()


def _annotator(person: _Person | int | None) -> Annotator:
    if isinstance(person, _Person):
        return Annotator(person.email or f"label-studio:{person.id}", person.first_name or person.email)
    return Annotator(f"label-studio:{person or 0}", f"Label Studio {person or 0}")


def _read_relations(
    gathering: Gathering, document: BundleDocument, annotation: _Annotation, annotator: str, place: str
) -> None:
    regions = {result.id: result for result in annotation.result if result.value is not None}
    for relation in annotation.result:
        if relation.type != "relation":
            continue
        with gathering.at(0, place):
            ends = []
            for region_id in (relation.from_id, relation.to_id):
                region = regions.get(region_id)
                if region is None or region.value is None:
                    raise UnreadableImport("a relation refers to a region that is not there ({id})", id=region_id)
                ends.append(end_at(document, region.value.start, region.value.end))
            first = regions[relation.from_id]
            note = "\n".join(first.meta.text) if first.meta else ""
            code = relation.labels[0] if relation.labels else "unlabelled"
            direction = _FROM_TOOL.get(relation.direction, Direction.NONE)
            gathering.add(new_link(ends, code, annotator, note=note, direction=direction), 0, place)
