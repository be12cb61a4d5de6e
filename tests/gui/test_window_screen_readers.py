"""Every control has a name for screen readers; every command stands in the palette; colours never speak alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from window_bench import Bench

from gui.commands.actions import COMMANDS
from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.pages.page_area import PageArea

_CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, PageArea,
)  # fmt: skip


def _is_inner(widget: QWidget) -> bool:
    """What Qt makes for itself: a box's own line and list, a table's heads, a tab bar's arrows, a line's cross."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QComboBox | QAbstractSpinBox | QTabBar | QLineEdit):
            return True
        above = above.parentWidget()
    return isinstance(widget, QHeaderView) or widget.objectName().startswith("qt_")


def _named(widget: QWidget) -> bool:
    if widget.accessibleName().strip():
        return True
    if isinstance(widget, QAbstractButton):
        # Some stand ready, hidden, and get their words when they are shown.
        return any(c.isalnum() for c in widget.text()) or (widget.isHidden() and not widget.text())
    parent = widget.window()
    return any(label.buddy() is widget and label.text() for label in parent.findChildren(QLabel))


def nameless(window: MainWindow) -> list[str]:
    """The controls that a screen reader could only call by their kind, with what they stand in."""
    out = []
    for widget in window.findChildren(QWidget):
        if isinstance(widget, _CONTROLS) and not _is_inner(widget) and not _named(widget):
            above = [type(widget).__name__]
            parent = widget.parentWidget()
            while parent is not None and len(above) < 4:
                above.append(type(parent).__name__)
                parent = parent.parentWidget()
            out.append(" in ".join(above))
    return out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_control_has_a_name(make_bench: Callable[[], Bench], language: str) -> None:
    bench = make_bench()
    if language == "zh":
        bench.trigger(Name.LANGUAGE_CHINESE)
        bench.qtbot.waitUntil(lambda: bench.workbench.settings.value("looks/language") == "zh")
    bench.open()
    bench.review()
    for name in (Name.PREFERENCES, Name.PEOPLE, Name.RULINGS, Name.GUIDE, Name.ASK, Name.SHOW_BESIDE, Name.KEYS):
        bench.trigger(name)
    bench.window.sheet.close_sheet()
    assert "\n".join(nameless(bench.window)) == ""


def test_every_command_is_in_the_palette(reviewed: Bench) -> None:
    reviewed.trigger(Name.PALETTE)
    palette = reviewed.window.palette_of_commands
    listed = [palette.list.item(row).text() for row in range(palette.list.count())]
    words = [reviewed.window.actions_by_name[command.name].text() for command in COMMANDS]
    missing = [
        word for command, word in zip(COMMANDS, words, strict=True)
        if command.name is not Name.PALETTE and not any(word in each for each in listed)
        and reviewed.window.actions_by_name[command.name].isEnabled()
    ]  # fmt: skip
    palette.close_palette()
    assert missing == []


def test_passages_and_findings_are_read_out_with_all_that_is_seen(reviewed: Bench) -> None:
    card = reviewed.window.right.evidence.cards[0]
    assert "page 1" in card.accessibleName()
    assert "30 days" in card.accessibleDescription()
    model = reviewed.window.left.findings.model
    words = model.index_of(reviewed.row(1).id).data(11)  # Qt.ItemDataRole.AccessibleTextRole
    assert words.startswith("High, Conflict, Open")
