"""Chooses how to score: Triton on a CUDA device, torch elsewhere.

On the CPU the blocks are taken longest first, and only the rows that they use are read: :data:`CHUNK_ROWS` of them at a
time are copied into a buffer that stays in the second-level cache, their E4M3 codes become bfloat16 by integer
operations (see :func:`kernels.pack_states.unpack.e4m3_halves`), and one product compares them with the query, in
bfloat16 where the processor multiplies it (AMX, AVX512-BF16), else in float32. A row's scale is positive, so it waits
for the cosines, of which there are 16 times fewer than of values.
"""

from __future__ import annotations

import functools

import numpy as np
import torch
from torch import Tensor

from kernels.pack_states.layout import DIMENSIONS, ROWS, STATES_AT
from kernels.pack_states.unpack import HALVES_EXPONENT, check_blocks, counts_of, scales_of

#: Rows converted at once on the CPU (measured: tests/bench/bench_maxsim.py).
CHUNK_ROWS = 2048
#: Query rows multiplied at once; more would spill the products out of the cache.
_MOST_ROWS = 256
#: Brings the query up by as much as the codes are down, but leaves room to bfloat16's largest value.
_LIFT = 100
_KEEP = 0x87F0 - 0x10000
#: A block is 128 lines of so many bytes, a row three of them: rows of all blocks are rows of one overlapping view.
_LINE = 128
_ROW_LINES = DIMENSIONS // _LINE
#: Query rows are filled up to a multiple of this: a maximum over strides of whole vectors is five times as fast.
_COLUMNS = 32
_SHIFT = np.int16(4)


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


def _lines(blocks: Tensor) -> tuple[Tensor, int]:
    """All rows of all blocks as one overlapping view, int16 ``[lines, 192]``, and the lines from block to block."""
    words = blocks.view(torch.int16)
    step = words.stride(0) * 2 // _LINE
    last = (len(blocks) - 1) * step + (STATES_AT + (ROWS - 1) * DIMENSIONS) // _LINE
    return words.as_strided((last + 1, DIMENSIONS // 2), (_LINE // 2, 1)), step


def _decode(codes: Tensor, spare: Tensor) -> Tensor:
    """Codes int16 ``[k, 192]`` as bfloat16 ``[k, 384]`` times ``2**-120``, even dimensions first; lies in ``spare``."""
    low, high = spare[:, : DIMENSIONS // 2], spare[:, DIMENSIONS // 2 :]
    torch.bitwise_left_shift(codes, 8, out=low)
    # numpy shifts 16-bit integers to the right 2.6 times as fast as torch.
    np.right_shift(low.numpy(), _SHIFT, out=low.numpy())
    np.right_shift(codes.numpy(), _SHIFT, out=high.numpy())
    return spare.bitwise_and_(_KEEP).view(torch.bfloat16)


def _best(rows: Tensor, blocks: Tensor, dtype: torch.dtype) -> Tensor:
    """Best cosine of each query row (float32 ``[c, 384]``, length 1) in each block: float32 ``[c, n]``."""
    # float32 is lifted on the side of the codes: what is small there would be subnormal, and slow.
    narrow = dtype is torch.bfloat16
    width = -(-len(rows) // _COLUMNS) * _COLUMNS
    lifted = torch.nn.functional.pad(rows * 2.0**_LIFT if narrow else rows, (0, 0, 0, width - len(rows))).to(dtype)
    query = torch.cat([lifted[:, 0::2], lifted[:, 1::2]], 1).t().contiguous()
    counts, order = counts_of(blocks).sort(descending=True, stable=True)
    # A block shorter than its chunk's longest repeats its first row, which changes no maximum.
    row = torch.arange(ROWS).where(torch.arange(ROWS) < counts[:, None], 0)
    scales = scales_of(blocks)[order].gather(1, row) * (2.0 ** (HALVES_EXPONENT - _LIFT) if narrow else 1.0)
    lines, step = _lines(blocks)
    at = (order * step + STATES_AT // _LINE)[:, None] + row * _ROW_LINES
    found = torch.zeros((len(blocks), width))
    codes = torch.empty((CHUNK_ROWS, DIMENSIONS // 2), dtype=torch.int16)
    spare = torch.empty((CHUNK_ROWS, DIMENSIONS), dtype=torch.int16)
    start, filled = 0, int((counts > 0).sum())
    while start < filled:
        longest = int(counts[start])
        part = slice(start, min(filled, start + CHUNK_ROWS // longest))
        which = at[part, :longest].flatten()
        torch.index_select(lines, 0, which, out=codes[: len(which)])
        states = _decode(codes[: len(which)], spare[: len(which)])
        product = states @ query if narrow else (states.float() * 2.0**HALVES_EXPONENT) @ query
        cosines = product.float().mul_(scales[part, :longest].reshape(-1, 1))
        torch.amax(cosines.view(-1, longest, width), 1, out=found[part])
        start = part.stop
    best = torch.empty_like(found)
    best[order] = found
    return best[:, : len(rows)].t()


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

    Bytes read: 256 and 384 a used row of a block, once for each 256 query rows. Operations: ``2 * 384`` a used row and
    query row; at 10,000 full blocks and 24 rows 164 MB and 7.7 GFLOP, so a machine that reads 10 GB/s needs at least
    16 ms, an H200 (4.8 TB/s) 34 µs.

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
    if blocks.stride(1) != 1 or blocks.stride(0) % _LINE or blocks.stride(0) < 0 or blocks.storage_offset() % 2:
        blocks = blocks.clone(memory_format=torch.contiguous_format)
    bfloat16 = multiplies_bfloat16() if not precision else precision == "bfloat16"
    return _maxsim_cpu(queries, weights, blocks, torch.bfloat16 if bfloat16 else torch.float32)

