"""The state kernels against their references, on the device there is: CUDA, or Triton's interpreter on the CPU.

Run as a program by tests/kernels/test_state_kernels.py, because ``TRITON_INTERPRET`` must be set before the kernels
are imported; prints ``agree`` when they do.

Tolerances (absolute, on cosines of at most 1): codes and headers equal; scales one unit in the last place of float16;
scores and statistics of float16 products 2e-3; where a best counterpart differs, its cosine is as good within 2e-3.
"""

from __future__ import annotations

import sys

import torch

from kernels.maxsim.reference import maxsim_reference
from kernels.maxsim.triton_kernel import maxsim_triton
from kernels.pack_states.layout import SCALES_AT, STATES_AT
from kernels.pack_states.reference import pack_states_reference
from kernels.pack_states.triton_kernel import pack_states_triton
from kernels.pair_attend.reference import pair_attend_reference
from kernels.pair_attend.triton_kernel import pair_attend_triton

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PRODUCTS = 2e-3


def made(n: int, tokens: int = 23, dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, ...]:
    """Random states, rows with all sorts of counts, headers that say how many."""
    states = (torch.randn(tokens, 384) * torch.logspace(-3, 2, tokens)[:, None]).to(dtype)
    counts = (torch.arange(n) * 7) % 43
    rows = torch.randint(0, tokens, (n, 42))
    rows[torch.arange(42) >= counts[:, None]] = -1
    headers = torch.randint(0, 256, (n, 172), dtype=torch.uint8)
    headers[:, 8] = counts.to(torch.uint8)
    return states, rows, headers


def scales(blocks: torch.Tensor) -> torch.Tensor:
    """The scales' bits as integers; neighbours differ by one."""
    return blocks[:, SCALES_AT:STATES_AT].contiguous().view(torch.int16).int()


def packing() -> torch.Tensor:
    """All types, odd shapes, zero rows, rows that are not numbers; gives back blocks for the others."""
    blocks = torch.empty(0)
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        for n in (0, 1, 5):
            states, rows, headers = made(n, dtype=dtype)
            states[0] = 0
            expected = pack_states_reference(states, rows, headers)
            blocks = pack_states_triton(states.to(DEVICE), rows.to(DEVICE), headers.to(DEVICE)).cpu()
            assert torch.equal(blocks[:, :SCALES_AT], expected[:, :SCALES_AT]), "headers"
            assert torch.equal(blocks[:, STATES_AT:], expected[:, STATES_AT:]), "codes"
            assert int((scales(blocks) - scales(expected)).abs().max() if n else 0) <= 1, "scales"
    states, rows, headers = made(2)
    rows[1, 0], rows[1, 1] = 3, 4
    states[3, 100], states[4, 383] = float("nan"), float("inf")
    broken = pack_states_triton(states.to(DEVICE), rows.to(DEVICE), headers.to(DEVICE)).cpu()
    kept = broken[:, SCALES_AT:STATES_AT].contiguous().view(torch.float16)
    assert bool(kept[1, :2].isnan().all()), "a row that is not a number must be refused"
    again = pack_states_triton(states.to(DEVICE), rows.to(DEVICE), headers.to(DEVICE)).cpu()
    assert torch.equal(again, broken), "the same bytes twice"
    return blocks


def scoring(blocks: torch.Tensor) -> None:
    """Queries of 1, a prime and more than a tile of rows, weights with holes."""
    for q, m in ((1, 1), (2, 17)):
        queries = torch.nn.functional.normalize(torch.randn(q, m, 384), dim=2)
        weights = torch.rand(q, m)
        weights[:, m // 2 + 1 :: 3] = 0
        expected = maxsim_reference(queries, weights, blocks)
        found = maxsim_triton(queries.to(DEVICE), weights.to(DEVICE), blocks.to(DEVICE)).cpu()
        assert (found - expected).abs().max() < PRODUCTS, (found, expected)
    assert maxsim_triton(queries[:0].to(DEVICE), weights[:0].to(DEVICE), blocks.to(DEVICE)).shape == (0, len(blocks))


def attending(blocks: torch.Tensor) -> None:
    """Pairs with an empty side, of a block with itself, and ordinary ones."""
    pairs = torch.tensor([[0, 1], [1, 1], [2, 4], [4, 3], [3, 0]])
    expected = pair_attend_reference(blocks, pairs)
    found = [part.cpu() for part in pair_attend_triton(blocks.to(DEVICE), pairs.to(DEVICE))]
    mutual = 26
    columns = [i for i in range(32) if i not in (5, 18, 2, 15, mutual)]
    assert (found[0] - expected.statistics)[:, columns].abs().max() < PRODUCTS
    # Shares of rows move by whole rows where two cosines are as good as equal.
    assert (found[0] - expected.statistics).abs().max() < 0.1
    assert (found[1] - expected.best).abs().max() < PRODUCTS
    assert (found[2] == expected.where).float().mean() > 0.98
    assert (found[3] - expected.residual).abs().max() < PRODUCTS
    assert pair_attend_triton(blocks.to(DEVICE), pairs[:0].to(DEVICE)).best.shape == (0, 2, 42)


def main() -> int:
    """All three."""
    torch.manual_seed(3)
    blocks = packing()
    scoring(blocks)
    attending(blocks)
    sys.stdout.write("agree\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
