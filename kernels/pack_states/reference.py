"""The specification of packing, in torch, in float64.

Formula, for a row x (384 values) of a token that is kept:

    y = x * (448 / max|x|)            the quotient and the product each rounded to float32
    q = e4m3(y)                       rounded to nearest even, clamped to ±448
    s = float16(1 / ‖q‖)              so that s·q has length 1

The scaling is defined in float32, so that every device lands on the same side of a tie.

A row of zeros (or of nothing above 1e-30) gets q = 0 and s = 0. A row with a NaN or an infinity gets q = 0 and s = NaN,
and the caller refuses it.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.pack_states.layout import (
    BLOCK_BYTES,
    DIMENSIONS,
    E4M3_MAX,
    E4M3_SMALLEST_NORMAL,
    HEADER_BYTES,
    ROWS,
    SCALES_AT,
    STATES_AT,
)


def round_to_e4m3(x: Tensor) -> Tensor:
    """Values of ``x`` (float64) rounded to the E4M3 grid, to nearest even, clamped to ±448; float64."""
    x = x.clamp(-E4M3_MAX, E4M3_MAX)
    # 3 mantissa bits: the grid's step is 2**(exponent - 3), and below the smallest normal it stays 2**-9.
    exponent = torch.floor(torch.log2(x.abs().clamp(min=E4M3_SMALLEST_NORMAL)))
    step = torch.exp2(exponent - 3)
    return (x / step).round() * step


def pack_states_reference(states: Tensor, rows: Tensor, headers: Tensor) -> Tensor:
    """Blocks of states.

    Args:
        states: float ``[tokens, 384]``.
        rows: int64 ``[n, 42]``: which token stands in which row; -1 for none.
        headers: uint8 ``[n, 172]``, written as they are.

    Returns:
        uint8 ``[n, 16384]`` on the CPU.
    """
    n = len(rows)
    blocks = torch.zeros((n, BLOCK_BYTES), dtype=torch.uint8)
    blocks[:, :HEADER_BYTES] = headers
    kept = rows >= 0
    if n == 0 or not bool(kept.any()):
        return blocks
    x = states.double()[rows[kept]]
    finite = x.isfinite().all(1)
    x = torch.where(finite[:, None], x, 0.0)
    largest = x.abs().amax(1, keepdim=True)
    factor = torch.div(torch.tensor(E4M3_MAX).double(), largest.clamp(min=1e-30)).float()
    q = round_to_e4m3(torch.where(largest > 1e-30, x.float() * factor, 0.0).double())
    length = q.norm(dim=1)
    scale = torch.where(length > 0, 1 / length, 0.0).masked_fill(~finite, torch.nan)
    scales = torch.zeros((n, ROWS), dtype=torch.float16)
    scales[kept] = scale.half()
    codes = torch.zeros((n, ROWS, DIMENSIONS), dtype=torch.uint8)
    codes[kept] = q.float().to(torch.float8_e4m3fn).view(torch.uint8)
    blocks[:, SCALES_AT:STATES_AT] = scales.view(torch.uint8)
    blocks[:, STATES_AT:] = codes.flatten(1)
    return blocks
