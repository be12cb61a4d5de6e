"""What the reader process is asked and what it answers."""

from __future__ import annotations

import msgspec

from engine.protocol.base import Message
from engine.protocol.handover import Form, Mark, Report


class ReadingOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to read a file.

    ``revisions``: the state of a Word file's tracked changes that is read: ``accepted``, ``original`` or
    ``both`` (with marks).
    ``recogniser``: what reads scanned pages: ``rapidocr``, ``tesseract``, ``none``; the best there is when empty.
    ``layout``: who makes the pages of a Word file: ``libreoffice``, or Antinomy when empty.
    """

    revisions: str = "accepted"
    recogniser: str = ""
    layout: str = ""


class OpenDocument(Message, frozen=True, tag="open_document"):
    """Read a file. Answers :class:`DocumentOpened` early, then :class:`DocumentRead` or a failure."""

    job: int
    path: str
    password: str = ""
    options: ReadingOptions = ReadingOptions()


class RenderPage(Message, frozen=True, tag="render_page"):
    """Draw a page of an open document into shared memory named ``memory`` (created by the asker).

    ``scale`` is pixels per PDF point. ``clip`` is ``(x0, y0, x1, y1)`` in points, or empty for the
    whole page. The image is RGB, 8 bits a channel, rows of ``stride`` bytes.
    """

    job: int
    document: str
    page: int
    scale: float
    memory: str
    capacity: int
    clip: tuple[float, ...] = ()


class HandOver(Message, frozen=True, tag="hand_over"):
    """Make a marked copy of ``source``, or set a report when there is one, and write it to ``target``.

    ``text`` is the document's canonical text (a marked DOCX needs it), ``is_pdf`` whether ``source`` is a PDF;
    pages of other documents are those laid out for the window. The source is never written.
    """

    job: int
    form: Form
    target: str
    report: Report | None = None
    document: str = ""
    source: str = ""
    is_pdf: bool = True
    password: str = ""
    text: str = ""
    marks: tuple[Mark, ...] = ()


class CloseDocument(Message, frozen=True, tag="close_document"):
    """Forget an open document; no answer."""

    document: str


class PageSize(msgspec.Struct, frozen=True, array_like=True):
    """A page's displayed size in PDF points."""

    width_pt: float
    height_pt: float


class DocumentOpened(Message, frozen=True, tag="document_opened"):
    """The file is open and its pages can be rendered; its text is still being read."""

    job: int
    document: str
    name: str
    media: str
    pages: tuple[PageSize, ...]


class DocumentRead(Message, frozen=True, tag="document_read"):
    """Terminal: the whole Document in its saved form (``engine.document.unpack`` reads it)."""

    job: int
    document: str
    packed: bytes


class HandedOver(Message, frozen=True, tag="handed_over"):
    """Terminal: the file is there. ``left_out``: labels of the passages that could get no mark."""

    job: int
    target: str
    left_out: tuple[str, ...] = ()


class PageRendered(Message, frozen=True, tag="page_rendered"):
    """Terminal: the page's image stands in the shared memory that the request named."""

    job: int
    document: str
    page: int
    width_px: int
    height_px: int
    stride: int
