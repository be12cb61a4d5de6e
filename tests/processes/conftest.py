"""Real child processes over made-up files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.processes.interface import Processes
from gui.processes.supervisor import Supervisor

CHILDREN = Path(__file__).parent / "children"
ENDS = ("document_read", "page_rendered", "handed_over", "review_finished", "diagnosed", "job_failed", "job_cancelled")
OTHERS = ("document_opened", "job_progressed", "engine_status_changed")
OTHERS += ("child_died", "child_restarted", "child_given_up")


def made_up_command(role: str, address: str) -> list[str]:
    return [sys.executable, str(CHILDREN / f"{role}.py"), address]


class Ear:
    """Hears every signal of the processes, in order."""

    def __init__(self, processes: Processes, qtbot: QtBot) -> None:
        self.heard: list[tuple[str, tuple[Any, ...]]] = []
        self._qtbot = qtbot
        for name in ENDS + OTHERS:
            getattr(processes, name).connect(self._listener(name))

    def _listener(self, name: str) -> Callable[..., None]:
        def hear(*arguments: Any) -> None:
            self.heard.append((name, arguments))

        return hear

    def all(self, name: str) -> list[tuple[Any, ...]]:
        return [arguments for heard, arguments in self.heard if heard == name]

    def ends(self, job: int) -> list[str]:
        return [name for name, arguments in self.heard if name in ENDS and arguments[0] == job]

    def wait(self, name: str, count: int = 1) -> tuple[Any, ...]:
        self._qtbot.waitUntil(lambda: len(self.all(name)) >= count, timeout=60_000)
        return self.all(name)[count - 1]

    def wait_for_end(self, job: int) -> tuple[str, tuple[Any, ...]]:
        self._qtbot.waitUntil(lambda: bool(self.ends(job)), timeout=60_000)
        return next((name, a) for name, a in self.heard if name in ENDS and a[0] == job)


@pytest.fixture
def made_up(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file that the made-up reader reads."""

    def write(ways: str = "", text: str = "Payment is due in 30 days.\n", name: str = "deal.txt") -> Path:
        path = tmp_path / name
        path.write_text(f"{ways}\n{text}")
        return path

    return write


@pytest.fixture
def supervisor(qtbot: QtBot) -> Iterator[Supervisor]:
    started = Supervisor(command=made_up_command)
    started.start()
    yield started
    started.close()


@pytest.fixture
def make_ear(qtbot: QtBot) -> Callable[[Processes], Ear]:
    return lambda processes: Ear(processes, qtbot)


@pytest.fixture
def ear(supervisor: Supervisor, make_ear: Callable[[Processes], Ear]) -> Ear:
    return make_ear(supervisor)
