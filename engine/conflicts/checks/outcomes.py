"""What each check comes to for a document: in order, a violation, or nobody can tell, and why."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.anchors.model import Anchor, AnchorKind
from engine.conflicts.checks import run_checks
from engine.conflicts.checks.attachments import attachments
from engine.conflicts.checks.evidence import Evidence
from engine.conflicts.checks.pairing import too_many, unpaired_here
from engine.conflicts.checks.sums import called_totals
from engine.conflicts.checks.term_order import ordered_lists
from engine.document import ClauseKind, Document
from engine.protocol.findings import Finding


class Outcome(enum.StrEnum):
    """Of one check for one document."""

    OK = "ok"
    VIOLATION = "violation"
    CANNOT_TELL = "cannot_tell"


class CheckResult(NamedTuple):
    """The outcome of one check.

    ``looked_at`` counts the places it was put to, ``found`` its findings. ``why`` says, for what cannot be told, what
    is missing; in English and in Chinese.
    """

    code: str
    outcome: Outcome
    looked_at: int
    found: int
    why: tuple[str, str] = ("", "")


#: Why a check with nothing to look at cannot tell, in English and in Chinese.
_WHY: dict[str, tuple[str, str]] = {
    "value.words_figures": ("No value is given both in words and in figures.", "没有同时以文字和数字写明的数值。"),
    "value.arithmetic": (
        "Nothing is called a total, and no date has a weekday.",
        "没有标明为合计的数值，也没有注明星期的日期。",
    ),
    "reference": ("No clause of this document is referred to by its number.", "没有按编号援引本文件条款之处。"),
    "reference.attachment": (
        "Attachments are referred to and none is in this file; they may come in files of their own.",
        "文中提及附件，但本文件中没有任何附件，附件可能另行成册。",
    ),
    "number": ("The clauses carry no numbers.", "条款没有编号。"),
    "term": ("No term is defined.", "没有定义词语。"),
    "term.order": ("No list of definitions is in alphabetical order.", "没有按字母或者拼音排序的定义列表。"),
    "party.name": ("The parties' names could not be read.", "无法识别当事人的名称。"),
    "draft": ("There is no text.", "没有文字。"),
    "draft.unpaired": (
        "So many marks lack their pair that the text must have been badly read.",
        "不成对的符号过多，文字很可能未能正确识别。",
    ),
}
CODES = (
    "value.words_figures", "value.arithmetic", "reference.dangling", "reference.self", "reference.misdirected",
    "reference.attachment", "number.gap", "number.duplicate", "number.order", "term.duplicate", "term.undefined",
    "term.unused", "term.drift", "term.order", "party.name", "draft.blank", "draft.bracket", "draft.note",
    "draft.option", "draft.unpaired",
)  # fmt: skip


def check_results(
    document: Document, anchors: Sequence[Anchor], findings: Sequence[Finding] | None = None
) -> list[CheckResult]:
    """One result a code of :data:`CODES`; ``findings`` are those of :func:`run_checks`."""
    evidence = Evidence(document, anchors)
    found = run_checks(document, list(anchors)) if findings is None else findings
    counts = {code: sum(finding.code == code for finding in found) for code in CODES}
    out = []
    for code in CODES:
        looked_at = _looked_at(evidence, code)
        if counts[code]:
            out.append(CheckResult(code, Outcome.VIOLATION, max(looked_at, counts[code]), counts[code]))
        elif looked_at:
            out.append(CheckResult(code, Outcome.OK, looked_at, 0))
        else:
            why = _WHY.get(code) or _WHY[code.partition(".")[0]]
            out.append(CheckResult(code, Outcome.CANNOT_TELL, 0, 0, why))
    return out


def _attachments(evidence: Evidence) -> int:
    named = _references(evidence, "attachment")
    return named if attachments(evidence.document) else 0 if named else 1


def _references(evidence: Evidence, form: str) -> int:
    return sum(anchor.detail.get("form") == form for anchor in evidence.of_kind(AnchorKind.REFERENCE))


def _defined(evidence: Evidence, kind: AnchorKind) -> int:
    return sum(anchor.role == "definition" for anchor in evidence.of_kind(kind))


def _with(evidence: Evidence, detail: str) -> int:
    return sum(detail in anchor.detail for anchor in evidence.anchors)


#: A code, or the first part of several, to how many places there are to look at.
_COUNTS: dict[str, Callable[[Evidence], int]] = {
    "value.words_figures": lambda evidence: _with(evidence, "agree"),
    "value.arithmetic": lambda evidence: called_totals(evidence) + _with(evidence, "weekday"),
    "reference.attachment": _attachments,
    "reference": lambda evidence: _references(evidence, "section"),
    "number": lambda evidence: sum(
        bool(c.number) and c.kind is not ClauseKind.CONTENTS for c in evidence.document.clauses
    ),
    "term.order": ordered_lists,
    "term": lambda evidence: _defined(evidence, AnchorKind.TERM),
    "party": lambda evidence: _defined(evidence, AnchorKind.PARTY),
    "draft.unpaired": lambda evidence: 0 if too_many(evidence, unpaired_here(evidence)) else len(evidence.text),
    "draft": lambda evidence: len(evidence.text),
}


def _looked_at(evidence: Evidence, code: str) -> int:
    """How many places a check has to look at; 0 when it cannot tell."""
    return (_COUNTS.get(code) or _COUNTS[code.partition(".")[0]])(evidence)
