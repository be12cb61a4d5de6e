"""Finding words and expressions: spans in code points, in English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.state.text_search import BadExpression, SearchOptions, find_all

PLAIN = SearchOptions()


def quotes(text: str, words: str, options: SearchOptions = PLAIN) -> list[str]:
    return [text[start:end] for start, end in find_all(text, words, options)]


@pytest.mark.parametrize(
    ("text", "words", "options", "expected"),
    [
        ("Fee, fee, coffee", "fee", PLAIN, ["Fee", "fee", "fee"]),
        ("Fee, fee, coffee", "fee", SearchOptions(case=True), ["fee", "fee"]),
        ("Fee, fee, coffee", "fee", SearchOptions(whole_word=True), ["Fee", "fee"]),
        ("each\n invoice", "each invoice", PLAIN, ["each\n invoice"]),
        ("甲方应付款，甲方Buyer付款", "付款", SearchOptions(whole_word=True), ["付款", "付款"]),
        ("甲方Buyer付款", "buyer", SearchOptions(whole_word=True), ["Buyer"]),
        ("a.b axb", "a.b", PLAIN, ["a.b"]),
        ("30 days, 45 days", r"\d+ days", SearchOptions(expression=True), ["30 days", "45 days"]),
        ("三十日内，四十五日内", "[三四]十.?日", SearchOptions(expression=True), ["三十日", "四十五日"]),
        ("one\ntwo", "^t", SearchOptions(expression=True), ["t"]),
        ("cat concat", "cat|dog", SearchOptions(expression=True, whole_word=True), ["cat"]),
        ("aaa", "x*", SearchOptions(expression=True), []),
        ("anything", "   ", PLAIN, []),
        ("anything", "", SearchOptions(expression=True), []),
    ],
)
def test_what_is_found(text: str, words: str, options: SearchOptions, expected: list[str]) -> None:
    assert quotes(text, words, options) == expected


@given(st.lists(st.sampled_from(["a", "😀", "𠮷", "甲", " "])), st.sampled_from(["a", "甲", "😀"]))
def test_an_expression_counts_in_code_points(parts: list[str], wanted: str) -> None:
    text = "".join(parts)
    assert find_all(text, wanted, SearchOptions(expression=True)) == find_all(text, wanted, PLAIN)


def test_an_expression_that_is_none_says_where() -> None:
    with pytest.raises(BadExpression) as caught:
        find_all("text", "ab(", SearchOptions(expression=True))
    assert caught.value.why
    assert caught.value.at == 3


def test_an_expression_without_end_is_given_up() -> None:
    with pytest.raises(BadExpression) as caught:
        find_all("The Buyer shall pay. " * 2000, r"(\w+[\s.]*)+[;!]$", SearchOptions(expression=True))
    assert caught.value.why == ""
