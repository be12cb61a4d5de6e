"""Starts the window. The one place where everything is made and connected."""

from __future__ import annotations

import dataclasses
import logging
import logging.handlers
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from gui.no_screen import NO_LIBRARIES, SAMPLE_OPTION, has_screen, missing_packages, review_without_window

log = logging.getLogger(__name__)


def run_window(arguments: Sequence[str]) -> int:
    """Show the window until it is closed; without a screen, review on the command line.

    Args:
        arguments: files to open, or ``--sample``.

    Returns:
        The program's exit status.
    """
    if not has_screen(os.environ):
        return review_without_window(arguments)
    if missing := missing_packages(os.environ):
        return review_without_window(arguments, NO_LIBRARIES.format(packages=" ".join(missing)))
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    from engine.protocol.places import data_dir, log_dir
    from gui.frozen_heap import FrozenHeap
    from gui.workbench import Workbench
    from resources import resource_path

    _log_to(log_dir() / "window.log")
    application = QApplication([sys.argv[0]])
    application.setApplicationName("Antinomy")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resource_path("icons", "antinomy.svg"))))
    workbench = Workbench.with_children(data_dir())
    FrozenHeap(workbench.desk, workbench)
    _report_bugs_to(workbench)
    # The children's heartbeat runs Python code each second, so Ctrl+C is noticed.
    signal.signal(signal.SIGINT, lambda *_: application.quit())
    workbench.open_when_painted(
        [Path(argument) for argument in arguments if argument != SAMPLE_OPTION], sample=SAMPLE_OPTION in arguments
    )
    workbench.window.show()
    status = application.exec()
    workbench.close()
    return int(status)


def _log_to(path: Path) -> None:
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)


@dataclasses.dataclass(frozen=True, slots=True)
class _BugReport:
    """Our own mistakes: the whole trace into the log, a calm sentence into the window."""

    workbench: object

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.critical("a mistake of ours", exc_info=(kind, error, trace))
        say = getattr(self.workbench, "say_mistake", None)
        if callable(say):
            say()


def _report_bugs_to(workbench: object) -> None:
    sys.excepthook = _BugReport(workbench)
