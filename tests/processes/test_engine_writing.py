"""Written answers in a real engine process, spoken to frame by frame; the model is an endpoint of our own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_endpoint import Endpoint, served

from engine.protocol import codec
from engine.protocol.answers import Answer, AnswerPassage, Signals
from engine.protocol.child import Child, Role
from engine.protocol.messages import Cancel, Cancelled, Failed, FaultCode, FromEngine, Ping, Pong
from engine.protocol.writing import (
    AnswerWritten,
    ConfigureModel,
    DescribeModel,
    Kind,
    ModelDescribed,
    ModelSettings,
    StopWriting,
    Write,
    WriteProposed,
    WritingProgressed,
)

SCRIPT = Path(__file__).parent / "children" / "slow_engine.py"
TEXT = "The Buyer shall pay within thirty (30) days after receipt."


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served() as server:
        yield server


@pytest.fixture
def child() -> Iterator[Child[FromEngine]]:
    # It never finishes loading: writing waits for no torch.
    command = lambda role, address: [sys.executable, str(SCRIPT), "never", address]  # noqa: E731 - used once
    started = Child.start(Role.ENGINE, codec.from_engine, command=command)
    yield started
    started.stop()


def receive(child: Child[FromEngine], *kinds: type) -> FromEngine:
    while not isinstance(message := child.wire.receive(), kinds):
        pass
    return message


def answer() -> Answer:
    span = (0, len(TEXT))
    signals = Signals(0.5, 0.5, 1.0, 1.0, 0.0, 1.0)
    passage = AnswerPassage("sha256:abc", "c1", "4.1", "Payment", 0, *span, TEXT, (span,), 0.9, signals)
    return Answer("When must the Buyer pay?", (passage,), 0.9, (), {})


def configured(child: Child[FromEngine], folder: Path, url: str) -> ModelDescribed:
    child.wire.send(ConfigureModel(1, str(folder), ModelSettings(Kind.OPENAI, url, "small")))
    return receive(child, ModelDescribed, Failed)


def test_an_answer_is_proposed_sent_and_checked_while_the_engine_still_loads(child, endpoint, tmp_path):
    child.wire.send(DescribeModel(9, str(tmp_path)))
    assert receive(child, ModelDescribed) == ModelDescribed(9, None)
    assert configured(child, tmp_path, endpoint.url).settings.url == endpoint.url
    child.wire.send(Write(2, str(tmp_path), answer()))
    proposed = receive(child, WriteProposed)
    assert TEXT in proposed.user
    assert endpoint.asked == []
    endpoint.words = ["Within 45 days", " [1]."]
    child.wire.send(Write(3, str(tmp_path), answer(), proposed.mark, proposed.url))
    assert receive(child, WritingProgressed).words.startswith("Within 45 days")
    written = receive(child, AnswerWritten).written
    assert [each.value for each in written.unsupported] == ["P45D"]
    assert [m["content"] for m in endpoint.asked[0]["messages"]] == [proposed.system, proposed.user]


def test_it_answers_while_a_model_is_silent(child, endpoint, tmp_path):
    configured(child, tmp_path, endpoint.url)
    endpoint.hang = True
    child.wire.send(Write(2, str(tmp_path), answer(), agreed=endpoint.url))
    receive(child, WritingProgressed)
    child.wire.send(Ping(7))
    assert receive(child, Pong).token == 7
    child.wire.send(StopWriting(2))
    assert not receive(child, AnswerWritten).written.complete
    child.wire.send(Write(3, str(tmp_path), answer(), agreed=endpoint.url))
    receive(child, WritingProgressed)
    child.wire.send(Cancel(3))
    assert receive(child, Cancelled) == Cancelled(3)


def test_an_endpoint_that_is_down_is_a_sentence(child, tmp_path):
    settings = ModelSettings(Kind.OPENAI, "http://127.0.0.1:9/v1", "small", attempts=1)
    child.wire.send(ConfigureModel(1, str(tmp_path), settings))
    receive(child, ModelDescribed)
    child.wire.send(Write(2, str(tmp_path), answer(), agreed=settings.url))
    fault = receive(child, Failed).fault
    assert fault.code is FaultCode.NOT_WRITTEN
    assert "cannot be reached" in fault.sentence
