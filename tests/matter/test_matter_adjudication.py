from __future__ import annotations

import sqlite3

import pytest

from engine.matter import Annotator, InvalidLink, LinkStatus, Matter, Origin
from engine.matter.adjudication import Ruling, accept, comment, disputes, merge_judgements, reject, remarks
from engine.matter.agreement import agreement
from engine.matter.blind import set_blind, visible_links
from engine.matter.check import check
from engine.matter.guide import Guide, Label, guide_markdown, guide_of, keep_guide, problems_of, standard_labels
from engine.matter.labels import CONFLICT_CODES, NotAConflict
from engine.matter.merge import merge

TWO = Annotator("a-two", "Bo")
JUDGE = Annotator("a-judge", "Cy")


@pytest.fixture
def judged(matter, english, ends, person):
    """Two people on the same clauses, in other words and with other codes."""
    first = matter.add_link(ends(english, "30 days", "45 days"), "value.period", "payment", note="late fee?")
    matter.use_annotator(TWO)
    second = matter.add_link(ends(english, "within 30 days", "45 days"), "not.different_trigger", note="other events")
    matter.use_annotator(JUDGE)
    return first, second


def test_a_pair_judged_differently_is_listed_once(matter, judged):
    (dispute,) = disputes(matter.links(), matter.assignments())
    assert [link.id for link in dispute.links] == [judged[0], judged[1]]
    assert not dispute.is_settled


def test_agreeing_people_are_no_dispute(matter, english, ends):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period", "Payment  period")
    matter.use_annotator(TWO)
    matter.add_link(ends(english, "30 days", "45 days"), "value.period", "payment period")
    assert disputes(matter.links(), matter.assignments()) == ()


def test_silence_of_one_who_finished_is_a_judgement(matter, english, ends):
    matter.use_annotator(TWO)
    matter.assign(TWO.id, english.id, "done")
    matter.use_annotator(JUDGE)
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    (dispute,) = disputes(matter.links(), matter.assignments())
    assert dispute.silent == (TWO.id,)


def test_accepting_one_rejects_the_others_and_undo_takes_it_back(matter, judged):
    accept(matter, judged[0], "the trigger is the same")
    assert [matter.link(each).status for each in judged] == [LinkStatus.ACCEPTED, LinkStatus.REJECTED]
    assert disputes(matter.links(), ())[0].is_settled
    (line,) = remarks(matter)
    assert (line.ruling, line.comment, line.annotator) == (Ruling.ACCEPT, "the trigger is the same", JUDGE.id)
    assert matter.undo() == "ruling on 1 ↔ 2"
    assert {matter.link(each).status for each in judged} == {LinkStatus.LABELLED}
    assert remarks(matter) == ()
    assert matter.redo() is not None
    assert len(remarks(matter)) == 1
    assert check(matter) == ()


def test_a_rejection_and_a_comment_leave_the_others(matter, judged):
    comment(matter, judged[0], "ask the partner")
    reject(matter, judged[1])
    assert [matter.link(each).status for each in judged] == [LinkStatus.LABELLED, LinkStatus.REJECTED]
    assert [line.ruling for line in remarks(matter)] == [Ruling.COMMENT, Ruling.REJECT]


def test_a_merge_is_the_adjudicators_own_judgement(matter, judged):
    before = agreement(matter)
    new = matter.link(merge_judgements(matter, judged))
    assert (new.code, new.aspect, new.note) == ("value.period", "payment", "late fee? / other events")
    assert (new.annotator, new.status, new.origin) == (JUDGE.id, LinkStatus.ACCEPTED, Origin.ADJUDICATION)
    assert {matter.link(each).status for each in judged} == {LinkStatus.REJECTED}
    assert matter.link(judged[1]).annotator == TWO.id
    assert disputes(matter.links(), ())[0].is_settled
    # A ruling is no third opinion.
    assert agreement(matter) == before
    matter.undo()
    assert len(matter.links()) == 2


def test_merging_needs_two_on_the_same_clauses(matter, judged, english, ends):
    other = matter.add_link(ends(english, "Payment", "The Buyer"), "value.period")
    for ids in ((judged[0],), (judged[0], other)):
        with pytest.raises(InvalidLink, match="two judgements"):
            merge_judgements(matter, ids)


def test_the_record_can_only_grow(matter, judged):
    comment(matter, judged[0], "x")
    matter.close()
    raw = sqlite3.connect(matter.path)
    for statement in ("DELETE FROM adjudication_event", "UPDATE adjudication_event SET comment = 'y'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            raw.execute(statement)
    raw.close()


def test_a_merged_file_brings_its_record_without_what_was_undone(matter, judged, tmp_path):
    comment(matter, judged[0], "stays")
    comment(matter, judged[0], "taken back")
    matter.undo()
    matter.close()
    with Matter.create(tmp_path / "other.antinomy", JUDGE) as other:
        merge(other, matter.path)
        assert [line.comment for line in remarks(other)] == ["stays"]
        merge(other, matter.path)
        assert len(remarks(other)) == 1


def test_blind_hides_others_links_until_the_document_is_done(matter, judged, english):
    set_blind(matter, True)
    matter.use_annotator(TWO)
    matter.assign(TWO.id, english.id)
    assert [link.annotator for link in visible_links(matter)] == [TWO.id]
    matter.assign(TWO.id, english.id, "done")
    assert len(visible_links(matter)) == 2
    matter.assign(TWO.id, english.id, "open")
    set_blind(matter, False)
    assert len(visible_links(matter)) == 2
    set_blind(matter, True)
    matter.use_annotator(JUDGE)
    assert len(visible_links(matter)) == 2


def test_the_standard_set_has_every_label_and_nine_keys_a_side():
    labels = standard_labels()
    assert {label.code for label in labels} == set(CONFLICT_CODES) | {each.value for each in NotAConflict}
    assert problems_of(Guide(labels=labels)) == []
    assert sum(bool(label.key) for label in labels) == 18


def test_a_guide_is_kept_with_the_matter(matter):
    assert guide_of(matter).labels == standard_labels()
    guide = Guide("Read both clauses whole.", (Label("value.period", "Frist", "1", "#aa3300", "30 against 45 days"),))
    keep_guide(matter, guide)
    matter.close()
    with Matter.open(matter.path) as again:
        assert guide_of(again) == guide
    assert "| `value.period` | Frist | 1 | 30 against 45 days |" in guide_markdown(guide)


def test_a_wrong_label_set_is_refused(matter):
    for labels, words in (
        ((Label("Period"),), "not a label"),
        ((Label("a.b"), Label("a.b")), "twice"),
        ((Label("a.b", key="1"), Label("a.c", key="1")), "key 1"),
        ((Label("a.b", key="x"),), "no key"),
    ):
        with pytest.raises(InvalidLink, match=words):
            keep_guide(matter, Guide(labels=labels))
    keep_guide(matter, Guide(labels=(Label("a.b", key="1"), Label("not.that", key="1"))))
