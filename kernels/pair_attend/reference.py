"""The specification of token-against-token comparison of pairs of snapshots, in torch, in float64.

For a pair (a, b) of blocks with n and m used rows, all of length 1, and c_ij = a_i · b_j:

    best_i   = max_j c_ij                  the best counterpart's cosine; where_i is the smallest such j
    α_ij     = softmax_j (c_ij / 0.1)      the soft alignment
    aligned_i = Σ_j α_ij b_j
    residual = Σ_i (1 − best_i)(a_i − aligned_i) / n      what a says that b does not

and the same with a and b exchanged. :data:`STATISTICS` names the 32 numbers made of them. An empty side gives zeros
everywhere (best 0, where -1).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from kernels.pack_states.layout import DIMENSIONS, ROWS
from kernels.pack_states.unpack import classes_of, unpack_states

TEMPERATURE = 0.1
#: A row whose best counterpart is farther than this has none.
COUNTERPART = 0.5

_ONE_SIDE = (
    "best_mean",  # mean of best_i
    "best_least",  # least best_i
    "without",  # share of rows with best_i < COUNTERPART
    "soft_mean",  # mean of Σ_j α_ij c_ij
    "entropy",  # mean of the entropy of α_i, over log 42
    "drift",  # mean of |i/n − where_i/m|: how far the order differs
    "value_best",  # mean best_i over the rows of class 1 (values); 0 when there are none
    "modal_best",  # … class 2 (modals, negations, conditions)
    "party_best",  # … class 3 (parties and terms)
    "other_best",  # … class 0
    "value_share",  # share of the rows of class 1
    "modal_share",  # … class 2
    "party_share",  # … class 3
)
_BOTH = (
    "mutual",  # share of a's rows that are the best of their best
    "mean",  # mean of c_ij
    "most",  # greatest c_ij
    "pooled",  # cosine of the two sums of rows
    "rows_a",  # n / 42
    "rows_b",  # m / 42
)
#: The statistics' names, in order; ``ab_`` looks from a to b, ``ba_`` from b to a.
STATISTICS = (*(f"ab_{name}" for name in _ONE_SIDE), *(f"ba_{name}" for name in _ONE_SIDE), *_BOTH)


class PairAttention(NamedTuple):
    """What is known of p pairs; index 0 of a side is a looking at b, 1 is b looking at a.

    Attributes:
        statistics: float32 ``[p, 32]``, named by :data:`STATISTICS`.
        best: float32 ``[p, 2, 42]``, each row's best cosine; 0 in unused rows.
        where: int8 ``[p, 2, 42]``, the counterpart's row; -1 in unused rows.
        residual: float32 ``[p, 2, 384]``, see the module.
    """

    statistics: Tensor
    best: Tensor
    where: Tensor
    residual: Tensor


class _Side(NamedTuple):
    statistics: Tensor  # [p, 13]
    best: Tensor  # [p, 42]
    where: Tensor  # int64 [p, 42], -1 unused
    own: Tensor  # [p, 42], the weight of each own row in the residual
    other: Tensor  # [p, 42], the weight of each row of the other side in it


def _look(cosine: Tensor, used_x: Tensor, used_y: Tensor, classes: Tensor) -> _Side:
    """One direction: cosine ``[p, 42, 42]`` (rows of x), used bool and classes ``[p, 42]``."""
    masked = cosine.masked_fill(~used_y[:, None, :], -torch.inf)
    best, where = masked.max(2)
    n = used_x.sum(1).clamp(min=1)
    m = used_y.sum(1).clamp(min=1)
    # A row of -inf alone would give NaN; such pairs are zeroed by the caller.
    best = best.masked_fill(~used_x | ~used_y.any(1, keepdim=True), 0.0)
    shifted = ((masked - best[:, :, None]) / TEMPERATURE).exp().masked_fill(~used_x[:, :, None], 0.0)
    total = shifted.sum(2).clamp(min=1e-30)
    alpha = shifted / total[:, :, None]
    soft = (alpha * cosine).sum(2)
    # Σ −α log α with log α = (c − best)/T − log Σ.
    entropy = (best - soft) / TEMPERATURE + total.log()
    entropy = entropy.masked_fill(~used_x, 0.0)
    at = torch.arange(ROWS, dtype=cosine.dtype, device=cosine.device)
    drift = (at / n[:, None] - where.to(cosine.dtype) / m[:, None]).abs().masked_fill(~used_x, 0.0)

    def mean(values: Tensor) -> Tensor:
        return values.sum(1) / n

    rows = [(classes == k) & used_x for k in range(4)]
    sizes = [row.sum(1).to(cosine.dtype) for row in rows]
    by_class = [(best * row).sum(1) / size.clamp(min=1) for row, size in zip(rows, sizes, strict=True)]
    least = best.masked_fill(~used_x, torch.inf).amin(1)
    columns = [
        mean(best),
        least.masked_fill(~used_x.any(1), 0.0),
        mean(((best < COUNTERPART) & used_x).to(cosine.dtype)),
        mean(soft),
        mean(entropy) / torch.log(torch.tensor(float(ROWS), dtype=cosine.dtype)),
        mean(drift),
        *by_class[1:],
        by_class[0],
        *(size / n for size in sizes[1:]),
    ]
    own = (1 - best).masked_fill(~used_x, 0.0) / n[:, None]
    other = (own[:, :, None] * alpha).sum(1)
    return _Side(torch.stack(columns, 1), best, where.masked_fill(~used_x, -1), own, other)


def _sums(first: Tensor, second: Tensor, rows: Tensor) -> tuple[Tensor, ...]:
    return torch.bmm(torch.stack([first, second, torch.ones_like(first)], 1), rows).unbind(1)


def attend(cosine: Tensor, a: Tensor, b: Tensor, used: Tensor, classes: Tensor) -> PairAttention:
    """All outputs from the cosines.

    Args:
        cosine: ``[p, 42, 42]``; what stands in unused rows and columns does not matter, if it is finite.
        a, b: states ``[p, 42, 384]``, zero where unused, same dtype as ``cosine``.
        used: bool ``[p, 2, 42]``; classes: uint8 ``[p, 2, 42]``.
    """
    used_a, used_b = used[:, 0], used[:, 1]
    forth = _look(cosine, used_a, used_b, classes[:, 0])
    back = _look(cosine.transpose(1, 2).contiguous(), used_b, used_a, classes[:, 1])
    n, m = used_a.sum(1), used_b.sum(1)
    returned = back.where.gather(1, forth.where.clamp(min=0))
    own = torch.arange(ROWS, device=cosine.device)
    mutual = ((returned == own) & used_a).sum(1) / n.clamp(min=1)
    both = used_a[:, :, None] & used_b[:, None, :]
    mean = (cosine * both).sum((1, 2)) / (n * m).clamp(min=1)
    most = cosine.masked_fill(~both, -torch.inf).amax((1, 2))
    # Three weighted sums of each side's rows in one product: its part of either residual, and the plain sum.
    own_a, lent_a, sum_a = _sums(forth.own, back.other, a)
    lent_b, own_b, sum_b = _sums(forth.other, back.own, b)
    pooled = (sum_a * sum_b).sum(1) / (sum_a.norm(dim=1) * sum_b.norm(dim=1)).clamp(min=1e-30)
    last = [mutual, mean, most, pooled, n / ROWS, m / ROWS]
    statistics = torch.cat(
        [forth.statistics, back.statistics, torch.stack([x.to(cosine.dtype) for x in last], 1)], 1
    )
    empty = (n == 0) | (m == 0)
    statistics = statistics.masked_fill(empty[:, None], 0.0)
    where = torch.stack([forth.where, back.where], 1).masked_fill(empty[:, None, None], -1)
    best = torch.stack([forth.best, back.best], 1).masked_fill(empty[:, None, None], 0.0)
    residual = torch.stack([own_a - lent_b, own_b - lent_a], 1).masked_fill(empty[:, None, None], 0.0)
    return PairAttention(statistics.float(), best.float(), where.to(torch.int8), residual.float())


def pair_attend_reference(blocks: Tensor, pairs: Tensor) -> PairAttention:
    """The outputs for pairs (int64 ``[p, 2]``) of blocks (uint8 ``[n, 16384]``), computed in float64."""
    states, counts = unpack_states(blocks)
    x = states.double()
    used = torch.arange(ROWS) < counts[:, None]
    classes = classes_of(blocks)
    a, b = x[pairs[:, 0]], x[pairs[:, 1]]
    return attend(torch.bmm(a, b.transpose(1, 2)), a, b, used[pairs], classes[pairs])


def no_pairs(device: torch.device) -> PairAttention:
    """The outputs for no pairs at all."""
    return PairAttention(
        torch.zeros((0, len(STATISTICS)), device=device),
        torch.zeros((0, 2, ROWS), device=device),
        torch.zeros((0, 2, ROWS), dtype=torch.int8, device=device),
        torch.zeros((0, 2, DIMENSIONS), device=device),
    )
