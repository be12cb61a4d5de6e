"""pack_states, maxsim and pair_attend: the CPU paths and Triton's interpreter against the references.

Tolerances, absolute, on cosines of at most 1:

=========== ============================================== =======
kernel      path                                           within
=========== ============================================== =======
pack_states CPU float32                                    equal bytes, scales 1 ulp of float16
maxsim      CPU bfloat16 products                          4e-3
maxsim      CPU float32 products                           1e-5
pair_attend CPU float32                                    1e-5
all         Triton, float16 products, float32 sums         2e-3 (triton_state_kernels.py)
=========== ============================================== =======
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.maxsim.op import maxsim
from kernels.maxsim.reference import maxsim_reference
from kernels.pack_states.layout import BLOCK_BYTES, SCALES_AT, STATES_AT
from kernels.pack_states.op import StatesNotFinite, pack_states
from kernels.pack_states.reference import pack_states_reference, round_to_e4m3
from kernels.pack_states.unpack import classes_of, counts_of, e4m3_halves, unpack_states
from kernels.pair_attend.op import CHUNK, pair_attend
from kernels.pair_attend.reference import STATISTICS, pair_attend_reference

WITHIN = {"bfloat16": 4e-3, "float32": 1e-5}


def made(n: int, tokens: int = 31, seed: int = 1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """States of all sizes, rows with all sorts of counts, headers that say how many."""
    chance = torch.Generator().manual_seed(seed)
    states = torch.randn(tokens, 384, generator=chance) * torch.logspace(-3, 2, tokens)[:, None]
    counts = (torch.arange(n) * 7) % 43
    rows = torch.randint(0, tokens, (n, 42), generator=chance)
    rows[torch.arange(42) >= counts[:, None]] = -1
    headers = torch.randint(0, 256, (n, 172), generator=chance, dtype=torch.uint8)
    headers[:, 8] = counts.to(torch.uint8)
    return states, rows, headers


def blocks_of(n: int, seed: int = 1) -> torch.Tensor:
    return pack_states_reference(*made(n, seed=seed))


def test_the_grid_is_that_of_torch() -> None:
    every = torch.arange(256, dtype=torch.uint8)
    values = every[(every & 0x7F) != 0x7F].view(torch.float8_e4m3fn).double()
    assert torch.equal(round_to_e4m3(values), values)
    x = torch.cat([torch.randn(20_000) * 10.0**e for e in (-3, -1, 1, 2)]).clamp(-448, 448)
    assert torch.equal(round_to_e4m3(x.double()).float(), x.to(torch.float8_e4m3fn).float())
    middle = (values.sort().values[1:] + values.sort().values[:-1]) / 2
    assert torch.equal(round_to_e4m3(middle).float(), middle.float().to(torch.float8_e4m3fn).float())


@pytest.mark.parametrize("n", [0, 1, 13, 43])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_packing_equals_its_reference(n: int, dtype: torch.dtype) -> None:
    states, rows, headers = made(n)
    states = states.to(dtype)
    states[0] = 0
    found, expected = pack_states(states, rows, headers), pack_states_reference(states, rows, headers)
    assert found.shape == (n, BLOCK_BYTES)
    assert torch.equal(found[:, :SCALES_AT], expected[:, :SCALES_AT])
    assert torch.equal(found[:, STATES_AT:], expected[:, STATES_AT:])
    scales = [b[:, SCALES_AT:STATES_AT].contiguous().view(torch.int16).int() for b in (found, expected)]
    assert n == 0 or int((scales[0] - scales[1]).abs().max()) <= 1
    assert torch.equal(found, pack_states(states, rows, headers))


def test_packing_takes_views_that_are_not_contiguous() -> None:
    states, rows, headers = made(5)
    wide = torch.randn(31, 768)
    wide[:, ::2] = states
    backwards = rows.flip(1).contiguous().flip(1)
    assert not wide[:, ::2].is_contiguous()
    assert torch.equal(pack_states(wide[:, ::2], backwards, headers), pack_states(states, rows, headers))


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_packing_refuses_what_is_not_a_number(bad: float) -> None:
    states, rows, headers = made(3)
    states[5, 17] = bad
    rows[1, 0] = 5
    with pytest.raises(StatesNotFinite):
        pack_states(states, rows, headers)
    rows[rows == 5] = 6
    assert pack_states(states, rows, headers).shape == (3, BLOCK_BYTES)


def test_packing_refuses_wrong_shapes() -> None:
    states, rows, headers = made(2)
    for arguments in (
        (states[:, :100], rows, headers),
        (states, rows[:, :5], headers),
        (states, rows.int(), headers),
        (states, rows, headers[:1]),
        (states[:3], rows + 40, headers),
    ):
        with pytest.raises(ValueError, match=r"states|rows|headers"):
            pack_states(*arguments)


def test_unpacked_states_are_the_directions() -> None:
    states, rows, headers = made(20)
    x, counts = unpack_states(pack_states(states, rows, headers))
    assert torch.equal(counts, (torch.arange(20) * 7) % 43)
    real = torch.nn.functional.normalize(states[rows.clamp(min=0)], dim=2)
    used = rows >= 0
    assert ((x * real).sum(2)[used] > 0.999).all()
    assert (x.norm(dim=2)[used] - 1).abs().max() < 1e-3
    assert not x[~used].any()


def test_classes_are_two_bits_a_row() -> None:
    blocks = torch.zeros((1, BLOCK_BYTES), dtype=torch.uint8)
    wanted = torch.tensor([(3 * i + i // 5) % 4 for i in range(42)], dtype=torch.uint8)
    for i, kind in enumerate(wanted.tolist()):
        blocks[0, 158 + i // 4] |= kind << (2 * (i % 4))
    assert torch.equal(classes_of(blocks)[0], wanted)


def test_every_code_becomes_its_half() -> None:
    codes = torch.arange(256, dtype=torch.uint8)
    codes[(codes & 0x7F) == 0x7F] = 0
    rows = codes.repeat(3).view(2, 384)
    buffers = torch.empty((2, 192), dtype=torch.int16), torch.empty((2, 192), dtype=torch.int16)
    even, odd = e4m3_halves(rows, *buffers)
    real = rows.view(torch.float8_e4m3fn).float()
    assert torch.equal(even.float() * 2.0**120, real[:, 0::2])
    assert torch.equal(odd.float() * 2.0**120, real[:, 1::2])


@pytest.mark.parametrize("precision", ["bfloat16", "float32"])
@pytest.mark.parametrize(
    ("q", "m", "n"), [(1, 1, 1), (1, 24, 97), (3, 17, 50), (2, 300, 7), (0, 4, 3), (2, 0, 3), (2, 3, 0)]
)
def test_maxsim_equals_its_reference(q: int, m: int, n: int, precision: str) -> None:
    torch.manual_seed(2)
    queries, weights, blocks = torch.randn(q, m, 384), torch.rand(q, m), blocks_of(n)
    weights[:, 2::3] = 0
    found = maxsim(queries, weights, blocks, precision=precision)
    assert found.shape == (q, n)
    if found.numel() and m:
        expected = maxsim_reference(queries, weights, blocks)
        assert (found - expected).abs().max() < WITHIN[precision]
        assert (found[:, counts_of(blocks) == 0] == 0).all()


def test_maxsim_of_a_text_with_itself_is_one_and_of_its_opposite_is_not() -> None:
    states, rows, headers = made(1, tokens=42)
    rows[0], headers[0, 8] = torch.arange(42), 42
    blocks = pack_states(states, rows, headers)
    weights = torch.ones(1, 42)
    assert maxsim(states[None], weights, blocks).item() > 0.99
    one, only = states[None, :1], torch.ones(1, 1)
    rows[0], headers[0, 8] = -1, 1
    rows[0, 0] = 0
    # Unused rows are zeros, and a cosine of 0 must not beat one of -1.
    assert maxsim(-one, only, pack_states(states, rows, headers)).item() < -0.99


def test_maxsim_reads_a_mapped_file_and_strided_blocks(tmp_path: Path) -> None:
    blocks = blocks_of(10)
    path = tmp_path / "blocks"
    path.write_bytes(blocks.numpy().tobytes())
    mapped = torch.from_numpy(np.memmap(path, np.uint8, "r+").reshape(10, BLOCK_BYTES))
    queries, weights = torch.randn(1, 5, 384), torch.ones(1, 5)
    expected = maxsim(queries, weights, blocks)
    assert torch.equal(maxsim(queries, weights, mapped), expected)
    assert torch.equal(maxsim(queries, weights, blocks[::3]), expected[:, ::3])
    odd = torch.zeros(10 * BLOCK_BYTES + 1, dtype=torch.uint8)
    odd[1:] = blocks.flatten()
    assert torch.equal(maxsim(queries, weights, odd[1:].view(10, BLOCK_BYTES)), expected)


def test_nan_in_a_query_stays_in_its_scores() -> None:
    queries, weights = torch.randn(2, 3, 384), torch.ones(2, 3)
    queries[1, 2, 0] = torch.nan
    found = maxsim(queries, weights, blocks_of(4)[1:])
    assert found[0].isfinite().all()
    assert found[1].isnan().all()


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 150), st.integers(1, 12), st.integers(0, 1000))
def test_pairs_equal_their_reference(p: int, n: int, seed: int) -> None:
    blocks = blocks_of(n, seed)
    pairs = torch.randint(0, n, (p, 2), generator=torch.Generator().manual_seed(seed))
    found, expected = pair_attend(blocks, pairs), pair_attend_reference(blocks, pairs)
    assert found.statistics.shape == (p, len(STATISTICS))
    if p:
        for name in ("best", "residual"):
            assert (getattr(found, name) - getattr(expected, name)).abs().max() < WITHIN["float32"], name
        jumps = ("drift", "without", "mutual")
        steady = [i for i, name in enumerate(STATISTICS) if not name.endswith(jumps)]
        assert (found.statistics - expected.statistics)[:, steady].abs().max() < WITHIN["float32"]
        same = (found.where == expected.where).float().mean()
        assert same > 0.99


def test_the_reference_is_what_its_docstring_says() -> None:
    """One pair, in plain loops."""
    blocks = blocks_of(6)
    states, counts = unpack_states(blocks)
    a, b = states[2, : counts[2]].double(), states[4, : counts[4]].double()
    c = a @ b.T
    best = c.max(1).values
    alpha = (c / 0.1).softmax(1)
    residual = ((1 - best)[:, None] * (a - alpha @ b)).mean(0)
    entropy = -(alpha * alpha.log()).sum(1).mean() / np.log(42)
    found = pair_attend_reference(blocks, torch.tensor([[2, 4]]))
    named = dict(zip(STATISTICS, found.statistics[0].tolist(), strict=True))
    assert torch.allclose(found.best[0, 0, : len(a)], best.float())
    assert torch.equal(found.where[0, 0, : len(a)].long(), c.argmax(1))
    assert torch.equal(found.where[0, 1, : len(b)].long(), c.argmax(0))
    assert torch.allclose(found.residual[0, 0], residual.float(), atol=1e-6)
    assert named["ab_best_mean"] == pytest.approx(best.mean().item(), abs=1e-6)
    assert named["ba_best_least"] == pytest.approx(c.max(0).values.min().item(), abs=1e-6)
    assert named["ab_entropy"] == pytest.approx(entropy.item(), abs=1e-5)
    assert named["ab_soft_mean"] == pytest.approx((alpha * c).sum(1).mean().item(), abs=1e-6)
    mutual = sum(int(c[:, int(row.argmax())].argmax()) == i for i, row in enumerate(c)) / len(a)
    assert named["mutual"] == pytest.approx(mutual)
    assert named["mean"] == pytest.approx(c.mean().item(), abs=1e-6)
    assert named["pooled"] == pytest.approx(torch.cosine_similarity(a.sum(0), b.sum(0), dim=0).item(), abs=1e-6)
    classes = classes_of(blocks)[2, : len(a)]
    assert named["ab_modal_share"] == pytest.approx((classes == 2).double().mean().item())
    assert named["ab_value_best"] == pytest.approx(best[classes == 1].mean().item(), abs=1e-6)


def test_a_pair_the_other_way_round_is_mirrored() -> None:
    blocks = blocks_of(6)
    forth, back = (pair_attend(blocks, torch.tensor([pair])) for pair in ([2, 5], [5, 2]))
    assert torch.allclose(forth.statistics[:, :13], back.statistics[:, 13:26], atol=1e-6)
    assert torch.allclose(forth.residual, back.residual.flip(1), atol=1e-6)


def test_pairs_with_an_empty_side_say_nothing() -> None:
    found = pair_attend(blocks_of(3), torch.tensor([[0, 1], [2, 0], [0, 0]]))
    assert not found.statistics.any()
    assert not found.residual.any()
    assert (found.where == -1).all()


def test_more_pairs_than_a_chunk_are_one_call() -> None:
    blocks = blocks_of(9)
    pairs = torch.tensor([[i % 9, (i * 5) % 9] for i in range(2 * CHUNK + 3)])
    whole = pair_attend(blocks, pairs)
    one = pair_attend(blocks, pairs[CHUNK : CHUNK + 1])
    assert torch.allclose(whole.statistics[CHUNK], one.statistics[0], atol=1e-6)
    with pytest.raises(ValueError, match="outside"):
        pair_attend(blocks, torch.tensor([[0, 9]]))
    with pytest.raises(ValueError, match="int64"):
        pair_attend(blocks, torch.zeros((1, 2)))
    with pytest.raises(ValueError, match="uint8"):
        pair_attend(blocks[:, :100], pairs)


def test_triton_agrees_with_the_references() -> None:
    """In Triton's interpreter, which must be chosen before the kernels are imported; on the GPU where there is one."""
    here = Path(__file__)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(here.parents[2])}
    if not torch.cuda.is_available():
        environment["TRITON_INTERPRET"] = "1"
    done = subprocess.run(
        [sys.executable, str(here.with_name("triton_state_kernels.py"))],
        env=environment,
        cwd=here.parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == "agree"
