"""A second review: what is new, gone and changed; groups by document."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from window_bench import Bench, finding

from engine.matter.records import DecisionState
from gui.commands.names import Name
from gui.left.findings_model import FindingsModel, Grouping, Header, Show
from gui.state.finding_row import FindingRow


def again(bench: Bench) -> None:
    """Review once more: 1 decided and gone, 2 changed, 3 as it was, 4 new."""
    document = bench.document
    bench.press(Qt.Key.Key_C, bench.window)
    bench.trigger(Name.REVIEW)
    old = [bench.row(n).finding for n in (2, 3)]
    changed = msgspec.structs.replace(old[0], summary="It reads otherwise now.")
    bench.review((changed, old[1], finding(document, 4, 0, 1)))


def test_what_is_new_gone_and_changed_is_said_and_can_be_listed(reviewed: Bench) -> None:
    again(reviewed)
    assert "1 new, 1 gone, 1 changed" in reviewed.window.status.remark.text()
    assert reviewed.row(1).is_gone
    assert reviewed.row(1).verdict is DecisionState.CONFIRMED
    assert reviewed.row(2).is_changed
    assert reviewed.row(4).is_new
    inbox = reviewed.window.left.findings
    inbox.show_everything()
    inbox.show_box.setCurrentIndex(inbox.show_box.findData(Show.DIFFERENT))
    listed = {row.id for i in range(inbox.model.rowCount()) if (row := inbox.model.row_at(inbox.model.index(i)))}
    assert listed == {reviewed.row(n).id for n in (1, 2, 4)}


def test_a_second_review_that_finds_the_same_says_so(reviewed: Bench) -> None:
    reviewed.trigger(Name.REVIEW)
    reviewed.review()
    assert "nothing is new, gone or changed" in reviewed.window.status.remark.text()


def test_findings_are_grouped_by_document(bench: Bench) -> None:
    one = finding(bench.document, 1, 0, 2)
    first, second = one.passages
    other = msgspec.structs.replace(second, document="sha256:other")
    across = msgspec.structs.replace(one, id="f-2", passages=(first, other))
    there = msgspec.structs.replace(one, id="f-3", passages=(other,))
    model = FindingsModel()
    model.document_names = {first.document: "master.pdf", "sha256:other": "order.pdf"}
    model.set_grouping(Grouping.DOCUMENT)
    model.set_rows([FindingRow(each) for each in (there, across, one)])
    words = [model.data(model.index(i)) for i in range(model.rowCount())]
    heads = [each for i, each in enumerate(words) if model.row_at(model.index(i)) is None]
    assert heads == ["master.pdf  ·  1", "master.pdf ↔ order.pdf  ·  1", "order.pdf  ·  1"]


def test_the_window_groups_by_the_documents_names(reviewed: Bench) -> None:
    other = msgspec.structs.replace(reviewed.document, id="sha256:other", name="order.pdf")
    reviewed.desk.open_files([Path("order.pdf")], add=True)
    job = reviewed.last_job("open_document")
    reviewed.processes.play_opened(job, other)
    reviewed.processes.play_read(job, other)
    reviewed.review()
    inbox = reviewed.window.left.findings
    inbox.group_box.setCurrentIndex(inbox.group_box.findData(Grouping.DOCUMENT))
    head = inbox.model.data(inbox.model.index(0))
    assert Header(str(head)).startswith("painted.pdf")


def test_a_review_that_ends_leaves_the_panel_that_is_read(reviewed: Bench) -> None:
    reviewed.trigger(Name.ASK)
    assert reviewed.window.right.currentWidget() is reviewed.window.right.ask
    reviewed.trigger(Name.REVIEW)
    reviewed.review()
    assert reviewed.window.right.currentWidget() is reviewed.window.right.ask
    assert reviewed.window.left.findings.current_id() == reviewed.row(1).id


def test_what_the_list_finds_again_is_what_the_evidence_shows(reviewed: Bench) -> None:
    chosen = reviewed.window.left.findings.current_id()
    reviewed.open()
    assert reviewed.window.left.findings.current_id() == chosen
    assert reviewed.workbench.findings.chosen is not None
    assert reviewed.workbench.findings.chosen.id == chosen
    assert reviewed.window.right.evidence.cards[0].isVisible()
