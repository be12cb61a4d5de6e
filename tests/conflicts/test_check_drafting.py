from __future__ import annotations

import pytest
from check_document import codes_of, findings_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The Buyer shall pay within ____ days.", "draft.blank"),
        ("The Fee is $[●] a month and more.", "draft.blank"),
        ("甲方应当在____日内付款。", "draft.blank"),
        ("The Buyer is [Company Name], a corporation.", "draft.bracket"),
        ("The term is [thirty-six] months.", "draft.bracket"),
        ("产品为【产品名称】，详见清单。", "draft.bracket"),
        ("[Note to Draft: check with tax.] The fee is fixed.", "draft.note"),
        ("The delivery place is TBD at signing.", "draft.note"),
        ("付款方式待补充，双方另行约定。", "draft.note"),
        ("争议按下列第＿＿种方式解决：（1）仲裁；（2）诉讼。", "draft.option"),
        ("租金支付方式：□ 月付 □ 季付。", "draft.option"),
    ],
)
def test_what_was_left_in(text: str, code: str) -> None:
    assert code in codes_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "The price is [***] per unit.",
        "5. [Reserved]",
        "[Signature page follows]",
        "By: ____________________",
        "By: Beverly A. Palmer______ Vice President",
        "for the company by its authorised Officer: ______________________",
        "14. Whole.\n__________________________________________________ In signing, the Customer relies on this.",
        "Damages under Section 5.2 [Annual Fees] are capped.",
        "The compound is (1S)-3-[7-amino]-5-ol.",
        "The fee is NTD 12 million in total.",
        "租金支付方式：☑ 月付 □ 季付。",
        (
            "A sum of 5 [see note 3] is due under the first long clause [that the parties wrote with many words inside "
            "on purpose]."
        ),
    ],
)
def test_what_belongs_there(text: str) -> None:
    assert [code for code in codes_of(text) if code.startswith("draft")] == []


def test_one_finding_a_document() -> None:
    (finding,) = findings_of(
        "1. Fee. The fee is ____ euros.\n2. Term. The term is ____ years.\n3. Place. It is ____ city."
    )
    assert finding.summary.startswith("3 places are still to be filled in, first in Section 1")
    assert len(finding.passages) == 3


def test_words_crossed_out_for_a_filing_are_no_notes() -> None:
    few = "1. Fee. The fee is XXXX euros."
    assert codes_of(few) == ["draft.note"]
    many = "".join(f"{i}. Fee. The fee for year {i} is XXXX euros.\n" for i in range(1, 9))
    assert "draft.note" not in codes_of(many)


def test_blanks_of_an_attached_form_weigh_less_than_those_of_the_body() -> None:
    blank = "The Buyer shall pay within ____ days.\n"
    attached = f"1. The Seller shall deliver the goods.\nExhibit A\n{blank}"
    body = f"1. {blank}Exhibit A\nThe goods are listed here.\n"
    scores = [next(f.score for f in findings_of(text) if f.code == "draft.blank") for text in (attached, body)]
    assert scores[0] < 0.3 < scores[1]
