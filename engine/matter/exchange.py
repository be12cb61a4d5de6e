"""``antinomy.links/1``: links and decisions as lines of JSON, written and read back without loss.

The first line is a :class:`Header`; every other line is a document, an annotator, a finding that
somebody decided on, a decision, or a link, told apart by ``type``. Offsets are code points. Findings
nobody decided on are suggestions and never leave the matter this way.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from engine import APP_VERSION
from engine.matter import reviews, rows
from engine.matter.clock import now
from engine.matter.errors import DiskFull, InvalidLink, ReadOnlyFolder, UnreadableImport
from engine.matter.guide import Label, guide_of, keep_guide
from engine.matter.import_plan import DocumentLine, ImportPlan, Planner
from engine.matter.journal import Entry
from engine.matter.matter import Matter
from engine.matter.records import Act, Annotator, Changes, Decision, Link
from engine.protocol.findings import Finding

LINKS_SCHEMA = "antinomy.links/1"


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file."""

    schema: str
    app_version: str = ""
    exported_at: str = ""


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
        raise kind("{name} cannot be written there ({error}).", name=path.name, error=error.strerror) from error
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
        raise UnreadableImport("{name} is not there.", name=path.name) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableImport("{name} cannot be read as text.", name=path.name) from error


def plan_import(matter: Matter, lines: Iterable[str], name: str = "links.jsonl") -> ImportPlan:
    """Look at every line and say what an import would add and which lines are bad; changes nothing."""
    planner = Planner(matter, name)
    header_seen = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if header_seen:
            with planner.at(number):
                _take(planner, line)
        else:
            _require_header(line, name)
            header_seen = True
    if not header_seen:
        raise UnreadableImport("{name} is empty.", name=name)
    return planner.plan()


def _require_header(line: str, name: str) -> None:
    try:
        header = _header_decoder.decode(line)
    except msgspec.MsgspecError as error:
        raise UnreadableImport(
            "{name} does not begin like a file of {schema}.", name=name, schema=LINKS_SCHEMA
        ) from error
    if header.schema != LINKS_SCHEMA:
        raise UnreadableImport(
            "{name} is of {found}; only {schema} can be read.", name=name, found=header.schema, schema=LINKS_SCHEMA
        )


def _take(planner: Planner, text: str) -> None:
    try:
        line = _line_decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise InvalidLink("not a line of {schema}: {error}", schema=LINKS_SCHEMA, error=error) from error
    match line:
        case DocumentLine():
            planner.take_document(line)
        case AnnotatorLine():
            planner.take_annotator(line.annotator)
        case FindingLine():
            planner.take_finding(line.finding)
        case DecisionLine():
            planner.take_decision(line.decision)
        case LinkLine():
            planner.take_link(line.link)


def apply_import(matter: Matter, plan: ImportPlan, new_labels: bool = False) -> Changes:
    """Add what a plan found good, as one act that :meth:`Matter.undo` takes back; all or nothing.

    With ``new_labels`` the labels that the matter's set lacks are added to it, and their links taken too.
    """
    links = plan.links + (plan.doubtful if new_labels else ())
    if not (links or plan.decisions or plan.documents or plan.annotators or plan.findings):
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
        for link in links:
            entry.set_link(link.id, None, link)
        if new_labels and plan.new_labels:
            guide = guide_of(matter)
            more = tuple(Label(code) for code in plan.new_labels)
            keep_guide(matter, msgspec.structs.replace(guide, labels=guide.labels + more))
    return matter.changed(
        Changes(
            documents=tuple(document.id for document in plan.documents),
            findings=tuple(finding.id for finding in plan.findings),
            decisions=entry.changes.decisions,
            links=entry.changes.links,
        )
    )
