from __future__ import annotations

import pytest

from engine.anchors.extract import extract_from_text
from engine.anchors.model import Anchor, AnchorKind


def _of(text: str, kind: AnchorKind, role: str = "definition") -> list[Anchor]:
    return [a for a in extract_from_text(text) if a.kind is kind and a.role == role]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("“Workers’ Council” means the council; ‘Goods’ means the goods", ["Workers' Council", "Goods"]),
        ('"Loss" refers to any loss', ["Loss"]),
        ('all fees due (collectively, the "Charges")', ["Charges"]),
        ('"Affiliate" and "Subsidiary" have the meanings given below', ["Affiliate", "Subsidiary"]),
        ("“保密信息”是指双方的资料；“例外与限制”指下列各项", ["保密信息", "例外与限制"]),
        ("上述款项（以下简称“价款”）", ["价款"]),
        ('He said "never" and left', []),
        ('sold "as is" here', []),
    ],
)
def test_definitions(text: str, terms: list[str]) -> None:
    assert [a.value for a in _of(text, AnchorKind.TERM)] == terms


def test_scope_of_a_definition() -> None:
    (anchor,) = _of('For the purposes of clause 7(c), "Cost" refers to every cost', AnchorKind.TERM)
    assert anchor.detail["scope"] == "clause 7(c)"
    (anchor,) = _of("本条所称“损失”是指直接损失", AnchorKind.TERM)
    assert anchor.detail["scope"] == "本条"


def test_uses() -> None:
    text = '"Services" means the work. The Services are done. Each Service is paid. services are not.'
    # The singular of a term that is defined in the plural is the same term; without the capital it is none.
    assert [text[a.start : a.end] for a in _of(text, AnchorKind.TERM, "use")] == ["Services", "Service"]


def test_parties_of_an_english_opening() -> None:
    text = (
        'This Agreement is made between Acme Widgets, Inc., a Delaware corporation ("Seller"), and Foo Bar LLC '
        '("Buyer"). '
        "Seller sells. Acme Widgets, Inc. pays."
    )
    assert [(a.value, a.detail.get("name")) for a in _of(text, AnchorKind.PARTY)] == [
        ("Seller", "Acme Widgets, Inc"),
        ("Buyer", "Foo Bar LLC"),
    ]
    mentions = [(a.value, text[a.start : a.end]) for a in _of(text, AnchorKind.PARTY, "mention")]
    assert ("Seller", "Seller") in mentions
    assert ("Seller", "Acme Widgets, Inc.") in mentions


def test_parties_of_a_chinese_opening() -> None:
    text = "甲方（出租人）：上海某某有限公司\n乙方：李四\n甲方应当交付房屋。"
    assert [(a.value, a.detail["name"]) for a in _of(text, AnchorKind.PARTY)] == [
        ("甲方", "上海某某有限公司"),
        ("出租人", "上海某某有限公司"),
        ("乙方", "李四"),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("governed by and construed in accordance with the laws of the State of New York.", AnchorKind.LAW, "New York"),
        ("This Agreement shall be governed by English law.", AnchorKind.LAW, "England"),
        ("本合同适用中华人民共和国法律。", AnchorKind.LAW, "PRC"),
        ("The courts of Delaware have exclusive jurisdiction.", AnchorKind.COURT, "courts:Delaware"),
        ("提交甲方所在地人民法院诉讼解决", AnchorKind.COURT, "courts:甲方所在地人民法院"),
        ("settled under the rules of the American Arbitration Association", AnchorKind.ARBITRATION, "institution:AAA"),
        ("提交北京仲裁委员会仲裁", AnchorKind.ARBITRATION, "institution:北京仲裁委员会"),
        ("Attention: Jane Roe", AnchorKind.PERSON, "Jane Roe"),
        ("write to legal@example.com please", AnchorKind.ADDRESS, "legal@example.com"),
        ("地址：北京市朝阳区某路1号", AnchorKind.ADDRESS, "北京市朝阳区某路1号"),
    ],
)
def test_forum_and_contacts(text: str, kind: AnchorKind, value: str) -> None:
    assert value in [a.value for a in extract_from_text(text) if a.kind is kind]
