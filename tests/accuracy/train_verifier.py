"""Train resources/weights/pair_verifier.safetensors: the small network over two snapshots and the compensation table.

    python tests/accuracy/train_verifier.py CACHE [--write]

CACHE is the folder that train_ranker.py filled: inputs of the pairs of the known and the planted contracts. Five folds
of the known contracts are left out in turn; the folds' weights stay in CACHE for measure_conflicts.py. ``--write``
trains on everything and writes the weights. Some minutes on two cores: the encoder's states are frozen.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import say
from train_ranker import Table, load_tables, said_anew

from engine.conflicts.comparison import FEATURES
from engine.conflicts.compensation import ENTRIES
from engine.conflicts.verifier import CUT, WEIGHTS
from engine.conflicts.verifier_inputs import DIMENSIONS, WIDTH, Inputs
from resources import resource_path

PROJECTED, COMPENSATION, FIRST, SECOND = 32, 24, 160, 64
EPOCHS, BATCH = 10, 512


class Pairs(NamedTuple):
    """Pairs of one or more contracts: inputs, labels 0 or 1, weights."""

    inputs: Inputs
    labels: NDArray[np.float32]
    weights: NDArray[np.float32]


def together(parts: Sequence[Pairs]) -> Pairs:
    """Several contracts as one."""
    inputs = [part.inputs for part in parts]
    return Pairs(
        Inputs(
            np.concatenate([x.numbers for x in inputs]),
            np.concatenate([x.residuals for x in inputs]),
            np.concatenate([x.rows for x in inputs]),
        ),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


class Net(nn.Module):
    """The network of :class:`engine.conflicts.verifier.Verifier`, to be trained."""

    def __init__(self, numbers: NDArray[np.float32]) -> None:
        super().__init__()
        self.mean = torch.from_numpy(numbers.mean(0))
        self.scale = torch.from_numpy(np.maximum(numbers.std(0), 1e-3))
        self.project = nn.Parameter(torch.randn(DIMENSIONS, PROJECTED) / DIMENSIONS**0.5)
        self.compensation = nn.Parameter(torch.randn(ENTRIES, COMPENSATION) * 0.05)
        self.first = nn.Linear(WIDTH + 2 * PROJECTED + COMPENSATION, FIRST)
        self.second = nn.Linear(FIRST, SECOND)
        self.last = nn.Linear(SECOND, 1)
        self.drop = nn.Dropout(0.25)

    def forward(self, numbers: torch.Tensor, residuals: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Log-odds ``[p]``."""
        x, y = (residuals @ self.project).unbind(1)
        standard = ((numbers - self.mean) / self.scale).clamp(-CUT, CUT)
        hidden = torch.cat([standard, x * y, (x - y).abs(), rows @ self.compensation], 1)
        hidden = self.drop(nn.functional.gelu(self.first(self.drop(hidden)), approximate="tanh"))
        hidden = self.drop(nn.functional.gelu(self.second(hidden), approximate="tanh"))
        return self.last(hidden).squeeze(1)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights by the names that the program reads."""
        with torch.no_grad():
            named = {
                "mean": self.mean, "scale": self.scale, "project": self.project, "compensation": self.compensation,
                "first": self.first.weight.T, "first_bias": self.first.bias,
                "second": self.second.weight.T, "second_bias": self.second.bias,
                "last": self.last.weight[0], "last_bias": self.last.bias[0],
            }  # fmt: skip
            return {name: np.ascontiguousarray(array.numpy(), np.float32) for name, array in named.items()}


def train(pairs: Pairs, seed: int = 0, epochs: int = EPOCHS) -> Net:
    """A network trained on pairs; deterministic for a seed and a number of threads."""
    torch.manual_seed(seed)
    net = Net(pairs.inputs.numbers)
    numbers, residuals = torch.from_numpy(pairs.inputs.numbers), torch.from_numpy(pairs.inputs.residuals)
    rows = torch.from_numpy(pairs.inputs.rows)
    labels, weights = torch.from_numpy(pairs.labels), torch.from_numpy(pairs.weights)
    steps = epochs * (len(labels) // BATCH + 1)
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=steps)
    # Half of the trees' weight: the square root keeps the sampled pairs from drowning the others.
    weights = weights.sqrt()
    for _ in range(epochs):
        order = torch.randperm(len(labels))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            raw = net(numbers[some], residuals[some].float(), rows[some].float())
            loss = nn.functional.binary_cross_entropy_with_logits(raw, labels[some], weight=weights[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return net.eval()


def pairs_of(table: Table, *, known: bool) -> Pairs:
    """A contract's pairs; a conflict that a person wrote counts as six planted ones, a pair beside it as two."""
    label = np.zeros(len(table.features), np.float32)
    for _, kind, rows in table.gold:
        label[rows] = 1 if kind else 0
    weights = np.array(table.weights, np.float32)
    used = weights > 0
    weights[said_anew(table)] = 0
    label, weights = label[used], weights[used]
    return Pairs(table.inputs, label, weights * np.where(label > 0, 6, 2).astype(np.float32) if known else weights)


def write(path: Path, net: Net, version: str) -> None:
    """The weights file that :func:`engine.conflicts.verifier.read_verifier` reads."""
    save_file(net.arrays(), path, metadata={"version": version, "features": ",".join(FEATURES)})


def main() -> int:
    """Train; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    known = [pairs_of(table, known=True) for table in load_tables(args.cache / "known.msgpack")]
    planted = [
        pairs_of(table, known=False)
        for path in sorted(args.cache.glob("planted-*.msgpack"))
        for table in load_tables(path)
    ]
    for fold in range(5):
        net = train(together([*planted, *(pairs for i, pairs in enumerate(known) if i % 5 != fold)]))
        write(args.cache / f"fold-{fold}.safetensors", net, f"fold-{fold}")
        say(f"fold {fold} written")
    if args.write:
        path = resource_path("weights", WEIGHTS)
        write(path, train(together([*planted, *known])), f"verifier-{len(known)}+{len(planted)}")
        say(f"{path}: {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
