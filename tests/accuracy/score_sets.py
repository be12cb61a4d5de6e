"""Score reviews against lists of known conflicts and look-alikes (the sets in tests/data, the samples).

    python tests/accuracy/score_sets.py GOLD.jsonl RESULTS_DIR [--list]

RESULTS_DIR holds, for each document NAME of GOLD, NAME.json as ``antinomy review NAME --json NAME.json`` writes it;
``--run`` makes what is missing there, by this checkout's command line. Printed for each kind: how many
conflicts are found among the first 10, 20 and all findings; which look-alikes fire; and, for each tier,
how many findings are one of the known conflicts (these contracts are short and their conflicts are known,
so other findings are mostly false alarms; ``--list`` shows them).

A finding hits a conflict when each of its passages holds at least 60 % of the words of a different known
passage and is not much longer, and when its code is of the same family (``value``, ``norm``, …) it counts
as well named.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")
Item = dict[str, Any]


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")


def covers(known: str, found: str) -> bool:
    """Whether ``found`` holds the known passage without being a whole article."""
    want = collections.Counter(WORD.findall(known.lower()))
    have = collections.Counter(WORD.findall(found.lower()))
    size = sum(want.values())
    return size > 0 and sum(have.values()) <= max(3 * size, 60) and sum((want & have).values()) >= 0.6 * size


def hits(passages: list[str], finding: Item) -> bool:
    """Whether a finding's passages answer the known ones, each by another."""
    texts = [passage["text"] for passage in finding["passages"]]
    if len(passages) == 1:
        return any(covers(passages[0], text) for text in texts)
    return any(
        covers(passages[0], a) and covers(passages[1], b) for a in texts for b in texts if a is not b or len(texts) == 1
    )


def findings_of(document: Path, results: Path, run: bool) -> list[Item] | None:
    """The findings of a document by rank, or None when there is no result."""
    path = results / f"{document.name}.json"
    if run and not path.exists():
        root = Path(__file__).resolve().parents[2]
        command = [sys.executable, str(root / "antinomy.py"), "review", str(document), "--json", str(path)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=root)
        if done.returncode:
            say(f"{document.name}: the review failed: {done.stderr.strip()[-300:]}")
    if not path.exists():
        return None
    found: list[Item] = sorted(json.loads(path.read_text("utf-8"))["findings"], key=lambda each: each["rank"])
    return found


class Tally:
    """What is counted over all documents."""

    def __init__(self) -> None:
        self.ranks: dict[str, list[int]] = collections.defaultdict(list)
        self.named = 0
        self.traps: list[tuple[str, str, int, Item]] = []
        self.trap_count = 0
        self.tiers: dict[str, list[bool]] = collections.defaultdict(list)
        self.others: list[tuple[str, Item]] = []

    def take(self, entry: Item, findings: list[Item]) -> None:
        """Count one document."""
        real: set[int] = set()
        for conflict in entry["conflicts"]:
            ranks = [i for i, finding in enumerate(findings, 1) if hits(conflict["passages"], finding)]
            self.ranks[conflict["kind"]].append(ranks[0] if ranks else 0)
            family = conflict["kind"].split(".")[0]
            self.named += any(findings[i - 1]["code"].split(".")[0] == family for i in ranks)
            real.update(ranks)
        for trap in entry["traps"]:
            self.trap_count += 1
            fired = [i for i, finding in enumerate(findings, 1) if hits(trap["passages"], finding) and i not in real]
            if fired:
                self.traps.append((trap["id"], trap["why"], fired[0], findings[fired[0] - 1]))
        for i, finding in enumerate(findings, 1):
            self.tiers[finding.get("tier", "")].append(i in real)
            if i not in real:
                self.others.append((entry["document"], finding))

    def report(self, show: bool) -> None:
        """Print it."""
        rows = [("all", [rank for ranks in self.ranks.values() for rank in ranks]), *sorted(self.ranks.items())]
        for kind, ranks in rows:
            cells = [sum(1 for rank in ranks if 0 < rank <= k) for k in (10, 20, 10**9)]
            say(f"{kind:22} n={len(ranks):4}  @10 {cells[0]:4}  @20 {cells[1]:4}  found {cells[2]:4}")
        say(f"named by the right family: {self.named}")
        for tier, real in sorted(self.tiers.items()):
            say(f"tier {tier:10} {sum(real):4} of {len(real):4} findings are known conflicts")
        say(f"look-alikes that fire: {len(self.traps)} of {self.trap_count}")
        for name, why, rank, finding in self.traps if show else ():
            say(f"  trap {name} ({why}) rank {rank} {finding['tier']} {finding['score']:.2f} {finding['code']}")
        for document, finding in self.others if show else ():
            texts = " <> ".join(passage["text"][:70].replace("\n", " ") for passage in finding["passages"])
            say(f"  {document.split('/')[-1]:28} {finding['rank']:3} {finding['tier']:9} {finding['code']:18} {texts}")


def main() -> int:
    """Score what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.results.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    for line in options.gold.read_text("utf-8").splitlines():
        entry = json.loads(line)
        findings = findings_of(options.gold.parent / entry["document"], options.results, options.run)
        if findings is None:
            say(f"no result for {entry['document']}")
        else:
            tally.take(entry, findings)
    tally.report(options.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
