"""Checks that one document can be put to without any model: values, references, numbers, drafting remains, terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from engine.anchors.model import Anchor
from engine.conflicts.checks.arithmetic import check_arithmetic
from engine.conflicts.checks.attachments import check_attachments
from engine.conflicts.checks.drafting import check_drafting
from engine.conflicts.checks.evidence import Evidence
from engine.conflicts.checks.numbering import NumberIndex
from engine.conflicts.checks.numbers import check_duplicates, check_gaps, check_order
from engine.conflicts.checks.pairing import check_pairs
from engine.conflicts.checks.parties import check_party_names
from engine.conflicts.checks.references import check_dangling, check_misdirected, check_self
from engine.conflicts.checks.statutes import check_statutes
from engine.conflicts.checks.sums import check_sums
from engine.conflicts.checks.tables import check_tables
from engine.conflicts.checks.term_order import check_term_order
from engine.conflicts.checks.terms import check_drift, check_pointers, check_unused
from engine.conflicts.checks.terms import check_duplicates as check_double_definitions
from engine.conflicts.checks.words_figures import check_words_figures
from engine.conflicts.identity import finding_id
from engine.document import Document
from engine.protocol.findings import Finding
from engine.states.encoder import never
from engine.states.knowledge import Knowledge
from engine.states.knowledge_facts import shipped_knowledge

__all__ = ["run_checks"]


def run_checks(
    document: Document,
    anchors: list[Anchor],
    knowledge: Knowledge | None = None,
    cancelled: Callable[[], bool] = never,
) -> list[Finding]:
    """The findings of all checks, in the order of their first passages; ids are distinct, ranks are 0.

    ``knowledge`` has the limits of the law: the packs in use, without it those that are shipped. ``cancelled`` is asked
    between two checks; when it answers True there are no findings.
    """
    found: list[Finding] = []
    for check in _checks(Evidence(document, anchors), NumberIndex(document), knowledge):
        if cancelled():
            return []
        found += check()
    found.sort(key=lambda finding: (finding.passages[0].start, finding.code))
    return _distinct(found)


def _checks(
    evidence: Evidence, index: NumberIndex, knowledge: Knowledge | None
) -> Iterator[Callable[[], Iterable[Finding]]]:
    """The checks in order, none run yet."""
    numbered = (check_dangling, check_self, check_misdirected)
    ordered = (check_gaps, check_duplicates, check_order)
    yield lambda: check_words_figures(evidence)
    yield from (partial(check, evidence, index) for check in numbered)
    yield lambda: check_attachments(evidence)
    yield from (partial(check, evidence, index) for check in ordered)
    yield lambda: check_drafting(evidence)
    yield lambda: check_pairs(evidence)
    yield lambda: check_double_definitions(evidence)
    yield lambda: check_pointers(evidence, index)
    plain = (check_unused, check_drift, check_term_order, check_party_names)
    yield from (partial(check, evidence) for check in plain)
    yield lambda: _once([*check_arithmetic(evidence), *check_sums(evidence)])
    yield lambda: check_tables(evidence)
    yield lambda: check_statutes(evidence, shipped_knowledge() if knowledge is None else knowledge)


def _once(findings: list[Finding]) -> list[Finding]:
    """Leave out a sum that another check has told of already: the same first passage, the same kind."""
    told: set[tuple[int, int]] = set()
    out: list[Finding] = []
    for finding in findings:
        span = (finding.passages[0].start, finding.passages[0].end)
        if finding.summary not in {each.summary for each in out} and not (finding.score < 0.8 and span in told):
            out.append(finding)
        told.add(span)
    return out


def _distinct(findings: list[Finding]) -> list[Finding]:
    """Give findings with the same code and words different ids, by an ordinal in reading order."""
    seen: dict[str, int] = {}
    out: list[Finding] = []
    for finding in findings:
        count = seen.get(finding.id, 0)
        seen[finding.id] = count + 1
        identity = finding_id(finding.code, finding.passages, count)
        out.append(msgspec.structs.replace(finding, id=identity) if count else finding)
    return out
