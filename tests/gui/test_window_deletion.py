"""A matter thrown away in the window: into the trash with its side files, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from window_bench import Bench

from engine.matter import DecisionState, Matter
from gui.commands.names import Name


@pytest.fixture
def trash(tmp_path: Path) -> Path:
    return tmp_path / "trash"


@pytest.fixture
def decided(reviewed: Bench, trash: Path) -> Bench:
    """A matter with a decision and side files; its trash is a folder of the test."""
    trash.mkdir()

    def put(path: Path) -> str:
        there = trash / path.name
        path.rename(there)
        return str(there)

    reviewed.workbench.deletion.trash = put
    reviewed.desk.book.decide([reviewed.row(1).id], DecisionState.CONFIRMED)
    assert reviewed.desk.book.path is not None
    reviewed.desk.book.path.with_suffix(".saht").write_bytes(b"table")
    reviewed.desk.book.path.with_suffix(".index").mkdir()
    return reviewed


def test_the_open_matter_goes_to_the_trash_and_comes_back(decided: Bench, trash: Path) -> None:
    path = decided.desk.book.path
    assert path is not None
    decided.trigger(Name.DELETE_MATTER)
    assert sorted(each.suffix for each in trash.iterdir()) == [".antinomy", ".index", ".saht"]
    assert [each for each in path.parent.iterdir() if each.stem == path.stem] == []
    assert not decided.desk.book.is_open
    assert decided.desk.current == ""
    assert "is in the trash" in decided.said
    assert decided.desk.recent.entries() == ()
    decided.click(decided.window.pages.banner.button)
    assert decided.desk.book.path == path
    assert path.with_suffix(".saht").read_bytes() == b"table"
    assert decided.row(1).verdict is DecisionState.CONFIRMED
    assert list(trash.iterdir()) == []


def test_without_a_trash_nothing_is_deleted(decided: Bench) -> None:
    path = decided.desk.book.path
    assert path is not None
    decided.workbench.deletion.trash = lambda _: ""
    decided.trigger(Name.DELETE_MATTER)
    assert "has no trash" in decided.said
    assert decided.desk.book.path == path
    assert decided.row(1).verdict is DecisionState.CONFIRMED


def test_a_recent_matter_is_deleted_by_key(decided: Bench, trash: Path) -> None:
    path = decided.desk.book.path
    assert path is not None
    decided.desk.leave_matter()
    recent = decided.window.pages.first_run.recent
    decided.workbench.documents.refresh()
    decided.window.pages.first_run.show_recent(decided.desk.recent.entries())
    recent.setCurrentRow(0)
    recent.setFocus()
    decided.press(Qt.Key.Key_Delete, recent)
    assert (trash / path.name).exists()
    assert recent.count() == 0


def test_one_that_another_window_writes_stays(decided: Bench, trash: Path) -> None:
    path = decided.desk.book.path
    assert path is not None
    decided.desk.leave_matter()
    with Matter.open(path):
        decided.workbench.deletion.delete(path)
    assert "close it there first" in decided.said
    assert path.exists()
    assert list(trash.iterdir()) == []


def test_without_a_matter_it_says_so(bench: Bench) -> None:
    bench.trigger(Name.DELETE_MATTER)
    assert "No matter is open" in bench.window.status.remark.text()
