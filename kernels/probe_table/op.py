"""Chooses how to look keys up: Triton on a CUDA device, torch elsewhere."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.probe_table.reference import SEGMENT_BITS, probe_table_reference


def probe_table(keys: Tensor, queries: Tensor, bits: int) -> Tensor:
    """The slots (int64 ``[n]``) of ``queries`` (int64 ``[n]``) in ``keys`` (int64 ``[16 << bits]``); -1 for none.

    Raises:
        ValueError: wrong type, length or device.
    """
    if keys.dtype is not torch.int64 or queries.dtype is not torch.int64:
        raise ValueError(f"keys and queries are int64, not {keys.dtype} and {queries.dtype}")
    if keys.numel() != 1 << (bits + SEGMENT_BITS):
        raise ValueError(f"{keys.numel()} slots do not make 16 segments of 2**{bits}")
    if keys.device != queries.device:
        raise ValueError(f"keys lie on {keys.device}, queries on {queries.device}")
    queries = queries.contiguous()
    if keys.is_cuda:
        from kernels.probe_table.triton_kernel import probe_table_triton

        return probe_table_triton(keys.contiguous(), queries, bits)
    return probe_table_reference(keys, queries, bits)
