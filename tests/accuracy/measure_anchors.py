"""Measure the anchors on the difficult inputs: each line shows what is expected and what was found.

Usage: ``python tests/accuracy/measure_anchors.py DATA`` from the repository's root (or ANTINOMY_DATA); DATA holds
``difficult_inputs.jsonl``. The expectations are in words, so the verdict is by the table below, which says for each
input the anchors that must be found (kind and value), and the kinds that must not occur.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.anchors.extract import extract_from_text

#: id: (kind, value) pairs that must be found, then kinds that must not occur.
EXPECTED: dict[str, tuple[set[tuple[str, str]], set[str]]] = {
    "B015": ({("reference", "clause:5"), ("reference", "clause:6")}, set()),
    "B019": ({("quantity", "2345678.125 unit")}, set()),
    "B020": ({("amount", "USD 349"), ("quantity", "2 licence")}, set()),
    "B022": ({("amount", "EUR 712.4"), ("quantity", "1234.5 t")}, set()),
    "B024": ({("amount", "USD 1000000")}, set()),
    "B030": ({("reference", "clause:30"), ("reference", "clause:6")}, set()),
    "B031": ({("period", "P164D")}, set()),
    "B035": ({("period", "P301D")}, set()),
    "B036": ({("percent", "0.5%")}, set()),
    "B038": ({("date", "2020-04")}, set()),
    "B040": ({("date", "20XX-01-01")}, set()),
    "B041": ({("quantity", "#3 month")}, {"date"}),
    "B042": ({("date", "2016-11-28")}, set()),
    "B043": (set(), {"date"}),
    "B044": (set(), {"date"}),
    "B045": (set(), {"date"}),
    "B047": ({("period", "P30D")}, {"date"}),
    "B048": ({("rate", "R/P1M/31")}, {"date"}),
    "B049": ({("period", "P1Y"), ("period", "P2Y")}, set()),
    "B050": ({("period", "PT0.5H"), ("period", "P6M")}, set()),
    "B051": ({("date", "2023-08-19")}, set()),
    "B053": ({("date", "2025-01-01/2025-12-31")}, {"period"}),
    "B059": ({("amount", "CNY 3527.46"), ("amount", "CNY 204.9")}, set()),
    "B060": ({("amount", "CNY 207186")}, set()),
    "B062": ({("quantity", "175000"), ("quantity", "46000")}, set()),
    "B063": ({("amount", "CNY 12"), ("amount", "CNY 100000")}, set()),
    "B066": ({("amount", "CNY 35000.08")}, set()),
    "B067": ({("amount", "CNY 20")}, set()),
    "B070": ({("reference", "clause:12.4(c)(3)(ii)")}, set()),
    "B071": (
        {("reference", f"clause:{n}") for n in ("12-16", "19", "22", "(3)(b)", "(3)(c)", "(3)(d)", "(3)(e)")},
        set(),
    ),
    "B073": ({("reference", "external:Companies Act 44(1)"), ("reference", "external:Companies Act 45(3)")}, set()),
    "B077": ({("term", "Women's Committee"), ("term", "Buyer")}, set()),
    "B079": ({("term", "Loss")}, set()),
    "B081": ({("term", "例外与限制")}, set()),
    "B136": ({("amount", "CNY 123.45")}, set()),
}


def say(text: str) -> None:
    """Write a line of the report."""
    sys.stdout.write(text + "\n")


def main() -> int:
    """Print the verdicts; 2 when no data folder is given."""
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ANTINOMY_DATA", "")
    if not folder:
        say("Name the folder of the development data, or set ANTINOMY_DATA.")
        return 2
    right = total = 0
    lines = (Path(folder) / "difficult_inputs.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        case = json.loads(line)
        if case["area"] != "anchor":
            continue
        total += 1
        found = extract_from_text(case["input"])
        wanted, unwanted = EXPECTED.get(case["id"], (set(), set()))
        pairs = {(a.kind.value, a.value) for a in found}
        good = case["id"] in EXPECTED and wanted <= pairs and not unwanted & {a.kind.value for a in found}
        right += good
        if not good:
            say(f"{case['id']} {case['input']!r}: expected {case['expected']}; found {sorted(pairs)}")
    say(f"difficult inputs, anchors: {right}/{total}")
    text = "\n".join(json.loads(line)["input"] for line in lines) * 40
    started = time.process_time()
    extract_from_text(text)
    say(
        f"speed on them: {len(text) / 3000 / (time.process_time() - started):.0f} pages of 3,000 characters a "
        "second (CPU time)"
    )
    for unit in ("9", "(", "一", "Section 4.2, ", "“"):
        started = time.process_time()
        extract_from_text(unit * (10**6 // len(unit)))
        say(f"1 MB of {unit!r}: {time.process_time() - started:.1f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
