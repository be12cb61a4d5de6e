"""One writer per matter: a lock of the operating system on a file beside it.

The kernel frees it when its process dies, however it dies, so a stale lock file never locks anyone out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


class WriterLock:
    """The right to write a matter, held until :meth:`release` or the end of the process."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor = descriptor
        self._path = path

    @classmethod
    def acquire(cls, matter: Path) -> WriterLock | None:
        """The lock, or None while another process (or another Matter in this one) holds it.

        Raises:
            OSError: the lock file cannot be made (a folder that is read-only).
        """
        path = matter.with_name(matter.name + ".lock")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if _lock(descriptor):
            return cls(descriptor, path)
        os.close(descriptor)
        return None

    def release(self) -> None:
        """Give the right back. The empty file stays: deleting it would let two writers lock two files."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        # flock, not lockf: closing any other descriptor of the file must not free it.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
