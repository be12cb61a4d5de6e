"""A written answer under the question: words as they come, then checked, with what no passage has marked in them."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from engine.protocol.answers import Unsupported
from engine.protocol.writing import Written
from gui.look import theme_of
from gui.state.wording import filled
from gui.theme import MARK_STYLES, Layer, grid
from gui.wrapped_label import WrappedLabel

_CITED = re.compile(r"\[(\d{1,2})\]")
_LINK = "passage:"


class WrittenCard(QFrame):
    """The button that has an answer written, and the answer.

    Signals:
        write_wanted(): have it written, or written again.
        stop_wanted(): no more of it.
        model_wanted(): show which model writes, and change it.
        passage_entered(position): the person followed a citation.
    """

    write_wanted = Signal()
    stop_wanted = Signal()
    model_wanted = Signal()
    passage_entered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.title = QLabel(self.tr("Written answer"))
        self.text = WrappedLabel()
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
            | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.text.setAccessibleName(self.tr("Written answer"))
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("faint", "true")
        self.write = QPushButton(self.tr("Write an answer"))
        self.stop = QPushButton(self.tr("Stop writing"))
        self.model = QPushButton(self.tr("Model…"))
        self.model.setToolTip(self.tr("Which model writes answers, where it runs, what it may cost"))
        self._words = ""
        self._written: Written | None = None
        buttons = QHBoxLayout()
        buttons.addWidget(self.write)
        buttons.addWidget(self.stop)
        buttons.addWidget(self.model)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(2), grid(3), grid(2))
        column.setSpacing(grid(2))
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addWidget(self.said)
        column.addLayout(buttons)
        self.write.clicked.connect(self.write_wanted)
        self.stop.clicked.connect(self.stop_wanted)
        self.model.clicked.connect(self.model_wanted)
        self.text.linkActivated.connect(self.on_text_link_activated)
        self.show_ready("", "")

    # --- what it shows --------------------------------------------------------------------------------------------

    def show_ready(self, model: str, url: str) -> None:
        """Nothing is written yet; ``model`` is "" while none is configured."""
        self._show("", running=False, can_write=bool(model))
        words = self.tr("Written answers are off. The quoted passages below need no model and no network.")
        if model:
            words = self.tr("{model} at {url} can write an answer from these passages.").format(model=model, url=url)
        self.said.setText(words)

    def show_waiting(self) -> None:
        """The model has been asked."""
        self._show("", running=True)
        self.said.setText(self.tr("Waiting for the model…"))

    def add_words(self, words: str) -> None:
        """The next words have come."""
        self._words += words
        self.text.setText(_plain(self._words))
        self.text.setVisible(True)
        self.said.setText(self.tr("Being written; not checked yet."))

    def show_written(self, written: Written) -> None:
        """The whole answer, checked."""
        self._show("", running=False, can_write=True)
        self._written = written
        self._draw()
        self.write.setText(self.tr("Write again"))
        lines = [self._checked(written)]
        if not written.complete:
            problem = filled(written.problem, written.values)
            lines.append(self.tr("Not complete: {problem}").format(problem=problem))
        lines.append(self.tr("Written by {model}, {tokens} tokens.").format(model=written.model, tokens=written.tokens))
        self.said.setText("\n".join(lines))

    def show_problem(self, words: str) -> None:
        """Nothing was written."""
        self._show("", running=False, can_write=True)
        self.said.setText(self.tr("{problem} The quoted passages stand.").format(problem=words))

    def _checked(self, written: Written) -> str:
        count = len(written.unsupported)
        if count:
            words = self.tr("{n} of {total} values stand in no passage; they are marked [?…].")
            return words.format(n=count, total=max(count, written.checked))
        if written.checked:
            return self.tr("All {total} values stand in the passages.").format(total=written.checked)
        return self.tr("It names no values that could be looked up.")

    def _show(self, words: str, *, running: bool, can_write: bool = False) -> None:
        self._words, self._written = words, None
        self.text.setText("")
        self.text.hide()
        self.stop.setVisible(running)
        self.write.setVisible(can_write and not running)
        self.write.setText(self.tr("Write an answer"))
        self.model.setVisible(not running)

    def _draw(self) -> None:
        if self._written is not None:
            self.text.setText(marked_html(self._written.text.strip(), self._shifted(self._written), self.palette()))
            self.text.show()

    @staticmethod
    def _shifted(written: Written) -> list[Unsupported]:
        lead = len(written.text) - len(written.text.lstrip())
        return [Unsupported(u.kind, u.value, u.start - lead, u.end - lead) for u in written.unsupported]

    # --- what happens ---------------------------------------------------------------------------------------------

    @Slot(str)
    def on_text_link_activated(self, link: str) -> None:
        """A citation."""
        if link.startswith(_LINK):
            self.passage_entered.emit(int(link.removeprefix(_LINK)) - 1)

    def changeEvent(self, event: QEvent) -> None:
        """Rich text holds colours: it is made anew when they change."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw()


def marked_html(text: str, unsupported: Sequence[Unsupported], palette: QPalette) -> str:
    """The answer as rich text: citations are links, what no passage has stands underlined in ``[?…]``."""
    ink = MARK_STYLES[Layer.CONFLICT].ink(theme_of(palette)).name()
    parts, at = [], 0
    for each in unsupported:
        if each.start >= at:
            parts.append(_linked(text[at : each.start]))
            words = html.escape(text[each.start : each.end])
            parts.append(f'<span style="color:{ink}; font-weight:600; text-decoration:underline">[?{words}]</span>')
            at = each.end
    parts.append(_linked(text[at:]))
    return f'<div style="line-height:135%">{"".join(parts)}</div>'


def _linked(words: str) -> str:
    escaped = html.escape(words).replace("\n", "<br>")
    return _CITED.sub(rf'<a href="{_LINK}\1">[\1]</a>', escaped)


def _plain(words: str) -> str:
    return f'<div style="line-height:135%">{html.escape(words).replace(chr(10), "<br>")}</div>'
