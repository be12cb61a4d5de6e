"""How a row of the inbox is drawn: shape and word for the severity, sentence, clauses, tier, verdict."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen, QPolygonF, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.matter.records import DecisionState
from engine.protocol.findings import Severity
from gui.left.findings_model import FindingsModel
from gui.look import severity_colour, theme_of
from gui.state.finding_row import FindingRow
from gui.state.wording import code_words, severity_words, tier_words, verdict_words
from gui.theme import grid, scaled_font

_SUMMARY_LINES = 2
_VERDICT_SIGN = {DecisionState.CONFIRMED: "✓", DecisionState.DISMISSED: "✕", DecisionState.FLAGGED: "⚑"}


def draw_severity(painter: QPainter, rect: QRectF, severity: Severity, colour: QColor) -> None:
    """A shape of its own for each severity: triangle, diamond, ring."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(colour if severity is not Severity.LOW else Qt.BrushStyle.NoBrush)
    centre = rect.center()
    if severity is Severity.HIGH:
        painter.drawPolygon(QPolygonF([QPointF(centre.x(), rect.top()), rect.bottomRight(), rect.bottomLeft()]))
    elif severity is Severity.MEDIUM:
        corners = [QPointF(centre.x(), rect.top()), QPointF(rect.right(), centre.y())]
        corners += [QPointF(centre.x(), rect.bottom()), QPointF(rect.left(), centre.y())]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.drawEllipse(rect.adjusted(1, 1, -1, -1))
    painter.restore()


def line_height(font: QFont) -> int:
    """From one line of text to the next, in pixels: Chinese letters from another font are higher than the font says."""
    metrics = QFontMetrics(font)
    return max(metrics.lineSpacing(), metrics.tightBoundingRect("国").height() + grid(1))


def draw_elided(painter: QPainter, rect: QRect, text: str, font: QFont, colour: QColor, lines: int) -> None:
    """Draw ``text`` wrapped into at most ``lines`` lines, the last one elided."""
    painter.setFont(font)
    painter.setPen(colour)
    metrics = QFontMetrics(font)
    layout = QTextLayout(text, font)
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    option = layout.textOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    y = float(rect.top())
    for i in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(rect.width())
        if i == lines - 1:
            rest = text[line.textStart() :]
            elided = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(QPointF(rect.left(), y + metrics.ascent()), elided)
        else:
            line.draw(painter, QPointF(rect.left(), y))
        y += line_height(font)
    layout.endLayout()


class FindingsDelegate(QStyledItemDelegate):
    """Draws the inbox. Every row has one height, every header another, measured once per font.

    A list asks for the height of each of its 2,000 rows, so the answer must cost next to nothing.
    """

    def __init__(self, model: FindingsModel, font: QFont) -> None:
        super().__init__()
        self._model = model
        self._row_size = self._header_size = QSize()
        self.measure(font)

    def measure(self, font: QFont) -> None:
        """Take the heights from a font."""
        line = line_height(font)
        small = line_height(scaled_font(font, 0.87))
        self._row_size = QSize(120, grid(2) + small + grid(1) + _SUMMARY_LINES * line + grid(1) + small + grid(2))
        self._header_size = QSize(120, small + grid(4))

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One of the two heights."""
        return self._row_size if self._model.row_at(index) is not None else self._header_size

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """One row or one header."""
        row = index.data(FindingsModel.RowRole)
        palette: QPalette = option.palette
        rect: QRect = option.rect
        font: QFont = option.font
        state: QStyle.StateFlag = option.state
        painter.save()
        if isinstance(row, FindingRow):
            self._paint_row(painter, row, rect, font, palette, bool(state & QStyle.StateFlag.State_Selected))
        else:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Window))
            painter.setFont(scaled_font(font, 0.87, bold=True))
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            inner = rect.adjusted(grid(3), grid(1), -grid(3), -1)
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, str(index.data() or ""))
            self._hairline(painter, rect, palette)
        painter.restore()

    def _hairline(self, painter: QPainter, rect: QRect, palette: QPalette) -> None:
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _paint_row(
        self, painter: QPainter, row: FindingRow, rect: QRect, font: QFont, palette: QPalette, chosen: bool
    ) -> None:
        text = palette.color(QPalette.ColorRole.Text)
        faint = palette.color(QPalette.ColorRole.PlaceholderText)
        accent = palette.color(QPalette.ColorRole.Highlight)
        painter.fillRect(rect, palette.color(QPalette.ColorRole.Base if chosen else QPalette.ColorRole.Window))
        if chosen:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), accent)
            wash = QColor(accent)
            wash.setAlphaF(0.10)
            painter.fillRect(rect, wash)
        settled = row.verdict in (DecisionState.CONFIRMED, DecisionState.DISMISSED) or row.is_gone
        small = scaled_font(font, 0.87)
        line = line_height(font)
        small_line = line_height(small)
        inner = rect.adjusted(grid(3), grid(2), -grid(3), -grid(2))
        top = QRect(inner.left(), inner.top(), inner.width(), small_line)
        self._paint_top(painter, row, top, small, faint, palette)
        middle = QRect(inner.left(), top.bottom() + 1 + grid(1), inner.width(), _SUMMARY_LINES * line)
        draw_elided(painter, middle, row.finding.summary, font, faint if settled else text, _SUMMARY_LINES)
        bottom = QRect(inner.left(), middle.bottom() + 1 + grid(1), inner.width(), small_line)
        self._paint_bottom(painter, row, bottom, small, faint)
        self._hairline(painter, rect, palette)

    def _paint_top(
        self, painter: QPainter, row: FindingRow, rect: QRect, font: QFont, faint: QColor, palette: QPalette
    ) -> None:
        finding = row.finding
        settled = row.verdict in (DecisionState.CONFIRMED, DecisionState.DISMISSED)
        colour = faint if settled else severity_colour(finding.severity, theme_of(palette))
        size = rect.height() * 0.58
        icon = QRectF(rect.left() + 0.5, rect.top() + (rect.height() - size) / 2, size, size)
        draw_severity(painter, icon, finding.severity, colour)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        verdict = self._verdict_words(row)
        verdict_width = metrics.horizontalAdvance(verdict)
        painter.setPen(faint)
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, verdict)
        left = rect.adjusted(round(size) + grid(2), 0, -verdict_width - grid(2), 0)
        painter.setPen(colour)
        severity = severity_words(finding.severity)
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, severity)
        painter.setPen(faint)
        rest = left.adjusted(metrics.horizontalAdvance(severity), 0, 0, 0)
        words = metrics.elidedText(f"  ·  {code_words(finding.code)}", Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_bottom(self, painter: QPainter, row: FindingRow, rect: QRect, font: QFont, faint: QColor) -> None:
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(faint)
        tier = f"{tier_words(row.finding.tier)} {row.finding.score:.0%}"
        width = metrics.horizontalAdvance(tier)
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tier)
        left = rect.adjusted(0, 0, -width - grid(2), 0)
        words = row.places
        if not row.names_pages:
            words = self.tr("{places}  ·  p. {pages}").format(places=row.places, pages=row.pages)
        places = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, left.width())
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, places)

    def _verdict_words(self, row: FindingRow) -> str:
        note = "✎ " if row.note else ""
        if row.is_gone:
            return note + self.tr("no longer found")
        news = self.tr("new") if row.is_new else self.tr("changed") if row.is_changed else ""
        if row.verdict is DecisionState.OPEN:
            return note + news
        verdict = f"{note}{_VERDICT_SIGN[row.verdict]} {verdict_words(row.verdict)}"
        return f"{verdict} · {news}" if news else verdict
