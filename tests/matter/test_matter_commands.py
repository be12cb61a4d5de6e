"""antinomy matter check, export, import, merge, compact."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from engine.matter import Annotator, Matter
from engine.matter.commands import run_matter_command


@pytest.fixture
def run():
    def call(*arguments):
        lines: list[str] = []
        return run_matter_command([str(a) for a in arguments], lines.append), "".join(lines)

    return call


@pytest.fixture
def path(matter, english, ends):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    matter.close()
    return matter.path


def test_check_of_a_sound_file(run, path):
    assert run("check", path) == (0, "deal.antinomy is sound: 2 documents, 0 findings, 0 decisions, 1 links.\n")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE link SET code = 'value.amount'", "does not agree with the journal"),
        ('UPDATE link_end SET start = start + 1, "end" = "end" + 1', "does not stand where it says"),
        ("DELETE FROM link", "row of link_end"),
        ("UPDATE document SET packed = x'414e5444'", "text of"),
        ("UPDATE link SET annotator = 'a-none'", "row of link"),
    ],
)
def test_check_names_what_somebody_changed_by_hand(run, path, statement, says):
    raw = sqlite3.connect(path)
    raw.execute(statement)
    raw.commit()
    raw.close()
    status, text = run("check", path)
    assert status == 1
    assert says in text


def test_export_then_import(run, path, tmp_path):
    out = tmp_path / "links.jsonl"
    assert run("export", path, out)[0] == 0
    assert len(out.read_text("utf-8").splitlines()) == 4
    Matter.create(tmp_path / "new.antinomy", Annotator("a-two", "Bo")).close()
    assert run("import", tmp_path / "new.antinomy", out) == (
        0,
        "1 links and 0 decisions imported, 0 were there already.\n",
    )
    assert "1 were there already" in run("import", tmp_path / "new.antinomy", out)[1]


def test_import_with_bad_lines_asks_first(run, path, tmp_path):
    out = tmp_path / "links.jsonl"
    run("export", path, out)
    out.write_text(out.read_text("utf-8") + "{bad\n", "utf-8")
    Matter.create(tmp_path / "new.antinomy").close()
    status, text = run("import", tmp_path / "new.antinomy", out)
    assert status == 1
    assert "links.jsonl:5: not a line" in text
    assert "Nothing was imported" in text
    assert run("check", tmp_path / "new.antinomy")[1].endswith("0 links.\n")
    assert run("import", tmp_path / "new.antinomy", out, "--good-only")[0] == 1
    assert run("check", tmp_path / "new.antinomy")[1].endswith("1 links.\n")


def test_merge_and_compact(run, path, tmp_path):
    other = tmp_path / "other.antinomy"
    shutil.copy(path, other)
    status, text = run("merge", path, other)
    assert status == 0
    assert text.startswith("other.antinomy: 0 documents, 0 findings, 0 judgements added, 0 newer ones taken, ")
    assert run("compact", path)[0] == 0


def test_unusable_input_is_status_2_and_one_line(run, path, tmp_path, capsys):
    for arguments in (
        ("check", tmp_path / "none.antinomy"),
        ("import", path, tmp_path / "none.jsonl"),
        ("merge", path, tmp_path / "none.antinomy"),
        ("export", path, tmp_path / "none" / "out.jsonl"),
    ):
        status, text = run(*arguments)
        assert status == 2
        assert text.startswith("antinomy matter: ")
        assert text.count("\n") == 1
    assert run("frobnicate")[0] == 2
    assert run("--help")[0] == 0
    assert "merge" in capsys.readouterr().out


def test_a_matter_open_elsewhere_is_not_changed(run, path):
    with Matter.open(path):
        status, text = run("compact", path)
        assert status == 2
        assert "another window" in text
        assert run("check", path)[0] == 0


def test_agreement_is_printed(run, path, english, ends):
    with Matter.open(path) as matter:
        matter.use_annotator(Annotator("a-two", "Bo"))
        matter.add_link(ends(english, "30 days", "45 days"), "not.override")
    status, text = run("agreement", path)
    assert status == 0
    assert "1 pairs of clauses, 2 annotators" in text
    assert "Ada and Bo (Cohen's kappa): 0.000 (1 units)" in text
    assert "aspect (Krippendorff's alpha): undefined: no unit" in text
