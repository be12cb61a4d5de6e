"""Fitting to labels: the verifier's layers and compensation vectors a little, a correction behind them by ridge.

Both start from the shipped weights and are drawn back to them: parameters by their squared distance (Li et al. 2018,
"Explicit inductive bias for transfer learning"), verdicts by pairs without a label whose target is the shipped verdict
(Li and Hoiem 2016, "Learning without forgetting"). Everything is deterministic for a seed and a number of threads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.correction import CORRECTED, Correction, seen_of
from engine.conflicts.second_look import WEIGHT
from engine.conflicts.verifier import CUT, PERSONAL, Verifier
from engine.conflicts.verifier_inputs import Inputs
from engine.learning.case import LearningCancelled

Arrays = dict[str, NDArray[np.float32]]

#: What is tuned; the standardisation of the inputs stays as it is, so that the layers see what they were trained on.
TUNED = ("project", "compensation", "first", "first_bias", "second", "second_bias", "last", "last_bias")
EPOCHS, BATCH, RATE = 12, 256, 3e-4
#: How strongly parameters are drawn back, and what all pairs without a label weigh beside those with one.
DRAWN_BACK, BACKGROUND = 0.02, 1.0

#: Ridges that are tried on groups left out, from a free correction to none at all.
RIDGES = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, np.inf)
NEWTON_STEPS = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Examples:
    """Pairs to fit to.

    Attributes:
        inputs: the verifier's; ``features`` and ``raw`` are the comparison's and the trees'.
        targets: 0..1; weights: of each pair; group: number of its contract, -1 for the program's own samples.
        labelled: whether a person's label stands behind the target.
    """

    inputs: Inputs
    features: NDArray[np.float32]
    raw: NDArray[np.float64]
    targets: NDArray[np.float64]
    weights: NDArray[np.float64]
    group: NDArray[np.int64]
    labelled: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.raw)

    def at(self, rows: NDArray[np.int64]) -> Examples:
        """Some of them."""
        return Examples(
            self.inputs.at(rows), self.features[rows], self.raw[rows], self.targets[rows], self.weights[rows],
            self.group[rows], self.labelled[rows],
        )  # fmt: skip

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Several one after another."""
        return cls(
            Inputs.joined([part.inputs for part in parts]),
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.raw for part in parts]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.weights for part in parts]),
            np.concatenate([part.group for part in parts]),
            np.concatenate([part.labelled for part in parts]),
        )


def tune(shipped: Arrays, examples: Examples, seed: int, cancelled: Callable[[], bool]) -> Arrays:
    """The verifier's arrays, tuned; those that are not :data:`TUNED` are the same ones.

    Raises:
        LearningCancelled: ``cancelled`` answered True.
    """
    import torch
    from torch.nn import functional

    first = {name: torch.from_numpy(np.array(shipped[name], np.float32)) for name in TUNED}
    now = {name: tensor.clone().requires_grad_() for name, tensor in first.items()}
    numbers = np.clip((examples.inputs.numbers - shipped["mean"]) / shipped["scale"], -CUT, CUT)
    standard = torch.from_numpy(np.asarray(numbers, np.float32))
    residuals = torch.from_numpy(examples.inputs.residuals)
    rows = torch.from_numpy(examples.inputs.rows)
    targets = torch.from_numpy(examples.targets.astype(np.float32))
    weights = torch.from_numpy((examples.weights / examples.weights.mean()).astype(np.float32))
    optimizer = torch.optim.Adam(now.values(), lr=RATE)
    chance = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        if cancelled():
            raise LearningCancelled
        order = torch.from_numpy(chance.permutation(len(examples)))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            x, y = (residuals[some].float() @ now["project"]).unbind(1)
            seen = torch.cat([standard[some], x * y, (x - y).abs(), rows[some].float() @ now["compensation"]], 1)
            hidden = functional.gelu(seen @ now["first"] + now["first_bias"], approximate="tanh")
            hidden = functional.gelu(hidden @ now["second"] + now["second_bias"], approximate="tanh")
            verdict = hidden @ now["last"] + now["last_bias"]
            loss = functional.binary_cross_entropy_with_logits(verdict, targets[some], weight=weights[some])
            away = torch.stack([(now[name] - first[name]).square().sum() for name in TUNED]).sum()
            gradients = torch.autograd.grad(loss + DRAWN_BACK * away, tuple(now.values()))
            for tensor, gradient in zip(now.values(), gradients, strict=True):
                tensor.grad = gradient
            optimizer.step()
    tuned = {name: np.asarray(tensor.detach().numpy(), np.float32) for name, tensor in now.items()}
    return {**{name: array for name, array in shipped.items() if name not in PERSONAL}, **tuned}


def correct(examples: Examples, verdicts: NDArray[np.float32]) -> tuple[Correction, float]:
    """The correction for a verifier that gives ``verdicts``, and the ridge it was fitted with.

    The ridge is the one that does best on the labels of groups left out in turn; infinite, so that there is no
    correction, when none does better than that.
    """
    seen = seen_of(examples.features, examples.raw, verdicts)
    mean, scale = seen.mean(axis=0), seen.std(axis=0)
    # A column that says nothing here must not become loud elsewhere.
    scale = np.where(scale < 1e-3, 1e3, scale)
    mean[0], scale[0] = 0.0, 1.0
    nothing = Correction(*(np.asarray(a, np.float32) for a in (mean, scale, np.zeros(len(CORRECTED)))))
    standard = nothing.standard(examples.features, examples.raw, verdicts)
    offset = (examples.raw + WEIGHT * verdicts) / (1 + WEIGHT)
    ridge = _chosen_ridge(standard, offset, examples)
    if np.isinf(ridge):
        return nothing, ridge
    weights = _ridge_fit(standard, offset, examples.targets, examples.weights, ridge)
    return Correction(nothing.mean, nothing.scale, weights.astype(np.float32)), ridge


def _chosen_ridge(standard: NDArray[np.float64], offset: NDArray[np.float64], examples: Examples) -> float:
    groups = np.unique(examples.group[examples.labelled])
    losses = np.zeros(len(RIDGES))
    for group in groups:
        out = examples.group == group
        held = out & examples.labelled
        if out.all():
            continue
        for i, ridge in enumerate(RIDGES):
            weights = np.zeros(standard.shape[1])
            if np.isfinite(ridge):
                weights = _ridge_fit(
                    standard[~out], offset[~out], examples.targets[~out], examples.weights[~out], ridge
                )  # fmt: skip
            value = offset[held] + standard[held] @ weights
            losses[i] += float((examples.weights[held] * _loss(value, examples.targets[held])).sum())
    # The strongest ridge that is as good as the best: what cannot be told apart is left as it was shipped.
    return RIDGES[max(i for i, loss in enumerate(losses) if loss <= losses.min() + 1e-9)]


def _loss(value: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cross-entropy of log-odds."""
    return np.asarray(np.logaddexp(0, value) - target * value, np.float64)


def _ridge_fit(
    standard: NDArray[np.float64],
    offset: NDArray[np.float64],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
    ridge: float,
) -> NDArray[np.float64]:
    """Logistic regression with an offset and a ridge on every weight, by damped Newton steps."""
    import torch

    # Torch and not numpy: its number of threads can be set for this thread alone, and two threads that wait for each
    # other on a busy machine are ten times slower than one.
    x, base, goal, weight = (torch.from_numpy(np.ascontiguousarray(a)) for a in (standard, offset, targets, weights))
    found = torch.zeros(x.shape[1], dtype=torch.float64)

    def total(at: torch.Tensor) -> float:
        value = base + x @ at
        loss = torch.nn.functional.softplus(value, threshold=500) - goal * value
        return float((weight * loss).sum() + ridge / 2 * at @ at)

    now = total(found)
    for _ in range(NEWTON_STEPS):
        probability = torch.sigmoid(base + x @ found)
        slope = x.T @ (weight * (probability - goal)) + ridge * found
        curve = (x * (weight * probability * (1 - probability))[:, None]).T @ x
        step = torch.linalg.solve(curve + ridge * torch.eye(len(found), dtype=torch.float64), slope)
        size = 1.0
        while size > 1e-3 and total(found - size * step) > now:
            size /= 2
        after = total(found - size * step)
        if now - after < 1e-7:
            break
        found, now = found - size * step, after
    return np.asarray(found.numpy(), np.float64)


def verifier_of(arrays: Arrays, correction: Correction | None, version: str) -> Verifier:
    """A verifier of arrays with a correction.

    Raises:
        VerifierError: they do not fit.
    """
    return Verifier(with_correction(arrays, correction), version)


def with_correction(arrays: Arrays, correction: Correction | None) -> Arrays:
    """The arrays as a weights file holds them."""
    if correction is None:
        return arrays
    return {**arrays, **dict(zip(PERSONAL, (correction.mean, correction.scale, correction.weights), strict=True))}
