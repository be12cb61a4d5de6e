"""A stand-in for LibreOffice's program, so that tests need none: it writes what a test lays out for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pymupdf
import pytest

#: Takes the laid-out result, and leaves what it was given where the test can look.
RENDER = """
out = pathlib.Path(sys.argv[sys.argv.index("--outdir") + 1])
out.mkdir()
(out / "file.pdf").write_bytes((here / "result.pdf").read_bytes())
(here / "given.docx").write_bytes(pathlib.Path(sys.argv[-1]).read_bytes())
"""


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a program named soffice on an otherwise empty path; ``here`` is ``folder`` in its ``body``."""
    script = folder / "soffice"
    script.write_text(f"#!{sys.executable}\nimport pathlib, sys\nhere = pathlib.Path({str(folder)!r})\n{body}\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def pages(*contents: list[tuple[float, float, str]]) -> bytes:
    """A PDF of pages with words at (x, y)."""
    with pymupdf.open() as file:
        for content in contents:
            page = file.new_page(width=400, height=300)
            for x, y, words in content:
                chinese = any(character > "\u24ff" for character in words)
                page.insert_text((x, y), words, fontsize=11, fontname="china-s" if chinese else "tiro")
        data: bytes = file.tobytes()
        return data
