"""Plain text and Markdown: decoding, paragraphs, and pages laid out by us."""

from engine.reading.text.decode import decode
from engine.reading.text.opened import open_text

__all__ = ["decode", "open_text"]
