"""Words for the lexical index: lower case and pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.words import index_words


def test_common_words_are_left_out_and_numbers_kept():
    assert index_words("What is the price under Section 4.2?") == ["price", "section", "4.2"]


def test_chinese_is_pairs():
    assert index_words("逾期付款") == ["逾期", "期付", "付款"]
    assert "违约" in index_words("违约金是多少？")
    assert index_words("的") == ["的"]


@given(st.text())
def test_any_text(text):
    words = index_words(text)
    assert all(word and " " not in word and '"' not in word for word in words)
    assert index_words(" ".join(words)) or not words
