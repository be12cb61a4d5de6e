"""Values beyond what a statute allows, and look-alikes within the law."""

from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.conflicts.checks.evidence import Evidence
from engine.conflicts.checks.statutes import check_statutes
from engine.protocol.findings import Finding
from engine.states.knowledge import Knowledge
from engine.states.knowledge_facts import shipped_knowledge


def found(text: str, knowledge: Knowledge | None = None) -> list[Finding]:
    document = document_of(text)
    return list(check_statutes(Evidence(document, extract_anchors(document)), knowledge or shipped_knowledge()))


@pytest.mark.parametrize(
    ("text", "code", "source"),
    [
        ("买卖合同\n第一条 定金。买方应当支付合同总价30%的定金。", "value.percent", "第五百八十六条"),
        ("买卖合同\n第一条 定金。定金为合同总价的百分之二十五。", "value.percent", "第五百八十六条"),
        ("房屋租赁合同\n第一条 期限。租赁期限为二十五年。", "value.period", "第七百零五条"),
        ("房屋租赁合同\n第一条 期限。租赁期限自2026年4月1日起至2056年3月31日止。", "value.period", "第七百零五条"),
        ("劳动合同\n第一条 试用。试用期为八个月。", "value.period", "第十九条"),
        (
            "买卖合同\n第一条 价款。合同总价为人民币100,000元。\n第二条 定金。买方应当支付定金人民币30,000元。",
            "value.percent",
            "第五百八十六条",
        ),
    ],
)
def test_beyond_the_law(text: str, code: str, source: str) -> None:
    findings = found(text)
    assert [finding.code for finding in findings] == [code]
    assert source in findings[0].summary
    for passage in findings[0].passages:
        assert document_of(text).text[passage.start : passage.end] == passage.text


@pytest.mark.parametrize(
    "text",
    [
        "买卖合同\n第一条 定金。买方应当支付合同总价20%的定金。",
        "买卖合同\n第一条 违约。逾期交付定金的，每日按定金的30%支付违约金。",
        "买卖合同\n第一条 定金。定金不得超过合同总价的百分之二十。",
        "房屋租赁合同\n第一条 期限。租赁期限为二十年。",
        "房屋租赁合同\n第一条 期限。租赁期限自2026年4月1日起至2046年3月31日止。",
        "房屋租赁合同\n第一条 期限。租赁期限自____年__月__日起至____年__月__日止。",
        "房屋租赁合同\n第一条 押金。乙方应当支付年租金30%的押金。",
        "买卖合同\n第一条 价款。合同总价为人民币100,000元。\n第二条 定金。买方应当支付定金人民币20,000元。",
        "买卖合同\n第一条 价款。合同总价为人民币100,000元。\n第二条 定金。买方应当支付定金5,000美元。",
        "买卖合同\n第一条 甲合同总价为100,000元。\n第二条 乙合同总价为90,000元。\n第三条 买方支付定金30,000元。",
        "1. Lease\n1.1 The term of this lease is twenty-five (25) years.",
        "",
    ],
)
def test_within_the_law_or_another_matter(text: str) -> None:
    assert found(text) == []


def test_an_english_limit_is_said_in_english() -> None:
    told = "The Processor shall inform the supervisory authority of a personal data breach within ten (10) days."
    (finding,) = found(f"1. Data\n1.1 {told}")
    assert finding.code == "value.period"
    assert finding.summary.startswith("Section 1.1 gives 10 days, but a personal data breach is notified within 72")


def test_the_review_uses_the_packs_that_it_is_given() -> None:
    document = document_of("买卖合同\n第一条 定金。买方应当支付合同总价30%的定金。")
    anchors = extract_anchors(document)
    assert any("第五百八十六条" in finding.summary for finding in run_checks(document, anchors))
    assert not any("第五百八十六条" in finding.summary for finding in run_checks(document, anchors, Knowledge([])))
