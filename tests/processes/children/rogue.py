"""Children that misbehave at the handshake. First argument: how."""

from __future__ import annotations

import os
import sys
import threading
from multiprocessing.connection import Client

from engine.protocol.child import KEY_VARIABLE
from engine.protocol.codec import encode
from engine.protocol.messages import PROTOCOL, Hello, Pong

way, address = sys.argv[1:]
if way == "exit":
    raise SystemExit("something is missing")
if way == "silent":
    threading.Event().wait()
if way == "wrong key":
    Client(address, authkey=b"guessed")
connection = Client(address, authkey=bytes.fromhex(os.environ[KEY_VARIABLE]))
if way == "old":
    connection.send_bytes(encode(Hello(PROTOCOL - 1, "reader", os.getpid(), "0.0.1")))
elif way == "role":
    connection.send_bytes(encode(Hello(PROTOCOL, "engine", os.getpid(), "0.0.1")))
elif way == "pong":
    connection.send_bytes(encode(Pong(1)))
elif way == "garbage":
    connection.send_bytes(b"GET / HTTP/1.1\r\n")
elif way == "gone":
    raise SystemExit(0)
threading.Event().wait()
