"""Tracked changes and the file's own comments: shown, chosen, and never at the cost of a decision."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from window_bench import Bench

from engine.document import Document, Notice, Remark, Revisions, RevisionView
from engine.matter.records import DecisionState
from engine.protocol.messages import ReadingOptions
from gui.commands.names import Name
from gui.theme import Layer


def revised(document: Document, view: RevisionView = RevisionView.ACCEPTED) -> Document:
    notice = Notice("tracked_changes", "The document has tracked changes (2 insertions, 1 deletion).")
    return msgspec.structs.replace(document, revisions=Revisions(view, 2, 1), notices=(notice,))


def remarked(document: Document) -> Document:
    clause = document.clauses[2]
    remarks = (
        Remark("comment", "Li Wei", "Is this 30 or 45?", 0, clause.start, clause.start + 12, date="2024-05-06T07:00"),
        Remark("stamp", "", "", 0, box=(300.0, 500.0, 400.0, 540.0)),
    )
    return msgspec.structs.replace(document, remarks=remarks)


def options_of(bench: Bench) -> ReadingOptions | None:
    return next(args for name, _, args in reversed(bench.processes.asked) if name == "open_document")[2]


def test_the_bar_shows_only_for_tracked_changes(bench: Bench) -> None:
    bar = bench.window.pages.revisions
    bench.open()
    assert not bar.isVisible()
    bench.open(Path("revised.docx"), revised(bench.document))
    assert bar.isVisible()
    assert bar.words.text() == "Tracked changes: 2 inserted, 1 deleted. Shown:"
    assert bar.buttons[RevisionView.ACCEPTED].isChecked()
    # The bar says it; the banner need not.
    assert bench.said == ""


def test_another_view_is_read_anew_and_decisions_stay(bench: Bench) -> None:
    bench.open(document=revised(bench.document))
    bench.review()
    bench.trigger(Name.NEXT_FINDING)
    bench.press(Qt.Key.Key_C, bench.window)
    bar = bench.window.pages.revisions
    bench.click(bar.buttons[RevisionView.BOTH])
    assert options_of(bench) == ReadingOptions(revisions="both")
    job = bench.last_job("open_document")
    bench.processes.play_opened(job, bench.document)
    assert bar.isVisible()
    assert not bar.isEnabled()
    bench.processes.play_read(job, revised(bench.document, RevisionView.BOTH))
    assert bar.isEnabled()
    assert bar.buttons[RevisionView.BOTH].isChecked()
    bench.review()
    assert bench.row(1).verdict is DecisionState.CONFIRMED


def test_the_view_is_remembered_with_the_matter(make_bench: Callable[[], Bench]) -> None:
    bench = make_bench()
    bench.open(document=revised(bench.document))
    bench.click(bench.window.pages.revisions.buttons[RevisionView.ORIGINAL])
    bench.processes.play_read(bench.last_job("open_document"), revised(bench.document, RevisionView.ORIGINAL))
    bench.qtbot.waitUntil(lambda: bench.desk.book.documents()[0].has_text)
    again = make_bench()
    again.workbench.documents.open_paths([Path("contract.pdf")])
    assert options_of(again) is None
    again.processes.play_opened(again.last_job("open_document"), bench.document)
    again.qtbot.waitUntil(lambda: options_of(again) == ReadingOptions(revisions="original"))


def test_comments_are_listed_marked_and_gone_to(bench: Bench) -> None:
    bench.open(document=remarked(bench.document))
    left, view = bench.window.left, bench.window.pages.view
    assert left.isTabVisible(left.indexOf(left.notes))
    bench.trigger(Name.SHOW_NOTES)
    assert left.currentWidget() is left.notes
    assert left.notes.view.item(0).text() == "Li Wei · p. 1 · 2024-05-06\nIs this 30 or 45?"
    assert left.notes.view.item(1).text() == "Stamp · p. 1\nStamp"
    (mark,) = view.marks.layer(Layer.REMARK)
    assert mark.tip.endswith("Is this 30 or 45?")
    for row in (0, 1):
        left.notes.view.itemActivated.emit(left.notes.view.item(row))


def test_a_file_without_comments_has_no_such_tab(bench: Bench) -> None:
    bench.open(document=remarked(bench.document))
    bench.open(Path("plain.pdf"), msgspec.structs.replace(bench.document, id="sha256:" + "7" * 64))
    left = bench.window.left
    assert not left.isTabVisible(left.indexOf(left.notes))
    assert not bench.window.pages.view.marks.layer(Layer.REMARK)
    assert not bench.window.actions_by_name[Name.SHOW_NOTES].isEnabled()
