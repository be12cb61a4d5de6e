"""Properties that hold for any text: exact spans, round trips, work that grows no faster than the text."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from decimal import Decimal
from re import _constants, _parser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.anchors
from engine.anchors.chinese_numerals import chinese_value, write_chinese
from engine.anchors.extract import extract_from_text
from engine.anchors.normal import normalise
from engine.anchors.number_words import number_words, write_number

_PIECES = st.sampled_from(
    [
        "thirty",
        " (30)",
        " days",
        "$1,000",
        "5%",
        "Section 4.2(c)",
        " of the ",
        "第三条",
        "人民币壹佰元整",
        "（¥100）",
        "2025年",
        "３０日",
        "㎏",
        "½",
        "\n",
        "“Buyer”",
        " means ",
        "shall not ",
        "和",
        "__",
        "(",
        ")",
        "𝟙",
        "👩‍👩‍👧 ",
    ]
)
_TEXTS = st.one_of(st.lists(_PIECES, max_size=25).map("".join), st.text(max_size=120))


@given(_TEXTS)
@settings(max_examples=150, deadline=None)
def test_spans_lie_in_the_text_and_come_in_order(text: str) -> None:
    anchors = extract_from_text(text)
    assert all(0 <= a.start < a.end <= len(text) for a in anchors)
    assert [a.start for a in anchors] == sorted(a.start for a in anchors)
    assert all(0 <= a.confidence <= 1 for a in anchors)


@given(st.text(alphabet=st.sampled_from("ab１２㎏½ﬀ（）元 𝟙…"), max_size=40))
def test_the_way_back_from_the_folded_text(text: str) -> None:
    normal = normalise(text)
    for i in range(len(normal.text)):
        start, end = normal.span(i, i + 1)
        assert end == start + 1
        assert normalise(text[start:end]).text.find(normal.text[i]) >= 0


@given(_TEXTS, st.sampled_from(["㎏", "½", "👩‍👩‍👧", "ﬀ", "１２"]))
@settings(max_examples=80, deadline=None)
def test_quotes_do_not_move_with_what_stands_before(text: str, before: str) -> None:
    sentence = "\n\nThe Buyer shall pay within thirty (45) days.\n\n"
    whole = before + text + sentence
    quotes = [whole[a.start : a.end] for a in extract_from_text(whole)]
    assert "thirty (45) days" in quotes


@given(st.integers(0, 10**15 - 1))
def test_english_numbers_round_trip(number: int) -> None:
    words = write_number(number)
    assert [n.value for n in number_words(words)] == [number]
    assert [n.value for n in number_words(words.upper())] == [number]


@given(st.integers(0, 10**12 - 1), st.booleans())
def test_chinese_numbers_round_trip(number: int, capital: bool) -> None:
    assert chinese_value(write_chinese(number, capital)) == number


@given(st.integers(1, 10**11))
def test_amounts_round_trip(number: int) -> None:
    for text, value in (
        (f"{write_number(number)} dollars (${number:,}.00)", f"USD {number}"),
        (f"人民币{write_chinese(number, capital=True)}元整（¥{number:,}）", f"CNY {number}"),
    ):
        (anchor,) = extract_from_text(text)
        assert anchor.value == value
        assert anchor.detail["agree"] == "yes"
        assert (anchor.start, anchor.end) == (0, len(text))


@given(st.integers(1, 9999), st.integers(1, 9999))
def test_a_clash_is_told_from_agreement(words: int, figures: int) -> None:
    (anchor,) = extract_from_text(f"{write_number(words)} ({figures}) Business Days")
    assert anchor.value == f"P{words}BD"
    assert (anchor.detail["agree"] == "yes") == (words == figures)


@pytest.mark.parametrize(
    ("text", "value"), [("拾", 10), ("三百五", 350), ("一亿零三万", 100030000), ("17万5", 175000), ("二〇二五", 2025)]
)
def test_chinese_short_forms(text: str, value: int) -> None:
    assert chinese_value(text) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("thirty and six", [30, 6]),
        ("one twelve", [1, 12]),
        ("one hundred, two hundred", [100, 200]),
        ("two hundred, twenty-five thousand", [225000]),
        ("ONE MILLION SEVEN THOUSAND AND NO/100", [1007000]),
        ("nineteen hundred", [1900]),
        ("one third party", [1, 3]),
    ],
)
def test_where_number_words_are_cut(text: str, values: list[int]) -> None:
    assert [n.value for n in number_words(text)] == values


# --- linear work ----------------------------------------------------------------------------------


def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    found = []
    for module in pkgutil.iter_modules(engine.anchors.__path__):
        loaded = importlib.import_module(f"engine.anchors.{module.name}")
        for name, value in vars(loaded).items():
            if isinstance(value, re.Pattern):
                found.append((f"{module.name}.{name}", value))
    return found


def _largest_repeat(tree: Any) -> int:
    """The most characters that one attempt can take in its repeats; sys.maxsize when one has no limit."""
    worst = 1
    for operator, argument in tree:
        if operator in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            _, high, inner = argument
            if high is _constants.MAXREPEAT:
                return sys.maxsize
            worst = max(worst, int(high) * _largest_repeat(inner))
        elif operator is _constants.SUBPATTERN:
            worst = max(worst, _largest_repeat(argument[3]))
        elif operator is _constants.BRANCH:
            worst = max([worst, *(_largest_repeat(branch) for branch in argument[1])])
        elif operator in (_constants.ASSERT, _constants.ASSERT_NOT):
            worst = max(worst, _largest_repeat(argument[1]))
    return worst


def test_no_pattern_can_run_away() -> None:
    """Every repeat has a limit, so a match costs no more than a constant at each place of the text."""
    unbounded = [
        name for name, pattern in _patterns() if _largest_repeat(_parser.parse(pattern.pattern, pattern.flags)) > 10**5
    ]
    assert len(_patterns()) > 60
    assert unbounded == []


def _steps(text: str) -> int:
    """Lines of our own code that run on ``text``."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if "anchors" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        extract_from_text(text)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "9",
        "(",
        "Section 4.2(c), ",
        "thirty (45) days ",
        "一",
        "第三条",
        "“A” means ",
        "$1,",
        "one hundred, ",
        "may ",
        "a",
        "January 1, ",
        "《",
        "\n",
        "Acme Inc. ",
    ],
)
def test_twice_the_text_is_twice_the_work(unit: str) -> None:
    small, large = unit * (6000 // len(unit)), unit * (12000 // len(unit))
    assert _steps(large) <= 2.4 * _steps(small) + 2000
