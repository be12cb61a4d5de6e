"""A review of a matter whose texts were encoded before: the same findings, without the encoder."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from check_document import document_of
from numpy.typing import NDArray
from test_review_documents import CHINESE, CONTRACT

from engine.conflicts.review import ReviewCancelled, review_documents
from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import BrokenStates, TokenStates, never
from engine.states.ngrams import NgramEncoder


class Counting(NgramEncoder):
    """Counts the texts that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def encode_tokens(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> list[TokenStates]:
        self.read += len(texts)
        return super().encode_tokens(texts, cancelled=cancelled)

    def encode(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> NDArray[np.float32]:
        self.read += len(texts)
        return super().encode(texts, cancelled=cancelled)


def documents() -> list[Document]:
    english, chinese = document_of(CONTRACT), document_of(CHINESE)
    return [
        msgspec.structs.replace(paper, id="sha256:" + str(i) * 64, name=f"{i}.txt")
        for i, paper in enumerate((english, chinese), 1)
    ]


def reviewed(states: Path | None, papers: list[Document], notices: list[str]) -> tuple[list[Finding], int]:
    encoder = Counting()
    options = ReviewOptions(states=str(states) if states else "")
    found, _ = review_documents(
        papers,
        encoder_for=lambda _: encoder,
        options=options,
        progress=lambda *_: None,
        cancelled=lambda: False,
        notice=notices.append,
    )
    return found, encoder.read


def test_a_second_review_reads_nothing_again_and_finds_the_same(tmp_path: Path) -> None:
    states = tmp_path / "deal.states"
    notices: list[str] = []
    fresh, _ = reviewed(None, documents(), notices)
    first, read = reviewed(states, documents(), notices)
    again, nothing = reviewed(states, documents(), notices)
    assert len(fresh) > 3
    assert fresh == first == again
    assert read > 10
    assert nothing == 0
    assert notices == []
    assert len(list(states.glob("*.sse"))) == 2


def test_a_document_that_joins_is_read_alone(tmp_path: Path) -> None:
    states = tmp_path / "deal.states"
    english, chinese = documents()
    _, first = reviewed(states, [english], [])
    fresh, both = reviewed(None, [english, chinese], [])
    found, joined = reviewed(states, [english, chinese], [])
    assert found == fresh
    assert joined == both - first


@pytest.mark.parametrize("damage", ["cut", "foreign", "old"])
def test_what_is_damaged_is_made_again_and_said_once(tmp_path: Path, damage: str) -> None:
    states = tmp_path / "deal.states"
    fresh, read = reviewed(states, documents(), [])
    files = sorted(states.glob("*.sse"))
    for path in files:
        data = bytearray(path.read_bytes())
        if damage == "old":
            data[4] = 1
        path.write_bytes({"cut": data[:-7], "foreign": b"PK\3\4" + data[4:], "old": data}[damage])
    notices: list[str] = []
    found, again = reviewed(states, documents(), notices)
    assert (found, again) == (fresh, read)
    assert len(notices) == 1
    assert "made again" in notices[0]
    assert reviewed(states, documents(), notices)[1] == 0
    assert len(notices) == 1


def test_where_nothing_can_be_written_nothing_is_kept_and_that_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "deal.states").write_text("a file where the folder should be")
    notices: list[str] = []
    fresh, _ = reviewed(None, documents(), [])
    found, _ = reviewed(tmp_path / "deal.states", documents(), notices)
    assert found == fresh
    assert len(notices) == 1
    assert "not kept" in notices[0]


def test_a_folder_that_is_only_read_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("engine.states.store.tempfile.mkstemp", refused)
    notices: list[str] = []
    reviewed(tmp_path / "deal.states", documents(), notices)
    assert len(notices) == 1
    assert "Read-only file system" in notices[0]


def test_words_of_another_version_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states = tmp_path / "deal.states"
    fresh, read = reviewed(states, documents(), [])
    monkeypatch.setattr("engine.conflicts.word_states.MOST_WORDS", 3)
    _, again = reviewed(states, documents(), [])
    assert again == read
    monkeypatch.undo()
    assert reviewed(states, documents(), [])[0] == fresh


class Broken(Counting):
    """A model whose weights are damaged: after some texts its states are not numbers."""

    def encode_tokens(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> list[TokenStates]:
        raise BrokenStates("the weights are damaged: it gives states that are not numbers")


class Leaving(Counting):
    """An encoder whose GPU goes away while it works."""

    device = "cuda"

    def encode_tokens(self, texts: Sequence[str], *, cancelled: Callable[[], bool] = never) -> list[TokenStates]:
        self.device = "cpu"
        return super().encode_tokens(texts, cancelled=cancelled)


def review_with(encoder: Counting, states: Path) -> list[Finding]:
    return review_documents(
        documents()[:1],
        encoder_for=lambda _: encoder,
        options=ReviewOptions(states=str(states)),
        progress=lambda *_: None,
        cancelled=lambda: False,
    )[0]


def test_a_broken_model_leaves_nothing_in_the_store(tmp_path: Path) -> None:
    with pytest.raises(BrokenStates):
        review_with(Broken(), tmp_path / "deal.states")
    assert not (tmp_path / "deal.states").exists()


def test_states_of_two_devices_are_not_kept(tmp_path: Path) -> None:
    states = tmp_path / "deal.states"
    encoder = Leaving()
    found = review_with(encoder, states)
    assert not states.exists()
    assert review_with(encoder, states) == found
    assert len(list(states.glob("*.sse"))) == 1


def test_cancelled_in_the_middle_nothing_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ReviewCancelled):
        review_documents(
            documents()[:1],
            encoder_for=lambda _: Counting(),
            options=ReviewOptions(states=str(tmp_path / "deal.states")),
            progress=lambda *_: None,
            cancelled=lambda: True,
        )
    assert not (tmp_path / "deal.states").exists()
