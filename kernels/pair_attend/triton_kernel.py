"""Token against token in Triton: one program a pair; see :mod:`kernels.pair_attend.reference` for the formulas."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.pack_states.layout import DIMENSIONS, ROWS
from kernels.pair_attend.reference import STATISTICS, PairAttention

_CONFIGS = [triton.Config({}, num_warps=warps, num_stages=stages) for warps in (4, 8) for stages in (1, 2, 3)]


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _decode(base: Any, row: Any, at: Any, used: Any) -> Any:
    """Codes [rows, d] of a block as float16 times 2**-8; 0 where unused."""
    code = tl.load(base + 256 + row[:, None] * 384 + at[None, :], mask=used[:, None], other=0).to(tl.int16)
    return (((code & 0x80) << 8) | ((code & 0x7F) << 7)).to(tl.float16, bitcast=True)


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _header(base: Any, row: Any, count: Any) -> Any:
    """Scales (float32, with the decoding's 2**8) and classes of a block's rows."""
    used = row < count
    low = tl.load(base + 172 + 2 * row, mask=used, other=0).to(tl.int32)
    high = tl.load(base + 173 + 2 * row, mask=used, other=0).to(tl.int32)
    scale = ((high << 8) | low).to(tl.int16).to(tl.float16, bitcast=True).to(tl.float32) * 256.0
    packed = tl.load(base + 158 + row // 4, mask=used, other=0).to(tl.int32)
    return scale, (packed >> (2 * (row % 4))) & 3


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _look(c: Any, used_x: Any, used_y: Any, classes: Any, n: Any, m: Any, row: Any, out: Any) -> Any:
    """One direction of c [64, 64] (rows look at columns): 13 statistics to ``out``; best, where, weights, v = w·α."""
    masked = tl.where(used_y[None, :], c, float("-inf"))
    best = tl.where(used_x & (m > 0), tl.max(masked, axis=1), 0.0)
    where = tl.min(tl.where((masked == best[:, None]) & used_y[None, :], row[None, :], 64), axis=1)
    e = tl.where(used_y[None, :], tl.exp((tl.where(used_y[None, :], c, 0.0) - best[:, None]) * 10.0), 0.0)
    e = tl.where(used_x[:, None], e, 0.0)
    total = tl.maximum(tl.sum(e, axis=1), 1e-30)
    alpha = e / total[:, None]
    soft = tl.sum(alpha * c, axis=1)
    entropy = tl.where(used_x, (best - soft) * 10.0 + tl.log(total), 0.0)
    fn = tl.maximum(n, 1).to(tl.float32)
    fm = tl.maximum(m, 1).to(tl.float32)
    drift = tl.abs(row.to(tl.float32) / fn - where.to(tl.float32) / fm)
    tl.store(out, tl.sum(best, axis=0) / fn)
    tl.store(out + 1, tl.where(n > 0, tl.min(tl.where(used_x, best, float("inf")), axis=0), 0.0))
    tl.store(out + 2, tl.sum(tl.where(used_x & (best < 0.5), 1.0, 0.0), axis=0) / fn)
    tl.store(out + 3, tl.sum(soft, axis=0) / fn)
    # 3.7376696 is the natural logarithm of 42.
    tl.store(out + 4, tl.sum(entropy, axis=0) / fn / 3.7376696)
    tl.store(out + 5, tl.sum(tl.where(used_x, drift, 0.0), axis=0) / fn)
    for kind in tl.static_range(4):
        own = used_x & (classes == kind)
        size = tl.sum(tl.where(own, 1.0, 0.0), axis=0)
        mean = tl.sum(tl.where(own, best, 0.0), axis=0) / tl.maximum(size, 1.0)
        if kind == 0:
            tl.store(out + 9, mean)
        else:
            tl.store(out + 5 + kind, mean)
            tl.store(out + 9 + kind, size / fn)
    w = tl.where(used_x, (1.0 - best) / fn, 0.0)
    return best, where, w, tl.sum(w[:, None] * alpha, axis=0)


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _residuals(
    a_base: Any, b_base: Any, used_a: Any, used_b: Any, scale_a: Any, scale_b: Any, w_a: Any, w_b: Any, v_a: Any,
    v_b: Any, residual: Any, row: Any,
) -> Any:  # fmt: skip
    """Both residuals to ``residual`` [2, 384]; gives back the product of the lengths of the two sums of rows."""
    d = tl.arange(0, 128)
    length_a = 0.0
    length_b = 0.0
    for part in range(3):
        at = part * 128 + d
        a32 = _decode(a_base, row, at, used_a).to(tl.float32) * scale_a[:, None]
        b32 = _decode(b_base, row, at, used_b).to(tl.float32) * scale_b[:, None]
        sum_a = tl.sum(a32, axis=0)
        sum_b = tl.sum(b32, axis=0)
        length_a += tl.sum(sum_a * sum_a, axis=0)
        length_b += tl.sum(sum_b * sum_b, axis=0)
        forth = tl.sum(w_a[:, None] * a32, axis=0) - tl.sum(v_b[:, None] * b32, axis=0)
        back = tl.sum(w_b[:, None] * b32, axis=0) - tl.sum(v_a[:, None] * a32, axis=0)
        tl.store(residual + at, forth)
        tl.store(residual + 384 + at, back)
    return tl.sqrt(length_a) * tl.sqrt(length_b)


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _attend(blocks: Any, pairs: Any, statistics: Any, bests: Any, wheres: Any, residuals: Any) -> None:
    """uint8 blocks [n, 16384], int64 pairs [p, 2] → float32 statistics [p, 32], bests [p, 2, 42], int8 wheres
    [p, 2, 42], float32 residuals [p, 2, 384]. Grid (p); float16 products, float32 sums and statistics.
    """
    pair = tl.program_id(0).to(tl.int64)
    a_base = blocks + tl.load(pairs + 2 * pair) * 16384
    b_base = blocks + tl.load(pairs + 2 * pair + 1) * 16384
    row = tl.arange(0, 64)
    d = tl.arange(0, 128)
    n = tl.minimum(tl.load(a_base + 8).to(tl.int32), 42)
    m = tl.minimum(tl.load(b_base + 8).to(tl.int32), 42)
    # An empty side leaves nothing to compare: all outputs are zero then.
    both = (n > 0) & (m > 0)
    n = tl.where(both, n, 0)
    m = tl.where(both, m, 0)
    used_a = row < n
    used_b = row < m
    scale_a, class_a = _header(a_base, row, n)
    scale_b, class_b = _header(b_base, row, m)
    c = tl.zeros((64, 64), tl.float32)
    for part in range(3):
        a = _decode(a_base, row, part * 128 + d, used_a)
        b = _decode(b_base, row, part * 128 + d, used_b)
        c = tl.dot(a, tl.trans(b), c)
    c = c * scale_a[:, None] * scale_b[None, :]
    out = statistics + pair * 32
    best_a, where_a, w_a, v_b = _look(c, used_a, used_b, class_a, n, m, row, out)
    best_b, where_b, w_b, v_a = _look(tl.trans(c), used_b, used_a, class_b, m, n, row, out + 13)
    used = used_a[:, None] & used_b[None, :]
    mutual = used & (row[None, :] == where_a[:, None]) & (row[:, None] == where_b[None, :])
    fn = tl.maximum(n, 1).to(tl.float32)
    fm = tl.maximum(m, 1).to(tl.float32)
    total = tl.sum(tl.sum(tl.where(used, c, 0.0), axis=1), axis=0)
    most = tl.max(tl.max(tl.where(used, c, float("-inf")), axis=1), axis=0)
    tl.store(out + 26, tl.sum(tl.sum(tl.where(mutual, 1.0, 0.0), axis=1), axis=0) / fn)
    tl.store(out + 27, total / (fn * fm))
    tl.store(out + 28, tl.where(both, most, 0.0))
    tl.store(out + 30, n.to(tl.float32) / 42.0)
    tl.store(out + 31, m.to(tl.float32) / 42.0)
    inside = row < 42
    side = pair * 84 + row
    tl.store(bests + side, best_a, mask=inside)
    tl.store(bests + side + 42, best_b, mask=inside)
    tl.store(wheres + side, tl.where(used_a, where_a, -1).to(tl.int8), mask=inside)
    tl.store(wheres + side + 42, tl.where(used_b, where_b, -1).to(tl.int8), mask=inside)
    lengths = _residuals(
        a_base, b_base, used_a, used_b, scale_a, scale_b, w_a, w_b, v_a, v_b, residuals + pair * 768, row
    )
    # The dot product of the two sums is the sum of all cosines.
    tl.store(out + 29, total / tl.maximum(lengths, 1e-30))


_tuned = triton.autotune(configs=_CONFIGS, key=[])(_attend)


def pair_attend_triton(blocks: Tensor, pairs: Tensor) -> PairAttention:
    """The same as the reference on the device of ``blocks``; contiguous tensors. At most 2³¹ - 1 pairs a launch."""
    p = len(pairs)
    device = blocks.device
    found = PairAttention(
        torch.zeros((p, len(STATISTICS)), device=device),
        torch.zeros((p, 2, ROWS), device=device),
        torch.zeros((p, 2, ROWS), dtype=torch.int8, device=device),
        torch.zeros((p, 2, DIMENSIONS), device=device),
    )
    if p:
        (_tuned if blocks.is_cuda else _attend)[(p,)](blocks, pairs, *found)
    return found
