"""What lies over the sheets: marks, selection, the clause under the pointer, the link in the making."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen

from engine.document import Document, Quad, quads
from gui.pages.connection import Stub, draw_connection, draw_loose_end
from gui.pages.page_painter import Canvas, draw_lines, draw_marks, fill_quads
from gui.theme import MARK_STYLES, Layer, Theme, wash

if TYPE_CHECKING:
    from gui.pages.page_view import PageView

_SELECTION_OPACITY = 0.36


def draw_overlays(view: PageView, canvas: Canvas, pages: range) -> list[Stub]:
    """Draw all that lies over the pages that show; answers the stubs drawn."""
    document = view.document
    if document is None:
        return []
    for page in pages:
        draw_marks(canvas, view.marks.on_page(page), view.chosen)
    selection = view.selection
    if not selection.is_empty:
        colour = wash(QColor(canvas.palette.selection), _SELECTION_OPACITY, canvas.theme)
        fill_quads(canvas, _shown_quads(document, selection.start, selection.end, pages), colour)
    _draw_current_clause(view, canvas, pages)
    _draw_link(view, canvas, document, pages)
    layer = Layer.LINK if view.marks.of_id(view.chosen, (Layer.LINK,)) else Layer.CONFLICT
    stubs: list[Stub] = []
    if view.chosen:
        stubs = draw_connection(canvas, view.ends(), view.elsewhere, MARK_STYLES[layer].ink(canvas.theme))
    _draw_handle(view, canvas)
    return stubs


def _shown_quads(document: Document, start: int, end: int, pages: range) -> list[Quad]:
    """The rectangles of a span on the pages that show; a whole contract may be selected."""
    found: list[Quad] = []
    for page in pages:
        if page < len(document.pages):
            first, last = max(start, document.pages[page].start), min(end, document.pages[page].end)
            if first < last:
                found += quads(document, first, last)
    return found


def _draw_current_clause(view: PageView, canvas: Canvas, pages: range) -> None:
    """A thin accent line beside the clause that keys act on."""
    caret = view.current_clause.caret
    if caret is None or view.document is None or view.clauses is None or not view.hasFocus():
        return
    clause = view.document.clause_at(caret)
    if clause is None:
        return
    canvas.painter.setPen(QPen(QColor(canvas.palette.accent), 2.0))
    start, end = view.clauses.own_span(clause)
    found = _shown_quads(view.document, start, end, pages)
    for page in pages:
        lines = [canvas.rect(q) for q in found if q.page == page]
        if lines:
            x = round(min(line.left() for line in lines)) - 5.0
            canvas.painter.drawLine(QPointF(x, lines[0].top()), QPointF(x, lines[-1].bottom()))


def _draw_link(view: PageView, canvas: Canvas, document: Document, pages: range) -> None:
    linker, style = view.linker, MARK_STYLES[Layer.DROP_TARGET]
    source = linker.source_here
    for span in (source, linker.target):
        if span is not None:
            found = _shown_quads(document, *span, pages)
            fill_quads(canvas, found, style.fill(canvas.theme))
            draw_lines(canvas, found, style, style.width_px)
    if source is not None and linker.pointer is not None:
        quad = view.first_quad(*source)
        if quad is not None:
            draw_loose_end(canvas, quad, linker.pointer, style.ink(canvas.theme))


def _draw_handle(view: PageView, canvas: Canvas) -> None:
    """Six dots in a small frame: drag here."""
    handle = view.pointer.handle()
    if handle is None or view.linker.is_dragging:
        return
    painter = canvas.painter
    painter.save()
    painter.setRenderHint(painter.RenderHint.Antialiasing)
    painter.setPen(QColor(canvas.palette.line))
    painter.setBrush(QColor(canvas.palette.raised))
    painter.drawRoundedRect(handle.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(canvas.palette.faint if canvas.theme is not Theme.DARK else canvas.palette.text))
    middle = handle.center()
    for column in (-2.5, 2.5):
        for row in (-5.0, 0.0, 5.0):
            painter.drawEllipse(QRectF(middle.x() + column - 1.2, middle.y() + row - 1.2, 2.4, 2.4))
    painter.restore()
