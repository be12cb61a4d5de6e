"""Comparing two versions of a long contract, clause by clause.

    python tests/bench/bench_compare.py [--pages 100 300] [--window]

The contracts are made up, 3,000 characters a page, an article of ten clauses each; in the later version every tenth
clause is changed, some are deleted, inserted and moved, so that many numbers behind them are others. Processor seconds
of one core come first, because a busy machine changes little in them. ``--window`` runs the real window with its
children, offscreen, and says the longest turns of its event loop while two versions are compared and stepped through.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

from bench_window import LONGEST_S, Pauses, _sentence, say

from engine.comparison.compare import compare_documents
from engine.document import Document
from engine.reading.open_file import open_file

RUNS, STEPS = 5, 40


def write_versions(folder: Path, pages: int) -> tuple[Path, Path]:
    """Two text files; the later one with changes of every kind."""
    chance = random.Random(11)
    clauses = [[_sentence(chance) for _ in range(3)] for _ in range(10 * pages)]
    later = []
    for sentences in clauses:
        kind = chance.random()
        if kind < 0.02:
            continue
        first, second, third = sentences
        if kind < 0.12:
            first, second = first.replace("shall", "must"), second.replace("within ", "within 1")
        later.append([first, second, third])
        if kind > 0.98:
            later.append([_sentence(chance)])
    for _ in range(pages // 10):
        later.insert(chance.randrange(len(later)), later.pop(chance.randrange(len(later))))
    paths = (folder / "deal v1.txt", folder / "deal v2.txt")
    for path, version in zip(paths, (clauses, later), strict=True):
        lines = []
        for i, sentences in enumerate(version):
            if i % 10 == 0:
                lines.append(f"{i // 10 + 1}. Supply and Maintenance\n")
            lines.append(f"{i // 10 + 1}.{i % 10 + 1} {' '.join(sentences)}\n")
        path.write_text("\n".join(lines), encoding="utf-8")
    return paths


def read(path: Path) -> Document:
    """A file's Document, without boxes."""
    file = open_file(str(path))
    for _ in file.read():
        pass
    document = file.document.without_boxes()
    file.close()
    return document


def measure(pages: int) -> None:
    """One size, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        old, new = (read(path) for path in write_versions(Path(folder), pages))
    work, wall = [], []
    for _ in range(RUNS):
        begun, begun_work = time.perf_counter(), time.process_time()
        result = compare_documents(old, new)
        work.append(time.process_time() - begun_work)
        wall.append(time.perf_counter() - begun)
    counts = Counter(change.kind.value for change in result.clauses)
    kinds = ", ".join(f"{n} {kind}" for kind, n in counts.most_common())
    say(
        f"2 x {len(old.pages)} pages, {len(old.text):,} + {len(new.text):,} characters, {len(result.clauses):,} rows "
        f"({kinds}, {sum(bool(c.values) for c in result.clauses)} with changed values): "
        f"{statistics.median(work):.2f} s of processor, {statistics.median(wall):.2f} s (asked for 100: under 2)"
    )


def window_child(old: Path, new: Path) -> None:
    """The window, in a process of its own."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from engine.protocol.places import data_dir
    from gui.commands.names import Name
    from gui.workbench import Workbench

    application = QApplication(["antinomy"])
    workbench = Workbench.with_children(data_dir())
    workbench.window.resize(1440, 900)
    desk, pauses = workbench.desk, Pauses()
    actions = workbench.window.actions_by_name
    turns, steps = QTimer(interval=5), QTimer(interval=50)
    turns.timeout.connect(pauses.turn)
    asked_s, left = 0.0, STEPS

    def known() -> None:
        # The review is not what is measured here.
        if not desk.is_opening and len(desk.documents) == 2 and all(e.is_read for e in desk.documents.values()):
            desk.review.cancel()
            QTimer.singleShot(1500, compare)

    def compare() -> None:
        nonlocal asked_s
        asked_s, pauses.phase, pauses.last_s = time.perf_counter(), "comparing", 0.0
        turns.start()
        actions[Name.COMPARE].trigger()

    def compared() -> None:
        say(f"compared after {time.perf_counter() - asked_s:.2f} s (asked and listed, with the engine's process)")
        pauses.phase = "stepping through differences"
        steps.start()

    def step() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            finish()
        else:
            actions[Name.NEXT_DIFFERENCE].trigger()

    def finish() -> None:
        turns.stop()
        steps.stop()
        for phase, (work, wall) in pauses.longest_ms.items():
            say(f"longest turn of the event loop, {phase}: {work:.0f} ms of work in {wall:.0f} ms (asked: under 50)")
        workbench.window.close()
        application.quit()

    steps.timeout.connect(step)
    desk.opening_ended.connect(known)
    desk.document_known.connect(lambda _id: QTimer.singleShot(200, known))
    workbench.processes.compared.connect(lambda *_: QTimer.singleShot(0, compared))
    workbench.window.first_frame_painted.connect(lambda: QTimer.singleShot(1000, lambda: desk.open_files([old, new])))
    QTimer.singleShot(int(1000 * LONGEST_S), finish)
    workbench.window.show()
    application.exec()
    workbench.close()


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--child", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        window_child(*options.child)
        return 0
    if not options.window:
        for pages in options.pages:
            measure(pages)
        return 0
    for pages in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            versions = write_versions(Path(folder), pages)
            say(f"2 x {pages} pages in the window:")
            home = {**os.environ, "ANTINOMY_HOME": str(Path(folder) / "home")}
            subprocess.run([sys.executable, __file__, "--child", *map(str, versions)], env=home, check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
