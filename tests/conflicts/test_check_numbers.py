from __future__ import annotations

from check_document import codes_of, findings_of
from hypothesis import given
from hypothesis import strategies as st

from engine.conflicts.checks.numbering import path_of_label, roman_value, write_roman

LINES = [f"{n}. Part {chr(64 + n)}. Words of part {n}." for n in range(1, 8)]


def _dotted(*numbers: str) -> str:
    return "\n".join(
        ["1. Scope. Words.", "2. Supply. Words."]
        + [f"{n} Heading {chr(65 + i)}. Some words." for i, n in enumerate(numbers)]
    )


def test_a_gap() -> None:
    (finding,) = findings_of(_dotted("2.1", "2.2", "2.3", "2.5", "2.6"))
    assert finding.code == "number.gap"
    assert finding.summary == "Section 2.3 is followed by Section 2.5; 2.4 is missing."
    assert len(finding.passages) == 2


def test_a_gap_in_chinese_articles() -> None:
    text = "\n".join(f"第{n}条 标题{n}。内容。" for n in ("一", "二", "三", "五", "六"))
    (finding,) = findings_of(text)
    assert finding.code == "number.gap"
    assert "第四条" in finding.summary


def test_a_number_that_only_the_tree_missed_is_no_gap() -> None:
    text = _dotted("2.1", "2.2", "2.3").replace(
        "2.3 Heading C. Some words.", "2.3 Heading C. Some words. 2.4 Lost. More words."
    )
    assert codes_of(text + "\n2.5 Heading D. Words.\n2.6 Heading E. Words.") == []


def test_a_duplicate() -> None:
    (finding,) = findings_of(_dotted("2.1", "2.2", "2.3", "2.3"))
    assert finding.code == "number.duplicate"
    assert "“Heading C” and “Heading D”" in finding.summary
    assert codes_of(_dotted("2.1", "2.2", "2.1")) == ["number.duplicate"]


def test_plain_lists_may_start_again() -> None:
    assert (
        codes_of("1. One thing. Words.\n2. Two things. Words.\n3. More. Words.\n1. Again. Words.\n2. And again. Words.")
        == []
    )


def test_a_reference_cut_by_a_line_is_no_second_clause() -> None:
    assert (
        codes_of(
            _dotted("2.1", "2.2", "2.3")
            + "\n2.4 Court. As provided in Section\n2.1 Nothing in this contract prevents it."
        )
        == []
    )


def test_another_articles_number() -> None:
    text = (
        "3. Terms. Words.\n3.1 First. Words.\n4. Accounts. Words.\n1.1 Registration. Words.\n4.2 Verification. "
        "Words.\n4.3 Use. Words."
    )
    findings = [f for f in findings_of(text) if f.code == "number.order"]
    assert [f.summary for f in findings] == ["1.1 stands under Section 4, where 4.1 should be."]


def test_a_clean_contract() -> None:
    assert codes_of("\n".join(LINES)) == []


@given(st.integers(1, 399))
def test_roman_numerals_round_trip(number: int) -> None:
    assert roman_value(write_roman(number)) == number


def test_the_parts_of_a_reference() -> None:
    assert path_of_label("12.4(c)(3)") == (("12", "4"), ("c", "3"))
    assert path_of_label("10.3e") == (("10", "3"), ("e",))
    assert path_of_label("IV") == (("4",), ())
    assert path_of_label("7.0") == (("7",), ())
    assert path_of_label("(b)") == ((), ("b",))


def test_articles_printed_with_a_zero() -> None:
    text = "7.0 Price. Words.\n8.0 Term. Words.\n9.0 Place. Words.\n11.0 Law. Words.\n12.0 Notices. Words."
    assert [f.summary for f in findings_of(text.replace(".0 ", ". "))] == []
    assert codes_of(text) == ["number.gap"]


def test_two_articles_changed_places() -> None:
    names = ("一", "二", "三", "四", "六", "五", "六", "七")
    text = "\n".join(f"第{n}条 标题{i}。内容各不相同。" for i, n in enumerate(names))
    assert codes_of(text) == ["number.duplicate"]


def test_a_second_counting_is_no_duplicate() -> None:
    assert codes_of(_dotted("2.1", "2.2", "2.3", "2.1", "2.2", "2.3")) == []
