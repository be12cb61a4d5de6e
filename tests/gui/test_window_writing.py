"""Written answers in the window: off, configured, shown before they are sent, streamed, marked, stopped, failed.

The model is an endpoint of our own on this machine; what the engine process does for the window happens here in a
thread beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from model_endpoint import Endpoint, served
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from window_bench import Bench, sample_document

from engine.protocol.answers import Answer, AnswerPassage, Signals
from engine.protocol.base import Cancelled, Failed
from engine.protocol.writing import ConfigureModel, Kind, ModelSettings
from engine.writing.desk import WritingDesk
from gui.commands.names import Name
from gui.right.model_dialog import ModelDialog
from gui.right.send_dialog import SendDialog

DOCUMENT = sample_document()
WORDS = "The Buyer shall pay each invoice within 30 days."


class Line(QObject):
    """Brings the desk's messages from its threads to the window's."""

    came = Signal(object)

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench
        self.keys: dict[tuple[str, str], str] = {}
        keyring = SimpleNamespace(
            get_password=lambda service, name: self.keys.get((service, name)),
            set_password=lambda service, name, key: self.keys.__setitem__((service, name), key),
        )
        self.desk = WritingDesk(self.came.emit, lambda: keyring, pause_s=0.01)
        self.came.connect(self.on_came, Qt.ConnectionType.QueuedConnection)
        self._taken = 0

    def pump(self) -> None:
        """Hand to the desk what the window has asked."""
        asked = self._bench.processes.asked
        for name, job, arguments in asked[self._taken :]:
            if name == "write":
                (order,) = arguments
                self.desk.take(type(order)(job, *(getattr(order, f) for f in order.__struct_fields__[1:])))
            elif name == "stop_writing":
                self.desk.stop(job)
            elif name == "cancel":
                self.desk.cancel(job)
        self._taken = len(asked)

    @Slot(object)
    def on_came(self, message: object) -> None:
        processes = self._bench.processes
        if isinstance(message, Failed):
            processes.play_failed(message.job, message.fault)
        elif isinstance(message, Cancelled):
            if message.job in processes.waiting():
                processes.cancel(message.job)
        elif message.job in processes.waiting():  # type: ignore[attr-defined]  # all of them have one
            processes.play_writing(message)  # type: ignore[arg-type]  # one of these


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served() as server:
        yield server


@pytest.fixture
def line(reviewed: Bench) -> Line:
    return Line(reviewed)


@pytest.fixture
def until(reviewed: Bench, line: Line) -> Callable[[Callable[[], bool]], None]:
    def wait(holds: Callable[[], bool]) -> None:
        def pumped() -> bool:
            line.pump()
            return holds()

        reviewed.qtbot.waitUntil(pumped, timeout=30_000)

    return wait


def answer() -> Answer:
    start = DOCUMENT.text.index(WORDS)
    span = (start, start + len(WORDS))
    signals = Signals(0.5, 0.6, 1.0, 0.5, 0.0, 0.9)
    passage = AnswerPassage(DOCUMENT.id, "", "1", "Payment", 0, *span, WORDS, (span,), 0.8, signals)
    return Answer("When?", (passage,), 0.9, (), {"intent": 0.9, "retrieval": 0.7, "anchors": 1.0})


def ask(bench: Bench) -> None:
    bench.trigger(Name.ASK)
    panel = bench.window.right.ask
    panel.question.clear()
    QTest.keyClicks(panel.question, "When?")
    QTest.keyClick(panel.question, Qt.Key.Key_Return)
    (job,) = bench.processes.waiting("ask")
    bench.processes.play_answered(job, answer())


def dialog(kind: type[QWidget]) -> QWidget | None:
    found = [each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()]
    return found[0] if found else None


def configure(line: Line, bench: Bench, until, url: str, **changes: object) -> None:
    settings = ModelSettings(Kind.OPENAI, url, "small", **changes)  # type: ignore[arg-type]  # a test's own
    folder = Path(bench.workbench.settings.fileName()).parent
    line.desk.take(ConfigureModel(99_999, str(folder), settings))
    until((folder / "model.json").exists)


def test_off_until_it_is_configured_in_the_dialog(reviewed: Bench, line, until, endpoint) -> None:
    ask(reviewed)
    card = reviewed.window.right.ask.written
    until(lambda: not reviewed.processes.waiting("write"))
    assert card.isVisible()
    assert not card.write.isVisible()
    assert "off" in card.said.text()
    reviewed.click(card.model)
    form = dialog(ModelDialog)
    assert isinstance(form, ModelDialog)
    assert not form.url.isEnabled()
    QTest.keyClick(form.provider, Qt.Key.Key_Down)
    assert (form.url.text(), form.url.isEnabled()) == ("https://api.anthropic.com", False)
    QTest.keyClick(form.provider, Qt.Key.Key_Down)
    QTest.keyClicks(form.url, "http://example.com/v1")
    QTest.keyClicks(form.model, "small")
    reviewed.click(form.buttons.buttons()[0])
    until(form.problem.isVisible)
    assert "not encrypted" in form.problem.text()
    form.url.clear()
    QTest.keyClicks(form.url, endpoint.url)
    QTest.keyClicks(form.key, "secret")
    form.budget.setValue(5_000)
    reviewed.click(form.buttons.buttons()[0])
    until(lambda: dialog(ModelDialog) is None)
    assert card.write.isVisible()
    assert "small at http://127.0.0.1" in card.said.text()
    assert list(line.keys.values()) == ["secret"]
    # Opened again it knows what it was told, but for the key; it can be switched off again.
    reviewed.click(card.model)
    form = dialog(ModelDialog)
    assert isinstance(form, ModelDialog)
    assert (form.url.text(), form.key.text(), form.budget.value()) == (endpoint.url, "", 5_000)
    form.provider.setCurrentIndex(0)
    reviewed.click(form.buttons.buttons()[0])
    until(lambda: dialog(ModelDialog) is None)
    assert not card.write.isVisible()
    assert endpoint.asked == []


def test_nothing_is_sent_before_the_text_was_shown(reviewed: Bench, line, until, endpoint) -> None:
    configure(line, reviewed, until, endpoint.url)
    endpoint.words = ["Within 45 days [1]", ", not 30 days."]
    ask(reviewed)
    card = reviewed.window.right.ask.written
    until(card.write.isVisible)
    reviewed.click(card.write)
    until(lambda: dialog(SendDialog) is not None)
    shown = dialog(SendDialog)
    assert isinstance(shown, SendDialog)
    assert WORDS in shown.text.toPlainText()
    assert DOCUMENT.id in shown.text.toPlainText()
    assert endpoint.url in shown.lead.text()
    # Enter sends nothing.
    QTest.keyClick(shown, Qt.Key.Key_Return)
    until(lambda: dialog(SendDialog) is None)
    assert endpoint.asked == []
    reviewed.click(card.write)
    until(lambda: dialog(SendDialog) is not None)
    shown = dialog(SendDialog)
    assert isinstance(shown, SendDialog)
    QTest.keyClick(shown.remember, Qt.Key.Key_Space)
    assert shown.remember.isChecked()
    reviewed.click(shown.send)
    until(lambda: "[?45 days]" in card.text.text())
    assert "1 of 2 values" in card.said.text()
    assert [m["content"] for m in endpoint.asked[0]["messages"]] == [shown.proposed.system, shown.proposed.user]
    # A citation leads to its passage.
    card.text.linkActivated.emit("passage:1")
    assert reviewed.window.right.ask.cards[0].isVisible()
    # Agreed to for good, the next one needs no dialog. The note keeps both.
    reviewed.click(card.write)
    until(lambda: len(endpoint.asked) == 2 and not reviewed.processes.waiting("write"))
    panel = reviewed.window.right.ask
    reviewed.click(panel.keep)
    assert panel.keep.isChecked()
    assert panel.notes[0].text() == "When?"
    panel.clear()
    panel.show_notes(["When?"])
    panel.notes[0].click()
    assert "[?45 days]" in card.text.text()


def test_a_stopped_answer_stays_and_is_checked(reviewed: Bench, line, until, endpoint) -> None:
    configure(line, reviewed, until, endpoint.url, agreed=endpoint.url)
    endpoint.words, endpoint.hang = ["Within 45 days [1]. "], True
    ask(reviewed)
    card = reviewed.window.right.ask.written
    until(card.write.isVisible)
    reviewed.click(card.write)
    until(lambda: "45 days" in card.text.text())
    assert "not checked yet" in card.said.text()
    reviewed.click(card.stop)
    until(lambda: "[?45 days]" in card.text.text())
    assert "Stopped." in card.said.text()
    assert reviewed.window.right.ask.cards[0].isVisible()


@pytest.mark.parametrize(
    ("fault", "said"),
    [("down", "cannot be reached"), ("key", "key was refused"), ("wrong", "not as a model does"), ("cut", "ended")],
)
def test_a_bad_endpoint_leaves_the_quotes(reviewed: Bench, line, until, endpoint, fault, said) -> None:
    url = endpoint.url
    if fault == "down":
        url = "http://127.0.0.1:9/v1"
    endpoint.statuses = [401] if fault == "key" else []
    endpoint.body = b"<html>" if fault == "wrong" else None
    endpoint.cut = fault == "cut"
    configure(line, reviewed, until, url, agreed=url, attempts=1)
    ask(reviewed)
    card = reviewed.window.right.ask.written
    until(card.write.isVisible)
    reviewed.click(card.write)
    until(lambda: said in card.said.text())
    assert reviewed.window.right.ask.cards[0].isVisible()
    assert card.write.isVisible()


def test_another_question_ends_what_is_being_written(reviewed: Bench, line, until, endpoint) -> None:
    configure(line, reviewed, until, endpoint.url, agreed=endpoint.url)
    endpoint.hang = True
    ask(reviewed)
    card = reviewed.window.right.ask.written
    until(card.write.isVisible)
    reviewed.click(card.write)
    until(lambda: "Payment" in card.text.text())
    (job,) = reviewed.processes.waiting("write")
    ask(reviewed)
    until(lambda: ("cancel", job, ()) in reviewed.processes.asked)
    assert not card.text.isVisible()
