"""Which findings are shown: all that a person has touched, and those that are sure or likely enough."""

from __future__ import annotations

import dataclasses
import enum

from engine.matter.records import DecisionState
from engine.protocol.showing import LIKELY_SCORE, is_likely, is_sure
from gui.state.finding_row import FindingRow


class Certainty(enum.StrEnum):
    """How sure a finding has to be."""

    SURE = "sure"
    LIKELY = "likely"
    EVERYTHING = "everything"


@dataclasses.dataclass(frozen=True, slots=True)
class Sieve:
    """Lets findings through. ``score`` (0..1) is from where an unsure one counts as likely."""

    certainty: Certainty = Certainty.LIKELY
    score: float = LIKELY_SCORE

    def passes(self, row: FindingRow) -> bool:
        """Whether the row is shown; what was decided, flagged or noted always is."""
        if row.verdict is not DecisionState.OPEN or row.note or self.certainty is Certainty.EVERYTHING:
            return True
        if self.certainty is Certainty.SURE:
            return is_sure(row.finding)
        return is_likely(row.finding, self.score)

    def with_certainty(self, certainty: Certainty) -> Sieve:
        """The same score with another certainty."""
        return dataclasses.replace(self, certainty=certainty)
