"""The list of differences: the rows of a comparison, and how one is drawn."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.protocol.comparison import ChangeKind, FindingState
from gui.look import theme_of
from gui.state.comparison_view import FINDING_FILTERS, ComparisonRow, ComparisonView, Filter, RedlineLook
from gui.theme import OkabeIto, Theme, grid, scaled_font

AnyIndex = QModelIndex | QPersistentModelIndex


def change_colours(palette: QPalette) -> RedlineLook:
    """Colours of what went and what came, readable on the panel's ground in either theme."""
    if theme_of(palette) is Theme.DARK:
        return RedlineLook("#FF9D6B", OkabeIto.SKY, "#4A2A1C", "#1D3A52")
    return RedlineLook("#B34700", "#0064A0", "#FBE3D3", "#D7E9F6")


class ComparisonModel(QAbstractListModel):
    """Rows as the filter left them. A row is made when it is first shown: a long contract has thousands."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view: ComparisonView | None = None
        self._which = Filter.DIFFERENT
        self._numbers: Sequence[int] = ()
        self._made: dict[int, ComparisonRow] = {}

    def set_view(self, view: ComparisonView | None, which: Filter) -> None:
        """Show what a filter leaves of a comparison; nothing for None."""
        self.beginResetModel()
        self._view, self._which = view, which
        self._numbers = view.numbers(which) if view is not None else ()
        self._made.clear()
        self.endResetModel()

    def row_of(self, clause: int) -> int:
        """Where a clause stands in the list, -1 when it does not."""
        if self._which in FINDING_FILTERS:
            return next((i for i in range(len(self._numbers)) if self._at(i).clause == clause), -1)
        i = bisect.bisect_left(self._numbers, clause)
        return i if i < len(self._numbers) and self._numbers[i] == clause else -1

    def _at(self, i: int) -> ComparisonRow:
        if i not in self._made:
            assert self._view is not None
            self._made[i] = self._view.row(self._which, self._numbers[i])
        return self._made[i]

    def row_at(self, index: AnyIndex) -> ComparisonRow | None:
        """The row at an index."""
        return self._at(index.row()) if index.isValid() and index.row() < len(self._numbers) else None

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """A flat list."""
        return 0 if parent.isValid() else len(self._numbers)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The title; for a screen reader the whole row."""
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.sign} {row.title}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.values or row.excerpt
        return None


class ComparisonDelegate(QStyledItemDelegate):
    """Sign, number and heading, what became of it; the first changed words; changed values, findings, pages."""

    def __init__(self, model: ComparisonModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        """Three lines with air around them."""
        font: QFont = option.font
        small = QFontMetrics(scaled_font(font, 0.9)).lineSpacing()
        return QSize(200, QFontMetrics(font).lineSpacing() + 2 * small + grid(6))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """One row."""
        row = self._model.row_at(index)
        if row is None:
            return
        palette: QPalette = option.palette
        rect: QRect = option.rect
        font: QFont = option.font
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, palette.color(QPalette.ColorRole.Base if chosen else QPalette.ColorRole.Window))
        if chosen:
            accent = palette.color(QPalette.ColorRole.Highlight)
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), accent)
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        inner = rect.adjusted(grid(3), grid(2), -grid(3), -grid(2))
        top = QRect(inner.left(), inner.top(), inner.width(), QFontMetrics(font).lineSpacing())
        self._paint_top(painter, row, top, font, palette)
        small = scaled_font(font, 0.9)
        height = QFontMetrics(small).lineSpacing()
        middle = QRect(inner.left() + grid(6), top.bottom() + 1 + grid(1), inner.width() - grid(6), height)
        self._line(painter, middle, row.excerpt, small, palette.color(QPalette.ColorRole.PlaceholderText))
        self._paint_bottom(painter, row, middle.translated(0, height + 1), small, palette)
        painter.restore()

    def _paint_top(self, painter: QPainter, row: ComparisonRow, rect: QRect, font: QFont, palette: QPalette) -> None:
        colour = sign_colour(row, palette)
        strong = scaled_font(font, 1.0, bold=True)
        painter.setFont(strong)
        painter.setPen(colour)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, row.sign)
        small = scaled_font(font, 0.87)
        painter.setFont(small)
        width = QFontMetrics(small).horizontalAdvance(row.what)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.what)
        room = rect.adjusted(grid(6), 0, -width - grid(2), 0)
        self._line(painter, room, row.title, strong, palette.color(QPalette.ColorRole.Text))

    def _paint_bottom(self, painter: QPainter, row: ComparisonRow, rect: QRect, font: QFont, palette: QPalette) -> None:
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.pages)
        room = rect.adjusted(0, 0, -QFontMetrics(font).horizontalAdvance(row.pages) - grid(2), 0)
        findings = self.tr("▲ new findings: {n}").format(n=row.new_findings) if row.new_findings else ""
        words = "   ".join(part for part in (row.values, findings) if part)
        self._line(painter, room, words, scaled_font(font, 1.0, bold=True), palette.color(QPalette.ColorRole.Text))

    @staticmethod
    def _line(painter: QPainter, rect: QRect, words: str, font: QFont, colour: QColor) -> None:
        painter.setFont(font)
        painter.setPen(colour)
        shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)


def sign_colour(row: ComparisonRow, palette: QPalette) -> QColor:
    """A colour for what became of a clause; the sign and the word say the same without it."""
    look = change_colours(palette)
    faint = palette.color(QPalette.ColorRole.PlaceholderText)
    if row.finding is not None:
        state = {FindingState.INTRODUCED: QColor(look.deleted), FindingState.RESOLVED: QColor(look.inserted)}
        return state.get(row.finding.state, faint)
    return {
        ChangeKind.INSERTED: QColor(look.inserted),
        ChangeKind.DELETED: QColor(look.deleted),
        ChangeKind.CHANGED: palette.color(QPalette.ColorRole.Text),
    }.get(row.change.kind, faint)
