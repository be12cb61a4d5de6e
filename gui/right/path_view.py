"""The arbitration's path as numbered sentences, the values that clash, and what would settle it."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette

from engine.protocol.findings import Finding
from gui.right.emphasis import Weight, emphasise_anchors
from gui.state.wording import state_words
from gui.wrapped_label import WrappedLabel


def _section(title: str, body: str, faint: str) -> str:
    return f'<p style="margin:12px 0 4px 0; color:{faint}"><b>{html.escape(title)}</b></p>{body}'


class PathView(WrappedLabel):
    """Why this is (or may be) a conflict, in words. Selectable, so that it can be quoted."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._finding: Finding | None = None

    def show_finding(self, finding: Finding | None) -> None:
        """Show a finding's reasons."""
        self._finding = finding
        self._draw()

    def _draw(self) -> None:
        finding = self._finding
        if finding is None:
            self.clear()
            return
        faint = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        parts = []
        values = self._values(finding)
        if values:
            parts.append(_section(self.tr("Values that clash"), values, faint))
        if finding.path:
            steps = "".join(
                f'<tr><td style="padding:0 8px 6px 0; color:{faint}">{i}</td><td style="padding:0 0 6px 0">'
                f"<b>{html.escape(state_words(step.state))}</b> {html.escape(step.because)}</td></tr>"
                for i, step in enumerate(finding.path, 1)
            )
            parts.append(_section(self.tr("How it was decided"), f"<table>{steps}</table>", faint))
        if finding.settle:
            body = f'<p style="margin:0">{html.escape(finding.settle)}</p>'
            parts.append(_section(self.tr("What would settle it"), body, faint))
        self.setText("".join(parts))

    def _values(self, finding: Finding) -> str:
        if len(finding.passages) < 2:
            return ""  # one place: its words are emphasised already
        rows = []
        for passage, stretches in zip(finding.passages, emphasise_anchors(finding), strict=True):
            words = [passage.text[s.start : s.end] for s in stretches if s.weight is Weight.CLASH]
            shown = ", ".join(html.escape(word) for word in dict.fromkeys(words) if word)
            if shown:
                place = html.escape(passage.clause or self.tr("page {page}").format(page=passage.page + 1))
                rows.append(f'<tr><td style="padding:0 12px 6px 0">{place}</td><td><b>{shown}</b></td></tr>')
        return f"<table>{''.join(rows)}</table>" if rows else ""

    def changeEvent(self, event: QEvent) -> None:
        """Another theme: its secondary colour."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
