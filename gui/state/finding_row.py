"""A finding together with what a person has decided about it: one row of the inbox."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from engine.matter.records import DecisionState
from engine.protocol.findings import Finding
from gui.state.wording import code_words, page_words, reason_words


@dataclasses.dataclass(frozen=True)
class FindingRow:
    """One row: the finding, the verdict, why it was dismissed (a reason's code), the person's note.

    ``is_new`` is true for what a repeated review found and the one before had not; ``is_gone`` for a
    decided finding that the last review no longer gives, ``is_changed`` for one that reads otherwise than before.
    """

    finding: Finding
    verdict: DecisionState = DecisionState.OPEN
    reason: str = ""
    note: str = ""
    is_new: bool = False
    is_gone: bool = False
    is_changed: bool = False

    @property
    def id(self) -> str:
        """The finding's id, the same in a second review."""
        return self.finding.id

    @cached_property
    def places(self) -> str:
        """The clauses it joins: ``4.1 ↔ 9.3``; pages stand in for clauses without a number."""
        names = [passage.clause or page_words(passage.page) for passage in self.finding.passages]
        shown = list(dict.fromkeys(names)) if len(set(names)) > 1 else names[:1]
        return " ↔ ".join(shown)

    @cached_property
    def pages(self) -> str:
        """The pages it touches, counted from 1: ``4, 9``."""
        return ", ".join(str(page + 1) for page in sorted({p.page for p in self.finding.passages}))

    @cached_property
    def names_pages(self) -> bool:
        """Whether :attr:`places` says the pages already."""
        return all(not passage.clause for passage in self.finding.passages)

    @cached_property
    def searchable(self) -> str:
        """Everything that the filter box looks through, in lower case."""
        finding = self.finding
        parts = [finding.summary, finding.code, code_words(finding.code), finding.severity, finding.tier, self.verdict]
        parts += [f"{passage.clause} {passage.text}" for passage in finding.passages]
        parts += [self.note, reason_words(self.reason)]
        return "\n".join(parts).casefold()
