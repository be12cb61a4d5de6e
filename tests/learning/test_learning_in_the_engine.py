"""The engine's part: learning beside reviews, weights that cannot be used, what is said of them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from learning_contracts import contract, contracts

import engine.learning.learn as learn_module
from engine.backend import OUTDATED, UNUSABLE, VERIFIER, ReviewBackend
from engine.engine_process import WorkCancelled, WorkFailed
from engine.learner import Learner, Outcome
from engine.learning.shelf import Shelf
from engine.protocol.messages import Cancelled, EngineStatus, FaultCode, Learn, ReviewOptions
from engine.states.ngrams import NgramEncoder


def quiet(stage: str, done: int, total: int) -> None:
    pass


@pytest.fixture
def said() -> list[EngineStatus]:
    return []


@pytest.fixture
def backend(said: list[EngineStatus], monkeypatch: pytest.MonkeyPatch) -> ReviewBackend:
    """A backend with an encoder of letters instead of torch's, and a small replay."""
    document, labels = contract(9)
    monkeypatch.setattr(learn_module, "replay", lambda: [(document, tuple(labels))])
    made = ReviewBackend()
    made._encoders[("en", "")] = NgramEncoder()
    made._report = said.append
    return made


def order(folder: Path, *, some: bool = True) -> Learn:
    _, labels = contracts(3)
    return Learn(1, (), tuple(labels if some else ()), str(folder), "mine")


@pytest.fixture
def kept(backend: ReviewBackend, tmp_path: Path) -> Shelf:
    documents, _ = contracts(3)
    card = backend.learn(order(tmp_path), documents, quiet, lambda: False)
    shelf = Shelf(tmp_path)
    assert shelf.trial() == card
    shelf.keep()
    return shelf


def test_a_review_uses_what_was_kept_and_the_engine_says_so(
    backend: ReviewBackend, said: list[EngineStatus], kept: Shelf
) -> None:
    document, _ = contract(7)
    plain, _ = backend.review([document], ReviewOptions(), quiet, lambda: False)
    assert not said or said[-1].verifier == VERIFIER
    taught, _ = backend.review([document], ReviewOptions(weights=kept.weights_in_use()), quiet, lambda: False)
    assert said[-1].verifier.endswith("learnt mine")
    assert [finding.score for finding in taught] != [finding.score for finding in plain]
    again, _ = backend.review([document], ReviewOptions(), quiet, lambda: False)
    assert said[-1].verifier == VERIFIER
    assert [finding.score for finding in again] == [finding.score for finding in plain]


@pytest.mark.parametrize("damage", ["missing", "damaged", "foreign"])
def test_weights_that_cannot_be_used_leave_the_shipped_ones_and_a_sentence(
    backend: ReviewBackend, said: list[EngineStatus], kept: Shelf, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(kept.weights_in_use())
    if damage == "missing":
        path.unlink()
    elif damage == "damaged":
        path.write_bytes(path.read_bytes()[:1000])
    else:
        monkeypatch.setattr("engine.learning.weights.base_of", lambda: "another")
    document, _ = contract(7)
    found, _ = backend.review([document], ReviewOptions(weights=str(path)), quiet, lambda: False)
    plain, _ = backend.review([document], ReviewOptions(), quiet, lambda: False)
    assert [finding.score for finding in found] == [finding.score for finding in plain]
    assert said[-1].notice.endswith(OUTDATED if damage == "foreign" else UNUSABLE)
    assert said[-1].verifier == VERIFIER


def test_too_few_labels_are_a_fault_with_numbers(backend: ReviewBackend, tmp_path: Path) -> None:
    with pytest.raises(WorkFailed) as failed:
        backend.learn(order(tmp_path, some=False), [], quiet, lambda: False)
    assert failed.value.fault.code is FaultCode.TOO_FEW_LABELS
    assert "8 more that say conflict" in failed.value.fault.sentence


def test_a_folder_that_cannot_be_written_is_a_fault(backend: ReviewBackend, tmp_path: Path) -> None:
    (tmp_path / "learned").write_bytes(b"")
    documents, _ = contracts(3)
    with pytest.raises(WorkFailed, match="cannot be kept"):
        backend.learn(order(tmp_path), documents, quiet, lambda: False)


def test_stopped_learning_leaves_nothing(backend: ReviewBackend, tmp_path: Path) -> None:
    documents, _ = contracts(3)
    with pytest.raises(WorkCancelled):
        backend.learn(order(tmp_path), documents, quiet, lambda: True)
    assert list((tmp_path / "learned").iterdir()) == []


# --- the learner's thread -----------------------------------------------------------------------------------


def test_the_learner_works_one_after_another_and_cancels_both_what_runs_and_what_waits() -> None:
    sent: list[Outcome] = []
    arrived, running = threading.Semaphore(0), threading.Event()

    def send(outcome: Outcome) -> None:
        sent.append(outcome)
        arrived.release()

    def do(job: Learn, cancelled) -> Outcome:
        running.set()
        beat = threading.Event()
        while not cancelled():
            beat.wait(0.002)
        return Cancelled(job.job)

    learner = Learner(send, do)
    for number in (1, 2):
        learner.put(Learn(number, (), (), "", ""))
    assert running.wait(30)
    assert learner.cancel(2)
    assert learner.cancel(1)
    assert not learner.cancel(99)
    for _ in range(2):
        assert arrived.acquire(timeout=30)
    assert {outcome.job for outcome in sent} == {1, 2}
