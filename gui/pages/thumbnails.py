"""Small pages in one column, with their marks; a click goes there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.pages.history import Fit
from gui.pages.marks import MarkSet
from gui.pages.page_area import PageArea
from gui.pages.page_painter import Canvas
from gui.pages.zooming import MIN_ZOOM
from gui.theme import MARK_STYLES, Layer, grid

#: Narrower marks could not be seen on a page of this size.
_LEAST_PX = 2.0
#: What lies on a thumbnail; what concerns single words of the moment does not.
_LAYERS = (Layer.REVIEWED, Layer.LINK, Layer.CONFLICT, Layer.FIND, Layer.FIND_CURRENT)


class Thumbnails(PageArea):
    """Every page at a quarter of its size. Images are asked for when they come into view, as everywhere."""

    #: (page index, y in points)
    place_clicked = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Thumbnails of the pages"))
        self._marks: MarkSet | None = None
        self._main_page = -1
        self.set_zoom(MIN_ZOOM)

    def set_marks(self, marks: MarkSet) -> None:
        """Draw these marks, whatever they become; :meth:`refresh` draws them anew."""
        self._marks = marks

    def refresh(self) -> None:
        """The marks have changed."""
        self.viewport().update()

    def show_page(self, page: int) -> None:
        """Frame the page that is read, and scroll until it shows."""
        self._main_page = page
        if 0 <= page < self.page_count:
            sheet, top = self.layout_now.sheet(page), self.content_offset().y()
            if sheet.top() < top or sheet.bottom() > top + self.viewport().height():
                self.jump_to(QPointF(0, sheet.center().y() - self.viewport().height() / 2))
        self.viewport().update()

    def draw_over(self, canvas: Canvas, pages: range) -> None:
        """Marks, the number of each page, a frame round the one that is read."""
        painter, palette = canvas.painter, canvas.palette
        for page in pages:
            sheet = canvas.sheet(page)
            self._draw_marks(canvas, page, sheet)
            number = QRectF(sheet.right() - grid(8), sheet.bottom() - grid(5), grid(8), grid(5))
            is_read = page == self._main_page
            painter.fillRect(number, QColor(palette.accent if is_read else palette.panel))
            painter.setPen(QColor(palette.on_accent if is_read else palette.faint))
            painter.drawText(number, Qt.AlignmentFlag.AlignCenter, str(page + 1))
            if is_read:
                painter.setPen(QPen(QColor(palette.accent), 2))
                painter.drawRect(sheet.adjusted(-1, -1, 1, 1))

    def _draw_marks(self, canvas: Canvas, page: int, sheet: QRectF) -> None:
        scale = canvas.layout.scale
        for placed in self._marks.on_page(page) if self._marks is not None else ():
            if placed.mark.layer not in _LAYERS:
                continue
            ink = MARK_STYLES[placed.mark.layer].ink(canvas.theme)
            wash = QColor(ink)
            wash.setAlphaF(0.35)
            for quad in placed.quads:
                left, top = sheet.left() + quad.x0 * scale, sheet.top() + quad.y0 * scale
                height = max(_LEAST_PX, (quad.y1 - quad.y0) * scale)
                canvas.painter.fillRect(QRectF(left, top, max(_LEAST_PX, (quad.x1 - quad.x0) * scale), height), wash)
                # The same in the margin, where a page of text leaves it alone.
                canvas.painter.fillRect(QRectF(sheet.left() - grid(1.5), top, grid(1), height), ink)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the place."""
        if event.button() is Qt.MouseButton.LeftButton and self.page_count:
            page, _, y_pt = self.page_place(event.position())
            self.place_clicked.emit(page, max(0.0, y_pt))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down: the page before, the page after."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and self.page_count:
            self.place_clicked.emit(max(0, min(self.page_count - 1, self._main_page + step)), 0.0)
        else:
            event.ignore()

    def _fitting_zoom(self, _page: int) -> float | None:
        """A quarter always: a wide panel shows no larger pages."""
        return MIN_ZOOM if self.fit is not Fit.CUSTOM else None
