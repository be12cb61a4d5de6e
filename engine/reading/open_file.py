"""Open any file that a contract comes in; what it is is decided by its content, not its suffix."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from engine.document import Media
from engine.protocol.messages import FaultCode
from engine.reading.errors import ReadingError
from engine.reading.opened import OpenedFile

MAX_FILE_BYTES = 512 << 20
MAX_TEXT_BYTES = 64 << 20
#: A DOCX whose parts unpack to more than this together is refused.
MAX_UNPACKED_BYTES = 512 << 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: Where a PDF's mark may stand, as Adobe's readers accept it.
_PDF_MARK_WITHIN = 1024
_IMAGES = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
)


def open_file(path: str, password: str = "") -> OpenedFile:
    """Open a contract.

    Args:
        path: where it lies.
        password: for an encrypted PDF.

    Raises:
        ReadingError: missing, empty, encrypted, cut off, too large, not a document, unreadable.
    """
    name = Path(path).name
    data = _read_bytes(path, name)
    suffix = Path(path).suffix.lower()
    if data[:_PDF_MARK_WITHIN].find(b"%PDF-") >= 0:
        from engine.reading.pdf import open_pdf

        return open_pdf(data, name, password)
    if data[:4] == b"PK\x03\x04" or data[:4] == b"PK\x05\x06":
        return _open_zip(data, name)
    if data.startswith(_OLE):
        return _open_ole(data, name)
    if data.startswith(b"{\\rtf"):
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT, f"“{name}” is an RTF file; save it as DOCX or PDF and open that."
        )
    for magic, what in _IMAGES:
        if data.startswith(magic):
            raise ReadingError(FaultCode.UNSUPPORTED_FORMAT, f"“{name}” is {what}; save it as a PDF and open that.")
    if suffix in (".pdf", ".docx", ".docm", ".dotx", ".doc"):
        raise ReadingError(
            FaultCode.WRONG_FORMAT,
            f"“{name}” is not {'a PDF' if suffix == '.pdf' else 'a Word document'} inside, or it is damaged; "
            "ask for the file again.",
        )
    if len(data) > MAX_TEXT_BYTES:
        raise ReadingError(FaultCode.TOO_LARGE, f"“{name}” is larger than {MAX_TEXT_BYTES >> 20} MB of text; split it.")
    from engine.reading.text import open_text

    return open_text(data, name, Media.MARKDOWN if suffix in (".md", ".markdown") else Media.TEXT)


def _read_bytes(path: str, name: str) -> bytes:
    file = Path(path)
    try:
        if not file.is_file():
            if file.is_dir():
                raise ReadingError(FaultCode.UNREADABLE_FILE, f"“{name}” is a folder; choose a file in it.")
            raise ReadingError(
                FaultCode.MISSING_FILE, f"There is no file “{name}” any more; it may have been moved or renamed."
            )
        size = file.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ReadingError(
                FaultCode.TOO_LARGE,
                f"“{name}” has {size >> 20:,} MB; at most {MAX_FILE_BYTES >> 20} MB can be read. Split it.",
            )
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name is not valid"
        raise ReadingError(FaultCode.UNREADABLE_FILE, f"“{name}” cannot be read: {reason}.") from error
    if not data.strip(b"\x00 \t\r\n"):
        raise ReadingError(FaultCode.EMPTY_FILE, f"“{name}” is empty.")
    return data


def _open_zip(data: bytes, name: str) -> OpenedFile:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
        raise ReadingError(
            FaultCode.UNREADABLE_FILE, f"“{name}” is damaged or cut off; ask for the file again."
        ) from error
    names = {part.filename for part in parts}
    if sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise ReadingError(
            FaultCode.TOO_LARGE, f"“{name}” unpacks to more than {MAX_UNPACKED_BYTES >> 20} MB and was not opened."
        )
    if (
        "word/document.xml" in names
        or any(entry.startswith("word/") for entry in names)
        or "[Content_Types].xml" in names
    ):
        if any(entry.startswith(("xl/", "ppt/")) for entry in names):
            raise ReadingError(
                FaultCode.UNSUPPORTED_FORMAT, f"“{name}” is a spreadsheet or slides; save it as a PDF and open that."
            )
        from engine.reading.docx import open_docx

        opened: OpenedFile = open_docx(data, name)
        return opened
    if "content.xml" in names and "mimetype" in names:
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT, f"“{name}” is an OpenDocument file; save it as DOCX or PDF and open that."
        )
    raise ReadingError(
        FaultCode.WRONG_FORMAT, f"“{name}” is a ZIP archive, not a contract; unpack it and open what is inside."
    )


def _open_ole(data: bytes, name: str) -> OpenedFile:
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

    opened: OpenedFile = open_legacy(data, name)
    return opened
