"""Compares the automatic numbers of Word files with those that LibreOffice shows.

    python tests/accuracy/compare_docx_numbering.py FOLDER

Every .docx under FOLDER (or under $ANTINOMY_DATA) is read by us and converted to text by ``soffice``,
whose lines carry the numbers as displayed. Each of our blocks is looked up among those lines, in order;
what stands there before its words must be our label. Exit status 1 when a label differs.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.reading.docx import read_source
from engine.reading.errors import ReadingError

_BLANK = re.compile(r"\s+")
#: How far ahead of the last match a line may stand (text boxes and notes come elsewhere in LibreOffice).
AHEAD = 400
#: LibreOffice's text shows signs of its own for some bullets.
_BULLETS = re.compile(r"^[•●○■□▪◦–\-o➢✓§⇨·*❖◆★]$")


def squeezed(text: str) -> str:
    """Without any white space."""
    return _BLANK.sub("", text)


def reference_lines(files: list[Path], folder: Path) -> dict[Path, list[str]]:
    """LibreOffice's text lines of each file, squeezed."""
    found = {}
    for index, file in enumerate(files):
        (folder / f"{index}.docx").write_bytes(file.read_bytes())
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to"]
    command += ["txt:Text (encoded):UTF8", "--outdir", str(folder / "out")]
    command += [str(folder / f"{i}.docx") for i in range(len(files))]
    subprocess.run(command, check=True, capture_output=True, timeout=900)
    for index, file in enumerate(files):
        path = folder / "out" / f"{index}.txt"
        if path.exists():
            text = path.read_text("utf-8-sig")
            found[file] = [line for line in map(squeezed, text.splitlines()) if line]
    return found


def compare(file: Path, lines: list[str]) -> tuple[int, int, list[str]]:
    """(labels that agree, labels seen, differences in words)."""
    source = read_source(file.read_bytes())
    at, agree, seen = 0, 0, 0
    wrong = []
    for block in source.blocks:
        label = squeezed(source.text[block.start : block.label_end])
        body = squeezed(source.text[block.label_end : block.end]).replace("\u2011", "-")
        if not body:
            continue
        place = next((i for i in range(at, min(at + AHEAD, len(lines))) if lines[i].endswith(body)), -1)
        if place < 0:
            if label:
                seen += 1
                wrong.append(f"not found: {label} {body[:40]}")
            continue
        shown = lines[place][: len(lines[place]) - len(body)]
        at = place + 1
        if not label and not shown:
            continue
        seen += 1
        if shown == label or (_BULLETS.search(label) and _BULLETS.search(shown)):
            agree += 1
        else:
            wrong.append(f"ours {label!r}, LibreOffice {shown!r}: {body[:40]}")
    return agree, seen, wrong


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    arguments = parser.parse_args()
    if not arguments.folder:
        print("Name a folder with .docx files (or set ANTINOMY_DATA).")  # noqa: T201 - a script's output
        return 2
    if shutil.which("soffice") is None:
        print("LibreOffice (soffice) is not installed.")  # noqa: T201 - a script's output
        return 2
    files = sorted(Path(arguments.folder).rglob("*.docx"))
    total, right = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        lines = reference_lines(files, Path(folder))
    for file in files:
        try:
            agree, seen, wrong = compare(file, lines.get(file, []))
        except ReadingError as error:
            print(f"{file.name}: {error}")  # noqa: T201 - a script's output
            continue
        total, right = total + seen, right + agree
        print(f"{file.name}: {agree} of {seen}")  # noqa: T201 - a script's output
        for line in wrong:
            print(f"    {line}")  # noqa: T201 - a script's output
    print(f"labels that agree: {right} of {total} in {len(files)} files")  # noqa: T201 - a script's output
    return 0 if right == total else 1


if __name__ == "__main__":
    raise SystemExit(main())
