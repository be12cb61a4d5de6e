"""Snapshots on the disk: whole or not there, mapped, limited in size, gone with the matter."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.states.store import DamagedStates, StateStore, StoredStates, StoreError

ENCODER = 0x1234567890ABCDEF


def document(i: int) -> str:
    return f"sha256:{i:02x}" + 62 * "7"


def made(n: int) -> StoredStates:
    chance = np.random.default_rng(n)
    segments = chance.integers(0, 5, (n, 4)).astype(np.int32)
    return StoredStates(
        chance.integers(0, 256, (n, 16384), np.uint8),
        chance.standard_normal((n, 384)).astype(np.float32),
        segments,
        chance.standard_normal((int(segments[:, 2].sum()), 384)).astype(np.float16),
    )


@pytest.mark.parametrize("n", [0, 1, 7])
def test_what_was_saved_is_what_is_opened(tmp_path: Path, n: int) -> None:
    store = StateStore(tmp_path / "deal.states")
    assert store.open(document(1), ENCODER) is None
    parts = made(n)
    path = store.save(document(1), ENCODER, parts)
    opened = StateStore(tmp_path / "deal.states").open(document(1), ENCODER)
    assert opened is not None
    for found, expected in zip(opened, parts, strict=True):
        assert np.array_equal(found, expected)
        assert not found.flags.writeable
        assert not found.flags.owndata
    assert store.open(document(1), ENCODER + 1) is None
    assert store.open(document(2), ENCODER) is None
    assert store.size_bytes == path.stat().st_size
    assert [p.name for p in store.folder.iterdir()] == [path.name]


def test_saving_again_replaces(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "deal.states")
    store.save(document(1), ENCODER, made(3))
    before = store.open(document(1), ENCODER)
    store.save(document(1), ENCODER, made(5))
    after = store.open(document(1), ENCODER)
    assert before is not None
    assert after is not None
    # Who had the old file mapped goes on reading it.
    assert np.array_equal(before.blocks, made(3).blocks)
    assert len(after.blocks) == 5


def test_a_document_and_a_matter_take_their_files_with_them(tmp_path: Path) -> None:
    folder = tmp_path / "deal.states"
    store = StateStore(folder)
    for i in (1, 2):
        for key in (ENCODER, ENCODER + 1):
            store.save(document(i), key, made(2))
    store.forget(document(1))
    assert store.open(document(1), ENCODER) is None
    assert store.open(document(2), ENCODER + 1) is not None
    store.remove()
    assert not folder.exists()
    store.remove()


def test_the_limit_removes_what_was_used_longest_ago(tmp_path: Path) -> None:
    one = StateStore(tmp_path / "other").save(document(1), ENCODER, made(2)).stat().st_size
    store = StateStore(tmp_path / "deal.states", limit_bytes=3 * one)
    for i in (1, 2, 3):
        os.utime(store.save(document(i), ENCODER, made(2)), (i, i))
    assert store.open(document(1), ENCODER) is not None
    store.save(document(4), ENCODER, made(2))
    assert [store.open(document(i), ENCODER) is not None for i in (1, 2, 3, 4)] == [True, False, True, True]
    assert store.size_bytes <= store.limit_bytes
    with pytest.raises(StoreError, match="limit"):
        store.save(document(5), ENCODER, made(20))
    assert store.open(document(4), ENCODER) is not None


@pytest.mark.parametrize("damage", ["short", "cut", "long", "magic", "version", "swapped"])
def test_damaged_files_are_said(tmp_path: Path, damage: str) -> None:
    store = StateStore(tmp_path / "deal.states")
    path = store.save(document(1), ENCODER, made(3))
    data = bytearray(path.read_bytes())
    if damage == "magic":
        data[:4] = b"ELF?"
    elif damage == "version":
        data[4] = 9
    elif damage == "swapped":
        data = bytearray(store.save(document(2), ENCODER, made(3)).read_bytes())
    path.write_bytes({"short": data[:10], "cut": data[:-1], "long": data + b"\0"}.get(damage, data))
    with pytest.raises(DamagedStates):
        store.open(document(1), ENCODER)


def test_nothing_half_written_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = StateStore(tmp_path / "deal.states")
    store.save(document(1), ENCODER, made(1))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space"):
        store.save(document(1), ENCODER, made(4))
    assert len(list(store.folder.iterdir())) == 1
    opened = store.open(document(1), ENCODER)
    assert opened is not None
    assert len(opened.blocks) == 1


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "deal.states").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        StateStore(tmp_path / "deal.states").save(document(1), ENCODER, made(1))


def test_arrays_that_do_not_match(tmp_path: Path) -> None:
    parts = made(2)
    store = StateStore(tmp_path / "deal.states")
    for wrong in (parts._replace(vectors=parts.vectors[:1]), parts._replace(words=np.zeros((99, 384), np.float16))):
        with pytest.raises(ValueError, match="match"):
            store.save(document(1), ENCODER, wrong)
    with pytest.raises(ValueError, match="document id"):
        store.save("sha256:12", ENCODER, parts)


def test_few_files_of_one_document_are_kept(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "deal.states")
    for key in range(5):
        os.utime(store.save(document(1), key, made(1)), (key, key))
    store.save(document(2), 9, made(1))
    assert [store.open(document(1), key) is not None for key in range(5)] == [False, False, True, True, True]
    assert store.open(document(2), 9) is not None


def test_what_a_killed_process_left_goes(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "deal.states")
    store.folder.mkdir()
    old, new = store.folder / ".new-a.part", store.folder / ".new-b.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    store.save(document(1), ENCODER, made(1))
    assert (old.exists(), new.exists()) == (False, True)


KILLED = """
import os, sys
from pathlib import Path
import numpy as np
from engine.states.store import StateStore, StoredStates
n = int(sys.argv[2])
parts = StoredStates(*(np.zeros(s, t) for s, t in (
    ((n, 16384), np.uint8), ((n, 384), np.float32), ((n, 4), np.int32), ((0, 384), np.float16))))
store = StateStore(Path(sys.argv[1]))
real = os.fsync
def kill(descriptor):
    os.kill(os.getpid(), 9)
store.save("sha256:" + 64 * "1", 5, parts._replace(blocks=parts.blocks[:1], vectors=parts.vectors[:1],
    segments=parts.segments[:1]))
os.fsync = kill
store.save("sha256:" + 64 * "1", 5, parts)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_killed_in_the_middle_of_writing(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "deal.states"), "40"], cwd=root, check=False, timeout=120
    )
    assert ended.returncode == -signal.SIGKILL
    store = StateStore(tmp_path / "deal.states")
    opened = store.open("sha256:" + 64 * "1", 5)
    assert opened is not None
    assert len(opened.blocks) == 1
    assert len(list(store.folder.glob(".new-*.part"))) == 1
