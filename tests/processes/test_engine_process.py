"""The engine's loop in a real process, spoken to frame by frame."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.document import CharacterBoxes, Document, Media, pack
from engine.protocol import codec
from engine.protocol.child import Child, Role
from engine.protocol.messages import (
    Cancel,
    Cancelled,
    Compare,
    Compared,
    Diagnose,
    Diagnosis,
    EngineStatus,
    Failed,
    FaultCode,
    FromEngine,
    Ping,
    Pong,
    Progress,
    Review,
    ReviewDone,
)
from engine.protocol.transport import ConnectionLost

SCRIPT = Path(__file__).parent / "children" / "slow_engine.py"
Start = Callable[..., Child[FromEngine]]


def packed(text: str) -> bytes:
    return pack(Document("sha256:0", "a", Media.TEXT, "en", text, (), (), (), (), (), CharacterBoxes.empty()))


@pytest.fixture
def start() -> Iterator[Start]:
    children = []

    def begin(loading: str = "soon") -> Child[FromEngine]:
        command = lambda role, address: [sys.executable, str(SCRIPT), loading, address]  # noqa: E731 - used once
        children.append(Child.start(Role.ENGINE, codec.from_engine, command=command))
        return children[-1]

    yield begin
    for child in children:
        child.stop()


def receive(child: Child[FromEngine], *kinds: type) -> FromEngine:
    while not isinstance(message := child.wire.receive(), kinds):
        pass
    return message


def test_it_answers_while_it_loads_and_reviews_once_it_is_ready(start):
    child = start()
    child.wire.send(Review(1, (packed("x"),)))
    child.wire.send(Ping(7))
    child.wire.send(Diagnose(2))
    heard = [child.wire.receive()]
    while not isinstance(heard[-1], ReviewDone):
        heard.append(child.wire.receive())
    kinds = [type(message) for message in heard]
    ready = next(i for i, m in enumerate(heard) if isinstance(m, EngineStatus) and m.state == "ready")
    assert kinds.index(Pong) < ready
    assert kinds.index(Diagnosis) < ready
    assert heard[-1].findings[0].code == "value.period"


def test_versions_are_compared_while_it_still_loads(start):
    child = start("never")
    child.wire.send(Compare(1, packed("The Buyer pays within 30 days."), packed("The Buyer pays within 45 days.")))
    answer = receive(child, Compared, Failed)
    assert [change.kind.value for change in answer.comparison.clauses] == ["changed"]
    assert [value.new for value in answer.comparison.clauses[0].values] == ["≤ P45D"]
    child.wire.send(Compare(2, b"not a document", packed("x")))
    assert receive(child, Failed).job == 2


def test_a_review_that_waits_for_loading_is_cancelled(start):
    child = start("never")
    child.wire.send(Review(1, (packed("x"),)))
    child.wire.send(Cancel(1))
    assert receive(child, Cancelled, ReviewDone) == Cancelled(1)


def test_a_failed_load_fails_reviews_in_words(start):
    child = start("bug")
    child.wire.send(Review(1, (packed("x"),)))
    status = receive(child, EngineStatus)
    while status.state != "failed":
        status = receive(child, EngineStatus)
    assert "no libc here" in status.notice
    assert receive(child, Failed).fault.code is FaultCode.ENGINE_NOT_READY


def test_a_running_review_is_cancelled_and_the_next_one_runs(start):
    child = start()
    child.wire.send(Review(1, (packed("long"),)))
    child.wire.send(Review(2, (packed("x"),)))
    child.wire.send(Review(3, (packed("x"),)))
    receive(child, Progress)
    child.wire.send(Cancel(3))
    child.wire.send(Cancel(1))
    child.wire.send(Cancel(99))
    ends = [receive(child, Cancelled, ReviewDone, Failed) for _ in range(3)]
    assert ends[:2] == [Cancelled(3), Cancelled(1)]
    assert isinstance(ends[2], ReviewDone)
    assert ends[2].job == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [("memory", FaultCode.OUT_OF_MEMORY), ("allocator", FaultCode.OUT_OF_MEMORY), ("bug", FaultCode.INTERNAL)],
)
def test_failures_are_typed_and_the_engine_lives_on(start, text, code):
    child = start()
    child.wire.send(Review(1, (packed(text),)))
    assert receive(child, Failed).fault.code is code
    child.wire.send(Review(2, (b"not a document",)))
    assert receive(child, Failed).job == 2
    child.wire.send(Review(3, (packed("x"),)))
    assert receive(child, ReviewDone).job == 3


@pytest.mark.parametrize("frame", [b"", b"\xc1", b"\x80", b"\x81\xa4type\xa3ham", codec.encode(Pong(1))])
def test_garbage_ends_it(start, frame):
    child = start("never")
    child.wire.connection.send_bytes(frame)
    with pytest.raises(ConnectionLost):
        receive(child, Pong)
    assert child.wait(10) == 1
