"""A finding's passages as marks on the pages."""

from __future__ import annotations

from engine.matter.records import DecisionState
from engine.protocol.findings import Finding
from gui.pages.marks import Mark
from gui.right.emphasis import Weight, emphasise_anchors
from gui.state.finding_row import FindingRow
from gui.theme import Layer


def finding_marks(row: FindingRow, document: str) -> list[Mark]:
    """The passages that lie in ``document``, their clashing words emphasised."""
    finding = row.finding
    if all(passage.document != document for passage in finding.passages):
        return []
    stretches = emphasise_anchors(finding)
    return [
        Mark(
            finding.id,
            Layer.REVIEWED if row.verdict is DecisionState.DISMISSED else Layer.CONFLICT,
            passage.start,
            passage.end,
            tuple((passage.start + s.start, passage.start + s.end) for s in words if s.weight is Weight.CLASH),
            finding.summary,
        )
        for passage, words in zip(finding.passages, stretches, strict=True)
        if passage.document == document
    ]


def common_marks(finding: Finding, document: str) -> list[Mark]:
    """The values on which the passages of a chosen finding agree."""
    return [
        Mark(finding.id, Layer.ANCHOR, passage.start + s.start, passage.start + s.end)
        for passage, words in zip(finding.passages, emphasise_anchors(finding), strict=True)
        for s in words
        if passage.document == document and s.weight is Weight.SAME
    ]
