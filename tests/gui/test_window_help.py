"""The help beside the contract, in both languages; the sheet of keys in windows that are not high."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from window_bench import Bench

from gui.commands.actions import COMMANDS
from gui.commands.names import Name
from gui.help.help_panel import HelpPanel, help_text
from gui.translation import Language


def shown(bench: Bench) -> HelpPanel:
    panel = bench.window.right.currentWidget()
    assert isinstance(panel, HelpPanel)
    return panel


def test_f1_opens_the_help_and_again_puts_it_away(reviewed: Bench) -> None:
    before = reviewed.window.right.currentWidget()
    reviewed.press(Qt.Key.Key_F1, reviewed.window)
    assert "contradicts itself" in shown(reviewed).text.toPlainText()
    assert QApplication.focusWidget() is shown(reviewed).text
    reviewed.press(Qt.Key.Key_F1, reviewed.window)
    assert reviewed.window.right.currentWidget() is before
    reviewed.trigger(Name.HELP)
    reviewed.press(Qt.Key.Key_Escape, shown(reviewed).text)
    assert reviewed.window.right.currentWidget() is before
    reviewed.trigger(Name.HELP)
    reviewed.click(shown(reviewed).close_button)
    assert reviewed.window.right.currentWidget() is before


def test_the_help_speaks_chinese(bench: Bench) -> None:
    english = bench.window
    bench.trigger(Name.LANGUAGE_CHINESE)
    bench.qtbot.waitUntil(lambda: bench.window is not english)
    bench.trigger(Name.HELP)
    assert "自相矛盾" in shown(bench).text.toPlainText()


def test_every_key_in_the_help_is_one_and_both_languages_name_the_same() -> None:
    keys = {QKeySequence(each).toString() for command in COMMANDS for each in command.keys} | {"M", "L"}
    named = []
    for language in Language:
        text = help_text(language.value).replace("Alt+左方向键", "Alt+Left").replace("Ctrl+\\\\", "Ctrl+\\")
        named.append(sorted(set(re.findall(r"\*\*([^*]+)\*\*", text))))
        assert {QKeySequence(each).toString() for each in named[-1]} <= keys
    assert named[0] == named[1]


def test_a_low_window_gets_a_sheet_with_more_columns(bench: Bench) -> None:
    bench.window.resize(1300, 560)
    bench.trigger(Name.KEYS)
    sheet = bench.window.sheet
    assert sheet.height() <= bench.window.height()
    assert sheet.sizeHint().height() <= bench.window.height()
    assert sheet.body.text().count('valign="top"') > 2
