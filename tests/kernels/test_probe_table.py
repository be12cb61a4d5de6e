"""The lookup against a dictionary; in Triton's interpreter, in a process of its own, where there is no GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.table import build
from engine.anchors.table_format import value_key, with_document
from kernels.probe_table.op import probe_table
from kernels.probe_table.reference import probe_table_reference

_SCRIPT = """
import torch
from kernels.probe_table.reference import probe_table_reference
from kernels.probe_table.triton_kernel import probe_table_triton
torch.manual_seed(5)
for bits in (0, 1, 3, 6):
    size = 16 << bits
    keys = torch.zeros(size, dtype=torch.int64)
    stored = []
    for key in torch.randint(-2**63, 2**63 - 1, (4 << bits,)).tolist():
        segment, mask = (key >> 60) & 15, (1 << bits) - 1
        at = key & mask
        if int((keys[segment << bits : (segment + 1) << bits] != 0).sum()) >= max(1, mask // 2 + 1) - (bits == 0):
            continue
        while int(keys[(segment << bits) | at]) != 0:
            at = (at + 1) & mask
        keys[(segment << bits) | at] = key
        stored.append(key)
    for n in (0, 1, 7, 300):
        some = torch.tensor((stored * 40)[: n // 2], dtype=torch.int64)
        queries = torch.cat([some, torch.randint(-2**63, 2**63 - 1, (n - len(some),))])
        expected = probe_table_reference(keys, queries, bits)
        assert torch.equal(probe_table_triton(keys, queries, bits), expected), (bits, n)
        assert int((expected >= 0).sum()) >= len(some)
print("agree")
"""


def _table(tmp_path: Path):
    anchors = [Anchor(AnchorKind.PERIOD, f"P{i}D", i, i + 3) for i in range(1, 400)]
    return build(tmp_path / "matter.saht", {"sha256:a": anchors, "sha256:b": anchors[::3]})


def _tensor(keys) -> torch.Tensor:
    return torch.from_numpy(keys.view("int64").copy())


def test_the_op_finds_what_the_table_finds(tmp_path: Path) -> None:
    import numpy as np

    table = _table(tmp_path)
    owner = np.array([value_key("period", f"P{i}D") for i in range(600)], np.uint64)
    queries = with_document(owner, np.arange(600, dtype=np.uint64) % np.uint64(2))
    expected = torch.from_numpy(table.probe(queries))
    assert torch.equal(probe_table(_tensor(table.keys), _tensor(queries), table.bits), expected)
    assert 200 < int((expected >= 0).sum()) < 600


def test_shapes_that_are_odd(tmp_path: Path) -> None:
    keys = _tensor(_table(tmp_path).keys)
    bits = (keys.numel() // 16).bit_length() - 1
    assert probe_table(keys, torch.empty(0, dtype=torch.int64), bits).tolist() == []
    assert probe_table(keys, torch.zeros(3, dtype=torch.int64), bits).tolist() == [-1, -1, -1]
    spread = torch.arange(1, 15, dtype=torch.int64)[::2]
    assert not spread.is_contiguous()
    assert probe_table(keys, spread, bits).shape == (7,)


def test_what_does_not_fit_is_refused() -> None:
    keys = torch.zeros(16, dtype=torch.int64)
    with pytest.raises(ValueError, match="int64"):
        probe_table(keys, torch.zeros(1), 0)
    with pytest.raises(ValueError, match="segments"):
        probe_table(keys, torch.zeros(1, dtype=torch.int64), 1)


def test_an_empty_table_has_nothing() -> None:
    keys = torch.zeros(16, dtype=torch.int64)
    assert probe_table_reference(keys, torch.tensor([1, -1, 2**62]), 0).tolist() == [-1, -1, -1]


def test_triton_agrees_with_the_reference() -> None:
    """In Triton's interpreter, which must be chosen before the kernel is imported."""
    environment = {**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == "agree"
