"""The lookup in Triton: one program probes a block of queries; see :mod:`kernels.probe_table.reference`."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

_BLOCK = 256


@triton.jit  # type: ignore[untyped-decorator]  # triton ships no types
def _probe(keys: Any, queries: Any, result: Any, n: Any, bits: Any, block: tl.constexpr) -> None:
    """int64 keys [16 << bits], queries [n] → int64 result [n]; integer arithmetic only."""
    at = tl.program_id(0) * block + tl.arange(0, block)
    inside = at < n
    query = tl.load(queries + at, mask=inside, other=0)
    one = tl.full((block,), 1, tl.int64)
    mask = (one << bits) - 1
    rest = (one * 15) << bits
    slot = ((query >> (60 - bits)) & rest) | (query & mask)
    found_at = tl.full((block,), -1, tl.int64)
    active = inside & (query != 0)
    while tl.sum(active.to(tl.int32), axis=0) > 0:
        found = tl.load(keys + slot, mask=active, other=0)
        hit = active & (found == query)
        found_at = tl.where(hit, slot, found_at)
        active = active & (found != query) & (found != 0)
        slot = (slot & ~mask) | ((slot + 1) & mask)
    tl.store(result + at, found_at, mask=inside)


def probe_table_triton(keys: Tensor, queries: Tensor, bits: int) -> Tensor:
    """The same as the reference, on the device of ``keys``; both tensors contiguous int64 on it."""
    result = torch.empty_like(queries)
    n = queries.numel()
    if n:
        _probe[(triton.cdiv(n, _BLOCK),)](keys, queries, result, n, bits, block=_BLOCK)
    return result
