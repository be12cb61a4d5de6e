"""Without a screen, or what Qt needs to draw on it, the same review runs on the command line."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gui.samples import sample_contracts

SAMPLE_OPTION = "--sample"

#: What Qt's X11 platform loads from the system, by Debian's packages; without one of them Qt ends the process.
_X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
NO_SCREEN = "There is no screen here, so Antinomy reviews on the command line."
NO_LIBRARIES = (
    "The window needs system libraries that are not installed, so Antinomy reviews on the command line; "
    "for the window run: sudo apt-get install -y {packages}"
)


def has_screen(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown. Only Unix systems other than macOS need a display server named."""
    if platform in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def missing_packages(environment: Mapping[str, str], platform: str = sys.platform) -> list[str]:
    """Debian's packages that Qt's X11 platform wants and this system lacks; none where another platform draws."""
    if platform != "linux" or not environment.get("DISPLAY"):
        return []
    if environment.get("QT_QPA_PLATFORM", "xcb") != "xcb" or environment.get("WAYLAND_DISPLAY"):
        return []
    return [package for library, package in _X11.items() if not _loads(library)]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def review_command(files: Sequence[str]) -> list[str]:
    """The command line that reviews files with the same program."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "antinomy"]
    return [*program, "review", *files]


def review_without_window(arguments: Sequence[str], why: str = NO_SCREEN) -> int:
    """Say why there is no window, and review on the command line; its exit status."""
    named = [argument for argument in arguments if argument != SAMPLE_OPTION]
    # Named files are one matter; the samples have nothing to do with each other.
    reviews = [named] if named else []
    if SAMPLE_OPTION in arguments:
        reviews += [[str(path)] for path in sample_contracts()]
    sys.stderr.write(why + "\n")
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
