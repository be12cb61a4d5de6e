"""A session of ten minutes' work, seeded: which turns of the window's event loop take over 50 ms, and in which act.

    python tests/bench/bench_session.py [SECONDS] [SEED] [FILE …]

The real window with its real children; 300 s unless said otherwise, one act about every half second, which is what a
quick reviewer does in ten minutes. Without files contracts of 100 and 20 pages are made up; their matter holds 400
findings at the beginning, and the engine's own review comes meanwhile. Beside the wall time of a turn stands the
processor time of the window's own thread: where only the wall time is long, the machine had other work, and the window
was waiting for its turn.
"""

from __future__ import annotations

import dataclasses
import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "bench"), str(ROOT / "tests" / "gui")]
FINDINGS = 400
ASKED_MS = 50.0
LONGEST_START_S = 400.0


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclasses.dataclass
class Turns:
    """Turns of the event loop by act: how many, and those that were long, (work, wall) in ms."""

    act: str = "start"
    count: int = 0
    long: list[tuple[str, float, float, float]] = dataclasses.field(default_factory=list)
    longest: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    collecting_ms: float = 0.0
    _last: tuple[float, float] = (0.0, 0.0)
    _began_collecting: float = 0.0

    def turn(self) -> None:
        """The loop has come round."""
        now = (time.thread_time(), time.perf_counter())
        if self._last[1]:
            work, wall = (1000 * (a - b) for a, b in zip(now, self._last, strict=True))
            self.count += 1
            self.longest[self.act] = max((work, wall), self.longest.get(self.act, (0.0, 0.0)))
            if wall > ASKED_MS:
                self.long.append((self.act, work, wall, self.collecting_ms))
        self._last, self.collecting_ms = now, 0.0

    def collected(self, phase: str, _facts: object) -> None:
        """Python's collection of rubbish began or ended."""
        if phase == "start":
            self._began_collecting = time.thread_time()
        else:
            self.collecting_ms += 1000 * (time.thread_time() - self._began_collecting)


class Session:
    """Acts of a person, drawn by chance, one after the other."""

    def __init__(self, folder: Path, seconds: float, seed: int, files: list[Path]) -> None:
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        from gui.fonts import font_file
        from gui.frozen_heap import FrozenHeap
        from gui.processes.supervisor import Supervisor
        from gui.theme import application_font
        from gui.workbench import Workbench

        self.application = QApplication(["antinomy"])
        self.application.setStyle("Fusion")
        self.application.setFont(application_font(font_file(folder)))
        self.folder, self.seconds, self.files = folder, seconds, files
        self.chance = random.Random(seed)
        self.turns = Turns()
        self.done: Counter[str] = Counter()
        self.to_add: list[Path] = []
        self.bench = Workbench(
            Supervisor(), folder, lambda: self.to_add, lambda name: folder / name,
            lambda title, name, filters: str(folder / name),
        )  # fmt: skip
        FrozenHeap(self.bench.desk, self.bench)
        self.bench.window.resize(1440, 900)
        self.loop_timer = QTimer(interval=5)
        self.loop_timer.timeout.connect(self.turns.turn)
        self.act_timer = QTimer(singleShot=True)
        self.act_timer.timeout.connect(self.next_act)
        self.ends_s = 0.0
        self.acts = self._acts()

    # --- acts -------------------------------------------------------------------------------------------

    def _acts(self) -> list[tuple[int, str, Callable[[], None]]]:
        from gui.commands.names import Name

        def press(*names: Name) -> Callable[[], None]:
            return lambda: self.press(self.chance.choice(names))

        return [
            (14, "scroll", self.scroll),
            (6, "zoom", press(Name.ZOOM_IN, Name.ZOOM_OUT, Name.FIT_WIDTH, Name.FIT_TEXT, Name.FIT_PAGE)),
            (8, "jump", self.jump),
            (4, "back, forward", press(Name.BACK, Name.FORWARD)),
            (5, "find", self.find),
            (4, "next hit", press(Name.FIND_NEXT, Name.FIND_PREVIOUS)),
            (14, "next finding", press(Name.NEXT_FINDING, Name.NEXT_FINDING, Name.PREVIOUS_FINDING)),
            (8, "decide", press(Name.CONFIRM, Name.FLAG)),
            (4, "dismiss", self.dismiss),
            (4, "undo, redo", press(Name.UNDO, Name.UNDO, Name.REDO)),
            (3, "note", self.note),
            (3, "filter findings", self.filter),
            (2, "group findings", self.group),
            (2, "weak findings", press(Name.LIST_EVERYTHING, Name.LIST_LIKELY, Name.LIST_SURE)),
            (3, "tabs", press(Name.SHOW_CLAUSES, Name.SHOW_PAGES, Name.SHOW_ANCHORS, Name.SHOW_LINKS)),
            (2, "findings tab", press(Name.SHOW_FINDINGS)),
            (2, "palette", self.palette),
            (2, "link", self.link),
            (2, "ask", self.ask),
            (2, "split view", press(Name.OTHER_BESIDE, Name.SHOW_BESIDE)),
            (1, "colours", press(Name.THEME_DARK, Name.THEME_LIGHT, Name.TONE_SEPIA, Name.TONE_WINDOW)),
            (1, "language", press(Name.LANGUAGE_CHINESE, Name.LANGUAGE_ENGLISH)),
            (1, "save a list", press(Name.SAVE_LIST)),
            (1, "save a copy", press(Name.SAVE_MARKED)),
            (1, "save a report", press(Name.SAVE_REPORT)),
            (1, "second document", self.second),
        ]

    @property
    def window(self):  # type: ignore[no-untyped-def]  # MainWindow, which must not be imported before the application
        """The window, another one after the language was changed."""
        return self.bench.window

    def press(self, name: object) -> None:
        """A command by its key or from a menu."""
        action = self.window.actions_by_name[name]
        if action.isEnabled():
            action.trigger()

    def scroll(self) -> None:
        """Some notches of the wheel."""
        bar = self.window.pages.view.verticalScrollBar()
        bar.setValue(bar.value() + self.chance.choice((-900, -120, 120, 240, 700, 900)))

    def jump(self) -> None:
        """To any page."""
        view = self.window.pages.view
        if view.page_count:
            view.go_to_page(self.chance.randrange(view.page_count))

    def find(self) -> None:
        """Words, a frequent word, an expression, nothing."""
        line = self.window.top_bar.search
        line.setText(self.chance.choice(("insurance", "the", "within 30 days", "unicorn", "")))
        line.returnPressed.emit()

    def dismiss(self) -> None:
        """With the first reason."""
        row = self.bench.findings.chosen
        if row is not None:
            self.bench.findings.on_evidence_decided("dismissed", "not.subject")

    def note(self) -> None:
        """A few words."""
        row = self.bench.findings.chosen
        if row is not None:
            self.window.right.evidence.note.setPlainText(f"ask the client {self.chance.random():.3f}")
            self.window.right.evidence.note.flush()

    def filter(self) -> None:
        """A word in the box above the findings, or none."""
        self.window.left.findings.filter_box.setText(self.chance.choice(("days", "supplier", "pump valve", "")))

    def group(self) -> None:
        """By something else."""
        box = self.window.left.findings.group_box
        box.setCurrentIndex(self.chance.randrange(box.count()))

    def palette(self) -> None:
        """Open it, type, close it."""
        from PySide6.QtCore import QTimer

        from gui.commands.names import Name

        self.press(Name.PALETTE)
        palette = self.window.palette_of_commands
        palette.line.setText("sa")
        QTimer.singleShot(150, palette.close_palette)

    def link(self) -> None:
        """From clause to clause, then the form is left."""
        document = self.bench.desk.document(self.bench.desk.current)
        if document is not None and len(document.clauses) > 3:
            a, b = self.chance.sample(document.clauses, 2)
            self.window.pages.view.link_dropped.emit(a.start, a.end, b.start, b.end)

    def ask(self) -> None:
        """A question to the contracts."""
        from gui.commands.names import Name

        self.press(Name.ASK)
        panel = self.window.right.ask
        panel.question.setText(self.chance.choice(("When must the invoice be paid?", "Who insures the pump?")))
        panel.question.returnPressed.emit()

    def second(self) -> None:
        """Another document into the matter, later from one to the other."""
        from gui.commands.names import Name

        if len(self.bench.desk.documents) < len(self.files):
            self.to_add = self.files[len(self.bench.desk.documents) :][:1]
            self.press(Name.ADD)
        else:
            self.bench.desk.show(self.chance.choice(list(self.bench.desk.documents)))

    # --- running ----------------------------------------------------------------------------------------

    def next_act(self) -> None:
        """Draw an act, and the pause after it."""
        if time.monotonic() > self.ends_s:
            self.finish()
            return
        weights = [weight for weight, _, _ in self.acts]
        _, name, act = self.chance.choices(self.acts, weights)[0]
        # A turn in between, so that an act's turns are counted under its own name.
        self.turns.turn()
        self.turns.act = name
        self.done[name] += 1
        act()
        self.act_timer.start(self.chance.randint(200, 800))

    def run(self) -> int:
        """From the first frame to the last act."""
        from PySide6.QtCore import QTimer

        self.window.first_frame_painted.connect(lambda: QTimer.singleShot(2500, self.open))
        self.window.show()
        QTimer.singleShot(int(1000 * (LONGEST_START_S + self.seconds)), self.finish)
        self.application.exec()
        self.bench.close()
        return 0

    def open(self) -> None:
        """The first contract; the session begins when its findings are there."""
        gc.callbacks.append(self.turns.collected)
        self.turns.act = "open, read, review"
        self.loop_timer.start()
        self.bench.desk.book.rows_reset.connect(self.on_rows)
        self.bench.desk.open_files(self.files[:1])

    def on_rows(self) -> None:
        """Findings have come."""
        if not self.ends_s and self.bench.desk.book.rows():
            self.ends_s = time.monotonic() + self.seconds
            say(f"{len(self.bench.desk.book.rows())} findings, {self.window.pages.view.page_count} pages")
            self.act_timer.start(500)

    def finish(self) -> None:
        """Say what was measured."""
        self.loop_timer.stop()
        self.act_timer.stop()
        turns = self.turns
        ours = [each for each in turns.long if each[1] > ASKED_MS]
        say(f"acts: {sum(self.done.values())}; turns of the event loop: {turns.count}")
        say(f"turns of over {ASKED_MS:.0f} ms of wall time: {len(turns.long)}")
        say(f"… of over {ASKED_MS:.0f} ms of the window's own work: {len(ours)} (asked: 0)")
        for act, work, wall, collecting in sorted(ours, key=lambda each: -each[1])[:25]:
            say(f"  {act}: {work:.0f} ms of work in {wall:.0f} ms, {collecting:.0f} ms of them collecting rubbish")
        say("longest turn by act, work (wall):")
        for act, (work, wall) in sorted(turns.longest.items(), key=lambda each: -each[1][0]):
            say(f"  {act} ({self.done[act]}x): {work:.0f} ms ({wall:.0f} ms)")
        self.window.close()
        self.application.quit()


def prepare(folder: Path, path: Path) -> None:
    """A matter that holds a contract with its text and many findings, as an earlier day left it."""
    from window_bench import finding

    from engine.document import pack
    from engine.matter import Matter
    from engine.protocol.findings import EngineLine
    from engine.reading.open_file import open_file

    opened = open_file(str(path))
    for _ in opened.read():
        pass
    document = opened.document
    clauses = len(document.clauses)
    found = [finding(document, n, n * 37 % clauses, (n * 91 + 5) % clauses) for n in range(1, FINDINGS + 1)]
    matters = folder / "matters"
    matters.mkdir()
    with Matter.create(matters / f"{document.id.removeprefix('sha256:')[:24]}.antinomy") as matter:
        matter.add_document(
            document.id, path.name, str(path), document.media.value, pack(document), clauses=document.clauses
        )
        matter.save_review([document.id], found, EngineLine("", "", ""))


def main() -> int:
    """In a process with a home of its own."""
    from bench_window import write_contract

    arguments = sys.argv[1:]
    if arguments[:1] == ["--one"]:
        folder, seconds, seed = Path(arguments[1]), float(arguments[2]), int(arguments[3])
        return Session(folder, seconds, seed, [Path(each) for each in arguments[4:]]).run()
    seconds = arguments[0] if arguments else "300"
    seed = arguments[1] if len(arguments) > 1 else "7"
    with tempfile.TemporaryDirectory() as home:
        files = arguments[2:]
        if not files:
            for name, pages in (("first.pdf", 100), ("second.pdf", 20)):
                write_contract(Path(home) / name, pages)
                files.append(str(Path(home) / name))
            prepare(Path(home), Path(files[0]))
        environment = {**os.environ, "ANTINOMY_HOME": home}
        command = [sys.executable, __file__, "--one", home, seconds, seed, *files]
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
