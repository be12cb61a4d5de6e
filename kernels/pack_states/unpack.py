"""Snapshots back into states, and the parts of a block as tensors. For tests, tables and small numbers of blocks.

:func:`e4m3_halves` is how the kernels' CPU paths read E4M3 in bulk: torch's own cast takes 15 ns a value there.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.pack_states.layout import (
    BLOCK_BYTES,
    CLASS_BYTES,
    CLASSES_AT,
    COUNT_AT,
    DIMENSIONS,
    ROWS,
    SCALES_AT,
    STATES_AT,
)

#: The bits of an E4M3 code, moved into a bfloat16, read as its value times 2**-120.
HALVES_EXPONENT = 120
_KEEP = 0x87F0 - 0x10000


def check_blocks(blocks: Tensor) -> None:
    """Refuse what cannot be blocks.

    Raises:
        ValueError: not uint8 ``[n, 16384]``.
    """
    if blocks.ndim != 2 or blocks.shape[1] != BLOCK_BYTES or blocks.dtype is not torch.uint8:
        raise ValueError(f"blocks are uint8 [n, {BLOCK_BYTES}], not {blocks.dtype} {tuple(blocks.shape)}")


def counts_of(blocks: Tensor) -> Tensor:
    """Rows used, int64 ``[n]``."""
    return blocks[:, COUNT_AT].long().clamp(max=ROWS)


def scales_of(blocks: Tensor) -> Tensor:
    """Row scales, float32 ``[n, 42]``."""
    return blocks[:, SCALES_AT:STATES_AT].contiguous().view(torch.float16).float()


def classes_of(blocks: Tensor) -> Tensor:
    """Token classes, uint8 ``[n, 42]``; 0 in unused rows."""
    packed = blocks[:, CLASSES_AT : CLASSES_AT + CLASS_BYTES]
    shifts = torch.tensor([0, 2, 4, 6], dtype=torch.uint8, device=blocks.device)
    return ((packed[:, :, None] >> shifts) & 3).flatten(1)[:, :ROWS]


def unpack_states(blocks: Tensor) -> tuple[Tensor, Tensor]:
    """The states, float32 ``[n, 42, 384]`` (zero where unused), and the rows used, int64 ``[n]``."""
    check_blocks(blocks)
    codes = blocks[:, STATES_AT:].contiguous().view(torch.float8_e4m3fn).float().view(-1, ROWS, DIMENSIONS)
    return codes * scales_of(blocks)[:, :, None], counts_of(blocks)


def e4m3_halves(codes: Tensor, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
    """The even and the odd values of rows of E4M3 codes, bfloat16 ``[rows, 192]`` each, all times ``2**-120``.

    An E4M3 code's exponent and mantissa are a bfloat16's low exponent bits and high mantissa bits: four integer
    operations on 16-bit words do what torch's cast does value by value. Codes never hold NaN.

    Args:
        codes: uint8 ``[rows, 384]``, contiguous.
        low, high: int16 ``[at least rows, 192]``, overwritten; the result lies in them.
    """
    words = codes.view(torch.int16)
    low, high = low[: len(words)], high[: len(words)]
    torch.bitwise_right_shift(words, 4, out=high)
    high.bitwise_and_(_KEEP)
    torch.bitwise_left_shift(words, 8, out=low)
    low.bitwise_right_shift_(4).bitwise_and_(_KEEP)
    return low.view(torch.bfloat16), high.view(torch.bfloat16)
