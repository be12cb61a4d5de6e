"""The list of findings as a workbook and as JSON, written from the window."""

from __future__ import annotations

import zipfile
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from window_bench import Bench, finding, sample_document

from engine.protocol.findings import FindingsFile
from gui.commands.names import Name
from gui.state.finding_export import DecidedFindings, write_issue_book
from gui.state.finding_row import FindingRow


def test_the_list_as_json_is_a_findings_file_with_decisions(reviewed: Bench, tmp_path: Path) -> None:
    reviewed.press(Qt.Key.Key_C, reviewed.window)
    target = tmp_path / "findings.json"
    reviewed.workbench.list.ask_target = lambda _name: target
    reviewed.trigger(Name.SAVE_LIST)
    plain = msgspec.json.decode(target.read_bytes(), type=FindingsFile)
    assert plain.schema == "antinomy.findings/1"
    assert [each.id for each in plain.findings] == [reviewed.row(n).id for n in (1, 2, 3)]
    assert plain.findings[0].passages[0].quads
    assert plain.documents[0].id == reviewed.document.id
    decided = msgspec.json.decode(target.read_bytes(), type=DecidedFindings)
    assert [each.state for each in decided.decisions] == ["confirmed", "open", "open"]


def test_the_list_as_a_workbook(reviewed: Bench, tmp_path: Path) -> None:
    target = tmp_path / "findings.xlsx"
    reviewed.workbench.list.ask_target = lambda _name: target
    reviewed.trigger(Name.SAVE_LIST)
    assert "Saved findings.xlsx" in reviewed.window.status.remark.text()
    with zipfile.ZipFile(target) as book:
        strings = book.read("xl/sharedStrings.xml").decode()
    assert "甲方应当在收到发票后三十日内付款" in strings
    assert "Clause 1 and clause 3 differ." in strings


def test_no_cell_is_a_formula_or_breaks_the_file(tmp_path: Path) -> None:
    one = finding(sample_document(), 1, 0, 2, summary="=HYPERLINK(1)\x00\ud800")
    write_issue_book(tmp_path / "t.xlsx", [FindingRow(one)], str)
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
        assert "=HYPERLINK(1)<" in book.read("xl/sharedStrings.xml").decode()


@pytest.mark.parametrize("ending", ["xlsx", "json", "csv"])
def test_a_folder_that_takes_no_file_is_said_and_nothing_is_left(reviewed: Bench, tmp_path: Path, ending: str) -> None:
    reviewed.workbench.list.ask_target = lambda _name: tmp_path / "missing" / f"findings.{ending}"
    reviewed.trigger(Name.SAVE_LIST)
    assert "could not be written" in reviewed.said
    assert not (tmp_path / "missing").exists()
