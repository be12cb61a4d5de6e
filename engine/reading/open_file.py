"""Open any file that a contract comes in; what it is is decided by its content, not its suffix."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from engine.document import Media, RevisionView
from engine.protocol.messages import FaultCode, ReadingOptions
from engine.reading.errors import ReadingError
from engine.reading.opened import OpenedFile

MAX_FILE_BYTES = 512 << 20
MAX_TEXT_BYTES = 16 << 20
#: A DOCX whose parts unpack to more than this together is refused.
MAX_UNPACKED_BYTES = 512 << 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: Where a PDF's mark may stand, as Adobe's readers accept it.
_PDF_MARK_WITHIN = 1024
_IMAGES = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
)


def open_file(path: str, password: str = "", options: ReadingOptions | None = None) -> OpenedFile:
    """Open a contract.

    Args:
        path: where it lies.
        password: for an encrypted PDF.
        options: how to read it; as usual when None.

    Raises:
        ReadingError: missing, empty, encrypted, cut off, too large, not a document, unreadable.
    """
    view = _view(options)
    name = Path(path).name
    data = _read_bytes(path, name)
    suffix = Path(path).suffix.lower()
    if data[:_PDF_MARK_WITHIN].find(b"%PDF-") >= 0:
        from engine.reading.pdf import open_pdf

        pdf = open_pdf(data, name, password)
        pdf.use_recogniser(options.recogniser if options is not None else "")
        return pdf
    if data[:4] == b"PK\x03\x04" or data[:4] == b"PK\x05\x06":
        return _open_zip(data, name, view, options)
    if data.startswith(_OLE):
        return _open_ole(data, name, view, options)
    if data.startswith(b"{\\rtf"):
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT, "“{name}” is an RTF file; save it as DOCX or PDF and open that.", name=name
        )
    for magic, kind in _IMAGES:
        if data.startswith(magic):
            words = "“{name}” is a picture ({kind}); save it as a PDF and open that."
            raise ReadingError(FaultCode.UNSUPPORTED_FORMAT, words, name=name, kind=kind)
    if suffix in (".pdf", ".docx", ".docm", ".dotx", ".doc"):
        words = "“{name}” is not a Word document inside, or it is damaged; ask for the file again."
        if suffix == ".pdf":
            words = "“{name}” is not a PDF inside, or it is damaged; ask for the file again."
        raise ReadingError(FaultCode.WRONG_FORMAT, words, name=name)
    if len(data) > MAX_TEXT_BYTES:
        words = "“{name}” is larger than {most} MB of text; split it."
        raise ReadingError(FaultCode.TOO_LARGE, words, name=name, most=str(MAX_TEXT_BYTES >> 20))
    from engine.reading.text import open_text

    return open_text(data, name, Media.MARKDOWN if suffix in (".md", ".markdown") else Media.TEXT)


def _read_bytes(path: str, name: str) -> bytes:
    file = Path(path)
    try:
        if not file.is_file():
            if file.is_dir():
                words = "“{name}” is a folder; choose a file in it."
                raise ReadingError(FaultCode.UNREADABLE_FILE, words, name=name)
            words = "There is no file “{name}” any more; it may have been moved or renamed."
            raise ReadingError(FaultCode.MISSING_FILE, words, name=name)
        size = file.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ReadingError(
                FaultCode.TOO_LARGE,
                "“{name}” has {size} MB; at most {most} MB can be read. Split it.",
                name=name,
                size=f"{size >> 20:,}",
                most=str(MAX_FILE_BYTES >> 20),
            )
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name is not valid"
        words = "“{name}” cannot be read: {reason}."
        raise ReadingError(FaultCode.UNREADABLE_FILE, words, name=name, reason=reason) from error
    if not data.strip(b"\x00 \t\r\n"):
        raise ReadingError(FaultCode.EMPTY_FILE, "“{name}” is empty.", name=name)
    return data


def _view(options: ReadingOptions | None) -> RevisionView:
    """The state of tracked changes to read; an unknown word is of a newer program and means the usual one."""
    word = options.revisions if options is not None else ""
    return RevisionView(word) if word in set(RevisionView) else RevisionView.ACCEPTED


def _open_zip(data: bytes, name: str, view: RevisionView, options: ReadingOptions | None) -> OpenedFile:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
        raise ReadingError(
            FaultCode.UNREADABLE_FILE, "“{name}” is damaged or cut off; ask for the file again.", name=name
        ) from error
    names = {part.filename for part in parts}
    if sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        words = "“{name}” unpacks to more than {most} MB and was not opened."
        raise ReadingError(FaultCode.TOO_LARGE, words, name=name, most=str(MAX_UNPACKED_BYTES >> 20))
    if (
        "word/document.xml" in names
        or any(entry.startswith("word/") for entry in names)
        or "[Content_Types].xml" in names
    ):
        if any(entry.startswith(("xl/", "ppt/")) for entry in names):
            words = "“{name}” is a spreadsheet or slides; save it as a PDF and open that."
            raise ReadingError(FaultCode.UNSUPPORTED_FORMAT, words, name=name)
        from engine.reading.docx import open_docx

        opened: OpenedFile = open_docx(data, name, view, layout=options.layout if options is not None else "")
        return opened
    if "content.xml" in names and "mimetype" in names:
        words = "“{name}” is an OpenDocument file; save it as DOCX or PDF and open that."
        raise ReadingError(FaultCode.UNSUPPORTED_FORMAT, words, name=name)
    words = "“{name}” is a ZIP archive, not a contract; unpack it and open what is inside."
    raise ReadingError(FaultCode.WRONG_FORMAT, words, name=name)


def _open_ole(data: bytes, name: str, view: RevisionView, options: ReadingOptions | None) -> OpenedFile:
    """An OLE container: a legacy .doc (converted first, which takes seconds), an encrypted DOCX, or something else."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT,
            "“{name}” is protected with a password; open it in Word, save it without one, and open that.",
            name=name,
        )
    if "WordDocument".encode("utf-16-le") not in data:
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT,
            "“{name}” is a file of an old Office program, not of Word; save it as DOCX or PDF and open that.",
            name=name,
        )
    from engine.reading.docx import open_legacy

    opened: OpenedFile = open_legacy(data, name, view, layout=options.layout if options is not None else "")
    return opened
