"""The engine's second worker: it learns beside reviews and questions, one job after another."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable

from engine.protocol.messages import Cancelled, Failed, Learn, Learned
from engine.protocol.transport import ConnectionLost

Outcome = Learned | Failed | Cancelled


class Learner:
    """A thread that is there while there are jobs.

    Args:
        send: sends an outcome; may be called from several threads.
        do: does a job; asks its second argument whether it was cancelled. Raises nothing.
    """

    def __init__(
        self, send: Callable[[Outcome], None], do: Callable[[Learn, Callable[[], bool]], Outcome]
    ) -> None:  # fmt: skip
        self._send = send
        self._do = do
        self._changed = threading.Lock()
        self._waiting: deque[Learn] = deque()
        self._thread: threading.Thread | None = None
        self._current = 0
        self._current_cancelled = False

    def put(self, job: Learn) -> None:
        """Do this after what waits already."""
        with self._changed:
            self._waiting.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="learner", daemon=True)
                self._thread.start()

    def cancel(self, job: int) -> bool:
        """End a job; False when it is none of these."""
        with self._changed:
            if job == self._current:
                self._current_cancelled = True
                return True
            before = len(self._waiting)
            self._waiting = deque(work for work in self._waiting if work.job != job)
            removed = len(self._waiting) < before
        if removed:
            self._send(Cancelled(job))
        return removed

    def _work(self) -> None:
        with contextlib.suppress(ConnectionLost):
            while True:
                with self._changed:
                    if not self._waiting:
                        self._thread = None
                        return
                    work = self._waiting.popleft()
                    self._current, self._current_cancelled = work.job, False
                outcome = self._do(work, lambda: self._current_cancelled)
                with self._changed:
                    self._current = 0
                self._send(outcome)
