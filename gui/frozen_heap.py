"""What has been loaded is set aside from Python's collections of rubbish: with it, each of them stops the window.

A full collection looks at every object there is, 40 to 100 ms of them in a window with a contract and its findings,
and comes whenever a quarter more has been made. What stands in the permanent generation (``gc.freeze``) is not looked
at; almost all of ours is freed by counting its uses all the same.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

from gui.state.desk import Desk

#: After this rest what was loaded has settled.
RESTING_MS = 1500


class FrozenHeap(QObject):
    """Sets aside what the program, a contract and a review have brought; lets it go with the contract."""

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rest = QTimer(self, singleShot=True, interval=RESTING_MS)
        self._rest.timeout.connect(self.on_rest_timeout)
        desk.document_known.connect(self._rest.start)
        desk.book.rows_reset.connect(self._rest.start)
        desk.current_changed.connect(self.on_desk_current_changed)
        self._rest.start()

    @Slot()
    def on_rest_timeout(self) -> None:
        """Set aside all there is, the little rubbish among it too: a collection before would be a pause."""
        gc.freeze()

    @Slot(str)
    def on_desk_current_changed(self, document_id: str) -> None:
        """The desk is cleared: what it held may be collected."""
        if not document_id:
            gc.unfreeze()
            self._rest.start()
