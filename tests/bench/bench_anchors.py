"""How fast anchors are found and looked up: pages a second, the anchor table against a saved dictionary.

    python tests/bench/bench_anchors.py [--contracts 1000] [--anchors 1000]

Makes its own inputs; ANTINOMY_DATA with ``cuad/contracts/*.txt`` adds real text. Extraction is in CPU time of one core
and pages of 3,000 characters; the table's times are medians, and build and dictionary take turns, so that what else the
machine does falls on both.
"""

from __future__ import annotations

import argparse
import io
import os
import pickle
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.anchors.answers import OpenTables
from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.table import AnchorTable, build, update
from engine.anchors.table_build import columns_of
from engine.anchors.table_format import SEPARATOR, with_document
from engine.protocol.messages import FindPlaces

#: So many different contracts are read before they repeat, and so much of each.
REAL_CONTRACTS, MOST_CHARACTERS = 100, 120_000

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


def median_s(act: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """The median time of ``times`` runs, by the wall's clock or another."""
    took = []
    for _ in range(times):
        started = clock()
        act()
        took.append(clock() - started)
    return statistics.median(took)


def lookups(opened: AnchorTable, keys: NDArray[np.uint64], what: str) -> None:
    """Nanoseconds a key of a batch."""
    wall, core = (median_s(lambda: opened.probe(keys), 9, clock) for clock in (time.perf_counter, time.process_time))
    each = 1e9 / len(keys)
    say(f"  batch lookup, {what}: {core * each:.1f} ns a key of one core, {wall * each:.1f} by the wall (asked 83)")


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


def made_matter(contracts: int, anchors: int) -> dict[str, list[Anchor]]:
    """A matter of values drawn by chance."""
    values = [f"P{i}D" for i in range(1, 400)] + [f"USD {1000 * i}" for i in range(1, 400)]
    chance = random.Random(7)
    return {
        f"sha256:{d:064x}": [
            Anchor(AnchorKind.PERIOD, chance.choice(values), 30 * i, 30 * i + 8, role="payment period")
            for i in range(anchors)
        ]
        for d in range(contracts)
    }


def real_matter(folder: Path, contracts: int) -> dict[str, list[Anchor]]:
    """The anchors of ``folder``'s contracts, repeated until there are so many."""
    files = sorted(folder.glob("*.txt"))[:REAL_CONTRACTS]
    found = [extract_from_text(path.read_text(encoding="utf-8", errors="replace")[:MOST_CHARACTERS]) for path in files]
    # Strings of their own for each contract, as when each was read by itself.
    return {
        f"sha256:{d:064x}": [
            msgspec.structs.replace(a, value=str(a.value.encode(), "utf-8")) for a in found[d % len(found)]
        ]
        for d in range(contracts)
    }


def table(name: str, documents: dict[str, list[Anchor]]) -> None:
    """Build, open and look up a matter, beside a dictionary of the same content."""
    count = sum(map(len, documents.values()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matter.saht"
        plain: dict[str, list[tuple[int, int]]] = {}
        for document, found in documents.items():
            for a in found:
                plain.setdefault(f"{document}\x1f{a.kind.value}\x1f{a.value}", []).append((a.start, a.end))
        # A document's anchors are put into columns when it is read, as the dictionary's entries are made then.
        columns = {document: columns_of(found) for document, found in documents.items()}
        # Turn by turn, so that what else the machine does falls on both.
        turns = [
            (median_s(lambda: build(path, columns), 1), median_s(lambda: saved_and_loaded(plain), 1)) for _ in range(5)
        ]
        built, saved = (statistics.median(each) for each in zip(*turns, strict=True))
        ratio = statistics.median(b / a for a, b in turns)
        cores = [median_s(act, 3, time.process_time) for act in (
            lambda: build(path, columns), lambda: saved_and_loaded(plain), lambda: build(path, documents)
        )]  # fmt: skip
        say(f"table, {name}: {count:,} anchors of {len(documents):,} contracts, {path.stat().st_size / 2**20:.0f} MB")
        say(f"  built in {built:.2f} s; a dict pickled and loaded: {saved:.2f} s, {ratio:.1f} times as long (asked 3)")
        say(f"  in CPU time of all threads: {cores[0]:.2f} s and {cores[1]:.2f} s, {cores[1] / cores[0]:.1f} times")
        say(f"  built from anchors that are not in columns yet: {cores[2]:.2f} s, {cores[1] / cores[2]:.1f} times")
        say(f"  opening: {1000 * median_s(lambda: AnchorTable.open(path)):.2f} ms (asked 5)")
        opened = AnchorTable.open(path)
        chance = np.random.default_rng(1)
        number = chance.integers(0, len(documents), 1_000_000).astype(np.uint64)
        keys = with_document(opened.owner[chance.integers(0, len(opened.owner), 1_000_000)], number)
        lookups(opened, keys, "values by chance")
        rows = chance.integers(0, count, 1_000_000)
        present = with_document(opened.owner[opened.value[rows]], opened.document[rows].astype(np.uint64))
        lookups(opened, present, "all of them there")
        often = int(np.bincount(opened.value).argmax())
        kind, value = opened.words.values[often].split(SEPARATOR, 1)
        asked, tables = FindPlaces(1, str(path), kind, value, "payment period"), OpenTables()
        one = median_s(lambda: tables.answer(asked), 5, time.process_time)
        places = len(opened.value_rows(kind, value))
        say(f"  the commonest value with its {places:,} places, answered: {1e3 * one:.1f} ms of one core")
        last = list(documents)[-1]
        say(f"  one document anew: {median_s(lambda: update(path, {last: documents[last]}, documents), 3):.2f} s")

def panel(anchors: int) -> None:
    """The anchors panel with so many anchors: comparing, showing, filtering (CPU time of the window's thread)."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from engine.protocol.messages import AnchorPlace, AnchorsFound, AnchorValue
    from gui.left.anchors_tab import AnchorsTab
    from gui.state.anchor_book import AnchorBook

    application = QApplication.instance() or QApplication([])
    kinds = ("amount", "period", "date", "term")
    values = tuple(
        AnchorValue(
            kinds[i % 4], f"V{i}", tuple(AnchorPlace(0, 40 * i + k, 40 * i + k + 5, f"r{i % 97}") for k in range(4))
        )
        for i in range(anchors // 4)
    )
    found = AnchorsFound(1, ("a",), values)
    compared = median_s(lambda: AnchorBook.of(found, {}, {}), 3, time.process_time)
    book, tab = AnchorBook.of(found, {}, {}), AnchorsTab()
    tab.resize(300, 700)
    tab.show()

    def act(words: str) -> float:
        started = time.process_time()
        tab.filter_box.setText(words)
        application.processEvents()
        return time.process_time() - started

    shown = median_s(lambda: tab.set_book(book, {}), 3, time.process_time)
    took = [act(words) for words in ("v", "v1", "v12", "r13", "", "nothing", "v2") * 5]
    say(f"panel of {book.places:,} anchors: compared in {1000 * compared:.0f} ms beside the window, "
        f"shown in {1000 * shown:.0f} ms")  # fmt: skip
    say(f"  filter: {1000 * statistics.median(took):.1f} ms, at most {1000 * max(took):.1f} (asked 50)")
    tab.close()


def saved_and_loaded(plain: dict[str, list[tuple[int, int]]]) -> object:
    """What a program without the table would do; nothing that came from outside is unpickled."""
    return pickle.Unpickler(io.BytesIO(pickle.dumps(plain, pickle.HIGHEST_PROTOCOL))).load()


def main() -> int:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contracts", type=int, default=1000)
    parser.add_argument("--anchors", type=int, default=1000, help="in each contract")
    arguments = parser.parse_args()
    extraction()
    panel(10_000)
    table("made", made_matter(arguments.contracts, arguments.anchors))
    folder = Path(os.environ.get("ANTINOMY_DATA", "")) / "cuad" / "contracts"
    if os.environ.get("ANTINOMY_DATA") and folder.is_dir():
        table("cuad repeated", real_matter(folder, arguments.contracts))
    else:
        say("ANTINOMY_DATA names no cuad/contracts: the table is measured on made values alone.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
