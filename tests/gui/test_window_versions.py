"""Roles of documents and two versions beside each other, with real clicks and keys."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from painted_pages import contract
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu
from window_bench import LINES, Bench, finding

from engine.comparison.compare import compare_documents
from engine.document import Document
from engine.matter.records import DocumentRole
from engine.protocol.comparison import ChangeKind
from engine.protocol.messages import Fault, FaultCode
from gui.commands.names import Name
from gui.right.comparison_panel import ComparisonPanel
from gui.right.documents_panel import DocumentsPanel
from gui.state.comparison_view import Filter
from gui.theme import Layer

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def later_version() -> Document:
    """The sample with another period, one clause gone, one new, one Chinese period changed."""
    lines = (
        LINES[0].replace("30 days", "60 days"),
        LINES[1],
        LINES[3],
        "5. The Buyer shall keep the price list of the Seller secret.",
        LINES[4].replace("三十日", "九十日"),
        LINES[5],
    )
    return msgspec.structs.replace(contract(1, lines), id="sha256:" + "b" * 64, name="contract v2.pdf")


def earlier_version(document: Document) -> Document:
    return msgspec.structs.replace(document, name="contract v1.pdf")


@pytest.fixture
def two(bench: Bench) -> Bench:
    """Both versions open, the earlier one first, and reviewed together."""
    bench.document = earlier_version(bench.document)
    bench.open(Path("contract v1.pdf"), bench.document)
    bench.desk.open_files([Path("contract v2.pdf")], add=True)
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, later_version())
    bench.processes.play_read(job, later_version())
    bench.review(())
    return bench


def documents_panel(bench: Bench) -> DocumentsPanel:
    panel = bench.window.right.currentWidget()
    assert isinstance(panel, DocumentsPanel)
    return panel


def comparison_panel(bench: Bench) -> ComparisonPanel:
    panel = bench.window.right.currentWidget()
    assert isinstance(panel, ComparisonPanel)
    return panel


def click_row(bench: Bench, panel: DocumentsPanel, row: int, button: Qt.MouseButton) -> None:
    rect = panel.list.visualItemRect(panel.list.topLevelItem(row))
    bench.qtbot.mouseClick(panel.list.viewport(), button, pos=rect.center())
    if button is Qt.MouseButton.RightButton:
        panel.list.customContextMenuRequested.emit(rect.center())


def open_menu(bench: Bench) -> QMenu:
    bench.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(bench: Bench, menu: QMenu, words: str) -> None:
    action = next(each for each in menu.actions() if each.text() == words)
    bench.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def roles(bench: Bench) -> list[tuple[str, bool]]:
    return [(entry.role.value, entry.is_proposed) for entry in bench.workbench.versions.entries()]


def play_comparison(bench: Bench) -> None:
    job = bench.last_job("compare")
    old, new, before, after = next(asked for method, number, asked in bench.processes.asked if number == job)
    bench.processes.play_compared(job, compare_documents(old, new, before, after))


# --- roles ------------------------------------------------------------------------------------------------------


def test_roles_are_proposed_by_the_names(two: Bench) -> None:
    assert roles(two) == [("earlier_version", True), ("master", True)]
    shown = [action.text() for action in two.window.top_bar.menu.actions() if action.data()]
    assert shown == ["contract v1.pdf\tEarlier version (proposed)", "contract v2.pdf\tMain agreement (proposed)"]
    two.press(Qt.Key.Key_7, two.window, Qt.KeyboardModifier.AltModifier)
    panel = documents_panel(two)
    assert [panel.list.topLevelItem(i).text(1) for i in range(2)] == [
        "Earlier version?", "Main agreement?"
    ]  # fmt: skip
    assert panel.list.topLevelItem(0).toolTip(1) == "Earlier version (proposed)"
    assert QApplication.focusWidget() is panel.list


def test_a_role_is_given_from_the_lists_menu_and_undone(two: Bench) -> None:
    two.trigger(Name.DOCUMENTS)
    panel = documents_panel(two)
    click_row(two, panel, 1, Qt.MouseButton.LeftButton)
    assert panel.chosen == later_version().id
    click_row(two, panel, 1, Qt.MouseButton.RightButton)
    choose(two, open_menu(two), "Amendment")
    assert roles(two)[1] == ("amendment", False)
    assert "Amendment. U takes it back." in two.window.status.remark.text()
    events = two.desk.book.ask(lambda matter: matter.events(document=later_version().id), ())
    assert [event.table for event in events] == ["document"]
    two.press(Qt.Key.Key_U, two.window)
    assert roles(two)[1] == ("master", True)
    assert panel.list.topLevelItem(1).text(1) == "Main agreement?"
    two.press(Qt.Key.Key_U, two.window, SHIFT)
    assert roles(two)[1] == ("amendment", False)


def test_a_proposal_is_accepted_and_the_box_gives_another(two: Bench) -> None:
    two.trigger(Name.DOCUMENTS)
    panel = documents_panel(two)
    click_row(two, panel, 0, Qt.MouseButton.LeftButton)
    assert panel.accept.isVisible()
    assert "reviewed apart" in panel.hint.text()
    two.click(panel.accept)
    assert roles(two)[0] == ("earlier_version", False)
    assert not panel.accept.isVisible()
    panel.role.setFocus()
    two.press(Qt.Key.Key_Up, panel.role)
    assert roles(two)[0] == ("amendment", False)
    two.press(Qt.Key.Key_Escape, panel.list)
    assert two.window.right.currentWidget() is two.window.right.evidence


def test_a_role_is_given_from_the_palette(two: Bench) -> None:
    two.press(Qt.Key.Key_K, two.window, CONTROL)
    two.type("role of the doc")
    two.press(Qt.Key.Key_Return)
    two.type("annex")
    two.press(Qt.Key.Key_Return)
    assert roles(two)[0] == ("annex", False)
    assert two.desk.current == two.document.id


def test_an_earlier_version_answers_no_question(two: Bench) -> None:
    two.workbench.ask.ask("When is payment due?")
    assert two.processes.asked[-1][2][0].ids == (two.document.id, later_version().id)
    two.workbench.versions.give(two.document.id, DocumentRole.EARLIER_VERSION)
    two.workbench.ask.ask("When is payment due?")
    assert two.processes.asked[-1][2][0].ids == (later_version().id,)


def test_an_earlier_version_is_reviewed_apart_and_not_listed(two: Bench) -> None:
    two.workbench.versions.give(two.document.id, DocumentRole.EARLIER_VERSION)
    main = two.last_job("review")
    documents, _ = next(asked for method, number, asked in two.processes.asked if number == main)
    assert [document.id for document in documents] == [later_version().id]
    two.review((finding(later_version(), 1, 0, 4),))
    apart = two.last_job("review")
    assert apart != main
    documents, _ = next(asked for method, number, asked in two.processes.asked if number == apart)
    assert [document.id for document in documents] == [two.document.id]
    two.review((finding(two.document, 2, 0, 2),))
    assert [row.id for row in two.desk.book.rows()] == ["f-0000000000000001"]
    kept = two.workbench.versions.version_findings(two.document)
    assert kept is not None
    assert [each.id for each in kept] == ["f-0000000000000002"]
    # What is known of it is not found a second time.
    two.trigger(Name.REVIEW)
    two.review((finding(later_version(), 1, 0, 4),))
    assert two.processes.waiting("review") == []
    # Taken back, both are reviewed together again.
    two.trigger(Name.UNDO)
    documents, _ = next(a for method, number, a in two.processes.asked if number == two.last_job("review"))
    assert [document.id for document in documents] == [two.document.id, later_version().id]


def test_another_review_does_not_wait_for_what_is_reviewed_apart(two: Bench) -> None:
    two.workbench.versions.give(two.document.id, DocumentRole.EARLIER_VERSION)
    two.review(())
    apart = two.last_job("review")
    two.press(Qt.Key.Key_F5, two.window)
    assert apart not in two.processes.waiting("review")
    two.review(())
    assert len(two.processes.waiting("review")) == 1
    two.processes.play_failed(two.last_job("review"), Fault(FaultCode.INTERNAL, "No."))
    assert two.said == ""


# --- comparing --------------------------------------------------------------------------------------------------


def test_two_versions_are_compared_by_key_and_stepped_through(two: Bench) -> None:
    two.press(Qt.Key.Key_D, two.window, CONTROL)
    panel = comparison_panel(two)
    assert "contract v1.pdf\n→ contract v2.pdf" in panel.names.text()
    assert "Comparing" in panel.summary.text()
    play_comparison(two)
    rows = [row for i in range(panel.model.rowCount()) if (row := panel.model.row_at(panel.model.index(i))) is not None]
    assert {row.change.kind: row.sign for row in rows} == {
        ChangeKind.CHANGED: "≠", ChangeKind.INSERTED: "+", ChangeKind.DELETED: "−"
    }  # fmt: skip
    two.press(Qt.Key.Key_F7, two.window)
    row = panel.current_row()
    assert row is not None
    assert row.values == "30 days → 60 days"
    assert "line-through" in panel.detail.toHtml()
    assert two.desk.current == two.document.id
    beside = two.window.pages.beside
    two.qtbot.waitUntil(lambda: beside.isVisible() and beside.view.document is not None)
    assert beside.documents.currentData() == later_version().id
    two.qtbot.waitUntil(lambda: bool(beside.view.marks.layer(Layer.DIFFERENCE)))
    marked = [beside.view.document.text[m.start : m.end] for m in beside.view.marks.layer(Layer.DIFFERENCE)]
    assert marked == ["60"]
    assert [m.tip for m in two.window.pages.view.marks.layer(Layer.DIFFERENCE)] == ["changed"]
    two.press(Qt.Key.Key_F7, two.window)
    assert panel.current_row() is not row
    two.press(Qt.Key.Key_F7, two.window, SHIFT)
    assert panel.current_row() is row
    two.press(Qt.Key.Key_F7, two.window, SHIFT)
    assert "no further difference" in two.window.status.remark.text()
    two.press(Qt.Key.Key_Escape, panel.list)
    assert two.window.right.currentWidget() is two.window.right.evidence
    assert not beside.isVisible()
    assert two.desk.current == later_version().id


def test_the_list_is_filtered_and_clicked(two: Bench) -> None:
    two.trigger(Name.COMPARE)
    play_comparison(two)
    panel = comparison_panel(two)
    panel.filter_box.setFocus()
    for _ in range(list(Filter).index(Filter.VALUES)):
        two.press(Qt.Key.Key_Down, panel.filter_box)
    assert panel.filter_box.currentText() == "Changed values only (2)"
    assert panel.model.rowCount() == 2
    rect = panel.list.visualRect(panel.model.index(1))
    two.qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center() + QPoint(0, 2))
    row = panel.current_row()
    assert row is not None
    assert row.values in {"三十日 → 九十日", "三十日内 → 九十日内"}
    beside = two.window.pages.beside.view
    two.qtbot.waitUntil(lambda: beside.document is not None and beside.document.id == later_version().id)
    two.qtbot.waitUntil(lambda: bool(beside.current_clause.caret))


def test_from_the_list_of_documents_the_other_way_round(two: Bench) -> None:
    two.workbench.versions.give(two.document.id, DocumentRole.OTHER)
    two.trigger(Name.DOCUMENTS)
    panel = documents_panel(two)
    click_row(two, panel, 1, Qt.MouseButton.RightButton)
    choose(two, open_menu(two), "Compare with contract v1.pdf")
    assert comparison_panel(two).names.text() == "contract v2.pdf\n→ contract v1.pdf"
    play_comparison(two)
    two.click(comparison_panel(two).swap)
    assert comparison_panel(two).names.text() == "contract v1.pdf\n→ contract v2.pdf"


def test_findings_that_the_later_version_introduced_are_listed(two: Bench) -> None:
    two.workbench.versions.give(two.document.id, DocumentRole.EARLIER_VERSION)
    two.review((finding(later_version(), 1, 0, 4, summary="A new conflict."),))
    two.trigger(Name.COMPARE)
    play_comparison(two)
    panel = comparison_panel(two)
    assert "being reviewed" in panel.summary.text()
    two.review((finding(two.document, 2, 0, 2, summary="An old conflict."),))
    two.qtbot.waitUntil(lambda: bool(two.processes.waiting("compare")))
    play_comparison(two)
    summary = panel.summary.text().replace("\u00a0", " ")
    assert "▲ Findings introduced: 1" in summary
    assert "✓ Findings resolved: 1" in summary
    panel.set_filter(Filter.INTRODUCED)
    two.press(Qt.Key.Key_F7, two.window)
    assert "A new conflict." in panel.detail.toPlainText()
    panel.set_filter(Filter.RESOLVED)
    two.press(Qt.Key.Key_F7, two.window)
    assert "An old conflict." in panel.detail.toPlainText()


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_the_differences_are_saved(two: Bench, tmp_path: Path, ending: str) -> None:
    two.trigger(Name.COMPARE)
    assert not two.window.actions_by_name[Name.SAVE_COMPARISON].isEnabled()
    play_comparison(two)
    two.workbench.comparison._ask_target = lambda name: tmp_path / f"differences{ending}"
    two.click(comparison_panel(two).save)
    written = (tmp_path / f"differences{ending}").read_bytes()
    if ending == ".csv":
        text = written.decode("utf-8-sig")
        assert "period: 30 days → 60 days" in text
        assert "九十日" in text
    else:
        assert written.startswith(b"PK")
    assert f"differences{ending}" in two.window.status.remark.text()


def test_a_comparison_that_fails_says_so(two: Bench) -> None:
    two.trigger(Name.COMPARE)
    two.processes.play_failed(two.last_job("compare"), Fault(FaultCode.INTERNAL, "The comparison failed."))
    assert "The comparison failed." in comparison_panel(two).summary.text()


def test_one_document_alone_cannot_be_compared(bench: Bench) -> None:
    bench.open()
    assert not bench.window.actions_by_name[Name.COMPARE].isEnabled()
    assert bench.window.actions_by_name[Name.DOCUMENTS].isEnabled()


def test_in_chinese(two: Bench) -> None:
    two.trigger(Name.LANGUAGE_CHINESE)
    two.qtbot.waitUntil(lambda: two.window.isVisible() and two.window.actions_by_name[Name.UNDO].text() == "撤销")
    shown = [action.text() for action in two.window.top_bar.menu.actions() if action.data()]
    assert shown[0] == "contract v1.pdf\t旧版本（建议）"
    two.trigger(Name.COMPARE)
    play_comparison(two)
    assert "处改动" in comparison_panel(two).summary.text()
