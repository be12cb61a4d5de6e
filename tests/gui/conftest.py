"""Leftover windows, timers and threads of Qt's fail the test that leaves them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_bench import Bench, sample_document

from engine.document import Document
from gui.commands.names import Name
from gui.processes.fake import FakeProcesses
from gui.workbench import Workbench


def pytest_configure(config: pytest.Config) -> None:
    """The offscreen platform says this of every window with a least size and of every menu; it means nothing."""
    for what in (r"propagateSizeHints\(\)", r"raise\(\)", "grabbing the (keyboard|mouse)"):
        config.addinivalue_line("qt_log_ignore", f"This plugin does not support {what}")


def _settle() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


@pytest.fixture(autouse=True, scope="session")
def older_objects_set_aside() -> Iterator[None]:
    """Take what other tests imported (torch) out of the collections and searches that follow each test here."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def no_qt_leftovers(qtbot: QtBot) -> Iterator[None]:
    """Fail a test that leaves a top-level widget, a running timer or a running thread of Qt's."""
    before = {id(widget) for widget in QApplication.topLevelWidgets()}
    yield
    _settle()
    gc.collect()
    _settle()
    left = [w for w in QApplication.topLevelWidgets() if id(w) not in before and w.isVisible()]
    assert not left, f"windows left open: {left}"
    # Not isinstance: asking an object of torch's for its __class__ can warn.
    things = [thing for thing in gc.get_objects() if issubclass(type(thing), QTimer | QThread)]
    running = [thing for thing in things if _is_running(thing)]
    assert not running, f"left running: {running}"


def _is_running(thing: QTimer | QThread) -> bool:
    try:
        return thing.isActive() if isinstance(thing, QTimer) else thing.isRunning()
    except RuntimeError:
        return False  # its C++ side is gone


@pytest.fixture
def document() -> Document:
    return sample_document()


@pytest.fixture
def make_bench(qtbot: QtBot, tmp_path: Path, document: Document) -> Iterator[Callable[[], Bench]]:
    """Makes a window; a second one in a test is the program started again."""
    made: list[Workbench] = []

    def make() -> Bench:
        for workbench in made:
            workbench.window.close()
        files: list[Path] = []
        settings = QSettings(str(tmp_path / "data" / "window.ini"), QSettings.Format.IniFormat)
        if not settings.contains("looks/language"):
            # Whatever the machine speaks, the tests read English unless they ask for another language.
            settings.setValue("looks/language", "en")
            settings.sync()
        processes = FakeProcesses()
        workbench = Workbench(
            processes, tmp_path / "data", lambda: files, lambda name: tmp_path / name,
            lambda title, name, filters: str(tmp_path / name),
        )  # fmt: skip
        processes.setParent(workbench)
        made.append(workbench)
        workbench.window.pages.view.glides = False
        workbench.window.resize(1300, 800)
        workbench.window.show()
        qtbot.waitExposed(workbench.window)
        qtbot.waitUntil(lambda: ("start", 0, ()) in processes.asked)
        workbench.window.activateWindow()
        return Bench(workbench, processes, qtbot, document, files)

    yield make
    for workbench in made:
        workbench.window.close()
        workbench.window.deleteLater()
        workbench.deleteLater()
    _settle()


@pytest.fixture
def bench(make_bench: Callable[[], Bench]) -> Bench:
    return make_bench()


@pytest.fixture
def reviewed(bench: Bench) -> Bench:
    """A window with a contract open and its three findings listed, the first one chosen."""
    bench.open()
    bench.review()
    bench.trigger(Name.NEXT_FINDING)
    bench.window.left.findings.view.setFocus()
    return bench
