"""Links to other tools and back: what a format can hold comes back, what it can't is said."""

from __future__ import annotations

import json
import os

import msgspec
import numpy as np
import pytest
from cas_reader import read_cas
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.document import CharacterBoxes, Document, Media, Page, pack
from engine.matter import Annotator, Direction, Link, LinkEnd, LinkStatus, Matter, Origin, UnreadableImport
from engine.matter.commands import run_matter_command
from engine.matter.exchange import apply_import
from engine.matter.formats import FORMATS, Bundle, BundleDocument, bundle_of, plan_bundle
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


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_uima_cas_json(bundle):
    back, _ = through("uima-cas-json", bundle)
    assert sorted(back.links, key=lambda x: x.id) == [link for link in bundle.links if holds(bundle, link)]
    assert {d.text for d in back.documents} <= {d.text for d in bundle.documents}


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_uima_cas_json_by_an_independent_reader(bundle):
    """What another program finds in the files: each pair of passages by its words, the label, who said it."""
    written = FORMATS["uima-cas-json"].write(bundle)
    found = []
    for name, data in written.files.items():
        document, text, relations = read_cas(data)
        assert text == next(d.text for d in bundle.documents if d.id == document)
        points = [len(text.encode("utf-16-le")[: 2 * at].decode("utf-16-le", "ignore")) for at in range(2 * len(text))]
        for relation in relations:
            ends = [(document, points[b], points[e], words) for b, e, words in (relation.governor, relation.dependent)]
            assert [(text[start:end]) for _, start, end, _ in ends] == [words for *_, words in ends]
            found.append(repr((relation.label, *ends, name.split("/")[0])))
    assert sorted(found) == pairs(bundle, "swap", "annotator")
    said = " ".join(written.losses)
    assert ("two documents" in said) == any(len({e.document for e in link.ends}) > 1 for link in bundle.links)
    assert ("feature antinomy" in said) == bool(bundle.links)


def test_uima_counts_utf_16_units():
    document = BundleDocument("sha256:0", "n", "😀 30 days 😀 45 days")
    ends = tuple(LinkEnd(document.id, "", "", document.text[a:b], a, b) for a, b in ((2, 9), (12, 19)))
    files = FORMATS["uima-cas-json"].write(Bundle((document,), (link_of(ends),), PEOPLE)).files
    cas = json.loads(files["a-one/001-n.json"])
    text = document.text.encode("utf-16-le")
    spans = [fs for fs in cas["%FEATURE_STRUCTURES"] if fs["%TYPE"] == "custom.Span"]
    assert [text[2 * fs["begin"] : 2 * fs["end"]].decode("utf-16-le") for fs in spans] == ["30 days", "45 days"]


def link_of(ends):
    return Link(
        "l-1", ends, "value.period", "", Direction.NONE, Severity.LOW, 1.0, "", LinkStatus.LABELLED, Origin.PERSON,
        "a-one", "", "",
    )  # fmt: skip


def on_pages(document):
    """The document with a made-up box for each character: lines of 20, pages of 3 lines, white space without ink."""
    n = len(document.text)
    place = np.arange(n)
    x, y = (place % 20) * 10.0, (place // 20 % 3) * 12.0
    ink = np.array([not c.isspace() for c in document.text], bool)
    rect = np.stack([x, y, x + np.where(ink, 9.0, 0.0), y + 10.0], axis=1).astype(np.float32).reshape(n, 4)
    page = (place // 60).astype(np.int32)
    pages = tuple(Page(i, 200, 40, 60 * i, min(n, 60 * i + 60)) for i in range(n // 60 + 1))
    layout = Document(
        document.id, document.name, Media.PDF, "en", document.text, pages, (), (), (), (), CharacterBoxes(rect, page)
    )
    return msgspec.structs.replace(document, layout=layout)


@settings(max_examples=EXAMPLES, deadline=None)
@given(bundles())
def test_pawls(bundle):
    bundle = msgspec.structs.replace(bundle, documents=tuple(on_pages(d) for d in bundle.documents))
    back, losses = through("pawls", bundle)
    unseen = [x for x in bundle.links if holds(bundle, x) and any(not e.quote.strip() for e in x.ends)]
    expected = [link for link in bundle.links if holds(bundle, link) and link not in unseen]
    assert sorted(back.links, key=lambda x: x.id) == expected
    assert ("without a word" in " ".join(losses)) == bool(unseen)


@pytest.mark.parametrize("name", sorted(FORMATS))
@settings(max_examples=max(EXAMPLES // 3, 10), deadline=None)
@given(bundle=bundles())
def test_every_link_comes_back_or_is_counted_as_left_out(name, bundle):
    bundle = msgspec.structs.replace(bundle, documents=tuple(on_pages(d) for d in bundle.documents))
    back, losses = through(name, bundle)
    left_out = sum(int(said.split()[0]) for said in losses if said.endswith("left out."))
    if name in ("label-studio", "doccano"):
        # A link of many ends is a relation for each further end there.
        further = sum(len(link.ends) - 1 for link in bundle.links if holds(bundle, link))
        assert len(back.links) == further
        assert left_out == sum(not holds(bundle, link) for link in bundle.links)
    else:
        assert len(back.links) + left_out == len(bundle.links)


def test_a_passage_over_two_pages_is_one_relation_in_pawls():
    document = on_pages(BundleDocument("sha256:0", "n", "The price is 5. " * 10))
    ends = tuple(LinkEnd(document.id, "", "", document.text[a:b], a, b) for a, b in ((50, 70), (130, 140)))
    files = FORMATS["pawls"].write(Bundle((document,), (link_of(ends),), PEOPLE)).files
    marks = json.loads(files["0/a-one_annotations.json"])
    (relation,) = marks["relations"]
    assert (len(relation["sourceIds"]), len(relation["targetIds"])) == (2, 1)
    pages = json.loads(files["0/pdf_structure.json"])
    for mark in marks["annotations"]:
        words = [pages[t["pageIndex"]]["tokens"][t["tokenIndex"]] for t in mark["tokens"]]
        assert {t["pageIndex"] for t in mark["tokens"]} == {mark["page"]}
        assert mark["bounds"]["left"] == min(w["x"] for w in words)
    # Saved by PAWLS, which drops our field: whole words, one relation.
    del relation["antinomy"]
    files["0/a-one_annotations.json"] = json.dumps(marks).encode()
    (link,) = FORMATS["pawls"].read(files).links
    assert [(e.start, e.end) for e in link.ends] == [(48, 73), (128, 140)]


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
        plan = plan_bundle(matter, FORMATS[name].read(files), name)
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
        ("csv", {NAME: b"a,b\n1,2\n"}, "column id is missing"),
        ("csv", {NAME: b"\xff\xfe"}, "no table"),
        ("label-studio", {"x.json": b"[{]"}, "not an export"),
        ("label-studio", {"x.json": b'{"tasks": []}'}, "not an export"),
        (
            "label-studio",
            {"x.json": b'[{"id":1,"data":{"text":"a"},"annotations":[{"id":1,"result":[{"type":"relation"}]}]}]'},
            "region that is not there",
        ),
        ("doccano", {"x.jsonl": b'{"text": 3}\n'}, "x.jsonl:1 the line is not doccano's"),
        ("doccano", {"x.jsonl": b'{"text":"a","relations":[{"id":1,"from_id":1,"to_id":2,"type":"t"}]}'}, "an entity"),
        (
            "doccano",
            {
                "x.jsonl": b'{"text":"a","entities":[{"id":1,"start_offset":0,"end_offset":9,"label":"x"}],'
                b'"relations":[{"id":1,"from_id":1,"to_id":1,"type":"t"}]}'
            },
            "outside its text",
        ),
        ("brat", {"x.ann": b""}, "x.txt is missing"),
        ("brat", {"x.txt": b"a", "x.ann": b"T1\tpassage zero one\ta\n"}, "x.ann:1 the line is not brat's"),
        ("brat", {"x.txt": b"a", "x.ann": b"R1\tt Arg1:T1 Arg2:T2\n"}, "not there"),
        ("uima-cas-json", {"x.json": b"{}"}, "not UIMA CAS JSON"),
        ("uima-cas-json", {"x.json": b'{"%FEATURE_STRUCTURES": []}'}, "0 texts"),
        (
            "uima-cas-json",
            {
                "x.json": b'{"%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "a"},'
                b'{"%ID": 2, "%TYPE": "custom.Relation", "@Governor": 3, "@Dependent": 4}]}'
            },
            "passage that is not there",
        ),
        ("pawls", {"0/a_annotations.json": b"{}"}, "must lie beside"),
        (
            "pawls",
            {"0/a_annotations.json": b"{}", "0/pdf_structure.json": b"[]", "0/text.txt": b""},
            "not PAWLS's",
        ),
        (
            "pawls",
            {
                "0/a_annotations.json": b'{"annotations": [{"id": "x", "page": 0, "label": {"text": "t"}, "bounds":'
                b'{"left": 0, "top": 0, "right": 1, "bottom": 1}, "tokens": [{"pageIndex": 0, "tokenIndex": 0}]}]}',
                "0/pdf_structure.json": b"[]", "0/text.txt": b"",
            },
            "word that is not there",
        ),
    ],
)  # fmt: skip
def test_broken_files_are_named(name, files, says):
    try:
        said = [f"{problem.place}:{problem.line} {problem.sentence}" for problem in FORMATS[name].read(files).problems]
    except UnreadableImport as error:
        said = [str(error)]
    assert len(said) == 1
    assert says in said[0]


def test_export_and_import_by_command(matter, english, chinese, ends, tmp_path):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period", note="见第二条")
    matter.add_link(ends(english, "30 days") + ends(chinese, "45日"), "document.value.period")
    links = matter.links()
    matter.close()
    # PAWLS needs places on pages: the test below.
    for name in sorted(set(FORMATS) - {"pawls"}):
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
            if name in ("csv", "brat", "uima-cas-json"):
                assert back[0] == links[0]
        with Matter.create(tmp_path / f"empty-{name}.antinomy", Annotator("a-new", "New")) as other:
            bare = bundle_of(other)
        assert bare.links == ()
    assert msgspec.structs.asdict(links[0])["note"] == "见第二条"


def test_pawls_by_command(tmp_path, english, chinese, ends):
    path = tmp_path / "deal.antinomy"
    laid_out = [on_pages(BundleDocument(d.id, d.name, d.text)).layout for d in (english, chinese)]
    with Matter.create(path, PEOPLE[0]) as matter:
        for document in laid_out:
            matter.add_document(document.id, document.name, "", "pdf", pack(document))
        matter.add_link(ends(english, "30 days", "45 days"), "value.period", note="见第二条")
        matter.add_link(ends(chinese, "30日", "45日"), "value.period")
        links = matter.links()
    said: list[str] = []
    folder = str(tmp_path / "out")
    assert run_matter_command(["export", str(path), folder, "--format", "pawls"], said.append) == 0
    new = tmp_path / "new.antinomy"
    with Matter.create(new, PEOPLE[1]) as other:
        for document in laid_out:
            other.add_document(document.id, document.name, "", "pdf", pack(document))
    assert run_matter_command(["import", str(new), folder, "--format", "pawls"], said.append) == 0, said
    with Matter.open(new) as other:
        assert sorted(other.links(), key=lambda x: x.id) == sorted(links, key=lambda x: x.id)
