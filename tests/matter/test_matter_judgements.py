"""Labels to learn from: whose word counts, what is left out and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.document import Document, pack
from engine.matter import Annotator, LinkEnd, Matter
from engine.matter.adjudication import accept, merge_judgements, reject
from engine.matter.judgements import groups_of, judgements
from engine.protocol.findings import EngineLine, Finding
from engine.protocol.learning import PairLabel, Place

Ends = Callable[..., tuple[LinkEnd, ...]]
ADA, BO = Annotator("a-one", "Ada"), Annotator("a-two", "Bo")


@pytest.fixture
def matter(tmp_path: Path, english: Document):
    with Matter.create(tmp_path / "one.antinomy", ADA) as made:
        made.add_document(english.id, english.name, "", english.media, pack(english), clauses=english.clauses)
        yield made


def test_an_empty_matter_has_no_labels_and_says_what_is_missing(tmp_path: Path) -> None:
    with Matter.create(tmp_path / "empty.antinomy", ADA) as matter:
        found = judgements([matter])
    assert found.labels == ()
    assert found.missing == (8, 8, 3)


def test_links_of_persons_are_labels_of_both_kinds(matter: Matter, english: Document, ends: Ends) -> None:
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    matter.add_link(ends(english, "Payment", "Late payment"), "not.different_subject")
    found = judgements([matter])
    assert sorted((label.code, label.is_conflict) for label in found.labels) == [
        ("not.different_subject", False), ("value.period", True),
    ]  # fmt: skip
    assert found.packed.keys() == {english.id}
    assert found.contracts == 1


def test_findings_nobody_judged_are_no_labels(
    matter: Matter, english: Document, finding: Callable[..., Finding], engine_line: EngineLine
) -> None:
    matter.save_review([english.id], [finding(english)], engine_line)
    assert judgements([matter]).labels == ()
    matter.decide("f-0000000000000001", "flagged")
    assert judgements([matter]).labels == ()


@pytest.mark.parametrize(
    ("state", "reason", "code", "is_conflict"),
    [
        ("confirmed", "", "value.period", True),
        ("dismissed", "not.override", "not.override", False),
        ("dismissed", "my own words", "not.given", False),
    ],
)
def test_decisions_are_labels(
    matter: Matter, english: Document, finding: Callable[..., Finding], engine_line: EngineLine, state: str,
    reason: str, code: str, is_conflict: bool,
) -> None:  # fmt: skip
    matter.save_review([english.id], [finding(english)], engine_line)
    matter.decide("f-0000000000000001", state, reason)
    (label,) = judgements([matter]).labels
    assert (label.code, label.is_conflict) == (code, is_conflict)


def test_decisions_on_one_passage_are_counted_apart(
    matter: Matter, english: Document, finding: Callable[..., Finding], engine_line: EngineLine
) -> None:
    import msgspec

    whole = finding(english)
    matter.save_review([english.id], [msgspec.structs.replace(whole, passages=whole.passages[:1])], engine_line)
    matter.decide("f-0000000000000001", "dismissed")
    found = judgements([matter])
    assert (found.labels, found.of_form) == ((), 1)


def test_people_who_differ_cancel_out_until_somebody_rules(matter: Matter, english: Document, ends: Ends) -> None:
    pair = ends(english, "30 days", "45 days")
    matter.add_link(pair, "value.period")
    matter.use_annotator(BO)
    second = matter.add_link(pair, "not.override")
    found = judgements([matter])
    assert (found.labels, found.disputed) == ((), 1)
    accept(matter, second)
    found = judgements([matter])
    assert [label.code for label in found.labels] == ["not.override"]
    assert found.disputed == 0


def test_people_who_agree_are_one_label(matter: Matter, english: Document, ends: Ends) -> None:
    pair = ends(english, "30 days", "45 days")
    first = matter.add_link(pair, "value.period")
    matter.use_annotator(BO)
    second = matter.add_link(pair, "norm.condition")
    assert len(judgements([matter]).labels) == 1
    merge_judgements(matter, [first, second])
    assert [label.code for label in judgements([matter]).labels] == ["value.period"]


def test_a_rejected_judgement_is_no_label(matter: Matter, english: Document, ends: Ends) -> None:
    reject(matter, matter.add_link(ends(english, "30 days", "45 days"), "value.period"))
    assert judgements([matter]).labels == ()


def test_a_ruling_wins_over_decisions_too(
    matter: Matter, english: Document, finding: Callable[..., Finding], engine_line: EngineLine, ends: Ends
) -> None:
    matter.save_review([english.id], [finding(english)], engine_line)
    matter.decide("f-0000000000000001", "confirmed")
    passages = finding(english).passages
    pair = tuple(LinkEnd(p.document, p.clause_id, p.clause, p.text, p.start, p.end) for p in passages)
    accept(matter, matter.add_link(pair, "not.superseded"))
    assert [label.code for label in judgements([matter]).labels] == ["not.superseded"]


def test_labels_without_their_text_are_left_out_and_counted(tmp_path: Path, english: Document, ends: Ends) -> None:
    with Matter.create(tmp_path / "two.antinomy", ADA) as matter:
        matter.add_document(english.id, english.name, "", english.media, None, clauses=english.clauses)
        matter.add_link(ends(english, "30 days", "45 days"), "value.period")
        found = judgements([matter])
        assert (found.labels, found.without_text) == ((), 1)
        matter.add_document(english.id, english.name, "", english.media, b"damaged", clauses=english.clauses)
        assert judgements([matter]).without_text == 1


def test_a_record_in_two_matters_counts_once(matter: Matter, english: Document, ends: Ends, tmp_path: Path) -> None:
    from engine.matter.merge import merge

    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    with Matter.create(tmp_path / "copy.antinomy", BO) as other:
        merge(other, matter.path)
        assert len(judgements([matter, other]).labels) == 1


def test_a_matter_that_is_open_for_writing_elsewhere_is_read(matter: Matter, english: Document, ends: Ends) -> None:
    matter.add_link(ends(english, "30 days", "45 days"), "value.period")
    with Matter.open(matter.path, read_only=True) as second:
        assert len(judgements([second]).labels) == 1


def test_documents_that_a_label_joins_are_one_contract() -> None:
    def pair(*documents: str) -> PairLabel:
        return PairLabel(tuple(Place(document, 0, 5) for document in documents), True, "precedence")

    labels = [pair("c", "d"), pair("a", "a"), pair("d", "b"), pair("e", "e")]
    assert groups_of(labels) == [("a",), ("b", "c", "d"), ("e",)]
    assert groups_of(labels[::-1]) == groups_of(labels)
    assert groups_of([]) == []
