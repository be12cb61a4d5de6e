"""Draws sheets, their marks and the selection. Functions only: what to draw comes in, nothing is kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from engine.document import Quad
from gui.pages.marks import Mark, PlacedMark
from gui.pages.page_images import PageImages, tiles, whole_or_underlay
from gui.pages.page_layout import PageLayout
from gui.theme import MARK_STYLES, Layer, MarkStyle, Palette, Theme, colours, grid, wash_mode

#: Where a page's margin ticks stand, from the sheet's (or the view's) left edge.
TICK_X_PX = grid(1)
TICK_WIDTH_PX = 3.0
_QUIET = 0.5
_QUIET_LINE = 0.55
_CHOSEN = 1.9
_EMPHASIS = 2.6
_EMPHASIS_LINE_PX = 1.25


@dataclasses.dataclass(frozen=True, slots=True)
class Canvas:
    """Where and in what light to draw.

    ``offset`` is the content pixel at the viewport's top left, ``size`` the viewport's size,
    ``ratio`` device pixels per device-independent pixel.
    """

    painter: QPainter
    layout: PageLayout
    offset: QPointF
    size: QSizeF
    theme: Theme
    ratio: float
    smooth: bool = True

    @property
    def palette(self) -> Palette:
        """The theme's colours."""
        return colours(self.theme)

    def sheet(self, page: int) -> QRectF:
        """A page's sheet in viewport pixels."""
        return self.layout.sheet(page).translated(-self.offset)

    def rect(self, quad: Quad) -> QRectF:
        """A quad in viewport pixels."""
        rect = self.layout.rect(quad.page, quad.x0, quad.y0, quad.x1, quad.y1)
        rect.translate(-self.offset.x(), -self.offset.y())
        return rect


def device_scale(layout: PageLayout, ratio: float) -> float:
    """Device pixels per PDF point."""
    return layout.scale * ratio


def draw_desk(canvas: Canvas, pages: range) -> None:
    """Draw what lies around the sheets, and their edges; not beneath them, where it would be drawn twice."""
    painter, desk, line = canvas.painter, QColor(canvas.palette.desk), QColor(canvas.palette.line)
    width, y = canvas.size.width(), 0.0
    for page in pages:
        sheet = canvas.sheet(page)
        painter.fillRect(QRectF(0, y, width, max(0.0, sheet.top() - y)), desk)
        painter.fillRect(QRectF(0, sheet.top(), max(0.0, sheet.left()), sheet.height()), desk)
        painter.fillRect(QRectF(sheet.right(), sheet.top(), max(0.0, width - sheet.right()), sheet.height()), desk)
        y = sheet.bottom()
    painter.fillRect(QRectF(0, y, width, max(0.0, canvas.size.height() - y)), desk)
    for page in pages:
        sheet = canvas.sheet(page)
        around = sheet.adjusted(-1, -1, 1, 1)
        painter.fillRect(QRectF(around.left(), around.top(), around.width(), 1), line)
        painter.fillRect(QRectF(around.left(), sheet.bottom(), around.width(), 1), line)
        painter.fillRect(QRectF(around.left(), sheet.top(), 1, sheet.height()), line)
        painter.fillRect(QRectF(sheet.right(), sheet.top(), 1, sheet.height()), line)


def draw_sheet(canvas: Canvas, page: int, size_pt: QSizeF, images: PageImages) -> bool:
    """Draw the best image there is of a page; True when all that shows of it is sharp."""
    sheet = canvas.sheet(page)
    scale = device_scale(canvas.layout, canvas.ratio)
    key, is_whole = whole_or_underlay(page, size_pt, scale)
    image = images.cache.get(key) if is_whole and images.is_sharp(key) else None
    if image is not None:
        _draw_image(canvas, image, sheet)
        return True
    seen = QRectF(QPointF(0, 0), canvas.size).intersected(sheet)
    parts = [] if is_whole else tiles(page, size_pt, scale, part_on_page(canvas.layout, sheet, seen))
    complete = not is_whole and all(images.is_sharp(tile) for tile in parts)
    if not complete:
        image = images.cache.nearest(page, scale)
        if image is not None:
            _draw_image(canvas, image, sheet)
        else:
            canvas.painter.fillRect(sheet, QColor(canvas.palette.paper))
    for tile in parts:
        image = images.cache.get(tile)
        if image is not None:
            x0, y0, x1, y1 = tile.clip
            area = QRectF(QPointF(x0, y0) * canvas.layout.scale, QPointF(x1, y1) * canvas.layout.scale)
            _draw_image(canvas, image, area.translated(sheet.topLeft()))
    return complete


def part_on_page(layout: PageLayout, sheet: QRectF, seen: QRectF) -> QRectF:
    """The part of a page (points) that a rectangle in viewport pixels covers."""
    moved = seen.translated(-sheet.topLeft())
    return QRectF(
        moved.x() / layout.scale, moved.y() / layout.scale, moved.width() / layout.scale, moved.height() / layout.scale
    )


def _draw_image(canvas: Canvas, image: QImage, target: QRectF) -> None:
    """Blit when the image has the target's size in device pixels, else stretch.

    The painter's scale for dense screens is undone first: Qt copies pixels only under a plain shift.
    """
    ratio, painter = canvas.ratio, canvas.painter
    x, y = round(target.x() * ratio), round(target.y() * ratio)
    width, height = round(target.right() * ratio) - x, round(target.bottom() * ratio) - y
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    if abs(image.width() - width) <= 1 and abs(image.height() - height) <= 1:
        # Only the rows that show: offscreen ones cost as much as visible ones.
        top = max(0, -y)
        bottom = min(image.height(), round(canvas.size.height() * ratio) - y)
        # A reader may round a page's edges the other way: then a row or column of paper is missing.
        paper = QColor(canvas.palette.paper)
        painter.fillRect(x + width - 1, y, 1, height, paper)
        painter.fillRect(x, y + height - 1, width, 1, paper)
        if bottom > top:
            painter.drawImage(x, y + top, image, 0, top, min(width, image.width()), min(bottom - top, height - top))
    else:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, canvas.smooth)
        painter.drawImage(QRect(x, y, width, height), image)
    painter.restore()


def draw_marks(canvas: Canvas, placed: Iterable[PlacedMark], chosen: str) -> None:
    """Draw a page's marks: washes first, then lines, the chosen one's above all.

    Many findings may rest on one sentence; each line of it is marked once a layer, not darker with each.
    """
    stressed = [p for p in placed if p.mark.id == chosen] if chosen else []
    quiet = [p for p in placed if not chosen or p.mark.id != chosen]
    drawn = {(p.mark.layer, quad) for p in stressed for quad in p.quads}
    fresh: list[tuple[PlacedMark, list[Quad]]] = []
    for p in quiet:
        lines = [quad for quad in p.quads if (p.mark.layer, quad) not in drawn]
        drawn.update((p.mark.layer, quad) for quad in lines)
        fresh.append((p, lines))
    painter = canvas.painter
    painter.save()
    painter.setCompositionMode(wash_mode(canvas.theme))
    for p, lines in fresh:
        colour = MARK_STYLES[p.mark.layer].fill(canvas.theme, _QUIET if _recedes(p.mark, chosen) else 1.0)
        for quad in lines:
            painter.fillRect(canvas.rect(quad), colour)
    for p in stressed:
        style = MARK_STYLES[p.mark.layer]
        for quads, strength in ((p.quads, _CHOSEN), (p.emphasis, _EMPHASIS)):
            for quad in quads:
                painter.fillRect(canvas.rect(quad), style.fill(canvas.theme, strength))
    painter.restore()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for p, lines in fresh:
        painter.setOpacity(_QUIET_LINE if _recedes(p.mark, chosen) else 1.0)
        style = MARK_STYLES[p.mark.layer]
        draw_lines(canvas, lines, style, style.width_px * (0.6 if _recedes(p.mark, chosen) else 1.0))
        _draw_tick(canvas, p, style, 0.0)
    painter.setOpacity(1.0)
    for p in stressed:
        _draw_chosen_lines(canvas, p)
    painter.restore()


def _recedes(mark: Mark, chosen: str) -> bool:
    """Whether a mark steps back because another one is looked at."""
    return bool(chosen) and mark.layer not in (Layer.FIND, Layer.FIND_CURRENT)


def _draw_chosen_lines(canvas: Canvas, placed: PlacedMark) -> None:
    style = MARK_STYLES[placed.mark.layer]
    draw_lines(canvas, placed.quads, style, style.width_px + 1.0)
    _draw_tick(canvas, placed, style, 2.0)
    canvas.painter.setPen(QPen(style.ink(canvas.theme), _EMPHASIS_LINE_PX * line_scale(canvas)))
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    for quad in placed.emphasis:
        canvas.painter.drawRect(canvas.rect(quad).adjusted(-1, -1, 1, 1))


def line_scale(canvas: Canvas) -> float:
    """What lines are scaled by: thinner on small pages, where they would cover the words."""
    return max(0.4, min(1.0, canvas.layout.scale / 1.2))


def draw_lines(canvas: Canvas, quads: Sequence[Quad], style: MarkStyle, width_px: float) -> None:
    """A mark's line, under or around each line of its words."""
    if style.pen is Qt.PenStyle.NoPen:
        return
    painter, width_px = canvas.painter, width_px * line_scale(canvas)
    painter.setPen(QPen(style.ink(canvas.theme), width_px, style.pen, Qt.PenCapStyle.FlatCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for quad in quads:
        rect = canvas.rect(quad)
        if style.frame:
            painter.drawRect(rect.adjusted(-2, -1, 2, 1))
        else:
            y = round(rect.bottom()) + width_px / 2
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))


def fill_quads(canvas: Canvas, quads: Iterable[Quad], colour: QColor) -> None:
    """Wash rectangles (the selection, a target) with a colour of :func:`gui.theme.wash`."""
    painter = canvas.painter
    painter.save()
    painter.setCompositionMode(wash_mode(canvas.theme))
    for quad in quads:
        painter.fillRect(canvas.rect(quad), colour)
    painter.restore()


def tick_x(canvas_left: float) -> float:
    """The left edge of margin ticks, for a sheet whose left edge is there; stays inside the view."""
    return max(canvas_left, 0.0) + TICK_X_PX


def _draw_tick(canvas: Canvas, placed: PlacedMark, style: MarkStyle, wider_px: float) -> None:
    if placed.mark.layer in (Layer.FIND, Layer.UNCERTAIN):
        return
    first, last = canvas.rect(placed.quads[0]), canvas.rect(placed.quads[-1])
    width = TICK_WIDTH_PX + wider_px
    x = tick_x(canvas.sheet(placed.quads[0].page).left()) + width / 2
    if x + width > min(canvas.rect(quad).left() for quad in placed.quads):
        return  # zoomed in until the margin is out of sight: a tick would stand on the words
    line = style.pen if style.pen is not Qt.PenStyle.NoPen else Qt.PenStyle.SolidLine
    canvas.painter.setPen(QPen(style.ink(canvas.theme), width, line, Qt.PenCapStyle.FlatCap))
    canvas.painter.drawLine(QPointF(x, first.top()), QPointF(x, max(last.bottom(), first.top() + 4)))
