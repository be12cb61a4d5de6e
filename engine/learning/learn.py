"""Learning as a whole: contracts made ready, each left out once and measured, then everything learnt from together.

Held out is always a whole contract (documents that a label joins are one): sentences of one contract stand in several
labels, so a held-out part of a contract would have been learnt from. That is why one contract alone is refused.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from engine import APP_VERSION
from engine.conflicts.correction import Correction
from engine.conflicts.ranker import WEIGHTS as RANKER_WEIGHTS
from engine.conflicts.ranker import Ranker
from engine.conflicts.second_look import WEIGHT
from engine.conflicts.verifier import WEIGHTS as VERIFIER_WEIGHTS
from engine.conflicts.verifier import Verifier, shipped_verifier
from engine.document import Document
from engine.learning.case import Case, LearningCancelled, make_case
from engine.learning.fitting import BACKGROUND, Arrays, Examples, correct, tune, with_correction
from engine.learning.judging import figures, helps, seen
from engine.learning.replay import replay
from engine.matter.judgements import groups_of
from engine.protocol.learning import LEAST_CONTRACTS, LEAST_OF_EACH, Card, PairLabel
from engine.states.encoder import Encoder, EncoderError, EncodingCancelled
from resources import resource_path

#: Contracts left out together where there are many.
FOLDS = 5
#: Pairs without a label that stand for a contract's others, and what the program's own samples weigh beside a person's
#: labels.
BACKGROUND_ROWS, REPLAY = 150, 0.5

#: How far a correction's constant is lowered to keep what is shown level, log-odds, and in how many halvings.
LOWERED_AT_MOST, LEVELLING_STEPS = 4.0, 8

log = logging.getLogger(__name__)
Progress = Callable[[str, int, int], None]
EncoderFor = Callable[[str], Encoder]


class TooFewLabels(Exception):
    """There is not enough to learn from; :attr:`missing` says what, as :attr:`Judgements.missing` does."""

    def __init__(self, missing: tuple[int, int, int]) -> None:
        super().__init__(str(missing))
        self.missing = missing


@dataclasses.dataclass(frozen=True, slots=True)
class Parts:
    """What is fitted; for measuring what each brings."""

    verifier: bool = True
    correction: bool = True


@dataclasses.dataclass(frozen=True, slots=True)
class Learnt:
    """The weights as a file holds them, without its metadata, and their card."""

    arrays: Arrays
    card: Card


def base_of() -> str:
    """A name for the shipped weights that learnt ones are made from: they fit no others."""
    digest = hashlib.sha256()
    for name in (RANKER_WEIGHTS, VERIFIER_WEIGHTS):
        digest.update(resource_path("weights", name).read_bytes())
    return digest.hexdigest()[:16]


def learn(
    documents: Sequence[Document],
    labels: Sequence[PairLabel],
    name: str,
    encoder_for: EncoderFor,
    progress: Progress,
    cancelled: Callable[[], bool],
    *,
    seed: int = 0,
    parts: Parts | None = None,
    shipped: Verifier | None = None,
    ranker: Ranker | None = None,
) -> Learnt:
    """Learn from labels and measure what it is worth.

    Args:
        documents: at least those that labels stand in.
        name: of the result.
        encoder_for: gives the encoder for ``en`` or ``zh``.
        progress: called with (stage, done, total); stages are ``preparing``, ``learning``.
        cancelled: asked at least every second of work.
        parts, shipped, ranker: for measuring; usually all parts and the shipped weights.

    Raises:
        LearningCancelled: ``cancelled`` answered True.
        TooFewLabels: too few of one kind, or too few contracts.
        ValueError, EncoderError: the snapshots could not be made.
    """
    groups = groups_of(labels)
    sides = Counter(label.is_conflict for label in labels)
    missing = (LEAST_OF_EACH - sides[True], LEAST_OF_EACH - sides[False], LEAST_CONTRACTS - len(groups))
    if any(count > 0 for count in missing):
        raise TooFewLabels((max(0, missing[0]), max(0, missing[1]), max(0, missing[2])))
    with _one_thread():
        return _learnt(documents, labels, groups, name, encoder_for, progress, cancelled, seed, parts, shipped, ranker)


def _learnt(
    documents: Sequence[Document], labels: Sequence[PairLabel], groups: Sequence[tuple[str, ...]], name: str,
    encoder_for: EncoderFor, progress: Progress, cancelled: Callable[[], bool], seed: int, parts: Parts | None,
    shipped: Verifier | None, ranker: Ranker | None,
) -> Learnt:  # fmt: skip
    """See :func:`learn`; there are labels enough."""
    clock = {"preparing": 0.0, "learning": 0.0}
    begun = time.perf_counter()
    cases, own = prepare(documents, labels, groups, encoder_for, progress, cancelled, ranker)
    clock["preparing"] = time.perf_counter() - begun
    begun = time.perf_counter()
    base = shipped or shipped_verifier()
    teacher = Teacher(base, parts or Parts(), seed, cancelled)
    before = [seen(case.findings(base), case.labels) for case in cases]
    folds = _folds(cases)
    after = list(before)
    steps = len(folds) + 1
    for step, fold in enumerate(folds):
        progress("learning", step, steps)
        taught = Verifier(teacher.teach([case for i, case in enumerate(cases) if i not in fold], own), name)
        for i in fold:
            after[i] = seen(cases[i].findings(taught), cases[i].labels)
    progress("learning", len(folds), steps)
    arrays = teacher.teach(cases, own)
    final = Verifier(arrays, name)
    progress("learning", steps, steps)
    clock["learning"] = time.perf_counter() - begun
    found = figures(before, after, seed)
    sides = Counter(label.is_conflict for label in labels)
    moment = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    card = Card(
        name=name, app_version=APP_VERSION, created_at=moment, seed=seed, contracts=len(cases),
        conflicts=sides[True], not_conflicts=sides[False],
        found=sum(bool(rows) for case in cases for rows in case.labelled),
        codes=dict(Counter(label.code for label in labels).most_common()), base=base_of(), figures=found,
        replay=(_on_own(own, base), _on_own(own, final)), helps=helps(found),
        seconds={stage: round(value, 1) for stage, value in clock.items()},
    )  # fmt: skip
    return Learnt(arrays, card)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Torch takes one core in this thread (and in threads that begin meanwhile), so that a review has the others."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def prepare(
    documents: Sequence[Document],
    labels: Sequence[PairLabel],
    groups: Sequence[tuple[str, ...]],
    encoder_for: EncoderFor,
    progress: Progress,
    cancelled: Callable[[], bool],
    ranker: Ranker | None,
) -> tuple[list[Case], list[Case]]:
    """The person's contracts and the program's own samples, made ready.

    Raises:
        LearningCancelled, ValueError, EncoderError: see :func:`learn`.
    """
    by_id = {document.id: document for document in documents}
    try:
        samples = replay()
    except ValueError as error:
        log.warning("Learning goes on without a replay: %s.", error)
        samples = []
    total = len(groups) + len(samples)
    made: list[Case] = []
    own: list[Case] = []
    try:
        for i, group in enumerate(groups):
            progress("preparing", i, total)
            mine = [label for label in labels if label.ends[0].document in group]
            made.append(make_case([by_id[each] for each in group], mine, encoder_for, cancelled, ranker))
        for i, (document, known) in enumerate(samples, len(groups)):
            progress("preparing", i, total)
            try:
                own.append(make_case([document], known, encoder_for, cancelled, ranker))
            except (EncoderError, ValueError) as error:
                # The multilingual encoder is missing on some systems.
                log.warning("A sample could not be used to learn with: %s.", error)
    except EncodingCancelled as error:
        raise LearningCancelled from error
    progress("preparing", total, total)
    return made, own


def _folds(cases: Sequence[Case]) -> list[list[int]]:
    """Which contracts are left out together: as many labels in each, in a fixed order."""
    count = min(FOLDS, len(cases))
    folds: list[list[int]] = [[] for _ in range(count)]
    sizes = [0] * count
    for i in sorted(range(len(cases)), key=lambda i: (-len(cases[i].labels), i)):
        smallest = min(range(count), key=lambda fold: (sizes[fold], fold))
        folds[smallest].append(i)
        sizes[smallest] += len(cases[i].labels)
    return folds


def _on_own(own: Sequence[Case], verifier: Verifier) -> float:
    """Average precision on the program's own samples."""
    values = [seen(case.findings(verifier), case.labels).average_precision for case in own]
    return round(float(np.mean(values)), 4) if values else 0.0


class Teacher:
    """Fits weights to cases, from the same beginning each time."""

    def __init__(self, base: Verifier, parts: Parts, seed: int, cancelled: Callable[[], bool]) -> None:
        self._base = base
        self._parts = parts
        self._seed = seed
        self._cancelled = cancelled

    def teach(self, cases: Sequence[Case], own: Sequence[Case]) -> Arrays:
        """The arrays of a verifier that has seen these contracts.

        Raises:
            LearningCancelled: see :func:`learn`.
        """
        examples = Examples.joined([
            *(self._examples(case, i, 1.0) for i, case in enumerate(cases)),
            *(self._examples(case, -1, REPLAY) for case in own),
        ])  # fmt: skip
        arrays = self._base.weights
        if self._parts.verifier:
            arrays = tune(arrays, self._targets(examples, to_trees=False), self._seed, self._cancelled)
        if not self._parts.correction:
            return arrays
        if self._cancelled():
            raise LearningCancelled
        # Fitted to the shipped verdicts: the tuned ones know these labels by heart.
        correction, ridge = correct(self._targets(examples, to_trees=True), self._base.score(examples.inputs))
        log.info("correction fitted with ridge %s", ridge)
        return with_correction(arrays, self._levelled(cases, arrays, correction))

    def _levelled(self, cases: Sequence[Case], arrays: Arrays, correction: Correction) -> Correction:
        """The correction with its constant lowered until no more pairs of these contracts are shown than before.

        People link the conflicts that were missed and not the pairs that are none, so labels say conflict far more
        often than pairs do. What was learnt is to move the order; only dismissals may change how much is shown, and
        those lower it.
        """
        tuned = Verifier(arrays, "")
        before, ready = 0, []
        for case in cases:
            rows = np.arange(case.judged)
            features, raw, verdicts = case.features[rows], case.raw[rows], case.verdicts(tuned)
            before += case.shown((raw + WEIGHT * case.verdicts(self._base)) / (1 + WEIGHT))
            ready.append((case, (raw + WEIGHT * verdicts) / (1 + WEIGHT), (features, raw, verdicts)))

        def moved(by: float) -> Correction:
            weights = correction.weights.copy()
            weights[0] += by
            return Correction(correction.mean, correction.scale, weights)

        def shown(by: float) -> int:
            trial = moved(by)
            return sum(case.shown(value + trial(*seen)) for case, value, seen in ready)

        if shown(0.0) <= before:
            return correction
        low, high = -LOWERED_AT_MOST, 0.0
        for _ in range(LEVELLING_STEPS):
            middle = (low + high) / 2
            if shown(middle) <= before:
                low = middle
            else:
                high = middle
        return moved(low)

    def _examples(self, case: Case, group: int, weight: float) -> Examples:
        """A contract's labelled pairs, and some others whose targets are filled in by :meth:`_targets`."""
        rows: list[int] = []
        targets: list[float] = []
        weights: list[float] = []
        for label, found in zip(case.labels, case.labelled, strict=True):
            # A person who links two clauses means one pair of their sentences: the likeliest. Who says that they do
            # not conflict means all of them.
            used = found[:1] if label.is_conflict else found
            rows += used
            targets += [float(label.is_conflict)] * len(used)
            weights += [weight / max(1, len(used))] * len(used)
        chance = np.random.default_rng(self._seed + 1)
        rest = np.setdiff1d(np.arange(case.judged), np.array(rows, np.int64))
        rest = np.sort(chance.choice(rest, min(len(rest), BACKGROUND_ROWS), replace=False))
        # All pairs without a label together weigh as much as the labels.
        light = weight * BACKGROUND * max(1, len(weights)) / max(1, len(rest))
        every = np.concatenate([np.array(rows, np.int64), rest])
        is_label = np.arange(len(every)) < len(rows)
        return Examples(
            case.inputs.at(every), case.features[every], case.raw[every],
            np.array([*targets, *[np.nan] * len(rest)]), np.array([*weights, *[light] * len(rest)]),
            np.full(len(every), group), is_label & (group >= 0),
        )  # fmt: skip

    def _targets(self, examples: Examples, *, to_trees: bool) -> Examples:
        """Pairs without a label are to stay where they are: the verdict's own value, or the mixed one's."""
        verdicts = self._base.score(examples.inputs).astype(np.float64)
        value = (examples.raw + WEIGHT * verdicts) / (1 + WEIGHT) if to_trees else verdicts
        stay = 1 / (1 + np.exp(-value))
        return dataclasses.replace(examples, targets=np.where(np.isnan(examples.targets), stay, examples.targets))
