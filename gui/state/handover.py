"""What is handed over about the findings, in the window's language: marks for a copy, and the report."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from engine import APP_VERSION
from engine.document import Document, quads
from engine.matter.records import DecisionState
from engine.protocol.findings import Passage
from engine.protocol.handover import Mark, MarkedPassage, Report, ReportFinding
from engine.protocol.messages import EngineStatus
from gui.state.desk import Desk
from gui.state.finding_row import FindingRow
from gui.state.opening import DeskDocument
from gui.state.wording import (
    code_words,
    page_words,
    reason_words,
    severity_words,
    state_words,
    tier_words,
    verdict_words,
)

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
#: What was dismissed is no part of a marked copy; what nobody decided is.
MARKED = frozenset({DecisionState.OPEN, DecisionState.CONFIRMED, DecisionState.FLAGGED})


class Handover(QObject):
    """Makes marks and reports out of the inbox's rows."""

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk

    def marks(self, rows: Sequence[FindingRow], document: Document) -> tuple[Mark, ...]:
        """Marks for a copy of ``document``: the findings that touch it, but for the dismissed and the gone."""
        return tuple(
            Mark(
                row.id, self._heading(row), self._body(row), self._passages(row, number, document),
                quiet=row.verdict is DecisionState.OPEN and row.finding.tier == "check",
            )
            for number, row in enumerate(_kept(rows), 1)
            if row.verdict in MARKED and any(passage.document == document.id for passage in row.finding.passages)
        )  # fmt: skip

    def report(self, rows: Sequence[FindingRow], engine: EngineStatus | None, language: str) -> Report:
        """The report about these rows and all the desk's documents."""
        kept = _kept(rows)
        heads = (self.tr("No."), self.tr("Severity"), self.tr("Kind"), self.tr("Finding"), self.tr("Decision"))
        documents = list(self._desk.documents.values())
        names = ", ".join(entry.name for entry in documents)
        tables = [(self.tr("Documents"), tuple(row for entry in documents for row in self._document_facts(entry)))]
        tables.append((self.tr("Review"), tuple(self._review_facts(engine))))
        return Report(
            title=self.tr("Review of {names}").format(names=names),
            language=language,
            summary=tuple(self._summary(kept)),
            tables=tuple(tables),
            table_title=self.tr("Findings"),
            table_heads=heads,
            findings_title=self.tr("Details"),
            findings=tuple(self._finding(row, number) for number, row in enumerate(kept, 1)),
            closing=self.tr(
                "Antinomy finds places to look at. It gives no legal advice, and that it found nothing proves nothing."
            ),
        )

    # --- words ------------------------------------------------------------------------------------------------

    def _heading(self, row: FindingRow) -> str:
        parts = [code_words(row.finding.code), severity_words(row.finding.severity)]
        parts.append(tier_words(row.finding.tier) if row.verdict is DecisionState.OPEN else verdict_words(row.verdict))
        return " · ".join(parts)

    def _body(self, row: FindingRow) -> str:
        return "\n\n".join(part for part in (row.finding.summary, row.finding.settle, row.note) if part)

    def _passages(self, row: FindingRow, number: int, document: Document | None) -> tuple[MarkedPassage, ...]:
        """The finding's passages, those of ``document`` with the place of their words on its pages."""
        out = []
        for i, passage in enumerate(row.finding.passages):
            label = f"{number}{_ALPHABET[i] if i < len(_ALPHABET) else i + 1}"
            boxes: tuple[tuple[int, float, float, float, float], ...] = ()
            if document is not None and passage.document == document.id:
                found = quads(document, passage.start, passage.end)
                boxes = tuple((quad.page, quad.x0, quad.y0, quad.x1, quad.y1) for quad in found)
            out.append(
                MarkedPassage(
                    label, passage.document, self._place(passage), passage.start, passage.end, passage.text, boxes
                )
            )
        return tuple(out)

    def _place(self, passage: Passage) -> str:
        entry = self._desk.documents.get(passage.document)
        named = entry.name if entry and len(self._desk.documents) > 1 else ""
        return ", ".join(part for part in (passage.clause, page_words(passage.page), named) if part)

    def _summary(self, rows: Sequence[FindingRow]) -> list[str]:
        counts = Counter(row.verdict for row in rows)
        words = self.tr(
            "{total} findings: {confirmed} confirmed, {flagged} flagged, {open} open, {dismissed} dismissed."
        )
        return [
            words.format(
                total=len(rows), confirmed=counts[DecisionState.CONFIRMED], flagged=counts[DecisionState.FLAGGED],
                open=counts[DecisionState.OPEN], dismissed=counts[DecisionState.DISMISSED],
            )
        ]  # fmt: skip

    def _document_facts(self, entry: DeskDocument) -> list[tuple[str, str]]:
        facts = [(entry.name, _in_groups(entry.id))]
        if entry.document is not None:
            words = self.tr("{pages} pages, {characters} characters")
            size = words.format(pages=len(entry.document.pages), characters=len(entry.document.text))
            facts.append((self.tr("Size"), size))
        return facts

    def _review_facts(self, engine: EngineStatus | None) -> list[tuple[str, str]]:
        facts = [(self.tr("Made"), dt.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"))]
        facts.append((self.tr("Program"), f"Antinomy {APP_VERSION}"))
        if engine is not None:
            parts = (engine.device, engine.precision, engine.encoder, engine.verifier)
            facts.append((self.tr("Engine"), " · ".join(part for part in parts if part)))
        return facts

    def _finding(self, row: FindingRow, number: int) -> ReportFinding:
        finding = row.finding
        path = " → ".join(f"{state_words(step.state)}: {step.because}" for step in finding.path)
        decision = verdict_words(row.verdict) + (f" ({reason_words(row.reason)})" if row.reason else "")
        facts = (
            (self.tr("How sure"), f"{tier_words(finding.tier)}, {finding.score:.2f}"),
            (self.tr("Why"), path),
            (self.tr("Would settle it"), finding.settle),
            (self.tr("Decision"), decision),
            (self.tr("Note"), row.note),
        )
        return ReportFinding(
            str(number), code_words(finding.code), severity_words(finding.severity), decision, finding.summary,
            tuple((name, value) for name, value in facts if value), self._passages(row, number, None),
        )  # fmt: skip


def _kept(rows: Sequence[FindingRow]) -> list[FindingRow]:
    return [row for row in rows if not row.is_gone]


#: Asks where to write a file: title, proposed name, filters ("PDF (*.pdf)"); a test puts its own in.
AskPlace = Callable[[str, str, Sequence[str]], str]


def _in_groups(document_id: str) -> str:
    """A document's hash with room to break a line in: a report's columns cannot hold 71 signs in one word."""
    kind, _, digits = document_id.partition(":")
    return f"{kind}:" + " ".join(digits[i : i + 16] for i in range(0, len(digits), 16))
