"""The line along the bottom: page, counts, how far a review is, saved."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QToolButton

from engine.matter.records import DecisionState
from gui.theme import grid

#: How long a passing remark stays.
REMARK_MS = 5000


class StatusLine(QFrame):
    """Small facts, always in the same place.

    Signals:
        cancel_wanted(): stop the review.
    """

    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status_line")
        self.page = QLabel()
        self.counts = QLabel()
        self.remark = QLabel()
        self.progress_words = QLabel()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(grid(30))
        self.progress.setAccessibleName(self.tr("Progress of the review"))
        self.cancel = QToolButton()
        self.cancel.setText(self.tr("Cancel"))
        self.saved = QLabel()
        for label in (self.page, self.counts, self.remark, self.progress_words, self.saved):
            label.setProperty("faint", "true")
        row = QHBoxLayout(self)
        row.setContentsMargins(grid(3), grid(1), grid(3), grid(1))
        row.setSpacing(grid(4))
        row.addWidget(self.page)
        row.addWidget(self.counts)
        row.addWidget(self.remark, 1)
        row.addWidget(self.progress_words)
        row.addWidget(self.progress)
        row.addWidget(self.cancel)
        row.addWidget(self.saved)
        self.setFixedHeight(grid(8))
        self._remark_timer = QTimer(self)
        self._remark_timer.setSingleShot(True)
        self._remark_timer.setInterval(REMARK_MS)
        self._remark_timer.timeout.connect(self.remark.clear)
        self.cancel.clicked.connect(self.cancel_wanted)
        self.hide_progress()

    def show_page(self, page: int, pages: int) -> None:
        """``page`` counts from 0."""
        self.page.setText(self.tr("page {page} of {pages}").format(page=page + 1, pages=pages) if pages else "")

    def show_counts(self, counts: Mapping[DecisionState, int]) -> None:
        """How far the going-through is."""
        if not sum(counts.values()):
            self.counts.clear()
            return
        names = {
            DecisionState.OPEN: self.tr("open"),
            DecisionState.CONFIRMED: self.tr("confirmed"),
            DecisionState.DISMISSED: self.tr("dismissed"),
            DecisionState.FLAGGED: self.tr("flagged"),
        }
        parts = [f"{counts.get(state, 0)} {name}" for state, name in names.items()]
        if not counts.get(DecisionState.FLAGGED, 0):
            parts.pop()
        self.counts.setText(", ".join(parts))

    def show_progress(self, words: str, share: float, left_s: float) -> None:
        """``share`` 0..1, -1 when unknown; ``left_s`` in seconds, -1 when unknown."""
        self.progress.setRange(0, 100 if share >= 0 else 0)
        text = words
        if share >= 0:
            self.progress.setValue(round(100 * share))
            text = f"{words} {share:.0%}"
        if left_s >= 0:
            text += " · " + time_left(self, left_s)
        self.progress_words.setText(text)
        for widget in (self.progress_words, self.progress, self.cancel):
            widget.show()

    def show_outcome(self, words: str) -> None:
        """How what ran has ended, until something runs again."""
        self.hide_progress()
        self.progress_words.setText(words)
        self.progress_words.show()

    @Slot()
    def hide_progress(self) -> None:
        """Nothing runs."""
        for widget in (self.progress_words, self.progress, self.cancel):
            widget.hide()

    def say(self, words: str) -> None:
        """A passing remark."""
        self.remark.setText(words)
        self._remark_timer.start()

    def show_saved(self, words: str) -> None:
        """``saved``, ``read only``, or nothing."""
        self.saved.setText(words)


def time_left(line: StatusLine, left_s: float) -> str:
    """A time left in words, no more exact than it is."""
    if left_s < 5:
        return line.tr("a few seconds left")
    if left_s < 90:
        return line.tr("about {n} s left").format(n=5 * round(left_s / 5))
    return line.tr("about {n} min left").format(n=round(left_s / 60))
