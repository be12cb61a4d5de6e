"""The list of findings as a table, a finding on the clipboard; how far a review is."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from window_bench import Bench, finding, sample_document

from engine.matter.records import DecisionState
from engine.protocol.handover import Form
from engine.protocol.messages import Fault, FaultCode, HandOver
from gui.commands.names import Name
from gui.processes.fake import FakeProcesses
from gui.state.finding_row import FindingRow
from gui.state.issue_list import issue_list
from gui.state.review_run import STAGES, ReviewRun

DOCUMENT = sample_document()


def test_the_list_is_saved_with_decisions_and_both_passages(reviewed: Bench, tmp_path: Path) -> None:
    reviewed.press(Qt.Key.Key_C)
    reviewed.trigger(Name.SAVE_LIST)
    data = (tmp_path / "findings.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    lines = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
    assert [line["state"] for line in lines] == ["Confirmed", "Open", "Open"]
    assert lines[0]["passage 2"] == "3. The Buyer shall pay each invoice within 45 days."
    assert lines[2]["passage 1"].startswith("5、甲方")
    assert lines[0]["document 1"] == "painted.pdf"


def test_a_folder_that_cannot_be_written_is_a_sentence(reviewed: Bench, tmp_path: Path) -> None:
    (tmp_path / "findings.csv").mkdir()
    reviewed.trigger(Name.SAVE_LIST)
    assert "could not be written" in reviewed.said


def orders(bench: Bench) -> list[HandOver]:
    return [arguments[0] for method, _, arguments in bench.processes.asked if method == "hand_over"]


def test_a_marked_copy_has_every_finding_but_the_dismissed(reviewed: Bench, tmp_path: Path) -> None:
    reviewed.press(Qt.Key.Key_C)
    book = reviewed.workbench.desk.book
    rows = book.rows()
    book.decide([rows[2].id], DecisionState.DISMISSED, "misread")
    reviewed.trigger(Name.SAVE_MARKED)
    (order,) = orders(reviewed)
    assert (order.form, order.target) == (Form.PDF, str(tmp_path / "painted (marked).pdf"))
    assert order.document == DOCUMENT.id
    assert [mark.finding for mark in order.marks] == [rows[0].id, rows[1].id]
    assert "Confirmed" in order.marks[0].heading
    assert [p.label for mark in order.marks for p in mark.passages] == ["1a", "1b", "2a", "2b"]
    for mark in order.marks:
        for passage in mark.passages:
            assert passage.text == DOCUMENT.text[passage.start : passage.end]
            assert passage.quads
    (job,) = reviewed.processes.waiting("hand_over")
    reviewed.processes.play_handed_over(job, ("2b",))
    assert "2b" in reviewed.said


def test_a_report_has_all_findings_and_decisions(reviewed: Bench, tmp_path: Path) -> None:
    reviewed.press(Qt.Key.Key_C)
    reviewed.trigger(Name.SAVE_REPORT)
    (order,) = orders(reviewed)
    report = order.report
    assert report is not None
    assert [finding.verdict for finding in report.findings] == ["Confirmed", "Open", "Open"]
    assert report.summary == ("3 findings: 1 confirmed, 0 flagged, 2 open, 0 dismissed.",)
    assert DOCUMENT.id in str(report.tables)
    (job,) = reviewed.processes.waiting("hand_over")
    reviewed.processes.play_failed(job, Fault.of(FaultCode.UNREADABLE_FILE, "There is no room on the disk for “a”."))
    assert "no room on the disk" in reviewed.said


def test_nothing_to_hand_over_is_said(bench: Bench) -> None:
    bench.trigger(Name.SAVE_MARKED)
    bench.trigger(Name.SAVE_REPORT)
    assert orders(bench) == []


def test_a_cell_is_never_a_formula() -> None:
    row = FindingRow(finding(DOCUMENT, 1, 0, 2, summary="=HYPERLINK(1)"), DecisionState.OPEN, note="@x")
    (line,) = csv.DictReader(issue_list([row], lambda _id: "-name").splitlines())
    assert (line["summary"], line["note"], line["document 1"]) == ("'=HYPERLINK(1)", "'@x", "'-name")


def test_findings_with_one_or_many_passages_keep_their_columns() -> None:
    found = finding(DOCUMENT, 1, 0, 2)
    one = msgspec.structs.replace(found, passages=found.passages[:1])
    three = msgspec.structs.replace(found, passages=(*found.passages, *found.passages[:1]))
    lines = list(csv.DictReader(issue_list([FindingRow(one), FindingRow(three)], str).splitlines()))
    assert [line["further passages"] for line in lines] == ["0", "1"]
    assert lines[0]["passage 2"] == ""
    assert all(line["id"] == found.id for line in lines)


def test_a_finding_is_copied_as_text(reviewed: Bench) -> None:
    reviewed.press(
        Qt.Key.Key_C, reviewed.window, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Clause 1 and clause 3 differ.\n\n1, page 1:\n1. The Buyer")
    assert text.endswith("Say which period holds.")


def test_a_review_never_goes_backwards_and_its_time_left_shrinks() -> None:
    now = [0.0]
    processes = FakeProcesses()
    run = ReviewRun(processes, clock=lambda: now[0])
    heard: list[tuple[str, float, float]] = []
    run.progressed.connect(lambda *values: heard.append(values))
    processes.play_engine_status("ready")
    run.want([DOCUMENT])
    (job,) = processes.waiting("review")
    for stage in STAGES:
        for done in range(1, 5):
            now[0] += 1.0
            processes.play_progress(job, stage, done, 4)
    processes.play_progress(job, "encoding", 1, 4)
    shares = [share for _, share, _ in heard]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert heard[0][2] == -1.0
    assert heard[-1][2] == 0.0


def test_a_newer_review_replaces_the_one_that_runs() -> None:
    processes = FakeProcesses()
    run = ReviewRun(processes)
    processes.play_engine_status("ready")
    run.want([DOCUMENT])
    (first,) = processes.waiting("review")
    run.want([DOCUMENT, DOCUMENT])
    (second,) = processes.waiting("review")
    assert first != second
    ended: list[object] = []
    run.finished.connect(lambda *values: ended.append(values))
    processes.play_reviewed(second, ())
    assert len(ended) == 1
