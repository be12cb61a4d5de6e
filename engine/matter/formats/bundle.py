"""What goes into a foreign format and comes out of it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from engine.document import Document, UnreadableDocument, unpack
from engine.matter.clock import now
from engine.matter.errors import MatterError, UnreadableImport
from engine.matter.import_plan import ImportPlan, ImportProblem, Planner, problem_of
from engine.matter.matter import Matter
from engine.matter.records import Annotator, Direction, Link, LinkEnd, LinkStatus, Origin
from engine.protocol.findings import Severity

#: A line of a file, 0 where it has none, and the file or the record in it.
Place = tuple[int, str]


class BundleDocument(msgspec.Struct, frozen=True):
    """A document with its text; ``id`` may be empty in a file that another tool wrote.

    ``layout`` is the document with its boxes, for formats that place things on pages; None where it is not known.
    """

    id: str
    name: str
    text: str
    layout: Document | None = None


class Bundle(msgspec.Struct, frozen=True):
    """Documents, the links in them, and the people who made them.

    Of a bundle that was read: ``places`` says for each link at which line (0: no lines) and place of the files it
    stands, ``problems`` what could not be read.
    """

    documents: tuple[BundleDocument, ...]
    links: tuple[Link, ...]
    annotators: tuple[Annotator, ...] = ()
    places: tuple[Place, ...] = ()
    problems: tuple[ImportProblem, ...] = ()


class Gathering:
    """A bundle while its files are read: what fails inside :meth:`at` is noted, and the reading goes on."""

    def __init__(self) -> None:
        self.documents: dict[str, BundleDocument] = {}
        self.people: dict[str, Annotator] = {}
        self._links: list[Link] = []
        self._places: list[Place] = []
        self._problems: list[ImportProblem] = []

    @contextlib.contextmanager
    def at(self, line: int, place: str) -> Iterator[None]:
        """Whatever fails inside stands at this line (0: the format has none) and place of the files."""
        try:
            yield
        except UnicodeDecodeError:
            self.note(UnreadableImport("the file is not UTF-8"), line, place)
        except MatterError as error:
            self.note(error, line, place)

    def note(self, error: MatterError, line: int, place: str) -> None:
        """What cannot be read at this place."""
        self._problems.append(problem_of(error, line, place))

    def add(self, link: Link, line: int, place: str, name: str = "") -> None:
        """A link, and its annotator where she has not been named before."""
        self._links.append(link)
        self._places.append((line, place))
        self.people.setdefault(link.annotator, Annotator(link.annotator, name or link.annotator))

    def bundle(self) -> Bundle:
        """What has been read."""
        return Bundle(
            tuple(self.documents.values()), tuple(self._links), tuple(self.people.values()), tuple(self._places),
            tuple(self._problems),
        )  # fmt: skip


class Loss(str):
    """A sentence on what a format could not hold, with its parts: ``template`` has ``{n}`` where ``n`` things are."""

    __slots__ = ("n", "template")
    template: str
    n: int

    def __new__(cls, template: str, n: int = 0) -> Loss:
        """The sentence."""
        said = super().__new__(cls, template.format(n=n))
        said.template, said.n = template, n
        return said


class Written(msgspec.Struct, frozen=True):
    """Files by name, and one sentence for each thing that the format could not hold."""

    files: dict[str, bytes]
    losses: tuple[Loss, ...]


def bundle_of(matter: Matter) -> Bundle:
    """A matter's documents (those whose text is there), links and people."""
    documents: list[BundleDocument] = []
    for record in matter.documents():
        packed = matter.packed_document(record.id)
        try:
            layout = None if packed is None else unpack(packed)
        except UnreadableDocument:
            layout = None
        if layout is not None:
            documents.append(BundleDocument(record.id, record.name, layout.text, layout))
    return Bundle(tuple(documents), matter.links(), matter.annotators())


def within_one_document(bundle: Bundle) -> tuple[dict[str, list[Link]], list[Loss]]:
    """The links by document, for formats that know one text at a time, and what that leaves out, in words."""
    texts = {document.id for document in bundle.documents}
    out: dict[str, list[Link]] = {document.id: [] for document in bundle.documents}
    across = unknown = empty = 0
    for link in bundle.links:
        documents = {end.document for end in link.ends}
        if len(documents) > 1:
            across += 1
        elif not documents <= texts:
            unknown += 1
        elif any(end.start == end.end for end in link.ends):
            empty += 1
        else:
            out[link.ends[0].document].append(link)
    losses = [
        Loss("{n} links join two documents, which the format cannot hold; they were left out.", across),
        Loss("{n} links stand in documents whose text is not in the matter; they were left out.", unknown),
        Loss("{n} links have an end without words; they were left out.", empty),
    ]
    return out, [loss for loss in losses if loss.n]


def new_link(
    ends: Sequence[LinkEnd], code: str, annotator: str, *, note: str = "", direction: Direction = Direction.NONE,
    created_at: str = "",
) -> Link:  # fmt: skip
    """A link as it comes from another tool: origin ``import``, what the tool does not know at its default.

    Its id is a digest of what it says, so that a file imported twice brings no link twice.
    """
    moment = created_at or now()
    link = Link(
        "", tuple(ends), code, "", direction, Severity.MEDIUM, 1.0, note, LinkStatus.LABELLED, Origin.IMPORT,
        annotator, moment, moment,
    )  # fmt: skip
    return msgspec.structs.replace(link, id=_digest_id(link))


def _digest_id(link: Link) -> str:
    ends = [(end.document, end.start, end.end) for end in link.ends]
    said = (link.annotator, link.code, link.note, link.direction.value, ends)
    return "l-" + hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:16]


def _moved(link: Link, ends: tuple[LinkEnd, ...]) -> Link:
    """The link with its documents named otherwise; an id that is a digest goes with them."""
    moved = msgspec.structs.replace(link, ends=ends)
    return msgspec.structs.replace(moved, id=_digest_id(moved)) if link.id == _digest_id(link) else moved


def end_at(document: BundleDocument, start: int, end: int, number: str = "") -> LinkEnd:
    """An end at a span of a document, with the words that stand there."""
    if not 0 <= start <= end <= len(document.text):
        raise UnreadableImport(
            "a span of {name} ({start} to {end}) lies outside its text", name=document.name, start=start, end=end
        )
    return LinkEnd(document.id, "", number, document.text[start:end], start, end)


def locate_documents(matter: Matter, bundle: Bundle) -> Bundle:
    """Name the bundle's documents as the matter does: by id, else by equal text.

    Links in a document that is not in the matter become problems.
    """
    known = bundle_of(matter).documents
    ids = {document.id for document in known} | {record.id for record in matter.documents()}
    by_text = {document.text: document.id for document in known}
    names: dict[str, str] = {}
    missing: dict[str, str] = {}
    for document in bundle.documents:
        found = document.id if document.id in ids else by_text.get(document.text)
        if found is None:
            missing[document.id] = document.name
        else:
            names[document.id] = found
    gathering = Gathering()
    places = bundle.places or ((0, ""),) * len(bundle.links)
    for link, (line, place) in zip(bundle.links, places, strict=True):
        with gathering.at(line, place):
            for end in link.ends:
                if end.document in missing:
                    raise UnreadableImport(
                        "the text of {name} is not that of a document in the matter", name=missing[end.document]
                    )
            ends = tuple(msgspec.structs.replace(e, document=names.get(e.document, e.document)) for e in link.ends)
            gathering.add(_moved(link, ends), line, place)
    found_here = gathering.bundle()
    return Bundle(
        tuple(msgspec.structs.replace(d, id=names[d.id]) for d in bundle.documents if d.id in names),
        found_here.links, bundle.annotators, found_here.places, bundle.problems + found_here.problems,
    )  # fmt: skip


def plan_bundle(matter: Matter, bundle: Bundle, name: str) -> ImportPlan:
    """What an import of another tool's files would add; changes nothing."""
    located = locate_documents(matter, bundle)
    planner = Planner(matter, name)
    planner.problems += located.problems
    for annotator in located.annotators:
        planner.take_annotator(annotator)
    for link, place in zip(located.links, located.places, strict=True):
        with planner.at(*place):
            planner.take_link(link)
    plan = planner.plan()
    # People of whom nothing is taken are not brought in.
    wanted = {link.annotator for link in plan.links + plan.doubtful}
    return msgspec.structs.replace(plan, annotators=tuple(each for each in plan.annotators if each.id in wanted))
