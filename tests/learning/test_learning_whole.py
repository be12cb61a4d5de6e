"""Learning as a whole on short contracts: what comes out, when it is refused, that it can be stopped and repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from learning_contracts import contract, contracts

import engine.learning.learn as learn_module
from engine.conflicts.correction import CORRECTED
from engine.conflicts.verifier import Verifier, VerifierError
from engine.document import Document
from engine.learning.case import LearningCancelled, make_case
from engine.learning.learn import Learnt, TooFewLabels, learn
from engine.learning.replay import replay
from engine.learning.weights import read_weights, weights_bytes
from engine.protocol.learning import PairLabel, Place
from engine.states.ngrams import NgramEncoder
from resources import resource_path

ENCODER = NgramEncoder()


def quiet(stage: str, done: int, total: int) -> None:
    pass


def taught(documents: list[Document], labels: list[PairLabel], cancelled: Callable[[], bool] = lambda: False) -> Learnt:
    return learn(documents, labels, "test", lambda _: ENCODER, quiet, cancelled)


@pytest.fixture(autouse=True)
def small_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's own samples take seconds."""
    document, labels = contract(9)
    monkeypatch.setattr(learn_module, "replay", lambda: [(document, tuple(labels))])


@pytest.fixture(scope="module")
def learnt() -> Learnt:
    document, labels = contract(9)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(learn_module, "replay", lambda: [(document, tuple(labels))])
        return taught(*contracts(3))


def test_the_card_says_what_was_learnt_and_what_it_is_worth(learnt: Learnt) -> None:
    card = learnt.card
    assert (card.contracts, card.conflicts, card.not_conflicts, card.found) == (3, 18, 18, 36)
    assert card.codes == {"norm.modality": 18, "not.different_party": 18}
    assert [figure.name for figure in card.figures] == [
        "average_precision", "recall_10", "conflicts_shown", "false_alarms_shown",
    ]  # fmt: skip
    order = card.figures[0]
    assert 0 <= order.before <= 1
    assert 0 <= order.after <= 1
    assert order.low <= order.after - order.before <= order.high
    assert all(figure.low <= figure.high for figure in card.figures)


def test_what_is_learnt_puts_conflicts_above_the_rest(learnt: Learnt) -> None:
    document, labels = contract(5)
    case = make_case([document], labels, lambda _: ENCODER, lambda: False)
    rows = np.array([found[0] for found in case.labelled])
    verifier = Verifier(learnt.arrays, "test")
    assert verifier.correction is not None
    moved = verifier.correction(case.features[rows], case.raw[rows], verifier.score(case.inputs.at(rows)))
    sides = np.array([label.is_conflict for label in labels])
    assert moved[sides].mean() > moved[~sides].mean()


def test_the_same_labels_and_seed_give_the_same_weights(learnt: Learnt) -> None:
    again = taught(*contracts(3))
    assert learnt.arrays.keys() == again.arrays.keys()
    for name, array in learnt.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])


def test_the_order_of_documents_does_not_matter(learnt: Learnt) -> None:
    documents, labels = contracts(3)
    again = taught(documents[::-1], labels)
    np.testing.assert_array_equal(learnt.arrays["first"], again.arrays["first"])


@pytest.mark.parametrize(
    ("keep", "missing"),
    [
        (lambda label: False, (8, 8, 3)),
        (lambda label: label.is_conflict, (0, 8, 0)),
        (lambda label: not label.is_conflict, (8, 0, 0)),
    ],
)
def test_too_few_or_one_sided_labels_are_refused(
    keep: Callable[[PairLabel], bool], missing: tuple[int, int, int]
) -> None:
    documents, labels = contracts(3)
    with pytest.raises(TooFewLabels) as refused:
        taught(documents, [label for label in labels if keep(label)])
    assert refused.value.missing == missing


def test_one_contract_alone_is_refused() -> None:
    document, labels = contract(0)
    with pytest.raises(TooFewLabels) as refused:
        taught([document], labels * 2)
    assert refused.value.missing == (0, 0, 2)


@pytest.mark.parametrize("after", [0, 4, 40])
def test_it_can_be_stopped(after: int) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    with pytest.raises(LearningCancelled):
        taught(*contracts(3), cancelled)


def test_labels_that_the_review_does_not_compare_are_counted_and_harm_nothing() -> None:
    documents, labels = contracts(3)
    lost = [
        PairLabel((Place(d.id, 0, 1), Place(d.id, len(d.text) - 1, len(d.text))), True, "norm.scope")
        for d in documents
    ]  # fmt: skip
    card = taught(documents, [*labels, *lost]).card
    assert card.found == 36
    assert card.conflicts == 21


def test_without_a_replay_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> list[tuple[Document, tuple[PairLabel, ...]]]:
        raise ValueError("not there")

    monkeypatch.setattr(learn_module, "replay", missing)
    assert taught(*contracts(3)).card.replay == (0.0, 0.0)


def test_the_shipped_replay_can_be_read_and_is_that_of_the_samples() -> None:
    contracts_of_ours = replay()
    sources = [path.read_text("utf-8") for path in sorted(resource_path("samples").glob("*.txt"))]
    assert len(contracts_of_ours) == len(sources) == 2
    for document, labels in contracts_of_ours:
        # Spacing is the reader's; the words are those of the file.
        assert any("".join(document.text.split()) == "".join(source.split()) for source in sources)
        assert sum(label.is_conflict for label in labels) >= 10
        assert all(0 <= end.start < end.end <= len(document.text) for label in labels for end in label.ends)


# --- the file -----------------------------------------------------------------------------------------------


@pytest.fixture
def file(learnt: Learnt, tmp_path: Path) -> Path:
    path = tmp_path / "set" / "verifier.safetensors"
    path.parent.mkdir()
    path.write_bytes(weights_bytes(learnt))
    return path


def test_a_weights_file_gives_the_same_verifier(learnt: Learnt, file: Path) -> None:
    verifier = read_weights(file)
    assert verifier.version == "test"
    assert verifier.correction is not None
    assert verifier.correction.weights.shape == (len(CORRECTED),)
    np.testing.assert_array_equal(verifier.weights["first"], learnt.arrays["first"])


def test_weights_of_another_version_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.learning.weights.base_of", lambda: "another")
    with pytest.raises(VerifierError, match="another version"):
        read_weights(file)


@pytest.mark.parametrize("damage", ["empty", "cut", "zeros", "missing", "not a number", "other shapes"])
def test_damaged_weights_are_refused_in_a_sentence(learnt: Learnt, file: Path, damage: str) -> None:
    data = file.read_bytes()
    if damage == "missing":
        file.unlink()
    elif damage in ("not a number", "other shapes"):
        arrays = dict(learnt.arrays)
        arrays["last"] = arrays["last"] * np.nan if damage == "not a number" else arrays["last"][:-1]
        file.write_bytes(weights_bytes(Learnt(arrays, learnt.card)))
    else:
        file.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "zeros": bytes(len(data))}[damage])
    with pytest.raises(VerifierError, match="set"):
        read_weights(file)
