"""Asking in the window with what nobody wishes for: empty and endless questions, other languages, hostile words; and
what a person does with an answer: notes, links, a choice refined."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_bench import Bench, sample_document

from engine.protocol.answers import Answer, AnswerPassage, Choice, Signals, Unsupported
from engine.protocol.writing import Written
from gui.commands.names import Name

DOCUMENT = sample_document()
SENTENCES = [DOCUMENT.text[s.start : s.end] for s in DOCUMENT.sentences]


def passage(words: str) -> AnswerPassage:
    start = DOCUMENT.text.index(words)
    span = (start, start + len(words))
    return AnswerPassage(
        DOCUMENT.id, "", "1", "Payment", 0, *span, words, (span,), 0.8, Signals(0.5, 0.6, 1.0, 0.5, 0.0, 0.9)
    )


def answer(*words: str, choices: tuple[Choice, ...] = ()) -> Answer:
    return Answer("When?", tuple(map(passage, words)), 0.9, choices, {"intent": 0.9})


def enter(bench: Bench, question: str) -> None:
    bench.trigger(Name.ASK)
    panel = bench.window.right.ask
    panel.question.setText(question)
    QTest.keyClick(panel.question, Qt.Key.Key_Return)


def ask(bench: Bench, question: str, told: Answer) -> None:
    enter(bench, question)
    (job,) = bench.processes.waiting("ask")
    bench.processes.play_answered(job, told)


@pytest.mark.parametrize("question", ["", "   ", "\t"])
def test_an_empty_question_asks_nothing(reviewed: Bench, question: str) -> None:
    enter(reviewed, question)
    assert reviewed.processes.waiting("ask") == []


@pytest.mark.parametrize(
    "question",
    ["word " * 2_000, "Когда платить?", "いつ払うか", "متى يجب الدفع؟", "'; DROP TABLE chunk; --", "<b>x</b>"],
)
def test_any_question_is_asked_as_it_is(reviewed: Bench, question: str) -> None:
    ask(reviewed, question, msgspec.structs.replace(answer(), passages=()))
    order = next(arguments[0] for name, _, arguments in reviewed.processes.asked if name == "ask")
    assert order.question == question.strip()
    panel = reviewed.window.right.ask
    assert "No passage answers" in panel.said.text()
    assert not panel.keep.isVisible()
    ask(reviewed, "When?", answer(SENTENCES[0]))
    assert panel.earlier[0].text().replace("&&", "&") == question.strip()


def test_what_a_model_writes_is_no_markup(reviewed: Bench) -> None:
    ask(reviewed, "When?", answer(SENTENCES[0]))
    card = reviewed.window.right.ask.written
    text = '<img src="http://127.0.0.1:9/x"> <a href="http://evil">30 days</a> [1] [99]'
    at = text.index("30 days")
    card.show_written(Written(text, (Unsupported("period", "P30D", at, at + 7),), "m", True, 5, checked=1))
    shown = card.text.text()
    assert "<img" not in shown
    assert "http://evil" not in shown.replace("&quot;http://evil&quot;", "")
    assert "[?30 days]" in shown
    # A link of another kind than a citation leads nowhere; a citation of a passage that is not there neither.
    card.text.linkActivated.emit("http://evil")
    card.text.linkActivated.emit("passage:99")
    assert reviewed.window.right.ask.cards[0].isVisible()


def test_an_answer_is_kept_as_a_note_and_deleted_again(reviewed: Bench) -> None:
    ask(reviewed, "When are invoices paid?", answer(SENTENCES[0], SENTENCES[2]))
    panel = reviewed.window.right.ask
    reviewed.click(panel.keep)
    assert (panel.keep.text(), panel.notes[0].text()) == ("Saved as note", "When are invoices paid?")
    # Another answer does not have the note; the note brings the first one back, though the engine is not asked.
    ask(reviewed, "Who may assign?", answer(SENTENCES[1]))
    assert not panel.keep.isChecked()
    assert not panel.cards[1].isVisible()
    reviewed.click(panel.notes[0])
    assert panel.question.text() == "When are invoices paid?"
    assert panel.cards[1].isVisible()
    assert reviewed.processes.waiting("ask") == []
    assert panel.keep.isChecked()
    assert reviewed.desk.book.setting("ask.notes").startswith("[{")
    reviewed.click(panel.keep)
    assert panel.keep.text() == "Save as note"
    assert not panel.notes_title.isVisible()
    assert reviewed.desk.book.setting("ask.notes") == "[]"


def test_notes_that_are_not_readable_are_none(reviewed: Bench) -> None:
    book = reviewed.desk.book
    path = book.path
    book.remember("ask.notes", '[{"asked": 3}]')
    assert book.open(path.with_name("other.antinomy"))
    reviewed.desk.matter_opened.emit()
    assert book.open(path)
    reviewed.desk.matter_opened.emit()
    assert not reviewed.window.right.ask.notes_title.isVisibleTo(reviewed.window.right.ask)


def test_any_two_passages_can_be_linked_those_that_disagree_first(reviewed: Bench) -> None:
    ask(reviewed, "When?", answer(SENTENCES[1], SENTENCES[0], SENTENCES[2]))
    panel = reviewed.window.right.ask
    assert "2 and 3 disagree" in panel.conflicts.text()
    assert [panel.pair.itemText(i) for i in range(panel.pair.count())] == ["1 and 2", "1 and 3", "2 and 3"]
    assert panel.pair.currentText() == "2 and 3"
    linked = []
    reviewed.window.left.clauses.link_dropped.connect(lambda first, second: linked.append((first.start, second.start)))
    reviewed.click(panel.link)
    assert linked == [(DOCUMENT.text.index(SENTENCES[0]), DOCUMENT.text.index(SENTENCES[2]))]
    assert reviewed.window.right.currentWidget() is reviewed.window.right.link_form


def test_one_click_refines_a_vague_question(reviewed: Bench) -> None:
    choices = (Choice("Payment", "Money: Payment"), Choice("Assignment", "Money: Assignment"))
    ask(reviewed, "Money", answer(SENTENCES[0], choices=choices))
    panel = reviewed.window.right.ask
    reviewed.click(panel.choices[1])
    (job,) = reviewed.processes.waiting("ask")
    reviewed.processes.play_answered(job, answer(SENTENCES[1]))
    assert not panel.choices[0].isVisible()
    # The choice is a question like any other: it can be asked again, and the next one may follow it.
    assert panel.earlier[0].text() == "Money"
    ask(reviewed, "And who may?", answer(SENTENCES[1]))
    order = [arguments[0] for name, _, arguments in reviewed.processes.asked if name == "ask"][-1]
    assert order.history == ("Money", "Money: Assignment")
