"""Keeps one child alive: its channel, its restarts, its heartbeat."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.protocol.child import Role
from engine.protocol.messages import Ping, Pong, Shutdown
from gui.processes.channel import ChildChannel, Outgoing

#: A child that died this often within :data:`DEATHS_WITHIN_S` is not started again by itself.
MOST_DEATHS = 5
DEATHS_WITHIN_S = 60.0
#: How long to wait before the next start, by the number of recent deaths.
BACKOFF_MS = (0, 0, 200, 500, 1000, 2000)
#: How long a child may take to end by itself when the window closes.
GRACE_MS = 300

Channel = TypeVar("Channel", bound=ChildChannel[Any])


class ChildKeeper(QObject, Generic[Channel]):
    """One child and its successors.

    Signals:
        message_received(object): what the child sent, pongs left out.
        died(sentence, by_us): it has ended; ``by_us`` when :meth:`replace` ended it. The next channel is
            there already (messages posted to it wait for its child), unless :attr:`given_up`.
        restarted(): a successor has said hello.
    """

    message_received = Signal(object)
    died = Signal(str, bool)
    restarted = Signal()

    def __init__(self, role: Role, make_channel: Callable[[], Channel], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.role = role
        self.given_up = False
        self._make_channel = make_channel
        self._channel: Channel | None = None
        self._connected = False
        self._first = True
        self._closing = False
        self._replaced_because = ""
        self._deaths: deque[float] = deque()
        self._tokens = itertools.count(1)
        self._start_timer = QTimer(self, singleShot=True)
        self._start_timer.timeout.connect(self.on_start_timer_timeout)

    @property
    def channel(self) -> Channel | None:
        """The present channel, or None before the start, after the end, and when given up."""
        return self._channel

    def start(self) -> None:
        """Start the child, also again after it was given up."""
        if self._channel is None and not self._closing:
            self.given_up = False
            self._deaths.clear()
            self._next_channel(0)

    def post(self, message: Outgoing) -> None:
        """Send a message; waits for the child's start when need be, lost when the child is given up."""
        if self._channel is not None:
            self._channel.post(message)

    def replace(self, sentence: str) -> None:
        """End the child and start another; ``died(sentence, True)`` follows."""
        if self._channel is None:
            self.start()
        elif self._connected and not self._replaced_because:
            self._replaced_because = sentence
            self._channel.abandon()

    def beat(self) -> None:
        """Ask the child for a sign of life."""
        if self._connected:
            self.post(Ping(next(self._tokens)))

    @property
    def silence_s(self) -> float:
        """Seconds since a connected child was last heard; 0 while it starts."""
        return self._channel.silence_s if self._channel is not None and self._connected else 0.0

    def forgive(self) -> None:
        """Begin to count the silence anew."""
        if self._channel is not None:
            self._channel.touch()

    def ask_to_end(self) -> None:
        """Begin to close: the child is asked to end, no signal comes any more."""
        self._closing = True
        self._start_timer.stop()
        if self._channel is not None:
            self._channel.post(Shutdown())

    def finish(self, deadline_s: float) -> None:
        """End the child if it has not ended by itself by ``deadline_s`` (monotonic), and its thread."""
        channel, self._channel = self._channel, None
        if channel is None:
            return
        left_ms = max(0, int(1000 * (deadline_s - time.monotonic())))
        if channel.isRunning() and (not self._connected or not channel.wait(left_ms)):
            channel.abandon()
            channel.wait()
        channel.deleteLater()

    def _next_channel(self, delay_ms: int) -> None:
        channel = self._make_channel()
        channel.connected.connect(self.on_channel_connected)
        channel.message_received.connect(self.on_channel_message_received)
        channel.closed.connect(self.on_channel_closed)
        self._channel = channel
        self._start_timer.start(delay_ms)

    @Slot()
    def on_start_timer_timeout(self) -> None:
        """The wait before a start is over."""
        if self._channel is not None and not self._closing:
            self._channel.start()

    @Slot(int)
    def on_channel_connected(self, _pid: int) -> None:
        """The child has said hello."""
        self._connected = True
        again, self._first = not self._first, False
        if again:
            self.restarted.emit()

    @Slot(object)
    def on_channel_message_received(self, message: object) -> None:
        """The child has sent something."""
        if not self._closing and not isinstance(message, Pong):
            self.message_received.emit(message)

    @Slot(str)
    def on_channel_closed(self, sentence: str) -> None:
        """The child has ended."""
        channel, self._channel, self._connected = self._channel, None, False
        if channel is None or self._closing:
            return
        channel.wait()
        channel.deleteLater()
        because, self._replaced_because = self._replaced_because, ""
        by_us = bool(because)
        now = time.monotonic()
        if not by_us:
            self._deaths.append(now)
        while self._deaths and now - self._deaths[0] > DEATHS_WITHIN_S:
            self._deaths.popleft()
        if len(self._deaths) >= MOST_DEATHS:
            self.given_up = True
        else:
            self._next_channel(BACKOFF_MS[min(len(self._deaths), len(BACKOFF_MS) - 1)])
        self.died.emit(because or sentence, by_us)
