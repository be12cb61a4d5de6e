"""Scroll bars that glide, and edges that scroll while something is dragged to them."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QPropertyAnimation, QSizeF, QTimer, Signal, Slot
from PySide6.QtWidgets import QScrollBar

GLIDE_MS = 140
EDGE_PX = 40.0
_EDGE_STEP_MS = 16
_EDGE_SPEED = 0.45  # pixels a step, per pixel of depth into the edge


class SmoothScroll(QObject):
    """Moves a scroll bar to where it should be in a few frames; a new wish continues the movement."""

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self.enabled = True
        self._bar = bar
        self._glide = QPropertyAnimation(bar, b"value", self)
        self._glide.setDuration(GLIDE_MS)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._target = 0.0
        self._rest = 0.0

    def move_by(self, distance_px: float) -> None:
        """Glide by a distance from where the bar is headed."""
        running = self._glide.state() is QPropertyAnimation.State.Running
        self.move_to((self._target if running else self._bar.value()) + distance_px)

    def move_to(self, value: float) -> None:
        """Glide to a value."""
        self._target = max(float(self._bar.minimum()), min(float(self._bar.maximum()), value))
        self._glide.stop()
        if not self.enabled:
            self._bar.setValue(round(self._target))
            return
        self._glide.setStartValue(self._bar.value())
        self._glide.setEndValue(round(self._target))
        self._glide.start()

    def nudge(self, distance_px: float) -> None:
        """Move at once by a distance that need not be whole pixels (a trackpad's)."""
        self._glide.stop()
        self._rest += distance_px
        whole = int(self._rest)
        self._rest -= whole
        self._bar.setValue(self._bar.value() + whole)

    def stop(self) -> None:
        """Stay where the bar is."""
        self._glide.stop()
        self._rest = 0.0


class EdgeScroll(QObject):
    """Scrolls as long as a drag stays near or beyond an edge, faster the deeper it goes."""

    #: after each step; what depends on the place under the pointer must be looked up again
    scrolled = Signal()

    def __init__(self, horizontal: QScrollBar, vertical: QScrollBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bars = (horizontal, vertical)
        self._speed = (0.0, 0.0)
        self._timer = QTimer(self)
        self._timer.setInterval(_EDGE_STEP_MS)
        self._timer.timeout.connect(self.on_timer_timeout)

    @property
    def active(self) -> bool:
        """Whether it is scrolling now."""
        return self._timer.isActive()

    def follow(self, position: QPointF, size: QSizeF, edge_px: float = EDGE_PX) -> None:
        """The pointer is here, in a view of that size; edges reach ``edge_px`` inwards."""
        self._speed = (
            _depth(position.x(), size.width(), edge_px) * _EDGE_SPEED,
            _depth(position.y(), size.height(), edge_px) * _EDGE_SPEED,
        )
        if self._speed == (0.0, 0.0):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """The drag is over."""
        self._timer.stop()

    @Slot()
    def on_timer_timeout(self) -> None:
        """One step."""
        before = [bar.value() for bar in self._bars]
        for bar, speed in zip(self._bars, self._speed, strict=True):
            bar.setValue(bar.value() + round(speed))
        if before != [bar.value() for bar in self._bars]:
            self.scrolled.emit()


def _depth(position: float, length: float, edge_px: float) -> float:
    if position < edge_px:
        return max(-2 * EDGE_PX, position - edge_px)
    if position > length - edge_px:
        return min(2 * EDGE_PX, position - (length - edge_px))
    return 0.0
