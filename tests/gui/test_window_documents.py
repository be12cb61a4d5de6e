"""Opening: passwords, unusable files, several documents, what is remembered, closing while work runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from painted_pages import contract
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication
from window_bench import Bench, finding_set

from engine.document import Document
from engine.matter.records import DecisionState
from engine.protocol.messages import Fault, FaultCode
from gui.commands.names import Name
from gui.left.findings_model import Grouping


def other(document: Document, digit: str) -> Document:
    return msgspec.structs.replace(document, id="sha256:" + digit * 64, name=f"other {digit}.pdf")


def test_the_first_page_offers_a_start(bench: Bench) -> None:
    assert bench.window.pages.first_run.isVisible()
    bench.chosen_files.append(Path("a.pdf"))
    bench.click(bench.window.pages.first_run.open_button)
    assert bench.processes.asked[-1][0] == "open_document"


def test_decisions_come_back_when_the_file_is_opened_again(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open()
    bench.review()
    bench.trigger(Name.NEXT_FINDING)
    bench.press(Qt.Key.Key_C, bench.window)
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    again = make_bench()
    recent = again.window.pages.first_run.recent
    assert recent.item(0).text() == bench.document.name
    again.workbench.documents.open_paths([Path("contract.pdf")])
    again.processes.play_opened(again.last_job("open_document"), bench.document)
    again.qtbot.waitUntil(lambda: again.desk.book.is_open)
    assert again.row(1).verdict is DecisionState.CONFIRMED
    assert again.window.left.findings.model.shown_count() == 3
    # The saved form is there before the reader has read the file.
    again.qtbot.waitUntil(lambda: again.window.left.clauses.model.rowCount() == 6)


def test_a_recent_matter_opens_by_a_click(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open()
    bench.review()
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    again = make_bench()
    recent = again.window.pages.first_run.recent
    again.qtbot.mouseClick(
        recent.viewport(), Qt.MouseButton.LeftButton, pos=recent.visualItemRect(recent.item(0)).center()
    )
    again.qtbot.waitUntil(lambda: again.window.left.clauses.model.rowCount() == 6)
    assert again.window.left.findings.model.shown_count() == 3
    again.processes.play_failed(
        again.last_job("open_document"), Fault(FaultCode.MISSING_FILE, "contract.pdf is not there any more.")
    )
    assert again.said == "contract.pdf is not there any more."
    assert again.window.left.findings.model.shown_count() == 3


def test_a_matter_file_opens_like_a_contract(make_bench: Callable[[], Bench], tmp_path: Path) -> None:
    bench = make_bench()
    bench.open()
    bench.review()
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    matter = bench.desk.book.path
    assert matter is not None
    again = make_bench()
    again.workbench.documents.open_paths([tmp_path / "gone.antinomy"])
    assert "gone.antinomy" in again.said
    assert not (tmp_path / "gone.antinomy").exists()
    again.workbench.documents.open_paths([matter])
    assert again.said == ""
    assert again.window.left.findings.model.shown_count() == 3
    again.workbench.documents.open_paths([matter, matter])
    assert again.said.startswith("A matter opens alone")


def test_three_wrong_passwords_are_a_message(bench: Bench) -> None:
    bench.workbench.documents.open_paths([Path("secret.pdf")])
    bench.processes.play_failed(bench.last_job("open_document"), Fault(FaultCode.NEEDS_PASSWORD, "locked"))
    assert bench.window.pages.password.isVisible()
    assert QApplication.focusWidget() is bench.window.pages.password.line
    for _ in range(3):
        bench.type("guess")
        bench.press(Qt.Key.Key_Return)
        bench.processes.play_failed(bench.last_job("open_document"), Fault(FaultCode.WRONG_PASSWORD, "wrong"))
    assert "None of the three passwords opens secret.pdf" in bench.said
    assert bench.window.pages.first_run.isVisible()
    assert not bench.processes.waiting("open_document")


def test_the_right_password_opens(bench: Bench) -> None:
    bench.workbench.documents.open_paths([Path("secret.pdf")])
    bench.processes.play_failed(bench.last_job("open_document"), Fault(FaultCode.NEEDS_PASSWORD, "locked"))
    bench.type("right")
    bench.press(Qt.Key.Key_Return)
    method, job, arguments = bench.processes.asked[-1]
    assert (method, arguments[1]) == ("open_document", "right")
    bench.processes.play_read(job, bench.document)
    assert bench.window.pages.view.isVisible()


def test_no_password_leaves_everything_as_it_was(reviewed: Bench) -> None:
    reviewed.workbench.documents.open_paths([Path("secret.pdf")])
    reviewed.processes.play_failed(reviewed.last_job("open_document"), Fault(FaultCode.NEEDS_PASSWORD, "locked"))
    reviewed.press(Qt.Key.Key_Escape)
    assert reviewed.window.pages.view.isVisible()
    assert reviewed.window.left.findings.model.shown_count() == 3


def test_an_unusable_file_is_a_sentence_and_the_rest_stays(reviewed: Bench) -> None:
    reviewed.workbench.documents.open_paths([Path("broken.pdf")])
    sentence = "broken.pdf is cut off; ask for it again."
    reviewed.processes.play_failed(
        reviewed.last_job("open_document"), Fault(FaultCode.UNREADABLE_FILE, sentence)
    )
    assert reviewed.said == sentence
    assert reviewed.window.pages.view.isVisible()
    assert reviewed.window.left.findings.model.shown_count() == 3
    reviewed.click(reviewed.window.pages.banner.close_button)
    assert reviewed.said == ""


def test_dropped_files_become_one_matter(bench: Bench) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/one.pdf"), QUrl.fromLocalFile("/tmp/two.pdf")])
    event = QDropEvent(
        QPointF(QPoint(50, 50)), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    bench.window.dropEvent(event)
    bench.processes.play_read(bench.last_job("open_document"), bench.document)
    second = other(contract(1), "2")
    bench.processes.play_read(bench.last_job("open_document"), second)
    assert [record.id for record in bench.desk.book.documents()] == [bench.document.id, second.id]
    assert bench.desk.current == bench.document.id
    bench.processes.play_engine_status("ready")
    _, _, arguments = bench.processes.asked[-1]
    assert [document.id for document in arguments[0]] == [bench.document.id, second.id]
    bench.window.top_bar.menu.actions()[1].trigger()
    assert bench.desk.current == second.id
    assert bench.window.windowTitle().startswith("other 2.pdf")


def test_another_file_is_another_matter(reviewed: Bench) -> None:
    second = other(contract(1), "3")
    reviewed.open(Path("second.pdf"), second)
    assert [record.id for record in reviewed.desk.book.documents()] == [second.id]
    assert reviewed.window.left.findings.model.shown_count() == 0
    assert ("close_document", 0, (reviewed.document.id,)) in reviewed.processes.asked
    reviewed.open()
    assert reviewed.window.left.findings.model.shown_count() == 3


def test_closing_while_busy_cancels_and_ends(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.processes.play_engine_status("ready")
    bench.open()
    job = bench.last_job("review")
    bench.processes.play_progress(job, "encoding", 1, 4)
    assert "reviewing 30%" in bench.window.status.progress_words.text()
    bench.window.close()
    assert ("cancel", job, ()) in bench.processes.asked
    assert ("close", 0, ()) in bench.processes.asked
    assert not bench.desk.book.is_open


def test_the_cancel_button_stops_the_review(bench: Bench) -> None:
    bench.processes.play_engine_status("ready")
    bench.open()
    bench.processes.play_progress(bench.last_job("review"), "encoding", 1, 4)
    bench.click(bench.window.status.cancel)
    assert not bench.window.status.progress.isVisible()
    assert "F5" in bench.window.left.findings.empty.text()
    bench.trigger(Name.REVIEW)
    bench.review()
    assert bench.window.left.findings.model.shown_count() == 3


def test_a_dead_reader_is_said_and_the_reading_begins_again(bench: Bench) -> None:
    bench.workbench.documents.open_paths([Path("contract.pdf")])
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, bench.document)
    bench.processes.play_death("reader", "The reader process ended unexpectedly (status -9).")
    bench.processes.play_failed(job, Fault(FaultCode.CHILD_DIED, "died"))
    assert bench.said == "The reader stopped and was started again; nothing was lost."
    again = bench.last_job("open_document")
    assert again != job
    bench.processes.play_read(again, bench.document)
    assert bench.window.left.clauses.model.rowCount() == 6


def test_a_dead_engine_reviews_again_once(bench: Bench) -> None:
    bench.processes.play_engine_status("ready")
    bench.open()
    for _ in range(2):
        job = bench.last_job("review")
        bench.processes.play_death("engine", "The engine process ended unexpectedly (status -9).")
        bench.processes.play_failed(job, Fault(FaultCode.CHILD_DIED, "The engine process ended during the review."))
        bench.processes.play_engine_status("ready")
    assert not bench.processes.waiting("review")
    assert bench.said == "The engine process ended during the review."
    bench.click(bench.window.pages.banner.button)
    bench.review()
    assert bench.window.left.findings.model.shown_count() == 3


def test_a_matter_open_elsewhere_is_read_only_here(make_bench: Callable[[], Bench], tmp_path: Path) -> None:
    bench = make_bench()
    bench.open()
    bench.review()
    assert bench.desk.book.path is not None
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    path = bench.desk.book.path
    bench.desk.book.close()
    from engine.matter.matter import Matter

    with Matter.open(path):
        again = make_bench()
        again.open()
        assert again.window.status.saved.text() == "read only"
        assert "open in another window" in again.said
        assert again.window.left.findings.model.shown_count() == 3
        again.trigger(Name.NEXT_FINDING)
        again.press(Qt.Key.Key_C, again.window)
        assert again.row(1).verdict is DecisionState.OPEN
        assert again.window.status.saved.text() == "not saved"
        again.window.close()


def test_the_window_remembers_tab_and_grouping(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.trigger(Name.SHOW_LINKS)
    box = bench.window.left.findings.group_box
    box.setCurrentIndex(box.findData(Grouping.CLAUSE))
    again = make_bench()
    assert again.window.left.findings.model.grouping is Grouping.CLAUSE
    assert again.window.left.currentWidget() is again.window.left.links


def test_findings_are_listed_once_with_the_ids_of_the_review(reviewed: Bench) -> None:
    assert [row.id for row in reviewed.desk.book.rows()] == [each.id for each in finding_set(reviewed.document)]


def test_a_document_opens_again_where_it_was_left(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    long = contract(5)
    bench.open(document=long)
    bench.window.pages.view.go_to_page(3)
    again = make_bench()
    again.open(document=long)
    assert again.window.pages.view.current_page == 3


def test_the_place_is_kept_when_another_file_is_opened_between(bench: Bench) -> None:
    long = contract(5)
    bench.open(document=long)
    bench.window.pages.view.go_to_page(2)
    bench.open(Path("second.pdf"), other(contract(1), "3"))
    assert bench.window.pages.view.current_page == 0
    bench.open(document=long)
    assert bench.window.pages.view.current_page == 2


def test_a_review_that_fails_says_so_and_can_be_asked_for_again(reviewed: Bench) -> None:
    reviewed.trigger(Name.REVIEW)
    job = reviewed.last_job("review")
    assert reviewed.window.status.progress.isVisible()
    reviewed.processes.play_failed(job, Fault(FaultCode.OUT_OF_MEMORY, "There is too little memory for the review."))
    status = reviewed.window.status
    assert status.progress_words.text() == "the review did not finish"
    assert status.progress_words.isVisible()
    assert not status.progress.isVisible()
    assert not status.cancel.isVisible()
    assert "too little memory" in reviewed.said
    assert reviewed.window.left.findings.model.shown_count() == 3
    reviewed.click(reviewed.window.pages.banner.button)
    assert reviewed.last_job("review") != job
    reviewed.review()
    assert not status.progress_words.isVisible()


def test_a_child_that_keeps_dying_is_started_by_a_button(bench: Bench) -> None:
    bench.processes.play_death("engine", "ended", given_up=True)
    assert "keeps stopping" in bench.said
    assert "engine stopped" in bench.window.top_bar.engine.words.text()
    bench.click(bench.window.pages.banner.button)
    assert bench.processes.asked[-1] == ("restart", 0, ("engine",))
