from __future__ import annotations

import msgspec
import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.document import Clause, ClauseKind
from engine.protocol.findings import Finding


def _findings(rows: list[str], heading: str = "Schedule 1") -> list[Finding]:
    """The findings on a table: each row's cells stand one a line."""
    document = document_of(heading + "\n" + "\n".join(rows))
    at, clauses = len(heading) + 1, list(document.clauses)
    for i, row in enumerate(rows):
        span = (at, at + len(row))
        clauses.append(Clause(f"r{i}", "", (), "", "", 1, ClauseKind.TABLE_ROW, *span, span[1], "c0", 0, "und"))
        at += len(row) + 1
    document = msgspec.structs.replace(document, clauses=tuple(clauses))
    return [f for f in run_checks(document, extract_anchors(document)) if f.code == "value.arithmetic"]


ENGLISH = ["Item\nQuantity\nAmount (USD)", "Freezer\n20\n290,000", "Shelf\n12\n219,000", "Total\n519,000"]
CHINESE = ["名称\n数量\n金额（元）", "冰箱\n20\n86,000元", "货架\n12\n1,000.50元", "合计\n88,000.50元"]


def test_a_total_that_its_rows_miss() -> None:
    (finding,) = _findings(ENGLISH)
    assert finding.summary == "The table in Schedule 1 gives a total of 519,000, but its rows come to 509,000."
    (finding,) = _findings(CHINESE, "附件一")
    assert finding.summary == "附件一的表格合计为88,000.50，但各行相加为87,000.50。"
    assert finding.passages[0].text


@pytest.mark.parametrize(
    "rows",
    [
        [*ENGLISH[:3], "Total\n509,000"],
        [*CHINESE[:3], "合计\n87,000.50元"],
        # A row with an empty cell: its last number may belong to another column.
        [*ENGLISH[:2], "Shelf\n219,000", ENGLISH[3]],
        # One row alone is no sum, and a subtotal is no part.
        [ENGLISH[0], ENGLISH[1], "Total\n519,000"],
        [ENGLISH[0], "Freezer\n20\non request", "Shelf\n12\n219,000", "Total\n519,000"],
        # Far off: the rows give other things.
        [*ENGLISH[:3], "Total\n5,190,000"],
    ],
)
def test_tables_that_say_nothing(rows: list[str]) -> None:
    assert _findings(rows) == []
