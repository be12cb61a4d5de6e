"""Chooses how to compare pairs: Triton on a CUDA device, torch elsewhere.

On the CPU pairs go in chunks; each block's E4M3 codes become float32 by integer operations (see
:func:`kernels.pack_states.unpack.e4m3_halves`). Even dimensions come first there, which no product notices; the
residual is put back in order at the end.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.pack_states.layout import DIMENSIONS, ROWS, STATES_AT
from kernels.pack_states.unpack import HALVES_EXPONENT, check_blocks, classes_of, counts_of, e4m3_halves, scales_of
from kernels.pair_attend.reference import PairAttention, attend, no_pairs

#: Pairs compared at once on the CPU.
CHUNK = 64


def _states(blocks: Tensor, scales: Tensor, which: Tensor, low: Tensor, high: Tensor) -> Tensor:
    """float32 ``[k, 42, 384]`` of the blocks ``which``, even dimensions first."""
    codes = blocks[which, STATES_AT:].view(-1, DIMENSIONS)
    halves = e4m3_halves(codes, low, high)
    x = torch.cat([half.float() for half in halves], 1).view(-1, ROWS, DIMENSIONS)
    return x.mul_(scales[which][:, :, None])


def _pair_attend_cpu(blocks: Tensor, pairs: Tensor) -> PairAttention:
    scales = scales_of(blocks) * 2.0**HALVES_EXPONENT
    used = torch.arange(ROWS) < counts_of(blocks)[:, None]
    classes = classes_of(blocks)
    low = torch.empty((CHUNK * ROWS, DIMENSIONS // 2), dtype=torch.int16)
    high = torch.empty_like(low)
    parts = []
    for start in range(0, len(pairs), CHUNK):
        some = pairs[start : start + CHUNK]
        a = _states(blocks, scales, some[:, 0], low, high)
        b = _states(blocks, scales, some[:, 1], low, high)
        parts.append(attend(torch.bmm(a, b.transpose(1, 2)), a, b, used[some], classes[some]))
    statistics, best, where, residual = (torch.cat(part) for part in zip(*parts, strict=True))
    order = torch.cat([torch.arange(0, DIMENSIONS, 2), torch.arange(1, DIMENSIONS, 2)])
    in_order = torch.empty_like(residual)
    in_order[:, :, order] = residual
    return PairAttention(statistics, best, where, in_order)


def pair_attend(blocks: Tensor, pairs: Tensor) -> PairAttention:
    """Token against token for many pairs of blocks, both ways: :mod:`kernels.pair_attend.reference` has the formulas.

    Args:
        blocks: uint8 ``[n, 16384]``, all of a contract's or a matter's.
        pairs: int64 ``[p, 2]``, indices of blocks; a whole contract's pairs are one call.

    Bytes read: 32,768 a pair, written 2,052. Operations: ``2 * 42 * 42 * 384`` = 1.35 MFLOP a pair for the cosines and
    some 0.2 for the rest; 5,000 pairs read 164 MB (34 µs at an H200's 4.8 TB/s) and take 7.7 GFLOP.

    Raises:
        ValueError: wrong type, shape, device or index.
    """
    check_blocks(blocks)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype is not torch.int64:
        raise ValueError(f"pairs are int64 [p, 2], not {pairs.dtype} {tuple(pairs.shape)}")
    if pairs.device != blocks.device:
        raise ValueError(f"pairs lie on {pairs.device}, blocks on {blocks.device}")
    if len(pairs) == 0:
        return no_pairs(blocks.device)
    if int(pairs.min()) < 0 or int(pairs.max()) >= len(blocks):
        raise ValueError(f"pairs name blocks outside 0..{len(blocks) - 1}")
    if blocks.is_cuda:
        from kernels.pair_attend.triton_kernel import pair_attend_triton

        found: PairAttention = pair_attend_triton(blocks.contiguous(), pairs.contiguous())
        return found
    return _pair_attend_cpu(blocks, pairs)
