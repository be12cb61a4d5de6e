"""A small pool of threads for work that would hold up the window: packing and unpacking documents."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

log = logging.getLogger(__name__)


class _Done(QObject):
    """Carries an answer from a pool thread to the thread it was made in."""

    finished = Signal(int, object, object)


class _Task(QRunnable):
    def __init__(self, ticket: int, work: Callable[[], object], done: _Done) -> None:
        super().__init__()
        self._ticket = ticket
        self._work = work
        self._done = done

    def run(self) -> None:
        """Do the work; whatever fails is told, never lost."""
        try:
            answer, error = self._work(), None
        except Exception as caught:  # thread boundary
            log.exception("work in the file pool failed")
            answer, error = None, caught
        self._done.finished.emit(self._ticket, answer, error)


class FilePool(QObject):
    """Runs work elsewhere and hands its answer to a bound method here.

    An answer that comes after :meth:`close`, or whose work failed, is dropped (a failure is logged and
    its ``otherwise`` is called).
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(2)
        self._done = _Done(self)
        self._done.finished.connect(self.on_done_finished)
        self._waiting: dict[int, tuple[Callable[[object], None], Callable[[], None] | None]] = {}
        self._next_ticket = 1

    def run(
        self, work: Callable[[], object], then: Callable[[object], None], otherwise: Callable[[], None] | None = None
    ) -> None:
        """Do ``work`` in the pool and ``then`` here, with its answer."""
        ticket, self._next_ticket = self._next_ticket, self._next_ticket + 1
        self._waiting[ticket] = (then, otherwise)
        self._pool.start(_Task(ticket, work, self._done))

    def close(self) -> None:
        """Wait for what is running; its answers are dropped."""
        self._waiting.clear()
        self._pool.clear()
        self._pool.waitForDone()

    @Slot(int, object, object)
    def on_done_finished(self, ticket: int, answer: object, error: object) -> None:
        """An answer has come, in the window's thread."""
        then, otherwise = self._waiting.pop(ticket, (None, None))
        if error is not None:
            if otherwise is not None:
                otherwise()
        elif then is not None:
            then(answer)
