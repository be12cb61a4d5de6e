"""A Word file held open: its pages laid out, then its text given its structure; all in short steps."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import msgspec

from engine.document import LIBREOFFICE, Document, Media, Notice, Remark, Revisions, RevisionView
from engine.protocol.messages import FaultCode, PageSize
from engine.reading.docx.comments import remarks_of
from engine.reading.docx.legacy import docx_of
from engine.reading.docx.package import OLE_MAGIC, Package
from engine.reading.docx.reader import WordFile
from engine.reading.docx.rendered import Rendering, rendered
from engine.reading.errors import ReadingError
from engine.reading.identity import document_id
from engine.reading.layout import Layout
from engine.reading.mupdf import pymupdf
from engine.reading.render import render_page
from engine.reading.source import SourceText
from engine.reading.structure import build_steps

#: A Word file with more characters than this is refused: laid out, it takes 130 bytes for each.
MAX_CHARACTERS = 6_000_000


class _LaidOutFile:
    """What the steps of :func:`_lay_out` come to.

    Clauses and sentences are found in ``source``, which is our own layout's; with a ``rendering`` only the pages
    and where characters stand on them are its.
    """

    def __init__(
        self,
        source: SourceText,
        pdf: Any,
        remarks: tuple[Remark, ...],
        revisions: Revisions | None,
        rendering: Rendering | None,
    ) -> None:
        self.source = source
        self.pdf = pdf
        self.remarks = remarks
        self.revisions = revisions
        self.rendering = rendering
        pages = source.pages if rendering is None else rendering.pages
        self.page_sizes = tuple(PageSize(page.width_pt, page.height_pt) for page in pages)


def _lay_out(
    package: Package, view: RevisionView, rendered_from: bytes | None
) -> Generator[tuple[str, int, int], None, _LaidOutFile]:
    """Read the parts, assemble the text, lay out the pages. The package is closed, the XML's trees are gone after.

    ``rendered_from``: the file for LibreOffice to render; None for our own pages.
    """
    try:
        file = WordFile(package, view)
        steps = file.steps()
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                assembled = stop.value
                break
            yield "opening", 0, 0
        notices, revisions, comments = file.notices(), file.revisions(), file.comments()
    finally:
        package.close()
    if len(assembled.text) > MAX_CHARACTERS:
        raise ReadingError(FaultCode.TOO_LARGE, "This file has far more text than a contract. Split it.")
    if not assembled.blocks:
        words = "This document holds no words; if it shows pictures of pages, open a PDF."
        notices = (*notices, Notice("no_text", words))
    del file, steps
    layout = Layout(assembled.text, assembled.flow)
    for done, total in layout.steps():
        yield "layout", done, total
    result = layout.result
    shown = None
    if rendered_from is not None and assembled.blocks:
        shown = yield from rendered(rendered_from, view, assembled.text)
    rendering = shown if isinstance(shown, Rendering) else None
    if isinstance(shown, Notice):
        notices = (shown, *notices)
    blocks = tuple(assembled.blocks)
    source = SourceText(
        Media.DOCX,
        assembled.text,
        result.boxes,
        result.pages,
        blocks,
        result.furniture,
        notices,
        cross_references=assembled.cross_references,
    )
    remarks = remarks_of(comments, assembled.comments, result.boxes if rendering is None else rendering.boxes)
    pdf = pymupdf.open("pdf", result.pdf) if rendering is None else rendering.pdf
    return _LaidOutFile(source, pdf, remarks, revisions, rendering)


def _on_rendered_pages(document: Document, rendering: Rendering) -> Document:
    """The same text and clauses on the pages that LibreOffice made."""
    pages = rendering.boxes.page
    clauses = tuple(msgspec.structs.replace(clause, page=int(pages[clause.start])) for clause in document.clauses)
    return msgspec.structs.replace(
        document,
        pages=rendering.pages,
        boxes=rendering.boxes,
        furniture=rendering.furniture,
        clauses=clauses,
        rendered_by=LIBREOFFICE,
    )


class OpenedDocx:
    """A Word file held open; see :class:`engine.reading.opened.OpenedFile`.

    :meth:`prepare` makes its pages in steps; whatever else is asked of it first makes them at once.
    """

    media = Media.DOCX

    def __init__(
        self,
        data: bytes,
        name: str,
        view: RevisionView = RevisionView.ACCEPTED,
        *,
        legacy: bool = False,
        layout: str = "",
    ) -> None:
        """``legacy``: ``data`` is of the old format and must be converted first; ``layout``: see :func:`open_docx`."""
        self.id = document_id(data)
        self.name = name
        self._view = view
        self._document: Document | None = None
        self._laid_out: _LaidOutFile | None = None
        self._old = data if legacy else b""
        self._is_rendered = layout == LIBREOFFICE
        self._modern = data if self._is_rendered and not legacy else None
        self._package = None if legacy else Package(data)

    def prepare(self) -> Iterator[tuple[str, int, int]]:
        """See :meth:`engine.reading.opened.NeedsPreparing.prepare`."""
        if self._laid_out is None:
            if self._package is None:
                self._package = yield from self._converted()
            self._laid_out = yield from _lay_out(self._package, self._view, self._modern)
            self._modern = None

    def _converted(self) -> Generator[tuple[str, int, int], None, Package]:
        steps = docx_of(self._old)
        try:
            while True:
                try:
                    next(steps)
                except StopIteration as stop:
                    self._old = b""
                    self._modern = stop.value if self._is_rendered else None
                    return Package(stop.value)
                yield "converting", 0, 0
        finally:
            steps.close()

    @property
    def _ready(self) -> _LaidOutFile:
        for _ in self.prepare():
            pass
        if self._laid_out is None:
            raise RuntimeError("preparing ended without pages")
        return self._laid_out

    @property
    def page_sizes(self) -> tuple[PageSize, ...]:
        """The pages' displayed sizes."""
        return self._ready.page_sizes

    @property
    def source(self) -> SourceText:
        """The text with its boxes, before its structure is known."""
        return self._ready.source

    def read(self) -> Iterator[tuple[str, int, int]]:
        """Find the structure; yields (stage, done, total)."""
        ready = self._ready
        document = yield from build_steps(ready.source, self.id, self.name)
        document = msgspec.structs.replace(document, revisions=ready.revisions, remarks=ready.remarks)
        self._document = document if ready.rendering is None else _on_rendered_pages(document, ready.rendering)

    @property
    def document(self) -> Document:
        """The Document; RuntimeError before :meth:`read` is exhausted."""
        if self._document is None:
            raise RuntimeError("the file has not been read to its end")
        return self._document

    def render(self, page: int, scale: float, clip: tuple[float, ...], target: memoryview) -> tuple[int, int, int]:
        """Draw a page as RGB into ``target``; (width, height, stride) in pixels and bytes.

        Raises:
            ReadingError: the page is damaged, or its image does not fit into ``target``.
            ValueError: there is no such page, or no such part of it.
        """
        return render_page(self._ready.pdf, page, scale, clip, target)

    def laid_out_pdf(self) -> bytes:
        """See :meth:`engine.reading.opened.OpenedFile.laid_out_pdf`."""
        data: bytes = self._ready.pdf.tobytes()
        return data

    def close(self) -> None:
        """Free the file."""
        if self._package is not None:
            self._package.close()
        if self._laid_out is not None:
            self._laid_out.pdf.close()


def open_docx(data: bytes, name: str, view: RevisionView = RevisionView.ACCEPTED, *, layout: str = "") -> OpenedDocx:
    """Open a Word file (OOXML) from its bytes; with ``layout`` ``libreoffice`` its pages are LibreOffice's.

    Raises:
        ReadingError: it is empty, no Word file, cut off, encrypted, or unpacks to too much; the rest of
            what can be wrong with it shows when it is prepared.
    """
    return OpenedDocx(data, name, view, layout=layout)


def open_legacy(data: bytes, name: str, view: RevisionView = RevisionView.ACCEPTED, *, layout: str = "") -> OpenedDocx:
    """Open a Word file of the old format (.doc) through LibreOffice, which takes seconds of preparing.

    Raises:
        ReadingError: it is none. When it is prepared: it is encrypted or damaged, or LibreOffice is not
            installed or too slow.
    """
    if data[:8] != OLE_MAGIC or "WordDocument".encode("utf-16-le") not in data:
        raise ReadingError(FaultCode.WRONG_FORMAT, "This is not a Word file, whatever its name says.")
    return OpenedDocx(data, name, view, legacy=True, layout=layout)


def read_source(data: bytes, view: RevisionView = RevisionView.ACCEPTED) -> SourceText:
    """The SourceText of a Word file's bytes, for those who need no pages drawn. Raises as preparing one does."""
    file = OpenedDocx(data, "", view)
    try:
        return file.source
    finally:
        file.close()
