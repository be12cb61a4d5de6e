"""What an import would add, worked out record by record before anything is changed.

Whatever the file was, its records come here one after the other; one that cannot be taken becomes an
:class:`ImportProblem` with its place in the file, and the others go on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from engine.document import UnreadableDocument, unpack
from engine.matter.errors import InvalidLink, MatterError
from engine.matter.guide import guide_of
from engine.matter.labels import is_of_set
from engine.matter.matter import Matter, require_valid
from engine.matter.records import Annotator, Decision, Link, Origin
from engine.protocol.findings import Finding


class DocumentLine(msgspec.Struct, frozen=True, tag_field="type", tag="document"):
    """A document that links or decisions stand in; its text stays where it is."""

    id: str
    name: str
    media: str = "text"
    role: str = "other"


class ImportProblem(msgspec.Struct, frozen=True):
    """A record that cannot be taken, and why, in one sentence.

    ``line`` counts from 1 (0: the format has no lines), ``place`` names the file and the record where that says more.
    ``template`` and ``values`` are the sentence's parts, as a :class:`MatterError` has them. A ``label`` that the
    matter's set lacks stands there when it alone is in the way: it can be added to the set.
    """

    line: int
    sentence: str
    place: str = ""
    template: str = ""
    values: dict[str, str] = {}
    label: str = ""


class ImportPlan(msgspec.Struct, frozen=True):
    """What an import would add. Nothing has been changed yet; ``exchange.apply_import`` does it.

    ``already`` counts the links and decisions that the matter has, word for word. ``doubtful`` are links that are
    good but for a label that the matter's set lacks (``new_labels``); each is among the problems too.
    """

    documents: tuple[DocumentLine, ...]
    annotators: tuple[Annotator, ...]
    findings: tuple[Finding, ...]
    decisions: tuple[Decision, ...]
    links: tuple[Link, ...]
    problems: tuple[ImportProblem, ...]
    already: int
    name: str
    doubtful: tuple[Link, ...] = ()
    new_labels: tuple[str, ...] = ()


def problem_of(error: MatterError, line: int, place: str = "") -> ImportProblem:
    """A failure at a place of the file."""
    return ImportProblem(line, str(error), place, error.template, error.values)


_Item = TypeVar("_Item", Decision, Link)
_Key = TypeVar("_Key", str, tuple[str, str])


class Planner:
    """The state of one reading of an import. Each ``take_`` is given within :meth:`at`, which notes what fails."""

    def __init__(self, matter: Matter, name: str) -> None:
        self._matter = matter
        self._name = name
        self._documents = {document.id for document in matter.documents()}
        self._people = {annotator.id for annotator in matter.annotators()}
        self._findings = {record.finding.id: record.finding for record in matter.finding_records()}
        self._decisions = {(d.finding, d.annotator): d for d in matter.all_decisions()}
        self._links = {link.id: link for link in matter.links()}
        self._labels = {label.code for label in guide_of(matter).labels}
        self._texts: dict[str, str | None] = {}
        self._new_documents: dict[str, DocumentLine] = {}
        self._new_people: dict[str, Annotator] = {}
        self._new_findings: dict[str, Finding] = {}
        self._new_decisions: dict[tuple[str, str], Decision] = {}
        self._new_links: dict[str, Link] = {}
        self._doubtful: dict[str, Link] = {}
        self._already = 0
        self._at = (0, "")
        self.problems: list[ImportProblem] = []

    @contextlib.contextmanager
    def at(self, line: int, place: str = "") -> Iterator[None]:
        """Whatever fails inside stands at this line, or this place, of the file."""
        self._at = (line, place)
        try:
            yield
        except MatterError as error:
            self.problems.append(problem_of(error, line, place))

    def plan(self) -> ImportPlan:
        """What has been found so far."""
        return ImportPlan(
            tuple(self._new_documents.values()), tuple(self._new_people.values()),
            tuple(self._new_findings.values()), tuple(self._new_decisions.values()), tuple(self._new_links.values()),
            tuple(self.problems), self._already, self._name, tuple(self._doubtful.values()),
            tuple(dict.fromkeys(link.code.removeprefix("document.") for link in self._doubtful.values())),
        )  # fmt: skip

    def take_document(self, line: DocumentLine) -> None:
        """A document's name."""
        if line.id not in self._documents:
            self._new_documents[line.id] = line

    def take_annotator(self, annotator: Annotator) -> None:
        """A person."""
        if annotator.id not in self._people:
            self._new_people[annotator.id] = annotator

    def take_finding(self, finding: Finding) -> None:
        """A finding that a decision is about."""
        for passage in finding.passages:
            self._require_document(passage.document)
        if finding.id not in self._findings:
            self._new_findings[finding.id] = finding

    def take_decision(self, decision: Decision) -> None:
        """A person's word on a finding."""
        self._require_person(decision.annotator)
        if decision.finding not in self._findings and decision.finding not in self._new_findings:
            raise InvalidLink(
                "the decision is on a finding ({finding}) that no line before it gives", finding=decision.finding
            )
        key = (decision.finding, decision.annotator)
        if self._is_new(decision, key, self._decisions, key in self._new_decisions):
            self._new_decisions[key] = decision

    def take_link(self, link: Link) -> None:
        """A labelled relation."""
        require_valid(link)
        self._require_person(link.annotator)
        for end in link.ends:
            self._require_document(end.document)
            text = self._text(end.document)
            if text is not None and text[end.start : end.end] != end.quote:
                raise InvalidLink(
                    "the words of an end are not at {start} to {end} of the document", start=end.start, end=end.end
                )
        is_twice = link.id in self._new_links or link.id in self._doubtful
        if not self._is_new(link, link.id, self._links, is_twice):
            return
        if is_of_set(link.code, self._labels):
            self._new_links[link.id] = link
            return
        self._doubtful[link.id] = link
        error = InvalidLink("the label {label} is not in this matter's label set", label=link.code)
        self.problems.append(msgspec.structs.replace(problem_of(error, *self._at), label=link.code))

    def _is_new(self, item: _Item, key: _Key, old: dict[_Key, _Item], is_twice: bool) -> bool:
        """Whether it is to be added; False when the matter has it already."""
        name = key if isinstance(key, str) else key[0]
        is_link = isinstance(item, Link)
        if is_twice:
            raise InvalidLink(
                "the link {id} stands in the file twice" if is_link else
                "the decision on {id} stands in the file twice", id=name,
            )  # fmt: skip
        if key not in old:
            return True
        if not _same(old[key], item):
            raise InvalidLink(
                "the link {id} is in the matter with other content; merge the matters instead" if is_link else
                "the decision on {id} is in the matter with other content; merge the matters instead", id=name,
            )  # fmt: skip
        self._already += 1
        return False

    def _require_document(self, document: str) -> None:
        if document not in self._documents and document not in self._new_documents:
            raise InvalidLink(
                "the document {document} is neither in the matter nor in the file", document=f"{document[:19]}…"
            )

    def _require_person(self, annotator: str) -> None:
        if annotator not in self._people and annotator not in self._new_people:
            raise InvalidLink(
                "the annotator {annotator} is neither in the matter nor in the file", annotator=annotator
            )

    def _text(self, document: str) -> str | None:
        if document not in self._texts:
            packed = self._matter.packed_document(document) if document in self._documents else None
            try:
                self._texts[document] = None if packed is None else unpack(packed).text
            except UnreadableDocument:
                self._texts[document] = None
        return self._texts[document]


def _same(old: Decision | Link, new: Decision | Link) -> bool:
    if isinstance(old, Link) and isinstance(new, Link) and old.origin is new.origin is Origin.IMPORT:
        # Most tools keep no times: theirs are those of the import.
        new = msgspec.structs.replace(new, created_at=old.created_at, changed_at=old.changed_at)
    return old == new
