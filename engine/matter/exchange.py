"""``antinomy.links/1``: links and decisions as lines of JSON, written and read back without loss.

The first line is a :class:`Header`; every other line is a document, an annotator, a finding that
somebody decided on, a decision, or a link, told apart by ``type``. Offsets are code points. Findings
nobody decided on are suggestions and never leave the matter this way.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from engine import APP_VERSION
from engine.document import UnreadableDocument, unpack
from engine.matter import reviews, rows
from engine.matter.clock import now
from engine.matter.errors import DiskFull, InvalidLink, MatterError, ReadOnlyFolder, UnreadableImport
from engine.matter.journal import Entry
from engine.matter.matter import Matter, require_valid
from engine.matter.records import Act, Annotator, Changes, Decision, Link
from engine.protocol.findings import Finding

LINKS_SCHEMA = "antinomy.links/1"


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file."""

    schema: str
    app_version: str = ""
    exported_at: str = ""


class DocumentLine(msgspec.Struct, frozen=True, tag_field="type", tag="document"):
    """A document that links or decisions stand in; its text stays where it is."""

    id: str
    name: str
    media: str = "text"
    role: str = "other"


class AnnotatorLine(msgspec.Struct, frozen=True, tag_field="type", tag="annotator"):
    """A person."""

    annotator: Annotator


class FindingLine(msgspec.Struct, frozen=True, tag_field="type", tag="finding"):
    """A finding that somebody decided on."""

    finding: Finding


class DecisionLine(msgspec.Struct, frozen=True, tag_field="type", tag="decision"):
    """A person's word on a finding."""

    decision: Decision


class LinkLine(msgspec.Struct, frozen=True, tag_field="type", tag="link"):
    """A labelled relation."""

    link: Link


Line = DocumentLine | AnnotatorLine | FindingLine | DecisionLine | LinkLine
_line_decoder = msgspec.json.Decoder(Line)
_header_decoder = msgspec.json.Decoder(Header)


class ImportProblem(msgspec.Struct, frozen=True):
    """A line (counted from 1) that cannot be taken, and why, in one sentence."""

    line: int
    sentence: str


class ImportPlan(msgspec.Struct, frozen=True):
    """What an import would add. Nothing has been changed yet; :func:`apply_import` does it.

    ``already`` counts the links and decisions that the matter has, word for word.
    """

    documents: tuple[DocumentLine, ...]
    annotators: tuple[Annotator, ...]
    findings: tuple[Finding, ...]
    decisions: tuple[Decision, ...]
    links: tuple[Link, ...]
    problems: tuple[ImportProblem, ...]
    already: int
    name: str


def export_lines(matter: Matter) -> Iterator[str]:
    """The matter's links and decisions as lines without line breaks, header first, in a stable order."""
    links, decisions = matter.links(), matter.all_decisions()
    decided = {decision.finding for decision in decisions}
    findings = [r.finding for r in matter.finding_records() if r.finding.id in decided]
    used = {end.document for link in links for end in link.ends}
    used |= {passage.document for finding in findings for passage in finding.passages}
    people = {link.annotator for link in links} | {decision.annotator for decision in decisions}
    yield _encoded(Header(LINKS_SCHEMA, APP_VERSION, now()))
    for document in matter.documents():
        if document.id in used:
            yield _encoded(DocumentLine(document.id, document.name, document.media, document.role))
    for annotator in matter.annotators():
        if annotator.id in people:
            yield _encoded(AnnotatorLine(annotator))
    for finding in findings:
        yield _encoded(FindingLine(finding))
    for decision in decisions:
        yield _encoded(DecisionLine(decision))
    for link in links:
        yield _encoded(LinkLine(link))


def _encoded(line: msgspec.Struct) -> str:
    return msgspec.json.encode(line).decode()


def export_links(matter: Matter, path: Path) -> int:
    """Write :func:`export_lines` to ``path``, whole or not at all; the number of lines after the header.

    Raises:
        ReadOnlyFolder, DiskFull: the file could not be written; what was there before still is.
    """
    lines = list(export_lines(matter))
    draft = path.with_name(f".{path.name}.new")
    try:
        draft.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        kind = DiskFull if error.errno == errno.ENOSPC else ReadOnlyFolder
        raise kind(f"{path.name} cannot be written there ({error.strerror}).") from error
    return len(lines) - 1


def plan_import_file(matter: Matter, path: Path) -> ImportPlan:
    """:func:`plan_import` of a file.

    Raises:
        UnreadableImport: it is not there, not UTF-8, or not ``antinomy.links/1``.
    """
    try:
        # Only the line feed ends a line: quotes may hold U+2028 and its like.
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            return plan_import(matter, (line.rstrip("\r\n") for line in file), path.name)
    except FileNotFoundError as error:
        raise UnreadableImport(f"{path.name} is not there.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableImport(f"{path.name} cannot be read as text.") from error


def plan_import(matter: Matter, lines: Iterable[str], name: str = "links.jsonl") -> ImportPlan:
    """Look at every line and say what an import would add and which lines are bad; changes nothing."""
    return _Planner(matter, name).plan(lines)


_Item = TypeVar("_Item", Decision, Link)
_Key = TypeVar("_Key", str, tuple[str, str])


class _Planner:
    """The state of one reading of an import."""

    def __init__(self, matter: Matter, name: str) -> None:
        self._matter = matter
        self._name = name
        self._documents = {document.id for document in matter.documents()}
        self._people = {annotator.id for annotator in matter.annotators()}
        self._findings = {record.finding.id: record.finding for record in matter.finding_records()}
        self._decisions = {(d.finding, d.annotator): d for d in matter.all_decisions()}
        self._links = {link.id: link for link in matter.links()}
        self._texts: dict[str, str | None] = {}
        self._new_documents: dict[str, DocumentLine] = {}
        self._new_people: dict[str, Annotator] = {}
        self._new_findings: dict[str, Finding] = {}
        self._new_decisions: dict[tuple[str, str], Decision] = {}
        self._new_links: dict[str, Link] = {}
        self._already = 0

    def plan(self, lines: Iterable[str]) -> ImportPlan:
        problems: list[ImportProblem] = []
        header_seen = False
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            if not header_seen:
                self._header(line)
                header_seen = True
                continue
            try:
                self._take(_line_decoder.decode(line))
            except msgspec.MsgspecError as error:
                problems.append(ImportProblem(number, f"not a line of {LINKS_SCHEMA}: {error}"))
            except MatterError as error:
                problems.append(ImportProblem(number, str(error)))
        if not header_seen:
            raise UnreadableImport(f"{self._name} is empty.")
        return ImportPlan(
            tuple(self._new_documents.values()), tuple(self._new_people.values()),
            tuple(self._new_findings.values()), tuple(self._new_decisions.values()), tuple(self._new_links.values()),
            tuple(problems), self._already, self._name,
        )  # fmt: skip

    def _header(self, line: str) -> None:
        try:
            header = _header_decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise UnreadableImport(f"{self._name} does not begin like a file of {LINKS_SCHEMA}.") from error
        if header.schema != LINKS_SCHEMA:
            raise UnreadableImport(f"{self._name} is of {header.schema}; only {LINKS_SCHEMA} can be read.")

    def _take(self, line: Line) -> None:
        match line:
            case DocumentLine():
                if line.id not in self._documents:
                    self._new_documents[line.id] = line
            case AnnotatorLine():
                if line.annotator.id not in self._people:
                    self._new_people[line.annotator.id] = line.annotator
            case FindingLine():
                for passage in line.finding.passages:
                    self._require_document(passage.document)
                if line.finding.id not in self._findings:
                    self._new_findings[line.finding.id] = line.finding
            case DecisionLine():
                self._take_decision(line.decision)
            case LinkLine():
                self._take_link(line.link)

    def _take_decision(self, decision: Decision) -> None:
        self._require_person(decision.annotator)
        if decision.finding not in self._findings and decision.finding not in self._new_findings:
            raise InvalidLink(f"the decision is on a finding ({decision.finding}) that no line before it gives")
        key = (decision.finding, decision.annotator)
        self._add(decision, key, self._decisions, self._new_decisions, "decision")

    def _take_link(self, link: Link) -> None:
        require_valid(link)
        self._require_person(link.annotator)
        for end in link.ends:
            self._require_document(end.document)
            text = self._text(end.document)
            if text is not None and text[end.start : end.end] != end.quote:
                raise InvalidLink(f"the words of an end are not at {end.start} to {end.end} of the document")
        self._add(link, link.id, self._links, self._new_links, "link")

    def _add(self, item: _Item, key: _Key, old: dict[_Key, _Item], new: dict[_Key, _Item], what: str) -> None:
        if key in new:
            raise InvalidLink(f"the {what} {key} stands in the file twice")
        if key in old:
            if old[key] != item:
                raise InvalidLink(f"the {what} {key} is in the matter with other content; merge the matters instead")
            self._already += 1
        else:
            new[key] = item

    def _require_document(self, document: str) -> None:
        if document not in self._documents and document not in self._new_documents:
            raise InvalidLink(f"the document {document[:19]}… is neither in the matter nor in the file")

    def _require_person(self, annotator: str) -> None:
        if annotator not in self._people and annotator not in self._new_people:
            raise InvalidLink(f"the annotator {annotator} is neither in the matter nor in the file")

    def _text(self, document: str) -> str | None:
        if document not in self._texts:
            packed = self._matter.packed_document(document) if document in self._documents else None
            try:
                self._texts[document] = None if packed is None else unpack(packed).text
            except UnreadableDocument:
                self._texts[document] = None
        return self._texts[document]


def apply_import(matter: Matter, plan: ImportPlan) -> Changes:
    """Add what a plan found good, as one act that :meth:`Matter.undo` takes back; all or nothing."""
    if not (plan.links or plan.decisions or plan.documents or plan.annotators or plan.findings):
        return Changes()
    who = matter.annotator().id
    with matter.transaction() as db:
        for annotator in plan.annotators:
            rows.put_annotator(db, annotator)
        for document in plan.documents:
            rows.put_document_name(db, document.id, document.name, document.media, document.role)
        if plan.findings:
            review = reviews.open_review(db, "import", plan.name, "", len(plan.findings))
            for finding in plan.findings:
                reviews.put_finding(db, finding, review)
        entry = Entry(db, who, Act.IMPORT, plan.name)
        for decision in plan.decisions:
            entry.set_decision(decision.finding, decision.annotator, None, decision)
        for link in plan.links:
            entry.set_link(link.id, None, link)
    return matter.changed(
        Changes(
            documents=tuple(document.id for document in plan.documents),
            findings=tuple(finding.id for finding in plan.findings),
            decisions=entry.changes.decisions,
            links=entry.changes.links,
        )
    )
