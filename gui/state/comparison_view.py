"""A comparison as it is shown: its rows, what a filter leaves of them, and a clause's words with their differences."""

from __future__ import annotations

import dataclasses
import enum
import html
from collections import defaultdict
from collections.abc import Sequence

from PySide6.QtCore import QObject

from engine.document import Document
from engine.protocol.comparison import (
    ChangeKind,
    ClauseChange,
    ClausePlace,
    Comparison,
    FindingChange,
    FindingState,
    ValueChange,
    WordChange,
    WordSign,
)
from engine.protocol.findings import Finding
from gui.state.comparison_words import FINDING_SIGNS, SIGNS, finding_state_words, kind_words
from gui.state.wording import page_words

#: So many characters of a clause are shown in the list.
_EXCERPT = 160
#: The words around a difference in the list, in characters.
_AROUND = 24
#: Equal words of more characters than this are shortened in the detail, on request only their ends.
_LONG_EQUAL = 600


class Filter(enum.StrEnum):
    """Which rows are listed."""

    DIFFERENT = "different"
    CHANGED = "changed"
    ONE_SIDED = "one_sided"
    MOVED = "moved"
    VALUES = "values"
    INTRODUCED = "introduced"
    RESOLVED = "resolved"
    KEPT = "kept"
    ALL = "all"


_STATES = {
    Filter.INTRODUCED: FindingState.INTRODUCED,
    Filter.RESOLVED: FindingState.RESOLVED,
    Filter.KEPT: FindingState.KEPT,
}


#: The filters that list findings; the others list clauses.
FINDING_FILTERS = frozenset(_STATES)


def filter_words(which: Filter) -> str:
    """A filter's name."""
    words = QObject()
    return {
        Filter.DIFFERENT: words.tr("Differences in content"),
        Filter.CHANGED: words.tr("Changed wording"),
        Filter.ONE_SIDED: words.tr("Inserted and deleted"),
        Filter.MOVED: words.tr("Moved or renumbered"),
        Filter.VALUES: words.tr("Changed values only"),
        Filter.INTRODUCED: words.tr("Findings introduced"),
        Filter.RESOLVED: words.tr("Findings resolved"),
        Filter.KEPT: words.tr("Findings still there"),
        Filter.ALL: words.tr("Every clause"),
    }[which]


@dataclasses.dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A line of the list: a clause, or a finding with the first clause it stands in.

    ``clause`` is a place in the comparison's clauses; ``finding`` is None for a clause. ``new_findings`` counts those
    that the later version introduced in the clause.
    """

    clause: int
    change: ClauseChange
    sign: str
    title: str
    what: str
    excerpt: str
    values: str
    pages: str
    finding: FindingChange | None = None
    new_findings: int = 0

    @property
    def spoken(self) -> str:
        """The row for a screen reader."""
        return ", ".join(part for part in (self.what, self.title, self.excerpt, self.values, self.pages) if part)


class ComparisonView:
    """A comparison with the texts and findings that it speaks of."""

    def __init__(self, comparison: Comparison, old: Document, new: Document, findings: Sequence[Finding]) -> None:
        self.comparison = comparison
        self.old, self.new = old, new
        self._findings = {finding.id: finding for finding in findings}
        self._passing: dict[Filter, list[int]] = {}
        self.introduced: dict[int, list[FindingChange]] = defaultdict(list)
        for each in comparison.findings:
            if each.state is FindingState.INTRODUCED:
                for i in each.clauses:
                    self.introduced[i].append(each)

    # --- rows -----------------------------------------------------------------------------------------------

    def counts(self) -> dict[Filter, int]:
        """How many rows each filter leaves."""
        return {which: len(self.numbers(which)) for which in Filter}

    def rows(self, which: Filter) -> list[ComparisonRow]:
        """What a filter leaves, in the later version's order."""
        return [self.row(which, i) for i in self.numbers(which)]

    def row(self, which: Filter, number: int) -> ComparisonRow:
        """One of a filter's rows, by its number."""
        return self._finding_row(self.comparison.findings[number]) if which in _STATES else self._row(number)

    def numbers(self, which: Filter) -> list[int]:
        """What a filter leaves, as places in the comparison's clauses, or for a filter of findings in those."""
        if which not in self._passing:
            if which in _STATES:
                found = [i for i, each in enumerate(self.comparison.findings) if each.state is _STATES[which]]
            else:
                found = [i for i, change in enumerate(self.comparison.clauses) if _passes(change, which)]
            self._passing[which] = found
        return self._passing[which]

    def _row(self, i: int) -> ComparisonRow:
        change = self.comparison.clauses[i]
        return ComparisonRow(
            i, change, SIGNS[change.kind], self.title(change), kind_words(change), self.excerpt(change),
            " · ".join(map(self.value, change.values)), _pages(change), new_findings=len(self.introduced.get(i, ())),
        )  # fmt: skip

    def _finding_row(self, each: FindingChange) -> ComparisonRow:
        touched = [i for i in each.clauses if self.comparison.clauses[i].kind is not ChangeKind.SAME]
        at = (touched or list(each.clauses) or [0])[0]
        change = self.comparison.clauses[at]
        finding = self._findings.get(each.finding)
        titles = " · ".join(dict.fromkeys(self.title(self.comparison.clauses[i]) for i in each.clauses))
        return ComparisonRow(
            at, change, FINDING_SIGNS[each.state], titles, finding_state_words(each.state),
            finding.summary if finding is not None else "", "", _pages(change), each,
        )  # fmt: skip

    def title(self, change: ClauseChange) -> str:
        """A clause's numbers and heading; without either the beginning of its words."""
        numbers = [place.number if place is not None else None for place in (change.old, change.new)]
        number = numbers[1] if numbers[1] is not None else numbers[0] or ""
        if change.renumbered and numbers[0] and numbers[1]:
            number = f"{numbers[0]} → {numbers[1]}"
        place = change.new or change.old
        heading = self._heading(change) if place is not None and not place.part else ""
        named = "  ".join(part for part in (number, heading) if part)
        return named or self._text(change)[:40] or "–"

    def _heading(self, change: ClauseChange) -> str:
        """A clause's heading, or that of the nearest clause around it that has one."""
        document, place = (self.new, change.new) if change.new is not None else (self.old, change.old)
        clause = document.clause_by_id.get(place.clause) if place is not None else None
        if clause is None:
            return ""
        return clause.heading or next((parent.heading for parent in document.ancestors(clause) if parent.heading), "")

    def _text(self, change: ClauseChange) -> str:
        document, place = (self.new, change.new) if change.new is not None else (self.old, change.old)
        return " ".join(document.text[place.start : place.end].split()) if place is not None else ""

    def excerpt(self, change: ClauseChange) -> str:
        """What differs, in a line: the first changed words with some around them; else the clause's beginning."""
        if change.kind is not ChangeKind.CHANGED:
            return self._text(change)[:_EXCERPT]
        first = next((i for i, run in enumerate(change.words) if run.sign is not WordSign.EQUAL), 0)
        if change.renumbered and change.new is not None and first == 0:
            # The number has been said in the title.
            later = (i for i, run in enumerate(change.words) if i > 1 and run.sign is not WordSign.EQUAL)
            first = next(later, first)
        parts = []
        for i, run in enumerate(change.words[max(0, first - 1) :], max(0, first - 1)):
            text = self.run_text(run)
            if run.sign is WordSign.EQUAL:
                text = "…" + text[-_AROUND:] if i < first and len(text) > _AROUND else text
            else:
                text = ("−" if run.sign is WordSign.DELETED else "+") + f"[{text.strip()}]"
            parts.append(text)
            if sum(map(len, parts)) > _EXCERPT:
                break
        return " ".join("".join(parts).split())[: _EXCERPT + 40]

    def value(self, value: ValueChange) -> str:
        """A changed value as it is written on either side."""
        before = " ".join(self.old.text[value.old_start : value.old_end].split())
        after = " ".join(self.new.text[value.new_start : value.new_end].split())
        return f"{before or '–'} → {after or '–'}"

    def run_text(self, run: WordChange) -> str:
        """A run's words; of equal ones the longer writing, which has the spaces around changed words."""
        before, after = self.old.text[run.old_start : run.old_end], self.new.text[run.new_start : run.new_end]
        return before if len(before) > len(after) else after

    def finding(self, finding_id: str) -> Finding | None:
        """A finding of either version."""
        return self._findings.get(finding_id)

    # --- places ---------------------------------------------------------------------------------------------

    def places(self, clause: int) -> tuple[ClausePlace | None, ClausePlace | None]:
        """Where to look on either side; for a clause that one side lacks the place where it would stand."""
        change = self.comparison.clauses[clause]
        return change.old or self._near(clause, of_new=False), change.new or self._near(clause, of_new=True)

    def _near(self, clause: int, *, of_new: bool) -> ClausePlace | None:
        changes = self.comparison.clauses
        for i in (*range(clause - 1, -1, -1), *range(clause + 1, len(changes))):
            place: ClausePlace | None = changes[i].new if of_new else changes[i].old
            if place is not None and not changes[i].moved:
                return place
        return None


def _passes(change: ClauseChange, which: Filter) -> bool:
    match which:
        case Filter.ALL:
            return True
        case Filter.CHANGED:
            return change.kind is ChangeKind.CHANGED
        case Filter.ONE_SIDED:
            return change.kind in (ChangeKind.INSERTED, ChangeKind.DELETED)
        case Filter.MOVED:
            return change.moved or change.renumbered
        case Filter.VALUES:
            return bool(change.values)
        case _:
            # Who put a clause in does not want to read that all behind it have another number.
            return change.kind not in (ChangeKind.SAME, ChangeKind.RENUMBERED)


def _pages(change: ClauseChange) -> str:
    pages = [page_words(place.page) for place in (change.old, change.new) if place is not None]
    return " → ".join(dict.fromkeys(pages))


@dataclasses.dataclass(frozen=True, slots=True)
class RedlineLook:
    """Colours (``#rrggbb``) for words that went and came, and for the wash behind a changed value."""

    deleted: str
    inserted: str
    deleted_wash: str
    inserted_wash: str


def redline_html(view: ComparisonView, change: ClauseChange, look: RedlineLook) -> str:
    """A clause with its differences: deleted words struck through, inserted ones underlined, values bold and washed."""
    if not change.words:
        text = view.old.text if change.new is None else view.new.text
        place = change.new or change.old
        words = html.escape(text[place.start : place.end].strip()) if place is not None else ""
        if change.kind is ChangeKind.INSERTED:
            words = _styled(words, WordSign.INSERTED, False, look)
        elif change.kind is ChangeKind.DELETED:
            words = _styled(words, WordSign.DELETED, False, look)
        return words.replace("\n", "<br>")
    parts = []
    for i, run in enumerate(change.words):
        if run.sign is WordSign.EQUAL:
            text = view.run_text(run)
            if len(text) > 2 * _LONG_EQUAL:
                text = f"{text[:_LONG_EQUAL]} … {text[-_LONG_EQUAL:]}"
            parts.append(html.escape(text))
        else:
            if run.sign is WordSign.INSERTED and i and change.words[i - 1].sign is WordSign.DELETED:
                parts.append("&thinsp;")
            is_value = any(_meets(run, value) for value in change.values)
            parts.append(_styled(html.escape(view.run_text(run)), run.sign, is_value, look))
    return "".join(parts).strip().replace("\n", "<br>")


def _meets(run: WordChange, value: ValueChange) -> bool:
    if run.sign is WordSign.DELETED:
        return run.old_start < value.old_end and value.old_start < run.old_end
    return run.new_start < value.new_end and value.new_start < run.new_end


def _styled(words: str, sign: WordSign, is_value: bool, look: RedlineLook) -> str:
    deleted = sign is WordSign.DELETED
    style = f"color:{look.deleted if deleted else look.inserted};"
    style += f"text-decoration:{'line-through' if deleted else 'underline'};"
    if is_value:
        style += f"font-weight:700; background-color:{look.deleted_wash if deleted else look.inserted_wash};"
    return f'<span style="{style}">{words}</span>'
