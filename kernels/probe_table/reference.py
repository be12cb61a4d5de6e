"""The specification of the lookup, in torch.

Formula: a key q stands in segment s = q >> 60 (unsigned), at slot (s << bits) | ((q + i) mod 2^bits) for the smallest
i = 0, 1, … whose slot holds q; the search ends without it at the first empty slot (0). A table of load at most one half
always has one.
"""

from __future__ import annotations

import torch
from torch import Tensor

SEGMENT_BITS = 4


def probe_table_reference(keys: Tensor, queries: Tensor, bits: int) -> Tensor:
    """The slots of ``queries`` in ``keys``; -1 where there is none.

    Args:
        keys: int64 ``[16 << bits]``, the unsigned keys' bits; 0 is an empty slot.
        queries: int64 ``[n]``; 0 is no key and is never found.
        bits: each segment has ``2 ** bits`` slots.

    Returns:
        int64 ``[n]``.
    """
    mask = (1 << bits) - 1
    rest = ((1 << SEGMENT_BITS) - 1) << bits
    # The shift is arithmetic; the sign's copies fall outside ``rest``.
    slot = ((queries >> (64 - SEGMENT_BITS - bits)) & rest) | (queries & mask)
    result = torch.full_like(queries, -1)
    active = queries != 0
    while bool(active.any()):
        found = keys[slot]
        hit = active & (found == queries)
        result = torch.where(hit, slot, result)
        active = active & ~hit & (found != 0)
        slot = (slot & ~mask) | ((slot + 1) & mask)
    return result
