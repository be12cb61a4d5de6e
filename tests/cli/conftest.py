"""The command line over made-up children, in this process, and over the real ones, as a program."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHILDREN = ROOT / "tests" / "processes" / "children"


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal, or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def data(self) -> bytes:
        return self.buffer.getvalue()

    @property
    def text(self) -> str:
        return self.data.decode()


@pytest.fixture
def made_up_command() -> Callable[[str, str], list[str]]:
    return lambda role, address: [sys.executable, str(CHILDREN / f"{role}.py"), address]


@pytest.fixture
def terminal() -> Callable[[bool], Terminal]:
    return Terminal


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the program itself, in a folder that is not ours."""

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "antinomy", *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1", **more},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    return run
