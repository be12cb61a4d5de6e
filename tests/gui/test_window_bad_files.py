"""Files that change, go, cannot be written or are of a newer program: a sentence with a next step, nothing lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from painted_pages import contract
from PySide6.QtCore import Qt
from window_bench import LINES, Bench, finding

from engine.document import Document
from engine.matter.errors import DiskFull
from engine.matter.matter import Matter
from engine.matter.records import DecisionState, LinkEnd
from gui.commands.names import Name
from gui.state.file_watch import FileState
from gui.state.link_draft import LinkDraft


def newer(document: Document) -> Document:
    """The same contract with one line more at its head, as another file."""
    lines = ("0. Definitions come first here.", *LINES)
    return msgspec.structs.replace(contract(1, lines), id="sha256:" + "9" * 64)


@pytest.fixture
def filed(bench: Bench, tmp_path: Path) -> tuple[Bench, Path]:
    """A window with a contract that is really there on the disk, reviewed, the first finding confirmed."""
    path = tmp_path / "contract.pdf"
    path.write_bytes(b"as it was")
    bench.open(path)
    bench.review()
    bench.trigger(Name.NEXT_FINDING)
    bench.press(Qt.Key.Key_C, bench.window)
    return bench, path


def test_a_changed_file_is_told_and_read_anew_with_all_decisions(filed: tuple[Bench, Path]) -> None:
    bench, path = filed
    old = bench.document
    clause = old.clauses[3]
    end = LinkEnd(old.id, clause.id, clause.number, old.quote(clause.start, clause.end), clause.start, clause.end)
    first = LinkEnd(old.id, old.clauses[0].id, "1", old.quote(0, 20), 0, 20)
    link = bench.desk.book.add_link(LinkDraft((first, end), "value.period"))
    assert link is not None
    path.write_bytes(b"as it is now")
    bench.qtbot.waitUntil(lambda: "has changed on the disk" in bench.said)
    assert bench.window.left.findings.model.shown_count() == 3
    bench.click(bench.window.pages.banner.button)
    job = bench.last_job("open_document")
    document = newer(old)
    bench.processes.play_opened(job, document)
    bench.processes.play_read(job, document)
    assert list(bench.desk.documents) == [document.id]
    assert bench.desk.current == document.id
    assert ("close_document", 0, (old.id,)) in bench.processes.asked
    (kept,) = bench.desk.book.links()
    assert [document.quote(e.start, e.end) for e in kept.ends] == [e.quote for e in (first, end)]
    assert {e.document for e in kept.ends} == {document.id}
    bench.review((finding(document, 1, 1, 3), finding(document, 2, 2, 4)))
    assert bench.row(1).verdict is DecisionState.CONFIRMED
    assert not bench.row(1).is_gone
    assert "f-0000000000000003" not in [row.id for row in bench.desk.book.rows()]


def test_the_older_state_of_a_file_is_not_opened_with_its_matter(
    make_bench: Callable[[], Bench], tmp_path: Path
) -> None:
    bench = make_bench()
    path = tmp_path / "contract.pdf"
    path.write_bytes(b"as it was")
    bench.open(path)
    bench.desk.read_anew(bench.document.id)
    job, document = bench.last_job("open_document"), newer(bench.document)
    bench.processes.play_opened(job, document)
    bench.processes.play_read(job, document)
    matter = bench.desk.book.path
    assert matter is not None
    again = make_bench()
    again.desk.open_matter(matter)
    assert list(again.desk.documents) == [document.id]


def test_a_file_that_goes_can_be_read_on_and_found_again(filed: tuple[Bench, Path], tmp_path: Path) -> None:
    bench, path = filed
    moved = tmp_path / "moved.pdf"
    path.rename(moved)
    bench.qtbot.waitUntil(lambda: "is no longer in" in bench.said)
    assert bench.window.pages.view.isVisible()
    bench.chosen_files.append(moved)
    bench.click(bench.window.pages.banner.button)
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, bench.document)
    bench.processes.play_read(job, bench.document)
    assert bench.desk.documents[bench.document.id].path == moved
    assert bench.desk.files.states()[bench.document.id] is FileState.SAME
    assert bench.row(1).verdict is DecisionState.CONFIRMED


def test_a_file_that_comes_back_as_it_was_is_said_calmly(filed: tuple[Bench, Path], tmp_path: Path) -> None:
    bench, path = filed
    away = tmp_path / "away.pdf"
    path.rename(away)
    bench.qtbot.waitUntil(lambda: "is no longer in" in bench.said)
    away.rename(path)
    bench.qtbot.waitUntil(lambda: "again as it was opened" in bench.said)
    assert bench.window.pages.banner.property("tone") == "calm"


def test_a_folder_that_takes_no_matter_still_lists_the_review(bench: Bench, tmp_path: Path) -> None:
    matters = tmp_path / "data" / "matters"
    matters.write_bytes(b"a file where the folder should be")
    bench.open()
    bench.review()
    assert "cannot be written" in bench.said
    assert bench.window.left.findings.model.shown_count() == 3
    bench.trigger(Name.NEXT_FINDING)
    bench.press(Qt.Key.Key_C, bench.window)
    assert bench.row(1).verdict is DecisionState.OPEN
    assert bench.window.status.saved.text() == "not saved"
    assert "no matter file" in bench.said
    bench.click(bench.window.pages.banner.button)
    assert "cannot be written" in bench.said
    matters.unlink()
    bench.click(bench.window.pages.banner.button)
    bench.qtbot.waitUntil(lambda: not bench.desk.keeping.has_unkept)
    assert bench.window.status.saved.text() == "saved"
    assert bench.desk.book.path is not None
    bench.press(Qt.Key.Key_C, bench.window)
    assert bench.row(1).verdict is DecisionState.CONFIRMED


def _fill_disk(matter: Matter) -> None:
    """From now on SQLite finds no room, as on a full disk."""
    pages = matter._db.execute("PRAGMA page_count").fetchone()[0]
    matter._db.execute(f"PRAGMA max_page_count = {pages}")


def _free_disk(matter: Matter) -> None:
    matter._db.execute("PRAGMA max_page_count = 1000000")


def test_a_full_disk_loses_nothing(reviewed: Bench) -> None:
    book = reviewed.desk.book
    reviewed.press(Qt.Key.Key_C)
    book.ask(_fill_disk, None)
    note = "a long note " * 2000
    assert not book.write_note(reviewed.row(2).id, note)
    assert "disk is full" in reviewed.said
    assert reviewed.window.status.saved.text() == "not saved"
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED
    assert reviewed.row(2).note == ""
    book.ask(_free_disk, None)
    assert book.write_note(reviewed.row(2).id, note)
    assert reviewed.window.status.saved.text() == "saved"


def test_a_review_that_a_full_disk_refuses_is_listed_and_kept_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskFull("The disk is full; free some space and repeat the last step. The rest is safe.")

    bench.open()
    with monkeypatch.context() as patched:
        patched.setattr("engine.matter.reviews.save_known", full)
        bench.review()
    assert "disk is full" in bench.said
    assert bench.window.left.findings.model.shown_count() == 3
    assert bench.desk.keeping.has_unkept
    bench.click(bench.window.pages.banner.button)
    bench.qtbot.waitUntil(lambda: not bench.desk.keeping.is_saving)
    assert not bench.desk.keeping.has_unkept
    bench.desk.book.reload()
    assert bench.window.left.findings.model.shown_count() == 3


def test_a_second_window_takes_over_when_the_first_is_gone(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open()
    bench.review()
    path = bench.desk.book.path
    assert path is not None
    bench.desk.book.close()
    first = Matter.open(path)
    again = make_bench()
    again.open()
    assert again.window.status.saved.text() == "read only"
    again.click(again.window.pages.banner.button)
    assert "open in another window" in again.said
    assert again.window.status.saved.text() == "read only"
    first.close()
    again.click(again.window.pages.banner.button)
    assert again.window.status.saved.text() == "saved"
    again.trigger(Name.NEXT_FINDING)
    again.press(Qt.Key.Key_C, again.window)
    assert again.row(1).verdict is DecisionState.CONFIRMED


def test_a_matter_of_a_newer_program_leaves_the_desk_as_it_is(reviewed: Bench, tmp_path: Path) -> None:
    path = tmp_path / "newer.antinomy"
    Matter.create(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    reviewed.desk.open_matter(path)
    assert "newer Antinomy" in reviewed.said
    assert "update" in reviewed.said
    assert reviewed.desk.current == reviewed.document.id
    assert reviewed.window.left.findings.model.shown_count() == 3
    reviewed.press(Qt.Key.Key_C)
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED


def test_a_matter_that_is_gone_is_not_made_anew(reviewed: Bench, tmp_path: Path) -> None:
    path = tmp_path / "gone.antinomy"
    reviewed.desk.open_matter(path)
    assert "not there any more" in reviewed.said
    assert not path.exists()
    assert reviewed.desk.current == reviewed.document.id
