"""How fast pages are drawn: paint time while scrolling 300 pages, jumps, zoom, marks.

    QT_QPA_PLATFORM=offscreen python tests/bench/bench_pages.py [--pages 300] [--ratio 1]

Pages come from a source that paints them, so what is measured is the view alone, plus that painting for jumps.
``--ratio 2`` measures a screen of double density. On a machine with other work read the medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 1000, 1000


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Clock:
    """Wall and processor time of one piece of work, in milliseconds.

    The processor's time of this thread is what other work on the machine cannot change.
    """

    def __init__(self) -> None:
        self._wall, self._own = time.perf_counter(), time.thread_time()

    def took_ms(self) -> tuple[float, float]:
        """Wall, processor."""
        return (time.perf_counter() - self._wall) * 1e3, (time.thread_time() - self._own) * 1e3


def report(name: str, took: list[tuple[float, float]], asked: str) -> None:
    """Medians and the 99th percentiles of a row of measurements."""
    words = []
    for label, column in (("wall", 0), ("processor", 1)):
        row = sorted(pair[column] for pair in took)
        p99 = row[min(len(row) - 1, int(0.99 * len(row)))]
        words.append(f"{label} median {statistics.median(row):.2f} p99 {p99:.2f}")
    say(f"{name}: {', '.join(words)} ms, n={len(took)}{f' (asked: {asked})' if asked else ''}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--ratio", type=float, default=1.0)
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = str(given.ratio)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "gui")]
    measure(given.pages)
    return 0


def measure(pages: int) -> None:
    """All measurements on one view."""
    from painted_pages import PaintedPages, contract
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from gui.pages import Fit, Layer, Mark, PageView
    from gui.theme import Theme

    app = QApplication([])
    view = PageView()
    view.glides = False
    view.resize(WIDTH, HEIGHT)
    view.set_source(PaintedPages(pages, parent=view))
    view.show()

    def settle() -> None:
        loop, timer = QEventLoop(), QTimer()
        timer.timeout.connect(lambda: loop.quit() if view.images.idle and not view.is_zooming else None)
        timer.start(0)
        loop.exec()

    ratio = view.devicePixelRatioF()
    paper = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    paper.setDevicePixelRatio(ratio)

    def paint() -> tuple[float, float]:
        clock = Clock()
        view.viewport().render(paper)
        return clock.took_ms()

    def scroll(steps: int, step_px: int) -> list[tuple[float, float]]:
        took = []
        for _ in range(steps):
            view.verticalScrollBar().setValue(view.verticalScrollBar().value() + step_px)
            settle()
            took.append(paint())
        return took

    def jump(page: int) -> tuple[float, float]:
        clock = Clock()
        view.go_to_page(page)
        paint()
        while not view.is_sharp:
            app.processEvents()
            paint()
        return clock.took_ms()

    def zoom_step(zoom: float) -> tuple[float, float]:
        clock = Clock()
        view.set_zoom(zoom)
        paint()
        return clock.took_ms()

    def once(act: Callable[[], object]) -> list[tuple[float, float]]:
        clock = Clock()
        act()
        return [clock.took_ms()]

    document = contract(pages)
    clauses = document.clauses
    marks = [Mark(f"f{i // 2}", Layer.CONFLICT, c.start, c.end) for i, c in enumerate(clauses) if i % 3 == 0][:4000]
    reviewed = [Mark(f"r{i}", Layer.REVIEWED, c.start, c.end) for i, c in enumerate(clauses[1::5])]
    say(f"{pages} pages, {len(document.text)} characters, {len(marks) + len(reviewed)} marks, ratio {ratio:g}")
    settle()
    report("paint, no text", scroll(100, 97), "under 8 ms")
    report("set_document", once(lambda: view.set_document(document)), "")
    report("set_marks", once(lambda: view.set_marks(Layer.CONFLICT, marks)), "")
    view.set_marks(Layer.REVIEWED, reviewed)
    view.set_chosen(marks[6].id, reveal=True)
    view.selection.select(100, 3000)
    report("paint, marks on every third line, a chosen pair, a selection", scroll(100, 97), "under 8 ms")
    view.set_theme(Theme.DARK)
    settle()
    report("paint, dark", scroll(60, 97), "under 8 ms")
    view.set_theme(Theme.LIGHT)
    report("jump until all that shows is sharp, painting the page included", [jump(i * 131 % pages) for i in range(60)],
           "under 150 ms")  # fmt: skip
    report("zoom step with stretched images", [zoom_step(0.8 + (i % 20) * 0.05) for i in range(40)], "")
    view.set_zoom(8.0)
    settle()
    report("paint at 800 %", scroll(40, 97), "under 8 ms")
    view.set_fit(Fit.WIDTH)
    settle()
    view.select_all()
    report("paint with all selected", once(paint), "")
    view.close()


if __name__ == "__main__":
    raise SystemExit(main())
