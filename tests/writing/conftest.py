"""An endpoint of our own on this machine, as good or as bad as a test needs it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from engine.protocol.answers import Answer, AnswerPassage, Signals
from engine.writing.settings import Kind, ModelSettings

SIGNALS = Signals(0.5, 0.5, 1.0, 1.0, 0.0, 1.0)


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


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.released.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def settings(endpoint) -> ModelSettings:
    return ModelSettings(Kind.OPENAI, endpoint.url, "small", timeout_s=10.0)


def passage(text: str, number: str = "4.1") -> AnswerPassage:
    span = (0, len(text))
    return AnswerPassage("sha256:abc", "c1", number, "Payment", 0, *span, text, (span,), 0.9, SIGNALS)


@pytest.fixture
def answer() -> Answer:
    text = "The Buyer shall pay within thirty (30) days after receipt."
    return Answer("When must the Buyer pay?", (passage(text),), 0.9, (), {})
