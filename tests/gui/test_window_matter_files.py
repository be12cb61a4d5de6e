"""Matter files that cannot be opened, or only read: one sentence with what to do, nothing lost, the file as it was."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from window_bench import Bench

from engine.matter import DecisionState, Matter
from gui.commands.names import Name

#: A program of another maker that keeps the file locked, as a database browser in its exclusive mode does.
LOCKER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA locking_mode = EXCLUSIVE")
db.execute("BEGIN EXCLUSIVE")
db.execute("SELECT count(*) FROM sqlite_master").fetchone()
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def whole(reviewed: Bench, tmp_path: Path) -> bytes:
    """The bytes of a sound matter with a decision and a link, which stays open in the window."""
    reviewed.desk.book.decide([reviewed.row(1).id], DecisionState.CONFIRMED)
    a, b = reviewed.document.clauses[0], reviewed.document.clauses[2]
    reviewed.window.pages.view.link_dropped.emit(a.start, a.end - 1, b.start, b.end - 1)
    reviewed.press(Qt.Key.Key_2)
    reviewed.press(Qt.Key.Key_Return)
    reviewed.desk.book.ask(lambda matter: matter.compact(), None)
    assert reviewed.desk.book.path is not None
    return reviewed.desk.book.path.read_bytes()


def names_in(folder: Path) -> set[str]:
    """What lies there, without the empty files that SQLite and the lock leave beside a file that they looked at."""
    return {
        each.name for each in folder.iterdir()
        if not each.name.endswith("-shm") and not (each.name.endswith((".lock", "-wal")) and not each.stat().st_size)
    }  # fmt: skip


def refused(bench: Bench, path: Path, says: str) -> None:
    """Opening it says why and what to do, and changes neither the file, its folder, nor the desk."""
    before = path.read_bytes() if path.is_file() else None
    beside = names_in(path.parent)
    shown, kept = bench.desk.current, bench.desk.book.path
    bench.window.pages.banner.hide()
    bench.desk.open_matter(path)
    assert says in bench.said
    assert path.name in bench.said
    assert bench.said.endswith((".", "。"))
    assert any(word in bench.said for word in ("choose", "open its", "try again", "update")), bench.said
    assert (path.read_bytes() if path.is_file() else None) == before
    assert names_in(path.parent) == beside
    assert (bench.desk.current, bench.desk.book.path) == (shown, kept)
    assert len(bench.desk.book.links()) == 1
    assert bench.row(1).verdict is DecisionState.CONFIRMED


def test_files_that_are_no_matter_or_no_longer_one(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    noise = random.Random(8)
    folder = tmp_path / "files"
    folder.mkdir()
    made = {
        "zero bytes": (b"", "not a matter file"),
        "cut in the header": (whole[:60], "not a matter file"),
        "a contract": (b"%PDF-1.7\n" + noise.randbytes(5000), "not a matter file"),
        "cut in the middle": (whole[: len(whole) // 2], "damaged"),
        "cut after the header": (whole[:4096], "damaged"),
        "scribbled over": (whole[:100] + noise.randbytes(len(whole) - 100), "damaged"),
    }
    for name, (data, says) in made.items():
        path = folder / f"{name}.antinomy"
        path.write_bytes(data)
        refused(reviewed, path, says)
        path.unlink()


def test_a_folder_and_a_missing_file(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "folder.antinomy").mkdir()
    refused(reviewed, tmp_path / "folder.antinomy", "is not a file")
    refused(reviewed, tmp_path / "gone.antinomy", "is not there any more")


def test_another_program_s_database(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "places.antinomy"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (a)")
    other.commit()
    other.close()
    refused(reviewed, path, "another program")


def test_a_matter_of_a_newer_program(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "newer.antinomy"
    path.write_bytes(whole)
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    refused(reviewed, path, "newer Antinomy")


def test_a_file_that_another_program_keeps_locked(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "locked.antinomy"
    path.write_bytes(whole)
    with subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as locker:
        assert locker.stdin is not None
        assert locker.stdout is not None
        assert locker.stdout.readline() == b"locked\n"
        reviewed.window.pages.banner.hide()
        reviewed.desk.open_matter(path)
        assert "is being written by another program; try again" in reviewed.said
        assert reviewed.desk.book.path != path
        locker.stdin.close()
    reviewed.desk.open_matter(path)
    assert reviewed.desk.book.path == path
    assert len(reviewed.desk.book.links()) == 1


def test_what_a_killed_window_left_in_the_log_is_there(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    source = reviewed.desk.book.path
    assert source is not None
    reviewed.desk.book.decide([reviewed.row(2).id], DecisionState.FLAGGED)
    log = source.with_name(source.name + "-wal")
    assert log.stat().st_size > 0
    path = tmp_path / "killed.antinomy"
    shutil.copy(source, path)
    shutil.copy(log, path.with_name(path.name + "-wal"))
    reviewed.desk.open_matter(path)
    assert reviewed.row(2).verdict is DecisionState.FLAGGED
    assert len(reviewed.desk.book.links()) == 1


def test_a_log_of_nonsense_is_passed_over(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.antinomy"
    path.write_bytes(whole)
    path.with_name(path.name + "-wal").write_bytes(random.Random(8).randbytes(9000))
    reviewed.desk.open_matter(path)
    assert reviewed.desk.book.path == path
    assert len(reviewed.desk.book.links()) == 1
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED


def test_a_file_that_cannot_be_written_is_read_and_keeps_nothing(
    reviewed: Bench, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "read.antinomy"
    path.write_bytes(whole)
    monkeypatch.setattr("engine.matter.lock.WriterLock.acquire", refuse)
    reviewed.desk.open_matter(path)
    assert "cannot be written where it is" in reviewed.said
    assert len(reviewed.desk.book.links()) == 1
    assert not reviewed.desk.book.decide([reviewed.row(2).id], DecisionState.CONFIRMED)
    assert reviewed.row(2).verdict is DecisionState.OPEN
    reviewed.trigger(Name.IMPORT_LINKS)
    assert path.read_bytes() == whole


def test_a_matter_open_in_another_window_is_read(reviewed: Bench, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.antinomy"
    path.write_bytes(whole)
    with Matter.open(path) as other:
        assert not other.read_only
        reviewed.desk.open_matter(path)
        assert "another window" in reviewed.said
        assert reviewed.desk.book.read_only
        assert len(reviewed.desk.book.links()) == 1


def test_a_contract_opens_although_its_matter_is_damaged(make_bench: Callable[[], Bench]) -> None:
    first = make_bench()
    first.open()
    path = first.desk.book.path
    assert path is not None
    first.desk.book.ask(lambda matter: matter.compact(), None)
    first.workbench.close()
    data = path.read_bytes()[:8192]
    path.write_bytes(data)
    second = make_bench()
    second.open()
    assert second.desk.current == second.document.id
    assert "damaged" in second.said
    assert path.read_bytes() == data
