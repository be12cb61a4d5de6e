"""Links from clause to clause: dragged with a real drag, dropped from elsewhere, made by keys."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from painted_pages import PaintedPages, contract, middle_of
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.document import Document
from gui.pages import SPAN_MIME_TYPE, DraggedSpan, PageView, decode_span, encode_span

PAGES = 6


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[PageView]:
    widget = PageView()
    qtbot.addWidget(widget)
    widget.glides = False
    widget.resize(700, 600)
    widget.set_source(PaintedPages(PAGES, parent=widget))
    widget.set_document(contract(PAGES))
    widget.show()
    qtbot.waitExposed(widget)
    qtbot.waitUntil(lambda: widget.images.idle)
    yield widget
    widget.close()


@pytest.fixture
def document(view: PageView) -> Document:
    assert view.document is not None
    return view.document


def at(view: PageView, document: Document, offset: int) -> QPoint:
    return (view.layout_now.to_content(*middle_of(document, offset)) - view.content_offset()).toPoint()


class Hand:
    """Carries a drag over a view as the mouse would: enter, moves, then a drop or the way out."""

    def __init__(self, view: PageView, way: list[QPoint], *, drops: bool = True) -> None:
        self.view, self.way, self.drops = view, way, drops
        self.targets: list[tuple[int, int] | None] = []
        self.source: tuple[int, int] | None = None
        self.words = ""

    def carry(self, drag: QDrag) -> None:
        mime = drag.mimeData()
        self.words = mime.text()
        assert not drag.pixmap().isNull()
        if not enter(self.view, mime, self.way[0]):
            return
        for place in self.way:
            move(self.view, mime, place)
            self.targets.append(self.view.linker.target)
            self.source = self.view.linker.source_here
            self.view.viewport().grab()
        if self.drops:
            drop(self.view, mime, self.way[-1])
        else:
            QApplication.sendEvent(self.view.viewport(), QDragLeaveEvent())


def pull(view: PageView, start: QPoint, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press and pull: the drag begins after some pixels."""
    pane = view.viewport()
    QTest.mouseMove(pane, start)
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, modifiers, start)
    QTest.mouseMove(pane, start + QPoint(0, 2))
    QTest.mouseMove(pane, start + QPoint(0, 30))
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, modifiers, start + QPoint(0, 30))


def test_a_clause_dragged_by_its_handle_onto_another_is_linked(qtbot, view, document):
    source, target = document.clauses[1], document.clauses[5]
    QTest.mouseMove(view.viewport(), at(view, document, source.start + 4))
    handle = view.pointer.handle()
    assert handle is not None
    hand = Hand(view, [at(view, document, source.start + 3), at(view, document, target.start + 6)])
    view.linker.carry = hand.carry
    with qtbot.waitSignal(view.link_dropped) as dropped:
        pull(view, handle.center().toPoint())
    assert dropped.args == [source.start, source.end, target.start, target.end]
    assert hand.targets == [None, (target.start, target.end)]
    assert hand.source == (source.start, source.end)
    assert hand.words == document.quote(source.start, source.end)
    assert view.linker.target is None
    assert not view.linker.is_dragging


def test_a_clause_dragged_by_its_number(qtbot, view, document):
    source, target = document.clauses[2], document.clauses[6]
    view.linker.carry = Hand(view, [at(view, document, target.start + 6)]).carry
    with qtbot.waitSignal(view.link_dropped) as dropped:
        pull(view, at(view, document, source.start))
    assert dropped.args == [source.start, source.end, target.start, target.end]
    assert view.selection.is_empty


def test_alt_drags_from_anywhere_and_escape_gives_up(qtbot, view, document):
    hand = Hand(view, [at(view, document, document.clauses[5].start + 6)], drops=False)
    view.linker.carry = hand.carry
    with qtbot.assertNotEmitted(view.link_dropped):
        pull(view, at(view, document, document.clauses[1].start + 9), Qt.KeyboardModifier.AltModifier)
    assert hand.targets == [(document.clauses[5].start, document.clauses[5].end)]
    assert view.linker.target is None
    assert not view.linker.is_dragging


def test_alt_on_a_selection_drags_the_selection(qtbot, view, document):
    view.selection.select(document.clauses[1].start + 2, document.clauses[1].start + 8)
    view.linker.carry = Hand(view, [at(view, document, document.clauses[7].start + 6)]).carry
    with qtbot.waitSignal(view.link_dropped) as dropped:
        pull(view, at(view, document, document.clauses[1].start + 4), Qt.KeyboardModifier.AltModifier)
    assert dropped.args[:2] == [document.clauses[1].start + 2, document.clauses[1].start + 8]


def test_a_clause_dragged_into_another_view_is_linked_there(qtbot, view, document):
    other = PageView()
    qtbot.addWidget(other)
    other.resize(600, 500)
    other.set_source(PaintedPages(2, parent=other))
    other.set_document(msgspec.structs.replace(contract(2), id="sha256:order"))
    other.show()
    view.linker.carry = Hand(other, [QPoint(200, 200)]).carry
    with qtbot.waitSignal(other.link_dropped_from) as dropped, qtbot.assertNotEmitted(view.link_dropped):
        pull(view, at(view, document, document.clauses[1].start + 4), Qt.KeyboardModifier.AltModifier)
    assert dropped.args[:3] == [document.id, document.clauses[1].start, document.clauses[1].end]
    other.close()


# --- drops from elsewhere, event by event -----------------------------------------------------------


def enter(view: PageView, mime: QMimeData, place: QPoint) -> bool:
    event = QDragEnterEvent(
        place, Qt.DropAction.LinkAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view.viewport(), event)
    return event.isAccepted()


def move(view: PageView, mime: QMimeData, place: QPoint) -> bool:
    event = QDragMoveEvent(
        place, Qt.DropAction.LinkAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view.viewport(), event)
    return event.isAccepted()


def drop(view: PageView, mime: QMimeData, place: QPoint) -> bool:
    event = QDropEvent(
        QPointF(place), Qt.DropAction.LinkAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view.viewport(), event)
    return event.isAccepted()


def test_a_span_of_another_document_is_linked_with_its_name(qtbot, view, document):
    target = document.clauses[3]
    mime, place = encode_span("sha256:other", 5, 17), at(view, document, target.start + 3)
    assert enter(view, mime, place)
    assert move(view, mime, place)
    assert view.linker.target == (target.start, target.end)
    with qtbot.waitSignal(view.link_dropped_from) as dropped:
        assert drop(view, mime, place)
    assert dropped.args == ["sha256:other", 5, 17, target.start, target.end]


def test_a_clause_is_not_linked_with_itself(qtbot, view, document):
    clause = document.clauses[3]
    mime, place = encode_span(document.id, clause.start, clause.end), at(view, document, clause.start + 3)
    assert enter(view, mime, place)
    assert not move(view, mime, place)
    with qtbot.assertNotEmitted(view.link_dropped):
        assert not drop(view, mime, place)


def test_files_and_damaged_spans_are_left_to_the_window(view, document):
    files, damaged = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/tmp/a.pdf")])
    damaged.setData(SPAN_MIME_TYPE, b"{}")
    for mime in (files, damaged):
        assert not enter(view, mime, QPoint(200, 200))
        assert not move(view, mime, QPoint(200, 200))


def test_edges_scroll_while_dragging_and_stop_after(qtbot, view, document):
    mime = encode_span(document.id, document.clauses[0].start, document.clauses[0].end)
    low = QPoint(250, view.viewport().height() - 3)
    assert enter(view, mime, low)
    move(view, mime, low)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 100)
    QApplication.sendEvent(view.viewport(), QDragLeaveEvent())
    assert not view.linker._edges.active
    assert view.linker.target is None


# --- keys ---------------------------------------------------------------------------------------


def test_mark_go_link_by_keys(qtbot, view, document):
    with qtbot.waitSignal(view.link_source_changed) as marked:
        QTest.keyClick(view, Qt.Key.Key_M)
    first = document.clauses[0]
    assert marked.args == [DraggedSpan(document.id, first.start, first.end)]
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    third = document.clauses[3]
    with qtbot.waitSignal(view.link_dropped) as dropped:
        QTest.keyClick(view, Qt.Key.Key_L)
    assert dropped.args == [first.start, first.end, third.start, third.end]
    assert view.linker.marked is None


def test_keys_without_a_source_say_what_to_do(qtbot, view, document):
    with qtbot.waitSignal(view.hint_changed) as hint, qtbot.assertNotEmitted(view.link_dropped):
        QTest.keyClick(view, Qt.Key.Key_L)
    assert "M" in hint.args[0]
    QTest.keyClick(view, Qt.Key.Key_M)
    with qtbot.waitSignal(view.hint_changed), qtbot.assertNotEmitted(view.link_dropped):
        QTest.keyClick(view, Qt.Key.Key_L)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.linker.marked is None


def test_a_source_marked_elsewhere_links_here(qtbot, view, document):
    view.set_link_source(DraggedSpan("sha256:order", 3, 9))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, document, document.clauses[2].start + 4))
    with qtbot.waitSignal(view.link_dropped_from) as dropped:
        QTest.keyClick(view, Qt.Key.Key_L)
    assert dropped.args[:3] == ["sha256:order", 3, 9]
    assert dropped.args[3] == document.clauses[2].start


def test_stepping_through_clauses_scrolls_and_stops_at_the_ends(view, document):
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    for _ in range(40):
        QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert view.current_clause.caret == document.clauses[40].start
    assert document.clauses[40].page in view.shown_pages()


def test_what_is_dragged_carries_its_words_for_other_programs(document):
    mime = encode_span(document.id, 0, 10, document.quote(0, 10))
    assert mime.text() == document.text[:10]
    assert decode_span(mime) == DraggedSpan(document.id, 0, 10)


def test_alt_takes_the_sentence_under_the_pointer_at_both_ends(qtbot, view, document):
    # Sentences that are not all of their clause: the number stands before them.
    starts = {clause.start for clause in document.clauses}
    first, second = [each for each in document.sentences if each.start not in starts][:2]

    def carry(drag: QDrag) -> None:
        place = at(view, document, second.start + 3)
        enter(view, drag.mimeData(), place)
        event = QDropEvent(
            QPointF(place), Qt.DropAction.LinkAction, drag.mimeData(), Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.AltModifier,
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), event)

    view.linker.carry = carry
    with qtbot.waitSignal(view.link_dropped) as dropped:
        pull(view, at(view, document, first.start + 3), Qt.KeyboardModifier.AltModifier)
    assert dropped.args == [first.start, first.end, second.start, second.end]


def test_a_drag_given_up_goes_back_to_where_it_began(qtbot, view, document):
    def carry(drag: QDrag) -> Qt.DropAction:
        view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 700)
        return Qt.DropAction.IgnoreAction

    view.linker.carry = carry
    before = view.verticalScrollBar().value()
    pull(view, at(view, document, document.clauses[2].start))
    assert view.verticalScrollBar().value() == before
