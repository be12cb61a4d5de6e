"""Late interaction in Triton: one program scores some blocks for one query; the codes are decoded in registers.

An E4M3 code's bits, moved into a float16, are its value times 2**-8, so tensor cores take them as they are.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

_CONFIGS = [
    triton.Config({"tile": tile, "blocks_each": each}, num_warps=warps, num_stages=stages)
    for tile in (16, 32, 64)
    for each in (1, 4, 8)
    for warps, stages in ((2, 2), (4, 2), (4, 3))
]


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _maxsim(
    queries: Any, weights: Any, blocks: Any, scores: Any, n: Any, m: Any, tile: tl.constexpr, blocks_each: tl.constexpr
) -> None:
    """float16 queries [q, m, 384] of length 1, float32 weights [q, m] of sum 1, uint8 blocks [n, 16384] → float32
    scores [q, n]. Grid (ceil(n / blocks_each), q); float16 products, float32 sums.
    """
    q = tl.program_id(1).to(tl.int64)
    row = tl.arange(0, 64)
    d = tl.arange(0, 128)
    i = tl.arange(0, tile)
    for each in range(blocks_each):
        block = tl.program_id(0).to(tl.int64) * blocks_each + each
        there = block < n
        base = blocks + block * 16384
        count = tl.load(base + 8, mask=there, other=0).to(tl.int32)
        used = (row < count) & (row < 42)
        low = tl.load(base + 172 + 2 * row, mask=used, other=0).to(tl.int32)
        high = tl.load(base + 173 + 2 * row, mask=used, other=0).to(tl.int32)
        scale = ((high << 8) | low).to(tl.int16).to(tl.float16, bitcast=True).to(tl.float32) * 256.0
        score = 0.0
        for start in range(0, m, tile):
            own = start + i
            product = tl.zeros((tile, 64), tl.float32)
            for part in range(3):
                at = part * 128 + d
                x = tl.load(
                    queries + (q * m + own[:, None]) * 384 + at[None, :], mask=(own < m)[:, None], other=0.0
                )
                code = tl.load(
                    base + 256 + row[None, :] * 384 + at[:, None], mask=used[None, :], other=0
                ).to(tl.int16)
                y = (((code & 0x80) << 8) | ((code & 0x7F) << 7)).to(tl.float16, bitcast=True)
                product = tl.dot(x, y, product)
            best = tl.max(tl.where(used[None, :], product * scale[None, :], float("-inf")), axis=1)
            weight = tl.load(weights + q * m + own, mask=own < m, other=0.0)
            # 0 * -inf would be NaN: an empty block scores 0.
            score += tl.sum(tl.where((weight > 0) & (count > 0), best * weight, 0.0), axis=0)
        tl.store(scores + q * n + block, score, mask=there)


_tuned = triton.autotune(configs=_CONFIGS, key=["m"])(_maxsim)


def maxsim_triton(queries: Tensor, weights: Tensor, blocks: Tensor) -> Tensor:
    """The same as the reference on the device of ``blocks``: queries float32 ``[q, m, 384]`` of length 1, weights
    float32 ``[q, m]``, contiguous blocks. At most 65,535 queries a launch.
    """
    q, m, _ = queries.shape
    n = len(blocks)
    scores = torch.zeros((q, n), device=blocks.device)
    halves = queries.half().contiguous()
    shares = (weights / weights.sum(1, keepdim=True).clamp(min=1e-30)).contiguous()
    if q == 0 or n == 0 or m == 0:
        return scores
    if blocks.is_cuda:
        _tuned[lambda meta: (triton.cdiv(n, meta["blocks_each"]), q)](halves, shares, blocks, scores, n, m)
    else:
        _maxsim[(triton.cdiv(n, 2), q)](halves, shares, blocks, scores, n, m, tile=16, blocks_each=2)
    return scores
