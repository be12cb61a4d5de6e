"""Where Antinomy keeps its files on this machine. ``ANTINOMY_HOME`` moves all of them into one folder."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import platformdirs

HOME_VARIABLE = "ANTINOMY_HOME"
_NAME = "antinomy"
#: A Unix socket's path may have 104 bytes on macOS and 108 on Linux, its own name and the end included.
_LONGEST_SOCKET_FOLDER = 80


def _home() -> Path | None:
    value = os.environ.get(HOME_VARIABLE, "")
    return Path(value).expanduser().absolute() if value else None


def _made(path: Path) -> Path:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def data_dir() -> Path:
    """The folder of matters, settings and what was learned; created when it is missing."""
    home = _home()
    return _made(home / "data" if home else Path(platformdirs.user_data_dir(_NAME, appauthor=False)))


def cache_dir() -> Path:
    """The folder of what can be computed again; created when it is missing."""
    home = _home()
    return _made(home / "cache" if home else Path(platformdirs.user_cache_dir(_NAME, appauthor=False)))


def log_dir() -> Path:
    """The folder of log files; created when it is missing."""
    home = _home()
    return _made(home / "log" if home else Path(platformdirs.user_log_dir(_NAME, appauthor=False)))


def new_socket_dir() -> Path:
    """A new private folder, short enough in its path for a Unix socket; who asks removes it."""
    candidates = [os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"]
    for base in candidates:
        usable = base and Path(base).is_dir() and os.access(base, os.W_OK)
        if usable and (sys.platform == "win32" or len(os.fsencode(base)) <= _LONGEST_SOCKET_FOLDER):
            return Path(tempfile.mkdtemp(prefix="antinomy-", dir=base))
    return Path(tempfile.mkdtemp(prefix="antinomy-"))
