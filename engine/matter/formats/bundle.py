"""What goes into a foreign format and comes out of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence

import msgspec

from engine import APP_VERSION
from engine.document import Document, UnreadableDocument, unpack
from engine.matter.clock import now
from engine.matter.errors import UnreadableImport
from engine.matter.exchange import LINKS_SCHEMA, AnnotatorLine, DocumentLine, Header, LinkLine
from engine.matter.matter import Matter
from engine.matter.records import Annotator, Direction, Link, LinkEnd, LinkStatus, Origin
from engine.protocol.findings import Severity


class BundleDocument(msgspec.Struct, frozen=True):
    """A document with its text; ``id`` may be empty in a file that another tool wrote.

    ``layout`` is the document with its boxes, for formats that place things on pages; None where it is not known.
    """

    id: str
    name: str
    text: str
    layout: Document | None = None


class Bundle(msgspec.Struct, frozen=True):
    """Documents, the links in them, and the people who made them."""

    documents: tuple[BundleDocument, ...]
    links: tuple[Link, ...]
    annotators: tuple[Annotator, ...] = ()


class Written(msgspec.Struct, frozen=True):
    """Files by name, and one sentence for each thing that the format could not hold."""

    files: dict[str, bytes]
    losses: tuple[str, ...]


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


def within_one_document(bundle: Bundle) -> tuple[dict[str, list[Link]], list[str]]:
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
        (across, "join two documents, which the format cannot hold"),
        (unknown, "stand in documents whose text is not in the matter"),
        (empty, "have an end without words"),
    ]
    return out, [f"{count} links {why}; they were left out." for count, why in losses if count]


def new_link(
    ends: Sequence[LinkEnd], code: str, annotator: str, *, note: str = "", direction: Direction = Direction.NONE,
    created_at: str = "",
) -> Link:  # fmt: skip
    """A link as it comes from another tool: new id, origin ``import``, what the tool does not know at its default."""
    moment = created_at or now()
    return Link(
        "l-" + secrets.token_hex(8), tuple(ends), code, "", direction, Severity.MEDIUM, 1.0, note,
        LinkStatus.LABELLED, Origin.IMPORT, annotator, moment, moment,
    )  # fmt: skip


def end_at(document: BundleDocument, start: int, end: int, number: str = "") -> LinkEnd:
    """An end at a span of a document, with the words that stand there."""
    if not 0 <= start <= end <= len(document.text):
        raise UnreadableImport(f"A span of {document.name} ({start} to {end}) lies outside its text.")
    return LinkEnd(document.id, "", number, document.text[start:end], start, end)


def locate_documents(matter: Matter, bundle: Bundle) -> Bundle:
    """Name the bundle's documents as the matter does: by id, else by equal text.

    Raises:
        UnreadableImport: a document of the bundle is not in the matter.
    """
    known = bundle_of(matter).documents
    ids = {document.id for document in known}
    by_text = {document.text: document.id for document in known}
    names: dict[str, str] = {}
    for document in bundle.documents:
        found = document.id if document.id in ids else by_text.get(document.text)
        if found is None:
            raise UnreadableImport(f"The text of {document.name} is not that of a document in the matter.")
        names[document.id] = found
    links = tuple(
        msgspec.structs.replace(
            link,
            ends=tuple(msgspec.structs.replace(e, document=names.get(e.document, e.document)) for e in link.ends),
        )
        for link in bundle.links
    )
    documents = tuple(msgspec.structs.replace(d, id=names[d.id]) for d in bundle.documents)
    return Bundle(documents, links, bundle.annotators)


def lines_of(bundle: Bundle) -> Iterator[str]:
    """The bundle as lines of ``antinomy.links/1``, for :func:`engine.matter.exchange.plan_import`."""
    records: list[msgspec.Struct] = [Header(LINKS_SCHEMA, APP_VERSION, now())]
    records += [DocumentLine(document.id, document.name) for document in bundle.documents]
    records += [AnnotatorLine(annotator) for annotator in bundle.annotators]
    records += [LinkLine(link) for link in bundle.links]
    return (msgspec.json.encode(record).decode() for record in records)
