"""`antinomy compare`: what it prints, writes and answers."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from engine.cli import run_command_line
from engine.command.compare import CompareRequest, compare_files
from engine.command.review import CommandFailed
from engine.protocol.comparison import COMPARISON_SCHEMA, ComparisonFile

OLD = """1. Delivery. The Supplier shall deliver the goods to the warehouse of the Buyer.

2. Payment. The Buyer shall pay each invoice within thirty (30) days.

3. Law. This Agreement is governed by the laws of New York.
"""
NEW = OLD.replace("thirty (30)", "forty-five (45)").replace(
    "3. Law", "3. Notices. Every notice is given in writing.\n\n4. Law"
)
CHINESE = ("第一条 甲方应在收到发票后三十日内付款。\n\n第二条 本合同适用中国法律。\n", "三十日", "四十五日")


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(OLD)
    new.write_text(NEW)
    return old, new


def test_what_differs_is_printed(versions, terminal, made_up_command):
    out, err = terminal(False), terminal(False)
    compare_files(CompareRequest(*versions, "", ""), out, err, command=made_up_command)
    # The made-up reader makes one clause of a file.
    assert "old.txt → new.txt: 1 changed" in out.text
    assert "[-thirty-]{+forty-five+} ([-30-]{+45+}) days" in " ".join(out.text.split()).replace("([- ", "([-")
    assert "! period: thirty (30) days → forty-five (45) days" in out.text
    assert err.text == ""


def test_on_a_terminal_the_signs_are_coloured(versions, terminal, made_up_command, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = terminal(True)
    compare_files(CompareRequest(*versions, "", ""), out, terminal(True), command=made_up_command)
    assert "\x1b[31m[-thirty-]\x1b[0m" in out.text


def test_the_program_itself_compares_clauses_and_writes_json(versions, run, tmp_path):
    done = run("compare", *map(str, versions), "--json", "out.json")
    assert done.returncode == 0, done.stderr
    assert "1 changed, 1 inserted, 1 renumbered, 1 same" in done.stdout
    assert "# 3 → 4 Law (renumbered)" in done.stdout
    written = msgspec.json.decode((tmp_path / "out.json").read_bytes(), type=ComparisonFile)
    assert (written.schema, written.old_name, written.new_name) == (COMPARISON_SCHEMA, "old.txt", "new.txt")
    assert [c.kind.value for c in written.comparison.clauses] == ["same", "changed", "inserted", "renumbered"]
    only_json = run("compare", *map(str, versions), "--json", "-")
    assert json.loads(only_json.stdout)["schema"] == COMPARISON_SCHEMA


def test_chinese_versions(run, tmp_path):
    text, before, after = CHINESE
    (tmp_path / "旧.txt").write_text(text, encoding="utf-8")
    (tmp_path / "新.txt").write_text(text.replace(before, after), encoding="utf-8")
    done = run("compare", "旧.txt", "新.txt")
    assert done.returncode == 0, done.stderr
    assert "[-三十-]{+四十五+}日" in done.stdout
    assert "三十日内 → 四十五日内" in done.stdout or "三十日 → 四十五日" in done.stdout


def test_a_missing_file_is_said(versions, terminal, capsys):
    with pytest.raises(CommandFailed, match="no such file"):
        compare_files(CompareRequest(versions[0], Path("nowhere.txt"), "", ""), terminal(False), terminal(False))
    assert run_command_line(["compare", str(versions[0]), "nowhere.txt"]) == 2
    assert "nowhere.txt: there is no such file." in capsys.readouterr().err
