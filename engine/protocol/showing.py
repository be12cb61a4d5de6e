"""Which findings are shown unasked: a review keeps a long weak tail, and a false alarm costs trust."""

from __future__ import annotations

from engine.protocol.findings import Finding

#: From this score on a finding is shown whatever its tier says.
LIKELY_SCORE = 0.30
_SHOWN_TIERS = frozenset({"conflict", "possible"})


def is_sure(finding: Finding) -> bool:
    """Whether the engine calls it a conflict."""
    return finding.tier == "conflict"


def is_likely(finding: Finding, score: float = LIKELY_SCORE) -> bool:
    """Whether it is worth a person's time unasked: at least possible, or of this score (0..1) and more."""
    return finding.tier in _SHOWN_TIERS or finding.score >= score
