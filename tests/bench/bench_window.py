"""The window with its real children: first frame, first page, pauses while a review runs, a list of 2,000.

    python tests/bench/bench_window.py [FILE]

Without a file a 100-page contract is made up. Needs no screen (the offscreen platform stands in). The program's modules
are imported once before, so that their bytecode is there, as on any machine where it has run once. Beside each wall
time stands the processor time of the window's process, which other work on the machine does not change much.
"""

from __future__ import annotations

import dataclasses
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "gui")]
LONGEST_S = 240.0


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# fmt: off
_WORDS = [
    "pump", "valve", "compressor", "licence", "report", "audit", "sample", "warranty", "invoice", "shipment", "site",
    "order", "price", "fee", "tax", "permit", "plan", "notice", "record", "insurance", "survey", "drawing", "software",
    "patent", "trademark", "lease", "meter", "cable", "boiler", "filter", "reagent", "archive",
]
_ACTS = [
    "deliver", "inspect", "replace", "pay", "approve", "return", "insure", "document", "transport", "install",
    "certify", "keep", "publish", "assign",
]
# fmt: on


def _sentence(chance: random.Random) -> str:
    first, second, third = chance.sample(_WORDS, 3)
    party = chance.choice(("Supplier", "Customer", "Operator"))
    modal = chance.choice(("shall", "may", "shall not"))
    return (
        f"The {party} {modal} {chance.choice(_ACTS)} the {first} and the {second} within {chance.randint(2, 90)} days "
        f"after the {third} has been accepted in writing."
    )


def write_contract(path: Path, pages: int) -> None:
    """A made-up contract of some 3,000 characters a page."""
    import pymupdf

    document = pymupdf.open()
    number, chance = 0, random.Random(7)
    for _ in range(pages):
        page = document.new_page()
        y = 72.0
        for _ in range(10):
            number += 1
            text = f"{number}. " + " ".join(_sentence(chance) for _ in range(3))
            page.insert_textbox(pymupdf.Rect(72, y, 523, y + 64), text, fontsize=10)
            y += 66
    document.save(path)


@dataclasses.dataclass
class Pauses:
    """The longest turn of the event loop by phase: its work (this thread's processor time) and its wall time, in ms.

    On a machine with other work the wall time tells of that; the work is ours.
    """

    longest_ms: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    last_s: float = 0.0
    last_work_s: float = 0.0
    phase: str = "start"

    def turn(self) -> None:
        """One turn of the loop."""
        now, work = time.perf_counter(), time.thread_time()
        if self.last_s:
            gap = (1000 * (work - self.last_work_s), 1000 * (now - self.last_s))
            self.longest_ms[self.phase] = max(gap, self.longest_ms.get(self.phase, (0.0, 0.0)))
        self.last_s, self.last_work_s = now, work


def child(path: Path, began_s: float) -> None:
    """What is measured, in a process of its own; ``began_s`` is its parent's monotonic clock at the start."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from engine.protocol.places import data_dir
    from gui.workbench import Workbench

    def now() -> float:
        return time.clock_gettime(time.CLOCK_MONOTONIC)

    application = QApplication(["antinomy"])
    application.setStyle("Fusion")
    workbench = Workbench.with_children(data_dir())
    workbench.window.resize(1440, 900)
    pauses, chosen_s, chosen_work_s = Pauses(), 0.0, 0.0
    timer = QTimer()
    # Not 0: a loop that always turns would take a processor away from what is measured.
    timer.setInterval(5)
    timer.timeout.connect(pauses.turn)
    window, desk = workbench.window, workbench.desk

    def first_frame() -> None:
        say(f"first frame: {now() - began_s:.2f} s, {time.process_time():.2f} s of processor (asked: under 1)")

    def first_page() -> None:
        work = time.process_time() - chosen_work_s
        say(f"first page: {now() - chosen_s:.2f} s, {work:.2f} s of the window's processor (asked: under 0.5)")

    def choose() -> None:
        nonlocal chosen_s, chosen_work_s
        chosen_s, chosen_work_s = now(), time.process_time()
        pauses.phase = "opening and reading"
        timer.start()
        desk.open_files([path])

    def reviewing() -> None:
        pauses.phase = "review"

    def done(_documents: object, findings: tuple[object, ...], _engine: object) -> None:
        pauses.phase = "taking the findings"
        say(f"review finished after: {now() - chosen_s:.1f} s, {len(findings)} findings")
        QTimer.singleShot(500, finish)

    def finish() -> None:
        timer.stop()
        for phase, (work, wall) in pauses.longest_ms.items():
            say(f"longest turn of the event loop, {phase}: {work:.0f} ms of work in {wall:.0f} ms (asked: under 50)")
        window.close()
        application.quit()

    window.first_frame_painted.connect(first_frame)
    window.first_frame_painted.connect(lambda: QTimer.singleShot(3000, choose))
    window.pages.view.first_page_shown.connect(first_page)
    desk.review.started.connect(reviewing)
    desk.review.finished.connect(done)
    QTimer.singleShot(int(1000 * LONGEST_S), finish)
    window.show()
    application.exec()
    workbench.close()


def long_list() -> None:
    """2,000 findings: listing, filtering, a step."""
    from PySide6.QtWidgets import QApplication
    from window_bench import finding, sample_document

    from gui.left.findings_tab import FindingsTab
    from gui.state.finding_row import FindingRow

    application = QApplication.instance() or QApplication(["antinomy"])
    document = sample_document()
    rows = [FindingRow(finding(document, n, n % 5, (n + 1) % 5, summary=f"Finding {n}.")) for n in range(2000)]
    tab = FindingsTab()
    tab.resize(300, 800)
    tab.show()
    measure(
        application,
        ("2,000 findings, listed", lambda: tab.set_rows(rows)),
        ("2,000 findings, filtered the first time", lambda: tab.model.set_filter("finding 19")),
        ("2,000 findings, filtered again", lambda: tab.model.set_filter("finding 18")),
        ("2,000 findings, unfiltered", lambda: tab.model.set_filter("")),
        ("2,000 findings, a step", lambda: tab.step(1)),
    )
    tab.close()


def measure(application: QCoreApplication, *acts: tuple[str, Callable[[], object]]) -> None:
    """Say how long each act and the events that follow it take."""
    for name, act in acts:
        began, began_cpu = time.perf_counter(), time.thread_time()
        act()
        application.processEvents()
        took, worked = 1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - began_cpu)
        say(f"{name}: {worked:.0f} ms of work in {took:.0f} ms (asked: under 50)")


def triage(folder: Path) -> None:
    """A matter with 2,000 findings on 100 pages, played by a fake engine: deciding on one and on all of them."""
    from painted_pages import contract
    from PySide6.QtWidgets import QApplication
    from window_bench import finding

    from gui.commands.names import Name
    from gui.processes.fake import FakeProcesses
    from gui.workbench import Workbench

    application = QApplication(["antinomy"])
    document, processes = contract(100), FakeProcesses()
    workbench = Workbench(processes, folder, list, lambda name: folder / name)
    workbench.window.resize(1440, 900)
    workbench.window.show()
    while ("start", 0, ()) not in processes.asked:
        application.processEvents()
    workbench.documents.open_paths([folder / "contract.pdf"])
    job = processes.waiting("open_document")[-1]
    processes.play_opened(job, document)
    processes.play_read(job, document)
    application.processEvents()
    processes.play_engine_status("ready")
    clauses = len(document.clauses)
    findings = tuple(
        finding(document, n, n * 37 % clauses, (n * 91 + 5) % clauses, summary=f"Finding {n}.")
        for n in range(1, 2001)
    )
    (review,) = processes.waiting("review")
    act = workbench.window.actions_by_name
    inbox = workbench.window.left.findings
    processes.play_reviewed(review, findings)
    # Another thread keeps it; then list and marks come in turns of their own.
    longest, worked, turns_left = 0.0, 0.0, 5
    while turns_left:
        began, began_cpu = time.perf_counter(), time.thread_time()
        application.processEvents()
        longest = max(longest, 1000 * (time.perf_counter() - began))
        worked = max(worked, 1000 * (time.thread_time() - began_cpu))
        turns_left -= not workbench.desk.keeping.is_saving
    took = f"{worked:.0f} ms of work in {longest:.0f} ms"
    say(f"a review of 2,000 findings taken, longest turn: {took} (asked: under 50)")
    measure(
        application,
        ("of 2,000: next", act[Name.NEXT_FINDING].trigger),
        ("of 2,000: next once more", act[Name.NEXT_FINDING].trigger),
        ("of 2,000: confirm", act[Name.CONFIRM].trigger),
        ("of 2,000: confirm once more", act[Name.CONFIRM].trigger),
        ("of 2,000: undo", act[Name.UNDO].trigger),
        ("of 2,000: select all", act[Name.SELECT_ALL].trigger),
        ("of 2,000: flag all", act[Name.FLAG].trigger),
        ("of 2,000: undo that", act[Name.UNDO].trigger),
        ("of 2,000: show weak ones too", inbox.show_everything),
    )
    workbench.window.close()


def main() -> int:
    """Measure all, each part in a process of its own."""
    if len(sys.argv) > 2 and sys.argv[1] == "--child":
        child(Path(sys.argv[2]), float(sys.argv[3]))
        return 0
    if sys.argv[1:] == ["--list"]:
        long_list()
        return 0
    if len(sys.argv) > 2 and sys.argv[1] == "--triage":
        triage(Path(sys.argv[2]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "hundred pages.pdf"
        if len(sys.argv) == 1:
            write_contract(path, 100)
        environment = {**os.environ, "ANTINOMY_HOME": str(Path(folder) / "home")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        warm = "import pymupdf, engine.reader_process, engine.engine_process, gui.workbench, gui.state.open_matter as m"
        code = f"{warm}; m.load_matter_library()"
        subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, check=True)
        (Path(folder) / "triage").mkdir()
        for arguments in (["--child", str(path)], ["--list"], ["--triage", str(Path(folder) / "triage")]):
            clock = [str(time.clock_gettime(time.CLOCK_MONOTONIC))] if "--child" in arguments else []
            subprocess.run([sys.executable, __file__, *arguments, *clock], env=environment, check=True, timeout=400)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
