"""A scroll area that glides: wheel, trackpad, pinch, keys and panning."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from gui.pages.smooth_scroll import SmoothScroll
from gui.pages.zooming import WHEEL_FACTOR

_NOTCH = 120.0
NOTCH_PX = 132.0


class GlidingArea(QAbstractScrollArea):
    """Movement alone; what is moved is the business of who inherits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Styles draw a box of their own where the bars meet.
        self.setCornerWidget(QWidget(self))
        self._across = SmoothScroll(self.horizontalScrollBar())
        self._down = SmoothScroll(self.verticalScrollBar())
        self.verticalScrollBar().setSingleStep(round(NOTCH_PX / 3))

    @property
    def glides(self) -> bool:
        """Whether wheel and keys move in a few frames rather than at once."""
        return self._down.enabled

    @glides.setter
    def glides(self, on: bool) -> None:
        self._down.enabled = self._across.enabled = on

    def content_offset(self) -> QPointF:
        """The content pixel at the viewport's top left."""
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def scroll_by(self, distance_px: float) -> None:
        """Move down (up, if negative)."""
        self._down.move_by(distance_px)

    def scroll_sideways_by(self, distance_px: float) -> None:
        """Move right (left, if negative)."""
        self._across.move_by(distance_px)

    def pan(self, distance: QPointF) -> None:
        """Move at once by a distance, as a hand moves paper."""
        self._across.nudge(distance.x())
        self._down.nudge(distance.y())

    def jump_to(self, offset: QPointF) -> None:
        """Put a content pixel at the viewport's top left, at once."""
        self.stop_gliding()
        self.horizontalScrollBar().setValue(round(offset.x()))
        self.verticalScrollBar().setValue(round(offset.y()))

    def stop_gliding(self) -> None:
        """Stay here."""
        self._across.stop()
        self._down.stop()

    def zoom_by(self, factor: float, around: QPointF) -> None:
        """Zoom around a place in the viewport; overridden."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl, zoom around the pointer; with Shift, sideways."""
        angle = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(WHEEL_FACTOR ** (angle.y() / _NOTCH), event.position())
        elif event.phase() is not Qt.ScrollPhase.NoScrollPhase and not event.pixelDelta().isNull():
            # A trackpad: its own distances and its own momentum; gliding would lag behind the fingers.
            self.pan(QPointF(-event.pixelDelta()))
        else:
            sideways, down = angle.x(), angle.y()
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not sideways:
                sideways, down = down, 0
            if down:
                self._down.move_by(-down / _NOTCH * NOTCH_PX)
            if sideways:
                self._across.move_by(-sideways / _NOTCH * NOTCH_PX)
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        """Pinch to zoom."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(1 + event.value(), event.position())
            return True
        return bool(super().viewportEvent(event))
