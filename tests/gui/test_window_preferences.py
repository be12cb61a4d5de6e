"""Preferences: immediate, remembered, taken back; paper apart from the window's colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from window_bench import Bench

from engine.protocol.messages import ReadingOptions
from gui.commands.names import Name
from gui.theme import Theme


def open_preferences(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Comma, bench.window, Qt.KeyboardModifier.ControlModifier)
    assert bench.window.pages.shows_preferences


def choose(bench: Bench, number: int, row: int) -> None:
    """As with the keyboard: the list of a line, a row of it."""
    box = bench.window.pages.preferences.choices[number]
    box.setFocus()
    bench.press(Qt.Key.Key_Home, box)
    for _ in range(row):
        bench.press(Qt.Key.Key_Down, box)


def test_sepia_paper_under_a_light_window_is_remembered(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.trigger(Name.THEME_LIGHT)
    bench.trigger(Name.TONE_SEPIA)
    assert bench.window.pages.view.theme is Theme.SEPIA
    assert bench.window.left.pages.view.theme is Theme.SEPIA
    bench.trigger(Name.THEME_DARK)
    assert bench.window.pages.view.theme is Theme.SEPIA
    again = make_bench()
    assert again.window.pages.view.theme is Theme.SEPIA
    assert again.window.actions_by_name[Name.TONE_SEPIA].isChecked()
    again.trigger(Name.TONE_WINDOW)
    assert again.window.pages.view.theme is Theme.DARK


def test_the_page_opens_over_the_pages_and_escape_returns(bench: Bench) -> None:
    bench.open()
    open_preferences(bench)
    assert not bench.window.pages.view.isVisible()
    choose(bench, 1, 2)
    assert bench.window.pages.view.theme is Theme.SEPIA
    bench.press(Qt.Key.Key_Escape, bench.window.pages.preferences)
    assert bench.window.pages.view.isVisible()


def test_as_before_puts_everything_back(bench: Bench) -> None:
    bench.trigger(Name.THEME_LIGHT)
    open_preferences(bench)
    choose(bench, 0, 2)
    choose(bench, 3, 2)
    bench.trigger(Name.RECOGNISE)
    assert bench.window.pages.view.theme is Theme.DARK
    bench.click(bench.window.pages.preferences.as_before)
    assert bench.window.pages.view.theme is Theme.LIGHT
    assert bench.window.actions_by_name[Name.LIST_LIKELY].isChecked()
    assert bench.window.actions_by_name[Name.RECOGNISE].isChecked()
    bench.click(bench.window.pages.preferences.done)
    assert bench.window.pages.first_run.isVisible()


def test_the_language_changes_on_the_page_and_the_page_stays(bench: Bench) -> None:
    english = bench.window
    open_preferences(bench)
    choose(bench, 2, 1)
    bench.qtbot.waitUntil(lambda: bench.window is not english)
    assert bench.window.pages.shows_preferences
    assert bench.window.pages.preferences.as_before.text() == "恢复原样"


def test_scans_are_left_unread_when_the_person_says_so(make_bench: Callable[[], Bench]) -> None:
    make_bench().trigger(Name.RECOGNISE)
    bench = make_bench()
    assert not bench.window.actions_by_name[Name.RECOGNISE].isChecked()
    bench.workbench.documents.open_paths([Path("scan.pdf")])
    asked = [each for each in bench.processes.asked if each[0] == "open_document"][-1]
    assert ReadingOptions(recogniser="none") in asked[2]


def test_the_full_check_is_a_switch_that_reviews_again_and_is_remembered(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open()
    bench.review()
    bench.trigger(Name.FULL_CHECK)
    job = bench.last_job("review")
    options = [arguments[1] for method, _, arguments in bench.processes.asked if method == "review"]
    assert [each.full_check for each in options] == [False, True]
    bench.processes.play_progress(job, "reading", 50, 100)
    assert "reading every pair together" in bench.window.status.progress_words.text()
    assert make_bench().window.actions_by_name[Name.FULL_CHECK].isChecked()


def give_name(bench: Bench, name: str) -> None:
    line = bench.window.pages.preferences.name
    line.setFocus()
    bench.press(Qt.Key.Key_A, line, Qt.KeyboardModifier.ControlModifier)
    bench.type(name)
    bench.press(Qt.Key.Key_Return, line)


def names(bench: Bench) -> list[str]:
    return [person.name for person in bench.workbench.labelling.people()]


def test_the_name_is_given_once_and_is_the_same_person_in_every_matter(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    open_preferences(bench)
    give_name(bench, "Ada  Byron")
    bench.open()
    bench.desk.keep_opened()
    assert names(bench) == ["Ada Byron"]
    first = bench.workbench.labelling.me
    assert first is not None
    other = msgspec.structs.replace(bench.document, id="sha256:" + "c" * 64, name="other.pdf")
    again = make_bench()
    again.open(Path("other.pdf"), other)
    again.desk.keep_opened()
    me = again.workbench.labelling.me
    assert me is not None
    assert (me.id, me.name) == (first.id, "Ada Byron")


def test_the_name_changes_in_the_open_matter_and_is_put_back(bench: Bench) -> None:
    bench.open()
    bench.desk.keep_opened()
    before = names(bench)
    open_preferences(bench)
    assert bench.window.pages.preferences.name.text() == before[0]
    give_name(bench, "张三")
    assert names(bench) == ["张三"]
    give_name(bench, " ")
    assert names(bench) == ["张三"]
    bench.click(bench.window.pages.preferences.as_before)
    assert names(bench) == before


def test_a_colleague_who_labels_at_this_machine_keeps_her_name(bench: Bench) -> None:
    bench.open()
    bench.desk.keep_opened()
    before = names(bench)
    bench.workbench.labelling.add_person("Grace")
    open_preferences(bench)
    give_name(bench, "Ada")
    assert names(bench) == [before[0], "Grace"]
