"""Several annotators' files become one, without loss."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from engine.document import pack
from engine.matter import Annotator, Matter
from engine.matter.check import check
from engine.matter.merge import merge

FINDING = "f-0000000000000001"


@pytest.fixture
def start(matter, english, finding, engine_line):
    """A matter with a finding and a link, closed, to be handed to two people."""
    matter.save_review([english.id], [finding(english)], engine_line)
    return matter


@pytest.fixture
def bo(start, tmp_path):
    start.compact()
    path = tmp_path / "bo.antinomy"
    shutil.copy(start.path, path)
    with Matter.open(path) as matter:
        matter.use_annotator(Annotator("a-two", "Bo"))
        yield matter


def test_the_same_link_by_two_people_stays_two_judgements(start, bo, english, ends):
    pair = ends(english, "30 days", "45 days")
    mine = start.add_link(pair, "value.period")
    theirs = bo.add_link(pair, "not.different_trigger", note="Verzug")
    start.decide(FINDING, "confirmed")
    bo.decide(FINDING, "dismissed", "not.different_trigger")
    report = merge(start, bo.path)
    assert set(report.added) == {theirs, FINDING}
    assert start.last_changes.links == (theirs,)
    assert {(link.id, link.annotator) for link in start.links()} == {(mine, "a-one"), (theirs, "a-two")}
    assert {(d.annotator, d.state.value) for d in start.all_decisions()} == {
        ("a-one", "confirmed"),
        ("a-two", "dismissed"),
    }
    assert [a.name for a in start.annotators()] == ["Ada", "Bo"]
    assert start.annotator().name == "Ada"
    assert check(start) == ()
    assert merge(start, bo.path).is_empty


def test_undo_takes_a_merge_back_and_merging_again_brings_it(start, bo, english, ends):
    link = bo.add_link(ends(english, "30 days", "45 days"), "value.period")
    merge(start, bo.path)
    assert start.undo() == "merge of bo.antinomy"
    assert start.links() == ()
    assert merge(start, bo.path).taken == (link,)
    assert [each.id for each in start.links()] == [link]
    assert check(start) == ()


def test_the_later_state_of_one_link_stands_and_the_other_is_in_the_history(start, bo, english, ends):
    shared = bo.add_link(ends(english, "30 days", "45 days"), "value.period")
    merge(start, bo.path)
    start.edit_link(msgspec.structs.replace(start.link(shared), note="earlier"))
    bo.edit_link(msgspec.structs.replace(bo.link(shared), note="later"))
    assert merge(start, bo.path).taken == (shared,)
    assert start.link(shared).note == "later"
    assert any("earlier" in event.before for event in start.events(link=shared))
    report = merge(bo, start.path)
    assert report.added == report.taken == ()
    assert bo.link(shared).note == "later"
    assert any("earlier" in event.after for event in bo.events(link=shared))
    assert check(bo) == check(start) == ()


def test_an_edit_passed_on_by_a_third_file_is_as_old_as_it_was(start, bo, english, ends, tmp_path):
    shared = bo.add_link(ends(english, "30 days", "45 days"), "value.period")
    bo.compact()
    cy_path = tmp_path / "cy.antinomy"
    shutil.copy(bo.path, cy_path)
    bo.edit_link(msgspec.structs.replace(bo.link(shared), note="second"))
    with Matter.open(cy_path) as cy:
        cy.use_annotator(Annotator("a-three", "Cy"))
        cy.edit_link(msgspec.structs.replace(cy.link(shared), note="third"))
    merge(start, bo.path)
    merge(start, cy_path)
    assert start.link(shared).note == "third"


def test_what_was_deleted_stays_deleted(start, bo, english, ends):
    shared = start.add_link(ends(english, "30 days", "45 days"), "value.period")
    merge(bo, start.path)
    start.delete_link(shared)
    report = merge(start, bo.path)
    assert report.kept == (shared,)
    assert start.links() == ()
    assert merge(bo, start.path).taken == (shared,)
    assert bo.links() == ()
    assert check(bo) == check(start) == ()


def test_documents_and_findings_of_another_matter(
    tmp_path, start, english, chinese, finding, engine_line, make_document
):
    third = make_document("1. 30 days.\n2. 45 days.", "third.txt")
    with Matter.create(tmp_path / "c.antinomy", Annotator("a-three", "Cy")) as other:
        other.add_document(third.id, third.name, "", "text", pack(third), clauses=third.clauses)
        other.add_document(chinese.id, chinese.name, "", "text", None)
        other.save_review([third.id], [finding(third, "f-0000000000000003")], engine_line)
        other.assign("a-three", third.id)
    report = merge(start, tmp_path / "c.antinomy")
    assert report.documents == (third.id,)
    assert report.findings == ("f-0000000000000003",)
    assert [d.name for d in start.documents()] == ["sample.txt", "合同.txt", "third.txt"]
    assert start.packed_document(third.id) == pack(third)
    assert {f.id for f in start.findings()} == {FINDING, "f-0000000000000003"}
    assert [a.annotator for a in start.assignments()] == ["a-three"]


def test_a_merge_that_fails_changes_nothing(start, bo, english, ends, monkeypatch):
    bo.add_link(ends(english, "30 days", "45 days"), "value.period")

    def fail(db, other):
        raise RuntimeError("here")

    with monkeypatch.context() as patch:
        patch.setattr("engine.matter.merge._merge_history", fail)
        with pytest.raises(RuntimeError, match="here"):
            merge(start, bo.path)
    assert len(start.annotators()) == 1
    assert merge(start, bo.path).history == 1
