"""A finding's passages as marks on the pages."""

from __future__ import annotations

from engine.matter.records import DecisionState
from engine.protocol.findings import Finding
from gui.pages.marks import Mark
from gui.right.emphasis import Weight, emphasise_anchors
from gui.state.finding_row import FindingRow
from gui.theme import Layer


class FindingMarks:
    """Makes the marks of findings once each: thousands of them are put on the pages anew with every filter."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, Layer], tuple[Finding, list[Mark]]] = {}

    def of(self, row: FindingRow, document: str) -> list[Mark]:
        """The passages that lie in ``document``, their clashing words emphasised."""
        layer = Layer.REVIEWED if row.verdict is DecisionState.DISMISSED else Layer.CONFLICT
        known = self._made.get((row.finding.id, document, layer))
        if known is None or known[0] is not row.finding:
            known = (row.finding, _marks(row.finding, document, layer))
            self._made[row.finding.id, document, layer] = known
        return known[1]

    def forget(self) -> None:
        """Other findings have come."""
        self._made.clear()


def _marks(finding: Finding, document: str, layer: Layer) -> list[Mark]:
    if all(passage.document != document for passage in finding.passages):
        return []
    return [
        Mark(
            finding.id, layer, passage.start, passage.end,
            tuple((passage.start + s.start, passage.start + s.end) for s in words if s.weight is Weight.CLASH),
            finding.summary,
        )
        for passage, words in zip(finding.passages, emphasise_anchors(finding), strict=True)
        if passage.document == document
    ]  # fmt: skip


def common_marks(finding: Finding, document: str) -> list[Mark]:
    """The values on which the passages of a chosen finding agree."""
    return [
        Mark(finding.id, Layer.ANCHOR, passage.start + s.start, passage.start + s.end)
        for passage, words in zip(finding.passages, emphasise_anchors(finding), strict=True)
        for s in words
        if passage.document == document and s.weight is Weight.SAME
    ]
