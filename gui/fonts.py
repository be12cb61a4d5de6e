"""Chinese glyphs on a system without a Chinese font: taken once from the reader's library, by a child."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal, Slot

log = logging.getLogger(__name__)


def font_file(folder: Path) -> Path:
    """Where the exported font is kept."""
    return folder / "fonts" / "chinese.ttf"


class FontExport(QObject):
    """Runs the child that writes the font.

    Signals:
        font_written(path): the font is there.
    """

    font_written = Signal(str)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._process = QProcess(self)
        self._process.setStandardOutputFile(QProcess.nullDevice())
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.finished.connect(self.on_process_finished)

    def start(self) -> None:
        """Start the child."""
        if getattr(sys, "frozen", False):
            program, arguments = sys.executable, ["--export-font", str(self._path)]
        else:
            program, arguments = sys.executable, ["-m", "engine.export_font", str(self._path)]
            environment = QProcessEnvironment.systemEnvironment()
            environment.insert("PYTHONPATH", str(Path(__file__).resolve().parents[1]))
            self._process.setProcessEnvironment(environment)
        self._process.start(program, arguments)

    def close(self) -> None:
        """End the child if it is still at it."""
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished(1000)

    @Slot(int, QProcess.ExitStatus)
    def on_process_finished(self, code: int, _status: QProcess.ExitStatus) -> None:
        """The child has ended."""
        if code == 0 and self._path.is_file():
            self.font_written.emit(str(self._path))
        else:
            log.warning("the Chinese font could not be written (status %s)", code)
