"""Two views beside each other: one document twice, two documents, a finding's two passages."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from painted_pages import contract
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_bench import Bench, finding

from gui.commands.names import Name
from gui.pages.page_view import PageView
from gui.theme import Layer


@pytest.fixture
def long(bench: Bench) -> Bench:
    """Ten pages, a finding between the first and the last of them, and one more."""
    document = contract(10)
    bench.open(document=document)
    bench.review((finding(document, 1, 0, 190), finding(document, 2, 21, 100)))
    return bench


def beside(bench: Bench) -> PageView:
    return bench.window.pages.beside.view


def shows(view: PageView, offset: int) -> bool:
    quad = view.first_quad(offset, offset + 5)
    return quad is not None and quad.page in view.shown_pages()


def test_the_place_is_shown_twice_and_closing_returns(long: Bench) -> None:
    main = long.window.pages.view
    main.go_to_page(4)
    width, place = main.width(), main.place()
    long.press(Qt.Key.Key_Backslash, long.window, Qt.KeyboardModifier.ControlModifier)
    assert beside(long).isVisible()
    long.qtbot.waitUntil(lambda: beside(long).current_page == 4)
    assert abs(main.width() - beside(long).width()) < 20
    beside(long).go_to_page(0)
    assert main.current_page == 4
    long.click(long.window.pages.beside.close_button)
    assert not beside(long).isVisible()
    long.qtbot.waitUntil(lambda: main.width() == width)
    assert main.place().page == place.page
    assert QApplication.focusWidget() is main
    assert not long.window.actions_by_name[Name.SHOW_BESIDE].isChecked()


def test_the_chosen_findings_passages_stand_side_by_side(long: Bench) -> None:
    long.trigger(Name.NEXT_FINDING)
    long.press(Qt.Key.Key_O, long.window, Qt.KeyboardModifier.ShiftModifier)
    first, second = long.row(1).finding.passages
    long.qtbot.waitUntil(lambda: shows(beside(long), second.start))
    assert shows(long.window.pages.view, first.start)
    assert {mark.id for mark in beside(long).marks.layer(Layer.CONFLICT)} == {long.row(1).id, long.row(2).id}
    assert beside(long).chosen == long.row(1).id
    long.trigger(Name.NEXT_FINDING)
    _, other = long.row(2).finding.passages
    long.qtbot.waitUntil(lambda: shows(beside(long), other.start))
    long.trigger(Name.OTHER_PASSAGE)
    assert shows(long.window.pages.view, other.start)


def test_without_a_finding_the_command_says_what_to_do(long: Bench) -> None:
    long.trigger(Name.OTHER_BESIDE)
    assert "Choose a finding first" in long.window.status.remark.text()
    assert not beside(long).isVisible()


def test_another_document_can_stand_beside(long: Bench) -> None:
    other = msgspec.structs.replace(contract(2), id="sha256:other", name="order.pdf")
    long.trigger(Name.SHOW_BESIDE)
    long.desk.open_files([Path("order.pdf")], add=True)
    job = long.last_job("open_document")
    long.processes.play_opened(job, other)
    long.processes.play_read(job, other)
    box = long.window.pages.beside.documents
    assert [box.itemText(i) for i in range(box.count())] == ["painted.pdf", "order.pdf"]
    box.setFocus()
    long.press(Qt.Key.Key_Down, box)
    long.qtbot.waitUntil(lambda: beside(long).page_count == 2)
    assert beside(long).document is other
    assert long.window.pages.view.page_count == 10
    long.open(Path("new.pdf"), msgspec.structs.replace(contract(1), id="sha256:new", name="new.pdf"))
    assert not beside(long).isVisible()


def test_a_clause_marked_in_one_view_is_linked_in_the_other(long: Bench) -> None:
    long.trigger(Name.SHOW_BESIDE)
    document = long.window.pages.view.document
    assert document is not None
    long.window.pages.view.current_clause.set_caret(document.clauses[0].start)
    long.window.pages.view.mark_source()
    beside(long).current_clause.set_caret(document.clauses[5].start)
    beside(long).link_here()
    assert long.window.right.currentWidget() is long.window.right.link_form


def test_zoom_and_f6_reach_the_second_view(long: Bench) -> None:
    long.trigger(Name.SHOW_BESIDE)
    long.window.pages.view.setFocus()
    long.press(Qt.Key.Key_F6, long.window)
    assert QApplication.focusWidget() is beside(long)
    before, main = beside(long).zoom, long.window.pages.view.zoom
    long.trigger(Name.ZOOM_IN)
    assert beside(long).zoom > before
    assert long.window.pages.view.zoom == main
