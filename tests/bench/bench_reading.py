"""Pages a second of the reader, next to other PDF readers where they are installed.

    python tests/bench/bench_reading.py FOLDER [--limit N]

FOLDER holds PDF and text files (searched with its subfolders); without it ANTINOMY_DATA, else our samples. Ours
includes reading order, structure, sentences and boxes; the others only bring text. CPU seconds of one
core are counted, so that a busy machine changes little; each file is read once before.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.reading.errors import ReadingError
from engine.reading.open_file import open_file

SUFFIXES = (".pdf", ".txt", ".md")


def say(line: str) -> None:
    """One line to the standard output."""
    sys.stdout.write(line + "\n")


def read_ours(path: Path) -> int:
    """Read a file to its Document; its number of pages."""
    file = open_file(str(path))
    for _ in file.read():
        pass
    pages = len(file.document.pages)
    file.close()
    return pages


def read_pdfplumber(path: Path) -> int:
    """The text of all pages with pdfplumber."""
    with importlib.import_module("pdfplumber").open(path) as file:
        for page in file.pages:
            page.extract_text()
        return len(file.pages)


def read_pymupdf4llm(path: Path) -> int:
    """Markdown of all pages with pymupdf4llm."""
    return len(importlib.import_module("pymupdf4llm").to_markdown(str(path), page_chunks=True))


def measure(read: Callable[[Path], int], files: list[Path]) -> tuple[int, float]:
    """Pages and CPU seconds over the files that can be read."""
    pages, seconds = 0, 0.0
    for path in files:
        try:
            read(path)
            start = time.process_time()
            pages += read(path)
            seconds += time.process_time() - start
        except ReadingError as error:
            sys.stderr.write(f"  {path.name}: {error.fault.sentence}\n")
    return pages, seconds


def main() -> int:
    """Print one line a reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--limit", type=int, default=40)
    arguments = parser.parse_args()
    if arguments.folder is None:
        # The samples alone: real enough to see a change, too few to quote.
        arguments.folder = Path(__file__).parents[2] / "resources" / "samples"
        say("no folder and no ANTINOMY_DATA: the samples of resources/ are read")
    files = sorted(path for path in Path(arguments.folder).rglob("*") if path.suffix.lower() in SUFFIXES)[
        : arguments.limit
    ]
    pdfs = [path for path in files if path.suffix.lower() == ".pdf"]
    say(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {len(files)} files")
    readers: list[tuple[str, Callable[[Path], int], list[Path]]] = [
        ("antinomy, PDF", read_ours, pdfs),
        ("antinomy, text", read_ours, [path for path in files if path not in pdfs]),
    ]
    for name, module, read in (
        ("pdfplumber", "pdfplumber", read_pdfplumber),
        ("pymupdf4llm", "pymupdf4llm", read_pymupdf4llm),
    ):
        if importlib.util.find_spec(module) is None:
            say(f"{name:16} not installed: pip install {module}")
        else:
            readers.append((name, read, pdfs))
    for name, read, chosen in readers:
        pages, seconds = measure(read, chosen)
        say(f"{name:16} {pages:6} pages {seconds:8.2f} s  {pages / max(seconds, 1e-9):7.1f} pages/s")
    say(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
