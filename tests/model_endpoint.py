"""An endpoint of our own on this machine, as good or as bad as a test needs it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint(ThreadingHTTPServer):
    """Streams ``words`` unless told to misbehave: ``statuses`` come first, one a request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.words: list[str] = ["Payment is due ", "within 30 days [1]."]
        self.statuses: list[int] = []
        self.body: bytes | None = None
        self.cut = False
        self.hang = False
        self.redirect = ""
        self.released = threading.Event()
        self.asked: list[dict] = []
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        server = self.server
        server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        server.keys.append(self.headers.get("Authorization", ""))
        status = server.statuses.pop(0) if server.statuses else 200
        self.send_response(302 if server.redirect else status)
        if server.redirect:
            self.send_header("Location", server.redirect)
        self.end_headers()
        if status != 200 or server.redirect:
            self.wfile.write(json.dumps({"error": {"message": "not now"}}).encode())
            return
        if server.body is not None:
            self.wfile.write(server.body)
            return
        for words in server.words:
            self.event({"choices": [{"delta": {"content": words}}]})
        if server.hang:
            server.released.wait(30)
            return
        if not server.cut:
            self.event({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 9}})
            self.wfile.write(b"data: [DONE]\n\n")

    def event(self, data: dict) -> None:
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\n\n")
        self.wfile.flush()

    def log_message(self, *arguments: object) -> None:
        """Tests are quiet."""


@contextlib.contextmanager
def served() -> Iterator[Endpoint]:
    """An endpoint that answers until the block ends."""
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
