"""Window, reader and engine together: round trip, first page, pauses of the event loop, memory.

Makes its own contract of 100 pages, or of as many as the first argument says (2,000 are the most that are asked
for). Figures are medians on a machine that may be busy with other things.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pymupdf
from PySide6.QtCore import QEventLoop, QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from engine.protocol.messages import Ping, Pong
from gui.processes.supervisor import Supervisor

PAGES = 100
ROUND_TRIPS = 1000
OPENINGS = 5
TICK_MS = 2
DUTIES = (
    "The Supplier shall deliver the Goods within {days} days after receipt of a Purchase Order.",
    "The Buyer shall pay each undisputed invoice within {days} days of its date, in the amount of USD {amount},000.",
    "Neither party may assign this Agreement without the prior written consent of the other party.",
    "Subject to Section {section}, the Supplier's total liability shall not exceed USD {amount},000 in any year.",
    "The Supplier may terminate this Agreement on {days} days' written notice to the Buyer.",
    "Each party shall keep the Confidential Information of the other secret for {years} years after termination.",
    "The Supplier shall maintain insurance of at least USD {amount},000 per occurrence throughout the Term.",
    "Interest accrues at {percent}% per annum on amounts that are overdue by more than {days} days.",
)


def write_contract(path: Path, pages: int) -> None:
    """A contract of ``pages`` pages, some 2,000 characters each, numbered clauses."""
    document = pymupdf.open()
    number = 0
    for page_number in range(pages):
        page = document.new_page(width=612, height=792)
        y = 72.0
        for section in range(1, 7):
            for item in range(3):
                number += 1
                text = DUTIES[number % len(DUTIES)].format(
                    days=10 + number * 7 % 80, amount=5 + number * 13 % 900, section=f"{page_number + 1}.{section}",
                    years=1 + number % 6, percent=1 + number % 9,
                )  # fmt: skip
                head = f"{page_number + 1}.{section}" if item == 0 else f"({'abc'[item - 1]})"
                box = pymupdf.Rect(72 + (18 if item else 0), y, 540, y + 36)
                page.insert_textbox(box, f"{head} {text}", fontsize=10)
                y += 36
    document.save(path)


class Watch(QObject):
    """Waits for signals in the event loop and measures how evenly it turns."""

    def __init__(self, supervisor: Supervisor) -> None:
        super().__init__()
        self.supervisor = supervisor
        #: Each turn's length and how much of it this process computed; the rest is the machine's other work.
        self.gaps_ms: list[tuple[float, float]] = []
        self._last_s = self._last_own_s = 0.0
        self._ticker = QTimer(self)
        self._ticker.setInterval(TICK_MS)
        self._ticker.timeout.connect(self.on_tick)

    @Slot()
    def on_tick(self) -> None:
        """One turn of the event loop."""
        now, own = time.perf_counter(), time.process_time()
        self.gaps_ms.append((1000 * (now - self._last_s), 1000 * (own - self._last_own_s)))
        self._last_s, self._last_own_s = now, own

    def tick(self, on: bool) -> None:
        """Measure from now on, or stop."""
        self._last_s, self._last_own_s = time.perf_counter(), time.process_time()
        if on:
            self.gaps_ms.clear()
            self._ticker.start()
        else:
            self._ticker.stop()

    def wait(self, signal_name: str, wanted: Callable[..., bool] = lambda *_: True) -> tuple[object, ...]:
        """Turn the event loop until the signal comes with wanted arguments."""
        loop, found = QEventLoop(), []

        def hear(*arguments: object) -> None:
            if not found and wanted(*arguments):
                found.append(arguments)
                loop.quit()

        def fail(_job: int, fault: object) -> None:
            raise SystemExit(f"a job failed: {fault}")

        signal = getattr(self.supervisor, signal_name)
        signal.connect(hear)
        self.supervisor.job_failed.connect(fail)
        loop.exec()
        signal.disconnect(hear)
        self.supervisor.job_failed.disconnect(fail)
        return found[0]


def say(name: str, value: str) -> None:
    """One line of the report."""
    sys.stdout.write(f"{name}: {value}\n")
    sys.stdout.flush()


def round_trip(supervisor: Supervisor) -> None:
    """An empty message from the window's thread to the engine and back into the window's thread."""
    channel = supervisor._engine.channel
    assert channel is not None
    loop = QEventLoop()

    class Ear(QObject):
        @Slot(object)
        def on_message(self, message: object) -> None:
            if isinstance(message, Pong):
                loop.quit()

    ear = Ear()
    channel.message_received.connect(ear.on_message)
    times_us = []
    for token in range(ROUND_TRIPS):
        started_s = time.perf_counter()
        channel.post(Ping(10**9 + token))
        loop.exec()
        times_us.append(1e6 * (time.perf_counter() - started_s))
    channel.message_received.disconnect(ear.on_message)
    times_us.sort()
    say(
        "round trip window to engine",
        f"median {statistics.median(times_us):.0f} us, p99 {times_us[int(0.99 * ROUND_TRIPS)]:.0f} us (asked < 1000)",
    )


def first_page(watch: Watch, path: Path) -> None:
    """From choosing a file to its first page's image in the window."""
    times_ms = []
    for _ in range(OPENINGS):
        started_s = time.perf_counter()
        job = watch.supervisor.open_document(path)
        _, opened = watch.wait("document_opened")
        watch.supervisor.render(opened.document, 0, 1.5)  # type: ignore[attr-defined] # a DocumentOpened
        watch.wait("page_rendered")
        times_ms.append(1000 * (time.perf_counter() - started_s))
        watch.supervisor.cancel(job)
        watch.supervisor.close_document(opened.document)  # type: ignore[attr-defined] # a DocumentOpened
        watch.wait("job_cancelled")
    say(f"first page of {path.stem}", f"median {statistics.median(times_ms):.0f} ms (asked < 500)")


def death(watch: Watch) -> None:
    """From SIGKILL to the window knowing it, and to the successor's hello."""
    noticed_ms, restarted_ms = [], []
    for keeper in (watch.supervisor._reader, watch.supervisor._engine):
        channel = keeper.channel
        assert channel is not None
        started_s = time.perf_counter()
        psutil.Process(channel.pid).kill()
        watch.wait("child_died")
        noticed_ms.append(1000 * (time.perf_counter() - started_s))
        watch.wait("child_restarted")
        restarted_ms.append(1000 * (time.perf_counter() - started_s))
    say("a killed child is noticed after", " and ".join(f"{ms:.0f}" for ms in noticed_ms) + " ms (asked < 100)")
    say("its successor says hello after", " and ".join(f"{ms:.0f}" for ms in restarted_ms) + " ms")


def review(watch: Watch, path: Path) -> None:
    """Reading and reviewing, with the event loop watched."""
    supervisor = watch.supervisor
    for name, act in (("reading", None), ("review", supervisor.review)):
        watch.tick(True)
        started_s = time.perf_counter()
        if act is None:
            supervisor.open_document(path)
            _, document = watch.wait("document_read")
        else:
            act([document])
            _, findings, _ = watch.wait("review_finished")
        seconds = time.perf_counter() - started_s
        watch.tick(False)
        gaps = sorted(watch.gaps_ms)
        say(name, f"{seconds:.2f} s")
        say(
            f"longest pause of the event loop during {name}",
            f"{gaps[-1][0]:.1f} ms ({gaps[-1][1]:.1f} of them this process's work; most of its work in one turn "
            f"{max(own for _, own in gaps):.1f}), p99 {gaps[int(0.99 * (len(gaps) - 1))][0]:.1f} ms "
            f"of {len(gaps)} turns (asked < 50)",
        )
    say("findings", str(len(findings)))  # type: ignore[arg-type] # a tuple
    processes = [psutil.Process(), *psutil.Process().children()]
    used = [process.memory_full_info().uss / 2**20 for process in processes]
    say("memory of the processes", " + ".join(f"{mb:.0f}" for mb in used) + f" = {sum(used):.0f} MB (asked < 2560)")


def measure(supervisor: Supervisor, pages: int) -> None:
    """Start the children and take all figures."""
    watch = Watch(supervisor)
    started_s = time.perf_counter()
    supervisor.start()
    say("start of the supervisor", f"{1000 * (time.perf_counter() - started_s):.1f} ms in the window's thread")
    watch.wait("engine_status_changed", lambda status: status.state == "ready")
    say("engine ready", f"{time.perf_counter() - started_s:.2f} s after the start")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{pages} pages.pdf"
        write_contract(path, pages)
        round_trip(supervisor)
        first_page(watch, path)
        review(watch, path)
        death(watch)


def main(pages: int = PAGES) -> int:
    """Run all."""
    application = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    supervisor = Supervisor()
    try:
        measure(supervisor, pages)
    finally:
        started_s = time.perf_counter()
        supervisor.close()
        say("closing", f"{1000 * (time.perf_counter() - started_s):.0f} ms")
    application.quit()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:2])))
