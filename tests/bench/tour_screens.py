"""Pictures of every panel, in light and dark, English and Chinese, at 100 % and 200 %, for people to look at.

    python tests/bench/tour_screens.py OUT [--scale 1|2] [FILE_EN FILE_ZH]

Drives the real window with its real children on the offscreen platform; the shipped samples are the contracts unless
two others are named. ANTINOMY_TOUR names the panels to take ("first_page,find"), all when unset. Each scale is a
process of its own. Answers 1 when a panel could not be brought up.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
LONGEST_S = 240.0
QUESTIONS = {"en": "When must invoices be paid?", "zh": "何时付款？"}
WORDS = {"en": "days", "zh": "日内"}


def say(line: str) -> None:
    """A line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Tour:
    """One run at one scale: the window is brought into each state, and its picture kept."""

    def __init__(self, out: Path, samples: dict[str, Path]) -> None:
        from PySide6.QtCore import QSettings
        from PySide6.QtWidgets import QApplication

        from engine.protocol.places import data_dir
        from gui.workbench import Workbench

        self.out, self.samples = out, samples
        self.scale = round(100 * float(os.environ.get("QT_SCALE_FACTOR", "1")))
        self.application = QApplication(["antinomy"])
        self.application.setStyle("Fusion")
        settings = QSettings(str(data_dir() / "window.ini"), QSettings.Format.IniFormat)
        settings.setValue("looks/language", "en")
        settings.sync()
        self.bench = Workbench.with_children(data_dir())
        self.look = ""
        self.only = set(filter(None, os.environ.get("ANTINOMY_TOUR", "").split(",")))
        self.missed: list[str] = []

    def wait(self, what: Callable[[], object], name: str, longest_s: float = LONGEST_S) -> bool:
        """Let events happen until something is so; False when it never was."""
        from PySide6.QtTest import QTest

        end = time.monotonic() + longest_s
        while not what():
            if time.monotonic() > end:
                self.missed.append(f"{self.look} {name}")
                say(f"not seen: {self.look} {name}")
                return False
            QTest.qWait(10)
        return True

    def rest(self, seconds: float = 0.6) -> None:
        """Let what is being drawn come to an end."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end, "rest")

    def keep(self, name: str) -> None:
        """The window as it is now."""
        if self.only and name not in self.only:
            return
        view = self.bench.window.pages.view
        if view.isVisible():
            self.wait(lambda: view.is_sharp, f"{name}: sharp pages", 20)
        self.rest()
        self.bench.window.grab().save(str(self.out / f"{self.look}_{name}.png"))

    def run(self) -> int:
        """All looks."""
        from gui.commands.names import Name

        window = self.bench.window
        window.resize(1440, 900)
        window.show()
        for language, other in (("en", Name.LANGUAGE_ENGLISH), ("zh", Name.LANGUAGE_CHINESE)):
            if not self.bench.window.actions_by_name[other].isChecked():
                old = self.bench.window
                old.actions_by_name[other].trigger()
                self.wait(lambda old=old: self.bench.window is not old, "language", 20)
                self.bench.window.resize(1440, 900)
                self.rest(1)
            for theme, name in (("light", Name.THEME_LIGHT), ("dark", Name.THEME_DARK)):
                self.look = f"{language}_{theme}_{self.scale}"
                self.bench.window.actions_by_name[name].trigger()
                self.panels(language)
        self.bench.window.close()
        self.bench.close()
        return 1 if self.missed else 0

    def panels(self, language: str) -> None:
        """Every panel in one look."""
        window, desk = self.bench.window, self.bench.desk
        if desk.current:
            desk.leave_matter()
            window.pages.show_first_run()
        self.keep("first_page")
        desk.open_files([self.samples[language]])
        self.wait(window.left.findings.model.shown_count, "findings")
        window.pages.banner.hide()
        self.left_tabs()
        self.right_panels(language)
        self.over_the_window(language)

    def left_tabs(self) -> None:
        """Findings with evidence, clauses, anchors, links, notes, thumbnails."""
        from gui.commands.names import Name

        act, window = self.bench.window.actions_by_name, self.bench.window
        act[Name.SHOW_FINDINGS].trigger()
        act[Name.NEXT_FINDING].trigger()
        self.keep("findings")
        act[Name.CONFIRM].trigger()
        act[Name.FLAG].trigger()
        act[Name.NEXT_FINDING].trigger()
        act[Name.DISMISS].trigger()
        self.keep("reasons")
        window.right.evidence.reasons.hide()
        for name, tab in (
            (Name.SHOW_CLAUSES, "clauses"), (Name.SHOW_ANCHORS, "anchors"), (Name.SHOW_LINKS, "links"),
            (Name.SHOW_NOTES, "notes"), (Name.SHOW_PAGES, "thumbnails"),
        ):  # fmt: skip
            act[name].trigger()
            self.rest(1.5)
            self.keep(tab)
        act[Name.SHOW_FINDINGS].trigger()

    def right_panels(self, language: str) -> None:
        """A link being made, an answer, the second view, people and guide."""
        from gui.commands.names import Name

        act, window, desk = self.bench.window.actions_by_name, self.bench.window, self.bench.desk
        document = desk.document(desk.current)
        if document is not None and len(document.clauses) > 6:
            first, second = document.clauses[3], document.clauses[6]
            window.pages.view.link_dropped.emit(first.start, first.end, second.start, second.end)
            self.keep("link_form")
        act[Name.ASK].trigger()
        window.right.ask.question.setText(QUESTIONS[language])
        window.right.ask.question.returnPressed.emit()
        self.rest(1)
        if not self.only or "ask" in self.only:
            self.wait(window.right.ask.cards[0].isVisible, "answer", 120)
        self.keep("ask")
        act[Name.NEXT_FINDING].trigger()
        act[Name.OTHER_BESIDE].trigger()
        self.rest(1.5)
        self.keep("split")
        act[Name.SHOW_BESIDE].trigger()
        for name, panel in ((Name.PEOPLE, "people"), (Name.GUIDE, "guide")):
            act[name].trigger()
            self.keep(panel)
            window.right.show_evidence()

    def over_the_window(self, language: str) -> None:
        """Search, palette, keys, preferences, the menu of documents, a message."""
        from PySide6.QtTest import QTest

        from gui.commands.names import Name

        act, window = self.bench.window.actions_by_name, self.bench.window
        act[Name.FIND].trigger()
        window.top_bar.search.setText(WORDS[language])
        window.top_bar.search.returnPressed.emit()
        self.keep("find")
        window.top_bar.search.clear()
        act[Name.PALETTE].trigger()
        self.rest()
        QTest.keyClicks(window.palette_of_commands.line, "s")
        self.keep("palette")
        window.palette_of_commands.close_palette()
        act[Name.KEYS].trigger()
        self.keep("keys")
        window.sheet.close_sheet()
        act[Name.PREFERENCES].trigger()
        self.keep("preferences")
        window.pages.leave_preferences()
        window.top_bar.menu.popup(window.mapToGlobal(window.rect().topLeft()))
        self.rest()
        window.top_bar.menu.grab().save(str(self.out / f"{self.look}_documents_menu.png"))
        window.top_bar.menu.close()
        self.bench.desk.files.state_changed.emit(self.bench.desk.current, _changed())
        self.keep("message")
        window.pages.banner.hide()


def _changed() -> object:
    from gui.state.file_watch import FileState

    return FileState.CHANGED


def main() -> int:
    """Both scales, each in a process of its own."""
    arguments = sys.argv[1:]
    out = Path(arguments[0]) if arguments else Path("bench-out") / "screens"
    out.mkdir(parents=True, exist_ok=True)
    if "--one" in arguments:
        from gui.samples import sample_contract

        files = [Path(each) for each in arguments[1:] if not each.startswith("--")]
        names = files or [path for path in (sample_contract(False), sample_contract(True)) if path is not None]
        return Tour(out, dict(zip(("en", "zh"), names, strict=True))).run()
    scales = [arguments[arguments.index("--scale") + 1]] if "--scale" in arguments else ["1", "2"]
    files = [each for each in arguments[1:] if Path(each).is_file()]
    status = 0
    # One home: the second scale finds the findings of the first in their matters. ANTINOMY_HOME may name an older one.
    with tempfile.TemporaryDirectory() as home:
        for scale in scales:
            environment = {"ANTINOMY_HOME": home, **os.environ, "QT_SCALE_FACTOR": scale}
            command = [sys.executable, __file__, str(out), "--one", *files]
            status |= subprocess.run(command, env=environment, check=False).returncode
    return status


if __name__ == "__main__":
    raise SystemExit(main())
