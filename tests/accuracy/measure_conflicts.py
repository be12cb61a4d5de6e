"""Review every contract of a folder with known conflicts, and score the findings.

    python tests/accuracy/measure_conflicts.py DATA OUT [--scorer SCORE_CONFLICTS_PY] [--without PART ...]

DATA holds ``gold.jsonl`` (one document a line: ``document``, ``conflicts`` with ``passages``) and the documents; in
the development data it is ``norm_conflicts``. OUT gets one ``NAME.json`` per document in the schema
``antinomy.findings/1``. With ``--folds FOLDER`` the i-th document is ranked by ``fold-{i % 5}.json`` of that folder,
which train_ranker.py wrote without having seen it, and looked at again by ``fold-{i % 5}.safetensors`` of
train_verifier.py. Printed: time, words, findings, the candidates' recall, and with ``--scorer`` that script's table (it
stands beside the data as ``score/score_conflicts.py``).
"""

from __future__ import annotations

import argparse
import collections
import functools
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine import APP_VERSION
from engine.anchors.extract import extract_anchors
from engine.conflicts.candidates import find_candidates
from engine.conflicts.encoding import encode_units
from engine.conflicts.ranker import read_ranker
from engine.conflicts.review import review_documents
from engine.conflicts.units import build_units
from engine.conflicts.verifier import read_verifier
from engine.document import Document
from engine.protocol.findings import (
    FINDINGS_SCHEMA,
    ClauseLine,
    DocumentLine,
    EngineLine,
    Finding,
    FindingsFile,
)
from engine.protocol.messages import ReviewOptions
from engine.reading.open_file import open_file
from engine.states.encoder import Encoder, load_encoder

WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")


def say(*words: object) -> None:
    """A line on the terminal, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def read_document(path: Path) -> Document:
    """The document as the reader process would send it."""
    opened = open_file(str(path))
    try:
        for _ in opened.read():
            pass
        return opened.document.without_boxes()
    finally:
        opened.close()


def covers(gold: str, found: str) -> bool:
    """The scorer's rule for a passage that answers a known one."""
    want, have = (collections.Counter(WORD.findall(text.lower())) for text in (gold, found))
    size = sum(want.values())
    return bool(size) and sum(have.values()) <= max(3 * size, 60) and sum((want & have).values()) >= 0.6 * size


def candidate_recall(
    document: Document, conflicts: list[dict], encoder_for: Callable[[str], Encoder]
) -> tuple[int, int, int]:
    """Known conflicts among the candidates, candidates, units."""
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, encoder_for, lambda *_: None, lambda: False)
    pairs = {(c.a, c.b) for c in find_candidates(units, encoded.vectors, lambda: False)[0]}
    hits = 0
    for conflict in conflicts:
        first, second = ([i for i, u in enumerate(units) if covers(p, u.text)] for p in conflict["passages"][:2])
        hits += any((min(a, b), max(a, b)) in pairs for a in first for b in second)
    return hits, len(pairs), len(units)


def findings_file(document: Document, findings: list[Finding]) -> FindingsFile:
    """The file that ``antinomy review --json`` writes."""
    clauses = tuple(ClauseLine(c.id, c.number, c.heading, c.start, c.end, c.page) for c in document.clauses)
    line = DocumentLine(document.id, document.name, document.language, len(document.pages), len(document.text), clauses)
    return FindingsFile(FINDINGS_SCHEMA, APP_VERSION, EngineLine("cpu", "", ""), (line,), tuple(findings))


def main() -> int:
    """Measure; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scorer", type=Path)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--full-check", action="store_true", help="read every candidate again, as a person may choose")
    parser.add_argument("--candidates", action="store_true", help="measure the candidates' recall too")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    encoders: dict[str, Encoder] = {}

    def encoder_for(language: str) -> Encoder:
        if language not in encoders:
            encoders[language] = load_encoder(language)
        return encoders[language]

    options = ReviewOptions(without=tuple(args.without), full_check=args.full_check)
    known = hits = pairs = units = 0
    for i, entry in enumerate(map(json.loads, (args.data / "gold.jsonl").read_text(encoding="utf-8").splitlines())):
        ranker = read_ranker(args.folds / f"fold-{i % 5}.json") if args.folds else None
        second = args.folds / f"fold-{i % 5}.safetensors" if args.folds else None
        verifier = functools.partial(read_verifier, second, compensated="compensation" not in args.without)
        path = args.data / entry["document"]
        document = read_document(path)
        started = time.process_time()
        findings, seconds = review_documents(
            [document], encoder_for=encoder_for, options=options, progress=lambda *_: None, cancelled=lambda: False,
            ranker=ranker, verifier=verifier if second else None, notice=say,
        )  # fmt: skip
        used_s = time.process_time() - started
        (args.out / f"{path.name}.json").write_bytes(msgspec.json.encode(findings_file(document, findings)))
        stages = " ".join(f"{name} {value:.1f}" for name, value in seconds.items())
        count = f"{len(document.text.split()):6} words {len(findings):4} findings {used_s:5.1f} s CPU"
        say(f"{path.name[:50]:50} {count} ({stages})")
        if args.candidates:
            found = candidate_recall(document, entry["conflicts"], encoder_for)
            known += len(entry["conflicts"])
            hits, pairs, units = hits + found[0], pairs + found[1], units + found[2]
    if args.candidates:
        say(f"candidates hold {hits} of {known} known conflicts, {2 * pairs / max(1, units):.1f} candidates a sentence")
    if args.scorer:
        return subprocess.run([sys.executable, args.scorer, args.data / "gold.jsonl", args.out], check=False).returncode
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
