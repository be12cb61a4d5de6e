"""The state kernels: on the CPU against the figures asked for, on a GPU against torch.compile and the memory limit.

    python tests/bench/bench_kernels.py [--blocks 10000] [--pairs 5000] [--threads 2]

Makes its own blocks (random states of 15 to 42 rows). CPU times are medians of wall time with the CPU time of the
process beside them, because a busy machine stretches only the first. On a machine without a GPU it says "not measured".
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable

import torch

from kernels.maxsim.op import maxsim
from kernels.maxsim.reference import maxsim_reference
from kernels.pack_states.layout import BLOCK_BYTES
from kernels.pack_states.op import pack_states
from kernels.pack_states.reference import pack_states_reference
from kernels.pair_attend.op import pair_attend
from kernels.pair_attend.reference import pair_attend_reference

QUERY_ROWS = 24


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def made(blocks: int, device: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """States, rows and headers for packing."""
    chance = torch.Generator().manual_seed(1)
    states = torch.randn(30_000, 384, generator=chance).bfloat16()
    counts = torch.randint(15, 43, (blocks,), generator=chance)
    rows = torch.randint(0, len(states), (blocks, 42), generator=chance)
    rows[torch.arange(42) >= counts[:, None]] = -1
    headers = torch.zeros((blocks, 172), dtype=torch.uint8)
    headers[:, 8] = counts.to(torch.uint8)
    return states.to(device), rows.to(device), headers.to(device)


def timed(act: Callable[[], object], times: int = 7) -> tuple[float, float]:
    """Median wall and CPU seconds."""
    act()
    wall, processor = [], []
    for _ in range(times):
        started, used = time.perf_counter(), time.process_time()
        act()
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    return statistics.median(wall), statistics.median(processor)


def on_processor(blocks: int, pairs: int) -> None:
    """The three kernels on the CPU."""
    states, rows, headers = made(blocks, "cpu")
    wall, used = timed(lambda: pack_states(states, rows, headers), 3)
    packed = pack_states(states, rows, headers)
    say(f"pack_states: {1e6 * wall / blocks:.0f} µs a block, {1e6 * used / blocks:.0f} µs of CPU")
    queries, weights = torch.randn(1, QUERY_ROWS, 384), torch.ones(1, QUERY_ROWS)
    for precision in ("bfloat16", "float32"):
        wall, used = timed(lambda p=precision: maxsim(queries, weights, packed, precision=p))
        say(
            f"maxsim {precision}: one question of {QUERY_ROWS} rows over {blocks:,} blocks {1e3 * wall:.0f} ms, "
            f"{1e3 * used:.0f} ms of CPU (asked 150 ms)"
        )
    chosen = torch.randint(0, blocks, (pairs, 2), generator=torch.Generator().manual_seed(2))
    wall, used = timed(lambda: pair_attend(packed, chosen), 3)
    say(
        f"pair_attend: {pairs / wall:,.0f} pairs/s, {pairs / used:,.0f} a second of CPU on each core "
        f"(asked 5,000 on 2 cores)"
    )


def device_seconds(act: Callable[[], object], times: int = 30) -> float:
    """Median seconds on the GPU."""
    act()
    took = []
    for _ in range(times):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        act()
        end.record()
        torch.cuda.synchronize()
        took.append(start.elapsed_time(end) / 1e3)
    return statistics.median(took)


def memory_bandwidth() -> float:
    """Bytes a second of a plain copy, read and written."""
    source = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    return 2 * source.numel() / device_seconds(lambda: target.copy_(source))


def _plain_pack(states: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Packing in plain torch, for torch.compile."""
    x = states[rows.clamp(min=0)].float() * (rows >= 0)[:, :, None]
    y = x * (448.0 / x.abs().amax(2, keepdim=True).clamp(min=1e-30))
    codes = y.clamp(-448, 448).to(torch.float8_e4m3fn)
    return codes, (1 / codes.float().norm(dim=2).clamp(min=1e-30)).half()


def _plain_maxsim(query: torch.Tensor, codes: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """Late interaction in plain torch, for torch.compile."""
    products = torch.einsum("md,nrd->nmr", query.half(), codes.half()) * scales[:, None, :]
    return products.amax(2).float().mean(1)


def on_gpu(blocks: int, pairs: int) -> None:
    """Each kernel against its reference on the device, torch.compile and the memory limit."""
    limit = memory_bandwidth()
    say(f"GPU: {torch.cuda.get_device_name()}, a copy moves {limit / 1e9:.0f} GB/s")
    states, rows, headers = made(blocks, "cuda")
    packed = pack_states(states, rows, headers)
    expected = pack_states_reference(states[:].cpu(), rows[:200].cpu(), headers[:200].cpu())
    say(f"pack_states: {int((packed[:200].cpu() != expected).sum())} of {expected.numel()} bytes differ")
    from kernels.pack_states.triton_kernel import pack_states_triton

    ours = device_seconds(lambda: pack_states_triton(states, rows, headers))
    moved = blocks * (BLOCK_BYTES + 172 + 336) + int((rows >= 0).sum()) * 768
    compiled = torch.compile(_plain_pack, mode="max-autotune-no-cudagraphs")
    theirs = device_seconds(lambda: compiled(states, rows))
    report("pack_states", ours, theirs, moved / limit)
    query, weights = torch.randn(1, QUERY_ROWS, 384, device="cuda"), torch.ones(1, QUERY_ROWS, device="cuda")
    found = maxsim(query, weights, packed[:200]).cpu()
    off = (found - maxsim_reference(query.cpu(), weights.cpu(), packed[:200].cpu())).abs().max()
    say(f"maxsim: largest difference {off:.1e}")
    ours = device_seconds(lambda: maxsim(query, weights, packed))
    codes = packed[:, 256:].contiguous().view(torch.float8_e4m3fn).view(-1, 42, 384)
    scales = packed[:, 172:256].contiguous().view(torch.float16)
    compiled = torch.compile(_plain_maxsim, mode="max-autotune-no-cudagraphs")
    unit = torch.nn.functional.normalize(query[0], dim=1)
    theirs = device_seconds(lambda: compiled(unit, codes, scales))
    report("maxsim", ours, theirs, blocks * BLOCK_BYTES / limit)
    chosen = torch.randint(0, blocks, (pairs, 2), device="cuda")
    few = pair_attend(packed, chosen[:100]).statistics.cpu()
    off = (few - pair_attend_reference(packed.cpu(), chosen[:100].cpu()).statistics).abs().max()
    seconds = device_seconds(lambda: pair_attend(packed, chosen))
    say(f"pair_attend: {pairs / seconds:,.0f} pairs/s, largest difference of a statistic {off:.1e}")


def report(name: str, ours: float, theirs: float, least: float) -> None:
    """One line of the GPU's table."""
    say(
        f"{name}: {1e6 * ours:.0f} µs, torch.compile {1e6 * theirs:.0f} µs ({theirs / ours:.1f} times, asked 1.5), "
        f"{least / ours:.0%} of the memory limit (asked 60 %)"
    )


def main() -> int:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    say(f"{given.threads} threads, load {os.getloadavg()[0]:.1f}")
    on_processor(given.blocks, given.pairs)
    if torch.cuda.is_available():
        on_gpu(given.blocks, given.pairs)
    else:
        say("GPU: not measured (there is none here)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
