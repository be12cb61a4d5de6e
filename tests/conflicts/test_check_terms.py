from __future__ import annotations

import pytest
from check_document import codes_of, findings_of


def _terms(text: str) -> list[str]:
    return [code for code in codes_of(text) if code.startswith("term")]


def test_two_definitions() -> None:
    text = """1. Definitions. Words.
1.1 "Materials" means all recordings of the Information that are kept on paper.
1.2 "Goods" means what is sold. Materials and Goods are sold.
1.3 "Materials" means the forms, programs and manuals of the Company."""
    (finding,) = findings_of(text)
    assert finding.code == "term.duplicate"
    assert "in Section 1.1 and in Section 1.3" in finding.summary


def test_definitions_for_their_own_clause_only() -> None:
    text = """8.12 Debt. "Material" means more than $10,000 in amount, as used in this Section.
9.7 Suits. "Material" means more than $25,000 in amount, as used in this Section."""
    assert _terms(text) == []


def test_a_term_said_to_be_defined_where_it_is_not() -> None:
    text = """1. Definitions. Words.
1.1 "Third Party Claim" has the meaning set forth in Section 2.1.
2. Indemnity. Words.
2.1 Losses. The Seller pays all losses.
3. Third Party Claims. A Third Party Claim is notified at once."""
    assert _terms(text) == ["term.undefined"]
    assert _terms(text.replace("all losses", "each third party's claims")) == []


def test_unused() -> None:
    text = """1. Definitions. Words.
1.1 "Carrier" means the person who carries the goods.
1.2 "Goods" means the things that are sold by the Seller.
1.3 "High Risk Activity" means an activity that can cause death.
2. Duty. The Goods are sold. High Risk Activities are excluded."""
    (finding,) = findings_of(text)
    assert finding.code == "term.unused"
    assert "“Carrier”" in finding.summary


def test_drift() -> None:
    assert _terms("“例外与限制”指本条所列各项内容。第二条 范围。例外和限制不适用于甲方。") == ["term.drift"]
    assert _terms('"Post-Closing Period" means the year after. The Post Closing Period is a year.') == ["term.drift"]


@pytest.mark.parametrize("struck", ["[***]", "[redacted]"])
def test_what_was_struck_out_may_define_or_use_a_term(struck: str) -> None:
    text = (
        "1. “Change Plan” has the meaning set forth in Section 4.\n"
        "2. “Goods” means the goods listed in the order.\n"
        "3. “Depot” means the warehouse of the Seller in Leeds.\n"
        "4. The Seller keeps the Goods in order. {}\n"
    )
    told = {f.code for f in findings_of(text.format(""))}
    assert {"term.undefined", "term.unused"} <= told
    assert not {"term.undefined", "term.unused"} & {f.code for f in findings_of(text.format(struck))}


def test_a_term_that_is_used_by_its_initials_is_used() -> None:
    text = (
        "1. “Goods” means the goods listed in the order.\n"
        "2. “Depot” means the warehouse of the Seller in Leeds.\n"
        "3. “Maximum Daily Quantity” means the quantity of Goods delivered in a day (MDQ).\n"
        "4. The Seller keeps the Goods at the Depot{}.\n"
    )
    assert "term.unused" in codes_of(text.format(""))
    assert "term.unused" not in codes_of(text.format(", up to the MDQ"))
