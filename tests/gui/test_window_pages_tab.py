"""Thumbnails with marks, and the outline that a PDF brings."""

from __future__ import annotations

import msgspec
import pytest
from painted_pages import contract
from PySide6.QtCore import QPoint, Qt
from window_bench import Bench, finding

from engine.document import OutlineEntry
from gui.commands.names import Name

OUTLINE = (
    OutlineEntry("Part one", 0, 0, 72.0),
    OutlineEntry("Payment\nterms", 1, 5, 300.0),
    OutlineEntry("第二部分", 0, 8, 72.0),
    OutlineEntry("Elsewhere", 0, -1),
)


@pytest.fixture
def long(bench: Bench) -> Bench:
    document = msgspec.structs.replace(contract(10), outline=OUTLINE)
    bench.open(document=document)
    bench.review((finding(document, 1, 0, 190),))
    return bench


def test_images_of_thumbnails_are_asked_for_only_when_they_show(long: Bench) -> None:
    before = len(long.processes.waiting("render"))
    long.trigger(Name.SHOW_PAGES)
    small = long.window.left.pages.view
    long.qtbot.waitUntil(lambda: len(long.processes.waiting("render")) > before)
    assert small.page_count == 10
    assert len(small.shown_pages()) < 10


def test_a_click_on_a_thumbnail_goes_there_and_back_returns(long: Bench) -> None:
    long.trigger(Name.SHOW_PAGES)
    small, view = long.window.left.pages.view, long.window.pages.view
    sheet = small.layout_now.sheet(1)
    at = QPoint(round(sheet.center().x()), round(sheet.top()) + 4)
    long.qtbot.mouseClick(small.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert view.current_page == 1
    long.press(Qt.Key.Key_Down, small)
    assert view.current_page == 2
    long.trigger(Name.BACK)
    assert view.current_page == 1


def test_thumbnails_follow_the_pages_and_carry_the_marks(long: Bench) -> None:
    long.trigger(Name.SHOW_PAGES)
    small, view = long.window.left.pages.view, long.window.pages.view
    view.go_to_page(9)
    assert 9 in small.shown_pages()
    image = small.viewport().grab().toImage()
    sheet = small.layout_now.sheet(9).translated(-small.content_offset())
    clause = view.marks.on_page(9)[0].quads[0]
    y = sheet.top() + (clause.y0 + clause.y1) / 2 * small.layout_now.scale
    tick = image.pixelColor(round(sheet.left()) - 4, round(y))
    assert tick.red() > 150
    assert tick.blue() < 100


def test_the_outline_is_a_tree_that_leads_to_its_places(long: Bench) -> None:
    tab = long.window.left.clauses
    long.trigger(Name.SHOW_CLAUSES)
    assert tab.which.isVisible()
    tab.which.setCurrentIndex(1)
    assert tab.outline.isVisible()
    assert [tab.outline.topLevelItem(i).text(0) for i in range(3)] == ["Part one", "第二部分", "Elsewhere"]
    child = tab.outline.topLevelItem(0).child(0)
    assert child.text(0) == "Payment terms"
    tab.outline.itemClicked.emit(child, 0)
    assert long.window.pages.view.current_page == 5
    tab.outline.itemActivated.emit(tab.outline.topLevelItem(2), 0)
    assert "leads out of the file" in long.window.status.remark.text()
    tab.filter_box.setText("payment")
    assert tab.outline.topLevelItem(1).isHidden()
    assert not tab.outline.topLevelItem(0).isHidden()
    assert not child.isHidden()


def test_without_an_outline_nothing_is_offered(bench: Bench) -> None:
    bench.open()
    bench.trigger(Name.SHOW_CLAUSES)
    assert not bench.window.left.clauses.which.isVisible()
    assert bench.window.left.clauses.view.isVisible()
