"""Watches the files of the documents on the desk: changed or gone on the disk. It looks at names and sizes alone."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from gui.state.file_pool import FilePool

#: A program that saves a file touches it several times; what it is in the end is looked at after this rest.
SETTLING_MS = 400


class FileState(enum.Enum):
    """How a file stands to what was opened."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


#: Size, time of the last change, and the file's number on its disk.
Stamp = tuple[int, int, int]


class FileWatch(QObject):
    """Tells, once each time, when a file is no longer what was opened.

    Signals:
        state_changed(id, FileState): a document's file has changed, has gone, or is as it was again.
    """

    state_changed = Signal(str, object)

    def __init__(self, pool: FilePool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._paths: dict[str, Path] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._states: dict[str, FileState] = {}
        self._system = QFileSystemWatcher(self)
        self._settling = QTimer(self, singleShot=True, interval=SETTLING_MS)
        self._system.fileChanged.connect(self._settling.start)
        self._system.directoryChanged.connect(self._settling.start)
        self._settling.timeout.connect(self.look)

    def watch(self, document_id: str, path: Path) -> None:
        """Take a document's file as it is now for the one that was opened."""
        self._paths[document_id] = path
        self._stamps[document_id] = _stamp(path)
        self._states[document_id] = FileState.SAME
        self._follow()

    def leave(self, document_id: str) -> None:
        """Watch a document's file no longer; harmless when it is not watched."""
        for known in (self._paths, self._stamps, self._states):
            known.pop(document_id, None)
        self._follow()

    def states(self) -> Mapping[str, FileState]:
        """How each watched file stood when it was looked at last."""
        return self._states

    @Slot()
    def look(self) -> None:
        """Look at all files now; also for network drives, of whose changes no system tells."""
        paths = dict(self._paths)
        # In another thread: a drive that sleeps takes its time to answer.
        self._pool.run(lambda: {each: _stamp(path) for each, path in paths.items()}, self.take_stamps)

    def take_stamps(self, found: object) -> None:
        """The files as they are now, by document."""
        if not isinstance(found, dict):
            return
        news: list[tuple[str, FileState]] = []
        for document_id, now in found.items():
            if document_id not in self._paths:
                continue
            before = self._stamps[document_id]
            state = FileState.GONE if now is None else FileState.SAME if now == before else FileState.CHANGED
            if state is not self._states[document_id]:
                self._states[document_id] = state
                news.append((document_id, state))
        self._follow()
        for document_id, state in news:
            self.state_changed.emit(document_id, state)

    @Slot()
    def close(self) -> None:
        """Watch nothing any more."""
        self._settling.stop()
        self._paths.clear()
        self._follow()

    def _follow(self) -> None:
        """Have the system watch the files, and the folders of those that are away: it forgets a file that goes."""
        wanted = {str(path) if path.exists() else str(path.parent) for path in self._paths.values()}
        watched = {*self._system.files(), *self._system.directories()}
        if watched - wanted:
            self._system.removePaths(sorted(watched - wanted))
        fresh = [path for path in sorted(wanted - watched) if Path(path).exists()]
        if fresh:
            self._system.addPaths(fresh)


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino
