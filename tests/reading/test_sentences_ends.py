from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.reading.sentences import END_THRESHOLD, WEIGHTS, features, probability, split


def cut(text: str) -> list[str]:
    return [text[a:b] for a, b in split(text, 0, len(text))]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Northwind Ltd. UK shall insure the goods.", "Meyer Corp. Far East shall store them."],
        ["The Carrier holds a U.S. Customs bond.", "It also holds a U.K. Customs bond."],
        ["Plot No. 12 and Plot No. 14 stay with the Lessor."],
        ["Copies go to the Fin. & Adm. desk of the Lessee."],
        ["Send the drawings to K. Olsen for comment.", "See Fig. B first."],
        ["The price is $1,250.50 per ton.", "It is fixed."],
        ["This applies e.g. to ships, i.e. vessels over 10 m.", "Boats are excluded."],
        ["The law of the State of New York applies, see Smith v. Jones, 12 F. Supp. 2d 34 (S.D.N.Y. 1999)."],
        ["Notices go to Acme Inc.", "The Buyer pays the postage."],
        ["Delivery is due at 5 p.m. on each Business Day.", "Late goods may be refused."],
        ["Payment follows Exhibit A.", "The parties may amend it."],
        ['He said "stop."', "The work stopped."],
        ["The Tenant (who has been advised by Dr. Weiss et al. on this) agrees.", "So does the Landlord."],
        ["Is the notice valid?", "It is!", "Then the term ends."],
        ["甲方应于十日内付款。", "乙方收款后发货；逾期的，每日支付违约金。"],
        ["本合同自签字之日起生效！", "双方各执一份？", "是。"],
        ["甲方称：“货物已交付。”", "乙方不同意。"],
        ["租金为每月1.5万元。", "押金另计。"],
        ["See Art. 5, para. 2 and Sec. 7 of the Act.", "They prevail."],
        ["The rights under Cal. Civ. Code § 1798.100 et seq. (“CCPA”) remain.", "See Treas. Reg. § 1.409A-1."],
        ["The Agent acts for Meyer GmbH & Co. KG in Bonn.", "Meyer GmbH & Co. KG pays."],
    ],
)
def test_sentences_end_where_they_end(sentences: list[str]) -> None:
    joint = "" if sentences[0][0] > "\u3000" else " "
    assert cut(joint.join(sentences)) == sentences


def test_both_semicolons_are_treated_alike() -> None:
    assert len(cut("甲方付款;乙方发货；丙方担保。")) == 1


def test_stray_marks_are_no_sentences() -> None:
    assert cut("Paid. *** The rest follows. ____") == ["Paid.", "*** The rest follows. ____"]
    assert cut("***") == []


def test_every_feature_has_a_weight() -> None:
    text = 'It (the "A. B. Co.") pays 5. No. 7! … see U.S. law? 甲。Yes… (x'
    for at, character in enumerate(text):
        if character in ".!?…。":
            for name in features(text, 0, at, at + 1, len(text)):
                assert name in WEIGHTS


def test_the_threshold_is_of_the_probability() -> None:
    assert probability(["full_stop", "next_upper", "next_opener_word", "before_common_word"]) >= END_THRESHOLD
    assert probability(["full_stop", "next_lower", "before_common_word"]) < END_THRESHOLD
    assert probability([]) == pytest.approx(0.5)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='aB1. ;!?"“”()。；甲\n', max_size=120), st.data())
def test_spans_are_in_order_and_lose_no_word(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = split(text, start, end)
    at = start
    for a, b in spans:
        assert at <= a < b <= end
        assert not any(character.isalnum() for character in text[at:a])
        at = b
    assert not any(character.isalnum() for character in text[at:end])
    assert spans == split(text, start, end)
