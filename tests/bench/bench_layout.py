"""How fast our pages are made: layout of plain text in both languages, and Word files as opened.

    python tests/bench/bench_layout.py [--pages 300] [--folder DIR]

The text and one Word file are made here; with --folder (or $ANTINOMY_DATA) the .docx files there are opened
too. Processor seconds, so that other work on the machine counts little; medians of five runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1] / "reading"))

import docx_making as make

from engine.reading.docx import open_docx
from engine.reading.layout import Alignment, Flow, Layout, Paragraph, ParagraphStyle

ENGLISH = "The Supplier shall deliver the Goods within thirty (30) days of the Order, except as Section 4.2 provides. "
CHINESE = "租赁期限共12个月，自2026年1月1日起至2026年12月31日止，出租方应当将房屋交付承租方使用。"
RUNS = 5


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def plain(sentence: str, pages: int) -> tuple[str, Flow]:
    """About ``pages`` pages of paragraphs."""
    paragraph = sentence * (600 // len(sentence))
    flow: Flow = []
    text = ""
    style = ParagraphStyle(alignment=Alignment.LEFT, space_after_pt=6)
    for _ in range(pages * (7 if sentence is ENGLISH else 3)):
        flow.append(Paragraph(len(text), len(text) + len(paragraph), style))
        text += paragraph + "\n"
    return text, flow


def median(act: Callable[[], int]) -> tuple[float, int]:
    """(median processor seconds, pages) of some runs."""
    took = []
    pages = 0
    for _ in range(RUNS):
        since = time.process_time()
        pages = act()
        took.append(time.process_time() - since)
    return statistics.median(took), pages


def bench_text(name: str, sentence: str, pages: int) -> None:
    """Lay plain text out; also the longest step between two hand-overs."""
    text, flow = plain(sentence, pages)
    steps: list[float] = []

    def act() -> int:
        layout = Layout(text, flow)
        last = time.process_time()
        for _ in layout.steps():
            now = time.process_time()
            steps.append(now - last)
            last = now
        return len(layout.result.pages)

    seconds, count = median(act)
    steps.sort()
    say(f"{name}: {count / seconds:.0f} pages/s ({count} pages; asked 60)")
    late, longest = steps[int(len(steps) * 0.99)] * 1000, steps[-1] * 1000
    say(f"{name}, steps: p99 {late:.0f} ms, longest {longest:.0f} ms (asked 20)")


def bench_docx(name: str, data: bytes) -> None:
    """Open a Word file: read, number, lay out."""

    def act() -> int:
        opened = open_docx(data, name)
        opened.close()
        return len(opened.page_sizes)

    seconds, count = median(act)
    say(f"{name}: open in {seconds:.2f} s, {count / seconds:.0f} pages/s ({count} pages)")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--folder", default=os.environ.get("ANTINOMY_DATA"))
    arguments = parser.parse_args()
    bench_text("English text", ENGLISH, arguments.pages)
    bench_text("Chinese text", CHINESE, arguments.pages)
    levels = make.level(0, "decimal", "%1.") + make.level(1, "decimal", "%1.%2")
    body = "".join(make.numbered((ENGLISH, CHINESE)[i % 2] * 5, 1, i % 4 > 0) for i in range(arguments.pages * 6))
    bench_docx("Word file made here", make.docx(body, numbering=make.numbering(levels)))
    if arguments.folder:
        for file in sorted(Path(arguments.folder).rglob("*.docx")):
            bench_docx(file.name, file.read_bytes())
    else:
        say("Word files of a folder: not measured, no --folder and no ANTINOMY_DATA")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"peak memory: {peak:.0f} MB (asked under 700)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
