"""What the verifier sees of a pair: two snapshots token against token, and the rows of the compensation table.

Contents never enter as they are: of the two residuals (what one passage says that the other does not) only how they
stand to each other is used, because comparisons carry over to contracts never seen and words do not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.comparison import FEATURES
from engine.conflicts.compensation import ENTRIES, entries_of
from engine.conflicts.differences import Differences
from engine.conflicts.units import Unit

if TYPE_CHECKING:
    import torch

#: Numbers taken from the token-against-token comparison: the statistics, the worst rows' cosines, the residuals' sizes.
WORST_ROWS = 8
ATTENDED = 32 + 2 * WORST_ROWS + 3
WIDTH = ATTENDED + len(FEATURES)
DIMENSIONS = 384


@dataclasses.dataclass(frozen=True, slots=True)
class Inputs:
    """Of p pairs: numbers float32 ``[p, WIDTH]``, residuals float16 ``[p, 2, 384]``, table rows bool ``[p, 217]``."""

    numbers: NDArray[np.float32]
    residuals: NDArray[np.float16]
    rows: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    def at(self, rows: NDArray[np.int64] | slice) -> Inputs:
        """Those of some pairs."""
        return Inputs(self.numbers[rows], self.residuals[rows], self.rows[rows])

    @classmethod
    def joined(cls, parts: Sequence[Inputs]) -> Inputs:
        """Several one after another."""
        parts = parts or [cls.none()]
        return cls(
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.residuals for part in parts]),
            np.concatenate([part.rows for part in parts]),
        )

    @classmethod
    def none(cls) -> Inputs:
        """Of no pair."""
        return cls(
            np.zeros((0, WIDTH), np.float32), np.zeros((0, 2, DIMENSIONS), np.float16), np.zeros((0, ENTRIES), np.bool_)
        )


def table_rows(pairs: Sequence[tuple[Unit, Unit, Differences]]) -> NDArray[np.bool_]:
    """Which of the 217 differences hold for each pair, bool ``[p, 217]``."""
    rows = np.zeros((len(pairs), ENTRIES), np.bool_)
    for i, (a, b, differences) in enumerate(pairs):
        rows[i, list(entries_of(a, b, differences))] = True
    return rows


def _worst(best: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    """The lowest cosines of each pair's first side, ascending, 1 where a passage has fewer words."""
    return best.masked_fill(where < 0, 1.0).sort(dim=1).values[:, :WORST_ROWS]


def inputs_of(
    blocks: torch.Tensor, pairs: NDArray[np.int64], features: NDArray[np.float32], rows: NDArray[np.bool_]
) -> Inputs:
    """The inputs of pairs of snapshots; the passage with fewer rows is looked at first.

    Args:
        blocks: uint8 ``[n, 16384]``.
        pairs: int64 ``[p, 2]``, indices of blocks.
        features: float32 ``[p, len(FEATURES)]``; rows: see :func:`table_rows`.
    """
    import torch

    from kernels.pack_states.unpack import counts_of
    from kernels.pair_attend.op import pair_attend

    counts = counts_of(blocks).cpu().numpy()
    swap = counts[pairs[:, 0]] > counts[pairs[:, 1]]
    ordered = np.where(swap[:, None], pairs[:, ::-1], pairs)
    out = pair_attend(blocks, torch.from_numpy(np.ascontiguousarray(ordered)).to(blocks.device))
    size = out.residual.norm(dim=2)
    along = (out.residual[:, 0] * out.residual[:, 1]).sum(1) / (size[:, 0] * size[:, 1]).clamp(min=1e-9)
    worst = [_worst(out.best[:, side], out.where[:, side]) for side in (0, 1)]
    attended = torch.cat([out.statistics, *worst, size, along[:, None]], 1).cpu().numpy()
    numbers = np.concatenate([attended, features], axis=1, dtype=np.float32)
    return Inputs(numbers, out.residual.cpu().numpy().astype(np.float16), rows)
