"""Without a screen the same review runs on the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gui.samples import sample_contracts

SAMPLE_OPTION = "--sample"


def has_screen(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown. Only Unix systems other than macOS need a display server named."""
    if platform in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def review_command(files: Sequence[str]) -> list[str]:
    """The command line that reviews files with the same program."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "antinomy"]
    return [*program, "review", *files]


def review_without_window(arguments: Sequence[str]) -> int:
    """Say that there is no screen, and review on the command line; its exit status."""
    named = [argument for argument in arguments if argument != SAMPLE_OPTION]
    # Named files are one matter; the samples have nothing to do with each other.
    reviews = [named] if named else []
    if SAMPLE_OPTION in arguments:
        reviews += [[str(path)] for path in sample_contracts()]
    sys.stderr.write("There is no screen here, so Antinomy reviews on the command line.\n")
    if not reviews:
        sys.stderr.write("Name one or more files, or use --sample; 'antinomy --help' says more.\n")
        return 2
    environment = dict(os.environ)
    if not getattr(sys, "frozen", False):
        root = str(Path(__file__).resolve().parents[1])
        before = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = f"{root}{os.pathsep}{before}" if before else root
    statuses = [subprocess.run(review_command(files), env=environment, check=False).returncode for files in reviews]
    return max(statuses, key=abs)
