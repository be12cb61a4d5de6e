"""value.words_figures: one value given twice, in words and in figures, that differ."""

from __future__ import annotations

from collections.abc import Iterator

from engine.anchors.model import Anchor
from engine.conflicts.checks.evidence import Evidence, make, quoted
from engine.conflicts.checks.sentences import say
from engine.protocol.findings import Finding, Severity


def _severity(anchor: Anchor) -> Severity:
    return Severity.HIGH if anchor.kind.value in ("amount", "period", "percent", "date") else Severity.MEDIUM


def check_words_figures(evidence: Evidence) -> Iterator[Finding]:
    """A finding for each value whose words and figures disagree."""
    for anchor in evidence.anchors:
        if anchor.detail.get("agree") != "no":
            continue
        words, figures = quoted(anchor.detail["words"], 90), quoted(anchor.detail["figures"], 40)
        said = say(
            "value.words_figures",
            evidence.chinese(anchor.start),
            place=evidence.place(anchor.start),
            words=words,
            figures=figures,
            said=anchor.detail["words_value"],
            shown=anchor.detail["figures_value"],
        )
        score = 0.93 if anchor.detail.get("odd") != "yes" else 0.9
        yield make(
            "value.words_figures",
            score,
            _severity(anchor),
            said,
            [evidence.passage(anchor.start, anchor.end, [anchor])],
        )
