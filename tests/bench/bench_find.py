"""Find in 300 pages: words, whole words, expressions; marking and stepping included (asked: under 200 ms).

The contract is painted and has 60 lines a page; the window is the real one without a screen.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "gui")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
REPEATS = 5


def timed_ms(act: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of work in the window's thread, and of wall time, of an act with the events that follow it."""
    from PySide6.QtWidgets import QApplication

    began, began_cpu = time.perf_counter(), time.thread_time()
    act()
    QApplication.processEvents()
    return 1000 * (time.thread_time() - began_cpu), 1000 * (time.perf_counter() - began)


def medians(took: Iterable[tuple[float, float]]) -> str:
    """The medians of work and wall time in words."""
    work, wall = zip(*took, strict=True)
    return f"{statistics.median(work):.0f} ms of work in {statistics.median(wall):.0f} ms"


def main() -> int:
    """Measure and print."""
    from painted_pages import contract
    from PySide6.QtWidgets import QApplication

    from gui.commands.names import Name
    from gui.processes.fake import FakeProcesses
    from gui.workbench import Workbench

    application = QApplication(["antinomy"])
    with tempfile.TemporaryDirectory() as folder:
        document, processes = contract(300, lines_a_page=60), FakeProcesses()
        workbench = Workbench(processes, Path(folder), list, lambda name: Path(folder) / name)
        workbench.window.resize(1440, 900)
        workbench.window.show()
        while ("start", 0, ()) not in processes.asked:
            application.processEvents()
        workbench.documents.open_paths([Path("contract.pdf")])
        job = processes.waiting("open_document")[-1]
        processes.play_opened(job, document)
        processes.play_read(job, document)
        application.processEvents()
        search, actions = workbench.search, workbench.window.actions_by_name
        sys.stdout.write(f"text of {len(document.pages)} pages: {len(document.text)} characters\n")

        def say(name: str, words: str) -> None:
            took = []
            for _ in range(REPEATS):
                search.forget()
                application.processEvents()
                took.append(timed_ms(lambda: search.search(words)))
            hits = workbench.window.top_bar.search_line.count.text()
            sys.stdout.write(f"find {name}: {medians(took)}, hit {hits} (asked: under 200)\n")
            workbench.window.top_bar.search.setText(words)
            step = medians(timed_ms(actions[Name.FIND_NEXT].trigger) for _ in range(REPEATS))
            sys.stdout.write(f"next {name}: {step}\n")

        say("a rare word", "17900 within")
        say("a frequent word", "buyer")
        say("the most frequent letter", "e")
        say("Chinese words", "乙方支付")
        say("what is not there", "unicorn")
        actions[Name.FIND_WORD].trigger()
        say("a whole word", "buyer")
        actions[Name.FIND_WORD].trigger()
        actions[Name.FIND_EXPRESSION].trigger()
        say("an expression", r"\d+ days|\d+日内")
        say("an expression without end", r"(\w+[\s.]*)+[;!]$")
        workbench.window.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
