"""Snapshots on the disk: whole or not there, mapped, limited in size, gone with the matter."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from engine.states.store import DamagedStates, StateStore, StoreError, states_folder

ENCODER = 0x1234567890ABCDEF


def document(i: int) -> str:
    return f"sha256:{i:02x}" + 62 * "7"


def made(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(n)
    return (
        chance.integers(0, 256, (n, 16384), np.uint8),
        chance.standard_normal((n, 384)).astype(np.float32),
        chance.integers(0, 9999, (n, 4)).astype(np.int32),
    )


@pytest.mark.parametrize("n", [0, 1, 7])
def test_what_was_saved_is_what_is_opened(tmp_path: Path, n: int) -> None:
    store = StateStore(tmp_path / "deal.antinomy")
    assert store.open(document(1), ENCODER) is None
    parts = made(n)
    path = store.save(document(1), ENCODER, *parts)
    opened = StateStore(tmp_path / "deal.antinomy").open(document(1), ENCODER)
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
    store = StateStore(tmp_path / "deal.antinomy")
    store.save(document(1), ENCODER, *made(3))
    before = store.open(document(1), ENCODER)
    store.save(document(1), ENCODER, *made(5))
    after = store.open(document(1), ENCODER)
    assert before is not None
    assert after is not None
    # Who had the old file mapped goes on reading it.
    assert np.array_equal(before.blocks, made(3)[0])
    assert len(after.blocks) == 5


def test_a_document_and_a_matter_take_their_files_with_them(tmp_path: Path) -> None:
    matter = tmp_path / "deal.antinomy"
    store = StateStore(matter)
    for i in (1, 2):
        store.save(document(i), ENCODER, *made(2))
        store.save(document(i), ENCODER + 1, *made(2))
    store.forget(document(1))
    assert store.open(document(1), ENCODER) is None
    assert store.open(document(2), ENCODER + 1) is not None
    store.remove()
    assert not states_folder(matter).exists()
    store.remove()


def test_the_limit_removes_what_was_used_longest_ago(tmp_path: Path) -> None:
    one = 4096 + 2 * (16384 + 1536 + 16)
    store = StateStore(tmp_path / "deal.antinomy", limit_bytes=3 * one)
    for i in (1, 2, 3):
        os.utime(store.save(document(i), ENCODER, *made(2)), (i, i))
    assert store.open(document(1), ENCODER) is not None
    store.save(document(4), ENCODER, *made(2))
    assert [store.open(document(i), ENCODER) is not None for i in (1, 2, 3, 4)] == [True, False, True, True]
    assert store.size_bytes <= store.limit_bytes
    with pytest.raises(StoreError, match="limit"):
        store.save(document(5), ENCODER, *made(20))
    assert store.open(document(4), ENCODER) is not None


@pytest.mark.parametrize("damage", ["short", "cut", "long", "magic", "version", "swapped"])
def test_damaged_files_are_said(tmp_path: Path, damage: str) -> None:
    store = StateStore(tmp_path / "deal.antinomy")
    path = store.save(document(1), ENCODER, *made(3))
    data = bytearray(path.read_bytes())
    if damage == "magic":
        data[:4] = b"ELF?"
    elif damage == "version":
        data[4] = 9
    elif damage == "swapped":
        data = bytearray(store.save(document(2), ENCODER, *made(3)).read_bytes())
    path.write_bytes({"short": data[:10], "cut": data[:-1], "long": data + b"\0"}.get(damage, data))
    with pytest.raises(DamagedStates):
        store.open(document(1), ENCODER)


def test_nothing_half_written_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = StateStore(tmp_path / "deal.antinomy")
    store.save(document(1), ENCODER, *made(1))

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space"):
        store.save(document(1), ENCODER, *made(4))
    assert len(list(store.folder.iterdir())) == 1
    opened = store.open(document(1), ENCODER)
    assert opened is not None
    assert len(opened.blocks) == 1


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "deal.antinomy.states").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        StateStore(tmp_path / "deal.antinomy").save(document(1), ENCODER, *made(1))


def test_arrays_that_do_not_match(tmp_path: Path) -> None:
    blocks, vectors, segments = made(2)
    with pytest.raises(ValueError, match="match"):
        StateStore(tmp_path / "deal").save(document(1), ENCODER, blocks, vectors[:1], segments)
    with pytest.raises(ValueError, match="document id"):
        StateStore(tmp_path / "deal").save("sha256:12", ENCODER, blocks, vectors, segments)
