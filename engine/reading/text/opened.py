"""A text file held open: laid out once, drawn from that layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.document import Document, Media
from engine.protocol.messages import FaultCode, PageSize
from engine.reading.errors import ReadingError
from engine.reading.identity import document_id
from engine.reading.layout import Layout, PageGeometry
from engine.reading.mupdf import pymupdf
from engine.reading.render import render_page
from engine.reading.source import SourceText
from engine.reading.structure import build_steps
from engine.reading.text.decode import decode
from engine.reading.text.source import content_of

#: Some 2,000 pages; a longer text is refused, its layout would take too long.
MAX_CHARACTERS, MAX_LINES = 5_000_000, 150_000


class OpenedText:
    """See :class:`engine.reading.opened.OpenedFile`."""

    def __init__(self, data: bytes, name: str, media: Media) -> None:
        self.id = document_id(data)
        self.name = name
        self.media = media
        text = decode(data, name)
        if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES:
            raise ReadingError(
                FaultCode.TOO_LARGE, "“{name}” holds more text than can be read at once; split it.", name=name
            )
        self._content = content_of(text, media)
        if not self._content.text.strip():
            raise ReadingError(FaultCode.EMPTY_FILE, "“{name}” holds no words.", name=name)
        layout = Layout(self._content.text, list(self._content.flow), PageGeometry.a4())
        for _ in layout.steps():
            pass
        self._laid_out = layout.result
        self._pdf: Any = pymupdf.open("pdf", self._laid_out.pdf)
        self.page_sizes = tuple(PageSize(page.width_pt, page.height_pt) for page in self._laid_out.pages)
        self._document: Document | None = None

    def read(self) -> Iterator[tuple[str, int, int]]:
        """See :meth:`engine.reading.opened.OpenedFile.read`."""
        source = SourceText(
            media=self.media,
            text=self._content.text,
            boxes=self._laid_out.boxes,
            pages=self._laid_out.pages,
            blocks=self._content.blocks,
            furniture=self._laid_out.furniture,
        )
        self._document = yield from build_steps(source, self.id, self.name)

    @property
    def document(self) -> Document:
        """The Document; RuntimeError before :meth:`read` is exhausted."""
        if self._document is None:
            raise RuntimeError("the file has not been read yet")
        return self._document

    def render(self, page: int, scale: float, clip: tuple[float, ...], target: memoryview) -> tuple[int, int, int]:
        """See :meth:`engine.reading.opened.OpenedFile.render`."""
        return render_page(self._pdf, page, scale, clip, target)

    def laid_out_pdf(self) -> bytes:
        """See :meth:`engine.reading.opened.OpenedFile.laid_out_pdf`."""
        return self._laid_out.pdf

    def close(self) -> None:
        """Free the layout."""
        self._pdf.close()


def open_text(data: bytes, name: str, media: Media) -> OpenedText:
    """Open a text or Markdown file.

    Raises:
        ReadingError: it is no text, or holds no words.
    """
    return OpenedText(data, name, media)
