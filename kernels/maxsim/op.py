"""Chooses how to score: Triton on a CUDA device, torch elsewhere.

On the CPU blocks are read in chunks that stay in the second-level cache; the E4M3 codes become bfloat16 by integer
operations (:func:`kernels.pack_states.unpack.e4m3_halves`) and are multiplied there where the processor has bfloat16
products (AMX, AVX512-BF16), else in float32.
"""

from __future__ import annotations

import functools

import torch
from torch import Tensor

from kernels.pack_states.layout import DIMENSIONS, ROWS, STATES_AT
from kernels.pack_states.unpack import HALVES_EXPONENT, check_blocks, counts_of, scales_of

#: Blocks converted at once on the CPU (measured: tests/bench/bench_kernels.py).
CHUNK = 48
#: Query rows multiplied at once; more would spill the products out of the cache.
_MOST_ROWS = 256
#: Brings the query up by as much as the codes are down, but leaves room to bfloat16's largest value.
_LIFT = 100
_KEEP = 0x87F0 - 0x10000


@functools.cache
def multiplies_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 in hardware."""
    facts = torch.cpu.get_capabilities()
    return bool(facts.get("amx_bf16") or facts.get("amx_tile") or facts.get("avx512_bf16"))


def _check(queries: Tensor, weights: Tensor, blocks: Tensor) -> None:
    check_blocks(blocks)
    if queries.ndim != 3 or queries.shape[2] != DIMENSIONS or not queries.is_floating_point():
        raise ValueError(f"queries are float [q, m, {DIMENSIONS}], not {queries.dtype} {tuple(queries.shape)}")
    if weights.shape != queries.shape[:2] or not weights.is_floating_point():
        raise ValueError(f"weights are float {tuple(queries.shape[:2])}, not {weights.dtype} {tuple(weights.shape)}")
    if not queries.device == weights.device == blocks.device:
        raise ValueError(f"queries lie on {queries.device}, weights on {weights.device}, blocks on {blocks.device}")


def _unit(queries: Tensor) -> Tensor:
    x = queries.float()
    unit: Tensor = x / x.norm(dim=2, keepdim=True).clamp(min=1e-30)
    return unit


def _best(rows: Tensor, blocks: Tensor, dtype: torch.dtype) -> Tensor:
    """Best cosine of each query row (float32 ``[c, 384]``, length 1) in each block: float32 ``[c, n]``."""
    n, width = len(blocks), len(rows)
    # float32 is lifted on the side of the codes: what is small there would be subnormal, and slow.
    narrow = dtype is torch.bfloat16
    lifted = (rows * 2.0**_LIFT if narrow else rows).to(dtype)
    even, odd = lifted[:, 0::2].contiguous(), lifted[:, 1::2].contiguous()
    out = torch.empty((width, n))
    words = blocks.view(torch.int16)[:, STATES_AT // 2 :]
    scales = scales_of(blocks) * (2.0 ** (HALVES_EXPONENT - _LIFT) if narrow else 1.0)
    counts = counts_of(blocks)
    # Unused rows multiply to 0 and are taken down to -inf in the same pass.
    used = torch.arange(ROWS) < counts[:, None]
    floor = torch.where(used, 0.0, -torch.inf)
    low = torch.empty((CHUNK, ROWS * DIMENSIONS // 2), dtype=torch.int16)
    high = torch.empty_like(low)
    for start in range(0, n, CHUNK):
        some = words[start : start + CHUNK]
        a, b = low[: len(some)], high[: len(some)]
        torch.bitwise_right_shift(some, 4, out=b)
        b.bitwise_and_(_KEEP)
        torch.bitwise_left_shift(some, 8, out=a)
        a.bitwise_right_shift_(4).bitwise_and_(_KEEP)
        first = a.view(torch.bfloat16).view(-1, DIMENSIONS // 2)
        second = b.view(torch.bfloat16).view(-1, DIMENSIONS // 2)
        if not narrow:
            first, second = first.float() * 2.0**HALVES_EXPONENT, second.float() * 2.0**HALVES_EXPONENT
        product = torch.addmm(even @ first.t(), odd, second.t()).float().view(width, -1, ROWS)
        part = slice(start, start + CHUNK)
        # The largest is taken over neighbours in memory, which is four times as fast as over strides.
        torch.amax(torch.addcmul(floor[part], product, scales[part]), 2, out=out[:, part])
    return out.masked_fill_(counts == 0, 0.0)


def _maxsim_cpu(queries: Tensor, weights: Tensor, blocks: Tensor, dtype: torch.dtype) -> Tensor:
    q, m, _ = queries.shape
    w = weights.float()
    w = w / w.sum(1, keepdim=True).clamp(min=1e-30)
    # Rows without weight are not multiplied at all.
    at = (w > 0).flatten().nonzero().squeeze(1)
    rows = _unit(queries).view(q * m, DIMENSIONS)[at]
    scores = torch.zeros((q, len(blocks)))
    owner = at // max(1, m)
    for start in range(0, len(at), _MOST_ROWS):
        part = slice(start, start + _MOST_ROWS)
        best = _best(rows[part], blocks, dtype)
        scores.index_add_(0, owner[part], best * w.flatten()[at[part], None])
    return scores


def maxsim(queries: Tensor, weights: Tensor, blocks: Tensor, *, precision: str = "") -> Tensor:
    """Late-interaction scores, float32 ``[q, n]``: see :mod:`kernels.maxsim.reference` for the formula.

    Args:
        queries: float ``[q, m, 384]``; any length, brought to 1.
        weights: float ``[q, m]``, not negative, 0 for rows that are not there.
        blocks: uint8 ``[n, 16384]``, from :func:`kernels.pack_states.op.pack_states`; may be a mapped file.
        precision: of the products on a CPU: ``bfloat16``, ``float32``, or empty for what the processor does best.

    Bytes read: 16,384 a block, once for each 256 query rows. Operations: ``2 * 42 * 384`` a block and query row; at
    10,000 blocks and 24 rows 164 MB and 7.7 GFLOP, so a machine that reads 10 GB/s needs at least 16 ms, an H200
    (4.8 TB/s) 34 µs.

    Raises:
        ValueError: wrong type, shape or device.
    """
    _check(queries, weights, blocks)
    if len(queries) == 0 or len(blocks) == 0 or queries.shape[1] == 0:
        return torch.zeros((len(queries), len(blocks)), device=blocks.device)
    if blocks.is_cuda:
        from kernels.maxsim.triton_kernel import maxsim_triton

        scores: Tensor = maxsim_triton(_unit(queries), weights.float(), blocks.contiguous())
        return scores
    if blocks.stride(1) != 1 or blocks.stride(0) % 2 or blocks.storage_offset() % 2:
        blocks = blocks.clone(memory_format=torch.contiguous_format)
    bfloat16 = multiplies_bfloat16() if not precision else precision == "bfloat16"
    return _maxsim_cpu(queries, weights, blocks, torch.bfloat16 if bfloat16 else torch.float32)

