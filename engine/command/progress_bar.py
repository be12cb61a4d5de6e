"""One line of progress on a terminal; nothing where there is none."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from engine.command.columns import clip, width

_BAR = 24
#: A guess at the time left is shown once it can be one.
_GUESS_AFTER_S = 2.0


class ProgressBar:
    """Draws ``task  stage  [####    ]  42 %  0:12 left`` over itself."""

    def __init__(self, stream: TextIO, task: str) -> None:
        self._stream = stream
        self._task = task
        self._shown = stream.isatty()
        self._started_s = time.monotonic()
        self._stage = ""
        self._drawn = 0

    def update(self, stage: str, done: int, total: int) -> None:
        """``done`` of ``total`` steps of a stage; total 0 when unknown."""
        if not self._shown:
            return
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._started_s = stage, now
        line = f"{self._task}: {stage}"
        if total > 0:
            part = min(1.0, max(0.0, done / total))
            filled = round(_BAR * part)
            line += f"  [{'#' * filled}{'.' * (_BAR - filled)}] {100 * part:3.0f} %"
            spent_s = now - self._started_s
            if 0 < part < 1 and spent_s > _GUESS_AFTER_S:
                left_s = round(spent_s * (1 - part) / part)
                line += f"  {left_s // 60}:{left_s % 60:02d} left"
        self._draw(clip(line, shutil.get_terminal_size().columns - 1))

    def clear(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._draw("")

    def _draw(self, line: str) -> None:
        shown = width(line)
        self._stream.write("\r" + line + " " * max(0, self._drawn - shown) + ("" if line else "\r"))
        self._stream.flush()
        self._drawn = shown
