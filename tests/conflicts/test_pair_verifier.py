"""The verifier: its ring of verdicts, its pool, and what happens when either has nothing to give."""

from __future__ import annotations

import numpy as np
import pytest
from check_document import document_of
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file
from test_review_documents import CONTRACT

from engine.conflicts.comparison import FEATURES
from engine.conflicts.compensation import ENTRIES
from engine.conflicts.review import review_documents
from engine.conflicts.verifier import VERDICT, VerdictRing, Verifier, VerifierError, VerifierPool, read_verifier
from engine.conflicts.verifier_inputs import DIMENSIONS, WIDTH, Inputs
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder

RNG = np.random.default_rng(0)


def _weights(scale: float = 0.1) -> dict[str, np.ndarray]:
    hidden = WIDTH + 2 * 4 + 3
    shapes = {
        "project": (DIMENSIONS, 4), "compensation": (ENTRIES, 3), "first": (hidden, 8), "first_bias": (8,),
        "second": (8, 5), "second_bias": (5,), "last": (5,), "last_bias": (),
    }  # fmt: skip
    made = {name: np.asarray(RNG.normal(0, scale, shape), np.float32) for name, shape in shapes.items()}
    return {**made, "mean": np.zeros(WIDTH, np.float32), "scale": np.ones(WIDTH, np.float32)}


def _inputs(n: int) -> Inputs:
    rng = np.random.default_rng(n)
    return Inputs(
        rng.normal(size=(n, WIDTH)).astype(np.float32),
        rng.normal(size=(n, 2, DIMENSIONS)).astype(np.float16),
        rng.random((n, ENTRIES)) < 0.03,
    )


def _verdicts(pairs: list[int]) -> np.ndarray:
    found = np.zeros(len(pairs), VERDICT)
    found["pair"] = pairs
    return found


@given(st.lists(st.lists(st.integers(0, 99), max_size=9), max_size=12), st.integers(1, 16), st.sets(st.integers(0, 11)))
def test_a_ring_gives_the_newest_verdicts_in_order(batches: list[list[int]], capacity: int, reads: set[int]) -> None:
    ring = VerdictRing(capacity)
    waiting: list[int] = []
    lost = 0
    for i, batch in enumerate(batches):
        ring.put(_verdicts(batch))
        waiting += batch
        if i in reads:
            lost += max(0, len(waiting) - capacity)
            assert ring.take()["pair"].tolist() == waiting[-capacity:]
            waiting = []
    assert ring.lost == lost


def test_the_same_pairs_get_the_same_scores_in_any_company() -> None:
    verifier, inputs = Verifier(_weights(), "test"), _inputs(40)
    whole = verifier.score(inputs)
    some = Inputs(inputs.numbers[:7], inputs.residuals[:7], inputs.rows[:7])
    np.testing.assert_allclose(verifier.score(some), whole[:7], rtol=1e-4, atol=1e-5)
    assert verifier.parameters < 1_200_000


def test_without_compensation_the_table_does_not_matter() -> None:
    weights, inputs = _weights(), _inputs(5)
    plain = Verifier(weights, "test", compensated=False)
    other = Inputs(inputs.numbers, inputs.residuals, ~inputs.rows)
    np.testing.assert_array_equal(plain.score(inputs), plain.score(other))
    assert np.abs(Verifier(weights, "test").score(inputs) - Verifier(weights, "test").score(other)).max() > 0


def test_a_pool_judges_every_pair() -> None:
    with VerifierPool(Verifier(_weights(), "test"), capacity=30, threads=2) as pool:
        for start in range(0, 30, 10):
            pool.submit(range(start, start + 10), lambda: _inputs(10))
        found = pool.collect(lambda: False)
    assert sorted(found) == list(range(30))
    assert pool.fault == ""
    assert pool.ring.lost == 0


def test_a_failing_batch_is_said_and_the_others_stand() -> None:
    def fails() -> Inputs:
        raise RuntimeError("the device is gone")

    with VerifierPool(Verifier(_weights(), "test"), capacity=20) as pool:
        pool.submit(range(10), lambda: _inputs(10))
        pool.submit(range(10, 20), fails)
        found = pool.collect(lambda: False)
    assert sorted(found) == list(range(10))
    assert "the device is gone" in pool.fault


def test_weights_that_do_not_fit_are_refused(tmp_path) -> None:
    path = tmp_path / "verifier.safetensors"
    with pytest.raises(VerifierError, match="cannot be read"):
        read_verifier(path)
    arrays = {name: np.atleast_1d(array) for name, array in _weights().items()}
    save_file(arrays, path, metadata={"features": "other"})
    with pytest.raises(VerifierError, match="other features"):
        read_verifier(path)
    arrays["mean"] = np.zeros(3, np.float32)
    save_file(arrays, path, metadata={"features": ",".join(FEATURES)})
    with pytest.raises(VerifierError, match="mean"):
        read_verifier(path)
    del arrays["compensation"], arrays["mean"]
    save_file({**arrays, "mean": np.zeros(WIDTH, np.float32)}, path, metadata={"features": ",".join(FEATURES)})
    with pytest.raises(VerifierError, match="compensation"):
        read_verifier(path)


def test_a_review_goes_on_without_the_verifier_and_says_so() -> None:
    def missing() -> Verifier:
        raise VerifierError("the verifier's weights cannot be read: gone")

    said: list[str] = []
    documents = [document_of(CONTRACT)]

    def encoder_for(_: str) -> NgramEncoder:
        return NgramEncoder()

    with_it, without_it = (
        review_documents(
            documents, encoder_for=encoder_for, options=ReviewOptions(without=without), progress=lambda *_: None,
            cancelled=lambda: False, verifier=missing, notice=said.append,
        )[0]
        for without in ((), ("verifier",))
    )  # fmt: skip
    assert len(said) == 1
    assert "left out" in said[0]
    assert [f.id for f in with_it] == [f.id for f in without_it]
