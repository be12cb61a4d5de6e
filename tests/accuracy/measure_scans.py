"""How many characters of a scan are read wrong: files whose text is known are scanned, read, and compared.

    python -m tests.accuracy.measure_scans ../shared/data/contracts --pages 2 --recogniser rapidocr

The character error rate is the edit distance between the text of the file and the text read from its scan, both
through the same reading order, over the length of the former. White space counts as one space (none in Chinese); the
lines of blanks to fill in are left out, because many files draw them and have no characters there. The "folded" rate
takes curly and straight quotes, full-width and half-width marks as the same. Seconds are processor seconds a page.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from engine.reading.ocr.choice import CHOICE_VARIABLE
from engine.reading.open_file import open_file
from tests.accuracy.make_scans import Scanner, scan

ENGLISH = (
    "bonterms-upstream/Bonterms-Cloud-Terms-Version-1.0.pdf",
    "bonterms-upstream/Bonterms-Mutual-NDA-Version-1.pdf",
    "cuad-pdf/LUCIDINC_04_15_2011-EX-10.9-DISTRIBUTOR_AGREEMENT.pdf",
    "cuad-pdf/SoupmanInc_20150814_8-K_EX-10.1_9230148_EX-10.1_Franchise_Ag.pdf",
    "cuad-pdf/TUNIUCORP_03_06_2014-EX-10-COOPERATION_AGREEMENT.pdf",
    "cuad-pdf/Apollo_Endosurgery_-_Manufacturing_and_Supply_Agreement.pdf",
    "cuad-pdf/MOELIS_CO_03_24_2014-EX-10.19-STRATEGIC_ALLIANCE_AGREEMENT.pdf",
    "common-paper-docx/common-paper-one-way-nda.docx",
)
CHINESE = (
    "zh-lease-pdf/上海房屋租赁合同.pdf",
    "zh-lease-pdf/合租合同.pdf",
    "zh-lease-pdf/房屋租赁三方合同.pdf",
    "zh-lease-pdf/房屋租赁合同(正规版).pdf",
    "zh-lease-pdf/房屋租赁合同（通用版）.pdf",
    "zh-lease-docx/房屋租赁合同(农村).docx",
    "zh-procurement-docx/软件技术支持服务合同.docx",
)
CONDITIONS = {
    "clean": Scanner(300),
    "clean, 200 dpi": Scanner(200),
    "tilted 1°": Scanner(300, tilt=1.0),
    "tilted 2°": Scanner(300, tilt=-2.0),
    "tilted 3°": Scanner(300, tilt=3.0),
    "turned 90°": Scanner(300, turn=90),
    "turned 180°": Scanner(300, turn=180),
    "turned 270°, tilted 1°": Scanner(300, tilt=1.0, turn=270),
    "turned 90°, tilted 2°": Scanner(300, tilt=2.0, turn=90),
    "noisy, 200 dpi": Scanner(200, noise=True),
    "low, 150 dpi": Scanner(150),
    "low and noisy, 150 dpi": Scanner(150, noise=True),
}
_FOLDS = str.maketrans("“”‘’„′″，。；：？！（）、％", "\"\"''\"'\",.;:?!(),%")
_BLANKS = re.compile(r"[_＿]+|\.{4,}|…{2,}")
_HAN = re.compile("[\u3400-\u9fff]")


def edit_distance(a: str, b: str) -> int:
    """Insertions, deletions and replacements from ``a`` to ``b`` (Myers 1999, as Hyyrö 2001 simplified it)."""
    if not a:
        return len(b)
    places: dict[str, int] = {}
    for i, character in enumerate(a):
        places[character] = places.get(character, 0) | 1 << i
    whole, last = (1 << len(a)) - 1, 1 << (len(a) - 1)
    up, down, distance = whole, 0, len(a)
    for character in b:
        same = places.get(character, 0)
        across = (((same & up) + up) ^ up) | same | down
        plus, minus = down | ~(across | up) & whole, up & across
        distance += bool(plus & last) - bool(minus & last)
        plus, minus = plus << 1 | 1, minus << 1
        up, down = (minus | ~((same | down) | plus)) & whole, plus & (same | down)
    return distance


def plain(text: str, folded: bool) -> str:
    """What is compared."""
    chinese = len(_HAN.findall(text)) > 0.2 * len(text)
    text = _BLANKS.sub(" ", text.translate(_FOLDS) if folded else text)
    return re.sub(r"\s+", "" if chinese else " ", text).strip()


def read_scan(path: Path) -> tuple[str, float]:
    """The text read from a scan, and seconds."""
    started = time.process_time()
    file = open_file(str(path))
    for _ in file.read():
        pass
    seconds = time.process_time() - started
    text = file.document.text
    file.close()
    return text, seconds


def measure(folder: Path, names: Sequence[str], scanner: Scanner, pages: int, show: bool) -> str:
    """One row's figures over some files."""
    wrong, wrong_folded, length, seconds, count = 0, 0, 0, [], 0
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            target = Path(temporary, "scan.pdf")
            document = scan(folder / name, target, scanner, pages)
            taken = document.pages[: min(pages or len(document.pages), len(document.pages))]
            known = document.text[: taken[-1].end]
            found, took = read_scan(target)
            seconds.append(took / len(taken))
            count += len(taken)
            distance = edit_distance(plain(known, False), plain(found, False))
            folded = edit_distance(plain(known, True), plain(found, True))
            wrong, wrong_folded, length = wrong + distance, wrong_folded + folded, length + len(plain(known, False))
            if show:
                share = distance / max(1, len(plain(known, False)))
                sys.stdout.write(f"    {share:7.2%} {folded:5d} {took / len(taken):5.1f} s  {Path(name).name}\n")
    rates = f"{wrong / length:.2%} | {wrong_folded / length:.2%} | {statistics.median(seconds):.1f}"
    return f"{len(names)} files, {count} pages, {length:,} characters | {rates}"


def main() -> int:
    """Print the table's rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=os.environ.get("ANTINOMY_DATA"))
    parser.add_argument("--pages", type=int, default=2, help="of each file, 0 for all")
    parser.add_argument("--files", type=int, default=99, help="only the first so many of each language")
    parser.add_argument("--recogniser", default="rapidocr")
    parser.add_argument("--only", default="", help="conditions that begin so")
    parser.add_argument("--language", default="", choices=("", "en", "zh"))
    parser.add_argument("--show", action="store_true", help="each file's own rate, folded errors and seconds a page")
    given = parser.parse_args()
    if given.folder is None:
        sys.stdout.write("name the folder of contracts (or set ANTINOMY_DATA)\n")
        return 2
    os.environ[CHOICE_VARIABLE] = given.recogniser
    sys.stdout.write("| language | scan | measured on | CER | folded | s a page |\n|---|---|---|---|---|---|\n")
    for condition, scanner in CONDITIONS.items():
        for language, names in (("en", ENGLISH), ("zh", CHINESE)):
            if condition.startswith(given.only) and given.language in ("", language):
                row = measure(Path(given.folder), names[: given.files], scanner, given.pages, given.show)
                sys.stdout.write(f"| {language} | {condition} | {row} |\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
