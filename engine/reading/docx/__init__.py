"""Word files (OOXML) to a Document: text, automatic numbers and revisions from the XML itself.

:func:`open_docx` is the way in (:func:`open_legacy` for .doc); both return an
:class:`engine.reading.opened.OpenedFile`.
"""

from engine.document import RevisionView
from engine.reading.docx.opened import OpenedDocx, open_docx, open_legacy, read_source

__all__ = ["OpenedDocx", "RevisionView", "open_docx", "open_legacy", "read_source"]
