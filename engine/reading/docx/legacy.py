"""Word files of the old format (.doc) turned into .docx by LibreOffice, where it is installed."""

from __future__ import annotations

from collections.abc import Generator

from engine.protocol.messages import FaultCode
from engine.reading.docx import libreoffice
from engine.reading.errors import ReadingError


def docx_of(data: bytes) -> Generator[None, None, bytes]:
    """A .doc file's bytes as those of a .docx file, in short steps that take seconds together.

    Closing the generator ends LibreOffice and leaves nothing behind.

    Raises:
        ReadingError: LibreOffice is not installed, takes too long, or cannot read the file.
    """
    try:
        result = yield from libreoffice.converted(data, "doc", "docx:Office Open XML Text")
    except libreoffice.NotInstalled as error:
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT,
            "This is a Word file of the old format (.doc). Save it as .docx, or install LibreOffice to open it here.",
        ) from error
    except libreoffice.TooSlow as error:
        raise ReadingError(
            FaultCode.TOO_SLOW,
            "LibreOffice took more than {seconds} seconds for this .doc file. Save it as .docx.",
            seconds=f"{libreoffice.TIMEOUT_S:.0f}",
        ) from error
    if result is None:
        raise ReadingError(
            FaultCode.UNREADABLE_FILE,
            "LibreOffice cannot read this .doc file; it may be damaged. Ask for it again as .docx or PDF.",
        )
    return result
