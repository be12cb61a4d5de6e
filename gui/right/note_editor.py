"""The note on a finding: saved as it is typed, without a button."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

from gui.theme import grid

#: A pause in typing of this length saves the note.
SAVE_DELAY_MS = 400


class NoteEditor(QPlainTextEdit):
    """A note of a few lines.

    Signals:
        note_written(finding, text): to be saved now.
        left(): Esc; the keyboard goes back to the findings.
    """

    note_written = Signal(str, str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(self.tr("Note (N). Saved as you type."))
        self.setAccessibleName(self.tr("Note"))
        self.setTabChangesFocus(True)
        self.setFixedHeight(grid(18))
        self._finding = ""
        self._saved = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_DELAY_MS)
        self._timer.timeout.connect(self.flush)
        self.textChanged.connect(self.on_text_changed)

    def show_note(self, finding: str, text: str) -> None:
        """Show a finding's note; an unsaved one of the finding before is saved first."""
        if finding == self._finding:
            if text != self._saved and self.toPlainText() == self._saved:
                self._put(text)
            return
        self.flush()
        self._finding = finding
        self._put(text)
        self.setEnabled(bool(finding))

    @Slot()
    def flush(self) -> None:
        """Hand over what is not saved yet."""
        self._timer.stop()
        text = self.toPlainText()
        if self._finding and text != self._saved:
            self._saved = text
            self.note_written.emit(self._finding, text)

    @Slot()
    def on_text_changed(self) -> None:
        """Typed: save after a pause."""
        if self._finding and self.toPlainText() != self._saved:
            self._timer.start()

    def _put(self, text: str) -> None:
        self._saved = text
        self.setPlainText(text)

    def focusOutEvent(self, event: QEvent) -> None:
        """The keyboard has gone elsewhere: save at once."""
        super().focusOutEvent(event)  # type: ignore[arg-type]  # the stubs want QFocusEvent, which this is
        self.flush()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc saves and leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.flush()
            self.left.emit()
            return
        super().keyPressEvent(event)
