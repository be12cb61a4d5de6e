"""The one program, in its five roles: window, command line, reader process, engine process, font export.

Thin on purpose: a child process must not pay for what it does not use, and a frozen program must call
``freeze_support`` before anything else.
"""

from __future__ import annotations

import multiprocessing
import os
import sys

SAMPLE_OPTION = "--sample"
#: The exit status for input or options that cannot be used.
UNUSABLE = 2
ROLES = ("--reader", "--engine", "--export-font")
COMMANDS = ("review", "doctor", "matter", "knowledge", "ask", "compare", "learn")


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
    if first in ROLES:
        if len(arguments) != 2:
            sys.stderr.write(f"antinomy: {first} is the window's own option and needs one argument.\n")
            return UNUSABLE
        return _run_role(first, arguments[1])
    if first in COMMANDS or first in ("-h", "--help", "--version"):
        from engine.cli import run_command_line

        return run_command_line(arguments)
    unknown = [each for each in arguments if each.startswith("-") and each != SAMPLE_OPTION]
    if unknown:
        sys.stderr.write(f"antinomy: unknown option {unknown[0]}; 'antinomy --help' says what there is.\n")
        return UNUSABLE
    from gui.app import run_window

    return run_window(arguments)


def _run_role(role: str, argument: str) -> int:
    """Be a child of a window: ``argument`` is the address of its connection, or the font's path."""
    if role == "--reader":
        from engine.reader_process import run_reader

        return run_reader(argument)
    if role == "--engine":
        from engine.engine_process import run_engine

        return run_engine(argument)
    return _export_font(argument)


def _export_font(path: str) -> int:
    """Write the font with Chinese glyphs; a frozen window asks a second copy of itself for it."""
    from pathlib import Path

    from engine.export_font import export_font

    try:
        export_font(Path(path))
    except OSError as error:
        sys.stderr.write(f"antinomy: the font cannot be written: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
