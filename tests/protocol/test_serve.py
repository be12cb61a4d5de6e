"""The child's side: progress is throttled, the key does not stay in the environment."""

from __future__ import annotations

import itertools
import os
import threading
from multiprocessing.connection import Listener
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.protocol import codec, serve
from engine.protocol.child import KEY_VARIABLE, Role
from engine.protocol.messages import PROTOCOL, Hello
from engine.protocol.transport import ConnectionLost


@given(steps_s=st.lists(st.floats(0, 0.5), max_size=60))
def test_at_most_ten_a_second_and_always_the_first(steps_s: list[float]):
    now_s = 1000.0
    passed_s = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve.time, "monotonic", lambda: now_s)
        throttle = serve.Throttle()
        for step_s in steps_s:
            now_s += step_s
            if throttle.ready():
                passed_s.append(now_s)
    assert bool(passed_s) == bool(steps_s)
    assert all(b - a >= 0.0999 for a, b in itertools.pairwise(passed_s))


def test_hello_is_said_first_and_the_key_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    key = b"0123456789abcdef"
    monkeypatch.setenv(KEY_VARIABLE, key.hex())
    address = str(tmp_path / "s")
    heard: list[object] = []
    with Listener(address, authkey=key) as listener:

        def accept() -> None:
            with listener.accept() as connection:
                heard.append(codec.from_reader(connection.recv_bytes()))

        parent = threading.Thread(target=accept)
        parent.start()
        wire = serve.connect(address, Role.READER, codec.to_reader)
        parent.join()
    assert isinstance(heard[0], Hello)
    assert (heard[0].protocol, heard[0].role, heard[0].pid) == (PROTOCOL, "reader", os.getpid())
    assert KEY_VARIABLE not in os.environ
    with pytest.raises(ConnectionLost):
        wire.receive()
    wire.close()
    with pytest.raises(ConnectionLost):
        wire.poll()
