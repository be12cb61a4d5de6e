"""The frozen program, started as a person's machine would start it: no screen, no Python, no network.

Run by `make bundle`, after the build. Everything happens through the real child processes.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "dist" / "antinomy" / ("antinomy.exe" if os.name == "nt" else "antinomy")
SAMPLES = ROOT / "resources" / "samples"
# Freezing changes how children are started; the checkout's environment must not help them.
BARE = {name: os.environ[name] for name in ("HOME", "TMPDIR", "LANG") if name in os.environ} | {"PATH": "/usr/bin:/bin"}


def start(*arguments: str, home: Path, timeout_s: float = 240) -> subprocess.CompletedProcess[str]:
    """Run the bundle and wait for it."""
    environment = BARE | {"ANTINOMY_HOME": str(home)}
    command = [str(PROGRAM), *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=timeout_s, cwd=home, check=False
    )


@pytest.fixture(autouse=True)
def _built() -> None:
    assert PROGRAM.exists(), f"{PROGRAM} is not there: run `make bundle`, which builds it first"


def test_doctor_says_what_the_machine_has(tmp_path: Path) -> None:
    done = start("doctor", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "torch" in done.stdout


@pytest.mark.parametrize(
    "name", ["master_supply_agreement.docx", "master_supply_agreement.pdf", "equipment_purchase_contract_zh.docx"]
)
def test_a_sample_is_reviewed_through_the_children(tmp_path: Path, name: str) -> None:
    sample = SAMPLES / name
    out = tmp_path / "findings.json"
    done = start("review", str(sample), "--json", str(out), home=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["schema"] == "antinomy.findings/1"
    assert len(result["findings"]) >= 5
    assert all(passage["quads"] for finding in result["findings"] for passage in finding["passages"])


def test_the_window_without_a_screen_says_so_and_reviews_the_sample(tmp_path: Path) -> None:
    done = start("--sample", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "screen" in done.stderr
    assert "Section" in done.stdout or "Clause" in done.stdout
