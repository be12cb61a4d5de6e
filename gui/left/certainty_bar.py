"""How much of the inbox is shown: sure, likely, everything, and from which score on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from gui.state.finding_row import FindingRow
from gui.state.sieve import Certainty, Sieve
from gui.theme import grid

#: The scores to choose from.
STEPS_PERCENT = (5, 10, 20, 30, 40, 50, 60, 75, 90)


class CertaintyBar(QWidget):
    """A choice of three with counts, and the score from which unsure findings are shown.

    Signals:
        sieve_changed(Sieve): the person wants to see more or less.
    """

    sieve_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[Certainty, int] = {}
        self.box = QComboBox()
        self.box.setAccessibleName(self.tr("How sure"))
        self.box.setToolTip(
            self.tr("How sure a finding must be to be listed and marked. What you decided is always shown.")
        )
        for certainty in Certainty:
            self.box.addItem("", certainty)
        self.score = QComboBox()
        for percent in STEPS_PERCENT:
            self.score.addItem(self.tr("from {n} %").format(n=percent), percent)
        self.score.setAccessibleName(self.tr("Show unsure findings from this score"))
        self.score.setToolTip(
            self.tr("“Please check” is shown from this score on; conflicts and possible ones always.")
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(grid(2))
        row.addWidget(self.box, 1)
        row.addWidget(self.score)
        self.set_sieve(Sieve())
        self.box.currentIndexChanged.connect(self.on_changed)
        self.score.currentIndexChanged.connect(self.on_changed)

    @property
    def sieve(self) -> Sieve:
        """What is chosen."""
        return Sieve(Certainty(self.box.currentData()), int(self.score.currentData()) / 100)

    def set_sieve(self, sieve: Sieve) -> None:
        """Choose, as if the person had; the score becomes the nearest of the steps."""
        nearest = min(STEPS_PERCENT, key=lambda percent: abs(percent - 100 * sieve.score))
        self.score.setCurrentIndex(self.score.findData(nearest))
        self.box.setCurrentIndex(self.box.findData(sieve.certainty))
        self._name_entries()

    def show_counts(self, rows: Sequence[FindingRow]) -> None:
        """Count how many each choice would show."""
        for certainty in Certainty:
            passes = self.sieve.with_certainty(certainty).passes
            self._counts[certainty] = sum(map(passes, rows))
        self._name_entries()

    def _name_entries(self) -> None:
        names = {
            Certainty.SURE: self.tr("Sure"),
            Certainty.LIKELY: self.tr("Likely"),
            Certainty.EVERYTHING: self.tr("Everything"),
        }
        for i, (certainty, name) in enumerate(names.items()):
            count = self._counts.get(certainty, 0)
            self.box.setItemText(i, f"{name}  ·  {count}" if any(self._counts.values()) else name)
        self.score.setVisible(self.box.currentData() == Certainty.LIKELY)

    @Slot()
    def on_changed(self) -> None:
        """Another certainty or score."""
        self._name_entries()
        self.sieve_changed.emit(self.sieve)
