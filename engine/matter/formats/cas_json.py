"""UIMA CAS JSON 0.4.0, as INCEpTION reads and writes it: a file for each annotator and document.

Passages are ``custom.Span``, relations ``custom.Relation`` with ``Governor`` and ``Dependent``: the names that
INCEpTION gives a project's own layers. UIMA counts UTF-16 units, so offsets are turned from and into code points.
What a relation's ``label`` cannot say stands as JSON in its feature ``antinomy``.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from engine.matter.errors import UnreadableImport
from engine.matter.formats.bundle import Bundle, BundleDocument, Gathering, Loss, Written, within_one_document
from engine.matter.formats.carried import CarriedLink, brought_back, carried, read_carried
from engine.matter.records import Direction, Link

_SAFE = re.compile(r"[^A-Za-z0-9_.-]+")
SPAN, RELATION = "custom.Span", "custom.Relation"
_ANNOTATION, _STRING = "uima.tcas.Annotation", "uima.cas.String"
#: DKPro Core's type for a document's name and id, which INCEpTION uses.
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"


def _feature(name: str, kind: str = _STRING) -> dict[str, str]:
    return {"%NAME": name, "%RANGE": kind}


_TYPES: dict[str, dict[str, Any]] = {
    _METADATA: {
        "%NAME": _METADATA,
        "%SUPER_TYPE": "uima.tcas.DocumentAnnotation",
        "documentTitle": _feature("documentTitle"),
        "documentId": _feature("documentId"),
    },
    SPAN: {"%NAME": SPAN, "%SUPER_TYPE": _ANNOTATION, "label": _feature("label")},
    RELATION: {
        "%NAME": RELATION,
        "%SUPER_TYPE": _ANNOTATION,
        "Governor": _feature("Governor", SPAN),
        "Dependent": _feature("Dependent", SPAN),
        "label": _feature("label"),
        "antinomy": _feature("antinomy"),
    },
}


class Utf16Offsets:
    """From code points of a text to UTF-16 units and back."""

    def __init__(self, text: str) -> None:
        #: Where the characters stand that take two units.
        self._wide = [i for i, character in enumerate(text) if character > "\uffff"]
        self._wide_units = [place + number for number, place in enumerate(self._wide)]

    def to_units(self, offset: int) -> int:
        """Units before the code point at ``offset``."""
        return offset + bisect.bisect_left(self._wide, offset)

    def to_points(self, units: int) -> int:
        """Code points before a place given in units; one inside a pair counts as before it."""
        return units - bisect.bisect_left(self._wide_units, units)


def write(bundle: Bundle) -> Written:
    """``ANNOTATOR/NNN-NAME.json``, for those documents in which the annotator made a link."""
    by_document, losses = within_one_document(bundle)
    files: dict[str, bytes] = {}
    for who in sorted({link.annotator for links in by_document.values() for link in links}):
        for number, document in enumerate(bundle.documents, 1):
            mine = [link for link in by_document[document.id] if link.annotator == who]
            if mine:
                name = f"{_SAFE.sub('_', who)}/{number:03d}-{_SAFE.sub('_', document.name) or 'document'}.json"
                files[name] = msgspec.json.encode(_cas(document, mine))
    if bundle.links:
        losses.append(Loss("What a relation's label cannot say stands in its feature antinomy; INCEpTION keeps it."))
    return Written(files, tuple(losses))


def _cas(document: BundleDocument, links: list[Link]) -> dict[str, Any]:
    units = Utf16Offsets(document.text)
    length = units.to_units(len(document.text))
    structures: list[dict[str, Any]] = [
        {
            "%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text",
            "sofaString": document.text,
        },
        {
            "%ID": 2, "%TYPE": _METADATA, "@sofa": 1, "begin": 0, "end": length, "language": "x-unspecified",
            "documentTitle": document.name, "documentId": document.id,
        },
    ]  # fmt: skip

    def add(kind: str, start: int, end: int, **features: Any) -> int:
        structures.append(
            {"%ID": len(structures) + 1, "%TYPE": kind, "@sofa": 1, "begin": start, "end": end, **features}
        )
        return len(structures)

    for link in links:
        spans = [(units.to_units(end.start), units.to_units(end.end)) for end in link.ends]
        passages = [add(SPAN, *span, label="passage") for span in spans]
        for i, (other, span) in enumerate(zip(passages[1:], spans[1:], strict=True)):
            source, target = (other, passages[0]) if link.direction is Direction.BACKWARD else (passages[0], other)
            place = spans[0] if link.direction is Direction.BACKWARD else span
            references = {"@Governor": source, "@Dependent": target}
            add(RELATION, *place, **references, label=link.code, antinomy=carried(link, first=i == 0))
    members = list(range(2, len(structures) + 1))
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}}
    return {"%TYPES": _TYPES, "%FEATURE_STRUCTURES": structures, "%VIEWS": views}


def read(files: Mapping[str, bytes]) -> Bundle:
    """The relations of CAS files; the folder (INCEpTION: the file's name) is the annotator."""
    gathering = Gathering()
    for name in sorted(files):
        with gathering.at(0, name):
            try:
                _read_cas(gathering, name, files[name])
            except (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError) as error:
                raise UnreadableImport("the file is not UIMA CAS JSON ({error})", error=error) from error
    return gathering.bundle()


def _read_cas(gathering: Gathering, name: str, data: bytes) -> None:
    raw = msgspec.json.decode(data)["%FEATURE_STRUCTURES"]
    # Both of the forms that the specification allows: a list, or a map from ids.
    listed = raw if isinstance(raw, list) else [{"%ID": int(i), **fs} for i, fs in raw.items()]
    structures: list[dict[str, Any]] = listed
    sofas = [fs for fs in structures if fs["%TYPE"] == "uima.cas.Sofa" and "sofaString" in fs]
    if len(sofas) != 1:
        raise UnreadableImport("the file holds {count} texts; one is needed", count=len(sofas))
    text = sofas[0]["sofaString"]
    about: dict[str, Any] = next((fs for fs in structures if fs["%TYPE"] == _METADATA), {})
    title = about.get("documentTitle") or name.rsplit("/", 1)[-1]
    document = BundleDocument(about.get("documentId") or f"cas:{name}", title, text)
    gathering.documents[document.id] = document
    units = Utf16Offsets(text)
    spans = {
        fs["%ID"]: (units.to_points(fs["begin"]), units.to_points(fs["end"])) for fs in structures if "begin" in fs
    }
    annotator = name.rsplit("/", 1)[0] if "/" in name else name.removesuffix(".json")
    for relation in structures:
        if "@Governor" not in relation or "@Dependent" not in relation:
            continue
        place = f"{name}, {relation['%ID']}"
        with gathering.at(0, place):
            if relation["@Governor"] not in spans or relation["@Dependent"] not in spans:
                raise UnreadableImport("a relation joins a passage that is not there")
            note = _note(relation)
            both = (spans[relation["@Governor"]], spans[relation["@Dependent"]])
            if note is not None and note.link.direction is Direction.BACKWARD:
                both = (both[1], both[0])
            label = relation.get("label") or "unlabelled"
            link = brought_back(document, label, both, annotator, note, Direction.FORWARD)
            if link is not None:
                gathering.add(link, 0, place)


def _note(relation: Mapping[str, Any]) -> CarriedLink | None:
    text = relation.get("antinomy")
    try:
        return None if not text else read_carried(text)
    except msgspec.MsgspecError:
        return None  # somebody wrote into the field: the relation itself still counts
