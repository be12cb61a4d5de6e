"""The engine's state in the top bar: ``engine ● ready · CPU bf16``."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from engine.protocol.messages import EngineStatus
from gui.look import theme_of
from gui.state.wording import engine_notice_words
from gui.theme import OkabeIto, Theme, grid

_SHORT_PRECISION = {"bfloat16": "bf16", "float32": "fp32", "float16": "fp16"}


class _Lamp(QWidget):
    """Full when ready, a ring while loading, crossed out when failed: told apart without colour."""

    def __init__(self) -> None:
        super().__init__()
        self.state = "loading"
        self.setFixedSize(QSize(grid(3), grid(3)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The lamp alone."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dark = theme_of(self.palette()) is Theme.DARK
        ready = QColor("#35C79B" if dark else OkabeIto.GREEN)
        faint = self.palette().color(QPalette.ColorRole.PlaceholderText)
        warning = self.palette().color(QPalette.ColorRole.BrightText)
        colour = {"ready": ready, "failed": warning}.get(self.state, faint)
        painter.setPen(QPen(colour, 1.5))
        if self.state == "ready":
            painter.setBrush(colour)
        rect = self.rect().adjusted(2, 2, -2, -2)
        painter.drawEllipse(rect)
        if self.state == "failed":
            painter.drawLine(rect.topLeft(), rect.bottomRight())


class EngineState(QWidget):
    """A lamp and a few words; the tool tip has the whole."""

    def __init__(self) -> None:
        super().__init__()
        self.lamp = _Lamp()
        self.words = QLabel()
        self.words.setProperty("faint", "true")
        row = QHBoxLayout(self)
        row.setContentsMargins(grid(1), 0, grid(2), 0)
        row.setSpacing(grid(1))
        row.addWidget(self.lamp)
        row.addWidget(self.words)
        self.show_state("starting", "")

    def show_status(self, status: EngineStatus) -> None:
        """What the engine says of itself."""
        precision = _SHORT_PRECISION.get(status.precision, status.precision)
        machine = " ".join(part for part in (_device_words(status.device), precision) if part)
        lines = [engine_notice_words(status)]
        lines.append(self.tr("Encoder: {name}").format(name=status.encoder) if status.encoder else "")
        lines.append(self.tr("Verifier: {name}").format(name=status.verifier) if status.verifier else "")
        self.show_state(status.state, machine, "\n".join(line for line in lines if line))

    def show_state(self, state: str, machine: str, tip: str = "") -> None:
        """``state`` is starting, loading, ready, failed or stopped."""
        words = {
            "starting": self.tr("engine starting"),
            "loading": self.tr("engine loading"),
            "ready": self.tr("engine ready"),
            "failed": self.tr("engine failed"),
            "stopped": self.tr("engine stopped"),
        }.get(state, state)
        self.lamp.state = "failed" if state in ("failed", "stopped") else state
        self.lamp.update()
        self.words.setText(f"{words} · {machine}" if machine else words)
        self.setToolTip(tip)
        self.setAccessibleName(self.words.text())


def _device_words(device: str) -> str:
    return "GPU" if device.startswith("cuda") else device.upper() if device == "cpu" else device
