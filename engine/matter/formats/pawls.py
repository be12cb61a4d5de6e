"""PAWLS: a folder for each document with its words on pages, and a file of annotations for each annotator.

An annotation marks words of one page; a passage over two pages is two of them, joined by the relation that
has lists on both sides. Words are cut at white space and, as Chinese has none, after each Chinese character.
Passages that cut a word take the whole of it in PAWLS; where nobody moved anything they come back exact.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping
from itertools import groupby

import msgspec
import numpy as np

from engine.document import Document
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
from engine.matter.formats.carried import carried, read_carried
from engine.matter.records import Direction, Link

_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s\u3400-\u9fff\uf900-\ufaff]+")
_SAFE = re.compile(r"[^A-Za-z0-9_.@-]+")
STRUCTURE, TEXT, ENDING = "pdf_structure.json", "text.txt", "_annotations.json"
_VERMILION, _GREY = "#D55E00", "#999999"


class _PageSize(msgspec.Struct):
    width: float
    height: float
    index: int


class _Token(msgspec.Struct, omit_defaults=True):
    """A word; ``start`` and ``end`` (code points of text.txt) are ours, PAWLS leaves them alone."""

    text: str
    x: float
    y: float
    width: float
    height: float
    start: int = -1
    end: int = -1


class _PageTokens(msgspec.Struct):
    page: _PageSize
    tokens: list[_Token]


class _TokenId(msgspec.Struct, frozen=True):
    page: int = msgspec.field(name="pageIndex")
    token: int = msgspec.field(name="tokenIndex")


class _Label(msgspec.Struct):
    text: str
    color: str = _GREY


class _Bounds(msgspec.Struct):
    left: float
    top: float
    right: float
    bottom: float


class _Annotation(msgspec.Struct):
    id: str
    page: int
    label: _Label
    bounds: _Bounds
    tokens: list[_TokenId] | None = None


class _Relation(msgspec.Struct):
    id: str
    source: list[str] = msgspec.field(name="sourceIds")
    target: list[str] = msgspec.field(name="targetIds")
    label: _Label
    antinomy: str = ""


class _Annotations(msgspec.Struct):
    annotations: list[_Annotation]
    relations: list[_Relation] = []


_structure_decoder = msgspec.json.Decoder(list[_PageTokens])
_annotations_decoder = msgspec.json.Decoder(_Annotations)


def write(bundle: Bundle) -> Written:
    """``DOCUMENT/pdf_structure.json``, ``text.txt`` and ``ANNOTATOR_annotations.json``; add the PDF beside them."""
    by_document, losses = within_one_document(bundle)
    files: dict[str, bytes] = {}
    bare = unseen = 0
    for document in bundle.documents:
        links = by_document[document.id]
        if document.layout is None or not len(document.layout.boxes):
            bare += len(links)
            continue
        folder = _SAFE.sub("_", document.id.removeprefix("sha256:")) or "document"
        pages = _pages(document.layout)
        files[f"{folder}/{STRUCTURE}"] = msgspec.json.encode(pages)
        files[f"{folder}/{TEXT}"] = document.text.encode()
        words = _Words(pages)
        for who, mine in groupby(sorted(links, key=lambda link: link.annotator), lambda link: link.annotator):
            marks, left_out = _marks(list(mine), words)
            unseen += left_out
            files[f"{folder}/{_SAFE.sub('_', who)}{ENDING}"] = msgspec.json.encode(marks)
    if bare:
        losses.append(Loss("{n} links stand in documents without places on pages; they were left out.", bare))
    if unseen:
        losses.append(Loss("{n} links have an end without a word that is seen on a page; they were left out.", unseen))
    if bundle.links:
        losses.append(Loss("PAWLS keeps a relation's label alone once it saves; keep the file written here."))
    return Written(files, tuple(losses))


def _pages(layout: Document) -> list[_PageTokens]:
    pages = [_PageTokens(_PageSize(page.width_pt, page.height_pt, page.index), []) for page in layout.pages]
    places = list(zip(layout.boxes.page.tolist(), np.rint(layout.boxes.rect[:, 3]).tolist(), strict=True))
    for match in _WORD.finditer(layout.text):
        # A word that a line or page break cuts is a token on each side.
        for (page, _), letters in groupby(range(*match.span()), places.__getitem__):
            span = list(letters)
            token = _token(layout, span[0], span[-1] + 1)
            if token is not None and 0 <= page < len(pages):
                pages[page].tokens.append(token)
    return pages


def _token(layout: Document, start: int, end: int) -> _Token | None:
    rect = layout.boxes.rect[start:end]
    inked = rect[(rect[:, 2] > rect[:, 0]) & (rect[:, 3] > rect[:, 1])]
    if not len(inked):
        return None
    x0, y0 = (float(v) for v in np.min(inked[:, :2], axis=0))
    x1, y1 = (float(v) for v in np.max(inked[:, 2:], axis=0))
    return _Token(layout.text[start:end], x0, y0, x1 - x0, y1 - y0, start, end)


class _Words:
    """The words of a document by the place where they stand in its text."""

    def __init__(self, pages: list[_PageTokens]) -> None:
        self._all = [
            (token.start, page.page.index, number, token) for page in pages for number, token in enumerate(page.tokens)
        ]
        self._all.sort(key=lambda word: word[0])
        self._starts = [word[0] for word in self._all]

    def within(self, start: int, end: int) -> dict[int, list[tuple[int, _Token]]]:
        """By page, the words that the span touches."""
        out: dict[int, list[tuple[int, _Token]]] = {}
        before = max(0, bisect.bisect_right(self._starts, start) - 1)
        for _, page, number, token in self._all[before : bisect.bisect_left(self._starts, end)]:
            if token.end > start:
                out.setdefault(page, []).append((number, token))
        return out


def _marks(links: list[Link], words: _Words) -> tuple[_Annotations, int]:
    out = _Annotations([], [])
    left_out = 0
    for link in links:
        found = [words.within(end.start, end.end) for end in link.ends]
        if not all(found):
            left_out += 1
            continue
        ids: list[list[str]] = []
        for i, pages in enumerate(found):
            ids.append([f"{link.id}-{i}-{page}" for page in pages])
            out.annotations += [_annotation(f"{link.id}-{i}-{page}", page, tokens) for page, tokens in pages.items()]
        source, target = ids[0], [each for others in ids[1:] for each in others]
        if link.direction is Direction.BACKWARD:
            source, target = target, source
        label = _Label(link.code, _VERMILION)
        out.relations.append(_Relation(link.id, source, target, label, carried(link, first=True)))
    return out, left_out


def _annotation(name: str, page: int, tokens: list[tuple[int, _Token]]) -> _Annotation:
    bounds = _Bounds(
        min(t.x for _, t in tokens), min(t.y for _, t in tokens),
        max(t.x + t.width for _, t in tokens), max(t.y + t.height for _, t in tokens),
    )  # fmt: skip
    return _Annotation(name, page, _Label("passage"), bounds, [_TokenId(page, number) for number, _ in tokens])


def read(files: Mapping[str, bytes]) -> Bundle:
    """The relations of annotation files over words that were written here (they know their place in the text)."""
    gathering = Gathering()
    for name in sorted(files):
        if name.endswith(ENDING):
            with gathering.at(0, name):
                _read_annotations(gathering, files, name)
    return gathering.bundle()


def _read_annotations(gathering: Gathering, files: Mapping[str, bytes], name: str) -> None:
    folder, _, file = name.rpartition("/")
    prefix = f"{folder}/" if folder else ""
    if f"{prefix}{STRUCTURE}" not in files or f"{prefix}{TEXT}" not in files:
        raise UnreadableImport("{structure} and {text} must lie beside it", structure=STRUCTURE, text=TEXT)
    try:
        pages = _structure_decoder.decode(files[f"{prefix}{STRUCTURE}"])
        marks = _annotations_decoder.decode(files[name])
    except msgspec.MsgspecError as error:
        raise UnreadableImport("the file is not PAWLS's ({error})", error=error) from error
    document = BundleDocument(f"sha256:{folder.rsplit('/', 1)[-1]}", folder, files[f"{prefix}{TEXT}"].decode())
    gathering.documents[document.id] = document
    spans: dict[str, tuple[int, int]] = {}
    for mark in marks.annotations:
        with gathering.at(0, f"{name}, {mark.id}"):
            spans[mark.id] = _span_of(mark, pages)
    for relation in marks.relations:
        place = f"{name}, {relation.id}"
        with gathering.at(0, place):
            sides = []
            for ids in (relation.source, relation.target):
                if not ids or any(each not in spans for each in ids):
                    raise UnreadableImport("a relation joins a passage that is not there")
                sides.append([spans[each] for each in ids])
            gathering.add(_link(document, relation, sides, file.removesuffix(ENDING)), 0, place)


def _span_of(mark: _Annotation, pages: list[_PageTokens]) -> tuple[int, int]:
    try:
        tokens = [pages[each.page].tokens[each.token] for each in mark.tokens or ()]
    except IndexError as error:
        raise UnreadableImport("an annotation marks a word that is not there") from error
    if not tokens or any(token.start < 0 for token in tokens):
        raise UnreadableImport("an annotation marks no word whose place in the text is known")
    return min(t.start for t in tokens), max(t.end for t in tokens)


def _link(
    document: BundleDocument, relation: _Relation, sides: list[list[tuple[int, int]]], annotator: str
) -> Link:
    if relation.antinomy:
        try:
            link = read_carried(relation.antinomy).link
        except msgspec.MsgspecError:
            link = None
        if link is not None and _touched(link, [span for side in sides for span in side]):
            return msgspec.structs.replace(link, code=relation.label.text)
    ends = [end_at(document, min(s for s, _ in side), max(e for _, e in side)) for side in sides]
    return new_link(ends, relation.label.text, annotator, direction=Direction.FORWARD)


def _touched(link: Link, spans: list[tuple[int, int]]) -> bool:
    """Whether every mark still stands over an end of the link, and every end under a mark."""

    def over(end_start: int, end_end: int, span: tuple[int, int]) -> bool:
        return span[0] < end_end and end_start < span[1]

    return all(any(over(e.start, e.end, span) for e in link.ends) for span in spans) and all(
        any(over(e.start, e.end, span) for span in spans) for e in link.ends
    )
