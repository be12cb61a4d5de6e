"""The parent's side of a child process: start it, shake hands, end it.

Used by the window's channels and by the command line alike. On Linux a child asks the kernel to be
killed when the *thread* that started it ends, so start it from a thread that outlives it.
"""

from __future__ import annotations

import contextlib
import enum
import os
import queue
import secrets
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import IO, Any, Generic

from engine.protocol.codec import FrameDecoder, ProtocolError, Received
from engine.protocol.messages import PROTOCOL, Hello, Shutdown
from engine.protocol.places import log_dir, new_socket_dir
from engine.protocol.transport import ConnectionLost, Wire

#: The environment variable that carries the connection's key, in hex, to the child.
KEY_VARIABLE = "ANTINOMY_KEY"
#: A child that has not said hello by then is ended; the first start after an installation is slow.
START_TIMEOUT_S = 60.0
#: How often a start looks whether its child has died or nobody wants it any more.
_LOOK_S = 0.02
_LOG_BYTES = 2_000_000
_LOG_FILES = 3


class Role(enum.StrEnum):
    """Which of the two children."""

    READER = "reader"
    ENGINE = "engine"


#: A child at work that says nothing for longer is taken to hang: one step of an honest file takes less, also the
#: slowest, LibreOffice's (``engine.reading.docx.libreoffice``).
SILENCE_BUSY_S = {Role.READER: 90.0, Role.ENGINE: 180.0}


class ChildStartError(Exception):
    """A child did not start; the message is one sentence a person can act on."""


def _never() -> bool:
    return False


def child_command(role: Role, address: str) -> list[str]:
    """The command line that starts a child, from a checkout, an installation or a bundle."""
    if getattr(sys, "frozen", False):
        return [sys.executable, f"--{role}", address]
    return [sys.executable, "-m", "antinomy", f"--{role}", address]


def child_environment(role: Role, key: bytes) -> dict[str, str]:
    """The environment of a child: the key, where our packages are, and how many threads are wanted."""
    environment = dict(os.environ)
    environment[KEY_VARIABLE] = key.hex()
    # Without this, "-m" would import whatever lies in the folder that the user happens to be in.
    environment["PYTHONSAFEPATH"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    root = str(Path(__file__).resolve().parents[2])
    if root not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        before = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = f"{root}{os.pathsep}{before}" if before else root
    if role is Role.READER:
        for name in ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS"):
            environment.setdefault(name, "1")
    else:
        # Two OpenMP threads that spin on a busy machine fall to a quarter of one thread's speed.
        environment.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        environment["HF_HUB_OFFLINE"] = "1"
        environment["TOKENIZERS_PARALLELISM"] = "false"
    return environment


def open_log(role: Role) -> IO[bytes]:
    """The child's log file, opened for appending; turned over first when it has grown too long."""
    path = log_dir() / f"{role}.log"
    # On Windows a second window may hold the file open, which forbids renaming it; it then grows on.
    with contextlib.suppress(OSError):
        if path.stat().st_size > _LOG_BYTES:
            for number in range(_LOG_FILES - 1, 0, -1):
                older = path.with_suffix(f".{number}.log")
                if older.exists():
                    older.replace(path.with_suffix(f".{number + 1}.log"))
            path.replace(path.with_suffix(".1.log"))
    return path.open("ab")


class _Acceptance:
    """Waits for the child's connection in a thread of its own, because ``accept`` knows no time-out."""

    def __init__(self, folder: Path, key: bytes) -> None:
        name = secrets.token_hex(8)
        self.address = rf"\\.\pipe\antinomy-{name}" if sys.platform == "win32" else str(folder / name)
        self._listener = Listener(self.address, authkey=key)
        self._answer: queue.SimpleQueue[Connection[Any, Any] | BaseException] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._accept, name="antinomy-accept", daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        try:
            self._answer.put(self._listener.accept())
        except (OSError, EOFError, AuthenticationError, ValueError) as error:
            self._answer.put(error)

    def wait(self, timeout_s: float) -> Connection[Any, Any] | None:
        """The connection, or None when there is none yet."""
        try:
            answer = self._answer.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if isinstance(answer, BaseException):
            raise ConnectionLost(str(answer)) from answer
        return answer

    def close(self) -> None:
        """End the waiting thread, whether or not anyone ever connected."""
        if self._thread.is_alive():
            # Without the key: a client that wants to prove it waits for ever if nobody accepts any more.
            with contextlib.suppress(OSError, EOFError):
                Client(self.address).close()
        self._thread.join()
        self._listener.close()


class Child(Generic[Received]):
    """A running child process with its connection.

    Attributes:
        role: reader or engine.
        wire: the connection.
        hello: what the child said first.
    """

    def __init__(self, role: Role, process: subprocess.Popen[bytes], wire: Wire[Received], hello: Hello) -> None:
        self.role = role
        self.wire = wire
        self.hello = hello
        self._process = process

    @classmethod
    def start(
        cls,
        role: Role,
        decode: FrameDecoder[Received],
        *,
        timeout_s: float = START_TIMEOUT_S,
        abandoned: Callable[[], bool] = _never,
        command: Callable[[Role, str], Sequence[str]] = child_command,
    ) -> Child[Received]:
        """Start a child and shake hands.

        Args:
            role: which child.
            decode: the decoder of what it sends.
            timeout_s: how long it may take to say hello.
            abandoned: asked often; True ends the start.
            command: makes the command line from role and address.

        Raises:
            ChildStartError: it could not be started, died, was too slow, speaks another protocol, or nobody
                wants it any more. No process is left.
        """
        folder = new_socket_dir()
        key = secrets.token_bytes(32)
        deadline = time.monotonic() + timeout_s
        try:
            acceptance = _Acceptance(folder, key)
            try:
                process = _spawn(role, command(role, acceptance.address), key)
                try:
                    wire = Wire(_wait_for_connection(role, process, acceptance, deadline, abandoned), decode)
                    try:
                        return cls(role, process, wire, _wait_for_hello(role, wire, deadline, abandoned))
                    except BaseException:
                        wire.close()
                        raise
                except BaseException:
                    process.kill()
                    process.wait()
                    raise
            finally:
                acceptance.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def wait(self, timeout_s: float) -> int | None:
        """The exit status once it has ended, or None when it still runs after ``timeout_s``."""
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End the process at once; safe from any thread and when it has already ended."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def stop(self, timeout_s: float = 0.5) -> None:
        """Ask the child to end, and end it when it has not after ``timeout_s``; closes the connection."""
        with contextlib.suppress(ConnectionLost):
            self.wire.send(Shutdown())
        if self.wait(timeout_s) is None:
            self.kill()
        self._process.wait()
        self.wire.close()


def _spawn(role: Role, command: Sequence[str], key: bytes) -> subprocess.Popen[bytes]:
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        with open_log(role) as log:
            return subprocess.Popen(
                command,
                env=child_environment(role, key),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                creationflags=flags,
            )
    except OSError as error:
        raise ChildStartError(f"The {role} process could not be started: {error}.") from error


def _wait_for_connection(
    role: Role,
    process: subprocess.Popen[bytes],
    acceptance: _Acceptance,
    deadline: float,
    abandoned: Callable[[], bool],
) -> Connection[Any, Any]:
    while True:
        try:
            connection = acceptance.wait(_LOOK_S)
        except ConnectionLost as error:
            raise ChildStartError(f"The {role} process did not connect: {error}.") from error
        if connection is not None:
            return connection
        status = process.poll()
        if status is not None:
            raise ChildStartError(
                f"The {role} process ended at once (status {status}); its log is {log_dir() / f'{role}.log'}."
            )
        _check_patience(role, deadline, abandoned)


def _wait_for_hello(
    role: Role, wire: Wire[Received], deadline: float, abandoned: Callable[[], bool]
) -> Hello:
    try:
        while not wire.poll(_LOOK_S):
            _check_patience(role, deadline, abandoned)
        hello = wire.receive()
    except (ConnectionLost, ProtocolError) as error:
        raise ChildStartError(f"The {role} process did not introduce itself: {error}.") from error
    if not isinstance(hello, Hello) or hello.role != role:
        raise ChildStartError(f"The {role} process introduced itself as something else.")
    if hello.protocol != PROTOCOL:
        raise ChildStartError(
            f"The {role} process speaks version {hello.protocol} of the protocol, this program version {PROTOCOL}; "
            "please install Antinomy again."
        )
    return hello


def _check_patience(role: Role, deadline: float, abandoned: Callable[[], bool]) -> None:
    if abandoned():
        raise ChildStartError(f"The start of the {role} process was abandoned.")
    if time.monotonic() > deadline:
        raise ChildStartError(f"The {role} process did not answer in time.")
