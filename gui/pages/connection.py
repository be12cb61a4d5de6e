"""The one line that is drawn between passages: the chosen finding's, and the link being dragged."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from engine.document import Quad
from gui.pages.page_painter import Canvas
from gui.theme import grid

_BULGE_PX = 28.0
_DOT_PX = 3.0
_STUB_HEIGHT_PX = grid(5)


@dataclasses.dataclass(frozen=True, slots=True)
class Stub:
    """A small label at the view's edge for a passage that is out of sight.

    ``target`` is the passage's number among the chosen finding's ends; ends in other documents come last.
    """

    rect: QRectF
    text: str
    target: int


def page_text(page: int) -> str:
    """How a stub names a page (index)."""
    return QCoreApplication.translate("Connection", "page {page}").format(page=page + 1)


def draw_connection(canvas: Canvas, ends: Sequence[Quad], elsewhere: Sequence[str], colour: QColor) -> list[Stub]:
    """Draw a thin curve from the first passage to each other one, and stubs for ends out of sight.

    Args:
        ends: the first line of each passage in this document.
        elsewhere: names of places in other documents.

    Returns:
        The stubs drawn, for clicks.
    """
    painter = canvas.painter
    seen = QRectF(QPointF(0, 0), canvas.size)
    rects = [canvas.rect(quad) for quad in ends]
    visible = [seen.top() <= rect.center().y() <= seen.bottom() for rect in rects]
    if not any(visible) or len(rects) + len(elsewhere) < 2:
        return []
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    gutter = min(max((canvas.sheet(q.page).right() for q in ends), default=0.0) - grid(2), seen.right() - grid(2))
    pen = QPen(colour, 1.5)
    stubs: list[Stub] = []
    taken = 0
    for i in range(1, len(rects)):
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if visible[0] and visible[i]:
            painter.drawPath(_curve(rects[0], rects[i], gutter))
            _dot(painter, rects[i], colour)
            continue
        if not visible[0] and not visible[i]:
            continue
        here, there = (0, i) if visible[0] else (i, 0)
        text = page_text(ends[there].page)
        stubs.append(_draw_leaving(canvas, rects[here], rects[there], text, there, colour, gutter))
    if visible and visible[0]:
        _dot(painter, rects[0], colour)
        for name in elsewhere:
            stub = _draw_elsewhere(canvas, rects[0], name, len(ends) + taken, colour, gutter)
            taken += 1
            stubs.append(stub)
    painter.restore()
    return stubs


def draw_loose_end(canvas: Canvas, source: Quad, to: QPointF, colour: QColor) -> None:
    """The line of a link while it is dragged."""
    painter = canvas.painter
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 2.0, Qt.PenStyle.SolidLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    rect = canvas.rect(source)
    start = QPointF(rect.left() - 4, rect.center().y())
    path = QPainterPath(start)
    bend = max(40.0, abs(to.y() - start.y()) / 3)
    path.cubicTo(start - QPointF(bend, 0), to - QPointF(bend, 0), to)
    painter.drawPath(path)
    _dot_at(painter, start, colour)
    painter.restore()


def _end_point(rect: QRectF) -> QPointF:
    return QPointF(rect.right() + 4, rect.center().y())


def _curve(a: QRectF, b: QRectF, gutter: float) -> QPainterPath:
    start, end = _end_point(a), _end_point(b)
    x = max(gutter, start.x() + _BULGE_PX / 2, end.x() + _BULGE_PX / 2)
    path = QPainterPath(start)
    # Two quarter turns and a straight run down the margin: it crosses no words.
    down = 1.0 if end.y() >= start.y() else -1.0
    bend = min(_BULGE_PX, abs(end.y() - start.y()) / 2) * down
    path.cubicTo(QPointF(x, start.y()), QPointF(x, start.y()), QPointF(x, start.y() + bend))
    path.lineTo(QPointF(x, end.y() - bend))
    path.cubicTo(QPointF(x, end.y()), QPointF(x, end.y()), end)
    return path


def _dot(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    _dot_at(painter, _end_point(rect), colour)


def _dot_at(painter: QPainter, point: QPointF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(point, _DOT_PX, _DOT_PX)


def _draw_leaving(
    canvas: Canvas, here: QRectF, there: QRectF, text: str, target: int, colour: QColor, gutter: float
) -> Stub:
    below = there.center().y() > here.center().y()
    start = _end_point(here)
    x = max(gutter, start.x() + _BULGE_PX / 2)
    edge = canvas.size.height() if below else 0.0
    path = QPainterPath(start)
    bend = _BULGE_PX if below else -_BULGE_PX
    path.cubicTo(QPointF(x, start.y()), QPointF(x, start.y()), QPointF(x, start.y() + bend))
    path.lineTo(QPointF(x, edge))
    canvas.painter.drawPath(path)
    _dot(canvas.painter, here, colour)
    arrow = "↓" if below else "↑"
    return _pill(canvas, x, edge, f"{arrow} {text}", target, colour)


def _draw_elsewhere(canvas: Canvas, here: QRectF, text: str, target: int, colour: QColor, gutter: float) -> Stub:
    start = _end_point(here)
    x = max(gutter, start.x() + _BULGE_PX / 2)
    canvas.painter.setPen(QPen(colour, 1.5))
    canvas.painter.drawLine(start, QPointF(x, start.y()))
    y = start.y() + _STUB_HEIGHT_PX / 2 + (target % 4) * (_STUB_HEIGHT_PX + 2)
    return _pill(canvas, x, y, f"→ {text}", target, colour)


def _pill(canvas: Canvas, x: float, y: float, text: str, target: int, colour: QColor) -> Stub:
    painter = canvas.painter
    metrics = QFontMetricsF(painter.font())
    width = metrics.horizontalAdvance(text) + grid(4)
    left = max(grid(1), min(x - width / 2, canvas.size.width() - width - grid(1)))
    top = max(grid(1), min(y - _STUB_HEIGHT_PX / 2, canvas.size.height() - _STUB_HEIGHT_PX - grid(1)))
    rect = QRectF(round(left), round(top), round(width), _STUB_HEIGHT_PX)
    painter.setPen(QPen(colour, 1.25))
    painter.setBrush(QColor(canvas.palette.raised))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _STUB_HEIGHT_PX / 2, _STUB_HEIGHT_PX / 2)
    painter.setPen(QColor(canvas.palette.text))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    return Stub(rect, text, target)
