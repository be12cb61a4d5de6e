"""antinomy.links/1: nothing lost in a round trip, every bad line named."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.document import pack
from engine.matter import Annotator, LinkEnd, Matter, UnreadableImport
from engine.matter.exchange import apply_import, export_lines, export_links, plan_import, plan_import_file
from engine.matter.labels import CONFLICT_CODES, NotAConflict

FINDING = "f-0000000000000001"
#: ANTINOMY_EXAMPLES=1000 for the measured round trips.
EXAMPLES = int(os.environ.get("ANTINOMY_EXAMPLES", "50"))
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
codes = st.sampled_from([*CONFLICT_CODES, *NotAConflict, "document.value.period"])


@st.composite
def link_sets(draw):
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)) + "😀\r\n第一条\u2028付款"
    drafts = []
    for _ in range(draw(st.integers(0, 5))):
        ends = []
        for _ in range(draw(st.integers(2, 4))):
            start = draw(st.integers(0, len(text)))
            end = draw(st.integers(start, len(text)))
            ends.append((start, end, draw(words)))
        drafts.append(
            {
                "ends": ends, "code": str(draw(codes)), "aspect": draw(words), "note": draw(words),
                "direction": draw(st.sampled_from(["none", "forward", "backward"])),
                "severity": draw(st.sampled_from(["high", "medium", "low"])), "confidence": draw(st.floats(0, 1)),
                "origin": draw(st.sampled_from(["person", "suggestion", "import"])),
            }
        )  # fmt: skip
    return text, drafts


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(link_sets())
def test_round_trips_lose_nothing(make_document, drawn):
    text, drafts = drawn
    document = make_document("1. a\n2. b" + text)
    with tempfile.TemporaryDirectory() as folder:
        with Matter.create(Path(folder) / "a.antinomy", Annotator("a-one", "Ada 😀")) as one:
            one.add_document(document.id, "合同 😀.txt", "", "text", pack(document))
            for draft in drafts:
                ends = [
                    LinkEnd(document.id, "c0", number, document.text[a:b], a, b) for a, b, number in draft.pop("ends")
                ]
                one.add_link(ends, **draft)
            links = one.links()
            export_links(one, Path(folder) / "links.jsonl")
            before = list(export_lines(one))[1:]
        for known in (True, False):
            with Matter.create(Path(folder) / f"b{known}.antinomy", Annotator("a-two", "Bo")) as two:
                if known:
                    two.add_document(document.id, "合同 😀.txt", "", "text", pack(document), "other")
                plan = plan_import_file(two, Path(folder) / "links.jsonl")
                assert plan.problems == ()
                apply_import(two, plan)
                assert two.links() == links
                after = [line.replace('"role":"other"', '"role":"master"') for line in list(export_lines(two))[1:]]
                assert after == before
                assert plan_import_file(two, Path(folder) / "links.jsonl").already == len(links)


def test_decisions_travel_with_their_findings(matter, english, finding, engine_line, tmp_path):
    undecided = msgspec.structs.replace(finding(english), id="f-0000000000000002")
    matter.save_review([english.id], [finding(english), undecided], engine_line)
    matter.decide(FINDING, "dismissed", "not.override", "见第二条")
    lines = list(export_lines(matter))
    assert not any("f-0000000000000002" in line for line in lines)
    with Matter.create(tmp_path / "b.antinomy", Annotator("a-two", "Bo")) as other:
        changes = apply_import(other, plan_import(other, lines))
        assert changes.decisions == (FINDING,)
        assert other.all_decisions() == matter.all_decisions()
        assert [d.path for d in other.documents()] == [""]
        assert other.undo() == "import of links.jsonl"
        assert other.all_decisions() == ()


def _bad(lines, kind, change):
    """The lines with one of them, the first of its kind, changed."""
    at = next(i for i, line in enumerate(lines) if json.loads(line).get("type") == kind)
    record = json.loads(lines[at])
    change(record)
    return [*lines[:at], json.dumps(record), *lines[at + 1 :]], at + 1


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        ("link", lambda r: r["link"]["ends"].pop(), "two passages"),
        ("link", lambda r: r["link"].update(code="Not A Label"), "not a label"),
        ("link", lambda r: r["link"].update(confidence=7), "confidence"),
        ("link", lambda r: r["link"].update(severity="terrible"), "severity"),
        ("link", lambda r: r["link"].update(annotator="a-nobody"), "annotator"),
        ("link", lambda r: r["link"]["ends"][0].update(start=1, end=8), "not at 1 to 8"),
        ("link", lambda r: r["link"]["ends"][0].update(end=10**9), "offsets"),
        ("link", lambda r: r["link"]["ends"][0].update(document="sha256:" + "0" * 64), "neither in the matter"),
        ("link", lambda r: r.update(type="lnik"), "not a line"),
        ("link", lambda r: r["link"].pop("ends"), "missing required field"),
        ("decision", lambda r: r["decision"].update(finding="f-none"), "f-none"),
        ("decision", lambda r: r["decision"].update(state="maybe"), "maybe"),
    ],
)
def test_bad_lines_are_named_and_the_good_ones_kept(
    matter, english, ends, finding, engine_line, tmp_path, kind, change, says
):
    matter.save_review([english.id], [finding(english)], engine_line)
    matter.decide(FINDING, "confirmed")
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    matter.add_link(ends(english, "45 days", "30 days"), "value.period")
    lines, number = _bad(list(export_lines(matter)), kind, change)
    with Matter.create(tmp_path / "b.antinomy", Annotator("a-two", "Bo")) as other:
        other.add_document(english.id, "sample.txt", "", "text", pack(english))
        plan = plan_import(other, [*lines, "{", "[]"])
        assert [p.line for p in plan.problems] == [number, len(lines) + 1, len(lines) + 2]
        assert says in plan.problems[0].sentence
        assert len(plan.links) + len(plan.decisions) == 2
        assert other.links() == ()
        apply_import(other, plan)
        assert len(other.links()) + len(other.all_decisions()) == 2


def test_duplicate_ids(matter, english, ends):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    lines = list(export_lines(matter))
    changed, number = _bad(lines, "link", lambda r: r["link"].update(note="else"))
    plan = plan_import(matter, changed)
    assert [(p.line, "other content" in p.sentence) for p in plan.problems] == [(number, True)]
    matter.undo()
    plan = plan_import(matter, [*lines, lines[-1]])
    assert [(p.line, "twice" in p.sentence) for p in plan.problems] == [(len(lines) + 1, True)]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"hello\n", "does not begin"),
        (b'{"schema": "antinomy.links/2"}\n', "antinomy.links/2"),
        (b'{"schema": "antinomy.findings/1"}\n', "antinomy.findings/1"),
        (b"\xff\xfe\x00", "as text"),
    ],
)
def test_files_that_are_something_else(matter, tmp_path, content, says):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(UnreadableImport, match=says):
        plan_import_file(matter, path)
    with pytest.raises(UnreadableImport, match="not there"):
        plan_import_file(matter, tmp_path / "none.jsonl")


def test_a_file_saved_on_windows_reads_the_same(matter, english, ends, tmp_path):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    links = matter.links()
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(export_lines(matter)).encode() + b"\r\n\r\n")
    matter.undo()
    apply_import(matter, plan_import_file(matter, path))
    assert matter.links() == links
