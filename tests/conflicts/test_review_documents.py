"""A whole review, without a model: the character n-gram encoder stands in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.conflicts.review import ReviewCancelled, review_documents
from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder

CONTRACT = """1. Delivery
1.1 The Supplier shall deliver the pumps to the port of Hamburg within sixty (60) days after each order.
1.2 The Supplier shall insure the pumps during their transport to the port.
2. Payment
2.1 The Customer shall pay each invoice for the pumps within thirty (30) days after its receipt.
2.2 Prices include packaging and the cost of the transport documents.
3. Subcontracting
3.1 The Supplier shall not subcontract the assembly of the pumps to any other person.
3.2 Each party shall name a contact for questions about the schedule.
4. General
4.1 The Customer shall pay each invoice for the pumps within forty-five (45) days after its receipt.
4.2 The Supplier may subcontract the assembly of the pumps to any other person.
4.3 This Agreement is governed by the laws of England.
5. Law
5.1 This Agreement is governed by the laws of the State of New York.
"""

CHINESE = """第一条 交货。乙方应当在每份订单生效后六十日内将水泵运至上海港。
第二条 付款。甲方应当在收到水泵发票后三十日内支付全部货款。
第三条 分包。乙方不得将水泵的装配工作分包给任何第三方。
第四条 其他。甲方应当在收到水泵发票后四十五日内支付全部货款。
第五条 补充。乙方可以将水泵的装配工作分包给任何第三方。
"""


def review(*documents: Document, cancelled=lambda: False, **options) -> list[Finding]:
    findings, seconds = review_documents(
        documents,
        encoder_for=lambda _: NgramEncoder(),
        options=ReviewOptions(**options),
        progress=lambda *_: None,
        cancelled=cancelled,
    )
    assert all(value >= 0 for value in seconds.values())
    return findings


def pairs(findings: list[Finding]) -> set[frozenset[str]]:
    return {frozenset(p.clause for p in f.passages) for f in findings}


def test_planted_conflicts_are_found_first() -> None:
    document = document_of(CONTRACT)
    findings = review(document)
    assert [f.rank for f in findings] == list(range(1, len(findings) + 1))
    assert {frozenset(("2.1", "4.1")), frozenset(("3.1", "4.2")), frozenset(("4.3", "5.1"))} <= pairs(findings[:4])
    codes = {frozenset(p.clause for p in f.passages): f.code for f in findings}
    assert codes[frozenset(("2.1", "4.1"))] == "value.period"
    assert codes[frozenset(("3.1", "4.2"))] == "norm.modality"
    assert codes[frozenset(("4.3", "5.1"))] == "forum.law"
    law = next(f for f in findings if f.code == "forum.law")
    # What clashes is marked in both passages, for the eye.
    assert [[document.quote(m.start, m.end) for m in p.anchors] for p in law.passages] == [
        ["England"],
        ["New York"],
    ]


def test_chinese_conflicts_are_found_and_told_in_chinese() -> None:
    findings = review(document_of(CHINESE, "合同.txt"))
    best = findings[:3]
    assert {"value.period", "norm.modality"} <= {f.code for f in best}
    told = next(f for f in best if f.code == "value.period")
    assert "三十日" in told.summary
    assert "四十五日" in told.summary
    assert all(any("\u4e00" <= c <= "\u9fff" for c in step.because) for step in told.path)


def test_passages_are_the_documents_words() -> None:
    document = document_of(CONTRACT)
    for finding in review(document):
        assert 0 <= finding.score <= 1
        assert finding.summary.strip()
        assert finding.path
        for passage in finding.passages:
            assert passage.text == document.text[passage.start : passage.end]
            for mark in passage.anchors:
                assert passage.start <= mark.start < mark.end <= passage.end


def test_the_same_twice_and_ids_survive_an_edit_elsewhere() -> None:
    first = review(document_of(CONTRACT))
    assert msgspec.json.encode(first) == msgspec.json.encode(review(document_of(CONTRACT)))
    edited = review(document_of("0. Preface. This page is left without any rule on purpose.\n" + CONTRACT))
    assert {f.id for f in first if f.code == "value.period"} <= {f.id for f in edited}
    assert len({f.id for f in first}) == len(first)


def test_the_same_in_every_process() -> None:
    """Python shuffles its sets from process to process; findings must not care."""
    program = (
        "import sys; sys.path[:0] = [sys.argv[1], sys.argv[2]]\n"
        "import msgspec, test_review_documents as t\n"
        "sys.stdout.buffer.write(msgspec.json.encode(t.review(t.document_of(t.CONTRACT + t.CHINESE))))"
    )
    here = Path(__file__).resolve().parent
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, str(here), str(here.parents[1])],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_two_languages_in_one_document() -> None:
    findings = review(document_of(CONTRACT + CHINESE))
    languages = [{any("\u4e00" <= c <= "\u9fff" for c in p.text) for p in f.passages} for f in findings]
    assert all(len(both) == 1 for both in languages)
    assert {True, False} <= set().union(*languages)


def test_values_of_one_role_are_found_in_other_words() -> None:
    filler = "".join(
        f"{i}. The Supplier shall keep {thing} in good order and free of charge for the Customer.\n"
        for i, thing in enumerate(("spare parts", "drawings", "tools", "records", "software", "manuals"), 3)
    )
    findings = review(
        document_of(
            "1. The Customer shall pay each undisputed invoice within thirty (30) days after it receives the invoice.\n"
            f"{filler}9. Each undisputed invoice falls due for payment forty-five (45) days after the Customer "
            "received it.\n"
        )
    )
    told = next(f for f in findings[:6] if f.code == "value.period")
    assert {mark.value for p in told.passages for mark in p.anchors} == {"P30D", "P45D"}


def test_court_against_arbitration() -> None:
    text = (
        "1. Any dispute arising out of this Agreement shall be finally settled by arbitration under the ICC Rules.\n"
        "2. The pumps are painted in the colour that the order names and tested before dispatch.\n"
        "3. The courts of England have exclusive jurisdiction over any dispute arising out of this Agreement.\n"
    )
    assert "forum.court" in {f.code for f in review(document_of(text))}
    aid = text.replace("any dispute arising", "applications for interim injunctions arising")
    assert "forum.court" not in {f.code for f in review(document_of(aid))}


def test_between_documents() -> None:
    base = document_of(
        "1. The Customer shall pay each invoice for the pumps within thirty (30) days after receipt.\n", "a"
    )
    order = document_of(
        "1. The Customer shall pay each invoice for the pumps within ten (10) days after receipt.\n", "b"
    )
    order = msgspec.structs.replace(order, id="sha256:11")
    findings = review(base, order)
    told = next(f for f in findings if f.code == "document.value.period")
    assert {p.document for p in told.passages} == {base.id, order.id}


def test_equal_sentences_are_one_passage_with_all_its_places() -> None:
    repeated = (
        CONTRACT + "6. Again\n6.1 The Supplier shall not subcontract the assembly of the pumps to any other person.\n"
    )
    findings = review(document_of(repeated))
    told = next(f for f in findings if f.code == "norm.modality" and any(p.clause == "3.1" for p in f.passages))
    assert any(p.also for p in told.passages)


@pytest.mark.parametrize("text", ["", "One sentence stands alone here.", "a\nb\nc\n", "…\n—\n", "甲方"])
def test_next_to_nothing(text: str) -> None:
    assert all(f.passages for f in review(document_of(text)))


def test_nothing_at_all() -> None:
    assert review() == []


def test_a_minimum_score() -> None:
    findings = review(document_of(CONTRACT), minimum_score=0.3)
    assert findings
    assert all(f.score >= 0.3 for f in findings)


def test_a_cancelled_review_has_no_findings() -> None:
    asked = 0

    def later() -> bool:
        nonlocal asked
        asked += 1
        return asked > stop

    document = document_of(CONTRACT)
    stop = 0
    while stop < 6:
        asked = 0
        with pytest.raises(ReviewCancelled):
            review(document, cancelled=later)
        stop += 1


def test_parts_switched_off_for_an_ablation() -> None:
    document = document_of(CONTRACT)
    for part in ("anchors", "arbitration", "verifier"):
        assert review(document, without=(part,))


def test_checks_and_anchors_stop_between_two_kinds() -> None:
    document = document_of(CONTRACT)
    anchors = extract_anchors(document)
    asked = iter([False, False, True])
    assert run_checks(document, anchors, cancelled=lambda: next(asked)) == []
    again = iter([False, True])
    assert extract_anchors(document, lambda: next(again)) == []
    assert anchors
