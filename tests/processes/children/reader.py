"""A reader process over a made-up file format, for tests.

The file's first line says how it behaves: ``pages=3 steps=10 step_ms=5 fault=needs_password crash=4 hang=2``.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.document import CharacterBoxes, Document, Media, Page, Sentence
from engine.protocol.messages import FaultCode, PageSize, ReadingOptions
from engine.reader_process import run_reader
from engine.reading.errors import ReadingError


class MadeUpFile:
    media = Media.TEXT

    def __init__(self, path: Path, password: str, options: ReadingOptions) -> None:
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise ReadingError(FaultCode.MISSING_FILE, f"{path.name} is not there.") from None
        self.text = data.decode()
        head = self.text.splitlines()[0] if self.text else ""
        self.options = options
        self.ways = dict(word.split("=", 1) for word in head.split() if "=" in word)
        if self.ways.get("password", "") != password:
            code = FaultCode.WRONG_PASSWORD if password else FaultCode.NEEDS_PASSWORD
            raise ReadingError(code, f"{path.name} needs its password.")
        self.id = "sha256:" + hashlib.sha256(data).hexdigest()
        self.name = path.name
        self.page_sizes = tuple(PageSize(60.0, 80.0) for _ in range(self._way("pages", 1)))
        self._document: Document | None = None

    def _way(self, name: str, default: int) -> int:
        return int(self.ways.get(name, default))

    def prepare(self) -> Iterator[tuple[str, int, int]]:
        for step in range(self._way("prepare", 0)):
            threading.Event().wait(self._way("step_ms", 0) / 1000)
            yield "preparing", step, 0
        if "prepare_fault" in self.ways:
            raise ReadingError(FaultCode.UNREADABLE_FILE, "It cannot be prepared.")

    def read(self) -> Iterator[tuple[str, int, int]]:
        steps = self._way("steps", 3)
        never = threading.Event()
        for step in range(steps):
            if step == self._way("crash", -1):
                os.kill(os.getpid(), signal.SIGKILL)
            if step == self._way("hang", -1):
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
                never.wait()
            if step == self._way("bug", -1):
                raise RuntimeError("a bug of ours")
            if step == self._way("memory", -1):
                bytearray(1 << 40)
            never.wait(self._way("step_ms", 0) / 1000)
            yield "reading", step + 1, steps
        n = len(self.text)
        rect = np.tile(np.array([1, 1, 2, 2], np.float32), (n, 1))
        pages = tuple(Page(i, 60.0, 80.0, 0 if i == 0 else n, n) for i in range(len(self.page_sizes)))
        boxes = CharacterBoxes(rect, np.zeros(n, np.int32))
        sentences = (Sentence(0, n, ""),)
        self._document = Document(
            self.id, self.name, self.media, "en", self.text, pages, (), sentences, (), (), boxes
        )

    @property
    def document(self) -> Document:
        if self._document is None:
            raise RuntimeError("not read yet")
        return self._document

    def render(self, page: int, scale: float, clip: tuple[float, ...], target: memoryview) -> tuple[int, int, int]:
        if self._way("render_crash", -1) == page:
            os.kill(os.getpid(), signal.SIGKILL)
        left, top, right, bottom = clip or (0.0, 0.0, 60.0, 80.0)
        width, height = round((right - left) * scale), round((bottom - top) * scale)
        stride = self._way("stride", 3 * width)
        if stride * height > len(target) and "stride" not in self.ways:
            raise ValueError("the image does not fit")
        target[: 3 * width * height] = bytes([10 * (page + 1), 20, 30]) * (width * height)
        return width, height, stride

    def close(self) -> None:
        pass


if __name__ == "__main__":
    raise SystemExit(run_reader(sys.argv[1], MadeUpFile))
