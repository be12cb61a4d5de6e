"""The palette, the sheet of keys, the keyboard's way round, colours, search; starting without a screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from window_bench import Bench

from gui import no_screen
from gui.app import _BugReport, run_window
from gui.commands.names import Name
from gui.fonts import FontExport
from gui.samples import sample_contract, sample_contracts
from gui.theme import PALETTES, Layer, Theme

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def light_again() -> Any:
    """Colours belong to the application, which the tests share."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    before = application.palette(), application.styleSheet()
    yield
    application.setPalette(before[0])
    application.setStyleSheet(before[1])


def test_the_palette_runs_a_command_by_some_of_its_letters(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_K, reviewed.window, CONTROL)
    palette = reviewed.window.palette_of_commands
    assert palette.isVisible()
    reviewed.type("clau")
    reviewed.press(Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert reviewed.window.left.currentWidget() is reviewed.window.left.clauses


def test_esc_closes_the_palette_and_gives_the_keyboard_back(reviewed: Bench) -> None:
    reviewed.trigger(Name.PALETTE)
    reviewed.press(Qt.Key.Key_Down)
    reviewed.press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is reviewed.window.left.findings.view


def test_every_command_is_in_a_menu(bench: Bench) -> None:
    listed = {
        action.objectName()
        for menu in bench.window.menuBar().actions()
        for action in menu.menu().actions()  # type: ignore[attr-defined]  # the stubs lack QAction.menu's type
    }
    assert {name.value for name in Name} <= listed


def test_the_sheet_lists_all_keys_and_goes_by_any_key(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_Question, reviewed.window)
    sheet = reviewed.window.sheet
    assert sheet.isVisible()
    assert "Confirm" in sheet.body.text()
    assert "Ctrl+K" in sheet.body.text()
    reviewed.press(Qt.Key.Key_Space)
    assert not sheet.isVisible()


def test_f6_goes_round_the_panels(reviewed: Bench) -> None:
    stops = []
    for _ in range(4):
        reviewed.press(Qt.Key.Key_F6, reviewed.window)
        stops.append(QApplication.focusWidget())
    window = reviewed.window
    assert stops == [
        window.pages.view, window.right.evidence.cards[0], window.top_bar.search, window.left.findings.view,
    ]  # fmt: skip


def test_dark_is_dark_and_remembered(bench: Bench) -> None:
    bench.trigger(Name.THEME_DARK)
    window = QColor(PALETTES[Theme.DARK].panel)
    assert bench.window.palette().color(QPalette.ColorRole.Window) == window
    assert bench.window.pages.view.theme is Theme.DARK
    assert bench.workbench.settings.value("looks/theme") == "theme_dark"


def test_searching_marks_all_places_and_walks_them(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_F, reviewed.window, CONTROL)
    assert QApplication.focusWidget() is reviewed.window.top_bar.search
    reviewed.type("each  invoice")
    reviewed.press(Qt.Key.Key_Return)
    marks = reviewed.window.pages.view.marks
    assert len(marks.layer(Layer.FIND)) == 1
    first = marks.layer(Layer.FIND_CURRENT)[0]
    assert reviewed.document.quote(first.start, first.end) == "each invoice"
    reviewed.press(Qt.Key.Key_F3, reviewed.window)
    assert marks.layer(Layer.FIND_CURRENT)[0] != first
    assert "2 of 2 places" in reviewed.window.status.remark.text()
    reviewed.window.top_bar.search.clear()
    assert marks.layer(Layer.FIND_CURRENT) == ()


def test_words_that_are_not_there_are_said_to_be_missing(reviewed: Bench) -> None:
    reviewed.window.top_bar.search.setFocus()
    reviewed.type("unicorn")
    reviewed.press(Qt.Key.Key_Return)
    assert "does not stand in this document" in reviewed.window.status.remark.text()


def test_a_mistake_of_ours_is_said_calmly(bench: Bench) -> None:
    bench.workbench.say_mistake()
    assert "What you decided is saved" in bench.said


def test_an_engine_that_falls_back_says_so(bench: Bench) -> None:
    bench.processes.play_engine_status("ready", "The GPU is busy, so the CPU is used.")
    assert bench.said == "The GPU is busy, so the CPU is used."
    assert "engine ready · CPU fp32" in bench.window.top_bar.engine.words.text()


# --- starting ---------------------------------------------------------------------------------------------


def test_a_screen_is_needed_on_linux_alone() -> None:
    assert not no_screen.has_screen({}, "linux")
    assert no_screen.has_screen({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert no_screen.has_screen({"QT_QPA_PLATFORM": "offscreen"}, "linux")
    assert no_screen.has_screen({}, "darwin")


def test_what_qt_lacks_on_x11_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_screen, "_loads", lambda library: library != "libxcb-keysyms.so.1")
    assert no_screen.missing_packages({"DISPLAY": ":0"}, "linux") == ["libxcb-keysyms1"]
    assert not no_screen.missing_packages({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert not no_screen.missing_packages({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, "linux")
    assert not no_screen.missing_packages({}, "linux")
    assert not no_screen.missing_packages({"DISPLAY": ":0"}, "darwin")


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """No screen; the command lines that would have been run."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    run: list[list[str]] = []

    def play(command: list[str], **_options: Any) -> subprocess.CompletedProcess[bytes]:
        run.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", play)
    monkeypatch.setattr(no_screen, "has_screen", lambda _environment: False)
    monkeypatch.setattr("gui.app.has_screen", lambda _environment: False)
    return run


def test_without_a_screen_the_files_are_reviewed_on_the_command_line(
    commands: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_window(["a.pdf", "b.docx"]) == 0
    assert commands == [[sys.executable, "-m", "antinomy", "review", "a.pdf", "b.docx"]]
    assert "no screen" in capsys.readouterr().err


def test_without_qts_libraries_the_line_to_run_is_said(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gui.app.has_screen", lambda _environment: True)
    monkeypatch.setattr("gui.app.missing_packages", lambda _environment: ["libxcb-icccm4", "libxcb-keysyms1"])
    assert run_window(["a.pdf"]) == 0
    assert len(commands) == 1
    assert "apt-get install -y libxcb-icccm4 libxcb-keysyms1" in capsys.readouterr().err


def test_without_a_screen_each_sample_is_reviewed_by_itself(commands: list[list[str]]) -> None:
    assert run_window(["--sample"]) == 0
    assert [command[-1] for command in commands] == [str(path) for path in sample_contracts()]


def test_without_a_screen_and_files_there_is_nothing_to_do(
    commands: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_window([]) == 2
    assert commands == []
    assert "--sample" in capsys.readouterr().err


def test_there_is_one_sample_in_each_language(tmp_path: Path) -> None:
    for name in ("a.docx", "a.pdf", "b_zh.txt", "b_zh.docx", "known.jsonl"):
        (tmp_path / name).touch()
    assert [path.name for path in sample_contracts(tmp_path)] == ["a.pdf", "b_zh.docx"]
    assert sample_contract(True, tmp_path) == tmp_path / "b_zh.docx"
    assert sample_contract(False, tmp_path / "nowhere") is None


def test_the_chinese_font_is_written_by_a_child(tmp_path: Path, qtbot: Any) -> None:
    path = tmp_path / "fonts" / "chinese.ttf"
    export = FontExport(path)
    with qtbot.waitSignal(export.font_written, timeout=60_000):
        export.start()
    assert path.stat().st_size > 1_000_000
    export.close()


def test_a_mistake_goes_to_the_log_and_the_window_stays(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    report = _BugReport(bench.workbench)
    report(ValueError, ValueError("our own"), None)
    assert "our own" in caplog.text
    assert "What you decided is saved" in bench.said


def test_the_palette_knows_commands_by_their_english_names_too(bench: Bench) -> None:
    bench.trigger(Name.LANGUAGE_CHINESE)
    bench.qtbot.waitUntil(lambda: bench.window.actions_by_name[Name.FIT_WIDTH].text() == "适合宽度")
    bench.trigger(Name.PALETTE)
    palette = bench.window.palette_of_commands
    palette.line.setText("fit width")
    assert palette.list.item(0).text() == "适合宽度"
    palette.line.setText("宽度")
    assert palette.list.item(0).text() == "适合宽度"
    palette.close_palette()
