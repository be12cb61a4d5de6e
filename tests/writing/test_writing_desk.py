"""Writing in the engine process: proposed, agreed to, streamed, stopped; every sentence has a Chinese one."""

from __future__ import annotations

import ast
import queue
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

import engine.writing
from engine.protocol.base import Cancelled, Failed, FaultCode
from engine.protocol.transport import ConnectionLost
from engine.protocol.writing import (
    AnswerWritten,
    ConfigureModel,
    DescribeModel,
    Kind,
    ModelDescribed,
    ModelSettings,
    Write,
    WriteProposed,
    WritingProgressed,
)
from engine.writing.desk import WritingDesk
from gui.translation import Language, table


class Told:
    """What the desk has sent, one message after another."""

    def __init__(self) -> None:
        self.messages: queue.Queue = queue.Queue()
        self.words: list[str] = []

    def terminal(self):
        while isinstance(message := self.messages.get(timeout=30), WritingProgressed):
            self.words.append(message.words)
        return message

    def first_words(self) -> str:
        return self.messages.get(timeout=30).words


@pytest.fixture
def keys() -> dict[tuple[str, str], str]:
    return {}


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def desk(told, keys):
    keyring = SimpleNamespace(
        get_password=lambda service, name: keys.get((service, name)),
        set_password=lambda service, name, key: keys.__setitem__((service, name), key),
    )
    return WritingDesk(told.messages.put, lambda: keyring, pause_s=0.01)


def configured(desk, told, folder, settings, key=""):
    desk.take(ConfigureModel(1, str(folder), settings, key))
    return told.terminal()


def test_off_until_configured(desk, told, tmp_path, endpoint, answer):
    desk.take(DescribeModel(1, str(tmp_path)))
    assert told.terminal() == ModelDescribed(1, None)
    desk.take(Write(2, str(tmp_path), answer, agreed=endpoint.url))
    failed = told.terminal()
    assert (type(failed), failed.fault.code) == (Failed, FaultCode.NOT_WRITTEN)
    assert endpoint.asked == []


def test_nothing_is_sent_before_its_very_words_were_agreed_to(desk, told, tmp_path, endpoint, settings, answer):
    assert configured(desk, told, tmp_path, settings).settings == settings
    desk.take(Write(2, str(tmp_path), answer))
    proposed = told.terminal()
    assert isinstance(proposed, WriteProposed)
    assert (proposed.url, proposed.is_local, proposed.passages) == (endpoint.url, True, 1)
    assert endpoint.asked == []
    # Agreement to another address is none to this one.
    desk.take(Write(3, str(tmp_path), answer, agreed="https://example.com/v1"))
    assert isinstance(told.terminal(), WriteProposed)
    desk.take(Write(4, str(tmp_path), answer, proposed.mark, proposed.url))
    done = told.terminal()
    assert isinstance(done, AnswerWritten)
    assert done.written.text == "".join(endpoint.words)
    assert (done.written.checked, done.written.unsupported, done.spent_tokens) == (1, (), 109)
    (asked,) = endpoint.asked
    assert [message["content"] for message in asked["messages"]] == [proposed.system, proposed.user]
    # This once was not for ever.
    desk.take(Write(5, str(tmp_path), answer))
    assert isinstance(told.terminal(), WriteProposed)
    desk.take(Write(6, str(tmp_path), answer, agreed=proposed.url, remember=True))
    assert told.terminal().spent_tokens == 218
    desk.take(Write(7, str(tmp_path), answer))
    assert isinstance(told.terminal(), AnswerWritten)
    # Another address is asked about again.
    configured(desk, told, tmp_path, msgspec.structs.replace(settings, url="http://127.0.0.1:9/v1"))
    desk.take(Write(8, str(tmp_path), answer))
    assert isinstance(told.terminal(), WriteProposed)


def test_a_key_goes_to_the_keyring_alone(desk, told, tmp_path, keys):
    settings = ModelSettings(Kind.ANTHROPIC, "https://api.anthropic.com", "m")
    assert configured(desk, told, tmp_path, settings, "secret").has_key
    assert list(keys.values()) == ["secret"]
    assert all("secret" not in path.read_text() for path in tmp_path.iterdir())
    assert configured(desk, told, tmp_path, settings).has_key
    assert configured(desk, told, tmp_path, None).settings is None
    refused = configured(desk, told, tmp_path, ModelSettings(Kind.OPENAI, "http://example.com/v1", "m"))
    assert "not encrypted" in refused.fault.sentence


def test_a_stopped_answer_is_kept_and_checked(desk, told, tmp_path, endpoint, settings, answer):
    configured(desk, told, tmp_path, settings)
    endpoint.words, endpoint.hang = ["It is 45 days [1]. "], True
    desk.take(Write(2, str(tmp_path), answer, agreed=endpoint.url))
    assert told.first_words() == "It is 45 days [1]. "
    desk.stop(2)
    written = told.terminal().written
    assert (written.complete, written.problem) == (False, "Stopped.")
    assert [each.value for each in written.unsupported] == ["P45D"]
    desk.stop(2)
    assert not desk.cancel(2)


def test_a_cancelled_answer_is_gone(desk, told, tmp_path, endpoint, settings, answer):
    configured(desk, told, tmp_path, settings)
    endpoint.hang = True
    desk.take(Write(2, str(tmp_path), answer, agreed=endpoint.url))
    told.first_words()
    assert desk.cancel(2)
    assert told.terminal() == Cancelled(2)
    # Stopped before its first word, an answer is gone as well.
    endpoint.statuses = [503] * 3
    slow = WritingDesk(told.messages.put, pause_s=60.0)
    slow.take(Write(3, str(tmp_path), answer, agreed=endpoint.url))
    while len(endpoint.asked) < 2:
        endpoint.released.wait(0.01)
    slow.stop(3)
    assert told.terminal() == Cancelled(3)


@pytest.mark.parametrize(("status", "said"), [(401, "key was refused"), (500, "status 500")])
def test_a_refusal_is_a_sentence(desk, told, tmp_path, endpoint, settings, answer, status, said):
    configured(desk, told, tmp_path, settings)
    endpoint.statuses = [status] * 3
    desk.take(Write(2, str(tmp_path), answer, agreed=endpoint.url))
    fault = told.terminal().fault
    assert said in fault.sentence
    assert fault.english.format_map(fault.values) == fault.sentence


def test_a_mistake_of_ours_and_a_window_that_is_gone(tmp_path, settings, answer, told):
    def broken():
        raise KeyError("ours")

    desk = WritingDesk(told.messages.put, broken)
    desk.take(Write(1, "\0", answer))
    assert told.terminal().fault.code is FaultCode.INTERNAL
    gone = queue.Queue()

    def lost(message):
        gone.put(message)
        raise ConnectionLost

    WritingDesk(lost).take(DescribeModel(2, str(tmp_path)))
    assert gone.get(timeout=30).job == 2


def test_every_sentence_has_a_chinese_one():
    chinese = table(Language.CHINESE)
    found = set()
    for path in Path(engine.writing.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            # A constant sentence of a failure: passed to one, or kept in a name or table that one is made from.
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("WritingFailed", "Busy", "CutOff", "Stopped"):
                given = node.args[0]
                assert not isinstance(given, ast.JoinedStr), f"{path.name}:{node.lineno}"
                if isinstance(given, ast.Constant):
                    found.add(given.value)
    from engine.writing import endpoints

    found |= {endpoints._OTHER, endpoints._AWAY, endpoints._BROKE, endpoints._ENDED, *endpoints._SAID.values()}
    assert len(found) > 20
    assert sorted(found - set(chinese)) == []
