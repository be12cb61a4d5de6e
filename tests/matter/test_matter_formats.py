"""Links to other tools and back: what a format can hold comes back, what it can't is said."""

from __future__ import annotations

import json
import os

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.document import pack
from engine.matter import Annotator, Direction, Link, LinkEnd, LinkStatus, Matter, Origin, UnreadableImport
from engine.matter.commands import run_matter_command
from engine.matter.exchange import apply_import, plan_import
from engine.matter.formats import FORMATS, Bundle, BundleDocument, bundle_of, lines_of, locate_documents
from engine.matter.formats.csv_table import NAME
from engine.protocol.findings import Severity

EXAMPLES = int(os.environ.get("ANTINOMY_EXAMPLES", "60"))
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
PEOPLE = (Annotator("a-one", "Ada 😀"), Annotator("a-two", "卜"))

CODES = ("value.period", "not.override", "document.norm.party")


@st.composite
def bundles(draw):
    documents = tuple(
        BundleDocument(f"sha256:{i}", draw(text) or "n", f"{i} 😀\r\n第一条\u2028" + draw(text)) for i in range(2)
    )
    links = []
    for number in range(draw(st.integers(0, 6))):
        ends = []
        one = draw(st.sampled_from(documents))
        across = draw(st.integers(0, 5)) == 0
        for _ in range(draw(st.sampled_from([2, 2, 2, 3, 4]))):
            document = draw(st.sampled_from(documents)) if across else one
            start = draw(st.integers(0, len(document.text)))
            end = draw(st.integers(start, len(document.text)))
            ends.append(LinkEnd(document.id, draw(text), draw(text), document.text[start:end], start, end))
        links.append(
            Link(
                f"l-{number}", tuple(ends), draw(st.sampled_from(CODES)),
                draw(text), draw(st.sampled_from(Direction)), draw(st.sampled_from(Severity)), draw(st.floats(0, 1)),
                draw(text), draw(st.sampled_from(LinkStatus)), draw(st.sampled_from(Origin)),
                draw(st.sampled_from(PEOPLE)).id, "2026-01-01T00:00:00", "2026-01-02T00:00:00",
            )
        )  # fmt: skip
    return Bundle(documents, tuple(links), PEOPLE)


def spans(link):
    return [(end.document, end.start, end.end, end.quote) for end in link.ends]


def holds(bundle, link):
    """Whether a format of single texts can hold the link."""
    return len({end.document for end in link.ends}) == 1 and all(end.start < end.end for end in link.ends)


def pairs(bundle, *fields):
    """The links as such a format has them: a relation from the first end to each other one."""
    out = []
    for link in bundle.links:
        if holds(bundle, link):
            first, *others = spans(link)
            for other in others:
                two = (other, first) if "swap" in fields and link.direction is Direction.BACKWARD else (first, other)
                out.append((link.code, *two, *(getattr(link, f) for f in fields if f != "swap")))
    return sorted(map(repr, out))


def read_pairs(bundle, *fields):
    return sorted(repr((link.code, *spans(link), *(getattr(link, f) for f in fields))) for link in bundle.links)


def through(name, bundle):
    written = FORMATS[name].write(bundle)
    if not written.files:
        return Bundle((), ()), written.losses
    return FORMATS[name].read(written.files), written.losses


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_csv_holds_all_of_a_link(bundle):
    back, losses = through("csv", bundle)
    assert back.links == bundle.links
    assert losses == ()


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_label_studio(bundle):
    back, losses = through("label-studio", bundle)
    assert read_pairs(back, "direction", "annotator", "note") == pairs(bundle, "direction", "annotator", "note")
    assert {d.text for d in back.documents} == {d.text for d in bundle.documents}
    said = " ".join(losses)
    assert ("two documents" in said) == any(len({e.document for e in link.ends}) > 1 for link in bundle.links)
    assert ("more than two ends" in said) == any(len(x.ends) > 2 and holds(bundle, x) for x in bundle.links)
    assert ("aspect" in said) == bool(bundle.links)


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_doccano(bundle):
    back, losses = through("doccano", bundle)
    assert read_pairs(back, "annotator") == pairs(bundle, "swap", "annotator")
    assert ("direction alone" in " ".join(losses)) == bool(bundle.links)


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_brat(bundle):
    back, losses = through("brat", bundle)
    breaks = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
    blank = [x for x in bundle.links if holds(bundle, x) and not all(e.quote.strip(breaks) for e in x.ends)]
    expected = [link for link in bundle.links if holds(bundle, link) and link not in blank]
    assert sorted(back.links, key=lambda x: x.id) == expected
    assert ("white space" in " ".join(losses)) == bool(blank)


def test_brat_lines_are_lines_for_every_reader():
    document = BundleDocument("sha256:0", "n", "a\u2028b\r\nc\x85d")
    end = LinkEnd(document.id, "", "", document.text, 0, len(document.text))
    link = Link(
        "l-1", (end, end), "value.period", "x\u2028\x85y", Direction.NONE, Severity.LOW, 1.0, "n\n\tm",
        LinkStatus.LABELLED, Origin.PERSON, "a-one", "", "",
    )  # fmt: skip
    files = FORMATS["brat"].write(Bundle((document,), (link,), PEOPLE)).files
    annotations = files["a-one/001-n.ann"].decode()
    assert [line[:2] for line in annotations.splitlines()] == ["T1", "T2", "R1", "#1"]
    assert annotations.split("\n")[0] == "T1\tpassage 0 1;2 3;5 6;7 8\ta b c d"


def test_what_people_do_in_the_tools_comes_back(matter, english):
    """A relation drawn in each tool, as the tool writes it, lands in the matter."""
    a, b = english.text.index("30 days"), english.text.index("45 days")
    label_studio = [
        {
            "id": 7, "data": {"text": english.text}, "created_at": "2026-01-01", "annotations": [{
                "id": 3, "completed_by": 2, "lead_time": 3.5, "result": [
                    {"id": "x", "type": "labels", "from_name": "label", "to_name": "text", "origin": "manual",
                     "value": {"start": a, "end": a + 7, "text": "30 days", "labels": ["passage"]}},
                    {"id": "y", "type": "labels", "from_name": "label", "to_name": "text", "origin": "manual",
                     "value": {"start": b, "end": b + 7, "text": "45 days", "labels": ["passage"]}},
                    {"type": "relation", "from_id": "x", "to_id": "y", "direction": "right",
                     "labels": ["value.period"]},
                ]}],
        }
    ]  # fmt: skip
    doccano = {
        "id": 1, "text": english.text,
        "entities": [{"id": 5, "start_offset": a, "end_offset": a + 7, "label": "passage"},
                     {"id": 6, "start_offset": b, "end_offset": b + 7, "label": "passage"}],
        "relations": [{"id": 1, "from_id": 5, "to_id": 6, "type": "value.period"}],
    }  # fmt: skip
    brat = f"T1\tpassage {a} {a + 7}\t30 days\nT2\tpassage {b} {b + 7}\t45 days\nR1\tvalue-period Arg1:T1 Arg2:T2\n"
    made = {
        "label-studio": {"export.json": json.dumps(label_studio).encode()},
        "doccano": {"ada.jsonl": json.dumps(doccano, ensure_ascii=False).encode()},
        "brat": {"doc.txt": english.text.encode(), "doc.ann": brat.encode()},
    }
    for name, files in made.items():
        bundle = locate_documents(matter, FORMATS[name].read(files))
        plan = plan_import(matter, lines_of(bundle))
        assert plan.problems == ()
        apply_import(matter, plan)
    links = matter.links()
    assert [(link.code, link.origin) for link in links] == [("value.period", Origin.IMPORT)] * 3
    assert {tuple(spans(link)) for link in links} == {
        ((english.id, a, a + 7, "30 days"), (english.id, b, b + 7, "45 days"))
    }
    assert {link.annotator for link in links} == {"label-studio:2", "ada", "brat"}


@pytest.mark.parametrize(
    ("name", "files", "says"),
    [
        ("csv", {NAME: b"a,b\n1,2\n"}, "Row 2"),
        ("csv", {NAME: b"\xff\xfe"}, "Row 2"),
        ("label-studio", {"x.json": b"[{]"}, "not an export"),
        ("label-studio", {"x.json": b'{"tasks": []}'}, "not an export"),
        (
            "label-studio",
            {"x.json": b'[{"id":1,"data":{"text":"a"},"annotations":[{"id":1,"result":[{"type":"relation"}]}]}]'},
            "region that is not there",
        ),
        ("doccano", {"x.jsonl": b'{"text": 3}\n'}, "Line 1 of x.jsonl"),
        ("doccano", {"x.jsonl": b'{"text":"a","relations":[{"id":1,"from_id":1,"to_id":2,"type":"t"}]}'}, "entity"),
        (
            "doccano",
            {
                "x.jsonl": b'{"text":"a","entities":[{"id":1,"start_offset":0,"end_offset":9,"label":"x"}],'
                b'"relations":[{"id":1,"from_id":1,"to_id":1,"type":"t"}]}'
            },
            "outside its text",
        ),
        ("brat", {"x.ann": b""}, "x.txt is missing"),
        ("brat", {"x.txt": b"a", "x.ann": b"T1\tpassage zero one\ta\n"}, "Line 1 of x.ann"),
        ("brat", {"x.txt": b"a", "x.ann": b"R1\tt Arg1:T1 Arg2:T2\n"}, "not there"),
    ],
)  # fmt: skip
def test_broken_files_are_named(name, files, says):
    with pytest.raises(UnreadableImport, match=says):
        FORMATS[name].read(files)


def test_export_and_import_by_command(matter, english, chinese, ends, tmp_path):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period", note="见第二条")
    matter.add_link(ends(english, "30 days") + ends(chinese, "45日"), "document.value.period")
    links = matter.links()
    matter.close()
    for name in sorted(FORMATS):
        lines: list[str] = []
        command = ["export", str(matter.path), str(tmp_path / name)]
        assert run_matter_command([*command, "--format", name], lines.append) == 0
        assert ("1 links join two documents" in "".join(lines)) == (name != "csv")
        again: list[str] = []
        assert run_matter_command([*command, "--format", name], again.append) == 2
        assert "not empty" in again[0]
        new = tmp_path / f"{name}.antinomy"
        with Matter.create(new, Annotator("a-new", "New")) as other:
            for document in (english, chinese):
                other.add_document(document.id, document.name, "", "text", pack(document))
        status = run_matter_command(["import", str(new), str(tmp_path / name), "--format", name], lines.append)
        assert status == 0, lines
        with Matter.open(new) as other:
            back = other.links()
            assert [spans(link) for link in back] == [spans(link) for link in links][: len(back)]
            assert len(back) == (2 if name == "csv" else 1)
            assert back[0].annotator == "a-one"
            if name in ("csv", "brat"):
                assert back[0] == links[0]
        with Matter.create(tmp_path / f"empty-{name}.antinomy", Annotator("a-new", "New")) as other:
            bare = bundle_of(other)
        assert bare.links == ()
    assert msgspec.structs.asdict(links[0])["note"] == "见第二条"


def test_a_text_that_is_not_in_the_matter(matter):
    with pytest.raises(UnreadableImport, match="is not that of a document"):
        locate_documents(matter, Bundle((BundleDocument("x", "x.txt", "other"),), ()))
