"""How fast the window's table of links is: shown, filtered, sorted with 10,000 links, and the queue put in order.

    python tests/bench/bench_links_table.py [--links 10000]

Needs no screen (Qt's offscreen platform is chosen when none is named). Medians in milliseconds.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench_matter import DOCUMENT, a_pair, say
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from engine.matter import Annotator, Matter, Origin
from engine.matter.labels import CONFLICT_CODES
from engine.matter.queue import Suggestion, in_teaching_order
from engine.protocol.findings import Severity
from gui.left.links_tab import LinksTab, Shown
from gui.state.link_draft import LinkDraft
from gui.state.matter_book import MatterBook


def timed(name: str, act: Callable[[int], object], times: int) -> None:
    """Do it ``times`` times; on a machine with other work the processor's time says more than the clock's."""
    clock, processor = [], []
    for number in range(times):
        begun, used = time.perf_counter(), time.process_time()
        act(number)
        clock.append(1e3 * (time.perf_counter() - begun))
        processor.append(1e3 * (time.process_time() - used))
    say(
        f"{name:34} n={times:4}  median {statistics.median(clock):8.2f} ms, processor median "
        f"{statistics.median(processor):8.2f} max {max(processor):8.2f} ms"
    )


def measure(links: int, folder: Path) -> None:
    """Fill a matter, open it as the window does, and print how long each thing takes."""
    chance = random.Random(1)
    path = folder / "deal.antinomy"
    with Matter.create(path, Annotator("a-one", "Ada")) as matter:
        matter.add_document(DOCUMENT, "msa.pdf", "", "pdf", b"x")
        for number in range(links):
            matter.add_link(a_pair(number), chance.choice(CONFLICT_CODES), f"aspect {number % 37}")
    tab = LinksTab()
    tab.resize(400, 800)
    tab.show()
    book = MatterBook()

    def show(_: int) -> None:
        book.close()
        book.open(path)
        tab.set_links(book.links(), {"a-one": "Ada"}, "a-one")
        QApplication.processEvents()

    def type_filter(i: int) -> None:
        tab.filter_box.setText(("deliver 77", "aspect 3", "no such words", "12.3", "")[i % 5])
        QApplication.processEvents()

    def choose_shown(i: int) -> None:
        tab.show_box.setCurrentIndex(i % tab.show_box.count())
        QApplication.processEvents()

    def sort(i: int) -> None:
        tab.view.sortByColumn(i % 8, Qt.SortOrder(i % 2))
        QApplication.processEvents()

    timed("open the matter, list its links", show, 8)
    begun, longest = time.process_time(), 0.0
    while not tab.model.is_ready:
        used = time.process_time()
        QApplication.processEvents()
        longest = max(longest, time.process_time() - used)
    say(f"made ready for the filter while idle: processor {1e3 * (time.process_time() - begun):.0f} ms, longest turn "
        f"{1e3 * longest:.1f} ms")  # fmt: skip
    timed("first filter after opening", type_filter, 1)
    timed("filter the table", type_filter, 100)
    tab.filter_box.clear()
    timed("choose which links are listed", choose_shown, 35)
    tab.show_box.setCurrentIndex(tab.show_box.findData(Shown.LINKS.value))
    timed("sort the table", sort, 24)
    book.links_changed.connect(lambda: tab.set_links(book.links(), {"a-one": "Ada"}, "a-one"))

    def label(i: int) -> None:
        book.add_link(LinkDraft(a_pair(i + links), "value.date"))
        QApplication.processEvents()

    timed("a link kept and listed", label, 100)
    waiting = [
        Suggestion(f"f-{i}", a_pair(i), code, chance.random(), Severity.LOW, "", Origin.SUGGESTION)
        for i, code in enumerate(chance.choices(CONFLICT_CODES, k=2000))
    ]
    timed("put 2,000 suggestions in order", lambda _: in_teaching_order(waiting, book.links()[:500]), 10)
    book.close()
    tab.close()


def main() -> None:
    """Parse the arguments and measure in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=10_000)
    links = parser.parse_args().links
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        measure(links, Path(folder))
    application.quit()
    say("done")


if __name__ == "__main__":
    main()
