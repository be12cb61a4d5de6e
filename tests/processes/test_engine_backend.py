"""The engine's real work: encoders, device, what falls back and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine.states.encoder as encoder_module
from engine.backend import ReviewBackend, thread_count
from engine.document import CharacterBoxes, Document, Media, Sentence
from engine.engine_process import WorkCancelled, WorkFailed
from engine.protocol.messages import EngineStatus, FaultCode, ReviewOptions
from engine.states.encoder import EncoderError


def a_document() -> Document:
    text = "The Buyer shall pay within 30 days. The Buyer shall pay within 45 days."
    sentences = (Sentence(0, 35, ""), Sentence(36, len(text), ""))
    return Document("sha256:1", "a.txt", Media.TEXT, "en", text, (), (), sentences, (), (), CharacterBoxes.empty())


def silent(stage: str, done: int, total: int) -> None:
    pass


def test_facts_are_there_before_anything_is_loaded():
    facts = ReviewBackend().facts()
    assert facts["encoders"] == "not loaded"
    assert facts["torch"].startswith("2.")


def test_threads_are_within_what_the_machine_has():
    assert 1 <= thread_count() <= 8


def test_it_loads_and_says_what_runs_where():
    said: list[EngineStatus] = []
    backend = ReviewBackend()
    assert backend.load(said.append)
    assert [status.state for status in said] == ["loading", "ready"]
    assert said[-1].device.partition(":")[0] in ("cpu", "cuda")
    assert said[-1].precision in ("bfloat16", "float32")
    assert "minilm" in said[-1].encoder
    assert said[-1].precision in backend.facts()["encoders"]


def test_without_weights_it_falls_back_and_says_so(monkeypatch: pytest.MonkeyPatch):
    def missing(language: str, folder: str = "") -> None:
        raise EncoderError("the weights are not installed")

    monkeypatch.setattr(encoder_module, "load_encoder", missing)
    said: list[EngineStatus] = []
    assert ReviewBackend().load(said.append)
    assert said[-1].state == "ready"
    assert "fewer conflicts" in said[-1].notice


def test_a_folder_without_a_model_is_the_person_s_to_mend(tmp_path: Path):
    backend = ReviewBackend()
    with pytest.raises(WorkFailed) as failed:
        backend.review([a_document()], ReviewOptions(encoder=str(tmp_path)), silent, lambda: False)
    assert failed.value.fault.code is FaultCode.UNREADABLE_FILE
    assert str(tmp_path) in failed.value.fault.sentence


def test_a_cancelled_review_says_so(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(WorkCancelled):
        ReviewBackend().review([a_document()], ReviewOptions(), silent, lambda: True)
