"""The shelf of learnt weights: whole or not at all, kept, dropped, chosen; and what is foreign there."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.learning.shelf import CARD, CHOICE, SHIPPED, TRIAL, WEIGHTS, Shelf, ShelfError, is_name
from engine.protocol.learning import Card, Figure

FIGURE = Figure("average_precision", 0.4, 0.5, 0.0, 0.2)
ROOT = Path(__file__).parents[2]


def a_card(name: str = "first", created_at: str = "2026-11-30T10:00:00+00:00") -> Card:
    return Card(name, "0", created_at, 0, 3, 9, 9, 18, {}, "base", (FIGURE,), (0.6, 0.6), True, {})


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "data")


def test_an_empty_shelf_means_the_shipped_weights(shelf: Shelf) -> None:
    assert (shelf.cards(), shelf.trial(), shelf.in_use(), shelf.weights_in_use()) == ((), None, "", "")


def test_on_trial_then_kept_and_used(shelf: Shelf) -> None:
    shelf.put_on_trial(b"weights", a_card())
    assert shelf.trial() == a_card()
    assert shelf.in_use() == ""
    assert shelf.keep() == a_card()
    assert shelf.trial() is None
    assert shelf.cards() == (a_card(),)
    assert Path(shelf.weights_in_use()).read_bytes() == b"weights"


def test_on_trial_then_dropped(shelf: Shelf) -> None:
    shelf.put_on_trial(b"weights", a_card())
    shelf.drop()
    assert shelf.trial() is None
    with pytest.raises(ShelfError, match="Nothing is on trial"):
        shelf.drop()
    with pytest.raises(ShelfError, match="Nothing was learnt"):
        shelf.keep()


def test_a_new_trial_takes_the_place_of_one_nobody_kept(shelf: Shelf) -> None:
    shelf.put_on_trial(b"old", a_card("old"))
    shelf.put_on_trial(b"new", a_card("new"))
    assert shelf.keep().name == "new"
    assert len(list(shelf.folder.iterdir())) == 2


def test_a_name_that_is_taken_becomes_another(shelf: Shelf) -> None:
    for content in (b"one", b"two"):
        shelf.put_on_trial(content, a_card())
        shelf.keep()
    names = [card.name for card in shelf.cards()]
    assert len(set(names)) == 2
    assert "first" in names
    assert Path(shelf.weights_in_use()).read_bytes() == b"two"


def test_going_back_to_the_shipped_weights_keeps_the_others(shelf: Shelf) -> None:
    shelf.put_on_trial(b"weights", a_card())
    shelf.keep()
    shelf.use(SHIPPED)
    assert (shelf.in_use(), shelf.weights_in_use()) == ("", "")
    shelf.use("first")
    assert shelf.in_use() == "first"
    shelf.drop("first")
    assert (shelf.in_use(), shelf.cards()) == ("", ())


@pytest.mark.parametrize("name", ["", "..", "../elsewhere", "a/b", "shipped", ".trial", "x" * 99, "nobody"])
def test_only_a_set_that_is_there_can_be_named(shelf: Shelf, name: str) -> None:
    shelf.put_on_trial(b"weights", a_card())
    with pytest.raises(ShelfError):
        shelf.drop(name or "nobody")
    if name != SHIPPED:
        with pytest.raises(ShelfError):
            shelf.use(name or "nobody")
    assert shelf.trial() is not None


def test_names_are_plain() -> None:
    assert is_name("2026-11-30-1")
    assert not any(is_name(name) for name in ("", ".trial", "a/b", "shipped", "a b"))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"name": 7}', b'{"name": "../x"}', bytes(99)])
def test_a_damaged_choice_means_the_shipped_weights(shelf: Shelf, content: bytes) -> None:
    shelf.put_on_trial(b"weights", a_card())
    shelf.keep()
    (shelf.folder / CHOICE).write_bytes(content)
    assert shelf.in_use() == ""


@pytest.mark.parametrize("content", [b"", b"{", b"{}", msgspec.json.encode({"schema": "antinomy.learned/9"})])
def test_a_set_with_a_damaged_card_is_passed_over(shelf: Shelf, content: bytes) -> None:
    shelf.put_on_trial(b"weights", a_card())
    shelf.keep()
    (shelf.folder / "first" / CARD).write_bytes(content)
    assert shelf.cards() == ()
    with pytest.raises(ShelfError):
        shelf.use("first")


def test_foreign_things_in_the_folder_are_passed_over(shelf: Shelf) -> None:
    shelf.folder.mkdir(parents=True)
    (shelf.folder / "notes.txt").write_text("mine")
    (shelf.folder / "empty").mkdir()
    assert shelf.cards() == ()


@pytest.fixture
def read_only(shelf: Shelf) -> Iterator[Shelf]:
    """A file stands where the folder should be: that refuses a superuser too."""
    shelf.folder.parent.mkdir(parents=True)
    shelf.folder.write_bytes(b"")
    yield shelf
    shelf.folder.unlink()


def test_what_cannot_be_written_is_said_before_the_work(read_only: Shelf) -> None:
    with pytest.raises(ShelfError, match="cannot be kept") as refused:
        read_only.require_writable()
    assert str(read_only.folder) in str(refused.value)
    with pytest.raises(ShelfError):
        read_only.put_on_trial(b"weights", a_card())
    with pytest.raises(ShelfError):
        read_only.use(SHIPPED)
    assert read_only.cards() == ()


def test_a_full_disk_leaves_what_was_on_trial(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.put_on_trial(b"old", a_card("old"))

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(ShelfError, match="No space left"):
            shelf.put_on_trial(b"new", a_card("new"))
    assert shelf.trial() == a_card("old")
    assert [path.name for path in shelf.folder.iterdir()] == [TRIAL]


KILLED = """
import sys
from pathlib import Path
sys.path[:0] = [{root!r}, {here!r}]
from test_learning_shelf import a_card
from engine.learning.shelf import Shelf
shelf = Shelf(Path({folder!r}))
print("ready", flush=True)
count = 0
while True:
    count += 1
    shelf.put_on_trial(str(count).encode() * 2000, a_card(f"n{{count}}"))
    if count % 2:
        shelf.keep()
    print(count, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 2, 5, 9])
def test_killed_at_any_moment_nothing_is_half_there(shelf: Shelf, lines: int) -> None:
    code = KILLED.format(root=str(ROOT), here=str(Path(__file__).parent), folder=str(shelf.folder.parent))
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    for _ in range(lines + 1):
        child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    for card in (*shelf.cards(), *filter(None, [shelf.trial()])):
        folder = shelf.folder / (TRIAL if card == shelf.trial() else card.name)
        assert (folder / WEIGHTS).read_bytes() == card.name[1:].encode() * 2000
    used = shelf.in_use()
    assert used == "" or any(card.name == used for card in shelf.cards())
    shelf.put_on_trial(b"after", a_card("after"))
    assert shelf.keep().name == "after"
