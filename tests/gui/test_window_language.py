"""The interface in English and Chinese."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, Qt
from window_bench import Bench

import engine
import gui.workbench
from engine.document import Notice
from engine.matter import errors, guide_merge, storage
from engine.matter import file as matter_file
from engine.matter.errors import MatterError
from engine.matter.records import DecisionState
from engine.protocol.messages import EngineStatus, Fault, FaultCode
from engine.states.ngrams import NgramEncoder
from gui.commands.actions import COMMANDS
from gui.commands.names import Name
from gui.state import wording
from gui.translation import Language, TableTranslator, table

CHINESE = table(Language.CHINESE)


def strings() -> Iterator[str]:
    """Every English string that the window may show."""
    for path in Path(gui.workbench.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tr":
                assert isinstance(node.args[0], ast.Constant), f"{path.name}: tr() takes literal words"
                yield node.args[0].value
    for command in COMMANDS:
        yield command.words
        yield command.menu
    for group in (wording.CONFLICT_CODES, wording.DISMISSAL_REASONS):
        yield from (each.words for each in group)
    for name, words in vars(wording).items():
        if name.endswith("_WORDS"):
            yield from words.values()


def test_every_string_has_a_chinese_one() -> None:
    assert sorted(set(strings()) - set(CHINESE)) == []


def fault_templates() -> Iterator[str]:
    """Every English sentence with which the engine's side says what a person can do about a failure."""
    for path in Path(engine.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                assigned.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("ReadingError", "ExportError", "Fault.of"):
                given = node.args[1]
                for words in assigned.get(given.id, []) if isinstance(given, ast.Name) else [given]:
                    where = f"{path.name}:{node.lineno}"
                    assert not isinstance(words, ast.JoinedStr), f"{where}: an f-string cannot be translated"
                    if isinstance(words, ast.Constant) and " " in str(words.value):
                        yield words.value


def test_every_sentence_of_a_fault_has_a_chinese_one() -> None:
    templates = set(fault_templates())
    assert len(templates) > 30
    assert sorted(templates - set(CHINESE)) == []


def matter_templates() -> Iterator[str]:
    """Every sentence of the matter's side that is said with its parts: bad lines, guides merged, what formats lose."""
    names = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, MatterError)]
    kinds = (*names, "Loss")
    for path in Path(matter_file.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in kinds and node.args:
                given = node.args[0]
                for words in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
                    if isinstance(words, ast.Constant):
                        yield words.value
    yield from guide_merge._SENTENCES.values()
    yield from (sentence for _, sentence in errors._PRIMARY.values())
    yield storage._EXISTS


def test_every_sentence_of_an_import_has_a_chinese_one() -> None:
    templates = set(matter_templates())
    assert len(templates) > 50
    assert sorted(templates - set(CHINESE)) == []


def test_every_fault_has_a_chinese_sentence() -> None:
    assert {f"fault:{code}" for code in FaultCode} <= set(CHINESE)


def test_every_matter_error_and_notice_has_a_chinese_sentence() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, MatterError)]
    assert len(kinds) > 10
    assert {f"matter:{kind.__name__}" for kind in kinds} <= set(CHINESE)
    source = Path(matter_file.__file__).read_text(encoding="utf-8")
    codes = {f"notice:{code}" for code in re.findall(r'"(matter_\w+)"', source)}
    assert len(codes) == 3
    assert codes <= set(CHINESE)


def test_a_matter_s_errors_speak_the_window_s_language(qapp: QCoreApplication) -> None:
    full = errors.DiskFull("The disk is full.")
    assert wording.matter_error_words(full) == "The disk is full."
    translator = TableTranslator(CHINESE)
    qapp.installTranslator(translator)
    try:
        assert wording.matter_error_words(full) == CHINESE["matter:DiskFull"]
    finally:
        qapp.removeTranslator(translator)


def test_faults_and_notices_speak_the_windows_language(qapp: QCoreApplication) -> None:
    fault = Fault.of(FaultCode.EMPTY_FILE, "“{name}” is empty.", {"name": "a{0}.pdf"})
    unheard_of = Fault.of(FaultCode.TOO_LARGE, "Unheard of: {}.")
    of_the_window = Fault(FaultCode.CHILD_DIED, "读取进程停止了。")
    notice = Notice("no_text_layer", "Page 3 has no text layer.", 2)
    assert wording.fault_words(fault) == fault.sentence
    assert wording.notice_words(notice) == notice.text
    translator = TableTranslator(CHINESE)
    qapp.installTranslator(translator)
    try:
        assert wording.fault_words(fault) == "“a{0}.pdf”是空的。"
        assert wording.fault_words(unheard_of) == CHINESE["fault:too_large"]
        assert wording.fault_words(of_the_window) == of_the_window.sentence
        assert "第 3 页" in wording.notice_words(notice)
        assert wording.notice_words(Notice("unheard_of", "Something.")) == "Something."
    finally:
        qapp.removeTranslator(translator)


def test_the_engine_speaks_of_itself_in_the_window_s_language(qapp: QCoreApplication) -> None:
    fine = EngineStatus("ready", "cpu", "float32", "fake", "none")
    failed = EngineStatus("failed", "cpu", "", "", "", "The engine could not be loaded: no libc here.")
    assert wording.engine_notice_words(fine) == ""
    assert wording.engine_notice_words(failed) == failed.notice
    translator = TableTranslator(CHINESE)
    qapp.installTranslator(translator)
    try:
        assert wording.engine_notice_words(fine) == ""
        assert wording.engine_notice_words(failed) == CHINESE["engine:failed"]
        assert wording.engine_notice_words(replace(fine, notice=NgramEncoder().notice)).startswith("未安装")
    finally:
        qapp.removeTranslator(translator)


def test_what_is_filled_in_is_the_same_in_both() -> None:
    def fields(text: str) -> set[str | None]:
        return {field for _, field, _, _ in string.Formatter().parse(text) if field}

    assert [e for e, chinese in CHINESE.items() if ":" not in e and fields(e) != fields(chinese)] == []


def test_words_that_the_table_lacks_stay_english(qapp: QCoreApplication) -> None:
    translator = TableTranslator({"High": "高"})
    assert qapp.installTranslator(translator)
    try:
        assert QCoreApplication.translate("any", "High") == "高"
        assert QCoreApplication.translate("any", "Unheard of") == "Unheard of"
    finally:
        qapp.removeTranslator(translator)


def test_qts_own_words_are_chinese_too(bench: Bench) -> None:
    english = bench.window
    bench.trigger(Name.LANGUAGE_CHINESE)
    bench.qtbot.waitUntil(lambda: bench.window is not english)
    menu = bench.window.left.findings.filter_box.createStandardContextMenu()
    words = [action.text() for action in menu.actions() if action.text()]
    menu.deleteLater()
    assert any("复制" in each for each in words)
    assert not [each for each in words if "Copy" in each or "Paste" in each]
    assert "取消" in QCoreApplication.translate("QPlatformTheme", "Cancel")


def test_the_language_changes_while_running_and_nothing_is_lost(reviewed: Bench) -> None:
    reviewed.press(Qt.Key.Key_C)
    english = reviewed.window
    reviewed.trigger(Name.LANGUAGE_CHINESE)
    reviewed.qtbot.waitUntil(lambda: reviewed.window is not english)
    assert reviewed.window.left.tabText(0) == "问题"
    assert "1 已确认" in reviewed.window.status.counts.text()
    assert reviewed.window.left.findings.model.shown_count() == 3
    assert reviewed.window.left.clauses.model.rowCount() == 6
    assert reviewed.window.pages.view.isVisible()
    assert reviewed.window.actions_by_name[Name.LANGUAGE_CHINESE].isChecked()
    reviewed.trigger(Name.NEXT_FINDING)
    reviewed.trigger(Name.NEXT_FINDING)
    reviewed.press(Qt.Key.Key_C, reviewed.window)
    assert reviewed.row(2).verdict is DecisionState.CONFIRMED
    assert ("close", 0, ()) not in reviewed.processes.asked


def test_the_language_is_remembered(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    first = bench.window
    bench.trigger(Name.LANGUAGE_CHINESE)
    bench.qtbot.waitUntil(lambda: bench.window is not first)
    again = make_bench()
    assert again.window.pages.first_run.open_button.text() == "打开合同…"
