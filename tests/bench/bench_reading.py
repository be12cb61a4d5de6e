"""Pages a second of the reader, next to other PDF readers where they are installed.

    python tests/bench/bench_reading.py FOLDER [--limit N] [--site FOLDER]

FOLDER holds PDF and text files (searched with its subfolders); without it ANTINOMY_DATA, else our samples. Ours
includes reading order, structure, sentences and boxes; the others only bring text. CPU seconds of one
core are counted, file by file in turn, so that a busy machine changes little and all of them alike; each
reader reads one file before. PDFs are those with a text layer. ``--site`` is the site-packages folder of
another environment in which pdfplumber and pymupdf4llm are installed. The memory is that of a process of its own which
reads 300 pages made of the files.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.document import pack
from engine.reading.errors import ReadingError
from engine.reading.mupdf import DAMAGE, pymupdf
from engine.reading.ocr.choice import CHOICE_VARIABLE, NONE
from engine.reading.open_file import open_file

SUFFIXES = (".pdf", ".txt", ".md")
PAGES = 300
UNREADABLE: tuple[type[Exception], ...] = (ReadingError, *DAMAGE)


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


def measure(readers: dict[str, Callable[[Path], int]], files: list[Path]) -> dict[str, list[tuple[int, float]]]:
    """(pages, CPU seconds) by reader, one for each file; all readers read a file before the next."""
    for read in readers.values():
        read(files[0])
    found: dict[str, list[tuple[int, float]]] = {name: [] for name in readers}
    for path in files:
        for name, read in readers.items():
            start = time.process_time()
            pages = read(path)
            found[name].append((pages, time.process_time() - start))
    return found


def is_text(path: Path) -> bool:
    """Whether our reader opens it and, in a PDF, nearly all pages have a text layer."""
    try:
        with contextlib.closing(open_file(str(path))) as file:
            if path.suffix.lower() != ".pdf":
                return True
            with pymupdf.open(path) as made:
                return sum(len(page.get_text()) > 50 for page in made) > 0.9 * len(file.page_sizes)
    except UNREADABLE as error:
        sys.stderr.write(f"  {path.name} is left out: {error}\n")
        return False


def memory_of_300_pages(pdfs: list[Path]) -> tuple[int, int, int]:
    """(pages, characters, most memory in MB) of a process that reads 300 pages of these files."""
    with tempfile.TemporaryDirectory() as folder, pymupdf.open() as made:
        while made.page_count < PAGES:
            for path in pdfs:
                with pymupdf.open(path) as source:
                    made.insert_pdf(source, to_page=PAGES - made.page_count - 1)
                if made.page_count >= PAGES:
                    break
        path = Path(folder) / "long.pdf"
        made.save(path)
        code = "import sys; sys.path[:0] = sys.argv[1:3]; import bench_reading as b; b.report_memory(sys.argv[3])"
        here = Path(__file__)
        command = [sys.executable, "-c", code, str(here.parents[2]), str(here.parent), str(path)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(answer[0]), int(answer[1]), int(answer[2])


def report_memory(path: str) -> None:
    """Read a file to its saved form; print pages, characters and this process's most memory in MB."""
    file = open_file(path)
    for _ in file.read():
        pass
    document = file.document
    pack(document)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    say(f"{len(document.pages)} {len(document.text)} {most}")


def main() -> int:
    """Print one line a reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--limit", type=int, default=40, help="read so many PDFs and so many texts")
    parser.add_argument("--site", help="site-packages of an environment with pdfplumber and pymupdf4llm")
    arguments = parser.parse_args()
    if arguments.folder is None:
        # The samples alone: real enough to see a change, too few to quote.
        arguments.folder = Path(__file__).parents[2] / "resources" / "samples"
        say("no folder and no ANTINOMY_DATA: the samples of resources/ are read")
    if arguments.site is not None:
        # Behind our own packages, so that both sides use one MuPDF.
        sys.path.append(arguments.site)
    os.environ[CHOICE_VARIABLE] = NONE
    files = sorted(path for path in Path(arguments.folder).rglob("*") if path.suffix.lower() in SUFFIXES)
    files = [path for path in files if is_text(path)]
    pdfs = [path for path in files if path.suffix.lower() == ".pdf"][: arguments.limit]
    texts = [path for path in files if path.suffix.lower() != ".pdf"][: arguments.limit]
    cores, load = os.cpu_count(), os.getloadavg()[0]
    say(f"{platform.machine()}, {cores} cores (load {load:.1f}), Python {platform.python_version()}")
    readers: dict[str, Callable[[Path], int]] = {"antinomy, PDF": read_ours}
    for name, read in (("pymupdf4llm", read_pymupdf4llm), ("pdfplumber", read_pdfplumber)):
        if importlib.util.find_spec(name) is None:
            say(f"{name:16} not installed: pip install {name} (in an environment of its own, see --site)")
        else:
            readers[name] = read
    groups: list[tuple[dict[str, Callable[[Path], int]], list[Path]]] = [
        (readers, pdfs), ({"antinomy, text": read_ours}, texts)
    ]  # fmt: skip
    for chosen, group in groups:
        if not group:
            continue
        for name, found in measure(chosen, group).items():
            pages, seconds = sum(each[0] for each in found), sum(each[1] for each in found)
            middle = statistics.median(pages / max(cpu, 1e-9) for pages, cpu in found)
            speed = f"{pages / max(seconds, 1e-9):7.1f} pages/s, median of files {middle:7.1f}"
            say(f"{name:16} {len(found):3} files {pages:6} pages {seconds:8.2f} s  {speed}")
    if pdfs:
        pages, characters, most = memory_of_300_pages(pdfs)
        say(f"memory           {pages} pages, {characters:,} characters: {most} MB at most (asked: under 700)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
