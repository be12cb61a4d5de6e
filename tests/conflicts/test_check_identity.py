from __future__ import annotations

import re

import pytest
from check_document import findings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conflicts.checks.parties import edit_distance
from engine.conflicts.identity import finding_id
from engine.protocol.findings import Passage


def _passage(text: str, start: int = 0) -> Passage:
    return Passage("sha256:0", "1", "c0", 0, start, start + len(text), text)


def test_form_and_stability() -> None:
    identity = finding_id("value.period", [_passage("Pay in 30 days."), _passage("Pay in 45 days.")])
    assert re.fullmatch(r"f-[0-9a-f]{16}", identity)
    assert identity == finding_id("value.period", [_passage("pay  in 45\ndays.", 700), _passage("Pay in 30 days.", 90)])
    assert identity != finding_id("value.amount", [_passage("Pay in 30 days."), _passage("Pay in 45 days.")])
    assert identity != finding_id("value.period", [_passage("Pay in 30 days."), _passage("Pay in 45 days.")], 1)


def test_the_same_words_twice_get_two_ids() -> None:
    text = "1. First. Pay within sixty (45) days.\n2. Second. Pay within sixty (45) days."
    findings = findings_of(text)
    assert len({finding.id for finding in findings}) == len(findings) == 2
    assert [f.id for f in findings_of(text)] == [f.id for f in findings]
    assert findings_of("0. Preface. Words.\n" + text)[0].id == findings[0].id


def test_a_name_spelt_in_two_ways() -> None:
    text = (
        'Made between Edible Arrangements, LLC ("Seller") and Foo Trading Inc. ("Buyer").\nEdible Arrangement, LLC '
        "shall pay."
    )
    assert [f.code for f in findings_of(text)] == ["party.name"]
    other = 'Made between Adapt Limited ("Adapt UK") and Adapt LLC ("Adapt US").\nAdapt Limited shall pay.'
    assert [f.code for f in findings_of(other)] == []


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_edit_distance_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert edit_distance(a, b) == edit_distance(b, a) <= 3
    assert (edit_distance(a, b) == 0) == (a == b)


@pytest.mark.parametrize("text", ["", "\n\n\n", "(((((", "9" * 4000, "第一条" * 300, "_" * 500, "Section 4.2 " * 300])
def test_documents_of_nothing(text: str) -> None:
    for finding in findings_of(text):
        assert all(p.text == text[p.start : p.end] for p in finding.passages)


@given(
    st.lists(
        st.sampled_from(
            ["1. Heading. ", "1.1 Part. ", "2. More. ", "Section 4.2 ", "sixty (45) days ", "“Term” means ", "____ ",
             "[x] ", "第三条 ", "\n", "这 ", "$5 (six dollars) ", "Acme Inc. ", "this Section 9 "]
        ),
        max_size=30,
    ).map("".join)
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_passages_quote_the_document_exactly(text: str) -> None:
    findings = findings_of(text)
    assert len({f.id for f in findings}) == len(findings)
    for finding in findings:
        assert 0 <= finding.score <= 1
        assert finding.summary.endswith((".", "。"))
        for passage in finding.passages:
            assert passage.text == text[passage.start : passage.end]
            assert all(passage.start <= mark.start < mark.end <= passage.end for mark in passage.anchors)
