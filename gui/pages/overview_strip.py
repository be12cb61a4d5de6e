"""All marks of a document in one narrow strip beside the scroll bar."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gui.theme import MARK_STYLES, Layer, Theme, colours, grid, legend_of

STRIP_WIDTH_PX = grid(4)
_REACH_PX = 4.0
#: Left edge and width of a layer's lines, as parts of the strip: place tells layers apart, not colour alone.
_COLUMNS: dict[Layer, tuple[float, float]] = {
    Layer.UNCERTAIN: (0.8, 0.2),
    Layer.REVIEWED: (0.0, 0.4),
    Layer.LINK: (0.0, 0.6),
    Layer.ANCHOR: (0.55, 0.45),
    Layer.CONFLICT: (0.0, 1.0),
    Layer.FIND: (0.7, 0.3),
    Layer.FIND_CURRENT: (0.4, 0.6),
}


@dataclasses.dataclass(frozen=True, slots=True)
class StripMark:
    """A mark's id, layer, span, tool tip, and its height as a part (0..1) of the whole document."""

    id: str
    layer: Layer
    at: float
    span: tuple[int, int] = (0, 0)
    tip: str = ""


class OverviewStrip(QWidget):
    """Shows where marks are and which part of the document is on the screen; a click goes there."""

    #: (part of the document's height, 0..1)
    place_clicked = Signal(float)
    #: (StripMark)
    mark_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name_for_readers()
        self.setMouseTracking(True)
        self._marks: tuple[StripMark, ...] = ()
        self._chosen = ""
        self._shown = (0.0, 1.0)
        self._theme = Theme.LIGHT
        self._drawn: QPixmap | None = None

    def _name_for_readers(self) -> None:
        self.setAccessibleName(self.tr("Overview of marks"))
        self.setAccessibleDescription(self.tr("Marks of the whole document. Click to go there."))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._name_for_readers()

    def sizeHint(self) -> QSize:
        """As wide as four steps of the grid."""
        return QSize(STRIP_WIDTH_PX, grid(20))

    def set_marks(self, marks: Sequence[StripMark]) -> None:
        """Show these marks, given in the order in which they are drawn."""
        self._marks = tuple(marks)
        self._redraw()

    def set_chosen(self, mark_id: str) -> None:
        """Draw one id's marks last and stressed; "" for none."""
        if mark_id != self._chosen:
            self._chosen = mark_id
            self.update()

    def set_shown(self, top: float, bottom: float) -> None:
        """The part of the document on the screen (0..1 each)."""
        if (top, bottom) != self._shown:
            self._shown = (top, bottom)
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Use a theme's colours."""
        self._theme = theme
        self._redraw()

    def mark_near(self, y: float) -> StripMark | None:
        """The mark nearest to a height in pixels, the topmost of equals; None when none is near."""
        best: StripMark | None = None
        least = _REACH_PX
        for mark in self._marks:
            distance = abs(self._y(mark) - y)
            if distance <= least:
                best, least = mark, distance
        return best

    def _y(self, mark: StripMark) -> float:
        return 1.0 + mark.at * max(1.0, self.height() - 3.0)

    def _redraw(self) -> None:
        self._drawn = None
        self.update()

    def _draw_marks(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        drawn = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(QColor(colours(self._theme).panel))
        painter = QPainter(drawn)
        painter.fillRect(QRectF(0, 0, 1, self.height()), QColor(colours(self._theme).line))
        taken: set[tuple[int, Layer]] = set()
        for mark in self._marks:
            y = round(self._y(mark))
            if (y, mark.layer) in taken:
                continue  # thousands of marks share few rows of pixels
            taken.add((y, mark.layer))
            painter.fillRect(self._rect(mark, 2.0), MARK_STYLES[mark.layer].ink(self._theme))
        painter.end()
        return drawn

    def _rect(self, mark: StripMark, height: float) -> QRectF:
        left, part = _COLUMNS.get(mark.layer, (0.0, 1.0))
        width = self.width() - 4.0
        return QRectF(3.0 + left * width, round(self._y(mark)) - height / 2, part * width, height)

    def _draw_chosen(self, painter: QPainter) -> None:
        for mark in self._marks:
            if mark.id == self._chosen:
                rect = self._rect(mark, 4.0)
                painter.fillRect(rect.adjusted(-1, -1, 1, 1), QColor(colours(self._theme).text))
                painter.fillRect(rect, MARK_STYLES[mark.layer].ink(self._theme))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The marks, kept as a picture, and the window over the shown part."""
        if self._drawn is None or self._drawn.deviceIndependentSize().toSize() != self.size():
            self._drawn = self._draw_marks()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn)
        if self._chosen:
            self._draw_chosen(painter)
        top, bottom = (round(part * self.height()) for part in self._shown)
        if bottom - top < self.height():
            colour = QColor(colours(self._theme).text)
            colour.setAlphaF(0.10)
            window = QRectF(1, top, self.width() - 1, max(6, bottom - top))
            painter.fillRect(window, colour)
            colour.setAlphaF(0.35)
            painter.setPen(colour)
            painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Marks are drawn anew for the new height."""
        self._redraw()
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the mark under the pointer, else to the place."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        mark = self.mark_near(event.position().y())
        if mark is not None:
            self.mark_clicked.emit(mark)
        else:
            self._emit_place(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag through the document."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._emit_place(event.position())
            return
        near = self.mark_near(event.position().y()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The press was ours, so is the release."""
        event.accept()

    def _emit_place(self, position: QPointF) -> None:
        self.place_clicked.emit(max(0.0, min(1.0, position.y() / max(1, self.height()))))

    def event(self, event: QEvent) -> bool:
        """Tool tips say what a mark is."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self.mark_near(event.pos().y())
            if mark is None:
                QToolTip.hideText()
                event.ignore()
            else:
                QToolTip.showText(event.globalPos(), mark.tip or legend_of(mark.layer), self)
            return True
        return super().event(event)
