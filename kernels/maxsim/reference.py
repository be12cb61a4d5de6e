"""The specification of late interaction over snapshots, in torch, in float64.

Formula, for a query of rows x with weights w and a block of used rows y (all of length 1):

    score = Σ_i w_i · max_j (x_i · y_j) / Σ_i w_i

0 when the weights are all 0 or the block has no rows.

Source: Khattab and Zaharia 2020 (ColBERT), with weights and a mean instead of a sum.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.pack_states.layout import ROWS
from kernels.pack_states.unpack import unpack_states


def maxsim_reference(queries: Tensor, weights: Tensor, blocks: Tensor) -> Tensor:
    """Scores, float64 ``[q, n]``.

    Args:
        queries: float ``[q, m, 384]``; rows are brought to length 1 here.
        weights: float ``[q, m]``, not negative; 0 for rows that are not there.
        blocks: uint8 ``[n, 16384]``.
    """
    states, counts = unpack_states(blocks)
    x = queries.double()
    x = x / x.norm(dim=2, keepdim=True).clamp(min=1e-30)
    cosine = torch.einsum("qmd,nrd->qnmr", x, states.double())
    unused = torch.arange(ROWS) >= counts[:, None]
    best = cosine.masked_fill(unused[None, :, None, :], -torch.inf).amax(3)
    best = torch.where(counts[None, :, None] > 0, best, 0.0)
    w = weights.double()
    return torch.einsum("qnm,qm->qn", best, w) / w.sum(1, keepdim=True).clamp(min=1e-30)
