"""An endpoint of our own on this machine, and an answer to write from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from model_endpoint import Endpoint, served

from engine.protocol.answers import Answer, AnswerPassage, Signals
from engine.writing.settings import Kind, ModelSettings

SIGNALS = Signals(0.5, 0.5, 1.0, 1.0, 0.0, 1.0)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served() as server:
        yield server


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
