"""Writing in the engine process: each answer in a thread of its own, so that a review never waits for a network.

Nothing is sent before the person has configured a model and agreed to its address; the one place from which this
program speaks to a network is :mod:`engine.writing.endpoints`, and it is only called from here and from the command
line.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from engine.protocol.base import Cancelled, Failed, Fault, FaultCode, Message
from engine.protocol.transport import ConnectionLost
from engine.protocol.writing import (
    AnswerWritten,
    ConfigureModel,
    DescribeModel,
    ModelDescribed,
    ModelSettings,
    Write,
    WriteProposed,
    WritingProgressed,
)
from engine.writing.settings import (
    Keyring,
    WritingFailed,
    forget_settings,
    keep_key,
    load_settings,
    read_key,
    save_settings,
    system_keyring,
)

if TYPE_CHECKING:
    from engine.writing.written import Begin

#: Words go to the window at most so often.
_EVERY_S = 0.04
log = logging.getLogger(__name__)


class WritingDesk:
    """Takes the messages about writing, from any thread; answers through ``send``."""

    def __init__(
        self,
        send: Callable[[Message], None],
        keyring: Callable[[], Keyring] = system_keyring,
        begin_stream: Begin | None = None,
        pause_s: float = 1.0,
    ) -> None:
        self._send = send
        self._keyring = keyring
        self._begin = begin_stream
        self._pause_s = pause_s
        self._lock = threading.Lock()
        self._running: dict[int, _Run] = {}
        self._spent = 0

    def take(self, message: Write | DescribeModel | ConfigureModel) -> None:
        """Begin; the answer comes from a thread of its own: a keyring and a network may wait."""
        run = _Run()
        with self._lock:
            self._running[message.job] = run
        threading.Thread(target=self._work, args=(message, run), name="writing", daemon=True).start()

    def stop(self, job: int) -> None:
        """End an answer that is being written; what has come is kept."""
        with self._lock:
            run = self._running.get(job)
        if run is not None:
            run.stopped.set()

    def cancel(self, job: int) -> bool:
        """End a job for good; False when it is none of these."""
        with self._lock:
            run = self._running.get(job)
        if run is None:
            return False
        run.cancelled.set()
        run.stopped.set()
        return True

    def _work(self, message: Write | DescribeModel | ConfigureModel, run: _Run) -> None:
        try:
            answer = self._answer(message, run)
        except WritingFailed as error:
            answer = Failed(message.job, Fault.of(FaultCode.NOT_WRITTEN, error.template, error.values or None))
        except Exception:  # thread boundary: a failure of ours is said too
            log.exception("writing failed")
            sentence = "The answer could not be written because of a mistake in Antinomy; the log has the details."
            answer = Failed(message.job, Fault.of(FaultCode.INTERNAL, sentence))
        with self._lock:
            del self._running[message.job]
        if run.cancelled.is_set():
            answer = Cancelled(message.job)
        try:
            self._send(answer)
        except ConnectionLost:
            log.info("the window is gone")

    def _answer(self, message: Write | DescribeModel | ConfigureModel, run: _Run) -> Message:
        folder = Path(message.folder)
        if isinstance(message, ConfigureModel):
            self._configure(folder, message)
        if isinstance(message, Write):
            return self._write(folder, message, run)
        settings = load_settings(folder)
        return ModelDescribed(message.job, settings, self._has_key(settings), self._spent)

    def _configure(self, folder: Path, message: ConfigureModel) -> None:
        if message.settings is None:
            forget_settings(folder)
            return
        save_settings(folder, message.settings)
        if message.key:
            keep_key(message.settings, message.key, self._keyring())

    def _has_key(self, settings: ModelSettings | None) -> bool:
        if settings is None:
            return False
        try:
            return bool(read_key(settings, self._keyring()))
        except WritingFailed:
            return False

    def _write(self, folder: Path, message: Write, run: _Run) -> Message:
        # What speaks to a network is imported when somebody wants it to.
        from engine.writing.endpoints import begin
        from engine.writing.written import Stopped, Writer, new_mark

        settings = load_settings(folder)
        if settings is None:
            raise WritingFailed("No model is configured to write answers.")
        mark = message.mark or new_mark()
        if settings.url not in (settings.agreed, message.agreed):
            return self._proposed(message, settings, mark)
        if message.remember:
            save_settings(folder, msgspec.structs.replace(settings, agreed=settings.url))
        key = "" if settings.is_local else read_key(settings, self._keyring())
        writer = Writer(settings, key, self._begin or begin, self._pause_s)
        writer.spent_tokens = self._spent
        heard = _Bundle(lambda words: self._send(WritingProgressed(message.job, words)))
        try:
            written = writer.write(
                message.answer, on_words=heard.add, cancelled=run.stopped.is_set,
                prompt=writer.prompt_for(message.answer, mark),
            )  # fmt: skip
        except Stopped:
            # Stopped before the first word: there is nothing to show, and nothing went wrong.
            if run.stopped.is_set():
                return Cancelled(message.job)
            raise
        finally:
            with self._lock:
                self._spent = writer.spent_tokens
        return AnswerWritten(message.job, written, self._spent)

    def _proposed(self, message: Write, settings: ModelSettings, mark: str) -> WriteProposed:
        if not message.answer.passages:
            raise WritingFailed("There is no passage to write an answer from.")
        from engine.writing.prompt import make_prompt

        prompt = make_prompt(message.answer.question, message.answer.passages, settings, mark)
        return WriteProposed(
            message.job, mark, settings.url, settings.model, settings.is_local, prompt.passages, prompt.system,
            prompt.user,
        )  # fmt: skip


class _Run:
    """A job's switches."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.cancelled = threading.Event()


class _Bundle:
    """Puts words together that come faster than a person reads; what is left at the end stands in the answer."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._held: list[str] = []
        self._sent_s = 0.0

    def add(self, words: str) -> None:
        """The next words."""
        self._held.append(words)
        now = time.monotonic()
        if now - self._sent_s >= _EVERY_S:
            self._send("".join(self._held))
            self._held.clear()
            self._sent_s = now
