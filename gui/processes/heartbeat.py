"""Looks after both children once a second: one that hangs, or works on what nobody wants, is replaced."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Slot

from engine.protocol.child import SILENCE_BUSY_S, Role
from gui.processes.channel import EngineChannel, ReaderChannel
from gui.processes.jobs import JobBook
from gui.processes.keeper import ChildKeeper

HEARTBEAT_MS = 1000
#: A heartbeat that comes this late says more about the window than about a child.
LATE_S = 5.0
#: An idle child silent for longer is taken to hang; one at work may take :data:`SILENCE_BUSY_S`.
SILENCE_IDLE_S = 15.0

Keeper = ChildKeeper[ReaderChannel] | ChildKeeper[EngineChannel]


class Heartbeat(QObject):
    """Beats while it is started. ``hung`` is called with the role of a child before it is replaced for its silence."""

    def __init__(
        self, keepers: Mapping[Role, Keeper], book: JobBook, hung: Callable[[Role], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._keepers = keepers
        self._book = book
        self._hung = hung
        self.last_beat_s = 0.0
        self._timer = QTimer(self, interval=HEARTBEAT_MS)
        self._timer.timeout.connect(self.on_timer_timeout)

    def start(self) -> None:
        """Begin to beat."""
        self.last_beat_s = time.monotonic()
        self._timer.start()

    def stop(self) -> None:
        """Beat no more."""
        self._timer.stop()

    @Slot()
    def on_timer_timeout(self) -> None:
        """Look after both."""
        now = time.monotonic()
        late, self.last_beat_s = now - self.last_beat_s > LATE_S, now
        for role, keeper in self._keepers.items():
            if late:
                # This process or the whole machine has slept: a child that could not speak is not to blame.
                keeper.forgive()
                keeper.beat()
            elif keeper.silence_s > (SILENCE_BUSY_S[role] if self._book.busy(role) else SILENCE_IDLE_S):
                self._hung(role)
                keeper.replace(f"The {role} process did not answer any more and was started again.")
            elif self._book.is_overdue(role):
                keeper.replace(f"The {role} process was busy with cancelled work and was started again.")
            else:
                keeper.beat()
