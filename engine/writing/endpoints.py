"""Endpoints: the Anthropic API by its official package, any OpenAI-compatible one by plain HTTP. Both give words."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from engine.writing.prompt import Prompt
from engine.writing.settings import Kind, ModelSettings, WritingFailed, optional

#: Answers of an endpoint that is busy or being mended.
_PASSING = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_MOST_ERROR_BYTES = 2_000
_SAID = {
    401: "The key was refused: {told}.", 403: "The key may not use this model: {told}.",
    404: "There is no such model or address: {told}.", 413: "The passages are too long for this model: {told}.",
    429: "The endpoint is busy or the account's limit is reached: {told}.",
}  # fmt: skip
_OTHER = "{url} answered with status {status}: {told}."
_AWAY = "{url} cannot be reached: {reason}."
_BROKE = "{url} broke off: {reason}."
_ENDED = "{url} ended before the answer did."


class Busy(WritingFailed):
    """It did not begin, and may on another attempt. ``after_s`` is how long the endpoint asks to be left alone."""

    def __init__(self, template: str, values: dict[str, str] | None = None, after_s: float = 0.0) -> None:
        super().__init__(template, values)
        self.after_s = after_s


class CutOff(WritingFailed):
    """The stream ended before the answer did."""


class Usage(NamedTuple):
    """Tokens sent and received, as the endpoint counts them."""

    sent: int
    received: int


class Stream(Protocol):
    """Words as they come; ``close`` ends it from any thread."""

    def __iter__(self) -> Iterator[str | Usage]: ...

    def close(self) -> None: ...  # noqa: D102 - described above


def begin(prompt: Prompt, settings: ModelSettings, key: str) -> Stream:
    """Send a prompt.

    Raises:
        Busy: another attempt may help.
        WritingFailed: it cannot be done.
    """
    if settings.kind is Kind.ANTHROPIC:
        return AnthropicStream(prompt, settings, key)
    return OpenAiStream(prompt, settings, key)


class OpenAiStream:
    """Server-sent events of ``POST {url}/chat/completions``, as OpenAI documents them."""

    def __init__(self, prompt: Prompt, settings: ModelSettings, key: str) -> None:
        self._host = settings.url
        body = {
            "model": settings.model, "stream": True, "max_tokens": settings.most_tokens, "temperature": 0,
            "stream_options": {"include_usage": True},
            "messages": [
                {"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user},
            ],
        }  # fmt: skip
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        url = settings.url.rstrip("/") + "/chat/completions"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        try:
            self._response = _OPENER.open(request, timeout=settings.timeout_s)
        except urllib.error.HTTPError as error:
            raise _refused(error, settings) from error
        except (OSError, http.client.HTTPException) as error:
            raise Busy(_AWAY, {"url": settings.url, "reason": _reason(error)}) from error

    def __iter__(self) -> Iterator[str | Usage]:
        seen = False
        try:
            for line in self._response:
                text = line.decode("utf-8", "replace").strip()
                if text == "data: [DONE]":
                    return
                if text.startswith("data:"):
                    seen = True
                    yield from self._event(text[5:])
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CutOff(_BROKE, {"url": self._host, "reason": _reason(error)}) from error
        if not seen:
            raise WritingFailed("{url} answered, but not as a model does. Is the address right?", {"url": self._host})
        raise CutOff(_ENDED, {"url": self._host})

    def _event(self, data: str) -> Iterator[str | Usage]:
        event = json.loads(data)
        if not isinstance(event, dict):
            return
        if event.get("error"):
            raise CutOff("{url} reported an error: {told}.", {"url": self._host, "told": _message(event)})
        for choice in event.get("choices") or ():
            words = (choice.get("delta") or {}).get("content")
            if isinstance(words, str) and words:
                yield words
        usage = event.get("usage")
        if isinstance(usage, dict):
            yield Usage(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))

    def close(self) -> None:
        """End it; a reader that waits wakes up."""
        # Closing alone would wait for that reader.
        with (
            contextlib.suppress(OSError, ValueError),
            socket.fromfd(self._response.fileno(), socket.AF_INET, socket.SOCK_STREAM) as line,
        ):
            line.shutdown(socket.SHUT_RDWR)
        self._response.close()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A contract and a key go where the person said, and nowhere that an answer points to."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _refused(error: urllib.error.HTTPError, settings: ModelSettings) -> WritingFailed:
    # It holds the connection, which it closes only when it is told to.
    with error:
        try:
            told = _message(json.loads(error.read(_MOST_ERROR_BYTES)))
        except (OSError, ValueError, http.client.HTTPException):
            told = ""
    return refusal(error.code, told, error.headers.get("Retry-After", ""), settings)


def refusal(status: int, told: str, retry_after: str, settings: ModelSettings) -> WritingFailed:
    """What an HTTP status means, in a sentence."""
    values = {"told": told or f"HTTP {status}", "url": settings.url, "status": str(status)}
    template = _SAID.get(status, _OTHER)
    if status in _PASSING:
        return Busy(template, values, float(retry_after) if retry_after.isdecimal() else 0.0)
    return WritingFailed(template, values)


def _message(event: object) -> str:
    error = event.get("error") if isinstance(event, dict) else None
    words = error.get("message") if isinstance(error, dict) else error
    return str(words or "")[:200].strip().rstrip(".")


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, TimeoutError):
        return "no sign of life in time"
    return str(getattr(reason, "strerror", None) or reason or type(reason).__name__).rstrip(".")


class AnthropicStream:
    """The Messages API through the official package, its own retries off: ours can be cancelled."""

    def __init__(
        self, prompt: Prompt, settings: ModelSettings, key: str, load: Callable[[str], Any] = optional
    ) -> None:
        self._sdk = load("anthropic")
        self._settings = settings
        client = self._sdk.Anthropic(
            api_key=key or None, base_url=settings.url, timeout=settings.timeout_s, max_retries=0
        )
        try:
            self._manager = client.messages.stream(
                model=settings.model, max_tokens=settings.most_tokens, system=prompt.system,
                messages=[{"role": "user", "content": prompt.user}],
            )  # fmt: skip
            self._stream = self._manager.__enter__()
        except self._sdk.APIStatusError as error:
            raise self._refused(error) from error
        except self._sdk.APIConnectionError as error:
            raise Busy(_AWAY, {"url": settings.url, "reason": _reason(error)}) from error
        except self._sdk.AnthropicError as error:
            raise WritingFailed("The model cannot be asked: {error}.", {"error": str(error)}) from error

    def _refused(self, error: Any) -> WritingFailed:
        return refusal(
            error.status_code, _message(error.body), error.response.headers.get("retry-after", ""), self._settings
        )

    def __iter__(self) -> Iterator[str | Usage]:
        try:
            yield from self._stream.text_stream
            message = self._stream.get_final_message()
        except Exception as error:
            # Its stream lets errors of its HTTP library and of a cut message through, in several classes.
            raise CutOff(_BROKE, {"url": self._settings.url, "reason": _reason(error)}) from error
        if message.stop_reason is None:
            raise CutOff(_ENDED, {"url": self._settings.url})
        yield Usage(message.usage.input_tokens, message.usage.output_tokens)

    def close(self) -> None:
        """End it."""
        self._stream.close()
