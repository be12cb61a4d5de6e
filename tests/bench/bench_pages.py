"""How fast pages are drawn: paint time while scrolling 300 pages, jumps, zoom, marks.

    QT_QPA_PLATFORM=offscreen python tests/bench/bench_pages.py [--pages 300] [--ratio 1] [--real FILE.pdf]

Pages come from a source that paints them, so what is measured is the view alone, plus that painting for jumps.
``--ratio 2`` measures a screen of double density. On a machine with other work read the medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 1000, 1000


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def report(name: str, took_ms: list[float], asked: str) -> None:
    """Median and spread of a row of measurements."""
    took = sorted(took_ms)
    p99 = took[min(len(took) - 1, int(0.99 * len(took)))]
    say(f"{name}: median {statistics.median(took):.2f} p99 {p99:.2f} max {took[-1]:.2f} ms, n={len(took)} ({asked})")


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
        timer.timeout.connect(lambda: loop.quit() if view.images.idle and not view._settle.isActive() else None)
        timer.start(0)
        loop.exec()

    ratio = view.devicePixelRatioF()
    paper = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    paper.setDevicePixelRatio(ratio)

    def paint_ms() -> float:
        start = time.perf_counter()
        view.viewport().render(paper)
        return (time.perf_counter() - start) * 1e3

    def scroll_ms(steps: int, step_px: int) -> list[float]:
        took = []
        for _ in range(steps):
            view.verticalScrollBar().setValue(view.verticalScrollBar().value() + step_px)
            settle()
            took.append(paint_ms())
        return took

    start = time.perf_counter()
    document = contract(pages)
    say(f"document of {len(document.text)} characters made in {(time.perf_counter() - start) * 1e3:.0f} ms")
    settle()
    report(f"paint, no text, ratio {ratio:g}", scroll_ms(100, 97), "under 8 ms")
    start = time.perf_counter()
    view.set_document(document)
    say(f"set_document: {(time.perf_counter() - start) * 1e3:.1f} ms")
    clauses = document.clauses
    marks = [Mark(f"f{i // 2}", Layer.CONFLICT, c.start, c.end) for i, c in enumerate(clauses) if i % 3 == 0][:4000]
    start = time.perf_counter()
    view.set_marks(Layer.CONFLICT, marks)
    say(f"set_marks of {len(marks)} marks: {(time.perf_counter() - start) * 1e3:.1f} ms")
    view.set_marks(Layer.REVIEWED, [Mark(f"r{i}", Layer.REVIEWED, c.start, c.end) for i, c in enumerate(clauses[1::5])])
    view.set_chosen(marks[6].id, reveal=True)
    view.selection.select(100, 3000)
    report("paint with marks, chosen pair, selection", scroll_ms(100, 97), "under 8 ms")
    view.set_theme(Theme.DARK)
    settle()
    report("paint, dark", scroll_ms(60, 97), "under 8 ms")
    view.set_theme(Theme.LIGHT)
    jumps, notices = [], []
    for i in range(60):
        page = (i * 131) % pages
        start = time.perf_counter()
        view.go_to_page(page)
        notices.append((time.perf_counter() - start) * 1e3)
        paint_ms()
        while not view.is_sharp:
            app.processEvents()
            paint_ms()
        jumps.append((time.perf_counter() - start) * 1e3)
    report("jump, call alone", notices, "")
    report("jump until all that shows is sharp", jumps, "under 150 ms")
    zooms = []
    for i in range(40):
        start = time.perf_counter()
        view.set_zoom(0.8 + (i % 20) * 0.05)
        paint_ms()
        zooms.append((time.perf_counter() - start) * 1e3)
    report("zoom step with stretched images", zooms, "under 16 ms")
    view.set_zoom(8.0)
    settle()
    report("paint at 800 %", scroll_ms(40, 97), "under 8 ms")
    view.set_fit(Fit.WIDTH)
    start = time.perf_counter()
    view.select_all()
    paint_ms()
    say(f"select all and paint: {(time.perf_counter() - start) * 1e3:.1f} ms")
    view.close()
    del app


if __name__ == "__main__":
    raise SystemExit(main())
