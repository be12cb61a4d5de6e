"""Linking by a drop, by the clause tree, and what becomes of links."""

from __future__ import annotations

from collections.abc import Callable

from painted_pages import contract
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QMenu
from window_bench import Bench

from engine.matter.records import Direction
from gui.commands.names import Name
from gui.pages.span_mime import DraggedSpan, decode_span, encode_span
from gui.theme import Layer


def drop(bench: Bench, first: int = 0, second: int = 2) -> None:
    """What the pages say after a clause was dragged onto another."""
    a, b = bench.document.clauses[first], bench.document.clauses[second]
    bench.window.pages.view.link_dropped.emit(a.start, a.end - 1, b.start, b.end - 1)


def test_one_drop_one_digit_enter(reviewed: Bench) -> None:
    drop(reviewed)
    assert reviewed.window.right.link_form.isVisible()
    reviewed.press(Qt.Key.Key_2)
    reviewed.press(Qt.Key.Key_Return)
    (link,) = reviewed.desk.book.links()
    assert link.code == "value.period"
    assert [end.clause_number for end in link.ends] == ["1", "3"]
    assert link.ends[0].quote == reviewed.document.quote(link.ends[0].start, link.ends[0].end)
    assert "Link saved" in reviewed.window.status.remark.text()
    assert reviewed.window.right.evidence.isVisible()
    assert len(reviewed.window.pages.view.marks.layer(Layer.LINK)) == 2


def test_typing_narrows_and_the_fields_are_kept(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.type("court")
    form = reviewed.window.right.link_form
    assert form.kinds.count() == 1
    form.aspect.setFocus()
    reviewed.type("venue")
    form.direction.setCurrentIndex(form.direction.findData(Direction.FORWARD.value))
    form.note.setFocus()
    reviewed.type("see annex")
    reviewed.press(Qt.Key.Key_Return)
    (link,) = reviewed.desk.book.links()
    assert (link.code, link.aspect, link.direction, link.note) == (
        "forum.court", "venue", Direction.FORWARD, "see annex",
    )  # fmt: skip


def test_zero_turns_to_no_conflict(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.press(Qt.Key.Key_0)
    reviewed.press(Qt.Key.Key_5)
    reviewed.press(Qt.Key.Key_Return)
    assert reviewed.desk.book.links()[0].code == "not.complementary"


def test_enter_without_a_kind_asks_for_one(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.press(Qt.Key.Key_Return)
    assert reviewed.desk.book.links() == ()
    assert "Pick a kind" in reviewed.window.right.link_form.said.text()


def test_esc_gives_the_link_up(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.press(Qt.Key.Key_Escape)
    assert reviewed.desk.book.links() == ()
    assert reviewed.window.right.evidence.isVisible()
    assert QApplication.focusWidget() is reviewed.window.pages.view


def test_a_link_is_listed_edited_deleted_and_brought_back(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.press(Qt.Key.Key_2)
    reviewed.press(Qt.Key.Key_Return)
    reviewed.trigger(Name.SHOW_LINKS)
    tab = reviewed.window.left.links
    tab.view.setCurrentIndex(tab.view.model().index(0, 0))
    reviewed.press(Qt.Key.Key_Return, tab.view)
    form = reviewed.window.right.link_form
    assert form.isVisible()
    form.note.setFocus()
    reviewed.type("checked")
    reviewed.press(Qt.Key.Key_Return)
    assert reviewed.desk.book.links()[0].note == "checked"
    tab.view.setCurrentIndex(tab.view.model().index(0, 0))
    reviewed.press(Qt.Key.Key_Delete, tab.view)
    assert reviewed.desk.book.links() == ()
    assert tab.empty.isVisible()
    reviewed.press(Qt.Key.Key_U, reviewed.window)
    assert reviewed.desk.book.links()[0].note == "checked"


def test_a_clause_dropped_on_another_in_the_tree_asks_for_the_kind(reviewed: Bench) -> None:
    tab = reviewed.window.left.clauses
    a = reviewed.document.clauses[0]
    data = encode_span(reviewed.document.id, a.start, a.end - 1, "")
    target = tab.model.index(3, 0, QModelIndex())
    assert tab.model.dropMimeData(data, Qt.DropAction.LinkAction, -1, -1, target)
    assert "<b>4</b>" in reviewed.window.right.link_form.quotes.text()
    itself = tab.model.index(0, 0, QModelIndex())
    assert not tab.model.dropMimeData(tab.model.mimeData([itself]), Qt.DropAction.LinkAction, -1, -1, itself)


def test_links_are_there_after_a_restart(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open()
    drop(bench, 4, 5)
    bench.press(Qt.Key.Key_1)
    bench.type("付款期限")
    bench.press(Qt.Key.Key_Return)
    again = make_bench()
    again.open()
    (link,) = again.desk.book.links()
    assert link.aspect == "付款期限"
    assert again.window.left.links.model.rowCount() == 1


def test_marked_and_linked_by_keys_alone(reviewed: Bench) -> None:
    view = reviewed.window.pages.view
    view.setFocus()
    view.current_clause.set_caret(reviewed.document.clauses[1].start)
    reviewed.press(Qt.Key.Key_M)
    view.current_clause.set_caret(reviewed.document.clauses[3].start)
    reviewed.press(Qt.Key.Key_L)
    reviewed.press(Qt.Key.Key_5)
    reviewed.press(Qt.Key.Key_Return)
    (link,) = reviewed.desk.book.links()
    assert (link.code, [end.clause_number for end in link.ends]) == ("norm.modality", ["2", "4"])


def test_severity_and_confidence_are_kept_and_shown_again(reviewed: Bench) -> None:
    drop(reviewed)
    form = reviewed.window.right.link_form
    reviewed.press(Qt.Key.Key_1)
    form.severity.setCurrentIndex(0)
    form.confidence.setCurrentIndex(2)
    reviewed.press(Qt.Key.Key_Return)
    (link,) = reviewed.desk.book.links()
    assert (link.severity, link.confidence) == ("high", 0.5)
    drop(reviewed)
    assert (form.severity.currentData(), form.confidence.currentData()) == ("medium", 1.0)
    reviewed.workbench.links.show_link(link)
    assert (form.severity.currentData(), form.confidence.currentData()) == ("high", 0.5)


def test_the_context_menu_marks_and_links(reviewed: Bench) -> None:
    view = reviewed.window.pages.view
    for clause, position in ((0, 1), (2, 2)):
        middle = view.mapToGlobal(view.rect().center())
        view.context_menu_requested.emit(middle, reviewed.document.clauses[clause].start)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        action = [each for each in menu.actions() if not each.isSeparator()][position]
        assert action.isEnabled()
        action.trigger()
        menu.close()
    assert reviewed.window.right.link_form.isVisible()


def test_a_click_on_a_clause_of_the_tree_goes_there(reviewed: Bench) -> None:
    tab = reviewed.window.left.clauses
    gone_to = []
    tab.clause_chosen.connect(lambda clause: gone_to.append(clause.number))
    reviewed.trigger(Name.SHOW_CLAUSES)
    index = tab.view.model().index(4, 0)
    reviewed.qtbot.mouseClick(
        tab.view.viewport(), Qt.MouseButton.LeftButton, pos=tab.view.visualRect(index).center()
    )
    assert gone_to == ["5"]


def test_a_click_on_the_page_marks_the_clause_in_the_tree(reviewed: Bench) -> None:
    reviewed.window.pages.view.passage_clicked.emit(reviewed.document.clauses[3].start + 2)
    tab = reviewed.window.left.clauses
    assert tab.view.currentIndex().data().startswith("4")


def test_the_pages_stay_where_the_link_was_made(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.document = contract(6)
    bench.open()
    bench.review()
    bench.trigger(Name.NEXT_FINDING)
    view = bench.window.pages.view
    view.go_to_page(4)
    place = view.place()
    drop(bench, 80, 82)
    bench.press(Qt.Key.Key_1)
    bench.press(Qt.Key.Key_Return)
    assert view.place() == place
    drop(bench, 80, 84)
    bench.press(Qt.Key.Key_Escape)
    assert view.place() == place


def test_shift_and_a_digit_keep_a_no_conflict_at_once(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.press(Qt.Key.Key_4, modifiers=Qt.KeyboardModifier.ShiftModifier)
    (kept,) = reviewed.desk.book.links()
    assert kept.code == "not.override"
    assert not reviewed.window.right.link_form.isVisible()
    reviewed.press(Qt.Key.Key_U, reviewed.window)
    assert reviewed.desk.book.links() == ()


def test_a_passage_is_not_linked_with_a_part_of_itself(reviewed: Bench) -> None:
    clause = reviewed.document.clauses[0]
    whole = DraggedSpan(reviewed.document.id, clause.start, clause.end)
    part = DraggedSpan(reviewed.document.id, clause.start + 2, clause.end - 2)
    reviewed.window.left.clauses.link_dropped.emit(part, whole)
    assert not reviewed.window.right.link_form.isVisible()
    assert "part of itself" in reviewed.window.status.remark.text()


def test_a_finding_dragged_from_the_inbox_is_a_passage(reviewed: Bench) -> None:
    inbox = reviewed.window.left.findings
    index = inbox.model.index_of(reviewed.row(1).id)
    assert index.flags() & Qt.ItemFlag.ItemIsDragEnabled
    span = decode_span(inbox.model.mimeData([index]))
    passage = reviewed.row(1).finding.passages[0]
    assert span == DraggedSpan(passage.document, passage.start, passage.end)
    clauses = reviewed.window.left.clauses
    clauses.model.dropMimeData(
        inbox.model.mimeData([index]), Qt.DropAction.LinkAction, -1, -1,
        clauses.model.index_of(reviewed.document.clauses[4].id),
    )  # fmt: skip
    reviewed.press(Qt.Key.Key_2)
    reviewed.press(Qt.Key.Key_Return)
    (kept,) = reviewed.desk.book.links()
    assert kept.ends[0].quote == passage.text


def test_far_ends_of_a_link_are_shown_side_by_side(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    document = bench.document = contract(12)
    bench.open()
    bench.review(())
    tab = bench.window.left.links
    beside = bench.window.pages.beside.view

    def choose() -> None:
        bench.window.left.setCurrentWidget(tab)
        tab.view.setCurrentIndex(tab.model.index(0, 0))
        tab.on_view_entered(tab.view.currentIndex())

    far = next(i for i, c in enumerate(document.clauses) if document.page_at(c.start) != document.page_at(0))
    for second in (1, far):
        drop(bench, 0, second)
        bench.press(Qt.Key.Key_2)
        bench.press(Qt.Key.Key_Return)
        choose()
        assert bench.workbench.beside.is_open is (second == far)  # near ends are both on the page that is shown
    kept = bench.desk.book.links()[-1]
    bench.qtbot.waitUntil(lambda: beside.chosen == kept.id)
    assert {mark.id for mark in beside.marks.layer(Layer.LINK)} == {link.id for link in bench.desk.book.links()}


def test_enter_in_the_table_leads_into_the_form(reviewed: Bench) -> None:
    drop(reviewed)
    reviewed.press(Qt.Key.Key_2)
    reviewed.press(Qt.Key.Key_Return)
    tab = reviewed.window.left.links
    reviewed.window.left.setCurrentWidget(tab)
    tab.view.setFocus()
    tab.view.setCurrentIndex(tab.model.index(0, 0))
    reviewed.press(Qt.Key.Key_Return, tab.view)
    reviewed.press(Qt.Key.Key_4)
    reviewed.press(Qt.Key.Key_Return)
    (kept,) = reviewed.desk.book.links()
    assert kept.code == "value.percent"
