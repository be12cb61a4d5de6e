"""Imports of every format: what is bad is listed with its place, what is good is taken, nothing twice."""

from __future__ import annotations

import csv
import io
import json

import pytest

from engine.matter import Annotator, Matter, UnreadableImport
from engine.matter.commands import run_matter_command
from engine.matter.exchange import apply_import
from engine.matter.formats import (
    FORMATS,
    LINKS,
    Bundle,
    BundleDocument,
    format_of,
    plan_bundle,
    plan_path,
    write_format,
)
from engine.matter.guide import guide_of, standard_labels


def doccano(text, *relations, **more):
    """A line of doccano's with these relations: (start, end, start, end, label)."""
    entities, made = [], []
    for number, (a, b, c, d, label) in enumerate(relations):
        entities += [
            {"id": 2 * number, "start_offset": a, "end_offset": b, "label": "x"},
            {"id": 2 * number + 1, "start_offset": c, "end_offset": d, "label": "x"},
        ]
        made.append({"id": number, "from_id": 2 * number, "to_id": 2 * number + 1, "type": label})
    return json.dumps({"text": text, "entities": entities, "relations": made, **more}).encode()


def said(plan):
    return [(problem.line, problem.sentence) for problem in plan.problems]


def test_a_bad_file_of_another_tool_is_listed_line_by_line(matter, english):
    n = len(english.text)
    lines = [
        doccano(english.text, (0, 5, 6, 9, "value.period")),
        doccano("another text", (0, 2, 3, 5, "value.period"), name="other.txt"),
        doccano(english.text, (0, 5, 6, n + 9, "value.period")),
        doccano(english.text, (0, 5, 6, 9, "colour.green")),
        doccano(english.text, (0, 5, 6, 9, "Green!")),
        doccano(english.text, (0, 5, 6, 9, "value.period")),
        b"{half",
        doccano(english.text, (1, 5, 6, 9, "value.date")),
    ]
    plan = plan_bundle(matter, FORMATS["doccano"].read({"ada.jsonl": b"\n".join(lines)}), "ada.jsonl")
    assert sorted(problem.line for problem in plan.problems) == [2, 3, 4, 5, 6, 7]
    by_line = dict(said(plan))
    assert "other.txt is not that of a document" in by_line[2]
    assert "lies outside its text" in by_line[3]
    assert "colour.green is not in this matter's label set" in by_line[4]
    assert "'Green!' is not a label" in by_line[5]
    assert "stands in the file twice" in by_line[6]
    assert "not doccano's" in by_line[7]
    assert {problem.place for problem in plan.problems} == {"ada.jsonl"}
    assert [link.code for link in plan.links] == ["value.period", "value.date"]
    assert matter.links() == ()
    assert all(p.template.format_map(p.values) == p.sentence for p in plan.problems)


def test_an_unknown_label_is_added_to_the_set_only_when_the_person_agrees(matter, english):
    data = doccano(english.text, (0, 5, 6, 9, "colour.green"), (0, 5, 10, 12, "document.colour.green"))
    plan = plan_bundle(matter, FORMATS["doccano"].read({"ada.jsonl": data}), "ada.jsonl")
    assert (plan.links, plan.new_labels, len(plan.doubtful)) == ((), ("colour.green",), 2)
    assert [problem.label for problem in plan.problems] == ["colour.green", "document.colour.green"]
    apply_import(matter, plan)
    assert matter.links() == ()
    assert guide_of(matter).labels == standard_labels()
    apply_import(matter, plan, new_labels=True)
    assert len(matter.links()) == 2
    assert [label.code for label in guide_of(matter).labels[-1:]] == ["colour.green"]
    again = plan_bundle(matter, FORMATS["doccano"].read({"ada.jsonl": data}), "ada.jsonl")
    assert (again.already, again.links, again.problems) == (2, (), ())


def test_rows_of_a_table_are_named_by_their_lines(matter, english, ends):
    first = matter.add_link(ends(english, "30 days", "45 days"), "value.period", note="two\nlines")
    matter.add_link(ends(english, "45 days", "30 days"), "value.period")
    (data,) = FORMATS["csv"].write(Bundle((), matter.links(), matter.annotators())).files.values()
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    start = rows[0].index("end1_start")
    moved, unknown = list(rows[2]), list(rows[2])
    moved[0], moved[start], moved[start + 1] = "l-moved", "1", "8"
    unknown[0], unknown[rows[0].index("end2_document")] = "l-unknown", "sha256:none"
    out = io.StringIO(newline="")
    csv.writer(out).writerows([*rows, rows[1], moved, unknown, ["l-short"]])
    with_problems = FORMATS["csv"].read({"links.csv": out.getvalue().encode()})
    for link in matter.links():
        matter.delete_link(link.id)
    plan = plan_bundle(matter, with_problems, "links.csv")
    assert len(plan.links) == 2
    assert [line for line, _ in sorted(said(plan))] == [5, 7, 8, 9]  # the first row takes two lines, twice
    words = dict(said(plan))
    assert f"the link {first} stands in the file twice" in words[5]
    assert "words of an end are not at 1 to 8" in words[7]
    assert "neither in the matter" in words[8]
    assert "the row is no link" in words[9]


def test_every_format_is_known_by_its_files(matter, english, chinese, ends, tmp_path):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    documents = tuple(BundleDocument(d.id, d.name, d.text) for d in (english, chinese))
    bundle = Bundle(documents, matter.links(), matter.annotators())
    for name in sorted(set(FORMATS) - {"pawls"}):
        write_format(bundle, name, tmp_path / name)
        files = [path for path in sorted((tmp_path / name).rglob("*")) if path.suffix not in ("", ".txt")]
        for path in (tmp_path / name, *files):
            assert format_of(path) == name
        plan = plan_path(matter, files[0])
        assert plan.problems == ()
        # doccano and Label Studio drop a link's id: theirs is a judgement of its own.
        assert (plan.already, len(plan.links)) == ((0, 1) if name in ("doccano", "label-studio") else (1, 0))
    assert run_matter_command(["export", str(matter.path), str(tmp_path / "links.jsonl")], lambda line: None) == 0
    assert format_of(tmp_path / "links.jsonl") == LINKS
    (tmp_path / "page.html").write_text("<p>")
    for path, says in ((tmp_path / "page.html", "no format"), (tmp_path / "none.csv", "not there")):
        with pytest.raises(UnreadableImport, match=says):
            plan_path(matter, path)


def test_the_command_asks_before_it_takes_labels_or_good_ones_alone(matter, english, tmp_path):
    path = tmp_path / "ada.jsonl"
    path.write_bytes(doccano(english.text, (0, 5, 6, 9, "colour.green"), (0, 5, 7, 9, "value.date")))
    matter.close()

    def run(*more):
        lines: list[str] = []
        status = run_matter_command(["import", str(matter.path), str(path), "--format", "doccano", *more], lines.append)
        return status, "".join(lines)

    status, text = run()
    assert status == 1
    assert "ada.jsonl:1: the label colour.green is not in" in text
    assert "--new-labels adds colour.green to the label set and takes 1 links more" in text
    taken = "2 links and 0 decisions imported, 0 were there already.\n"
    assert run("--new-labels") == (0, text.splitlines(keepends=True)[0] + taken)
    with Matter.open(matter.path) as again:
        assert sorted(link.code for link in again.links()) == ["colour.green", "value.date"]
        assert Annotator("ada", "ada") in [Annotator(each.id, each.name) for each in again.annotators()]
