"""A line of the anchors: a sign for how it stands, the words, what it is the value of, a count at the right."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.look import severity_colour, theme_of
from gui.state.anchor_book import Standing
from gui.theme import grid

AnyIndex = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole.UserRole
#: The :class:`Standing`, or None; what follows the words in faint; the right side; whether it heads others.
STANDING_ROLE, FAINT_ROLE, RIGHT_ROLE, HEAD_ROLE = _ROLE + 1, _ROLE + 2, _ROLE + 3, _ROLE + 4
#: A sign each, so that nothing rests on colour alone.
SIGNS = {Standing.CONFLICT: "!", Standing.DIFFERS: "≠", Standing.AGREES: "=", Standing.ALONE: "·"}
_SEVERITY = {Standing.CONFLICT: "high", Standing.DIFFERS: "medium"}
_GUTTER_PX = grid(4)


class AnchorsDelegate(QStyledItemDelegate):
    """Draws one line."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        """One line with air around it."""
        return QSize(grid(40), option.fontMetrics.height() + grid(2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """One line."""
        palette: QPalette = option.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        inner: QRect = option.rect.adjusted(grid(1), 0, -grid(2), 0)
        painter.save()
        if chosen:
            painter.fillRect(option.rect, palette.color(QPalette.ColorRole.Highlight))
        ink = palette.color(QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text)
        faint = ink if chosen else palette.color(QPalette.ColorRole.PlaceholderText)
        font = QFont(option.font)
        font.setBold(bool(index.data(HEAD_ROLE)))
        right = str(index.data(RIGHT_ROLE) or "")
        metrics = QFontMetrics(font)
        side = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(faint)
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignRight, right)
        inner.setRight(inner.right() - (metrics.horizontalAdvance(right) + grid(2) if right else 0))
        standing = index.data(STANDING_ROLE)
        if isinstance(standing, Standing):
            self._sign(painter, inner, standing, font, ink if chosen else None, palette)
            inner.setLeft(inner.left() + _GUTTER_PX)
        painter.setFont(font)
        painter.setPen(ink)
        words = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, max(0, inner.width()))
        painter.drawText(inner, side, words)
        inner.setLeft(inner.left() + metrics.horizontalAdvance(words) + grid(2))
        note = str(index.data(FAINT_ROLE) or "")
        if note and inner.width() > grid(6):
            painter.setPen(faint)
            painter.drawText(inner, side, metrics.elidedText(note, Qt.TextElideMode.ElideRight, inner.width()))
        painter.restore()

    @staticmethod
    def _sign(
        painter: QPainter, inner: QRect, standing: Standing, font: QFont, ink: QColor | None, palette: QPalette
    ) -> None:
        bold = QFont(font)
        bold.setBold(standing in _SEVERITY)
        painter.setFont(bold)
        colour = ink or palette.color(QPalette.ColorRole.PlaceholderText)
        if ink is None and standing in _SEVERITY:
            colour = severity_colour(_SEVERITY[standing], theme_of(palette))
        painter.setPen(colour)
        gutter = QRect(inner.left(), inner.top(), _GUTTER_PX - grid(1), inner.height())
        painter.drawText(gutter, Qt.AlignmentFlag.AlignCenter, SIGNS[standing])
