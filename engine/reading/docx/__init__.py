"""Word files (OOXML) to a Document: text, automatic numbers and revisions from the XML itself.

:func:`open_docx` is the way in (:func:`open_legacy` for .doc); both return an
:class:`engine.reading.opened.OpenedFile`.
"""

from engine.reading.docx.reader import OpenedDocx, open_docx, open_legacy, read_source
from engine.reading.docx.records import RevisionView

__all__ = ["OpenedDocx", "RevisionView", "open_docx", "open_legacy", "read_source"]
