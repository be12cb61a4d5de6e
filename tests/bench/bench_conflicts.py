"""Pairs compared a second, alone and in a review; how a review's time grows; memory for a 300-page agreement.

    python tests/bench/bench_conflicts.py [--sentences 1500] [--growth 500 1000 2000 4000] [--pages 300]

Makes its own contracts: clauses of sentences put together from parties, acts, objects, terms and conditions, more
matters in a longer one. Each part runs in a process of its own, held to one core or to two. Wall seconds stretch on a
busy machine, CPU seconds hardly; both are said. "n^x" is the slope through the sizes of seconds against sentences, both
as logarithms.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from engine.anchors.extract import extract_anchors
from engine.conflicts.encoding import Encoded, encode_units
from engine.conflicts.pairs import feature_table, score_pairs
from engine.conflicts.ranker import shipped_ranker
from engine.conflicts.review import review_documents
from engine.conflicts.second_look import inputs_at
from engine.conflicts.units import Unit, build_units
from engine.conflicts.verifier import shipped_verifier
from engine.document import Document
from engine.protocol.messages import ReviewOptions
from engine.reading.open_file import open_file
from engine.states.encoder import load_encoder, never

#: Characters of a page.
PAGE = 3000

#: Pairs judged by the verifier at a time, as the second look does.
BATCH = 128

_PARTIES = ("the Supplier", "the Customer", "the Guarantor", "the Agent", "each party", "the Operator", "the Owner")
_MODALS = ("shall", "shall not", "may", "must", "will", "is not required to", "agrees to", "is entitled to")
_ACTS = (
    "deliver", "inspect", "replace", "insure", "store", "invoice", "pay for", "return", "test", "approve", "reject",
    "transport", "repair", "license", "assign", "disclose", "record", "audit", "certify", "withhold",
)  # fmt: skip
_OBJECTS = (
    "pumps", "valves", "drawings", "software", "spare parts", "samples", "manuals", "reports", "premises", "containers",
    "confidential information", "records", "test results", "permits", "insurance policies", "deposits", "tools",
    "prototypes", "cables", "turbines", "licences", "patents", "vehicles", "chemicals", "warehouses", "invoices",
)  # fmt: skip
_SYLLABLES = ("ka", "vo", "mir", "ten", "lu", "ras", "di", "pol", "ne", "gar", "si", "thu", "bel", "or", "wen", "jo")
_KINDS = ("defective", "certified", "replacement", "initial", "outstanding", "imported", "finished", "leased", "final")
_PLACES = ("Hamburg", "Leeds", "Lyon", "Porto", "Gdansk", "Turin", "Cork", "Malmo", "Graz", "Ghent", "Bilbao", "Brno")
_TERMS = (
    "within {n} days after receipt of the {kind} {other}", "at the site in {place}", "at its own expense",
    "for a price of ${n},{m:03d}", "no later than {n} business days before the milestone in {place}",
    "for a period of {n} months", "up to an amount of ${n}0,000 in each calendar year", "with reasonable care",
    "in accordance with Schedule {m}", "together with the {kind} {other}",
)  # fmt: skip
_CONDITIONS = (
    "if the {other} fail the acceptance test", "unless the {other} were damaged in transit", "upon written request",
    "provided that the {kind} {other} have been paid for", "except as set out in Section {m}.{n}",
    "where the authorities in {place} so require", "during the term of this Agreement", "without prior notice",
)  # fmt: skip


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def contract_of(sentences: int) -> str:
    """A contract of so many sentences, always the same one.

    Every clause of ten speaks of a thing, most of them of one with a new name: a longer contract has more words.
    """
    chance = random.Random(7)
    lines: list[str] = []
    names: list[str] = []
    for at in range(sentences):
        if at % 10 == 0:
            if not names or chance.random() < 0.6:
                names.append("".join(chance.choice(_SYLLABLES) for _ in range(3)).title())
            own = f"{chance.choice(names)} {chance.choice(_OBJECTS)}"
            lines.append(f"\n{at // 10 + 1}. {own.title()}")
        words = {
            "n": chance.randint(2, 95), "m": chance.randint(1, 60), "place": chance.choice(_PLACES),
            "kind": chance.choice(_KINDS), "other": chance.choice(_OBJECTS),
        }  # fmt: skip
        what = own if chance.random() < 0.5 else f"{chance.choice(_KINDS)} {chance.choice(_OBJECTS)}"
        parts = [chance.choice(_PARTIES), chance.choice(_MODALS), chance.choice(_ACTS), "the", what]
        parts += chance.sample(_TERMS, chance.choice((1, 1, 2, 3)))
        parts += chance.sample(_CONDITIONS, chance.choice((0, 1, 1, 2)))
        line = " ".join(parts).format(**words)
        lines.append(f"{at // 10 + 1}.{at % 10 + 1} {line[0].upper()}{line[1:]}.")
    return "\n".join(lines)


def read(text: str) -> Document:
    """The document as the reader process would send it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.txt"
        path.write_text(text, encoding="utf-8")
        opened = open_file(str(path))
        try:
            for _ in opened.read():
                pass
            return opened.document.without_boxes()
        finally:
            opened.close()


class Clock:
    """Wall and CPU seconds since it was made."""

    def __init__(self) -> None:
        self._started, self._used = time.perf_counter(), time.process_time()

    def seconds(self) -> tuple[float, float]:
        """Of the wall, of the processor."""
        return time.perf_counter() - self._started, time.process_time() - self._used

    def say_rate(self, name: str, count: int, asked: str = "") -> None:
        """A line of pairs a second."""
        wall, used = self.seconds()
        say(f"  {name}: {count / wall:,.0f} pairs/s, {count / used:,.0f} a second of CPU{asked}")


def silent(*_: object) -> None:
    """Progress that nobody sees."""


def encoded(document: Document) -> tuple[list[Unit], Encoded]:
    """The units of a document and their states, with snapshots."""
    units = build_units([document], {document.id: extract_anchors(document)})
    encoder = load_encoder("en")
    return units, encode_units(units, lambda _: encoder, silent, never, snapshots=True)


def rates(sentences: int, cores: int) -> None:
    """Comparison, trees and verifier by themselves, and the stage of a review that holds them."""
    units, states = encoded(read(contract_of(sentences)))
    ranker, verifier = shipped_ranker(), shipped_verifier()
    score_pairs(units[:100], Encoded(states.vectors[:100], states.words[:100]), ReviewOptions(), silent, never)
    clock = Clock()
    candidates, table, _, sides = feature_table(units, states, silent, never)
    count = len(candidates)
    say(f"on {cores} core(s): {len(units):,} sentences, {count:,} pairs")
    clock.say_rate("candidates found and compared", count)
    clock = Clock()
    ranker.raw(table)
    clock.say_rate("ranked by the trees", count)
    rows = list(range(min(2048, count)))
    for warm in (True, False):
        clock = Clock()
        for start in range(0, len(rows), BATCH):
            verifier.score(inputs_at(units, states, candidates, table, sides, rows[start : start + BATCH]))
        if not warm:
            clock.say_rate("token against token, and judged", len(rows))
    clock = Clock()
    score_pairs(units, states, ReviewOptions(), silent, never)
    clock.say_rate("a review's stage of pairs", count, " (asked 5,000 on 2 cores)")


def whole(text: str) -> tuple[int, float, float, dict[str, float]]:
    """A review: sentences, wall and CPU seconds, wall seconds by stage."""
    document = read(text)
    encoder = load_encoder("en")
    encoder.encode(["The Buyer shall pay."])
    clock = Clock()
    _, stages = review_documents(
        [document], encoder_for=lambda _: encoder, options=ReviewOptions(), progress=silent, cancelled=never, notice=say
    )
    wall, used = clock.seconds()
    return len(document.sentences), wall, used, stages


def growth(sizes: list[int]) -> None:
    """Reviews of longer and longer contracts, and the slopes."""
    counts: list[int] = []
    cpu: list[float] = []
    pairs: list[float] = []
    whole(contract_of(200))
    for size in sizes:
        count, wall, used, stages = whole(contract_of(size))
        parts = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in stages.items())
        say(f"{count:,} sentences: {wall:.1f} s ({used:.1f} s of CPU): {parts}")
        counts.append(count)
        cpu.append(used)
        pairs.append(stages["pairs"])
    slopes = [float(np.polyfit(np.log(counts), np.log(seconds), 1)[0]) for seconds in (cpu, pairs)]
    say(f"a review's CPU time grows as n^{slopes[0]:.2f}, its pairs' wall time as n^{slopes[1]:.2f} (asked n^1.2)")


def memory(pages: int) -> None:
    """A review of a long agreement: time and the most memory."""
    text = contract_of(pages * PAGE // 150)[: pages * PAGE]
    count, wall, used, stages = whole(text)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(
        f"{pages} pages, {count:,} sentences: {wall:.0f} s ({used:.0f} s of CPU), pairs {stages['pairs']:.1f} s; "
        f"at most {most:,.0f} MB"
    )


def main() -> int:
    """Measure, each part in its own process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=1500)
    parser.add_argument("--growth", type=int, nargs="+", default=[500, 1000, 2000, 4000])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--part", choices=("rates", "growth", "memory"), help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=int, default=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.cores])
    torch.set_num_threads(given.cores)
    if given.part == "rates":
        rates(given.sentences, given.cores)
    elif given.part == "growth":
        growth(given.growth)
    elif given.part == "memory":
        memory(given.pages)
    else:
        say(f"load {os.getloadavg()[0]:.1f}")
        for part, cores in (("rates", 1), ("rates", 2), ("growth", 2), ("memory", 2)):
            command = [sys.executable, *sys.argv, "--part", part, "--cores", str(cores)]
            subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": str(cores)})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
