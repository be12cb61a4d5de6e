"""``antinomy learn`` without children where none are needed, and over a made-up engine."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from learning_contracts import contracts

from engine.command.learn import run_learn_command
from engine.document import pack
from engine.learning.shelf import Shelf
from engine.matter import Annotator, LinkEnd, Matter
from engine.protocol.learning import Card, Figure

CHILDREN = Path(__file__).parent / "children"
READER = Path(__file__).parents[1] / "processes" / "children" / "reader.py"


def made_up(role: str, address: str) -> Sequence[str]:
    script = READER if role == "reader" else CHILDREN / "learning_engine.py"
    return [sys.executable, str(script), address]


def run(folder: Path, *arguments: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = run_learn_command([str(each) for each in arguments], out, err, folder=folder, command=made_up)
    return status, out.getvalue(), err.getvalue()


def labelled(folder: Path, count: int = 3, sides: Sequence[bool] = (True, False), with_text: bool = True) -> list[Path]:
    """A matter file of each contract."""
    documents, labels = contracts(count)
    paths = []
    for document in documents:
        path = folder / f"{document.name}.antinomy"
        with Matter.create(path, Annotator("a-one", "Ada")) as matter:
            matter.add_document(document.id, document.name, "", document.media, pack(document) if with_text else None)
            for label in labels:
                if label.ends[0].document == document.id and label.is_conflict in sides:
                    ends = [
                        LinkEnd(e.document, "", "", document.text[e.start : e.end], e.start, e.end) for e in label.ends
                    ]  # fmt: skip
                    matter.add_link(ends, label.code)
        paths.append(path)
    return paths


def a_card() -> Card:
    figures = (Figure("average_precision", 0.4, 0.5, 0.1, 0.2), Figure("recall_10", 0.5, 0.6, 0.0, 0.2),
               Figure("conflicts_shown", 9, 12, 1, 5), Figure("false_alarms_shown", 8, 4, -6, -1))  # fmt: skip
    return Card("set-1", "0", "2026-11-30T10:00:00+00:00", 0, 3, 9, 9, 18, {}, "b", figures, (0.6, 0.6), True, {})


def test_learning_prints_before_and_after_and_waits_for_a_word(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, *labelled(tmp_path))
    assert (status, err) == (0, "")
    assert "18 labels say conflict, 18 say none, in 3 contracts." in out
    assert "average precision): 0.40 -> 0.50" in out
    assert "--keep" in out
    shelf = Shelf(tmp_path)
    assert shelf.in_use() == ""
    assert shelf.trial() is not None
    status, out, _ = run(tmp_path, "--keep")
    assert status == 0
    assert shelf.in_use() in out
    assert shelf.in_use()


def test_learning_and_keeping_at_once(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, *labelled(tmp_path), "--keep")
    assert status == 0
    assert "is kept and used" in out
    assert Shelf(tmp_path).in_use()


def test_keep_list_use_drop(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put_on_trial(b"weights", a_card())
    assert "not kept yet" in run(tmp_path, "--list")[1]
    run(tmp_path, "--keep")
    assert "* set-1" in run(tmp_path, "--list")[1]
    run(tmp_path, "--use", "shipped")
    assert "* shipped" in run(tmp_path, "--list")[1]
    assert run(tmp_path, "--use", "nobody")[0] == 2
    assert run(tmp_path, "--drop", "set-1")[0] == 0
    assert run(tmp_path, "--drop")[0] == 2
    assert run(tmp_path, "--list")[1] == "* shipped\n"


def test_without_arguments_it_says_how(tmp_path: Path) -> None:
    status, _, err = run(tmp_path)
    assert status == 2
    assert "name matter files" in err
    assert run(tmp_path, "--nonsense")[0] == 2


@pytest.mark.parametrize(
    ("count", "sides", "words"),
    [(0, (), "no such"), (3, (), "8 more labels that say conflict"), (3, (True,), "8 more that say none"),
     (3, (False,), "8 more labels that say conflict"), (2, (True, False), "labels in 1 more contracts")],
)  # fmt: skip
def test_too_little_is_said_with_what_is_needed(tmp_path: Path, count: int, sides: Sequence[bool], words: str) -> None:
    paths = labelled(tmp_path, count, sides) or [tmp_path / "no such.antinomy"]
    status, _, err = run(tmp_path, *paths)
    assert status == 2
    assert words in err
    assert "Traceback" not in err


def test_labels_without_text_are_counted(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, *labelled(tmp_path, with_text=False))
    assert status == 2
    assert "36 labels are left out because the text" in out


@pytest.mark.parametrize("content", [b"", b"no matter at all", b"SQLite format 3\0" + bytes(200)])
def test_a_file_that_is_no_matter_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.antinomy"
    path.write_bytes(content)
    status, _, err = run(tmp_path, path)
    assert status == 2
    assert "bad.antinomy" in err


def test_a_damaged_matter_is_said(tmp_path: Path) -> None:
    path = labelled(tmp_path, 1)[0]
    data = bytearray(path.read_bytes())
    data[5000:] = bytes(len(data) - 5000)
    path.write_bytes(data)
    status, _, err = run(tmp_path, path)
    assert status == 2
    assert path.name in err


def test_a_matter_that_is_open_in_a_window_is_read(tmp_path: Path) -> None:
    paths = labelled(tmp_path)
    with Matter.open(paths[0]) as held:
        assert not held.read_only
        assert run(tmp_path, *paths)[0] == 0


def test_a_folder_that_cannot_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "learned").write_bytes(b"")
    status, _, err = run(tmp_path, *labelled(tmp_path))
    assert status == 2
    assert "cannot be kept" in err


def test_the_engine_s_failure_is_one_line(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, *labelled(tmp_path), "--seed", 13)
    assert status == 1
    assert err == "antinomy learn: Too little memory.\n"
    assert Shelf(tmp_path).trial() is None
