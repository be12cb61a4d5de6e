"""Suggestions in the labelling queue: accepted, corrected, refused, left for later, each by a key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_bench import Bench, finding

from engine.matter.records import Origin
from gui.commands.names import Name
from gui.left.links_model import LinksModel, Shown
from gui.right.queue_panel import QueuePanel
from gui.theme import Layer


@pytest.fixture
def queue(reviewed: Bench) -> Bench:
    """A window whose queue shows its first suggestion."""
    reviewed.window.pages.view.setFocus()
    reviewed.press(Qt.Key.Key_G)
    return reviewed


def panel(bench: Bench) -> QueuePanel:
    return bench.workbench.suggestions.panel


def links(bench: Bench):
    return bench.desk.book.links()


def judge_all_of(bench: Bench, origin: Origin, key: Qt.Key) -> int:
    """Answer until nothing waits: those of ``origin`` by ``key``, the others by R; how many."""
    count = 0
    while (shown := bench.workbench.suggestions.chosen) is not None:
        bench.press(key if shown.origin is origin else Qt.Key.Key_R)
        count += 1
    return count


def test_one_key_shows_a_suggestion_and_one_accepts_it(queue: Bench) -> None:
    shown = queue.workbench.suggestions.chosen
    assert shown is not None
    assert panel(queue).isVisible()
    assert QApplication.focusWidget() is panel(queue)
    queue.press(Qt.Key.Key_A)
    (link,) = links(queue)
    assert (link.code, link.ends, link.origin) == (shown.code, shown.ends, shown.origin)
    assert queue.workbench.suggestions.chosen not in (None, shown)
    assert "Accepted" in queue.window.status.remark.text()


def test_a_digit_refuses_with_its_reason_and_undo_brings_it_back(queue: Bench) -> None:
    shown = queue.workbench.suggestions.chosen
    waiting = len(queue.workbench.labelling.queue)
    queue.press(Qt.Key.Key_4)
    assert [link.code for link in links(queue)] == ["not.override"]
    assert len(queue.workbench.labelling.queue) == waiting - 1
    queue.press(Qt.Key.Key_U)
    assert links(queue) == ()
    assert shown in queue.workbench.labelling.queue


def test_r_refuses_without_a_closer_reason(queue: Bench) -> None:
    queue.press(Qt.Key.Key_R)
    assert [link.code for link in links(queue)] == ["not.misread"]


def test_e_corrects_in_the_form_and_goes_on(queue: Bench) -> None:
    shown = queue.workbench.suggestions.chosen
    assert shown is not None
    queue.press(Qt.Key.Key_E)
    form = queue.window.right.link_form
    assert form.isVisible()
    queue.press(Qt.Key.Key_3)
    queue.type("payment")
    queue.press(Qt.Key.Key_Return)
    (link,) = links(queue)
    assert (link.code, link.aspect, link.origin) == ("value.date", "payment", shown.origin)
    assert panel(queue).isVisible()


def test_esc_in_the_correction_goes_back_to_the_suggestion(queue: Bench) -> None:
    shown = queue.workbench.suggestions.chosen
    queue.press(Qt.Key.Key_E)
    queue.press(Qt.Key.Key_Escape)
    assert links(queue) == ()
    assert queue.workbench.suggestions.chosen is shown


def test_s_leaves_one_for_later_and_all_come_round(queue: Bench) -> None:
    seen = []
    for _ in range(len(queue.workbench.labelling.queue)):
        shown = queue.workbench.suggestions.chosen
        assert shown is not None
        seen.append(shown.id)
        queue.press(Qt.Key.Key_S)
    assert len(set(seen)) == len(seen)
    assert queue.workbench.suggestions.chosen is not None


def test_esc_leaves_the_queue(queue: Bench) -> None:
    queue.press(Qt.Key.Key_Escape)
    assert queue.window.right.evidence.isVisible()
    assert QApplication.focusWidget() is queue.window.pages.view
    queue.press(Qt.Key.Key_A)
    assert links(queue) == ()


def test_a_suggestion_is_marked_on_the_pages_until_it_is_left(queue: Bench) -> None:
    assert len(queue.window.pages.view.marks.layer(Layer.LINK)) == 2
    queue.press(Qt.Key.Key_Escape)
    assert queue.window.pages.view.marks.layer(Layer.LINK) == ()


def test_when_everything_is_judged_the_panel_says_so(queue: Bench) -> None:
    count = judge_all_of(queue, Origin.SUGGESTION, Qt.Key.Key_A)
    assert count == len(links(queue)) >= 3
    assert "Nothing waits" in panel(queue).why.text()
    assert not panel(queue).accept.isVisible()
    assert f"{count} judged" in panel(queue).pace.text()


def test_controls_are_recorded_as_such_and_counted(make_bench) -> None:
    bench = make_bench()
    bench.open()
    many = tuple(
        finding(bench.document, 10 * a + b, a, b) for a in range(6) for b in range(a + 1, 6) if (a, b) != (0, 1)
    )
    bench.review(many)
    bench.trigger(Name.LABEL_NEXT)
    judge_all_of(bench, Origin.CONTROL, Qt.Key.Key_A)
    made = [link for link in links(bench) if link.origin is Origin.CONTROL]
    assert [link.ends[0].clause_number for link in made] == ["1"]
    assert "of 1 random pairs mixed in, 1 accepted" in panel(bench).pace.text()


def test_decided_in_the_inbox_is_not_suggested(reviewed: Bench) -> None:
    reviewed.trigger(Name.CONFIRM)
    confirmed = next(row.id for row in reviewed.desk.book.rows() if row.verdict == "confirmed")
    reviewed.workbench.labelling.refresh()
    assert confirmed not in {each.id for each in reviewed.workbench.labelling.queue}


def test_suggestions_are_listed_apart_and_look_different(queue: Bench) -> None:
    tab = queue.window.left.links
    assert tab.model.rowCount() == 0
    tab.show_box.setCurrentIndex(tab.show_box.findData(Shown.SUGGESTIONS.value))
    assert tab.model.rowCount() == len(queue.workbench.labelling.queue)
    index = tab.model.index(1, 0)
    assert index.data(Qt.ItemDataRole.FontRole).italic()
    assert index.siblingAtColumn(6).data() == "suggested"
    queue.trigger(Name.SHOW_LINKS)
    tab.view.setCurrentIndex(index)
    queue.press(Qt.Key.Key_Return, tab.view)
    assert queue.workbench.suggestions.chosen is index.data(LinksModel.LinkRole)


def test_nothing_of_a_suggestion_is_exported_before_it_is_judged(queue: Bench) -> None:
    from engine.matter.exchange import export_lines

    lines = queue.desk.book.ask(lambda matter: list(export_lines(matter)), [])
    assert len(lines) == 1
    queue.press(Qt.Key.Key_A)
    lines = queue.desk.book.ask(lambda matter: list(export_lines(matter)), [])
    assert sum('"type":"link"' in line for line in lines) == 1


def test_a_third_clause_joins_the_link_in_the_making(reviewed: Bench) -> None:
    def drop(first: int, second: int) -> None:
        a, b = reviewed.document.clauses[first], reviewed.document.clauses[second]
        reviewed.window.pages.view.link_dropped.emit(a.start, a.end - 1, b.start, b.end - 1)

    drop(0, 2)
    reviewed.window.pages.view.setFocus()  # as a drag on the pages leaves it
    drop(3, 2)
    reviewed.press(Qt.Key.Key_2)
    reviewed.press(Qt.Key.Key_Return)
    (link,) = links(reviewed)
    assert [end.clause_number for end in link.ends] == ["1", "3", "4"]


def test_two_visible_clauses_are_linked_by_six_keys(reviewed: Bench) -> None:
    view = reviewed.window.pages.view
    view.setFocus()
    view.current_clause.set_caret(reviewed.document.clauses[1].start)
    keys = [
        (Qt.Key.Key_M, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_L, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_5, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
    ]
    for key, modifiers in keys:
        reviewed.press(key, modifiers=modifiers)
    (link,) = links(reviewed)
    assert (link.code, [end.clause_number for end in link.ends]) == ("norm.modality", ["2", "4"])
