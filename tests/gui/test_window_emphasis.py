"""Which words of two passages are emphasised."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from window_bench import finding, sample_document

from engine.protocol.findings import AnchorMark, Finding, Passage, Severity
from gui.right.emphasis import Stretch, Weight, emphasise

texts = st.text(alphabet="ab 30日内，付款.\U0001f600\n", max_size=40)


def between(first: str, second: str, *anchors: tuple[AnchorMark, ...]) -> Finding:
    passages = tuple(
        Passage("sha256:0", "", "", 0, 10, 10 + len(text), text, marks)
        for text, marks in zip((first, second), anchors or ((), ()), strict=True)
    )
    return Finding("f-0", "norm.modality", 1, 0.5, Severity.LOW, "", (), passages)


def words(text: str, stretches: list[Stretch]) -> list[str]:
    return [text[stretch.start : stretch.end] for stretch in stretches]


def test_different_values_clash() -> None:
    found = finding(sample_document(), 1, 0, 2)
    left, right = emphasise(found)
    assert words(found.passages[0].text, left) == ["30 days"]
    assert words(found.passages[1].text, right) == ["45 days"]
    assert left[0].weight is Weight.CLASH


def test_equal_values_are_marked_as_equal_and_words_compared() -> None:
    first, second = "pay within 30 days", "not pay in 30 days"
    left, right = emphasise(
        between(first, second, (AnchorMark("period", "P30D", 21, 28),), (AnchorMark("period", "P30D", 21, 28),))
    )
    assert words(first, left) == ["within"]
    assert words(second, right) == ["not", "in"]


def test_chinese_is_compared_by_characters() -> None:
    first, second = "乙方应当按时付款", "乙方不得按时付款"
    left, right = emphasise(between(first, second))
    assert words(first, left) == ["应当"]
    assert words(second, right) == ["不得"]


def test_passages_about_different_things_show_no_differences() -> None:
    assert emphasise(between("The law of England applies.", "付款期限为三十日。")) == [[], []]


def test_anchors_outside_their_passage_are_left_out() -> None:
    left, _ = emphasise(between("short", "shore", (AnchorMark("period", "P1D", 3, 400),), ()))
    assert all(stretch.end <= 5 for stretch in left)


@given(texts, texts, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from("AB")), max_size=4))
def test_stretches_lie_in_their_passage_in_order(first: str, second: str, marks: list[tuple[int, int, str]]) -> None:
    anchors = tuple(AnchorMark("period", value, start, end) for start, end, value in marks)
    for text, stretches in zip((first, second), emphasise(between(first, second, anchors, anchors)), strict=True):
        end = 0
        for stretch in stretches:
            assert end <= stretch.start < stretch.end <= len(text)
            end = stretch.end
