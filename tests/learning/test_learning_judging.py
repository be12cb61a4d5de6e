"""Before and after as a person sees them: measures against hand-made lists, matching, spread, advice."""

from __future__ import annotations

import math

import pytest

from engine.learning.judging import Seen, answers, figures, helps, seen
from engine.protocol.findings import Finding, Passage, Severity
from engine.protocol.learning import Figure, PairLabel, Place


def finding(first: int, second: int, score: float = 0.5, tier: str = "check", document: str = "d") -> Finding:
    passages = tuple(Passage(document, "", "", 0, at, at + 10, "x" * 10) for at in (first, second))
    return Finding("f", "norm.modality", 1, score, Severity.LOW, "", (), passages, tier=tier)


def label(first: int, second: int, is_conflict: bool = True) -> PairLabel:
    code = "norm.modality" if is_conflict else "not.misread"
    return PairLabel((Place("d", first, first + 10), Place("d", second, second + 10)), is_conflict, code)


def test_average_precision_counts_judged_findings_only() -> None:
    found = [finding(0, 20), finding(900, 920), finding(40, 60), finding(80, 100)]
    labels = [label(0, 20), label(40, 60, is_conflict=False), label(80, 100)]
    # The second finding is judged by nobody: precision 1/1 at the first conflict, 2/3 at the second.
    assert seen(found, labels).average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_a_conflict_that_is_not_found_counts_as_missed() -> None:
    assert seen([finding(0, 20)], [label(0, 20), label(300, 400)]).average_precision == pytest.approx(0.5)
    assert seen([], [label(0, 20)]).recall == 0


def test_recall_looks_at_the_first_ten_of_all_findings() -> None:
    others = [finding(1000 + 50 * i, 1020 + 50 * i) for i in range(10)]
    assert seen([*others, finding(0, 20)], [label(0, 20)]).recall == 0
    assert seen([*others[:9], finding(0, 20)], [label(0, 20)]).recall == 1


def test_shown_are_likely_findings_with_a_label() -> None:
    found = [finding(0, 20, 0.1, "conflict"), finding(40, 60, 0.4), finding(80, 100, 0.1)]
    labels = [label(0, 20), label(40, 60, is_conflict=False), label(80, 100, is_conflict=False)]
    result = seen(found, labels)
    assert (result.conflicts_shown, result.false_alarms_shown) == (1, 1)


def test_without_conflicts_there_is_no_average() -> None:
    result = seen([finding(0, 20)], [label(0, 20, is_conflict=False)])
    assert math.isnan(result.average_precision)
    assert math.isnan(result.recall)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(0, 20, True), (20, 0, True), (4, 24, True), (6, 20, False), (0, 500, False), (0, 0, False)],
)
def test_a_finding_answers_a_label_when_half_of_both_passages_agree(first: int, second: int, expected: bool) -> None:
    assert answers(finding(first, second), label(0, 20)) is expected


def test_one_passage_over_both_ends_is_no_answer() -> None:
    wide = Finding("f", "x", 1, 0.5, Severity.LOW, "", (), (Passage("d", "", "", 0, 0, 30, "x" * 30),))
    assert not answers(wide, label(0, 20))
    assert not answers(finding(0, 20, document="other"), label(0, 20))


def test_figures_hold_their_difference_and_leave_out_contracts_without_conflicts() -> None:
    before = [Seen(0.2, 0.5, 1, 4), Seen(float("nan"), float("nan"), 0, 2), Seen(0.4, 0.5, 2, 2)]
    after = [Seen(0.6, 0.5, 2, 1), Seen(float("nan"), float("nan"), 0, 1), Seen(0.6, 1.0, 2, 2)]
    by_name = {figure.name: figure for figure in figures(before, after, 0)}
    order = by_name["average_precision"]
    assert (order.before, order.after) == (pytest.approx(0.3), pytest.approx(0.6))
    assert 0.0 <= order.low <= 0.3 <= order.high <= 0.4
    assert by_name["false_alarms_shown"].before == 8
    assert by_name["false_alarms_shown"].after == 4
    assert figures(before, after, 0) == figures(before, after, 0)


def test_nothing_moved_is_no_help() -> None:
    same = [Seen(0.2, 0.5, 1, 4), Seen(0.4, 0.5, 2, 2)]
    assert not helps(figures(same, same, 0))


@pytest.mark.parametrize(
    ("order", "recall", "expected"),
    [((0.4, 0.5, 0.02, 0.2), (0.5, 0.5, -0.1, 0.1), True), ((0.4, 0.5, -0.01, 0.2), (0.5, 0.5, 0, 0), False),
     ((0.4, 0.5, 0.02, 0.2), (0.5, 0.3, -0.3, -0.1), False)],
)  # fmt: skip
def test_it_helps_only_beyond_the_spread_and_without_loss(
    order: tuple[float, ...], recall: tuple[float, ...], expected: bool
) -> None:
    assert helps((Figure("average_precision", *order), Figure("recall_10", *recall))) is expected
