"""value.words_figures: one value given twice, in words and in figures, that differ."""

from __future__ import annotations

from collections.abc import Iterator

from engine.anchors.model import Anchor
from engine.conflicts.checks.evidence import Evidence, make, quoted
from engine.protocol.findings import Finding, Severity


def _severity(anchor: Anchor) -> Severity:
    return Severity.HIGH if anchor.kind.value in ("amount", "period", "percent", "date") else Severity.MEDIUM


def check_words_figures(evidence: Evidence) -> Iterator[Finding]:
    """A finding for each value whose words and figures disagree."""
    for anchor in evidence.anchors:
        if anchor.detail.get("agree") != "no":
            continue
        words, figures = quoted(anchor.detail["words"], 90), quoted(anchor.detail["figures"], 40)
        place = evidence.place(anchor.start)
        said, shown = anchor.detail["words_value"], anchor.detail["figures_value"]
        summary = f"{place} says “{words}” in words but “{figures}” in figures."
        score = 0.93 if anchor.detail.get("odd") != "yes" else 0.9
        yield make(
            "value.words_figures",
            score,
            _severity(anchor),
            summary,
            [
                ("same_matter", "Words and figures stand side by side for one value."),
                ("different", f"The words say {said}, the figures say {shown}."),
                ("conflict", "Neither reading explains the other; unit and scale were taken into account."),
            ],
            [evidence.passage(anchor.start, anchor.end, [anchor])],
            "Correct the one that is wrong; without a clause to the contrary the words prevail.",
        )
