"""maxsim on the processor: the path in use beside the one it replaced, by sizes of chunk, with wall and CPU time.

    python tests/bench/bench_maxsim.py [--blocks 10000] [--threads 1 2] [--chunks 512 1024 2048]

The two run in turns, so that a busy machine is as unkind to the one as to the other. Blocks are random states of 15 to
42 rows; ``full`` are blocks of 42 rows each, the most that one question over so many blocks can cost.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable

import torch
from bench_kernels import QUERY_ROWS, made
from torch import Tensor

from kernels.maxsim import op
from kernels.pack_states.layout import DIMENSIONS, ROWS, STATES_AT
from kernels.pack_states.op import pack_states
from kernels.pack_states.unpack import HALVES_EXPONENT, counts_of, scales_of

LIFT = 100
KEEP = 0x87F0 - 0x10000
CHUNK_BEFORE = 48
ROUNDS = 9


def before(query: Tensor, weights: Tensor, blocks: Tensor) -> Tensor:
    """What maxsim did before, in bfloat16: all 42 rows of 48 blocks at a time, two products of 192 dimensions."""
    lifted = (torch.nn.functional.normalize(query[0], dim=1) * 2.0**LIFT).bfloat16()
    even, odd = lifted[:, 0::2].contiguous(), lifted[:, 1::2].contiguous()
    out = torch.empty((len(lifted), len(blocks)))
    words = blocks.view(torch.int16)[:, STATES_AT // 2 :]
    scales = scales_of(blocks) * 2.0 ** (HALVES_EXPONENT - LIFT)
    floor = torch.where(torch.arange(ROWS) < counts_of(blocks)[:, None], 0.0, -torch.inf)
    low = torch.empty((CHUNK_BEFORE, ROWS * DIMENSIONS // 2), dtype=torch.int16)
    high = torch.empty_like(low)
    for start in range(0, len(blocks), CHUNK_BEFORE):
        part = slice(start, start + CHUNK_BEFORE)
        some = words[part]
        a, b = low[: len(some)], high[: len(some)]
        torch.bitwise_right_shift(some, 4, out=b)
        b.bitwise_and_(KEEP)
        torch.bitwise_left_shift(some, 8, out=a)
        a.bitwise_right_shift_(4).bitwise_and_(KEEP)
        first = a.view(torch.bfloat16).view(-1, DIMENSIONS // 2)
        second = b.view(torch.bfloat16).view(-1, DIMENSIONS // 2)
        product = torch.addmm(even @ first.t(), odd, second.t()).float().view(len(lifted), -1, ROWS)
        torch.amax(torch.addcmul(floor[part], product, scales[part]), 2, out=out[:, part])
    shares = weights[0] / weights[0].sum()
    return shares @ out


def in_turns(acts: dict[str, Callable[[], Tensor]]) -> dict[str, tuple[float, float]]:
    """Median wall and least CPU seconds of each, taken in turns; the least is what other processes spoil least."""
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in acts}
    for turn in range(ROUNDS + 1):
        for name, act in acts.items():
            started, used = time.perf_counter(), time.process_time()
            act()
            spent = (time.perf_counter() - started, time.process_time() - used)
            if turn:
                took[name].append(spent)
    return {name: (statistics.median(w for w, _ in t), min(c for _, c in t)) for name, t in took.items()}


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=10_000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--chunks", type=int, nargs="+", default=[op.CHUNK_ROWS])
    given = parser.parse_args()
    states, rows, headers = made(given.blocks, "cpu")
    mixed = pack_states(states, rows, headers)
    full_rows = torch.randint(0, len(states), (given.blocks, ROWS), generator=torch.Generator().manual_seed(3))
    headers[:, 8] = ROWS
    sets = {"15 to 42 rows": mixed, "full": pack_states(states, full_rows, headers)}
    query, weights = torch.randn(1, QUERY_ROWS, DIMENSIONS), torch.ones(1, QUERY_ROWS)
    for threads in given.threads:
        torch.set_num_threads(threads)
        for name, blocks in sets.items():
            acts: dict[str, Callable[[], Tensor]] = {"before": lambda b=blocks: before(query, weights, b)}
            for chunk in given.chunks:
                acts[f"now, {chunk} rows"] = lambda b=blocks, c=chunk: _now(query, weights, b, c)
            for kind, (wall, used) in in_turns(acts).items():
                sys.stdout.write(
                    f"{threads} threads, load {os.getloadavg()[0]:.1f}, {len(blocks):,} blocks, {name}, {kind}: "
                    f"{1e3 * wall:.0f} ms, {1e3 * used:.0f} ms of CPU at least\n"
                )
                sys.stdout.flush()
            off = (acts["before"]() - op.maxsim(query, weights, blocks, precision="bfloat16")).abs().max()
            sys.stdout.write(f"largest difference between the two: {off:.1e}\n")
    return 0


def _now(query: Tensor, weights: Tensor, blocks: Tensor, chunk: int) -> Tensor:
    op.CHUNK_ROWS = chunk
    return op.maxsim(query, weights, blocks, precision="bfloat16")


if __name__ == "__main__":
    raise SystemExit(main())
