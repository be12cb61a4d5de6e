"""Endings of jobs that are known at once are told later, so that the asker has the job's number by then."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.protocol.messages import Fault


class LateEndings(QObject):
    """Tells endings from the event loop.

    Signals:
        failed(job, Fault), cancelled(job).
    """

    failed = Signal(int, object)
    cancelled = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._endings: list[tuple[int, Fault | None]] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.on_timer_timeout)

    def add(self, job: int, fault: Fault | None) -> None:
        """A job has failed, or was cancelled without a fault."""
        self._endings.append((job, fault))
        self._timer.start()

    def stop(self) -> None:
        """Tell nothing any more."""
        self._timer.stop()

    @Slot()
    def on_timer_timeout(self) -> None:
        """Tell them."""
        endings, self._endings = self._endings, []
        for job, fault in endings:
            if fault is None:
                self.cancelled.emit(job)
            else:
                self.failed.emit(job, fault)
