"""Texts of like length read together: padding costs as much as words do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices grouped by length, longest first, at most ``budget`` tokens (padding counted) a group."""
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    group: list[int] = []
    longest = 0
    for i in order:
        if group and longest * (len(group) + 1) > budget:
            yield group
            group = []
        if not group:
            longest = max(1, lengths[i])
        group.append(i)
    if group:
        yield group


def padded(rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids int64 and mask bool ``[n, longest]``."""
    import torch

    width = max((len(row) for row in rows), default=1)
    ids = torch.zeros((len(rows), width), dtype=torch.int64)
    mask = torch.zeros((len(rows), width), dtype=torch.bool)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row, dtype=torch.int64)
        mask[i, : len(row)] = True
    return ids, mask
