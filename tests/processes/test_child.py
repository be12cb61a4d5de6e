"""Starting and ending a child, from the parent's side, without Qt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from multiprocessing.connection import Client
from pathlib import Path

import psutil
import pytest

from engine.protocol import child as child_module
from engine.protocol import codec
from engine.protocol.child import Child, ChildStartError, Role, child_command, child_environment, open_log
from engine.protocol.messages import PROTOCOL, DocumentRead, Failed, OpenDocument, Ping, Pong, Shutdown
from engine.protocol.places import log_dir
from engine.protocol.transport import ConnectionLost

CHILDREN = Path(__file__).parent / "children"
ROOT = Path(__file__).parents[2]


def rogue(way: str):
    return lambda role, address: [sys.executable, str(CHILDREN / "rogue.py"), way, address]


@pytest.fixture
def sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where sockets are made in this test; must be empty after it."""
    folder = Path(tempfile.mkdtemp(prefix="s"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    yield folder
    assert list(folder.iterdir()) == []
    folder.rmdir()


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("exit", "ended at once"),
        ("old", f"version {PROTOCOL - 1} of the protocol"),
        ("role", "something else"),
        ("pong", "something else"),
        ("garbage", "did not introduce itself"),
        ("gone", "did not introduce itself"),
        ("wrong key", "did not connect"),
    ],
)
def test_a_child_that_misbehaves_is_refused_in_a_sentence(sockets, way, words):
    with pytest.raises(ChildStartError, match=words):
        Child.start(Role.READER, codec.from_reader, command=rogue(way))


def test_a_silent_child_is_not_waited_for_for_ever(sockets):
    with pytest.raises(ChildStartError, match="in time"):
        Child.start(Role.READER, codec.from_reader, command=rogue("silent"), timeout_s=0.2)


def test_a_start_that_nobody_wants_any_more_ends(sockets):
    with pytest.raises(ChildStartError, match="abandoned"):
        Child.start(Role.READER, codec.from_reader, command=rogue("silent"), abandoned=lambda: True)


def test_a_program_that_is_not_there_is_said(sockets):
    with pytest.raises(ChildStartError, match="could not be started"):
        Child.start(Role.READER, codec.from_reader, command=lambda role, address: ["/nowhere/python", address])


def test_the_real_children_start_from_any_folder(sockets, tmp_path, monkeypatch):
    # A folder with a package of our name and one of the library's must change nothing.
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("raise RuntimeError('the wrong engine')")
    (tmp_path / "json.py").write_text("raise RuntimeError('the wrong json')")
    monkeypatch.chdir(tmp_path)
    for role, decode in ((Role.READER, codec.from_reader), (Role.ENGINE, codec.from_engine)):
        child = Child.start(role, decode)
        try:
            assert child.hello.role == role
            assert child.hello.pid == child.pid
            child.wire.send(Ping(3))
            while (message := child.wire.receive()) != Pong(3):
                assert not isinstance(message, Pong)
        finally:
            child.stop(10)
        assert child.wait(0) == 0


def test_a_frozen_program_starts_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command(Role.ENGINE, "a") == [sys.executable, "--engine", "a"]


def test_the_key_is_not_on_the_command_line():
    key = b"secret"
    assert key.hex() not in " ".join(child_command(Role.READER, "address"))
    assert child_environment(Role.READER, key)[child_module.KEY_VARIABLE] == key.hex()


@pytest.mark.parametrize("moment", ["idle", "reading"])
def test_a_killed_child_is_seen_as_lost(made_up, moment):
    child = Child.start(Role.READER, codec.from_reader, command=made_up_reader)
    try:
        if moment == "reading":
            child.wire.send(OpenDocument(1, str(made_up("steps=5000 step_ms=5"))))
            child.wire.receive()
        os.kill(child.pid, signal.SIGKILL)
        with pytest.raises(ConnectionLost):
            receive_for_ever(child)
        assert child.wait(5) == -signal.SIGKILL
        with pytest.raises(ConnectionLost):
            child.wire.send(Shutdown())
    finally:
        child.stop(0)


def receive_for_ever(child: Child) -> None:
    while True:
        child.wire.receive()


def made_up_reader(role: Role, address: str) -> list[str]:
    return [sys.executable, str(CHILDREN / "reader.py"), address]


@pytest.mark.parametrize("frame", [b"\xc1", b"", codec.encode(Pong(1))])
def test_garbage_ends_the_reader(frame):
    child = Child.start(Role.READER, codec.from_reader, command=made_up_reader)
    try:
        child.wire.connection.send_bytes(frame)
        with pytest.raises(ConnectionLost):
            child.wire.receive()
        assert child.wait(5) == 1
    finally:
        child.stop(0)


def test_sending_from_many_threads_keeps_frames_whole(made_up):
    child = Child.start(Role.READER, codec.from_reader, command=made_up_reader)
    try:
        def send(first: int) -> None:
            for token in range(first, first + 200):
                child.wire.send(Ping(token))

        threads = [threading.Thread(target=send, args=(1000 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        tokens = [child.wire.receive().token for _ in range(800)]
        for thread in threads:
            thread.join()
        assert sorted(tokens) == sorted(1000 * i + j for i in range(4) for j in range(200))
        assert [t for t in tokens if t < 1000] == list(range(200))
    finally:
        child.stop()


#: A parent that starts both real children, opens a file, says their ids, and waits.
PARENT = """
import sys, threading
from engine.protocol import codec
from engine.protocol.child import Child, Role
from engine.protocol.messages import OpenDocument
command = lambda role, address: [sys.executable, f"{sys.argv[1]}/{role}.py", address]
reader = Child.start(Role.READER, codec.from_reader, command=command)
engine = Child.start(Role.ENGINE, codec.from_engine, command=command)
reader.wire.send(OpenDocument(1, sys.argv[2]))
reader.wire.receive()
print(reader.pid, engine.pid, flush=True)
threading.Event().wait()
"""


@pytest.mark.parametrize("ways", ["", "steps=5000 step_ms=5", "hang=0"])
def test_children_end_when_their_parent_is_killed(made_up, ways):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(CHILDREN), str(made_up(ways))], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as parent:
        children = [psutil.Process(int(pid)) for pid in parent.stdout.readline().split()]
        parent.kill()
    assert len(children) == 2
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def test_a_child_s_words_go_to_its_log_and_the_log_turns_over(monkeypatch):
    with pytest.raises(ChildStartError):
        Child.start(Role.READER, codec.from_reader, command=rogue("exit"))
    log = log_dir() / "reader.log"
    assert "something is missing" in log.read_text()
    monkeypatch.setattr(child_module, "_LOG_BYTES", 5)
    for _ in range(6):
        with open_log(Role.READER) as file:
            file.write(b"line after line\n")
    assert sorted(path.name for path in log_dir().iterdir()) == [
        "reader.1.log",
        "reader.2.log",
        "reader.3.log",
        "reader.log",
    ]


def test_bugs_are_logged_with_their_trace(made_up):
    child = Child.start(Role.READER, codec.from_reader, command=made_up_reader)
    try:
        child.wire.send(OpenDocument(1, str(made_up("bug=1"))))
        while not isinstance(message := child.wire.receive(), Failed | DocumentRead):
            pass
        assert "a bug of ours" in message.fault.trace
        assert "a bug of ours" in (log_dir() / "reader.log").read_text()
    finally:
        child.stop()


def test_the_acceptance_ends_whoever_connected(tmp_path):
    """Also in the moment when its thread has accepted and not yet ended, where a second client would wait."""
    for _ in range(50):
        acceptance = child_module._Acceptance(tmp_path, b"key")
        Client(acceptance.address, authkey=b"key").close()
        acceptance.close()
    for _ in range(50):
        child_module._Acceptance(tmp_path, b"key").close()
