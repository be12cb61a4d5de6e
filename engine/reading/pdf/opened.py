"""A PDF held open: its pages drawn while its text is read, page by page."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Generator, Iterator
from typing import Any, TypeVar

import msgspec

from engine.document import Document, Furniture, FurnitureKind, Media, Notice
from engine.protocol.messages import FaultCode, PageSize
from engine.reading.errors import ReadingError
from engine.reading.identity import document_id
from engine.reading.mupdf import DAMAGE, pymupdf
from engine.reading.ocr.choice import NONE, chosen, make_recogniser
from engine.reading.ocr.model import PagePicture
from engine.reading.ocr.picture import page_picture
from engine.reading.pdf.annotations import Annotation, annotations_of, remarks_of
from engine.reading.pdf.assemble import Assembler, words_of
from engine.reading.pdf.bounds import Bounds
from engine.reading.pdf.extract import PageLines, extract_page
from engine.reading.pdf.fonts import FontMaps
from engine.reading.pdf.furniture import as_furniture, furniture_steps
from engine.reading.pdf.layout import arrange_page, footnotes_of
from engine.reading.pdf.line import Line
from engine.reading.pdf.outline import PdfLink, cross_references, links_of, outline_of, place_outline
from engine.reading.pdf.paragraphs import PdfParagraph, join_pages
from engine.reading.pdf.scanned import (
    add_recognised,
    no_recogniser_notice,
    notices_after,
    pages_to_recognise,
    recognised_notice,
)
from engine.reading.pdf.tables import RuledTable, find_tables
from engine.reading.render import damaged_page, render_page
from engine.reading.source import SourceText
from engine.reading.structure import build_steps

_T = TypeVar("_T")
MAX_PAGES = 5_000
#: A file whose pages hold more characters than this together is refused (memory).
MAX_CHARACTERS = 30_000_000
#: Names of pages asked for between two steps.
_LABELS_A_STEP = 20
#: A page with no more than this besides headers may be a picture.
_FEW_CHARACTERS = 40


class OpenedPdf:
    """See :class:`engine.reading.opened.OpenedFile`."""

    media = Media.PDF

    def __init__(self, file: Any, id: str, name: str) -> None:
        self._recogniser = ""
        self._recognised: list[int] = []
        self._file = file
        self.id = id
        self.name = name
        self.page_sizes = tuple(self._page_size(index) for index in range(file.page_count))
        self._document: Document | None = None
        self._notices: list[Notice] = []
        if not file.permissions & pymupdf.PDF_PERM_COPY:
            self._notices.append(
                Notice(
                    "copying_restricted", "The author of this file did not permit copying from it; quote it with care."
                )
            )
        self._tables: dict[int, list[RuledTable]] = {}
        self._links: list[PdfLink] = []
        self._annotations: list[Annotation] = []
        self._fonts = FontMaps(file)
        self._bounds = Bounds(file)
        self._harmless: dict[int, bool] = {}

    def _page_size(self, index: int) -> PageSize:
        try:
            width, height = self._displayed_size(index)
        except DAMAGE:
            return PageSize(612.0, 792.0)
        return PageSize(width, height)

    def _displayed_size(self, index: int) -> tuple[float, float]:
        # The crop box alone: loading each of 2,000 pages to ask for its size would delay the first page.
        box = self._file.page_cropbox(index)
        xref = self._file.page_xref(index)
        rotated = self._file.xref_get_key(xref, "Rotate")[1]
        if self._file.xref_get_key(xref, "UserUnit")[1] != "null":
            # The unit of its coordinates is not the point; MuPDF's bounds are in points.
            bounds = self._file.load_page(index).rect
            return bounds.width, bounds.height
        if rotated == "null":
            rotation = self._file.load_page(index).rotation if index == 0 else -1
            if rotation < 0:
                bounds = self._file.load_page(index).rect
                return bounds.width, bounds.height
            return (box.width, box.height) if rotation % 180 == 0 else (box.height, box.width)
        return (box.width, box.height) if int(rotated) % 180 == 0 else (box.height, box.width)

    def use_recogniser(self, name: str) -> None:
        """Have scanned pages read by it (see :func:`engine.reading.ocr.choice.chosen`); before reading begins."""
        self._recogniser = name

    def read(self) -> Iterator[tuple[str, int, int]]:
        """See :meth:`engine.reading.opened.OpenedFile.read`."""
        total = self._file.page_count
        pages: list[PageLines] = []
        words: set[str] = set()
        characters = 0
        for index in range(total):
            page = self._extract(index)
            pages.append(page)
            characters += page.characters
            if characters > MAX_CHARACTERS:
                too_much = "“{name}” holds more text than can be read at once; split it."
                raise ReadingError(FaultCode.TOO_LARGE, too_much, name=self.name)
            words |= words_of(page.lines)
            yield "text", index + 1, total
            if page.upright and page.lines:
                self._rule(index, page)
                yield "text", index + 1, total
        yield from self._recognise(pages)
        self._note_whole(pages)
        source = yield from self._arrange(pages, frozenset(words))
        self._tables.clear()
        document = yield from build_steps(source, self.id, self.name)
        remarks = remarks_of(self._annotations, source.boxes)
        self._document = msgspec.structs.replace(document, remarks=remarks) if remarks else document

    def _extract(self, index: int) -> PageLines:
        size = self.page_sizes[index]
        try:
            if not self._is_harmless(index):
                text = f"Page {index + 1} unpacks to too much to be read or shown."
                self._notices.append(Notice("page_too_large", text, index))
                return PageLines(index, size.width_pt, size.height_pt, [], 0, 0)
            sheet = self._file.load_page(index)
            page = extract_page(sheet, index, self._fonts.unmapped(index))
            if page.annotations:
                self._annotations += annotations_of(sheet, index)
            self._links += links_of(sheet, index)
        except DAMAGE as error:
            self._notices.append(
                Notice("page_failed", f"Page {index + 1} is damaged and could not be read ({error}).", index)
            )
            return PageLines(index, size.width_pt, size.height_pt, [], 0, 0)
        if page.unmapped or page.unreadable > 0.2 * page.characters:
            self._notices.append(
                Notice(
                    "unreadable_font", f"The fonts of page {index + 1} do not say what their characters mean.", index
                )
            )
        elif not page.lines:
            self._notices.append(
                Notice("no_text_layer", f"Page {index + 1} has no text layer; it is a picture or empty.", index)
            )
        return page

    def _recognise(self, pages: list[PageLines]) -> Iterator[tuple[str, int, int]]:
        """Read the pages that are pictures, when there is a recogniser; say so either way."""
        wanted = pages_to_recognise(pages, self._shows_ink)
        if not wanted:
            return
        name = chosen(self._recogniser)
        if name is None:
            self._notices.insert(0, no_recogniser_notice(wanted))
        if name is None or name == NONE:
            return
        # Later: files with text need none of it, and it stands on this package.
        from engine.reading.ocr.job import RecognitionJob

        job = RecognitionJob(functools.partial(make_recogniser, name), self._draw_for_recognition)
        yield from job.steps(wanted)
        for index, page in job.pages.items():
            if add_recognised(pages[index], page):
                pages[index] = page
                self._tables[index] = job.tables[index]
                self._recognised.append(index)
        self._notices = notices_after(self._notices, self._recognised, job.failed)

    def _draw_for_recognition(self, index: int) -> PagePicture | None:
        return page_picture(self._file.load_page(index))

    def _shows_ink(self, page: PageLines) -> bool:
        """Whether something is drawn on a page without text, or a large picture on one with little."""
        if page.lines:
            return self._is_picture(page)
        try:
            return self._is_harmless(page.index) and bool(self._file.load_page(page.index).get_bboxlog())
        except DAMAGE:
            return False

    def _rule(self, index: int, page: PageLines) -> None:
        """Find a page's ruled tables; one whose drawings are damaged has none, its words are read all the same."""
        with contextlib.suppress(*DAMAGE):
            self._tables[index] = find_tables(self._file.load_page(index), page.lines)

    def _is_harmless(self, index: int) -> bool:
        if index not in self._harmless:
            self._harmless[index] = self._bounds.is_harmless(index)
        return self._harmless[index]

    def _note_whole(self, pages: list[PageLines]) -> None:
        """Say what concerns the whole file: damage that MuPDF worked around, notes laid over the pages."""
        if self._file.is_repaired:
            count = sum(1 for page in pages if page.lines)
            many = "1 page" if count == 1 else f"{count:,} pages"
            self._notices.insert(0, Notice("repaired", f"The file is damaged or cut off; {many} could be read."))
        annotations = sum(page.annotations for page in pages)
        if annotations:
            many = "1 annotation" if annotations == 1 else f"{annotations:,} annotations"
            text = f"{many} (notes, stamps, marks) shown on the pages, not taken as part of the text."
            self._notices.append(Notice("annotations", text))

    def _note_picture(self, page: PageLines, lines: list[Line]) -> None:
        """Say so when a page's text is a picture below a stamp or a running header."""
        if not page.lines or sum(len(line.text) for line in lines) > _FEW_CHARACTERS:
            return
        if self._is_picture(page):
            text = f"Page {page.index + 1} is a picture; only its header or stamp is text."
            self._notices.append(Notice("no_text_layer", text, page.index))

    def _is_picture(self, page: PageLines) -> bool:
        """Whether pictures take up much of a page."""
        try:
            pictures = self._file.load_page(page.index).get_image_info()
        except DAMAGE:
            return False
        sheet = page.width * page.height
        return any((p["bbox"][2] - p["bbox"][0]) * (p["bbox"][3] - p["bbox"][1]) > 0.3 * sheet for p in pictures)

    def _arrange(
        self, pages: list[PageLines], words: frozenset[str]
    ) -> Generator[tuple[str, int, int], None, SourceText]:
        furniture: list[Furniture] = []
        assembler = Assembler(words)
        pending: PdfParagraph | None = None
        held: list[PdfParagraph] = []
        table_count = 0
        yield "layout", 0, len(pages)
        marks = yield from _each(furniture_steps(pages, self._is_picture), 0, len(pages))
        for page in pages:
            aside = marks[page.index]
            furniture += [as_furniture(line, kind) for line, kind in aside.items()]
            tables = self._tables.get(page.index, [])
            lines = [line for line in page.lines if line not in aside]
            self._note_picture(page, lines)
            breaks = [line.baseline for line, kind in aside.items() if kind is FurnitureKind.PAGE_NUMBER]
            paragraphs = list(arrange_page(lines, tables, table_count, breaks))
            footnotes = footnotes_of(paragraphs, page.height)
            for paragraph in paragraphs[: len(paragraphs) - len(footnotes)]:
                if pending is not None and _is_turn(pending, paragraph) and join_pages(pending, paragraph):
                    pending.lines += paragraph.lines
                    continue
                if pending is not None:
                    assembler.add(pending)
                for note in held:
                    assembler.add(note)
                pending, held = paragraph, []
            # A paragraph may go on over the page; its footnotes wait for its end.
            held += footnotes
            table_count += len(tables)
            # Freed page by page: all at once would take as long as many steps.
            page.lines = []
            aside.clear()
            yield "layout", page.index + 1, len(pages)
        for last in [pending, *held]:
            if last is not None:
                assembler.add(last)
        sizes = [(size.width_pt, size.height_pt) for size in self.page_sizes]
        labels = yield from _each(self._labels(), len(pages), len(pages))
        text, boxes, spans = yield from _each(assembler.finish(sizes, labels), len(pages), len(pages))
        uncertain = assembler.uncertain_words()
        if self._recognised:
            self._notices.insert(0, recognised_notice(len(self._recognised), len(uncertain)))
        outline, blocks = place_outline(outline_of(self._file), text, boxes, assembler.blocks)
        yield "layout", len(pages), len(pages)
        references = cross_references(self._links, text, boxes, spans, blocks)
        notices = tuple(self._notices)
        return SourceText(
            Media.PDF, text, boxes, spans, blocks, tuple(furniture), notices, uncertain, outline, references
        )

    def _labels(self) -> Generator[None, None, list[str]]:
        """The pages' own names ("iv", "A-2"), where the file has any, in short steps."""
        # A damaged file may count its pages anew while they are read; those it was opened with are the document's.
        labels = [""] * len(self.page_sizes)
        try:
            if self._file.get_page_labels():
                for index in range(len(labels)):
                    labels[index] = self._file.load_page(index).get_label()
                    if index % _LABELS_A_STEP == 0:
                        yield
        except DAMAGE:
            return [""] * len(labels)
        return labels

    @property
    def document(self) -> Document:
        """The Document; RuntimeError before :meth:`read` is exhausted."""
        if self._document is None:
            raise RuntimeError("the file has not been read yet")
        return self._document

    def render(self, page: int, scale: float, clip: tuple[float, ...], target: memoryview) -> tuple[int, int, int]:
        """See :meth:`engine.reading.opened.OpenedFile.render`."""
        try:
            harmless = not 0 <= page < len(self.page_sizes) or self._is_harmless(page)
        except DAMAGE as error:
            raise damaged_page(page) from error
        if not harmless:
            raise ReadingError(
                FaultCode.TOO_LARGE, "Page {page} unpacks to too much to be shown.", page=str(page + 1)
            )
        if self._file.page_count <= page < len(self.page_sizes):
            raise damaged_page(page)  # the file's count of its pages changed when its damage was found
        return render_page(self._file, page, scale, clip, target)

    def laid_out_pdf(self) -> None:
        """See :meth:`engine.reading.opened.OpenedFile.laid_out_pdf`: the file has pages of its own."""

    def close(self) -> None:
        """Free the file."""
        self._file.close()


def _each(steps: Generator[None, None, _T], done: int, total: int) -> Generator[tuple[str, int, int], None, _T]:
    """Steps without a word of their own as steps of the layout."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: _T = stop.value
            return result
        yield "layout", done, total


def _is_turn(before: PdfParagraph, after: PdfParagraph) -> bool:
    last, first = before.lines[-1], after.lines[0]
    return last.page != first.page or last.column != first.column


def open_pdf(data: bytes, name: str, password: str) -> OpenedPdf:
    """Open a PDF from its bytes.

    Raises:
        ReadingError: encrypted, cut off, unreadable, or too large.
    """
    try:
        file = pymupdf.open(stream=data, filetype="pdf")
        pages = file.page_count
    except DAMAGE as error:
        words = "“{name}” is damaged or cut off and cannot be opened; ask for the file again."
        raise ReadingError(FaultCode.UNREADABLE_FILE, words, name=name) from error
    if file.needs_pass:
        if not password:
            words = "“{name}” is protected; enter its password to read it."
            raise ReadingError(FaultCode.NEEDS_PASSWORD, words, name=name)
        if not file.authenticate(password):
            raise ReadingError(FaultCode.WRONG_PASSWORD, "That is not the password of “{name}”.", name=name)
        pages = file.page_count
    if pages == 0:
        words = "“{name}” is damaged or cut off: no pages are left in it."
        raise ReadingError(FaultCode.UNREADABLE_FILE, words, name=name)
    if pages > MAX_PAGES:
        raise ReadingError(
            FaultCode.TOO_LARGE,
            "“{name}” has {pages} pages; at most {most} can be read. Split it.",
            name=name,
            pages=f"{pages:,}",
            most=f"{MAX_PAGES:,}",
        )
    return OpenedPdf(file, document_id(data), name)
