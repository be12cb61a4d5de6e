"""Memory for page images: shared, freed, never left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.protocol.shared_image import attached, create_image

#: Attaches in another process, writes, and ends in the given way.
WRITER = """
import os, sys
from engine.protocol.shared_image import attached
with attached(sys.argv[1], int(sys.argv[2])) as view:
    view[:5] = b"hello"
    if sys.argv[3] == "killed":
        os.kill(os.getpid(), 9)
"""


def blocks() -> set[Path]:
    return set(Path("/dev/shm").iterdir())


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("end", ["fine", "killed"])
def test_another_process_writes_into_it(named, end):
    before = blocks()
    image = create_image(1000, named=named)
    try:
        command = [sys.executable, "-W", "error", "-c", WRITER, image.name, "1000", end]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == (0 if end == "fine" else -9)
        assert done.stderr == b""
        assert bytes(image.view[:5]) == b"hello"
        assert image.capacity == len(image.view) == 1000
    finally:
        image.close()
        image.close()
    assert blocks() <= before


@pytest.mark.parametrize("named", [False, True])
def test_memory_that_is_gone_or_too_small_is_an_error(named):
    image = create_image(4096, named=named)
    name = image.name
    with pytest.raises((OSError, ValueError)), attached(name, 1 << 20):
        pass
    image.close()
    with pytest.raises((OSError, ValueError)), attached(name, 4096):
        pass


@pytest.mark.parametrize("named", [False, True])
def test_impossible_sizes_are_refused(named):
    with pytest.raises((OSError, ValueError)):
        create_image(0, named=named)
