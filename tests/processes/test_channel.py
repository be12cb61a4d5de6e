"""The channel's thread, and what PySide6 must not do with our signals."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QThread, Signal, Slot

from engine.protocol.messages import Ping, Pong
from gui.processes.channel import EngineChannel, ReaderChannel


class Hearer(QObject):
    flag = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.threads: set[QThread] = set()
        self.heard: list[object] = []
        self.closed: list[str] = []

    @Slot(bool)
    def on_flag(self, value: bool) -> None:
        self.count += value

    @Slot(object)
    def on_message(self, message: object) -> None:
        self.threads.add(QThread.currentThread())
        self.heard.append(message)

    @Slot(str)
    def on_closed(self, sentence: str) -> None:
        self.closed.append(sentence)


def test_emitting_true_keeps_true_alive(qapp):
    # PySide6 6.12.0 drops a reference to True at each emit and ends the process on Python 3.11.
    hearer = Hearer()
    hearer.flag.connect(hearer.on_flag)
    before = sys.getrefcount(True)
    for _ in range(5000):
        hearer.flag.emit(True)
    assert hearer.count == 5000
    assert sys.getrefcount(True) > before - 1000


def command(role: str, address: str) -> list[str]:
    return [sys.executable, str(Path(__file__).parent / "children" / f"{role}.py"), address]


@pytest.fixture
def channel(qtbot):
    hearer = Hearer()
    channel = EngineChannel(command)
    channel.message_received.connect(hearer.on_message)
    channel.closed.connect(hearer.on_closed)
    channel.start()
    yield channel, hearer
    channel.abandon()
    assert channel.wait(10_000)


def test_messages_arrive_in_the_window_s_thread(channel, qtbot, qapp):
    channel, hearer = channel
    for token in range(300):
        channel.post(Ping(token))
    qtbot.waitUntil(lambda: len(hearer.heard) == 301, timeout=20_000)
    assert [m.token for m in hearer.heard if isinstance(m, Pong)] == list(range(300))
    assert hearer.threads == {qapp.thread()}


def test_a_killed_child_closes_the_channel_once(channel, qtbot):
    channel, hearer = channel
    qtbot.waitUntil(lambda: bool(hearer.heard), timeout=20_000)
    os.kill(channel.pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: bool(hearer.closed), timeout=20_000)
    assert channel.wait(10_000)
    channel.post(Ping(1))
    channel.abandon()
    assert hearer.closed == ["The engine process ended unexpectedly (status -9)."]


def test_abandoning_a_start_ends_it(qtbot):
    hearer = Hearer()
    channel = ReaderChannel(command)
    channel.closed.connect(hearer.on_closed)
    channel.start()
    channel.abandon()
    assert channel.wait(10_000)
    qtbot.waitUntil(lambda: bool(hearer.closed), timeout=20_000)


def test_a_message_that_cannot_be_made_ends_the_child_instead_of_hanging(channel, qtbot):
    channel, hearer = channel

    def make_message():
        raise RuntimeError("a bug")

    channel.post(make_message)
    qtbot.waitUntil(lambda: bool(hearer.closed), timeout=20_000)


def test_posting_never_blocks_on_a_child_that_reads_nothing(channel, qtbot):
    channel, hearer = channel
    qtbot.waitUntil(lambda: bool(hearer.heard), timeout=20_000)
    os.kill(channel.pid, signal.SIGSTOP)
    for token in range(100_000):
        channel.post(Ping(token))
    os.kill(channel.pid, signal.SIGCONT)
    channel.abandon()
    qtbot.waitUntil(lambda: bool(hearer.closed), timeout=20_000)
