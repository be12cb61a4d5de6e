"""A connection that carries messages: whole frames, never pickle, sending from any thread."""

from __future__ import annotations

import threading
from multiprocessing.connection import Connection
from typing import Any, Generic

from engine.protocol.codec import FrameDecoder, Received, encode
from engine.protocol.messages import Message

#: A longer frame ends the connection: no honest document is near it.
MAX_FRAME_BYTES = 1 << 30


class ConnectionLost(Exception):
    """The other side has gone, or this side has closed."""


class Wire(Generic[Received]):
    """One side of a connection. One thread receives; any thread sends."""

    def __init__(self, connection: Connection[Any, Any], decode: FrameDecoder[Received]) -> None:
        self.connection = connection
        self._decode = decode
        self._sending = threading.Lock()

    def send(self, message: Message) -> None:
        """Send a message; blocks while the other side reads nothing and the system's buffer is full.

        Raises:
            ConnectionLost: the other side has gone.
        """
        frame = encode(message)
        with self._sending:
            try:
                self.connection.send_bytes(frame)
            except (OSError, ValueError) as error:
                raise ConnectionLost(str(error)) from error

    def poll(self, timeout_s: float | None = 0.0) -> bool:
        """Whether a message (or the end) is there within ``timeout_s``; None waits for ever.

        Raises:
            ConnectionLost: the connection is closed.
        """
        try:
            return self.connection.poll(timeout_s)
        except (OSError, ValueError) as error:
            raise ConnectionLost(str(error)) from error

    def receive(self) -> Received:
        """The next message; blocks.

        Raises:
            ConnectionLost: the other side has gone.
            ProtocolError: what came is not a message of this direction.
        """
        try:
            frame = self.connection.recv_bytes(MAX_FRAME_BYTES)
        except (EOFError, OSError, ValueError) as error:
            raise ConnectionLost(str(error)) from error
        return self._decode(frame)

    def close(self) -> None:
        """Close this side; the other side sees the end."""
        with self._sending:
            self.connection.close()
