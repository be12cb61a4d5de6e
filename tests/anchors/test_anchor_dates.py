from __future__ import annotations

import pytest

from engine.anchors.extract import extract_from_text
from engine.anchors.model import AnchorKind


def _dates(text: str) -> list[str]:
    return [a.value for a in extract_from_text(text) if a.kind is AnchorKind.DATE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dated as of March 4, 2019", ["2019-03-04"]),
        ("on 4 March 2019", ["2019-03-04"]),
        ("this 28th day of January, 2000", ["2000-01-28"]),
        ("the first day of May, 2021", ["2021-05-01"]),
        ("the 2nd day of March, 20__", ["20XX-03-02"]),
        ("this ____ day of June, 2014", ["2014-06-XX"]),
        ("Agreement, May 2021.\n\n33110 Winter Road", ["2021-05"]),
        ("Item 14 27 October 2015", ["2015-10-27"]),
        ("2.1 The Goods may be described in Exhibit 2.", []),
        ("Lender may cure all defaults under paragraph 23.", []),
        ("information from page 3 of 14", []),
        ("before the thirtieth day of the month", []),
        ("03/04/2025", ["2025-04-03|2025-03-04"]),
        ("25/04/2025 or 04/25/2025", ["2025-04-25", "2025-04-25"]),
        ("2024-02-29 and 2023-02-29", ["2024-02-29"]),
        ("Monday, March 4, 2025", ["2025-03-04"]),
        ("签订日期20240917", ["2024-09-17"]),
        ("合同编号20240917", []),
        ("应于2026年内完成", ["2026-01-01/2026-12-31"]),
        ("2025年3月4日；二〇二五年三月四日；２０２５年３月", ["2025-03-04", "2025-03-04", "2025-03"]),
        ("20__年__月__日", ["20XX-XX-XX"]),
        ("每月15日前", []),
        ("12月31日", ["XXXX-12-31"]),
    ],
)
def test_dates(text: str, expected: list[str]) -> None:
    assert _dates(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the thirty-first day of the month", "R/P1M/31"),
        ("the tenth (10th) business day of each calendar month", "R/P1M/10BD"),
        ("每月15日前支付", "R/P1M/15"),
        ("每季度5号", "R/P3M/5"),
    ],
)
def test_days_that_come_back(text: str, value: str) -> None:
    assert [a.value for a in extract_from_text(text) if a.kind is AnchorKind.RATE] == [value]


def test_an_ambiguous_date_is_kept_with_little_confidence() -> None:
    (anchor,) = [a for a in extract_from_text("by 03/04/2025") if a.kind is AnchorKind.DATE]
    assert anchor.confidence <= 0.5


def test_a_day_that_no_calendar_has_is_told() -> None:
    (anchor,) = [a for a in extract_from_text("on February 30, 2025") if a.kind is AnchorKind.DATE]
    assert anchor.detail["invalid"] == "yes"
