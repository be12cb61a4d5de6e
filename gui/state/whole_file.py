"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A draft beside ``path`` to write into: it becomes ``path`` when that went well, and is gone when it did not.

    Raises:
        OSError: no room, or no right to write there.
    """
    draft = path.with_name(path.name + ".new")
    try:
        yield draft
        draft.replace(path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
