from __future__ import annotations

import msgspec
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.document import Clause, ClauseKind

OPENING = (
    "This Agreement is made between Northmere Thermal Systems Limited (the “Supplier”) and Calloway Biologics, Inc. "
    "(the “Customer”).\nSection 1 Supply. The Supplier supplies.\n"
)


def _names(signatures: str, opening: str = OPENING) -> list[str]:
    document = document_of(opening + signatures)
    start, end = len(opening), len(opening) + len(signatures)
    sign = Clause("s", "", (), "", "", 0, ClauseKind.SIGNATURE, start, end, start, "", 0, "und")
    document = msgspec.structs.replace(document, clauses=(*document.clauses, sign))
    return [f.summary for f in run_checks(document, extract_anchors(document)) if f.code == "party.name"]


def test_a_party_signs_under_another_name() -> None:
    (summary,) = _names("For the Supplier\nNorthmere Thermal Solutions Limited\nName: A. Bell\nBuyer, Inc.")
    assert "“Northmere Thermal Solutions Limited”" in summary


def test_an_affiliate_signs_beside_the_party() -> None:
    assert _names("Northmere Thermal Systems Limited\nNorthmere Thermal Holdings Limited\nBuyer, Inc.") == []


def test_another_company_signs() -> None:
    assert _names("Harbour Thermal Systems Limited\nCalloway Biologics, Inc.") == []
