"""Learning from the person's labels: what there is, how far it is, before and after, and keep or drop."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.protocol.learning import LEAST_CONTRACTS, LEAST_OF_EACH, Card, Figure
from gui.state.wording import code_words
from gui.theme import grid, scaled_font

if TYPE_CHECKING:
    from engine.matter.judgements import Judgements

#: More kinds of labels than this are counted together.
MOST_KINDS = 10


class LearnPanel(QWidget):
    """Labels above, then the work or its result, at the end the weights in use.

    Signals:
        started(), stopped(): the learning.
        kept(), dropped(): its result.
        weights_chosen(name): "" for the shipped ones.
        left(): Esc.
    """

    started = Signal()
    stopped = Signal()
    kept = Signal()
    dropped = Signal()
    weights_chosen = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.about = _words(
            self.tr(
                "The engine learns from your links and from findings you confirmed or dismissed. It stays on this "
                "machine. What came with Antinomy is never overwritten."
            ),
            faint=True,
        )
        self.labels = _words()
        self.said = _words()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Learning"))
        self.learn = QPushButton(self.tr("Learn"))
        self.learn.setProperty("role", "main")
        self.stop = QPushButton(self.tr("Stop"))
        self.result = _words()
        self.keep = QPushButton(self.tr("Keep"))
        self.drop = QPushButton(self.tr("Drop"))
        self.weights = QComboBox()
        self.weights.setAccessibleName(self.tr("Reviews use"))
        self.weights.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.weights.setMinimumContentsLength(8)
        self._result_heading = _heading(self.tr("What it would change"))
        self._lay_out()
        self.learn.clicked.connect(self.started)
        self.stop.clicked.connect(self.stopped)
        self.keep.clicked.connect(self.kept)
        self.drop.clicked.connect(self.dropped)
        self.weights.activated.connect(self.on_weights_activated)

    def _lay_out(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(grid(3), grid(3), grid(3), grid(3))
        column.setSpacing(grid(2))
        for part in (_heading(self.tr("Learn from my labels")), self.about, self.labels, self.said, self.progress,
                     self.learn, self.stop, self._result_heading, self.result):  # fmt: skip
            column.addWidget(part)
        buttons = QGridLayout()
        buttons.setSpacing(grid(2))
        buttons.addWidget(self.keep, 0, 0)
        buttons.addWidget(self.drop, 0, 1)
        column.addLayout(buttons)
        column.addWidget(_heading(self.tr("Reviews use")))
        column.addWidget(self.weights)
        column.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    # --- what the window tells it -----------------------------------------------------------------------

    def show_labels(self, found: Judgements | None, unread: Sequence[str]) -> None:
        """What there is to learn from; None while it is being counted."""
        if found is None:
            self.labels.setText(self.tr("Counting your labels…"))
            return
        others = len(found.labels) - found.conflicts
        lines = [
            self.tr("{conflicts} say conflict, {others} say none, in {contracts} contracts.").format(
                conflicts=found.conflicts, others=others, contracts=found.contracts
            )
        ]
        left_out = (
            (found.disputed, self.tr("{n} pairs are left out: people differ and nobody has ruled.")),
            (found.without_text, self.tr("{n} labels are left out: the text of their document is not there.")),
            (found.of_form, self.tr("{n} decisions on form teach nothing: there is no second passage.")),
            (len(unread), self.tr("{n} matters cannot be read and are left out.")),
        )
        lines += [words.format(n=count) for count, words in left_out if count]
        kinds = list(found.codes.items())
        rows = [(code_words(code), count) for code, count in kinds[:MOST_KINDS]]
        if len(kinds) > MOST_KINDS:
            rows.append((self.tr("others"), sum(count for _, count in kinds[MOST_KINDS:])))
        table = "".join(
            f'<tr><td style="padding:1px 12px 1px 0">{html.escape(name)}</td>'
            f'<td align="right" style="padding:1px 0">{count}</td></tr>'
            for name, count in rows
        )
        self.labels.setText("<br>".join(map(html.escape, lines)) + f"<table>{table}</table>")

    def show_state(self, missing: tuple[int, int, int] | None, is_running: bool, sentence: str) -> None:
        """Whether it can be learnt (``missing`` all zero), is being learnt, and what there is to say."""
        enough = missing is not None and not any(missing)
        if missing is not None and not enough and not is_running:
            sentence = self.missing_words(missing)
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))
        self.learn.setVisible(not is_running)
        self.learn.setEnabled(enough)
        self.progress.setVisible(is_running)
        self.stop.setVisible(is_running)

    def show_progress(self, share: float) -> None:
        """How far it is, 0..1."""
        self.progress.setValue(round(1000 * share))

    def missing_words(self, missing: tuple[int, int, int]) -> str:
        """What is needed before anything can be learnt."""
        conflicts, others, contracts = missing
        parts = []
        if conflicts:
            words = self.tr("{n} more that say conflict (at least {least}): confirm findings or link clauses")
            parts.append(words.format(n=conflicts, least=LEAST_OF_EACH))
        if others:
            words = self.tr("{n} more that say none (at least {least}): dismiss false alarms with a reason")
            parts.append(words.format(n=others, least=LEAST_OF_EACH))
        if contracts:
            words = self.tr(
                "labels in {n} more contracts (at least {least}): only a contract left out shows whether it helps"
            )
            parts.append(words.format(n=contracts, least=LEAST_CONTRACTS))
        return self.tr("Too few labels yet. Needed: {parts}.").format(parts=self.tr("; ").join(parts))

    def show_result(self, card: Card | None) -> None:
        """Before and after, on contracts that were not learnt from; None when nothing waits."""
        for widget in (self._result_heading, self.result, self.keep, self.drop):
            widget.setVisible(card is not None)
        _set_main(self.learn, card is None)
        if card is None:
            return
        names = {
            "average_precision": self.tr("Order of the findings (1 is perfect)"),
            "recall_10": self.tr("Conflicts among the first ten"),
            "conflicts_shown": self.tr("Conflicts shown"),
            "false_alarms_shown": self.tr("False alarms shown"),
        }
        head = (self.tr("before"), self.tr("after"), self.tr("difference*"))
        cells = "".join(f'<td align="right" style="padding:2px 6px">{words}</td>' for words in head)
        rows = [f"<tr><td></td>{cells}</tr>"]
        rows += [_row(names.get(figure.name, figure.name), figure) for figure in card.figures]
        about = self.tr("Each of {n} contracts was looked at with weights that had not seen it.")
        spread = self.tr("* where it lies in nine of ten draws of contracts")
        self.result.setText(
            f"<p>{html.escape(about.format(n=card.contracts))}</p><table>{''.join(rows)}</table><p><i>{html.escape(spread)}</i></p>"
            f"<p><b>{html.escape(self.verdict(card))}</b></p>"
        )
        _set_main(self.keep, card.helps)
        _set_main(self.drop, not card.helps)

    def verdict(self, card: Card) -> str:
        """What the figures say."""
        if card.helps:
            return self.tr("It helps, beyond what chance would do. Keep it.")
        if card.figures and card.figures[0].high < 0:
            return self.tr("It makes the order of the findings worse. Drop it.")
        return self.tr("Whether it helps cannot be told from chance. Drop it, and learn again with more labels.")

    def show_weights(self, cards: Sequence[Card], in_use: str) -> None:
        """What can be used, and what is."""
        self.weights.clear()
        self.weights.addItem(self.tr("what came with Antinomy"), "")
        for card in cards:
            words = self.tr("{name}, {n} labels").format(name=card.name, n=card.conflicts + card.not_conflicts)
            self.weights.addItem(words, card.name)
        self.weights.setCurrentIndex(max(0, self.weights.findData(in_use)))

    # --- slots ------------------------------------------------------------------------------------------

    @Slot()
    def on_weights_activated(self) -> None:
        """Other weights."""
        self.weights_chosen.emit(str(self.weights.currentData()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves; what runs goes on."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _row(name: str, figure: Figure) -> str:
    if figure.name.endswith("shown"):
        cells = (f"{figure.before:.0f}", f"{figure.after:.0f}", f"{figure.low:+.0f} … {figure.high:+.0f}")
    elif figure.name == "recall_10":
        spread = f"{100 * figure.low:+.0f} … {100 * figure.high:+.0f}"
        cells = (f"{figure.before:.0%}", f"{figure.after:.0%}", spread)
    else:
        cells = (f"{figure.before:.2f}", f"{figure.after:.2f}", f"{figure.low:+.2f} … {figure.high:+.2f}")
    before, after, difference = cells
    style = 'align="right" style="padding:2px 6px"'
    # A hyphen is no minus sign: it is too short to be seen beside a number.
    spread = difference.replace("-", "\u2212")
    return (
        f'<tr><td style="padding:2px 6px 2px 0">{html.escape(name)}</td><td {style}>{before}</td>'
        f'<td {style}><b>{after}</b></td><td align="right" style="padding:2px 0 2px 6px">{spread}</td></tr>'
    )


def _set_main(button: QPushButton, is_main: bool) -> None:
    """Let a button be the one that stands out, or not."""
    button.setProperty("role", "main" if is_main else "")
    button.style().unpolish(button)
    button.style().polish(button)


def _heading(words: str) -> QLabel:
    label = _words(words)
    label.setFont(scaled_font(label.font(), 1.08, bold=True))
    return label


def _words(words: str = "", *, faint: bool = False) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    if faint:
        label.setProperty("faint", "true")
    return label
