"""A matter is deleted with what is kept beside it, and nothing else is."""

from __future__ import annotations

import io
import sqlite3

import pytest

from engine.matter import Matter, MatterLocked, NotAMatter
from engine.matter.commands import run_matter_command
from engine.matter.deletion import delete_matter, files_of


@pytest.fixture
def folder(matter, tmp_path):
    """The matter, closed, with its side files, a neighbour of a like name, and a contract."""
    matter.close()
    (tmp_path / "deal.saht").write_bytes(b"x")
    (tmp_path / "deal.index").mkdir()
    (tmp_path / "deal.index" / "part").write_bytes(b"x")
    (tmp_path / "deal.antinomy.states").write_bytes(b"x")
    (tmp_path / "deal.states").mkdir()
    (tmp_path / "deal.antinomy.format1.backup").write_bytes(b"x")
    for name in ("deal2.antinomy", "deal2.saht", "deal.pdf", "xdeal.antinomy.format1.backup"):
        (tmp_path / name).write_bytes(b"mine")
    return tmp_path


KEPT = ["deal.pdf", "deal2.antinomy", "deal2.saht", "xdeal.antinomy.format1.backup"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_all_of_a_matter_goes_and_nothing_else(folder):
    assert [path.name for path in files_of(folder / "deal.antinomy")] == [
        "deal.antinomy", "deal.saht", "deal.index", "deal.states", "deal.antinomy.states",
        "deal.antinomy.format1.backup",
    ]  # fmt: skip
    delete_matter(folder / "deal.antinomy")
    assert names(folder) == KEPT


def test_one_that_is_being_written_stays(folder):
    with Matter.open(folder / "deal.antinomy"), pytest.raises(MatterLocked, match="close it there first"):
        delete_matter(folder / "deal.antinomy")
    assert "deal.saht" in names(folder)


def test_what_is_no_matter_is_never_deleted(folder):
    other = sqlite3.connect(folder / "places.sqlite")
    other.execute("CREATE TABLE t (a)")
    other.commit()
    other.close()
    for name in ("deal.pdf", "places.sqlite"):
        with pytest.raises(NotAMatter):
            delete_matter(folder / name)
        assert run_matter_command(["delete", str(folder / name), "--yes"], lambda line: None) == 2
        assert (folder / name).exists()


def test_a_damaged_one_can_be_deleted(folder):
    path = folder / "deal.antinomy"
    path.write_bytes(path.read_bytes()[:4096])
    delete_matter(path)
    assert names(folder) == KEPT


def test_the_command_asks(folder, monkeypatch):
    for answer, status in (("no\n", 1), ("", 1), ("yes\n", 0)):
        lines: list[str] = []
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        assert run_matter_command(["delete", str(folder / "deal.antinomy")], lines.append) == status
        assert lines[0].startswith("deal.antinomy (2 documents, 0 decisions, 0 links), deal.saht, deal.index")
        assert ("deal.saht" in names(folder)) == bool(status)
    assert names(folder) == KEPT
