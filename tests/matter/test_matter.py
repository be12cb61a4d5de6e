"""Documents, findings, decisions, links and undo, as the window uses them."""

from __future__ import annotations

import sqlite3

import msgspec
import pytest

from engine.document import unpack
from engine.matter import (
    Annotator,
    Changes,
    DecisionState,
    InvalidLink,
    LinkStatus,
    Matter,
    NotAConflict,
    UnknownRecord,
    Verdict,
)

FIRST, SECOND = "f-0000000000000001", "f-0000000000000002"


def reopened(matter):
    matter.close()
    return Matter.open(matter.path)


def test_documents_come_back_in_order_and_whole(matter, english, chinese):
    assert [d.name for d in matter.documents()] == ["sample.txt", "合同.txt"]
    packed = matter.packed_document(chinese.id)
    assert packed is not None
    assert unpack(packed).text == chinese.text
    changes = matter.add_document(english.id, "renamed.txt", "/elsewhere", "text", None, "annex")
    assert changes == matter.last_changes == Changes(documents=(english.id,))
    record = matter.documents()[0]
    assert (record.name, record.role, record.position, record.has_text) == ("renamed.txt", "annex", 0, True)


def test_a_document_that_is_not_there(matter):
    with pytest.raises(UnknownRecord, match="not in this matter"):
        matter.packed_document("sha256:0")


def test_a_second_review_says_what_is_new_gone_and_changed(matter, english, finding, engine_line):
    one, two = finding(english, FIRST), finding(english, SECOND, rank=2)
    first = matter.save_review([english.id], [one, two], engine_line)
    assert first.new == (FIRST, SECOND)
    moved = msgspec.structs.replace(one, rank=2, score=0.5)
    second = matter.save_review([english.id], [moved], engine_line)
    assert (second.kept, second.gone, second.changed) == ((FIRST,), (SECOND,), ())
    assert [f.rank for f in matter.findings()] == [2]
    third = matter.save_review([english.id], [msgspec.structs.replace(one, summary="other"), two], engine_line)
    assert (third.changed, third.returned, third.new) == ((FIRST,), (SECOND,), ())


def test_decisions_survive_reviews_and_restarts(matter, english, finding, engine_line):
    matter.save_review([english.id], [finding(english)], engine_line)
    changes = matter.decide(FIRST, "dismissed", NotAConflict.DIFFERENT_TRIGGER, "late payment is another matter")
    assert changes.decisions == (FIRST,)
    matter.save_review([english.id], [], engine_line)
    with reopened(matter) as again:
        assert again.findings() == ()
        (decision,) = again.decisions()
        assert (decision.state, decision.reason) == (DecisionState.DISMISSED, "not.different_trigger")
        assert [r.present for r in again.finding_records()] == [False]


def test_a_review_of_one_document_leaves_the_findings_of_others(matter, english, chinese, finding, engine_line):
    matter.save_review([english.id], [finding(english, FIRST)], engine_line)
    result = matter.save_review([chinese.id], [finding(chinese, SECOND)], engine_line)
    assert result.gone == ()
    assert {f.id for f in matter.findings()} == {FIRST, SECOND}


def test_a_finding_across_documents_is_gone_only_when_both_were_reviewed(
    matter, english, chinese, finding, engine_line
):
    across = msgspec.structs.replace(
        finding(english), passages=(finding(english).passages[0], finding(chinese).passages[1])
    )
    matter.save_review([english.id, chinese.id], [across], engine_line)
    assert matter.save_review([english.id], [], engine_line).gone == ()
    assert matter.save_review([english.id, chinese.id], [], engine_line).gone == (FIRST,)


def test_deciding_the_same_twice_writes_nothing(matter, english, finding, engine_line):
    matter.save_review([english.id], [finding(english)], engine_line)
    matter.decide(FIRST, "confirmed")
    assert not matter.decide(FIRST, "confirmed")
    assert len(matter.events(finding=FIRST)) == 1
    assert not matter.last_changes


def test_one_key_for_many_findings_is_one_step(matter, english, finding, engine_line):
    matter.save_review([english.id], [finding(english, FIRST), finding(english, SECOND)], engine_line)
    both = [Verdict(each, DecisionState.DISMISSED, "not.override") for each in (FIRST, SECOND)]
    assert matter.decide_all(both).decisions == (FIRST, SECOND)
    assert not matter.decide_all(both)
    with pytest.raises(UnknownRecord):
        matter.decide_all([Verdict(FIRST, DecisionState.CONFIRMED), Verdict("f-none", DecisionState.CONFIRMED)])
    assert {d.state for d in matter.decisions()} == {DecisionState.DISMISSED}
    with reopened(matter) as again:
        assert again.undoable("zh") == "对 2 项发现的判断"
        assert again.undo() == "decision on 2 findings"
        assert again.decisions() == ()


def test_taking_a_decision_back_leaves_none(matter, english, finding, engine_line):
    matter.save_review([english.id], [finding(english)], engine_line)
    matter.decide(FIRST, "flagged", note="ask the client")
    matter.decide(FIRST, "open")
    assert matter.decisions() == ()


def test_each_annotator_decides_alone(matter, english, finding, engine_line):
    matter.save_review([english.id], [finding(english)], engine_line)
    matter.decide(FIRST, "confirmed")
    matter.use_annotator(Annotator("a-two", "Bo"))
    assert matter.decisions() == ()
    matter.decide(FIRST, "dismissed", "not.override")
    assert [(d.annotator, d.state.value) for d in matter.all_decisions()] == [
        ("a-one", "confirmed"),
        ("a-two", "dismissed"),
    ]
    assert [d.state.value for d in matter.decisions("a-one")] == ["confirmed"]
    with reopened(matter) as again:
        assert again.annotator().name == "Bo"


def test_unknown_findings_and_states_are_refused(matter):
    with pytest.raises(UnknownRecord):
        matter.decide("f-none", "confirmed")
    with pytest.raises(ValueError, match="perhaps"):
        matter.decide("f-none", "perhaps")


def test_a_link_comes_back_as_it_was_made(matter, english, chinese, ends):
    both = ends(english, "within 30 days") + ends(chinese, "在45日内")
    link_id = matter.add_link(both, "document.value.period", "payment", "forward", "high", 0.75, "两处不一致 😀")
    with reopened(matter) as again:
        (link,) = again.links()
        assert link.ends == both
        assert (link.id, link.aspect, link.direction.value) == (link_id, "payment", "forward")
        assert link.note == "两处不一致 😀"
        assert (link.annotator, link.origin.value, link.status.value) == ("a-one", "person", "labelled")


def test_a_link_may_have_more_than_two_ends(matter, english, ends):
    three = ends(english, "30 days", "45 days", "The Buyer")
    assert matter.link(matter.add_link(three, "value.period")).ends == three


def test_links_that_cannot_be_kept(matter, english, ends):
    one = ends(english, "30 days")
    with pytest.raises(InvalidLink, match="two passages"):
        matter.add_link(one, "value.period")
    with pytest.raises(InvalidLink, match="not a label"):
        matter.add_link(one * 2, "Value Period")
    with pytest.raises(InvalidLink, match="offsets"):
        matter.add_link((one[0], msgspec.structs.replace(one[0], start=-1)), "value.period")
    with pytest.raises(InvalidLink, match="between 0 and 1"):
        matter.add_link(one * 2, "value.period", confidence=2)
    with pytest.raises(UnknownRecord, match="document"):
        matter.add_link((one[0], msgspec.structs.replace(one[0], document="sha256:0")), "value.period")
    with pytest.raises(UnknownRecord, match="annotator"):
        matter.add_link(one * 2, "value.period", annotator="a-none")
    assert matter.links() == ()
    assert matter.events() == ()


def test_edit_keeps_who_made_a_link_and_when(matter, english, ends):
    link = matter.link(matter.add_link(ends(english, "30 days", "45 days"), "value.period"))
    wanted = msgspec.structs.replace(link, code="not.override", annotator="a-else", status=LinkStatus.ACCEPTED)
    assert matter.edit_link(wanted).links == (link.id,)
    edited = matter.link(link.id)
    assert (edited.code, edited.status, edited.annotator) == ("not.override", LinkStatus.ACCEPTED, "a-one")
    assert edited.created_at == link.created_at < edited.changed_at
    assert not matter.edit_link(edited)


def test_undo_and_redo_across_restarts(matter, english, ends, finding, engine_line):
    matter.save_review([english.id], [finding(english)], engine_line)
    link_id = matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    matter.edit_link(msgspec.structs.replace(matter.link(link_id), note="changed"))
    matter.decide(FIRST, "confirmed")
    matter.delete_link(link_id)
    with reopened(matter) as again:
        assert again.undo() == "deletion of link 1 ↔ 2"
        assert again.last_changes.links == (link_id,)
        assert again.link(link_id).note == "changed"
        assert again.undo() == "decision on 30 days, then 45"
        assert again.decisions() == ()
        assert again.undo("zh") == "对关联 1 ↔ 2 的修改"
        assert again.link(link_id).note == ""
        assert again.redo() == "edit of link 1 ↔ 2"
        assert again.link(link_id).note == "changed"
    with Matter.open(matter.path) as third:
        assert third.redoable() == "decision on 30 days, then 45"
        assert third.undo() == "edit of link 1 ↔ 2"
        assert third.undo() == "link 1 ↔ 2"
        assert third.links() == ()
        assert third.undo() is None
        assert [third.redo() for _ in range(5)].count(None) == 1
        assert third.links() == ()
        assert len(third.decisions()) == 1


def test_a_new_act_ends_the_chance_to_redo(matter, english, ends):
    pair = ends(english, "30 days", "45 days")
    first = matter.add_link(pair, "value.period")
    matter.add_link(pair, "value.amount")
    matter.undo()
    matter.undo()
    third = matter.add_link(pair, "value.date")
    assert matter.redo() is None
    matter.undo()
    assert matter.redo() == "link 1 ↔ 2"
    assert [link.id for link in matter.links()] == [third]
    assert len(matter.events(link=first)) == 2


def test_the_journal_is_append_only(matter, english, ends):
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    matter.undo()
    assert [e.step.value for e in matter.events()] == ["do", "undo"]
    matter.close()
    raw = sqlite3.connect(matter.path)
    for table in ("change", "link_event", "decision_event"):
        raw.execute("SELECT 1").fetchall()
        if raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0:
            continue
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                raw.execute(statement)
    raw.close()


def test_settings_and_assignments(matter, english):
    matter.set_setting("last_page", "12")
    matter.assign("a-one", english.id)
    matter.assign("a-one", english.id, "done")
    with reopened(matter) as again:
        assert again.setting("last_page") == "12"
        assert again.setting("nothing", "else") == "else"
        assert [(a.annotator, a.state) for a in again.assignments()] == [("a-one", "done")]
        with pytest.raises(UnknownRecord):
            again.assign("a-none", english.id)
