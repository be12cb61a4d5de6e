"""What people said about pairs of passages, as labels to learn from: one word on each pair, or none where they differ.

Counted as a word: a link that somebody made (a finding nobody judged is none), and a decision on a finding, confirmed
or dismissed. A ruling wins over single judgements on the same clauses; without one, people who differ cancel out.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator

from engine.document import UnreadableDocument, unpack
from engine.matter.agreement import Unit, unit_of
from engine.matter.labels import NotAConflict, is_conflict
from engine.matter.matter import Matter
from engine.matter.queue import Spans, spans_of
from engine.matter.records import DecisionState, LinkEnd, LinkStatus, Origin
from engine.protocol.findings import Finding
from engine.protocol.learning import LEAST_CONTRACTS, LEAST_OF_EACH, PairLabel, Place


@dataclasses.dataclass(frozen=True, slots=True)
class Judgements:
    """Labels to learn from, and what could not be used.

    Attributes:
        packed: the documents that labels stand in, in their saved form, by id.
        contracts: how many groups of documents that labels join.
        disputed: pairs on which people differ and nobody ruled.
        without_text: labels whose documents' text is not in the matter.
        of_form: decisions on findings with one passage, which the verifier never sees.
    """

    labels: tuple[PairLabel, ...]
    packed: dict[str, bytes]
    contracts: int
    disputed: int
    without_text: int
    of_form: int

    @property
    def conflicts(self) -> int:
        """How many labels say conflict."""
        return sum(label.is_conflict for label in self.labels)

    @property
    def codes(self) -> dict[str, int]:
        """Labels by code, the most frequent first."""
        return dict(Counter(label.code for label in self.labels).most_common())

    @property
    def missing(self) -> tuple[int, int, int]:
        """How many conflicts, not-a-conflicts and contracts are needed beyond what is there; zeros when enough."""
        no = len(self.labels) - self.conflicts
        contracts = max(0, LEAST_CONTRACTS - self.contracts)
        return max(0, LEAST_OF_EACH - self.conflicts), max(0, LEAST_OF_EACH - no), contracts


@dataclasses.dataclass(frozen=True, slots=True)
class _Word:
    """One person's word; ``stands`` when an adjudicator ruled for it."""

    spans: Spans
    unit: Unit
    code: str
    annotator: str
    at: str
    stands: bool = False

    @property
    def is_conflict(self) -> bool:
        return is_conflict(self.code)


def judgements(matters: Iterable[Matter]) -> Judgements:
    """The labels of all matters together; a record that two of them hold counts once.

    Raises:
        MatterError: a matter cannot be read.
    """
    words: dict[str, _Word] = {}
    packed: dict[str, bytes] = {}
    of_form: set[str] = set()
    for matter in matters:
        for key, word in _words(matter, of_form):
            if key not in words or words[key].at < word.at:
                words[key] = word
        wanted = {document for word in words.values() for document, _, _ in word.spans} - packed.keys()
        packed.update(_readable(matter, wanted))
    labels, disputed = _agreed(words.values())
    usable = [label for label in labels if all(end.document in packed for end in label.ends)]
    used = {end.document for label in usable for end in label.ends}
    return Judgements(
        tuple(usable), {document: packed[document] for document in sorted(used)}, len(groups_of(usable)), disputed,
        len(labels) - len(usable), len(of_form),
    )  # fmt: skip


def _words(matter: Matter, of_form: set[str]) -> Iterator[tuple[str, _Word]]:
    for link in matter.links():
        if link.status is not LinkStatus.REJECTED:
            stands = link.status is LinkStatus.ACCEPTED or link.origin is Origin.ADJUDICATION
            yield link.id, _Word(
                spans_of(link.ends), unit_of(link), link.code, link.annotator, link.changed_at, stands
            )  # fmt: skip
    findings = {record.finding.id: record.finding for record in matter.finding_records()}
    for decision in matter.all_decisions():
        finding = findings.get(decision.finding)
        if finding is None or decision.state not in (DecisionState.CONFIRMED, DecisionState.DISMISSED):
            continue
        ends = _ends(finding)
        if len(ends) < 2:
            of_form.add(finding.id)
            continue
        code = finding.code
        if decision.state is DecisionState.DISMISSED:
            code = decision.reason if decision.reason in set(NotAConflict) else "not.given"
        key = f"{decision.finding} {decision.annotator}"
        unit = frozenset((end.document, end.clause_id or end.clause_number or f"{end.start}-{end.end}") for end in ends)
        yield key, _Word(spans_of(ends), unit, code, decision.annotator, decision.decided_at)


def _ends(finding: Finding) -> tuple[LinkEnd, ...]:
    return tuple(dict.fromkeys(
        LinkEnd(p.document, p.clause_id, p.clause, p.text, p.start, p.end) for p in finding.passages
    ))  # fmt: skip


def _readable(matter: Matter, wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    for record in matter.documents():
        packed = matter.packed_document(record.id) if record.id in wanted else None
        if packed is None:
            continue
        try:
            unpack(packed)
        except UnreadableDocument:
            continue
        yield record.id, packed


def _agreed(words: Iterable[_Word]) -> tuple[list[PairLabel], int]:
    """One label for each pair that people agree on, and how many they do not."""
    units: dict[Unit, list[_Word]] = {}
    for word in sorted(words, key=lambda each: (each.at, each.annotator, sorted(each.spans))):
        units.setdefault(word.unit, []).append(word)
    labels: list[PairLabel] = []
    disputed = 0
    for unit in sorted(units, key=sorted):
        ruled = [word for word in units[unit] if word.stands]
        newest = {(word.annotator, word.spans): word for word in ruled or units[unit]}
        said: dict[bool, set[str]] = {True: set(), False: set()}
        for word in newest.values():
            said[word.is_conflict].add(word.annotator)
        # One person may say both of different sentences in two clauses; two people who differ are in dispute.
        if not ruled and said[True] and said[False] and len(said[True] | said[False]) > 1:
            disputed += 1
            continue
        by_spans = {word.spans: word for word in newest.values()}
        labels += [
            PairLabel(tuple(Place(*place) for place in sorted(spans)), word.is_conflict, word.code)
            for spans, word in sorted(by_spans.items(), key=lambda item: sorted(item[0]))
        ]
    return labels, disputed


def groups_of(labels: Iterable[PairLabel]) -> list[tuple[str, ...]]:
    """The documents that labels join, as sorted groups in a fixed order: what is held out is a group."""
    leader: dict[str, str] = {}

    def lead(document: str) -> str:
        leader.setdefault(document, document)
        while leader[document] != document:
            document = leader[document]
        return document

    for label in labels:
        first, *others = sorted({lead(end.document) for end in label.ends})
        for other in others:
            leader[other] = first
    members: dict[str, list[str]] = {}
    for document in sorted(leader):
        members.setdefault(lead(document), []).append(document)
    return [tuple(members[each]) for each in sorted(members)]
