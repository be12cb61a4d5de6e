from __future__ import annotations

import pytest
from check_document import codes_of, findings_of

BODY = """1. Definitions. Words are defined here.
1.1 Terms. Some terms.
1.2 Reading. Some rules.
2. Supply. The Seller supplies.
2.1 Orders. Orders are in writing.
2.2 Delivery. Delivery is prompt.
2.3 Risk. Risk passes on delivery.
3. Price. The price is fixed.
3.1 Invoices. Invoices are monthly.
3.2 Taxes. Taxes are extra.
4. Notices. Notices are in writing.
5. Confidentiality. Secrets are kept.
"""
CHINESE = """第一条 定义。本合同的定义如下。
第二条 供货。乙方应当供货。
第三条 付款。甲方应当付款。
第四条 保密。双方应当保密。
第五条 通知。通知应当书面作出。
"""


def _codes(sentence: str, body: str = BODY) -> list[str]:
    return [code for code in codes_of(body + sentence) if code.startswith("reference")]


@pytest.mark.parametrize(
    "sentence",
    [
        "6. Survival. Section 2.7 survives termination.",
        "6. Survival. Sections 2.1 and 3.4 survive termination.",
        "6. Survival. The Seller is liable under Section 11.",
    ],
)
def test_a_number_that_is_not_there(sentence: str) -> None:
    assert _codes(sentence) == ["reference.dangling"]


@pytest.mark.parametrize(
    "sentence",
    [
        "6. Survival. Section 2.3 and Articles 3 to 5 survive.",
        "6. Survival. Section 2.7 of the Companies Act applies.",
        "6. Survival. Under Section 2.7, 2.8 or 2.9 thereof the bank may act.",
        "6. Survival. References in Section 9.4(c) therein to Section 9.3(d) are to be read so.",
        "6. Survival. Section 2.7 of the Credit Agreement applies.",
        "6. Survival. Section 9.2 of the Master Services Agreement survives.",
        "6. Survival. It is exempt under Section 501(c)(3) of the Code.",
        "6. Survival. It is a deferral under Section 409A.",
        "6. Survival. See Section 2.7.\n2.7Records; Audit. Glued to its heading.",
    ],
)
def test_numbers_of_other_texts_and_imperfect_readings_stay_silent(sentence: str) -> None:
    assert _codes(sentence) == []


def test_chinese_references() -> None:
    assert _codes("第六条 违约。违反第九条的，应当赔偿。", CHINESE) == ["reference.dangling"]
    assert _codes("第六条 违约。违反本合同第三条的，应当赔偿。", CHINESE) == []
    assert _codes("第六条 违约。依据《中华人民共和国民法典》第五百八十五条处理。", CHINESE) == []


def test_few_numbers_prove_nothing() -> None:
    assert codes_of("1. Only. This letter refers to Section 14.2 of nothing else.") == []


def test_an_amendment_speaks_of_another_text() -> None:
    text = "FIRST AMENDMENT TO SUPPLY AGREEMENT\n" + BODY + "6. Change. Section 2.9 is hereby amended."
    assert [code for code in codes_of(text) if code.startswith("reference")] == []


def test_this_section_by_a_wrong_number() -> None:
    (finding,) = findings_of(
        BODY + "6. Liability. Nothing in this Section 7 limits liability.\n7. General. Nothing else."
    )
    assert finding.code == "reference.self"
    assert finding.summary == "Section 6 calls itself “this Section 7”."
    assert _codes("6. Liability. Nothing in this Section 6 limits liability.") == []
    assert _codes("6. Liability. General.\n6.1 Cap. Nothing in this Section 6 limits liability.") == []


def test_the_title_names_another_clause() -> None:
    (finding,) = [
        f for f in findings_of(BODY + "6. Survival. Section 4 (Confidentiality) survives.") if f.code.startswith("ref")
    ]
    assert finding.code == "reference.misdirected"
    assert "Section 5" in finding.summary
    assert len(finding.passages) == 3
    assert _codes("6. Survival. Section 5 (Confidentiality) survives.") == []
    assert _codes("6. Survival. Section 4 (the notices clause) survives.") == []


def test_a_missing_attachment_needs_a_series() -> None:
    attached = "\nExhibit A\nPrices.\nExhibit B\nPlaces."
    assert _codes("6. Exhibits. See Exhibit A and Exhibit C." + attached) == ["reference.attachment"]
    assert _codes("6. Exhibits. See Exhibit A and Exhibit B." + attached) == []
    assert _codes("6. Exhibits. See Exhibit C.") == []


def test_like_references_are_one_finding() -> None:
    (finding,) = [
        f
        for f in findings_of(BODY + "6. Survival. Section 2.7 survives. Section 2.7 stays.")
        if f.code == "reference.dangling"
    ]
    assert len(finding.passages[0].also) == 1


def test_a_contract_that_counts_otherwise_is_one_finding() -> None:
    wrong = "".join(f"{n}. Part {n}. Nothing in this Section {n - 3} applies.\n" for n in range(6, 12))
    findings = [f for f in findings_of(BODY + wrong) if f.code == "reference.self"]
    assert len(findings) == 1
    assert findings[0].summary.startswith("5 clauses call themselves by another number, first Section 6")
    assert len(findings[0].passages[0].also) == 4


def test_many_missing_attachments_are_one_finding() -> None:
    text = "6. Exhibits. See Exhibit C, Exhibit D and again Exhibit C.\n7. Plans. See Exhibit E."
    (found,) = [
        f for f in findings_of(text + "\nExhibit A\nPrices.\nExhibit B\nPlans.\n") if f.code == "reference.attachment"
    ]
    assert [[anchor.value for anchor in passage.anchors] for passage in found.passages] == [
        ["exhibit:C", "exhibit:D"],
        ["exhibit:E"],
    ]
    assert [len(passage.also) for passage in found.passages] == [1, 0]
    assert "3 attachments" in found.summary
    assert "Exhibit C, Exhibit D, Exhibit E" in found.summary
    (chinese,) = [
        f
        for f in findings_of("第一条 附件。见附件三及附件四。\n附件一\n价格。\n附件二\n标准。\n")
        if f.code == "reference.attachment"
    ]
    assert "2个未附的附件：附件三、附件四" in chinese.summary


def test_an_attachment_that_is_said_to_be_attached() -> None:
    one = "\nExhibit A\nPrices."
    assert _codes("6. Exhibits. See Exhibit A, and Exhibit B attached hereto." + one) == ["reference.attachment"]
    # Whether Exhibit B comes in a file of its own nobody can tell.
    assert _codes("6. Exhibits. See Exhibit A and Exhibit B." + one) == []
    assert _codes("6. Exhibits. See Exhibit B attached hereto.") == []


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ("6. Rest. Section 7.1 through Section 7.9 of the Distribution Agreement apply.", []),
        ("6. Rest. Section 7.1, Section 7.3 and Section 7.9 of the Distribution Agreement apply.", []),
        ("6. Rest. Section 2.7 applies, and Section 7.9 of the Distribution Agreement does.", ["reference.dangling"]),
    ],
)
def test_a_list_that_ends_in_another_documents_clause(sentence: str, codes: list[str]) -> None:
    assert _codes(sentence) == codes


def test_a_chinese_list_that_ends_in_another_documents_clause() -> None:
    sentence = "第六条 其他。《供货合同》第十五条至第十九条的约定适用。"
    assert _codes(sentence, CHINESE) == []
