"""Opening and going through findings with real keys and clicks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from painted_pages import contract
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication
from window_bench import Bench, finding

from engine.document import Document
from engine.matter.labels import NotAConflict
from engine.matter.records import DecisionState
from gui.commands.names import Name
from gui.left.findings_model import Show
from gui.theme import Layer


def test_a_contract_is_opened_reviewed_and_listed(bench: Bench) -> None:
    bench.open()
    bench.review()
    assert bench.window.left.findings.model.shown_count() == 3
    assert bench.window.pages.view.isVisible()
    assert "3 open" in bench.window.status.counts.text()
    assert bench.window.status.saved.text() == "saved"
    assert bench.window.left.clauses.model.rowCount() == 6


def test_j_and_k_walk_over_group_headers(reviewed: Bench) -> None:
    ids = []
    for _ in range(3):
        ids.append(reviewed.window.left.findings.current_id())
        reviewed.press(Qt.Key.Key_J)
    assert ids == [f"f-{n:016x}" for n in (1, 2, 3)]
    reviewed.press(Qt.Key.Key_K)
    assert reviewed.window.left.findings.current_id() == ids[1]


def test_choosing_marks_both_passages_and_shows_the_reasons(reviewed: Bench) -> None:
    evidence = reviewed.window.right.evidence
    assert evidence.cards[0].isVisible()
    assert evidence.cards[1].isVisible()
    assert "30 days" in evidence.cards[0].words.text()
    assert "font-weight:600" in evidence.cards[0].words.text()
    assert "30 days is not 45." in evidence.path.text()
    assert "Say which period holds." in evidence.path.text()
    view = reviewed.window.pages.view
    assert view.chosen == reviewed.row(1).id
    assert len(view.marks.layer(Layer.CONFLICT)) == 6
    chosen = view.marks.of_id(reviewed.row(1).id)
    assert [reviewed.document.quote(*mark.emphasis[0]) for mark in chosen] == ["30 days", "45 days"]


def test_tab_goes_to_the_other_passage(reviewed: Bench) -> None:
    evidence = reviewed.window.right.evidence
    assert evidence.cards[0].property("current") == "true"
    reviewed.press(Qt.Key.Key_Tab)
    assert evidence.cards[1].property("current") == "true"
    reviewed.press(Qt.Key.Key_Tab)
    assert evidence.cards[0].property("current") == "true"


def test_c_confirms_and_goes_on(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_C)
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED
    assert reviewed.window.left.findings.current_id() == reviewed.row(2).id
    assert "1 confirmed" in reviewed.window.status.counts.text()


def test_x_asks_for_the_reason_and_a_digit_answers(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_X)
    assert reviewed.window.right.evidence.reasons.isVisible()
    reviewed.press(Qt.Key.Key_4)
    assert reviewed.row(1).verdict is DecisionState.DISMISSED
    assert reviewed.row(1).reason == NotAConflict.OVERRIDE
    assert not reviewed.window.right.evidence.reasons.isVisible()
    assert len(reviewed.window.pages.view.marks.layer(Layer.REVIEWED)) == 2


def test_esc_gives_the_reasons_up_and_the_keyboard_back(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_X)
    reviewed.press(Qt.Key.Key_Escape)
    assert reviewed.row(1).verdict is DecisionState.OPEN
    assert QApplication.focusWidget() is reviewed.window.left.findings.view


def test_u_takes_back_step_by_step(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_C)
    reviewed.press(Qt.Key.Key_F)
    assert reviewed.row(2).verdict is DecisionState.FLAGGED
    reviewed.press(Qt.Key.Key_U)
    assert reviewed.row(2).verdict is DecisionState.OPEN
    reviewed.press(Qt.Key.Key_U)
    assert reviewed.row(1).verdict is DecisionState.OPEN
    reviewed.press(Qt.Key.Key_U)
    assert "nothing to undo" in reviewed.window.status.remark.text()


def test_one_decision_for_several_is_one_undo(reviewed: Bench) -> None:
    reviewed.trigger(Name.SELECT_ALL)
    assert "3 findings selected" in reviewed.window.right.evidence.decisions.state.text()
    reviewed.press(Qt.Key.Key_C)
    assert all(reviewed.row(n).verdict is DecisionState.CONFIRMED for n in (1, 2, 3))
    reviewed.press(Qt.Key.Key_U)
    assert all(reviewed.row(n).verdict is DecisionState.OPEN for n in (1, 2, 3))


def test_a_note_is_saved_as_it_is_typed(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_N)
    assert QApplication.focusWidget() is reviewed.window.right.evidence.note
    reviewed.type("ask cj")
    reviewed.qtbot.waitUntil(lambda: reviewed.row(1).note == "ask cj")
    reviewed.press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is reviewed.window.left.findings.view
    assert reviewed.row(1).verdict is DecisionState.OPEN


def test_letters_in_a_filter_are_letters(reviewed: Bench) -> None:
    reviewed.window.left.findings.filter_box.setFocus()
    reviewed.type("must against")
    reviewed.qtbot.waitUntil(lambda: reviewed.window.left.findings.model.shown_count() == 1)
    assert reviewed.row(1).verdict is DecisionState.OPEN
    reviewed.window.left.findings.filter_box.clear()
    reviewed.qtbot.waitUntil(lambda: reviewed.window.left.findings.model.shown_count() == 3)
    assert reviewed.window.left.findings.current_id()


def test_only_the_dismissed_are_shown_when_asked(reviewed: Bench) -> None:
    inbox = reviewed.window.left.findings
    inbox.show_box.setCurrentIndex(inbox.show_box.findData(Show.DISMISSED))
    assert inbox.model.shown_count() == 0
    assert "No finding matches" in inbox.empty.text()


def test_a_click_on_a_button_decides(reviewed: Bench) -> None:
    reviewed.click(reviewed.window.right.evidence.decisions.flag)
    assert reviewed.row(1).verdict is DecisionState.FLAGGED
    reviewed.click(reviewed.window.right.evidence.decisions.flag)
    assert reviewed.row(1).verdict is DecisionState.OPEN


def test_a_second_review_keeps_decisions_and_says_what_is_new(reviewed: Bench, document: Document) -> None:
    reviewed.press(Qt.Key.Key_C)
    reviewed.trigger(Name.REVIEW)
    reviewed.review((finding(document, 2, 1, 3), finding(document, 4, 0, 1)))
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED
    assert reviewed.row(1).is_gone
    assert reviewed.row(4).is_new
    assert not reviewed.row(2).is_new


def test_enter_in_the_filter_goes_to_the_first_match(bench: Bench) -> None:
    bench.open()
    bench.review()
    bench.window.left.findings.filter_box.setFocus()
    bench.type("assign")
    bench.press(Qt.Key.Key_Return)
    assert QApplication.focusWidget() is bench.window.left.findings.view
    assert bench.window.left.findings.current_id() == bench.row(2).id


def test_shift_u_does_again_what_was_taken_back(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_C)
    reviewed.press(Qt.Key.Key_U)
    assert reviewed.row(1).verdict is DecisionState.OPEN
    reviewed.press(Qt.Key.Key_U, reviewed.window, Qt.KeyboardModifier.ShiftModifier)
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED
    assert "Done again" in reviewed.window.status.remark.text()


def test_a_decided_row_is_drawn_anew(reviewed: Bench) -> None:
    view = reviewed.window.left.findings.view
    updated = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Paint:
                updated.append(watched)
            return False

    watch = Watch()
    QApplication.processEvents()
    view.viewport().installEventFilter(watch)
    for ids in ([reviewed.row(3).id], [reviewed.row(1).id, reviewed.row(2).id]):
        updated.clear()
        reviewed.desk.book.decide(ids, DecisionState.FLAGGED)
        reviewed.qtbot.waitUntil(lambda: bool(updated))
    view.viewport().removeEventFilter(watch)


def test_a_finding_chosen_before_the_text_has_come_is_shown_when_it_comes(
    make_bench: Callable[[], Bench], tmp_path: Path
) -> None:
    long = contract(5)
    bench = make_bench()
    bench.open(document=long)
    bench.review((finding(long, 1, 65, 66),))
    again = make_bench()
    again.workbench.documents.open_paths([Path("contract.pdf")])
    job = again.last_job("open_document")
    again.processes.play_opened(job, long)
    again.desk.keep_opened()
    again.trigger(Name.NEXT_FINDING)
    assert again.window.pages.view.current_page == 0
    again.processes.play_read(job, long)
    assert again.window.pages.view.current_page == 3


def test_twenty_findings_in_a_session_of_clicks_and_keys(make_bench: Callable[[], Bench], tmp_path: Path) -> None:
    long = contract(5)
    found = tuple(finding(long, n, n, n + 40, summary=f"Finding {n:02d}.") for n in range(1, 21))
    bench = make_bench()
    bench.chosen_files.append(Path("contract.pdf"))
    bench.click(bench.window.pages.first_run.open_button)
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, long)
    bench.processes.play_read(job, long)
    bench.review(found)
    view = bench.window.left.findings.view
    row = view.visualRect(bench.window.left.findings.model.index_of(found[0].id))
    bench.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    for n in range(20):
        if n % 4 == 0:
            bench.press(Qt.Key.Key_X)
            bench.press(Qt.Key.Key_2)
        elif n % 4 == 1:
            bench.click(bench.window.right.evidence.decisions.flag)
            view.setFocus()
            bench.press(Qt.Key.Key_J)
        elif n % 4 == 2:
            bench.click(bench.window.right.evidence.decisions.confirm)
            view.setFocus()
        else:
            bench.press(Qt.Key.Key_C)
    counts = {state: sum(r.verdict is state for r in bench.desk.book.rows()) for state in DecisionState}
    assert counts[DecisionState.CONFIRMED] == 10
    assert counts[DecisionState.DISMISSED] == counts[DecisionState.FLAGGED] == 5
    for _ in range(3):
        bench.press(Qt.Key.Key_U)
    assert sum(r.verdict is DecisionState.OPEN for r in bench.desk.book.rows()) == 3
    bench.trigger(Name.SAVE_LIST)
    assert (tmp_path / "findings.csv").read_text(encoding="utf-8-sig").count("Finding ") == 20
    bench.trigger(Name.SAVE_MARKED)
    bench.trigger(Name.SAVE_REPORT)
    marked, report = (arguments[0] for method, _, arguments in bench.processes.asked if method == "hand_over")
    assert len(marked.marks) == 15
    assert len(report.report.findings) == 20
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    again = make_bench()
    recent = again.window.pages.first_run.recent
    again.qtbot.mouseClick(
        recent.viewport(), Qt.MouseButton.LeftButton, pos=recent.visualItemRect(recent.item(0)).center()
    )
    again.qtbot.waitUntil(lambda: again.window.left.findings.model.shown_count() == 20)
    assert sum(r.verdict is DecisionState.OPEN for r in again.desk.book.rows()) == 3
    again.press(Qt.Key.Key_U, again.window)
    assert sum(r.verdict is DecisionState.OPEN for r in again.desk.book.rows()) == 4
