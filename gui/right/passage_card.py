"""One passage of a finding: where it stands, its words, and the ones that clash emphasised."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPalette
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout

from engine.protocol.findings import Passage
from gui.look import theme_of
from gui.right.emphasis import Stretch, Weight
from gui.theme import MARK_STYLES, Layer, grid
from gui.wrapped_label import WrappedLabel

_LAYER = {Weight.CLASH: Layer.CONFLICT, Weight.DIFFERS: Layer.CONFLICT, Weight.SAME: Layer.ANCHOR}


def _over(colour: QColor, ground: QColor, share: float) -> str:
    """``colour`` laid over ``ground``: rich text knows no transparency."""
    def mixed(above: int, below: int) -> int:
        return round(above * share + below * (1 - share))

    red, green, blue = colour.red(), colour.green(), colour.blue()
    return QColor(mixed(red, ground.red()), mixed(green, ground.green()), mixed(blue, ground.blue())).name()


def emphasised_html(text: str, stretches: Sequence[Stretch], palette: QPalette) -> str:
    """The passage as rich text. Clashing words are washed, bold and underlined; equal ones dashed in blue."""
    theme = theme_of(palette)
    ground = palette.color(QPalette.ColorRole.Base)
    parts: list[str] = []
    at = 0
    for stretch in stretches:
        ink = MARK_STYLES[_LAYER[stretch.weight]].ink(theme)
        wash = _over(ink, ground, 0.10 if stretch.weight is Weight.SAME else 0.20)
        look = f"background-color:{wash};"
        if stretch.weight is Weight.CLASH:
            look += "font-weight:600; text-decoration:underline;"
        parts.append(html.escape(text[at : stretch.start]))
        parts.append(f'<span style="{look}">{html.escape(text[stretch.start : stretch.end])}</span>')
        at = stretch.end
    parts.append(html.escape(text[at:]))
    return f'<div style="line-height:135%">{"".join(parts).replace(chr(10), "<br>")}</div>'


class PassageCard(QFrame):
    """A passage that can be jumped to by a click, Enter or Space.

    Signals:
        entered(position): the person wants to see passage number ``position`` (from 0) on its page.
    """

    entered = Signal(int)

    def __init__(self, position: int) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._position = position
        self._passage: Passage | None = None
        self._stretches: Sequence[Stretch] = ()
        self._heading = self._document = ""
        self.place = WrappedLabel()
        self.place.setTextFormat(Qt.TextFormat.RichText)
        self.words = WrappedLabel()
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setCursor(Qt.CursorShape.IBeamCursor)
        column = QVBoxLayout(self)
        column.setContentsMargins(grid(3), grid(2), grid(3), grid(3))
        column.setSpacing(grid(2))
        column.addWidget(self.place)
        column.addWidget(self.words)
        column.addStretch(1)

    def show_passage(self, passage: Passage, heading: str, document: str, stretches: Sequence[Stretch]) -> None:
        """Show a passage; ``document`` names its file and is empty when there is only one."""
        self._passage = passage
        self._stretches = stretches
        self._heading, self._document = heading, document
        self._draw()

    def _draw(self) -> None:
        passage, heading, document = self._passage, self._heading, self._document
        if passage is None:
            return
        number = passage.clause
        # A "heading" without a letter is a stray number of the page, not a name.
        heading = heading if any(character.isalpha() for character in heading) else ""
        page = self.tr("page {page}").format(page=passage.page + 1)
        title = f"<b>{html.escape(number or heading or page.capitalize())}</b>"
        if number and heading:
            title += f" {html.escape(heading)}"
        where = ", ".join(part for part in (html.escape(document), page if number or heading else "") if part)
        if passage.also:
            where += (" · " if where else "") + self.tr("{n} more places with these words").format(n=len(passage.also))
        faint = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        self.place.setText(f'{title}<br><span style="color:{faint}">{where}</span>')
        self.setAccessibleName(f"{number} {heading}, {where}")
        self.setAccessibleDescription(passage.text)
        self.words.setText(emphasised_html(passage.text, self._stretches, self.palette()))

    def set_current(self, current: bool) -> None:
        """Frame the card whose passage the pages show."""
        self.setProperty("current", "true" if current else "false")
        self.style().unpolish(self)
        self.style().polish(self)

    # --- Qt's interface -------------------------------------------------------------------------------

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click shows the passage on its page."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.entered.emit(self._position)
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space do what a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.entered.emit(self._position)
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QEvent) -> None:
        """The keyboard has come here: show the passage, as a click would."""
        super().focusInEvent(event)  # type: ignore[arg-type]  # the stubs want QFocusEvent, which this is
        self.entered.emit(self._position)

    def changeEvent(self, event: QEvent) -> None:
        """Another theme: the emphasis is drawn in its colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
