"""How fast the matter file is: commit of a label, opening with 10,000 links, reading them, undo.

    python tests/bench/bench_matter.py [--links 10000] [--folder DIR] [--kills 500]

The folder matters: the commit waits for its disk. ``--kills`` runs the kill test that many times instead.
Medians and 99th percentiles in milliseconds; on a machine with other work read the median.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from engine.matter import Annotator, LinkEnd, Matter
from engine.matter.check import check

DOCUMENT = "sha256:" + "5" * 64


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def timed(name: str, act: Callable[[int], object], times: int) -> None:
    """Do it ``times`` times and print the percentiles, and those of the processor's own time (other work aside)."""
    took, used = [], []
    for number in range(times):
        start, begun = time.perf_counter(), time.process_time()
        act(number)
        took.append((time.perf_counter() - start) * 1e3)
        used.append((time.process_time() - begun) * 1e3)
    took.sort()
    used.sort()
    at = min(len(took) - 1, int(0.99 * len(took)))
    say(f"{name:34} n={times:6}  median {statistics.median(took):8.2f}  p99 {took[at]:8.2f}  max {took[-1]:8.2f} ms"
        f"  processor median {statistics.median(used):7.2f}  p99 {used[at]:7.2f}")  # fmt: skip


def a_pair(number: int) -> tuple[LinkEnd, LinkEnd]:
    """Two passages of ordinary length."""
    quote = f"The Supplier shall deliver the Goods within {number} days after receipt of the Order. " * 2
    at = 100 * number
    end = LinkEnd(DOCUMENT, f"c{number}", f"{number % 40}.{number % 9}", quote, at, at + len(quote))
    return end, msgspec.structs.replace(end, clause_id=f"c{number + 1}", start=at + 50, end=at + 50 + len(quote))


def measure(path: Path, links: int) -> None:
    """Fill a matter and print how long each thing takes."""
    with Matter.create(path, Annotator("a-one", "Ada")) as matter:
        matter.add_document(DOCUMENT, "msa.pdf", "", "pdf", os.urandom(2_000_000))
        made: list[str] = []
        timed("add a link (commit)", lambda i: made.append(matter.add_link(a_pair(i), "value.period")), links)
        timed("edit a link (commit)", lambda i: matter.edit_link(
            msgspec.structs.replace(matter.link(made[i]), note=f"note {i}")), 500)  # fmt: skip
        timed("undo (commit)", lambda i: matter.undo(), 300)
    say(f"{'file':34} {path.stat().st_size / 1e6:.1f} MB with {links} links")

    def open_and_read(_: int) -> None:
        with Matter.open(path) as matter:
            matter.documents(), matter.findings(), matter.decisions(), matter.links()

    timed("open and close", lambda i: Matter.open(path).close(), 20)
    timed("open, read everything, close", open_and_read, 10)
    with Matter.open(path) as matter:
        timed("read all links", lambda i: matter.links(), 10)
        timed("say what undo would do", lambda i: matter.undoable(), 20)
        timed("check everything", lambda i: check(matter), 2)
        timed("compact", lambda i: matter.compact(), 1)


def kill(path: Path, kills: int) -> None:
    """The kill test of tests/matter, more often."""
    spec = importlib.util.spec_from_file_location(
        "test_matter_kill", Path(__file__).parents[1] / "matter" / "test_matter_kill.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with Matter.create(path, Annotator("a-one", "Ada")) as matter:
        matter.add_document(DOCUMENT, "msa.pdf", "", "pdf", None)
    dice = random.Random(time.time_ns())
    said: list[tuple[str, str]] = []
    for number in range(1, kills + 1):
        lines = module.kill_once(path, DOCUMENT, dice.randint(1, 15), dice.random() * 0.01)
        said += [(line.split()[0], line.split()[1]) for line in lines]
        if number % 10 == 0 or number == kills:
            module.check_promises(path, said)
            say(f"{number} kills, {len({link for _, link in said})} links said to be saved, all there")


def main() -> int:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=10_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    say(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "bench.antinomy"
        if options.kills:
            kill(path, options.kills)
        else:
            measure(path, options.links)
    return 0


if __name__ == "__main__":
    sys.exit(main())
