"""Lists are written whole or not at all: a disk without room leaves nothing, and says so."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from window_bench import finding_set, sample_document

from gui.state.finding_export import write_findings_json, write_issue_book
from gui.state.finding_row import FindingRow
from gui.state.issue_list import issue_list, write_issue_list
from gui.state.whole_file import whole_file

#: What Linux has for trying a full disk; elsewhere the first test below must do.
FULL = Path("/dev/full")
DOCUMENT = sample_document()
ROWS = [FindingRow(each) for each in finding_set(DOCUMENT)]
WRITERS: dict[str, Callable[[Path], None]] = {
    "list.csv": lambda path: write_issue_list(path, issue_list(ROWS, str)),
    "list.xlsx": lambda path: write_issue_book(path, ROWS, str),
    "list.json": lambda path: write_findings_json(path, ROWS, [DOCUMENT], None),
}


def test_a_draft_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("as it was")

    def fail() -> None:
        with whole_file(path) as draft:
            draft.write_text("half")
            raise OSError(errno.ENOSPC, "no room")

    with pytest.raises(OSError, match="no room"):
        fail()
    assert path.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [path]


# A zip file that is thrown away unfinished tries to finish, and grumbles, once more.
@pytest.mark.filterwarnings("ignore:.*ZipFile.__del__:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_told_by_its_number_and_nothing_stays(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.new").symlink_to(FULL)
    with pytest.raises(OSError, match="space") as caught:
        WRITERS[name](tmp_path / name)
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_is_none_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match=r".") as caught:
        WRITERS[name](tmp_path / "file" / name)
    assert caught.value.strerror
