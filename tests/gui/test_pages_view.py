"""The page view with real wheels, keys and clicks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from painted_pages import PaintedPages, contract, middle_of
from PySide6.QtCore import QPoint, QPointF, Qt, QTranslator
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.document import Document
from gui.pages import Fit, Layer, Mark, PageView
from gui.theme import Theme

PAGES = 12


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[PageView]:
    widget = PageView()
    qtbot.addWidget(widget)
    widget.glides = False
    widget.resize(700, 600)
    widget.set_source(PaintedPages(PAGES, parent=widget))
    widget.show()
    qtbot.waitExposed(widget)
    qtbot.waitUntil(lambda: widget.images.idle)
    yield widget
    widget.close()


@pytest.fixture
def document(view: PageView) -> Document:
    read = contract(PAGES)
    view.set_document(read)
    return read


def at(view: PageView, document: Document, offset: int) -> QPoint:
    """Where a character stands in the viewport."""
    place = view.layout_now.to_content(*middle_of(document, offset)) - view.content_offset()
    return place.toPoint()


def turn(view: PageView, notches: float, modifiers=Qt.KeyboardModifier.NoModifier, where=None) -> None:
    where = where or QPoint(300, 200)
    wheel = QWheelEvent(
        QPointF(where), QPointF(view.viewport().mapToGlobal(where)), QPoint(), QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), wheel)


# --- without text ---------------------------------------------------------------------------------


def test_pages_show_before_the_text_has_come(qtbot, view):
    assert view.current_page == 0
    assert view.page_count == PAGES
    assert view.fit is Fit.WIDTH
    picture = view.viewport().grab().toImage()
    middle = view.layout_now.to_content(0, 110, 420) - view.content_offset()
    assert picture.pixelColor(middle.toPoint()) == QColor("black")
    QTest.keyClick(view, Qt.Key.Key_M)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    assert view.selection.is_empty
    assert not view.reveal(0, 10)


def test_the_first_page_is_announced_once(qtbot):
    widget = PageView()
    qtbot.addWidget(widget)
    widget.resize(600, 500)
    widget.show()
    with qtbot.waitSignal(widget.first_page_shown) as shown:
        widget.set_source(PaintedPages(3, parent=widget))
    assert shown.args == [0]
    widget.close()


def test_a_view_without_pages_does_nothing_on_any_key(qtbot):
    widget = PageView()
    qtbot.addWidget(widget)
    widget.show()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_M, Qt.Key.Key_L, Qt.Key.Key_Left):
        QTest.keyClick(widget, key)
    QTest.keyClick(widget, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    turn(widget, -1)
    widget.go_to_page(3)
    widget.go_to_end()
    widget.set_fit(Fit.PAGE)
    assert widget.current_page == -1
    widget.close()


def test_keys_move_through_the_document(view):
    bar = view.verticalScrollBar()
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert bar.value() == round(0.9 * view.viewport().height())
    QTest.keyClick(view, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert bar.value() == 0
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert 0 < bar.value() < 100
    QTest.keyClick(view, Qt.Key.Key_End)
    assert bar.value() == bar.maximum()
    assert view.current_page == PAGES - 1
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.current_page == 0
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.current_page == 1


def test_the_wheel_scrolls_and_glides(qtbot, view):
    turn(view, -2)
    still = view.verticalScrollBar().value()
    assert still > 100
    view.glides = True
    turn(view, -1)
    turn(view, -1)
    assert view.verticalScrollBar().value() < 2 * still
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() == 2 * still)


def test_the_current_page_is_told(qtbot, view):
    with qtbot.waitSignal(view.current_page_changed) as changed:
        view.go_to_page(7)
    assert changed.args == [7]
    assert "8" in view.accessibleDescription()


def test_zooming_keeps_the_place_under_the_pointer(view):
    view.go_to_page(4, 300)
    where = QPoint(420, 260)
    before = view.page_place(QPointF(where))
    for notches in (1, 1, 1, -2):
        turn(view, notches, Qt.KeyboardModifier.ControlModifier, where)
        assert view.fit is Fit.CUSTOM
        page, _, y = view.page_place(QPointF(where))
        assert page == before[0]
        assert y == pytest.approx(before[2], abs=2)


def test_zoom_has_limits_and_keys(view):
    for _ in range(30):
        QTest.keyClick(view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == 8.0
    for _ in range(40):
        QTest.keyClick(view, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == 0.25
    QTest.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == 1.0


def test_fit_width_follows_the_view_and_keeps_the_place(qtbot, view):
    view.go_to_page(5, 100)
    place = view.place()
    zoom = view.zoom
    view.resize(900, 600)
    assert view.zoom > zoom
    assert view.place().page == place.page
    assert view.place().y_pt == pytest.approx(place.y_pt, abs=1)
    view.set_fit(Fit.PAGE)
    assert view.layout_now.sheet(0).height() <= view.viewport().height()


def test_sharp_images_come_at_every_zoom(qtbot, view):
    for zoom in (0.3, 1.0, 2.7, 8.0):
        view.set_zoom(zoom)
        qtbot.waitUntil(lambda: not view.is_zooming and view.images.idle)
        largest = max(image.width() * image.height() for _, image in view.images.cache.items())
        assert largest <= 4_600_000
        assert view.images.cache.used_bytes <= view.images.cache.capacity_bytes


def test_back_and_forward_are_exact(qtbot, view):
    view.set_zoom(1.37)
    view.verticalScrollBar().setValue(1234)
    view.go_to_page(9)
    view.set_fit(Fit.PAGE)
    with qtbot.waitSignal(view.history_changed):
        QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert view.verticalScrollBar().value() == 1234
    assert view.zoom == pytest.approx(1.37)
    QTest.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert view.current_page == 9
    assert view.fit is Fit.PAGE


def test_themes_show_dark_and_sepia_sheets(qtbot, view):
    for theme, test in ((Theme.DARK, lambda c: c.lightness() < 80), (Theme.SEPIA, lambda c: c.blue() < c.red())):
        view.set_theme(theme)
        qtbot.waitUntil(lambda: view.images.idle)
        place = (view.layout_now.to_content(0, 300, 100) - view.content_offset()).toPoint()
        assert test(view.viewport().grab().toImage().pixelColor(place))


# --- with text ------------------------------------------------------------------------------------


def test_dragging_selects_in_the_order_of_the_text(qtbot, view, document):
    start, end = document.clauses[0].start + 3, document.clauses[2].start + 10
    pane = view.viewport()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, pos=at(view, document, start) - QPoint(2, 0))
    QTest.mouseMove(pane, at(view, document, end - 1) + QPoint(2, 0))
    with qtbot.waitSignal(view.selection_changed, raising=False, timeout=50):
        QTest.mouseMove(pane, at(view, document, end - 1) + QPoint(3, 0))
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=at(view, document, end - 1) + QPoint(3, 0))
    assert (view.selection.start, view.selection.end) == (start, end)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == document.text[start:end]
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection.is_empty


def test_selecting_backwards_is_the_same(view, document):
    start, end = document.clauses[1].start + 2, document.clauses[1].start + 9
    pane = view.viewport()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, pos=at(view, document, end - 1) + QPoint(3, 0))
    QTest.mouseMove(pane, at(view, document, start) - QPoint(3, 0))
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=at(view, document, start) - QPoint(3, 0))
    assert view.selected_text() == document.text[start:end]


def test_two_clicks_select_a_word_and_three_a_clause(view, document):
    pane, clause = view.viewport(), document.clauses[0]
    offset = document.text.index("Buyer") + 2
    where = at(view, document, offset)
    QTest.mouseClick(pane, Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(pane, Qt.MouseButton.LeftButton, pos=where)
    assert view.selected_text() == "Buyer"
    QTest.mouseClick(pane, Qt.MouseButton.LeftButton, pos=where)
    assert (view.selection.start, view.selection.end) == (clause.start, clause.end)


def test_clicks_tell_the_passage_and_the_mark(qtbot, view, document):
    first = document.clauses[0]
    view.set_marks(Layer.CONFLICT, [Mark("f-1", Layer.CONFLICT, first.start, first.end, tip="30 against 45")])
    told: list[object] = []
    view.passage_clicked.connect(told.append)
    view.mark_clicked.connect(told.append)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, document, first.start + 5))
    assert told == [first.start + 5, "f-1"]
    tick = QPoint(round(view.layout_now.sheet(0).left()) + 6, at(view, document, first.start).y())
    with qtbot.waitSignal(view.mark_clicked):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=tick)


def test_hovering_tells_the_clause_also_in_the_margin(qtbot, view, document):
    pane, clause = view.viewport(), document.clauses[3]
    with qtbot.waitSignal(view.clause_hovered) as hovered:
        QTest.mouseMove(pane, at(view, document, clause.start + 5))
    assert hovered.args == [clause.id]
    handle = view.pointer.handle()
    assert handle is not None
    QTest.mouseMove(pane, handle.center().toPoint())
    assert view.pointer.hovered is clause


def colour_count(view: PageView, colour: str, tolerance: int = 40) -> int:
    """Pixels near a colour in what shows."""
    picture, wanted = view.viewport().grab().toImage(), QColor(colour)
    count = 0
    for y in range(0, picture.height(), 2):
        for x in range(picture.width()):
            c = picture.pixelColor(x, y)
            near = abs(c.red() - wanted.red()) + abs(c.green() - wanted.green()) + abs(c.blue() - wanted.blue())
            count += near < tolerance
    return count


def test_marks_are_drawn_and_only_the_chosen_connection(view, document):
    clauses = document.clauses
    plain = colour_count(view, "#D55E00")
    view.set_marks(
        Layer.CONFLICT,
        [Mark("ab"[n % 2], Layer.CONFLICT, clauses[n].start, clauses[n].end) for n in (2, 4, 1, 7)],
    )
    marked = colour_count(view, "#D55E00")
    assert plain < marked
    view.set_chosen("a")
    assert colour_count(view, "#D55E00") > marked
    assert len(view.ends()) == 2
    view.set_chosen("")
    assert colour_count(view, "#D55E00") == marked


def test_layers_differ_without_colour(view, document):
    """In grey values too no two layers look the same: line style and place tell them apart."""
    pictures = set()
    clause = document.clauses[2]
    for layer in (Layer.CONFLICT, Layer.ANCHOR, Layer.REVIEWED, Layer.LINK):
        view.set_marks(layer, [Mark("x", layer, clause.start, clause.end)])
        box = view.layout_now.rect(0, 60, 120, 400, 150).translated(-view.content_offset()).toRect()
        grey = view.viewport().grab(box).toImage().convertToFormat(view.grab().toImage().Format.Format_Mono)
        pictures.add(bytes(grey.constBits()))
        view.set_marks(layer, [])
    assert len(pictures) == 4


def test_choosing_moves_to_both_passages_and_shows_a_stub_for_the_far_one(qtbot, view, document):
    near, far = document.clauses[81], document.clauses[200]
    view.set_marks(
        Layer.CONFLICT,
        [Mark("f", Layer.CONFLICT, near.start, near.end), Mark("f", Layer.CONFLICT, far.start, far.end)],
    )
    view.set_chosen("f", reveal=True)
    assert view.current_page == near.page
    view.viewport().grab()
    stub = view.stub_at(view._stubs[0].rect.center())
    assert stub is not None
    assert str(far.page + 1) in stub.text
    assert "↓" in stub.text
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=stub.rect.center().toPoint())
    assert far.page in view.shown_pages()
    view.go_back()
    assert near.page in view.shown_pages()


def test_stubs_lead_to_other_documents(qtbot, view, document):
    clause = document.clauses[0]
    view.set_marks(Layer.CONFLICT, [Mark("f", Layer.CONFLICT, clause.start, clause.end)])
    view.set_chosen("f", ["Order 1, page 3"])
    view.viewport().grab()
    with qtbot.waitSignal(view.elsewhere_clicked) as clicked:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view._stubs[0].rect.center().toPoint())
    assert clicked.args == [0]


def test_revealing_leaves_alone_what_shows(view, document):
    clause = document.clauses[4]
    assert view.reveal(clause.start, clause.end)
    assert view.verticalScrollBar().value() == 0
    assert not view.history.can_go_back
    assert view.reveal(document.clauses[100].start, document.clauses[100].end)
    assert view.current_page == document.clauses[100].page
    assert view.history.can_go_back


def test_marks_beyond_the_text_do_no_harm(view, document):
    length = len(document.text)
    view.set_marks(Layer.CONFLICT, [Mark("a", Layer.CONFLICT, length - 5, length + 50), Mark("b", Layer.LINK, 5, 5)])
    view.viewport().grab()
    assert not view.reveal(length, length + 10)


def test_the_strip_shows_marks_and_leads_to_them(qtbot, view, document):
    clause = document.clauses[150]
    early = document.clauses[60]
    view.set_marks(
        Layer.CONFLICT,
        [Mark("f", Layer.CONFLICT, c.start, c.end, tip="why") for c in (early, clause)],
    )
    strip = view.strip
    y = max(y for y in range(strip.height()) if strip.mark_near(y) is not None) - 4
    with qtbot.waitSignal(view.mark_clicked) as clicked:
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(6, y))
    assert clicked.args == ["f"]
    assert clause.page in view.shown_pages()
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(6, 2))
    assert view.current_page == 0


def test_a_new_source_forgets_the_old_document(qtbot, view, document):
    view.set_marks(Layer.CONFLICT, [Mark("f", Layer.CONFLICT, 0, 20)])
    view.selection.select(0, 10)
    view.go_to_page(5)
    view.set_source(PaintedPages(2, parent=view))
    assert view.document is None
    assert view.page_count == 2
    assert view.selected_text() == ""
    assert not view.marks.all()
    assert not view.history.can_go_back


def test_hiding_withdraws_requests(qtbot):
    widget, source = PageView(), PaintedPages(5, holds=True)
    qtbot.addWidget(widget)
    widget.set_source(source)
    widget.show()
    qtbot.waitUntil(lambda: len(source.waiting) > 0)
    widget.hide()
    assert not source.waiting
    widget.close()


def test_a_trackpad_moves_pages_by_its_own_pixels(view):
    def swipe(pixels: int) -> None:
        where = QPointF(300, 200)
        wheel = QWheelEvent(
            where, view.viewport().mapToGlobal(where), QPoint(0, pixels), QPoint(0, pixels * 8),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.ScrollUpdate, False,
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), wheel)

    swipe(-37)
    swipe(-5)
    assert view.verticalScrollBar().value() == 42
    swipe(12)
    assert view.verticalScrollBar().value() == 30


def test_the_middle_button_pans(view):
    pane = view.viewport()
    QTest.mousePress(pane, Qt.MouseButton.MiddleButton, pos=QPoint(200, 400))
    QTest.mouseMove(pane, QPoint(200, 300))
    QTest.mouseMove(pane, QPoint(200, 250))
    QTest.mouseRelease(pane, Qt.MouseButton.MiddleButton, pos=QPoint(200, 250))
    assert view.verticalScrollBar().value() == 150


def test_dragging_a_selection_below_the_view_scrolls_on(qtbot, view, document):
    pane = view.viewport()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, pos=at(view, document, document.clauses[2].start + 5))
    QTest.mouseMove(pane, QPoint(300, pane.height() + 30))
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 60)
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=QPoint(300, pane.height() + 30))
    still = view.verticalScrollBar().value()
    assert view.selection.end > document.clauses[15].start
    QApplication.processEvents()
    assert view.verticalScrollBar().value() == still


def test_texts_in_another_language_are_looked_up_again(qtbot, view, document):
    class Loud(QTranslator):
        def translate(self, context, text, disambiguation=None, n=-1):
            return text.upper()

        def isEmpty(self):  # noqa: N802 - Qt's name
            return False

    loud = Loud()
    QApplication.installTranslator(loud)
    qtbot.waitUntil(lambda: view.accessibleName() == "CONTRACT PAGES")
    QApplication.removeTranslator(loud)
    qtbot.waitUntil(lambda: view.accessibleName() == "Contract pages")


def test_the_context_menu_is_asked_for_with_the_place(qtbot, view, document):
    where = at(view, document, document.clauses[1].start + 5)
    with qtbot.waitSignal(view.context_menu_requested) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, view.viewport().mapToGlobal(where))
        QApplication.sendEvent(view.viewport(), event)
    assert asked.args[1] == document.clauses[1].start + 5
