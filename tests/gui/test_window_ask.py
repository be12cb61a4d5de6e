"""Asking in the window: a question, its quotes on the pages, choices, disagreement, failure."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from window_bench import Bench, sample_document

from engine.protocol.answers import Answer, AnswerPassage, Choice, Signals
from engine.protocol.messages import Fault, FaultCode
from gui.commands.names import Name
from gui.theme import Layer

DOCUMENT = sample_document()


def passage(words: str) -> AnswerPassage:
    start = DOCUMENT.text.index(words)
    signals = Signals(0.5, 0.6, 1.0, 0.5, 0.0, 0.9)
    span = (start, start + len(words))
    clause = DOCUMENT.clause_at(start)
    number = clause.number if clause else ""
    return AnswerPassage(
        DOCUMENT.id, clause.id if clause else "", number, "Payment", 0, *span, words, (span,), 0.8, signals
    )


def answer(*words: str, choices: tuple[Choice, ...] = ()) -> Answer:
    confidence = {"intent": 0.9, "retrieval": 0.7, "anchors": 1.0}
    return Answer("When?", tuple(map(passage, words)), 0.9, choices, confidence)


def ask(bench: Bench, question: str) -> int:
    bench.trigger(Name.ASK)
    panel = bench.window.right.ask
    assert bench.window.right.currentWidget() is panel
    panel.question.clear()
    QTest.keyClicks(panel.question, question)
    QTest.keyClick(panel.question, Qt.Key.Key_Return)
    (job,) = bench.processes.waiting("ask")
    return job


@pytest.fixture
def words() -> tuple[str, str]:
    lines = [s for s in DOCUMENT.sentences if "invoice" in DOCUMENT.text[s.start : s.end]]
    return DOCUMENT.text[lines[0].start : lines[0].end], DOCUMENT.text[lines[-1].start : lines[-1].end]


def test_an_answer_is_quoted_and_marked(reviewed: Bench, words) -> None:
    job = ask(reviewed, "When are invoices paid?")
    order, sent = next(arguments for name, _, arguments in reviewed.processes.asked if name == "ask")
    assert (order.question, order.ids) == ("When are invoices paid?", (DOCUMENT.id,))
    assert [document.id for document in sent] == [DOCUMENT.id]
    assert order.index.endswith(".index")
    reviewed.processes.play_answered(job, answer(*words))
    panel = reviewed.window.right.ask
    assert [card.isVisible() for card in panel.cards] == [True, True, False, False, False]
    marks = reviewed.window.pages.view.marks.layer(Layer.ANCHOR)
    assert [DOCUMENT.text[m.start : m.end] for m in marks] == list(words)
    # The review found that these two disagree.
    assert panel.conflicts.isVisible()
    assert "1 and 2 disagree" in panel.conflicts.text()
    panel.why.click()
    assert "0.80" in panel.reasons.text()
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert words[0] in text
    assert words[1] in text
    # What the engine has indexed is not sent twice; the question before is kept.
    job = ask(reviewed, "And then?")
    order, sent = [arguments for name, _, arguments in reviewed.processes.asked if name == "ask"][-1]
    assert sent == ()
    assert order.history == ("When are invoices paid?",)
    reviewed.processes.play_answered(job, answer(words[0]))
    assert panel.earlier[0].text() == "When are invoices paid?"


def test_the_first_two_passages_can_be_linked(reviewed: Bench, words) -> None:
    reviewed.processes.play_answered(ask(reviewed, "When?"), answer(*words))
    reviewed.window.right.ask.link.click()
    assert reviewed.window.right.currentWidget() is reviewed.window.right.link_form


def test_a_vague_question_offers_choices(reviewed: Bench, words) -> None:
    choices = (Choice("Payment", "Money: Payment"), Choice("Delivery & risk", "Money: Delivery & risk"))
    reviewed.processes.play_answered(ask(reviewed, "Money"), answer(words[0], choices=choices))
    panel = reviewed.window.right.ask
    assert [b.text() for b in panel.choices if b.isVisible()] == ["Payment", "Delivery && risk"]
    panel.choices[1].click()
    (job,) = reviewed.processes.waiting("ask")
    assert panel.question.text() == "Money: Delivery & risk"
    reviewed.processes.play_answered(job, msgspec.structs.replace(answer(), passages=()))
    assert "No passage answers" in panel.said.text()


def test_stopping_and_failing_are_said(reviewed: Bench, words) -> None:
    panel = reviewed.window.right.ask
    job = ask(reviewed, "When?")
    panel.stop.click()
    assert ("cancel", job, ()) in reviewed.processes.asked
    assert panel.said.text() == "Stopped."
    job = ask(reviewed, "When?")
    sentence = "A document of the matter has not been read yet; ask again in a moment."
    reviewed.processes.play_failed(job, Fault.of(FaultCode.NOT_OPEN, sentence))
    assert panel.said.text() == sentence
    job = ask(reviewed, "When?")
    assert len([arguments for name, _, arguments in reviewed.processes.asked if name == "ask"][-1][1]) == 1
    reviewed.processes.play_answered(job, answer(words[0]))
    assert panel.cards[0].isVisible()


def test_questions_stay_with_their_matter(reviewed: Bench, words) -> None:
    reviewed.processes.play_answered(ask(reviewed, "When are invoices paid?"), answer(words[0]))
    book = reviewed.desk.book
    assert book.setting("ask.questions") == '["When are invoices paid?"]'
    path, panel = book.path, reviewed.window.right.ask

    def go_to(matter: Path) -> None:
        assert book.open(matter)
        reviewed.desk.matter_opened.emit()

    go_to(path.with_name("other.antinomy"))
    assert not panel.earlier_title.isVisibleTo(panel)
    go_to(path)
    assert panel.earlier[0].text() == "When are invoices paid?"
    # A setting that is not readable is no reason not to open.
    book.remember("ask.questions", "{")
    go_to(path.with_name("other.antinomy"))
    go_to(path)
    assert not panel.earlier_title.isVisibleTo(panel)


def test_without_a_contract(bench: Bench) -> None:
    bench.trigger(Name.ASK)
    panel = bench.window.right.ask
    QTest.keyClicks(panel.question, "When?")
    QTest.keyClick(panel.question, Qt.Key.Key_Return)
    assert "Open a contract first" in panel.said.text()
    QTest.keyClick(panel.question, Qt.Key.Key_Escape)
    assert bench.window.right.currentWidget() is bench.window.right.evidence
