"""Measure the document checks on real contracts with judged errors, on look-alikes, and on proofread templates.

Usage: ``python tests/accuracy/measure_checks.py DATA [--list] [--cache FOLDER]`` from the repository's root, where DATA
is the development data (``real_conflicts/`` and ``contracts/``; also taken from ANTINOMY_DATA). Prints recall per kind,
the traps that fire, and alarms per 10 pages (of 3,000 characters) on the templates; ``--list`` prints each alarm.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.anchors.extract import extract_anchors, extract_from_text
from engine.conflicts.checks import run_checks
from engine.document import Document, pack, unpack
from engine.protocol.findings import Finding
from engine.reading.errors import ReadingError
from engine.reading.open_file import open_file

CHARACTERS_A_PAGE = 3000
EXPECTED = {
    "words-vs-figures": ("value.words_figures",),
    "dangling-cross-ref": ("reference.dangling",),
    "wrong-self-reference": ("reference.self", "reference.dangling"),
    "number-title-mismatch": ("reference.misdirected", "reference.dangling"),
    "toc-body-mismatch": ("number.duplicate", "reference.dangling"),
    "duplicate-number": ("number.duplicate", "number.order", "number.gap"),
    "number-gap": ("number.gap",),
    "sum-mismatch": ("value.arithmetic",),
    "wrong-cross-ref": ("reference.misdirected", "reference.dangling"),
    "unselected-option": ("draft.option",),
    "party-name": ("party.name",),
}
TEMPLATE_FOLDERS = ("bonterms-upstream", "common-paper-docx", "common-paper-pdf", "english-md", "openagreements-docx",
                    "zh-lease-docx", "zh-lease-pdf", "zh-procurement-docx")  # fmt: skip


def say(text: str) -> None:
    """Write a line of the report."""
    sys.stdout.write(text + "\n")


def read(path: Path, cache: Path | None) -> Document:
    """The Document of a file, without boxes; kept in ``cache`` between runs when one is given."""
    kept = cache / f"{path.parent.name}__{path.name}.antd" if cache else None
    if kept and kept.exists():
        return unpack(kept.read_bytes())
    opened = open_file(str(path))
    for _ in opened.read():
        pass
    document = opened.document.without_boxes()
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pack(document))
    return document


def numbers_in(text: str) -> list[str]:
    """Dotted numbers and figures of a quotation."""
    return re.findall(r"\d+(?:[.,]\d+)*", text)


def shows(findings: list[Finding], kind: str, passage_a: str, passage_b: str) -> bool:
    """Whether a finding of the expected code quotes a number of the case."""
    keys = numbers_in(passage_b if kind == "words-vs-figures" else f"{passage_a} {passage_b}")
    wanted = [f for f in findings if f.code in EXPECTED[kind]]
    for finding in wanted:
        quoted = " ".join(p.text for p in finding.passages) + " " + finding.summary
        if not keys or any(re.search(rf"(?<![\d.]){re.escape(key)}(?!\d)", quoted) for key in keys):
            return True
    return False


def recall(data: Path, cache: Path | None) -> None:
    """Print, per kind, how many judged errors are found in their documents."""
    found: dict[str, list[str]] = defaultdict(list)
    missed: dict[str, list[str]] = defaultdict(list)
    reviewed: dict[str, list[Finding]] = {}
    with (data / "real_conflicts" / "conflicts.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            if row["kind"] not in EXPECTED or not row["document"]:
                continue
            name = row["document"]
            if name not in reviewed:
                document = read(data / "real_conflicts" / name, cache)
                reviewed[name] = run_checks(document, extract_anchors(document))
            hit = shows(reviewed[name], row["kind"], row["passage_a"], row["passage_b"])
            (found if hit else missed)[row["kind"]].append(row["id"])
    for kind in sorted({*found, *missed}):
        total = len(found[kind]) + len(missed[kind])
        say(f"{kind:24} {len(found[kind])}/{total}" + (f"   missed: {' '.join(missed[kind])}" if missed[kind] else ""))


def as_document(text: str) -> Document:
    """A one-sentence text as a Document without clauses, for quotations that have no file."""
    from engine.document import CharacterBoxes, Media, Page, Sentence

    return Document(
        "sha256:0", "quotation", Media.TEXT, "en", text, (Page(0, 595.0, 842.0, 0, len(text)),), (),
        (Sentence(0, len(text), ""),), (), (), CharacterBoxes.empty(),
    )  # fmt: skip


def quotations(data: Path) -> None:
    """Print which judged errors without a document are found in their quotation alone."""
    with (data / "real_conflicts" / "conflicts.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            if row["document"] or row["kind"] != "words-vs-figures":
                continue
            text = (
                f"{row['passage_a']} {row['passage_b']}"
                if row["language"] == "en"
                else row["passage_a"] + row["passage_b"]
            )
            findings = run_checks(as_document(text), extract_from_text(text, row["language"]))
            hit = any(f.code in EXPECTED[row["kind"]] for f in findings)
            say(f"quotation {row['id']} {row['kind']}: {'found' if hit else 'MISSED'}")


def traps(data: Path) -> None:
    """Print the look-alikes that fire; there should be none."""
    fired = 0
    total = 0
    with (data / "real_conflicts" / "traps.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            total += 1
            findings = run_checks(as_document(row["text"]), extract_from_text(row["text"], row["language"]))
            if findings:
                fired += 1
                say(f"TRAP {row['rule_that_misfires']}: {row['text']} -> {[f.code for f in findings]}")
    say(f"traps fired: {fired}/{total}")


def templates(data: Path) -> Iterator[Path]:
    """The proofread templates, each content once (a PDF beside its DOCX is left out)."""
    seen: set[str] = set()
    for folder in TEMPLATE_FOLDERS:
        for path in sorted((data / "contracts" / folder).glob("*")):
            if path.suffix.lower() in (".docx", ".pdf", ".md", ".txt") and path.stem not in seen:
                seen.add(path.stem)
                yield path


def alarms(data: Path, cache: Path | None, listed: bool) -> None:
    """Print alarms per 10 pages on the templates, by code."""
    codes: Counter[str] = Counter()
    pages = seconds = 0.0
    for path in templates(data):
        try:
            document = read(path, cache)
        except ReadingError as error:
            say(f"not read: {path.name}: {error}")
            continue
        started = time.process_time()
        findings = run_checks(document, extract_anchors(document))
        seconds += time.process_time() - started
        pages += len(document.text) / CHARACTERS_A_PAGE
        codes.update(f.code for f in findings)
        if listed and findings:
            say(f"## {path.name}")
            for finding in findings:
                say(f"   {finding.code} {finding.score} {finding.summary}")
                say(f"      {finding.passages[0].text[:200]!r}")
    total = sum(codes.values())
    say(
        f"templates: {total} alarms on {pages:.0f} pages = {10 * total / max(pages, 1):.2f} per 10 pages; {dict(codes)}"
    )
    say(f"speed: {pages / max(seconds, 1e-9):.0f} pages/s (anchors and checks; CPU time of one core)")


def main() -> int:
    """Run all measurements; 2 when no data folder is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default=os.environ.get("ANTINOMY_DATA", ""))
    parser.add_argument("--list", action="store_true", help="print each alarm on the templates")
    parser.add_argument("--cache", type=Path, help="folder that keeps read documents between runs")
    arguments = parser.parse_args()
    if not arguments.data:
        say("Name the folder of the development data, or set ANTINOMY_DATA.")
        return 2
    data = Path(arguments.data)
    recall(data, arguments.cache)
    quotations(data)
    traps(data)
    alarms(data, arguments.cache, arguments.list)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
