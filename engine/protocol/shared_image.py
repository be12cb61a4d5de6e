"""Memory that the window and the reader share for one page image.

On Linux it is a ``memfd`` that the reader opens through ``/proc``: it has no name in a file system, so
whoever is killed at whatever moment, the kernel frees it. Elsewhere it is the standard library's
shared memory. Either way the asker makes it, and only the asker's closing frees it.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
from collections.abc import Iterator, Sized
from multiprocessing import resource_tracker, shared_memory
from typing import Protocol


class SharedImage(Protocol):
    """Memory for one image, as its maker holds it."""

    @property
    def name(self) -> str:
        """What the other process opens it by."""
        ...

    @property
    def capacity(self) -> int:
        """Its size in bytes."""
        ...

    @property
    def view(self) -> memoryview:
        """Its bytes; release what is made of it before :meth:`close`."""
        ...

    def close(self) -> None:
        """Free it; a second call does nothing."""
        ...


class _MemoryFile:
    """An anonymous file in memory (Linux)."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._file = os.memfd_create("antinomy-page", os.MFD_CLOEXEC)
        try:
            os.ftruncate(self._file, capacity)
            self._map = mmap.mmap(self._file, capacity)
        except (OSError, ValueError):
            os.close(self._file)
            raise
        self.name = f"/proc/{os.getpid()}/fd/{self._file}"
        self.view = memoryview(self._map)

    def close(self) -> None:
        if self._file >= 0:
            self.view.release()
            self._map.close()
            os.close(self._file)
            self._file = -1


class _NamedMemory:
    """The standard library's named shared memory (macOS, Windows)."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._memory: shared_memory.SharedMemory | None = shared_memory.SharedMemory(create=True, size=capacity)
        self.name = self._memory.name
        self.view = memoryview(self._memory.buf or b"")[:capacity]

    def close(self) -> None:
        if self._memory is not None:
            self.view.release()
            self._memory.close()
            # Windows frees it with its last user; elsewhere the name has to go too.
            with contextlib.suppress(FileNotFoundError):
                self._memory.unlink()
            self._memory = None


def create_image(capacity: int, *, named: bool = sys.platform != "linux") -> SharedImage:
    """New memory for an image of at most ``capacity`` bytes.

    Raises:
        OSError, ValueError: there is not that much memory, or ``capacity`` is not positive.
    """
    return _NamedMemory(capacity) if named else _MemoryFile(capacity)


@contextlib.contextmanager
def attached(name: str, capacity: int) -> Iterator[memoryview]:
    """The asker's memory in this process; call it from the process's main thread only.

    Raises:
        OSError: it is gone.
        ValueError: it is smaller than ``capacity``.
    """
    if name.startswith("/proc/"):
        file = os.open(name, os.O_RDWR | os.O_CLOEXEC)
        try:
            mapped = mmap.mmap(file, capacity)
        finally:
            os.close(file)
        with mapped, memoryview(mapped) as view:
            yield view
    else:
        memory = _attach_untracked(name)
        try:
            if memory.size < capacity:
                raise ValueError(f"the shared memory holds {memory.size} bytes, not {capacity}")
            with memoryview(memory.buf or b"")[:capacity] as view:
                yield view
        finally:
            memory.close()


def _attach_untracked(name: str) -> shared_memory.SharedMemory:
    """Attach without telling the resource tracker, which would free the asker's memory when we end.

    Python 3.13 has ``track=False`` for this (python/cpython#82300).
    """
    register = resource_tracker.register

    def ignore(name: Sized, rtype: str) -> None:
        """The asker owns it."""

    resource_tracker.register = ignore
    try:
        return shared_memory.SharedMemory(name)
    finally:
        resource_tracker.register = register
