"""Long words, right-to-left names, emoji, endless headings, thousands of pages, a screen that is gone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from painted_pages import PaintedPages, contract
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from window_bench import Bench, finding

from engine.document import Document
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.page_view import PageView
from gui.theme import Layer

LONG = "Donaudampfschifffahrtsgesellschaftskapitän"
ENDLESS = LONG * 8
ARABIC = "شركة النيل للتوريد"
FAMILY = "👩‍👩‍👧‍👦"
LINES = (
    f"1. The Buyer {LONG} shall pay {FAMILY} within 30 days of {ENDLESS}.",
    f"2. {ARABIC} (“the Supplier”) shall deliver 𠮷野家 goods within 45 days.",
    f"3. The Buyer shall pay {ARABIC} within 30 days 😀.",
    f"4. The Buyer shall pay {ARABIC} within 45 days 😀.",
)


@pytest.fixture
def document() -> Document:
    """Awkward lines; the first clause's heading has 400 characters, one of its words 336."""
    made = contract(1, LINES)
    heading = f"{ENDLESS} {ARABIC} and everything that belongs to it {FAMILY}"
    clauses = (msgspec.structs.replace(made.clauses[0], heading=heading), *made.clauses[1:])
    return msgspec.structs.replace(made, clauses=clauses, name=f"{ARABIC} {FAMILY} {LONG}.pdf")


@pytest.fixture
def shown(bench: Bench) -> Bench:
    bench.open()
    found = (
        finding(bench.document, 1, 0, 1, summary=f"{ENDLESS} gives 30 days, {ARABIC} gives 45 {FAMILY}."),
        finding(bench.document, 2, 2, 3, summary=f"{ARABIC}: 30 days, then 45 😀."),
    )
    bench.review(found)
    bench.trigger(Name.NEXT_FINDING)
    return bench


def _too_wide(panel: QWidget) -> list[str]:
    """Labels and buttons that stand out of the panel they are in."""
    inside = QRect(panel.mapToGlobal(QPoint(0, 0)), panel.size())
    out = []
    for widget in panel.findChildren(QWidget):
        if isinstance(widget, QLabel | QPushButton) and widget.isVisible():
            at = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
            if at.right() > inside.right() + 1 or at.left() < inside.left() - 1:
                out.append(f"{type(widget).__name__} {widget.text()[:40]!r} {at}")
    return out


def test_no_word_is_so_long_that_a_panel_grows_or_words_leave_it(shown: Bench) -> None:
    before = (shown.window.size(), shown.window.left.width(), shown.window.right.width())
    QApplication.processEvents()
    assert _too_wide(shown.window.right) == []
    assert _too_wide(shown.window.left) == []
    assert _too_wide(shown.window.status) == []
    assert _too_wide(shown.window.top_bar) == []
    shown.trigger(Name.NEXT_FINDING)
    shown.trigger(Name.SHOW_CLAUSES)
    shown.window.pages.banner.say(f"{ENDLESS} is no longer in {ENDLESS}.")
    QApplication.processEvents()
    assert _too_wide(shown.window.pages.banner) == []
    assert (shown.window.size(), shown.window.left.width(), shown.window.right.width()) == before


def test_marks_are_code_points_whatever_the_letters(shown: Bench) -> None:
    view = shown.window.pages.view
    first = view.marks.of_id("f-0000000000000001", (Layer.CONFLICT,))
    assert [shown.document.quote(*mark.emphasis[0]) for mark in first] == ["30 days", "45 days"]
    # A box a code point: what lies behind emoji and Arabic stands where it is painted.
    (placed,) = (p for p in view.marks.on_page(0) if p.mark is first[1])
    column = LINES[1].index("45 days")
    assert placed.emphasis[0].x0 == pytest.approx(72 + 6 * column)


def test_copied_text_has_every_code_point(shown: Bench) -> None:
    view = shown.window.pages.view
    line = shown.document.clauses[1]
    view.reveal(line.start, line.end)
    view.selection.select(line.start, line.end)
    view.copy()
    assert QApplication.clipboard().text() == LINES[1]


def test_words_behind_emoji_are_found_where_they_stand(shown: Bench) -> None:
    shown.window.top_bar.search.setFocus()
    shown.type("45 days 😀")
    shown.press(Qt.Key.Key_Return)
    (mark,) = shown.window.pages.view.marks.layer(Layer.FIND_CURRENT)
    assert shown.document.quote(mark.start, mark.end) == "45 days 😀"
    shown.trigger(Name.FIND_EXPRESSION)
    shown.window.top_bar.search.setFocus()
    shown.window.top_bar.search.selectAll()
    shown.type(r"\d+ days (?=😀)")
    shown.press(Qt.Key.Key_Return)
    (mark,) = shown.window.pages.view.marks.layer(Layer.FIND_CURRENT)
    assert shown.document.quote(mark.start, mark.end) == "30 days "
    shown.trigger(Name.FIND_EXPRESSION)


def test_ten_thousand_pages_scroll_to_the_last(qtbot: QtBot) -> None:
    view = PageView()
    view.glides = False
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.set_source(PaintedPages(10_000, parent=view))
    view.show()
    view.set_zoom(8.0)
    view.go_to_page(9_999)
    assert view.current_page == 9_999
    place = view.place()
    view.go_to_end()
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    view.go_back()
    assert view.place() == place
    qtbot.waitUntil(lambda: view.is_sharp)


def test_a_window_that_stood_on_a_screen_that_is_gone_comes_back_into_sight(bench: Bench, tmp_path: Path) -> None:
    bench.window.move(40_000, 30_000)
    bench.window.resize(5_000, 4_000)
    settings = QSettings(str(tmp_path / "gone.ini"), QSettings.Format.IniFormat)
    settings.setValue("window/geometry", bench.window.saveGeometry())
    again = MainWindow(settings)
    bench.qtbot.addWidget(again)
    seen = again.screen().availableGeometry()
    assert seen.contains(again.frameGeometry().topLeft())
    assert again.width() <= seen.width()
    assert again.height() <= seen.height()


def test_a_window_whose_screen_goes_while_it_is_open_comes_back_into_sight(bench: Bench) -> None:
    bench.window.move(-9_000, 9_000)
    bench.window.come_into_sight()
    assert bench.window.screen().availableGeometry().contains(bench.window.frameGeometry().topLeft())
