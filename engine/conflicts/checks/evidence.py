"""The document and its anchors as the checks look at them, and the making of a finding."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from functools import cached_property

from engine.anchors.chinese_numerals import ALL as CHINESE
from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks.said import Said
from engine.conflicts.identity import finding_id
from engine.document import Clause, ClauseKind, Document
from engine.protocol.findings import AnchorMark, Finding, Passage, PathStep, Severity

#: A passage longer than this around its anchor is cut to the lines nearest to it.
LONGEST_PASSAGE = 600


#: What stands for words that were struck out, in a filing for instance: "[***]", "[redacted]".
STRUCK_OUT = re.compile(r"\[?\*{3,}\]?|\[\s?(?:redacted|omitted)\s?\]|\bX{5,}\b", re.IGNORECASE)


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

    def chinese(self, start: int) -> bool:
        """Whether what is said of a span is said in Chinese: the document's language, else that of its clause."""
        if self.document.language in _LANGUAGES:
            return self.document.language == "zh"
        clause = self.document.clause_at(start)
        if clause is not None and clause.language in _LANGUAGES:
            return clause.language == "zh"
        return bool(_CHINESE.search(self.text, *self.sentence_span(start, start + 1)))

    def attachment_at(self, offset: int) -> str:
        """The schedule or exhibit that a place stands in, by its clause's id or number; "" for the body."""
        clause = self.document.clause_at(offset)
        while clause is not None:
            if clause.kind is ClauseKind.SCHEDULE or _ATTACHED.match(clause.number):
                return clause.id if clause.kind is ClauseKind.SCHEDULE else clause.number.split(",")[0]
            clause = self.document.clause_by_id.get(clause.parent)
        return ""

    def place(self, start: int) -> str:
        """Where a span stands, in words to begin a sentence with: ``Section 8.13``, ``第8.13款``, ``Page 4``."""
        clause, chinese = self.document.clause_at(start), self.chinese(start)
        while clause is not None and not clause.number:
            clause = self.document.clause_by_id.get(clause.parent)
        if clause is None:
            page = self.document.page_at(start) + 1
            return f"第{page}页" if chinese else f"Page {page}"
        return named(clause, chinese)

    def where(self, start: int) -> str:
        """The same inside a sentence: ``in Section 8.13``, ``on page 4``; in Chinese as :meth:`place`."""
        place = self.place(start)
        if self.chinese(start):
            return place
        return f"on page{place[4:]}" if place.startswith("Page ") else f"in {place}"


_ATTACHED = re.compile(r"(?:exhibit|schedule|annex|appendix|attachment)\b", re.IGNORECASE)
_LANGUAGES = ("en", "zh")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_DOTTED = re.compile(r"\d+(?:\.\d+)*")
_COUNTED = re.compile(rf"(?:(?<=[分条款])|^)([{CHINESE}]{{1,4}})$")
_ITEM = re.compile(r"(?:(?<=[^第])|^)([(（][^()（）]{1,4}[)）])")


def named(clause: Clause, chinese: bool = False) -> str:
    """A clause's displayed number with its kind of word: ``Section 5.2``, ``Article 8``, ``第三条``, ``第5.2款``."""
    number = clause.number
    if not number and clause.kind is ClauseKind.SCHEDULE:
        return clause.heading or ("附件" if chinese else "the schedule")
    if chinese:
        return chinese_number(number)
    if number and (number[0].isdigit() or number[0] in "(（"):
        return f"Section {number}"
    return number


def chinese_number(number: str) -> str:
    """A displayed number as a Chinese sentence names it: ``5.2（一）`` is 第5.2款第（一）项."""
    region, _, last = number.rpartition(", ")
    head = _DOTTED.match(last)
    if head:
        unit = "项" if region else "款" if "." in head.group() else "条"
        last = f"第{head.group()}{unit}{last[head.end():]}"
    last = _COUNTED.sub(r"第\1项", _ITEM.sub(r"第\1项", last))
    return region + last


def make(
    code: str,
    score: float,
    severity: Severity,
    said: Said,
    passages: Sequence[Passage],
    tier: str = "",
) -> Finding:
    """A finding without rank; its id is final unless another of the same words has to be told apart."""
    return Finding(
        id=finding_id(code, passages),
        code=code,
        rank=0,
        score=round(score, 3),
        severity=severity,
        summary=said.summary,
        path=tuple(PathStep(state, because) for state, because in said.path),
        passages=tuple(passages),
        settle=said.settle,
        tier=tier or ("conflict" if score >= 0.8 else "possible" if score >= 0.5 else "check"),
    )


def quoted(text: str, longest: int = 60) -> str:
    """``text`` on one line, shortened in the middle."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 16]}…{flat[-14:]}"
