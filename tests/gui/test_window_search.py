"""The search line: switches, expressions, all documents of the matter."""

from __future__ import annotations

from pathlib import Path

import msgspec
from painted_pages import contract
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_bench import Bench

from gui.commands.names import Name
from gui.theme import Layer


def quotes(bench: Bench) -> list[str]:
    view = bench.window.pages.view
    marks = (*view.marks.layer(Layer.FIND), *view.marks.layer(Layer.FIND_CURRENT))
    assert view.document is not None
    return [view.document.quote(mark.start, mark.end) for mark in sorted(marks, key=lambda m: m.start)]


def current(bench: Bench) -> tuple[str, int]:
    (mark,) = bench.window.pages.view.marks.layer(Layer.FIND_CURRENT)
    return bench.desk.current, mark.start


def find(bench: Bench, words: str) -> None:
    bench.window.top_bar.search.setFocus()
    bench.window.top_bar.search.selectAll()
    bench.type(words)
    bench.press(Qt.Key.Key_Return)


def test_the_switches_change_what_is_found_at_once(bench: Bench) -> None:
    bench.open()
    find(bench, "agreement")
    line = bench.window.top_bar.search_line
    assert quotes(bench) == ["Agreement", "Agreement"]
    assert line.count.text() == "1 / 2"
    bench.press(Qt.Key.Key_C, bench.window, Qt.KeyboardModifier.AltModifier)
    assert quotes(bench) == []
    assert line.count.text() == "0"
    bench.trigger(Name.FIND_CASE)
    bench.trigger(Name.FIND_WORD)
    find(bench, "Agree")
    assert quotes(bench) == []


def test_a_regular_expression_and_one_that_is_none(bench: Bench) -> None:
    bench.open()
    bench.trigger(Name.FIND_EXPRESSION)
    find(bench, r"\d\d days")
    assert quotes(bench) == ["30 days", "45 days"]
    find(bench, "(days")
    assert quotes(bench) == []
    assert "is no regular expression" in bench.window.status.remark.text()


def test_shift_enter_goes_back_and_escape_to_the_pages(bench: Bench) -> None:
    bench.open()
    find(bench, "invoice")
    first = current(bench)
    bench.press(Qt.Key.Key_Return, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert current(bench) != first
    assert bench.window.top_bar.search_line.count.text() == "2 / 2"
    bench.press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is bench.window.pages.view
    assert len(quotes(bench)) == 2


def test_the_first_hit_is_where_the_reader_is(bench: Bench) -> None:
    bench.open(document=contract(3))
    bench.window.pages.view.go_to_page(2)
    find(bench, "invoice")
    document = bench.window.pages.view.document
    assert document is not None
    assert document.page_at(current(bench)[1]) == 2


def test_all_documents_are_searched_when_asked(bench: Bench) -> None:
    bench.open()
    other = msgspec.structs.replace(bench.document, id="sha256:other", name="order.pdf")
    bench.workbench.desk.open_files([Path("order.pdf")], add=True)
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, other)
    bench.processes.play_read(job, other)
    find(bench, "45 days")
    assert bench.window.top_bar.search_line.count.text() == "1 / 1"
    bench.trigger(Name.FIND_EVERYWHERE)
    assert bench.window.top_bar.search_line.count.text() == "1 / 2"
    first = bench.desk.current
    bench.press(Qt.Key.Key_F3, bench.window)
    assert bench.desk.current != first
    assert quotes(bench) == ["45 days"]
    bench.press(Qt.Key.Key_F3, bench.window)
    assert bench.desk.current == first
    assert bench.window.top_bar.search_line.count.text() == "1 / 2"


def test_the_hits_are_those_of_the_document_that_is_shown(bench: Bench) -> None:
    bench.open()
    find(bench, "invoice")
    other = msgspec.structs.replace(contract(2), id="sha256:other", name="order.pdf")
    bench.workbench.desk.open_files([Path("order.pdf")], add=True)
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, other)
    bench.processes.play_read(job, other)
    bench.desk.show(other.id)
    assert len(quotes(bench)) == 20
    assert bench.window.pages.view.marks.layer(Layer.FIND_CURRENT) == ()


def test_selected_words_are_what_is_looked_for(bench: Bench) -> None:
    bench.open()
    at = bench.document.text.index("30 days")
    bench.window.pages.view.selection.select(at, at + 7)
    bench.press(Qt.Key.Key_F, bench.window, Qt.KeyboardModifier.ControlModifier)
    assert bench.window.top_bar.search.text() == "30 days"
