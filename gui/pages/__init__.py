"""The pages on the screen: images, marks, selection, links by dragging."""

from gui.pages.history import Fit, Place
from gui.pages.marks import Mark
from gui.pages.page_source import ImageKey, PageSource
from gui.pages.page_view import PageView
from gui.pages.span_mime import SPAN_MIME_TYPE, DraggedSpan, decode_span, encode_span
from gui.pages.supervisor_source import SupervisorSource
from gui.theme import Layer

__all__ = [
    "SPAN_MIME_TYPE",
    "DraggedSpan",
    "Fit",
    "ImageKey",
    "Layer",
    "Mark",
    "PageSource",
    "PageView",
    "Place",
    "SupervisorSource",
    "decode_span",
    "encode_span",
]
