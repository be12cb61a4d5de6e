"""Fitting: what a correction may do and what it leaves alone; tuning draws back to the shipped weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conflicts.comparison import FEATURES
from engine.conflicts.compensation import ENTRIES
from engine.conflicts.correction import CORRECTED, MOST, Correction
from engine.conflicts.verifier import Verifier, VerifierError, shipped_verifier
from engine.conflicts.verifier_inputs import DIMENSIONS, WIDTH, Inputs
from engine.learning.case import LearningCancelled
from engine.learning.fitting import TUNED, Examples, correct, tune, with_correction


def examples(n: int, groups: int, *, telling: bool, seed: int = 0) -> Examples:
    """Pairs of which the first feature tells everything, or nothing."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, len(FEATURES))).astype(np.float32)
    targets = (features[:, 0] > 0) if telling else rng.random(n) > 0.5
    inputs = Inputs(
        rng.normal(size=(n, WIDTH)).astype(np.float32), rng.normal(size=(n, 2, DIMENSIONS)).astype(np.float16),
        rng.random((n, ENTRIES)) < 0.03,
    )  # fmt: skip
    return Examples(
        inputs, features, rng.normal(size=n), targets.astype(np.float64), np.ones(n), np.arange(n) % groups,
        np.ones(n, np.bool_),
    )  # fmt: skip


def test_what_tells_conflicts_apart_is_learnt() -> None:
    some, other = examples(120, 4, telling=True), examples(60, 4, telling=True, seed=1)
    zeros = np.zeros(len(some), np.float32)
    correction, ridge = correct(some, zeros)
    assert np.isfinite(ridge)
    moved = correction(other.features, other.raw, np.zeros(len(other), np.float32))
    assert moved[other.targets > 0].mean() > moved[other.targets == 0].mean() + 0.5


def test_labels_that_say_nothing_about_other_contracts_move_little() -> None:
    some = examples(80, 4, telling=False)
    correction, ridge = correct(some, np.zeros(len(some), np.float32))
    assert ridge >= 30
    assert np.abs(correction.weights[3:]).max() < 0.4


def test_one_group_alone_gives_no_correction() -> None:
    some = examples(60, 1, telling=True)
    correction, ridge = correct(some, np.zeros(len(some), np.float32))
    assert np.isinf(ridge)
    assert not correction.weights.any()


@settings(max_examples=30, deadline=None)
@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.integers(0, 2**32 - 1))
def test_a_correction_never_moves_further_than_it_may(raw: float, weight: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = np.full(len(CORRECTED), weight, np.float32)
    correction = Correction(np.zeros(len(CORRECTED), np.float32), np.ones(len(CORRECTED), np.float32), weights)
    features = rng.normal(size=(5, len(FEATURES))).astype(np.float32) * 1e3
    moved = correction(features, np.full(5, raw), np.zeros(5, np.float32))
    assert np.abs(moved).max() <= MOST


@pytest.mark.parametrize("wrong", ["short", "nan"])
def test_a_correction_that_does_not_fit_is_refused(wrong: str) -> None:
    good = np.ones(len(CORRECTED), np.float32)
    bad = good[:-1] if wrong == "short" else good * np.nan
    with pytest.raises(ValueError, match="does not fit"):
        Correction(good, good, bad)
    arrays = with_correction(dict(shipped_verifier().weights), Correction(good, good, good))
    with pytest.raises(VerifierError, match="personal correction"):
        Verifier({**arrays, "personal_weights": bad}, "test")


def test_tuning_follows_labels_and_stays_near(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = dict(shipped_verifier().weights)
    some = examples(64, 4, telling=True)
    tuned = tune(shipped, some, 0, lambda: False)
    again = tune(shipped, some, 0, lambda: False)
    loss = []
    for arrays in (shipped, tuned):
        score = Verifier(arrays, "").score(some.inputs).astype(np.float64)
        loss.append(float((np.logaddexp(0, score) - some.targets * score).mean()))
    assert loss[1] < loss[0]
    for name in TUNED:
        np.testing.assert_array_equal(tuned[name], again[name])
        assert np.abs(tuned[name] - shipped[name]).max() < 0.05
    np.testing.assert_array_equal(tuned["mean"], shipped["mean"])


def test_tuning_can_be_stopped() -> None:
    with pytest.raises(LearningCancelled):
        tune(dict(shipped_verifier().weights), examples(16, 2, telling=True), 0, lambda: True)


def test_without_a_correction_the_shipped_scores_stay() -> None:
    assert shipped_verifier().correction is None
