"""How fast anchors are found and looked up: pages a second, the anchor table against a saved dictionary.

    python tests/bench/bench_anchors.py [--contracts 1000] [--anchors 1000]

Makes its own inputs; ANTINOMY_DATA with ``cuad/contracts/*.txt`` adds real text. Extraction is in CPU time of one core
and pages of 3,000 characters; the table's times are medians of wall time.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.table import AnchorTable, build
from engine.anchors.table_format import value_key, with_document

_SENTENCES = (
    "The Buyer shall pay each invoice within thirty (30) days after its receipt, as Section {n}.2(b) provides. ",
    "The aggregate liability of the Seller shall not exceed $1,{n:03d},000 (the “Cap”), notwithstanding Article {n}. ",
    "Either party may terminate this Agreement upon not less than ninety (90) days' prior written notice. ",
    "This Agreement is made as of March 4, 2021 between Acme Widgets, Inc. (“Seller”) and Foo Bar LLC (“Buyer”). ",
    "甲方应于收到发票之日起三十日内付款，逾期的每日支付万分之五的违约金。合同总价为人民币壹佰万元整（¥1,000,000）。",
)


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def median_s(act: Callable[[], object], times: int = 5) -> float:
    """The median wall time of ``times`` runs."""
    took = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        took.append(time.perf_counter() - started)
    return statistics.median(took)


def extraction() -> None:
    """Pages a second on made text, and on real text when there is some."""
    made = "".join(_SENTENCES[n % len(_SENTENCES)].format(n=n % 400) for n in range(3000))
    texts = {"made": [made]}
    folder = Path(os.environ.get("ANTINOMY_DATA", "")) / "cuad" / "contracts"
    if os.environ.get("ANTINOMY_DATA") and folder.is_dir():
        texts["cuad"] = [p.read_text(encoding="utf-8", errors="replace") for p in sorted(folder.glob("*.txt"))[:20]]
    for name, contracts in texts.items():
        started = time.process_time()
        found = sum(len(extract_from_text(text)) for text in contracts)
        seconds = time.process_time() - started
        pages = sum(map(len, contracts)) / 3000
        say(f"extraction, {name}: {pages / seconds:.0f} pages/s, {found / pages:.0f} anchors a page (asked 20 pages/s)")


def table(contracts: int, anchors: int) -> None:
    """Build, open and look up a matter, beside a dictionary of the same content."""
    values = [f"P{i}D" for i in range(1, 400)] + [f"USD {1000 * i}" for i in range(1, 400)]
    chance = random.Random(7)
    documents = {
        f"sha256:{d:064x}": [
            Anchor(AnchorKind.PERIOD, chance.choice(values), 30 * i, 30 * i + 8) for i in range(anchors)
        ]
        for d in range(contracts)
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matter.saht"
        built = median_s(lambda: build(path, documents), 3)
        plain: dict[str, list[tuple[int, int]]] = {}
        for name, found in documents.items():
            for a in found:
                plain.setdefault(f"{name}\x1f{a.kind.value}\x1f{a.value}", []).append((a.start, a.end))
        decoder = msgspec.msgpack.Decoder(dict[str, list[tuple[int, int]]])
        saved = median_s(lambda: decoder.decode(msgspec.msgpack.encode(plain)), 3)
        say(f"table of {contracts * anchors:,} anchors: {path.stat().st_size / 2**20:.0f} MB, built in {built:.2f} s")
        say(f"the same as a dictionary saved in msgpack and loaded: {saved:.2f} s, {saved / built:.1f} times as long")
        say(f"opening: {1000 * median_s(lambda: AnchorTable.open(path)):.2f} ms (asked 5)")
        opened = AnchorTable.open(path)
        owner = np.array([value_key("period", values[i % len(values)]) for i in range(1_000_000)], np.uint64)
        number = np.random.default_rng(1).integers(0, contracts, 1_000_000).astype(np.uint64)
        keys = with_document(owner, number)
        say(f"batch lookup: {1000 * median_s(lambda: opened.probe(keys)):.1f} ns a key over a million (asked 83)")
        name = next(iter(documents))
        one = median_s(lambda: [opened.places("period", value, name) for value in values])
        say(f"single lookup: {1e6 * one / len(values):.1f} µs")


def main() -> int:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contracts", type=int, default=1000)
    parser.add_argument("--anchors", type=int, default=1000, help="in each contract")
    arguments = parser.parse_args()
    extraction()
    table(arguments.contracts, arguments.anchors)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
