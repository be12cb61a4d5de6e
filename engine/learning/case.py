"""A contract made ready once, so that its findings can be ranked by any number of weights in milliseconds."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.anchors.extract import extract_anchors
from engine.conflicts.checks import run_checks
from engine.conflicts.encoding import encode_units
from engine.conflicts.findings import forum_findings, pair_findings, rank_findings
from engine.conflicts.full_check import read_pairs, reordered, rows_to_read, shipped_reader
from engine.conflicts.pairs import Weighed, best_pairs, documents_of, length_prior, weigh_pairs
from engine.conflicts.ranker import Ranker, shipped_ranker
from engine.conflicts.second_look import inputs_at, mixed, rows_to_judge
from engine.conflicts.units import Unit, build_units
from engine.conflicts.verifier import Verifier
from engine.conflicts.verifier_inputs import Inputs
from engine.document import Document
from engine.protocol.findings import Finding
from engine.protocol.learning import PairLabel, Place
from engine.protocol.messages import ReviewOptions
from engine.protocol.showing import LIKELY_SCORE
from engine.states.encoder import Encoder

log = logging.getLogger(__name__)

#: Inputs computed between two questions whether to stop.
CHUNK = 128

#: A label on whole clauses covers many pairs of sentences; so many, the likeliest by the trees, stand for it.
MOST_ROWS = 2


class LearningCancelled(Exception):
    """The caller's ``cancelled`` answered True; nothing was kept."""


@dataclasses.dataclass(frozen=True, slots=True)
class Case:
    """Documents that belong together, their candidate pairs, what the verifier sees of the best ones, their labels.

    Attributes:
        rows: of the candidates, those with ``inputs``, in that order; the first ``judged`` of them a review looks at a
            second time, the others are only labelled.
        read: what reading pairs together says of them, float64 ``[candidates]``; NaN where a review does not read.
        labelled: for each label the positions in ``rows`` of its pairs, likeliest first; empty where the review does
            not compare them.
    """

    documents: tuple[Document, ...]
    units: list[Unit]
    weighed: Weighed
    rows: list[int]
    judged: int
    inputs: Inputs
    read: NDArray[np.float64]
    labels: tuple[PairLabel, ...]
    labelled: tuple[tuple[int, ...], ...]
    others: tuple[Finding, ...]
    taken: frozenset[tuple[int, int]]
    ranker: Ranker | None = None

    @property
    def features(self) -> NDArray[np.float32]:
        """The comparison features at ``rows``."""
        return self.weighed.table[self.rows]

    @property
    def raw(self) -> NDArray[np.float64]:
        """The trees' log-odds at ``rows``."""
        return self.weighed.raw[self.rows]

    def verdicts(self, verifier: Verifier) -> NDArray[np.float32]:
        """The verifier's log-odds of the judged rows, float32 ``[judged]``."""
        return verifier.score(self.inputs.at(slice(self.judged)))

    def shown(self, raw: NDArray[np.float64]) -> int:
        """How many of the judged rows reach the score that is shown unasked, with log-odds ``raw`` after the look."""
        rows = self.rows[: self.judged]
        chinese = self.weighed.chinese(self.units)[rows]
        ranker = self.ranker or shipped_ranker()
        prior = np.maximum(raw, self.weighed.least[rows]) + length_prior(self.units)
        score = np.where(chinese, ranker.probability(prior, chinese=True), ranker.probability(prior))
        return int((score >= LIKELY_SCORE).sum())

    def findings(self, verifier: Verifier) -> list[Finding]:
        """What a review with these weights gives: the steps of :func:`engine.conflicts.review.review_documents`."""
        verdicts = dict(zip(self.rows[: self.judged], self.verdicts(verifier).tolist(), strict=True))
        raw = mixed(self.weighed.raw, self.weighed.table, verdicts, verifier)
        raw = reordered(raw, self.read, self.weighed.chinese(self.units), self.weighed.conditional())
        scored = best_pairs(self.units, self.weighed, raw, self.ranker)
        options = ReviewOptions()
        found = list(self.others)
        found += pair_findings(self.documents, self.units, scored, options, set(self.taken), len(found))
        return rank_findings(found, options)


def make_case(
    documents: Sequence[Document],
    labels: Iterable[PairLabel],
    encoder_for: Callable[[str], Encoder],
    cancelled: Callable[[], bool],
    ranker: Ranker | None = None,
) -> Case:
    """Read, encode and compare the documents of one contract; ``ranker`` other than the shipped one is for measuring.

    Raises:
        LearningCancelled: ``cancelled`` answered True.
        EncodingCancelled: it did so while the encoder was at work.
        ValueError: the snapshots could not be made; the message says why.
    """
    anchors = {document.id: extract_anchors(document) for document in documents}
    units = build_units(documents, anchors, cancelled)
    encoded = encode_units(units, encoder_for, lambda *_: None, cancelled, snapshots=True)
    weighed = weigh_pairs(units, encoded, ReviewOptions(), lambda *_: None, cancelled, ranker)
    if cancelled():
        raise LearningCancelled
    if encoded.blocks is None:
        raise ValueError(encoded.fault)
    rows = rows_to_judge(units, weighed.candidates, weighed.raw, 2 * weighed.keep)
    judged = len(rows)
    place_of = {row: i for i, row in enumerate(rows)}
    mine = tuple(labels)
    labelled = []
    for found in _rows_of_labels(documents, units, weighed, mine):
        for row in found:
            if row not in place_of:
                place_of[row] = len(rows)
                rows.append(row)
        labelled.append(tuple(place_of[row] for row in found))
    parts = []
    for start in range(0, len(rows), CHUNK):
        if cancelled():
            raise LearningCancelled
        some = rows[start : start + CHUNK]
        parts.append(inputs_at(units, encoded, weighed.candidates, weighed.table, weighed.sides, some))
    read = read_pairs(
        units, weighed.candidates, rows_to_read(weighed.raw, documents_of(units), full=False),
        lambda language: shipped_reader(language, encoder_for), lambda *_: None, cancelled, log.info,
    )  # fmt: skip
    others = [finding for document in documents for finding in run_checks(document, anchors[document.id])]
    forum, taken = forum_findings(documents, units)
    return Case(
        tuple(documents), units, weighed, rows, judged, Inputs.joined(parts), read, mine, tuple(labelled),
        (*others, *forum), frozenset(taken), ranker,
    )  # fmt: skip


def _rows_of_labels(
    documents: Sequence[Document], units: Sequence[Unit], weighed: Weighed, labels: Sequence[PairLabel]
) -> list[list[int]]:
    """For each label the candidates that join two of its passages, likeliest first, at most :data:`MOST_ROWS`.

    Sentences of two languages are never looked at a second time, so a label on them teaches nothing.
    """
    number = {document.id: i for i, document in enumerate(documents)}
    places: list[list[tuple[int, int, int]]] = [[] for _ in documents]
    for i, unit in enumerate(units):
        for place in unit.places:
            places[place.document].append((place.start, place.end, i))
    row_of = {(c.a, c.b): row for row, c in enumerate(weighed.candidates)}
    found = []
    for label in labels:
        ends = [_units_at(places[number[end.document]], end) if end.document in number else set() for end in label.ends]
        pairs = {
            (min(a, b), max(a, b))
            for i, first in enumerate(ends)
            for second in ends[i + 1 :]
            for a in first
            for b in second
            if a != b and units[a].chinese == units[b].chinese
        }
        rows = [row_of[pair] for pair in pairs if pair in row_of]
        found.append(sorted(rows, key=lambda row: (-weighed.raw[row], row))[:MOST_ROWS])
    return found


def _units_at(places: Sequence[tuple[int, int, int]], end: Place) -> set[int]:
    """The units of which a passage holds at least half, or that hold half of it."""
    found = set()
    for start, stop, unit in places:
        common = min(stop, end.end) - max(start, end.start)
        if common > 0 and 2 * common >= min(stop - start, end.end - end.start):
            found.add(unit)
    return found
