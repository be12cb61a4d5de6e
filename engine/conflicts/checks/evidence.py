"""The document and its anchors as the checks look at them, and the making of a finding."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from functools import cached_property

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.identity import finding_id
from engine.document import Clause, ClauseKind, Document
from engine.protocol.findings import AnchorMark, Finding, Passage, PathStep, Severity

#: A passage longer than this around its anchor is cut to the lines nearest to it.
LONGEST_PASSAGE = 600


class Evidence:
    """One document under check."""

    def __init__(self, document: Document, anchors: Sequence[Anchor]) -> None:
        self.document = document
        self.anchors = list(anchors)
        self.text = document.text

    @cached_property
    def _starts(self) -> list[int]:
        return [anchor.start for anchor in self.anchors]

    def of_kind(self, *kinds: AnchorKind) -> list[Anchor]:
        """The anchors of some kinds, in order."""
        return [anchor for anchor in self.anchors if anchor.kind in kinds]

    def between(self, start: int, end: int) -> list[Anchor]:
        """The anchors that start in ``[start, end)``."""
        return self.anchors[bisect.bisect_left(self._starts, start) : bisect.bisect_left(self._starts, end)]

    def sentence_span(self, start: int, end: int) -> tuple[int, int]:
        """The sentence around a span, cut to its nearest lines when it is very long."""
        sentence = self.document.sentence_at(start)
        low, high = (sentence.start, sentence.end) if sentence else self._line(start, end)
        if high - low > LONGEST_PASSAGE:
            low, high = max(low, self._cut_before(start)), min(high, self._cut_after(end))
        return min(low, start), max(high, end)

    def _line(self, start: int, end: int) -> tuple[int, int]:
        low = self.text.rfind("\n", max(0, start - LONGEST_PASSAGE // 2), start)
        high = self.text.find("\n", end, end + LONGEST_PASSAGE // 2)
        return (low + 1 if low >= 0 else max(0, start - 120)), (high if high >= 0 else min(len(self.text), end + 120))

    def _cut_before(self, start: int) -> int:
        at = max(self.text.rfind(mark, max(0, start - 240), start) for mark in (". ", "; ", "\n", "。", "；"))
        return at + 1 if at >= 0 else max(0, start - 240)

    def _cut_after(self, end: int) -> int:
        found = [self.text.find(mark, end, end + 240) for mark in (". ", "; ", "\n", "。", "；")]
        reached = [at for at in found if at >= 0]
        return min(reached) + 1 if reached else min(len(self.text), end + 240)

    def passage(
        self, start: int, end: int, marks: Sequence[Anchor] = (), also: Sequence[tuple[int, int]] = ()
    ) -> Passage:
        """The sentence around a span, its marks, and further places of the same words."""
        low, high = self.sentence_span(start, end)
        clause = self.document.clause_at(start)
        return Passage(
            document=self.document.id,
            clause=clause.number if clause else "",
            clause_id=clause.id if clause else "",
            page=self.document.page_at(start),
            start=low,
            end=high,
            text=self.text[low:high],
            anchors=tuple(AnchorMark(m.kind.value, m.value, m.start, m.end) for m in marks),
            also=tuple(also),
        )

    def place(self, start: int) -> str:
        """Where a span stands, in words to begin a sentence with: ``Section 8.13``, ``第三条``, or ``Page 4``."""
        clause = self.document.clause_at(start)
        while clause is not None and not clause.number:
            clause = self.document.clause_by_id.get(clause.parent)
        if clause is None:
            return f"Page {self.document.page_at(start) + 1}"
        return named(clause)

    def where(self, start: int) -> str:
        """The same inside a sentence: ``in Section 8.13``, ``on page 4``."""
        place = self.place(start)
        return f"on page{place[4:]}" if place.startswith("Page ") else f"in {place}"


def named(clause: Clause) -> str:
    """A clause's displayed number with its kind of word in front: ``Section 5.2``, ``Article 8``, ``第三条``."""
    number = clause.number
    if number and (number[0].isdigit() or number[0] in "(（"):
        return f"Section {number}"
    if not number and clause.kind is ClauseKind.SCHEDULE:
        return clause.heading or "the schedule"
    return number


def make(
    code: str,
    score: float,
    severity: Severity,
    summary: str,
    path: Sequence[tuple[str, str]],
    passages: Sequence[Passage],
    settle: str = "",
    tier: str = "",
) -> Finding:
    """A finding without rank; its id is final unless :func:`distinct` has to add an ordinal."""
    return Finding(
        id=finding_id(code, passages),
        code=code,
        rank=0,
        score=round(score, 3),
        severity=severity,
        summary=summary,
        path=tuple(PathStep(state, because) for state, because in path),
        passages=tuple(passages),
        settle=settle,
        tier=tier or ("conflict" if score >= 0.8 else "possible" if score >= 0.5 else "check"),
    )


def quoted(text: str, longest: int = 60) -> str:
    """``text`` on one line, shortened in the middle."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 16]}…{flat[-14:]}"
