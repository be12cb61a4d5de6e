"""A written answer: sent once agreed to, streamed, stopped when asked, checked against its passages at the end."""

from __future__ import annotations

import contextlib
import math
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.protocol.answers import Answer, AnswerPassage, Unsupported
from engine.protocol.writing import Written
from engine.retrieval.answer_check import Source, check_answer, count_values
from engine.writing.endpoints import Busy, CutOff, Stream, Usage, begin
from engine.writing.prompt import Prompt, make_prompt
from engine.writing.settings import ModelSettings, WritingFailed

#: How soon a cancel is noticed.
_LOOK_S = 0.1
#: The first pause before another attempt; each further one is twice as long.
_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 30.0
_CHARACTERS_A_TOKEN = 3

_T = TypeVar("_T")
#: Sends a prompt; another one in tests.
Begin = Callable[[Prompt, ModelSettings, str], Stream]


class Writer:
    """Writes answers with one model, within a budget. One at a time; not thread-safe.

    Attributes:
        spent_tokens: since the program began.
    """

    def __init__(self, settings: ModelSettings, key: str, begin_stream: Begin = begin, pause_s: float = _PAUSE_S):
        self.settings = settings
        self.spent_tokens = 0
        self._key = key
        self._begin = begin_stream
        self._pause_s = pause_s

    def prompt_for(self, answer: Answer, mark: str = "") -> Prompt:
        """What :meth:`write` would send; the ``mark`` of an earlier one makes the same words again."""
        return make_prompt(answer.question, answer.passages, self.settings, mark or new_mark())

    def write(
        self,
        answer: Answer,
        on_words: Callable[[str], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
        prompt: Prompt | None = None,
    ) -> Written:
        """Have an answer written from the passages of ``answer``.

        Args:
            on_words: told the words as they come.

        Raises:
            WritingFailed: nothing was written; the sentence says why.
        """
        if not answer.passages:
            raise WritingFailed("There is no passage to write an answer from.")
        sent = prompt or self.prompt_for(answer)
        expected = sent.characters // _CHARACTERS_A_TOKEN + self.settings.most_tokens
        if self.spent_tokens + expected > self.settings.budget_tokens:
            raise WritingFailed(
                "The budget of {budget} tokens is used up ({spent} so far).",
                {"budget": str(self.settings.budget_tokens), "spent": str(self.spent_tokens)},
            )
        stream = self._started(sent, cancelled)
        words, usage, problem = self._read(stream, on_words, cancelled)
        text = "".join(words)
        tokens = sum(usage) if usage else (sent.characters + len(text)) // _CHARACTERS_A_TOKEN
        self.spent_tokens += tokens
        if not text.strip():
            raise problem or WritingFailed("The model wrote nothing.")
        checked = check_answer(text, _sources(answer.passages[: sent.passages], answer.parties))
        template, values = (problem.template, problem.values) if problem else ("", {})
        return Written(
            text, tuple(checked), self.settings.model, problem is None, tokens, template, values, count_values(text)
        )

    def _started(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Stream:
        """The stream, after as many attempts as it takes; sending blocks, so it has a thread of its own."""
        pause = self._pause_s
        for attempt in range(1, max(1, self.settings.attempts) + 1):
            answer: queue.SimpleQueue[Stream | WritingFailed] = queue.SimpleQueue()
            given_up = threading.Event()
            arguments = (prompt, answer, given_up)
            threading.Thread(target=self._send, args=arguments, name="model", daemon=True).start()
            try:
                started = _awaited(answer, cancelled)
            except Stopped:
                given_up.set()
                raise
            if not isinstance(started, WritingFailed):
                return started
            if not isinstance(started, Busy) or attempt >= self.settings.attempts:
                raise started
            if not _waited(min(_LONGEST_PAUSE_S, max(pause, started.after_s)), cancelled):
                raise Stopped("Stopped.")
            pause *= 2
        raise WritingFailed("The model was not asked.")

    def _send(
        self, prompt: Prompt, answer: queue.SimpleQueue[Stream | WritingFailed], given_up: threading.Event
    ) -> None:
        try:
            stream = self._begin(prompt, self.settings, self._key)
        except WritingFailed as error:
            answer.put(error)
        except Exception as error:  # noqa: BLE001 - thread boundary: the waiting one is told
            answer.put(WritingFailed("The model cannot be asked: {error}.", {"error": str(error)}))
        else:
            if given_up.is_set():
                stream.close()
            answer.put(stream)

    def _read(
        self, stream: Stream, on_words: Callable[[str], None], cancelled: Callable[[], bool]
    ) -> tuple[list[str], Usage | None, WritingFailed | None]:
        """Words, usage where it was told, and what went wrong."""
        parts: queue.SimpleQueue[str | Usage | WritingFailed | None] = queue.SimpleQueue()
        threading.Thread(target=_pump, args=(stream, parts), name="model", daemon=True).start()
        words: list[str] = []
        usage: Usage | None = None
        try:
            while True:
                try:
                    part = _awaited(parts, cancelled, self.settings.timeout_s)
                except Stopped as stopped:
                    part = stopped
                if part is None:
                    return words, usage, None
                if isinstance(part, WritingFailed):
                    return words, usage, part
                if isinstance(part, Usage):
                    usage = part
                    continue
                words.append(part)
                on_words(part)
                # An endpoint may ignore the limit it was given.
                if sum(map(len, words)) > self.settings.most_tokens * 8:
                    return words, usage, WritingFailed("The answer was too long.")
        finally:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.close()


def new_mark() -> str:
    """What encloses the passages of a prompt: random, so that no contract can hold it."""
    return f"<<{secrets.token_hex(8)}>>"


class Stopped(WritingFailed):
    """It was cancelled, or nothing came for too long."""


def _pump(stream: Stream, parts: queue.SimpleQueue[str | Usage | WritingFailed | None]) -> None:
    try:
        for part in stream:
            parts.put(part)
        parts.put(None)
    except WritingFailed as error:
        parts.put(error)
    except Exception as error:  # noqa: BLE001 - thread boundary: the waiting one is told
        parts.put(CutOff("The answer broke off: {error}.", {"error": str(error)}))


def _awaited(parts: queue.SimpleQueue[_T], cancelled: Callable[[], bool], timeout_s: float = math.inf) -> _T:
    """The next part.

    Raises:
        Stopped: it was cancelled, or nothing came in time.
    """
    until = time.monotonic() + timeout_s
    while not cancelled():
        with contextlib.suppress(queue.Empty):
            return parts.get(timeout=_LOOK_S)
        if time.monotonic() > until:
            raise Stopped("The model gave no sign of life in time.")
    raise Stopped("Stopped.")


def _waited(seconds: float, cancelled: Callable[[], bool]) -> bool:
    """Wait; False as soon as it is cancelled."""
    until = time.monotonic() + seconds
    quiet = threading.Event()
    while (left := until - time.monotonic()) > 0:
        if cancelled():
            return False
        quiet.wait(min(_LOOK_S, left))
    return not cancelled()


def _sources(passages: Sequence[AnswerPassage], names: Sequence[str]) -> list[Source]:
    out = []
    for passage in passages:
        language = "zh" if any("\u3400" <= character <= "\u9fff" for character in passage.text) else "en"
        out.append(Source(passage.text, language, passage.number, tuple(names)))
    return out


def marked(text: str, unsupported: Sequence[Unsupported], form: str = "[?{}]") -> str:
    """The text with each unsupported value marked in it: ``within [?45 days]``."""
    out, at = [], 0
    for each in unsupported:
        if each.start >= at:
            out += [text[at : each.start], form.format(text[each.start : each.end])]
            at = each.end
    return "".join([*out, text[at:]])
