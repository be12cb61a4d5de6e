"""Writes the font with Chinese glyphs that MuPDF carries, for a window on a system that has none.

A process of its own: the window may not import MuPDF. ``python -m engine.export_font PATH``.
"""

from __future__ import annotations

import sys
from pathlib import Path


def export_font(path: Path) -> None:
    """Write the font to ``path``, whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    import pymupdf

    font = pymupdf.Font("china-s")  # type: ignore[no-untyped-call]  # pymupdf's methods carry no types
    data = font.buffer
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(data)
    fresh.replace(path)


if __name__ == "__main__":
    export_font(Path(sys.argv[1]))
