"""How often a bracket or quotation mark that is taken out of a proofread text is missed by draft.unpaired.

Usage: ``python tests/accuracy/measure_pairing.py DATA [--cache FOLDER] [--each 8]`` from the repository's root, where
DATA is the development data (``contracts/``; also taken from ANTINOMY_DATA). In each template so many marks, drawn by
chance, are taken out one at a time; one counts as found when the check names a mark within 400 characters of it.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_checks import read, templates

from engine.conflicts.checks.evidence import Evidence
from engine.conflicts.checks.pairing import _is_cell, unpaired
from engine.reading.errors import ReadingError

_SORTS = {"bracket": re.compile(r"[()（）]"), "square": re.compile(r"[\[\]【】]"), "quote": re.compile(r"[“”\"]")}
NEAR = 400


def main() -> int:
    """Print found and taken out by sort; 2 when no data folder is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default=os.environ.get("ANTINOMY_DATA", ""))
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--each", type=int, default=8)
    arguments = parser.parse_args()
    if not arguments.data:
        sys.stdout.write("Name the folder of the development data, or set ANTINOMY_DATA.\n")
        return 2
    chance = random.Random(11)
    taken: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed: list[str] = []
    for path in templates(Path(arguments.data)):
        try:
            document = read(path, arguments.cache)
        except ReadingError:
            continue
        evidence, text = Evidence(document, []), document.text
        before = {mark.at for mark in unpaired(text)}
        for sort, pattern in _SORTS.items():
            places = [m.start() for m in pattern.finditer(text) if not _is_cell(evidence, m.start())]
            for at in chance.sample(places, min(arguments.each, len(places))):
                left = text[:at] + text[at + 1 :]
                new = [m.at for m in unpaired(left) if (m.at if m.at < at else m.at + 1) not in before]
                taken[sort] += 1
                if any(abs(place - at) <= NEAR for place in new):
                    found[sort] += 1
                elif len(missed) < 12:
                    around = f"{text[max(0, at - 50) : at]}⟦{text[at]}⟧{text[at + 1 : at + 50]}"
                    missed.append(f"{sort}: {around}".replace("\n", "⏎"))
    for sort in _SORTS:
        sys.stdout.write(f"{sort}: {found[sort]} of {taken[sort]} taken out were found\n")
    sys.stdout.write("\n".join(missed) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
