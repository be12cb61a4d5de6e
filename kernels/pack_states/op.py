"""Chooses how to pack: Triton on a CUDA device, torch elsewhere."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.pack_states.layout import (
    BLOCK_BYTES,
    DIMENSIONS,
    E4M3_MAX,
    HEADER_BYTES,
    ROWS,
    SCALES_AT,
    STATES_AT,
)

#: Rows converted at once on the CPU: their float32 values (400 kB) and as many integers stay in the second-level cache.
_CHUNK = 256


class StatesNotFinite(ValueError):
    """A state holds NaN or infinity: the model that made it is broken. Nothing was packed."""


def _lengths(y: Tensor) -> Tensor:
    """Lengths, float32 ``[k]``, of the E4M3 values that rows of float32 ``[k, 384]`` within ±448 become.

    Rounded by integer operations, because torch's cast from E4M3 takes 7 ns a value. What is below E4M3's normal values
    is rounded finer here than it is kept; the squares of 384 such values are 10⁻⁷ of a row's.
    """
    bits = y.view(torch.int32)
    # To nearest even at 3 mantissa bits: add just under half a step, and one more where the kept part is odd.
    rounded = (bits >> 20).bitwise_and_(1).add_(bits).add_(0x7FFFF).bitwise_and_(-1 << 20)
    lengths: Tensor = rounded.view(torch.float32).norm(dim=1)
    return lengths


def _pack_cpu(states: Tensor, rows: Tensor, headers: Tensor) -> Tensor:
    """See :func:`kernels.pack_states.reference.pack_states_reference`; float32 and integer arithmetic.

    Each used row is read once and written once as E4M3, some 1,900 bytes and 4,000 operations a row.
    """
    n = len(rows)
    blocks = torch.zeros((n, BLOCK_BYTES), dtype=torch.uint8)
    blocks[:, :HEADER_BYTES] = headers
    at = (rows >= 0).flatten().nonzero().squeeze(1)
    tokens = rows.flatten()[at]
    # Row r of block b is the 384 bytes from STATES_AT + 384 r of that block: index b * 42 + r in this view.
    codes = torch.zeros((n * ROWS, DIMENSIONS), dtype=torch.uint8)
    scales = torch.zeros(n * ROWS, dtype=torch.float16)
    full = torch.tensor(E4M3_MAX)
    for start in range(0, len(at), _CHUNK):
        x = states[tokens[start : start + _CHUNK]].float()
        largest = x.abs().amax(1, keepdim=True)
        bad = ~largest.squeeze(1).isfinite()
        if bool(bad.any()):
            x[bad], largest[bad] = 0, 0
        # A number divided by a tensor would be its rounded reciprocal times the number.
        x *= torch.where(largest > 1e-30, full / largest, 0.0)
        x.clamp_(-E4M3_MAX, E4M3_MAX)
        length = _lengths(x)
        scale = torch.where(length > 0, 1 / length, length)
        where = at[start : start + _CHUNK]
        scales[where] = scale.masked_fill(bad, torch.nan).half()
        codes[where] = x.to(torch.float8_e4m3fn).view(torch.uint8)
    blocks[:, SCALES_AT:STATES_AT] = scales.view(n, ROWS).view(torch.uint8)
    blocks[:, STATES_AT:] = codes.view(n, ROWS * DIMENSIONS)
    return blocks


def pack_states(states: Tensor, rows: Tensor, headers: Tensor) -> Tensor:
    """State snapshots, uint8 ``[n, 16384]``, of tokens' states, on the device of ``states``.

    Args:
        states: float32, bfloat16 or float16 ``[tokens, 384]``.
        rows: int64 ``[n, 42]``: which token stands in which row, -1 for none; below ``tokens``.
        headers: uint8 ``[n, 172]``, written as they are (:mod:`kernels.pack_states.layout`).

    Raises:
        ValueError: wrong type, shape, device or index.
        StatesNotFinite: a state that is asked for holds NaN or infinity.
    """
    if states.ndim != 2 or states.shape[1] != DIMENSIONS or not states.is_floating_point():
        raise ValueError(f"states are float [tokens, {DIMENSIONS}], not {states.dtype} {tuple(states.shape)}")
    if rows.ndim != 2 or rows.shape[1] != ROWS or rows.dtype is not torch.int64:
        raise ValueError(f"rows are int64 [n, {ROWS}], not {rows.dtype} {tuple(rows.shape)}")
    if headers.shape != (len(rows), HEADER_BYTES) or headers.dtype is not torch.uint8:
        raise ValueError(f"headers are uint8 [n, {HEADER_BYTES}], not {headers.dtype} {tuple(headers.shape)}")
    if not states.device == rows.device == headers.device:
        raise ValueError(f"states lie on {states.device}, rows on {rows.device}, headers on {headers.device}")
    if rows.numel() and (int(rows.max()) >= len(states) or int(rows.min()) < -1):
        raise ValueError(f"rows name tokens outside 0..{len(states) - 1}")
    if states.is_cuda:
        from kernels.pack_states.triton_kernel import pack_states_triton

        blocks: Tensor = pack_states_triton(states.contiguous(), rows.contiguous(), headers.contiguous())
    else:
        blocks = _pack_cpu(states, rows, headers)
    if bool(blocks[:, SCALES_AT:STATES_AT].reshape(-1, 2).contiguous().view(torch.float16).isnan().any()):
        raise StatesNotFinite("a state holds NaN or infinity")
    return blocks
