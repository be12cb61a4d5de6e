"""Noise fails the test that makes it: warnings (pyproject.toml), leftover threads and child processes.

Leftover Qt objects are the business of tests/gui/conftest.py.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import psutil
import pytest

# Qt aborts where there is no screen unless this is set before it is imported.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No test may write into the home of the person who runs it.
os.environ.pop("ANTINOMY_HOME", None)

#: Threads and processes that libraries keep for themselves, by the beginning of their names.
KEPT_THREADS = ("pytest_timeout", "ThreadPoolExecutor-torch", "Dummy-", "asyncio_", "tqdm")
KEPT_PROCESSES = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


def _children() -> set[int]:
    found = set()
    for child in psutil.Process().children(recursive=True):
        try:
            line = " ".join(child.cmdline())
        except psutil.Error:
            continue
        if line and not any(name in line for name in KEPT_PROCESSES) and child.status() != psutil.STATUS_ZOMBIE:
            found.add(child.pid)
    return found


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, matters and logs of a test go to a folder of its own."""
    monkeypatch.setenv("ANTINOMY_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread or a child process behind."""
    threads = set(threading.enumerate())
    processes = _children()
    yield
    left = [t for t in set(threading.enumerate()) - threads if not t.name.startswith(KEPT_THREADS)]
    for thread in left:
        thread.join(timeout=5)
    still = [thread.name for thread in left if thread.is_alive()]
    assert not still, f"threads left running: {still}"
    extra = [psutil.Process(pid) for pid in _children() - processes if psutil.pid_exists(pid)]
    _, alive = psutil.wait_procs(extra, timeout=5)
    assert not alive, f"child processes left running: {[p.cmdline() for p in alive]}"
