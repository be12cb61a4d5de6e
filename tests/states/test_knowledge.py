"""Concepts, what cannot both hold, statutory limits; packs that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.anchors.extract import extract_from_text
from engine.states.knowledge import Knowledge, load_knowledge, magnitude, shipped_packs
from engine.states.knowledge_pack import PackError, pack_lines, read_pack
from engine.states.phrases import Phrases

HEAD = {"kind": "pack", "schema": "antinomy.knowledge/1", "id": "mine", "language": "en", "title": "Mine"}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def write(folder: Path, *entries: object, head: object = HEAD) -> Path:
    path = folder / "pack.jsonl"
    path.write_text("\n".join(json.dumps(e, ensure_ascii=False) for e in (head, *entries)), encoding="utf-8")
    return path


def test_names_of_one_thing(knowledge: Knowledge) -> None:
    assert knowledge.same_concept("the Vendor", "Supplier")
    assert knowledge.same_concept("卖方", "供应商")
    assert knowledge.same_concept("Seller", "卖方")
    assert not knowledge.same_concept("Supplier", "Customer")
    assert not knowledge.same_concept("Acme", "Acme")
    assert "Seller" in knowledge.synonyms("vendor")
    assert knowledge.concept_of("Vendors of the goods") == ""


def test_concepts_have_spans_in_the_text(knowledge: Knowledge) -> None:
    text = "İ: the VENDOR’s invoices, and the Disclosing\nParty; 卖方应交付货物"
    named = {hit.concept: text[hit.start : hit.end] for hit in knowledge.concepts_in(text)}
    assert named["invoice"] == "invoices"
    assert named["disclosing_party"] == "Disclosing\nParty"
    assert named["supplier"] == "卖方"
    assert named["goods"] == "货物"
    anchors = knowledge.concept_anchors(text)
    assert "concept:invoice" in {anchor.value for anchor in anchors}


@pytest.mark.parametrize(
    ("first", "second", "entry"),
    [
        ("Licensor grants an exclusive license.", "The license is non-exclusive.", "exclusivity"),
        ("因本合同发生的争议提交仲裁。", "发生纠纷的，可向人民法院起诉。", "dispute_forum"),
        ("Rent is payable monthly in advance.", "Rent shall be paid in arrears.", "advance_arrears"),
        ("合同总价为含税价。", "上述价格不含税。", "tax_inclusive"),
    ],
)
def test_what_cannot_both_hold(knowledge: Knowledge, first: str, second: str, entry: str) -> None:
    assert entry in {found.entry for found in knowledge.exclusions(first, second)}
    assert entry in {found.entry for found in knowledge.exclusions(second, first)}
    assert not knowledge.exclusions(first, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The license is exclusive.", "The parties' relationship is non-exclusive."),
        ("Gross revenue means all sales.", "Net weight is stated on the box."),
        ("The license is exclusive or non-exclusive, as the Order says.", "The license is non-exclusive."),
    ],
)
def test_what_can(knowledge: Knowledge, first: str, second: str) -> None:
    assert "exclusivity" not in {found.entry for found in knowledge.exclusions(first, second)}
    assert "gross_net" not in {found.entry for found in knowledge.exclusions(first, second)}


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("乙方应支付合同总价30%的定金。", "第五百八十六条"),
        ("定金为合同总额的百分之二十五。", "第五百八十六条"),
        ("租赁期限为25年，自2026年1月1日起。", "第七百零五条"),
        ("试用期为八个月。", "第十九条"),
        ("投标保证金为招标项目估算价的5%。", "第二十六条"),
    ],
)
def test_beyond_the_law(knowledge: Knowledge, text: str, source: str) -> None:
    (breach,) = knowledge.breaches(text, extract_from_text(text, "zh"))
    assert source in breach.because
    assert breach.anchor is not None
    assert breach.start <= breach.anchor.start < breach.end


@pytest.mark.parametrize(
    "text",
    [
        "定金为合同总额的百分之二十。",
        "租赁期限为二十年。",
        "逾期付款的，按日支付万分之五的违约金，定金不予退还。",
        "租赁期限届满后三十日内腾退。",
    ],
)
def test_within_the_law(knowledge: Knowledge, text: str) -> None:
    assert knowledge.breaches(text, extract_from_text(text, "zh")) == []


def test_a_limit_may_need_its_context(knowledge: Knowledge) -> None:
    text = "An action for breach must be commenced within six years."
    anchors = extract_from_text(text)
    assert knowledge.breaches(text, anchors) == []
    (breach,) = knowledge.breaches(text, anchors, context="Sale of goods")
    assert "2-725" in breach.because


def test_void_words(knowledge: Knowledge) -> None:
    (breach,) = knowledge.breaches("借款利息在本金中预先扣除。", [])
    assert "第六百七十条" in breach.because


def test_shipped_packs_are_sound_and_name_their_statutes() -> None:
    for pack in shipped_packs():
        assert len(pack.concepts) >= 40
        assert len(pack.exclusives) >= 20
        assert all(entry.source for entry in (*pack.limits, *pack.voids))


def test_magnitudes() -> None:
    assert magnitude("20%") == 20
    assert magnitude("P20Y") == 7300
    assert magnitude("PT72H") == 3
    assert magnitude("P1.5M") == 45
    assert magnitude("USD 5") is None


def test_a_pack_survives_writing(tmp_path: Path) -> None:
    for pack in shipped_packs():
        path = tmp_path / "copy.jsonl"
        path.write_text("\n".join(pack_lines(pack)), encoding="utf-8")
        assert read_pack(path).entries == pack.entries


def test_a_pack_of_ones_own_adds_names(tmp_path: Path) -> None:
    mine = write(tmp_path, {"kind": "concept", "id": "supplier", "field": "role", "labels": ["Merchant"]})
    assert load_knowledge([mine]).same_concept("Merchant", "Vendor")


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"kind": "concept", "id": "x", "field": "role", "labels": []}, "empty"),
        ({"kind": "concept", "id": "x", "labels": ["a"]}, "field"),
        ({"kind": "nothing"}, "one of"),
        ({"kind": "limit", "id": "x", "subject": ["a"], "anchor": "period", "value": "soon"}, "period"),
        ({"kind": "precedence", "id": "x", "effect": "wins", "phrases": ["a"]}, "one of"),
        ({"kind": "exclusive", "id": "x", "a": ["free"], "b": ["Free"]}, "both sides"),
        (["a list"], "line 2"),
    ],
)
def test_wrong_entries_are_said(tmp_path: Path, entry: object, words: str) -> None:
    with pytest.raises(PackError, match=words):
        read_pack(write(tmp_path, entry))


def test_wrong_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="cannot be read"):
        read_pack(tmp_path / "nothing.jsonl")
    with pytest.raises(PackError, match="this program reads"):
        read_pack(write(tmp_path, head=HEAD | {"schema": "antinomy.knowledge/9"}))
    (tmp_path / "empty.jsonl").write_text("\n\n")
    with pytest.raises(PackError, match="empty"):
        read_pack(tmp_path / "empty.jsonl")
    (tmp_path / "broken.jsonl").write_bytes(b"\xff\xfe{")
    with pytest.raises(PackError, match="cannot be read"):
        read_pack(tmp_path / "broken.jsonl")
    twice = {"kind": "concept", "id": "x", "field": "role", "labels": ["a"]}
    with pytest.raises(PackError, match="twice"):
        read_pack(write(tmp_path, twice, twice))


def test_no_phrases_find_nothing() -> None:
    assert Phrases([]).find("anything, 任何") == []
