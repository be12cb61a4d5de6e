"""The child's side of a connection: connect, say hello, end with the parent."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Client

import engine
from engine.protocol.child import KEY_VARIABLE, Role
from engine.protocol.codec import FrameDecoder, Received
from engine.protocol.messages import PROTOCOL, Hello
from engine.protocol.transport import Wire

#: How often a child looks whether its parent is still there.
PARENT_LOOK_S = 0.25
#: Shortest time between two :class:`Progress` messages of a job.
PROGRESS_INTERVAL_S = 0.1
_PR_SET_PDEATHSIG = 1


def connect(address: str, role: Role, decode: FrameDecoder[Received]) -> Wire[Received]:
    """Connect to the parent and say hello.

    Raises:
        OSError, EOFError, multiprocessing.AuthenticationError: there is no parent there, or not ours.
    """
    key = bytes.fromhex(os.environ.pop(KEY_VARIABLE))
    wire = Wire(Client(address, authkey=key), decode)
    wire.send(Hello(PROTOCOL, role, os.getpid(), engine.APP_VERSION))
    return wire


def prepare_process(role: Role) -> None:
    """Make this process a good child: log to stderr, no core dumps, end with the parent, leave Ctrl-C to it."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format=f"%(asctime)s {role} %(process)d %(levelname)s %(message)s"
    )
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        # A core file would hold the contract.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _end_with_parent()


def _end_with_parent() -> None:
    parent = os.getppid()
    if sys.platform == "linux":
        # A library's long step may hold the interpreter, so that no thread of ours could look.
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if sys.platform == "win32":
        return  # the parent's id never changes there; the end of the connection tells
    never = threading.Event()

    def watch() -> None:
        while not never.wait(PARENT_LOOK_S):
            if os.getppid() != parent:
                os._exit(0)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


class Throttle:
    """Lets at most ten a second through, and always the first."""

    def __init__(self, interval_s: float = PROGRESS_INTERVAL_S) -> None:
        self._interval_s = interval_s
        self._next_s = float("-inf")

    def ready(self) -> bool:
        """Whether enough time has passed since the last True."""
        now = time.monotonic()
        if now < self._next_s:
            return False
        self._next_s = now + self._interval_s
        return True
