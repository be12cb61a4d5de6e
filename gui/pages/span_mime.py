"""A span of a document on the clipboard of a drag: what is dragged between pages, trees and lists."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QMimeData

SPAN_MIME_TYPE = "application/x-antinomy-span"
_MAX_BYTES = 4096  # a span is tiny; more is not ours


class DraggedSpan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[start, end)`` in code points of the canonical text of ``document`` (its id)."""

    document: str
    start: int
    end: int


_decoder = msgspec.json.Decoder(DraggedSpan, strict=True)


def encode_span(document: str, start: int, end: int, text: str = "") -> QMimeData:
    """Mime data for a drag; ``text`` is what other programs get when it is dropped on them."""
    data = QMimeData()
    data.setData(SPAN_MIME_TYPE, msgspec.json.encode(DraggedSpan(document, start, end)))
    if text:
        data.setText(text)
    return data


def decode_span(data: QMimeData) -> DraggedSpan | None:
    """The dragged span, or None when the data is not one of ours or damaged."""
    if not data.hasFormat(SPAN_MIME_TYPE):
        return None
    raw = data.data(SPAN_MIME_TYPE)
    if raw.size() > _MAX_BYTES:
        return None
    try:
        span = _decoder.decode(raw.data())
    except msgspec.MsgspecError:
        return None
    return span if 0 <= span.start < span.end else None
