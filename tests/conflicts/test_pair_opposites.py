"""Words that exclude each other, and words brought together by their stems."""

from __future__ import annotations

import pytest

from engine.conflicts.opposites import chinese_opposites, opposites_between, opposites_of
from engine.conflicts.words import features, stem, tokenize


def stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokenize(text))


@pytest.mark.parametrize(
    ("a", "b"), [("include", "excluded"), ("approved", "unapproved"), ("monthly", "quarterly"), ("own", "leased")]
)
def test_opposites(a: str, b: str) -> None:
    assert opposites_between(stems(a), stems(b))
    assert opposites_between(stems(b), stems(a))


def test_parties_are_not_opposites() -> None:
    assert not opposites_between(stems("buyer"), stems("seller"))
    assert stem("seller") not in opposites_of(stem("buyer"))


def test_chinese_opposites() -> None:
    assert chinese_opposites("价格为含税价格", "价格为不含税价格") == [("含税", "不含税")]
    assert chinese_opposites("授予独家许可", "授予非独家许可") == [("独家", "非独家")]
    assert chinese_opposites("授予非独家许可", "授予非独家的许可") == []
    assert chinese_opposites("争议提交仲裁解决", "争议通过诉讼解决") == [("仲裁", "诉讼")]
    assert chinese_opposites("费用包括运费", "费用包括运费") == []


@pytest.mark.parametrize(("a", "b"), [("payment", "pay"), ("delivery", "delivered"), ("supplies", "supply")])
def test_forms_of_a_word_share_a_stem(a: str, b: str) -> None:
    assert stem(a) == stem(b)


def test_spans_of_words() -> None:
    text = "The Buyer's order (No. 7) costs 1,250.50 USD"
    assert [text[t.start : t.end] for t in tokenize(text)] == [
        "The", "Buyer's", "order", "No", "7", "costs", "1,250.50", "USD",
    ]  # fmt: skip
    assert "buyer" in features(tokenize("The Buyer's order"))


def test_chinese_is_counted_in_pairs_of_characters() -> None:
    assert "付款" in features(tokenize("甲方应当付款"))
