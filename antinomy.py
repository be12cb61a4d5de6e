"""The one program, in its five roles: window, command line, reader process, engine process, bundle.

Thin on purpose: a child process must not pay for what it does not use, and a frozen program must call
``freeze_support`` before anything else.
"""

from __future__ import annotations

import multiprocessing
import os
import sys

COMMANDS = ("review", "doctor", "matter", "knowledge", "ask", "learn")


def _ensure_streams() -> None:
    """A windowed bundle has no standard streams; libraries that print would crash it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - lives as long as we do


def main() -> int:
    """Start the role that the first argument names; without one, the window."""
    multiprocessing.freeze_support()
    _ensure_streams()
    arguments = sys.argv[1:]
    first = arguments[0] if arguments else ""
    if first == "--reader":
        from engine.reader_process import run_reader

        return run_reader(arguments[1])
    if first == "--engine":
        from engine.engine_process import run_engine

        return run_engine(arguments[1])
    if first in COMMANDS or first in ("-h", "--help", "--version"):
        from engine.cli import run_command_line

        return run_command_line(arguments)
    from gui.app import run_window

    return run_window(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
