"""Candidate pairs compared and scored, in blocks so that memory does not grow with the square of the contract."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts import calibration
from engine.conflicts import sure as sure_of
from engine.conflicts.candidates import Candidate, WordIndex, find_candidates
from engine.conflicts.comparison import COMPARED, FEATURES, compare
from engine.conflicts.differences import differences_of
from engine.conflicts.encoding import Encoded
from engine.conflicts.exceptions import names_others_only
from engine.conflicts.full_check import read_pairs, reordered, rows_to_read
from engine.conflicts.grounds import Case
from engine.conflicts.ranker import Ranker, shipped_ranker
from engine.conflicts.second_look import Load, second_look
from engine.conflicts.sides import FOREGOING, YIELDS, Side, side_of
from engine.conflicts.standing import standing
from engine.conflicts.stated import STATED_FLOOR, label_of, states_otherwise
from engine.conflicts.units import Unit
from engine.conflicts.verifier import shipped_verifier
from engine.protocol.messages import ReviewOptions
from engine.states.encoder import never
from engine.states.pair_reader import PairReader

#: Pairs compared between two questions whether to stop: some 50 ms.
BLOCK = 128

#: Pairs that the trees score between two such questions: some 20 ms.
RANKED = 8192

#: Pairs kept for the arbitration, per 1,000 words of the documents and at least.
KEPT_PER_1000_WORDS = 24
KEPT_AT_LEAST = 40

#: Log-odds of a pair that just qualifies for :func:`value_floor`, and what it needs.
FLOOR = -0.8
FLOOR_COSINE = 0.5
FLOOR_CONTAINED = 0.4

#: A pair of a short contract is more likely a conflict than one that looks as bad in a long one: contracts hold about
#: as many conflicts whatever their length, and pairs grow with it. The calibration is for this many sentences.
TYPICAL_UNITS, SHORTEST = 400, 20

#: Two sentences belong to a series when each has five others about as near as they are to each other.
SERIES_COSINE, SERIES_MARGIN = 0.75, 0.08

#: What a contract has but one of, with the words that both units must have (a date of signing is no effective date, and
#: an order of a court has one of its own), and the least log-odds of two units that differ on it.
UNIQUE_ROLES = {
    "effective date": re.compile(
        r"\A(?=.*(?:\b(?:agreement|contract|lease|hereof|effective date|term)\b|合同|协议))"
        r".*?(?:effective|in(?:to)? force|commenc|生效)",
        re.IGNORECASE | re.DOTALL,
    ),
    "liability cap": re.compile(r"liab|责任|赔偿", re.IGNORECASE),
}
UNIQUE_FLOOR = -0.1


#: How many sentences back "notwithstanding the foregoing" reaches.
FOREGOING_REACH = 8


@dataclasses.dataclass(frozen=True, slots=True)
class ScoredPair:
    """A pair worth showing to the arbitration: its case, its raw score and the score as a probability."""

    pair: Candidate
    case: Case
    raw: float
    score: float


def feature_table(
    units: Sequence[Unit],
    encoded: Encoded,
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    choose: Callable[[list[Candidate]], list[Candidate]] | None = None,
) -> tuple[list[Candidate], NDArray[np.float32], WordIndex, list[Side]]:
    """All candidates with their features, float32 ``[n, len(FEATURES)]``; fewer when cancelled.

    ``choose`` may take some of the candidates only, as training does; how a pair stands among the others is worked out
    over all of them.
    """
    candidates, index = find_candidates(units, encoded.vectors, cancelled)
    sides: list[Side] = []
    for i, (unit, words) in enumerate(zip(units, encoded.words, strict=True)):
        if i % BLOCK == 0 and cancelled():
            return [], np.zeros((0, len(FEATURES)), np.float32), index, sides
        sides.append(side_of(unit, words, index.idf))
    table = np.zeros((len(candidates), len(FEATURES)), np.float32)
    for start in range(0, len(candidates), BLOCK):
        if cancelled():
            return candidates[:start], table[:start], index, sides
        for i, pair in enumerate(candidates[start : start + BLOCK], start):
            found = compare(units[pair.a], units[pair.b], sides[pair.a], sides[pair.b], pair, index)[0]
            table[i, : len(COMPARED)] = found
        progress("pairs", min(start + BLOCK, len(candidates)), len(candidates))
    pairs = np.array([(pair.a, pair.b) for pair in candidates], np.int64).reshape(-1, 2)
    table[:, len(COMPARED) :] = standing(pairs, table, COMPARED)
    if choose:
        rows = {id(pair): row for row, pair in enumerate(candidates)}
        candidates = choose(candidates)
        table = table[[rows[id(pair)] for pair in candidates]]
    return candidates, table, index, sides


def _shared_words(a: Unit, a_side: Side, b_side: Side, index: WordIndex) -> tuple[str, ...]:
    """The four rarest shared words, as they stand in ``a``, in its order."""
    # Stems are for counting; a person reads the word as it stands in the passage.
    surface = {token.stem: a.text[token.start : token.end] for token in reversed(a.tokens)}
    # A few Chinese characters in an English passage count as pairs, which are no word of it.
    rare = sorted((a_side.stems & b_side.stems) & surface.keys(), key=lambda w: (-index.idf.get(w, 0.0), w))[:4]
    place = {token.stem: token.start for token in reversed(a.tokens)}
    return tuple(surface[word] for word in sorted(rare, key=lambda word: place[word]))


def _shared_runs(a: Unit, b: Unit) -> tuple[str, ...]:
    """The longest runs of characters in both, at most three, in the order of ``a``: Chinese has no spaces."""
    runs = []
    start = 0
    while start < len(a.text):
        end = start
        while end < len(a.text) and "\u3400" <= a.text[end] <= "\u9fff" and a.text[start : end + 1] in b.text:
            end += 1
        if end - start >= 2:
            runs.append((start, a.text[start:end]))
        start = max(end, start + 1)
    longest = sorted(runs, key=lambda run: (-len(run[1]), run[0]))[:3]
    return tuple(text for _, text in sorted(longest))


def _case(pair: Candidate, units: Sequence[Unit], sides: Sequence[Side], index: WordIndex) -> Case:
    a, b = units[pair.a], units[pair.b]
    differences = differences_of(a, b, sides[pair.a], sides[pair.b])
    near = a.first.document == b.first.document and abs(a.order - b.order) <= FOREGOING_REACH
    yields = [
        (YIELDS.search(unit.text) is not None and not names_others_only(unit, other))
        or (near and FOREGOING.search(unit.text) is not None)
        for unit, other in ((a, b), (b, a))
    ]
    return Case(
        a=a,
        b=b,
        differences=differences,
        cosine=pair.cosine,
        contained=pair.shared / max(1e-6, min(pair.weight_a, pair.weight_b)),
        shared_words=_shared_runs(a, b) if a.chinese else _shared_words(a, sides[pair.a], sides[pair.b], index),
        yields=yields[0] != yields[1],
        beside=a.first.clause is not None and a.first.clause is b.first.clause and abs(a.order - b.order) <= 2,
        series=min(pair.crowd_a, pair.crowd_b) >= max(SERIES_COSINE, pair.cosine - SERIES_MARGIN),
    )


def _unique_role_clash(pair: Candidate, units: Sequence[Unit], sides: Sequence[Side]) -> bool:
    """Whether two units of one document, not beside each other, differ on what a contract has but one of."""
    a, b = units[pair.a], units[pair.b]
    if a.first.document != b.first.document or abs(a.order - b.order) <= 2:
        return False
    values = differences_of(a, b, sides[pair.a], sides[pair.b]).values
    return any(
        x.role == y.role and x.role in UNIQUE_ROLES and all(UNIQUE_ROLES[x.role].search(unit.text) for unit in (a, b))
        for x, y in values
    )


def _sure_rows(
    candidates: Sequence[Candidate],
    table: NDArray[np.float32],
    units: Sequence[Unit],
    sides: Sequence[Side],
    index: WordIndex,
) -> frozenset[int]:
    """The rows of clashes of values that a rule is sure of; asked only where one role has two values."""
    cosine, contained, roles = (table[:, FEATURES.index(name)] for name in ("cosine", "contained_short", "roles_clash"))
    asked = (roles > 0) & (cosine >= sure_of.COSINE) & (contained >= sure_of.CONTAINED_SHORT)
    return frozenset(
        row
        for row in np.flatnonzero(asked).tolist()
        if sure_of.sure_of_values(_case(candidates[row], units, sides, index))
    )


def _stated_otherwise(pair: Candidate, units: Sequence[Unit], sides: Sequence[Side]) -> bool:
    """Whether one unit is a line that states another value than the other one."""
    a, b = units[pair.a], units[pair.b]
    return states_otherwise(a, b, sides[pair.b]) or states_otherwise(b, a, sides[pair.a])


def value_floor(table: NDArray[np.float32]) -> NDArray[np.float64]:
    """The least log-odds of pairs that give one role different values, -inf for all others.

    An anchor that differs carries more than any likeness of words (measured; see the ranker's
    card), but the trees saw few such pairs in other words. Neighbours and items of one list are left to the trees:
    there, different values are mostly for different things.
    """
    column = {name: table[:, i] for i, name in enumerate(FEATURES)}
    fits = (
        (column["roles_clash"] >= 1)
        & (column["adjacent"] == 0)
        & (column["siblings"] == 0)
        & (column["same_lead"] == 0)
        & (column["labels_differ"] == 0)
        & (column["mirrored"] == 0)
        & (column["definitions"] == 0)
        & (column["rank_low"] <= 2)
        & (column["cosine"] >= FLOOR_COSINE)
        & (column["contained_short"] >= FLOOR_CONTAINED)
    )
    floor = FLOOR + 2 * (column["contained_short"] - FLOOR_CONTAINED) + 2 * (column["cosine"] - FLOOR_COSINE)
    return np.where(fits, floor, -np.inf)


@dataclasses.dataclass(frozen=True, slots=True)
class Weighed:
    """The candidate pairs of a review as the trees see them, before the second look.

    Attributes:
        table: their features, float32 ``[n, len(FEATURES)]``; ``sides`` are the units', ``index`` their words'.
        raw: the trees' log-odds, float64 ``[n]``; ``least``: those that a rule gives, -inf where none does.
        keep: how many pairs go to the arbitration.
        sure: the rows of clashes of values that a rule is sure of.
    """

    candidates: list[Candidate]
    table: NDArray[np.float32]
    index: WordIndex
    sides: list[Side]
    raw: NDArray[np.float64]
    least: NDArray[np.float64]
    keep: int
    sure: frozenset[int] = frozenset()

    def chinese(self, units: Sequence[Unit]) -> NDArray[np.bool_]:
        """Which pairs are of Chinese passages, bool ``[n]``."""
        return np.array([units[candidate.a].chinese for candidate in self.candidates], np.bool_)

    def conditional(self) -> NDArray[np.bool_]:
        """Of which pairs one passage alone has a condition, bool ``[n]``."""
        return self.table[:, FEATURES.index("condition_one")] > 0


def weigh_pairs(
    units: Sequence[Unit],
    encoded: Encoded,
    options: ReviewOptions,
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    ranker: Ranker | None = None,
) -> Weighed:
    """All candidate pairs with the trees' log-odds; fewer, or none, when ``cancelled`` answered True."""
    candidates, table, index, sides = feature_table(units, encoded, progress, cancelled)
    chosen = ranker or shipped_ranker()
    raw = table[:, 0].astype(np.float64) * 8 - 6
    least = value_floor(table)
    for start in range(0, len(table) if "ranker" not in options.without else 0, RANKED):
        if cancelled():
            return Weighed([], table[:0], index, sides, raw[:0], least[:0], 0)
        raw[start : start + RANKED] = chosen.raw(table[start : start + RANKED])
    for row in np.flatnonzero(table[:, FEATURES.index("roles_clash")]).tolist():
        if _unique_role_clash(candidates[row], units, sides):
            least[row] = max(least[row], UNIQUE_FLOOR)
    lines = frozenset(i for i, unit in enumerate(units) if label_of(unit))
    for row, pair in enumerate(candidates):
        if (pair.a in lines or pair.b in lines) and _stated_otherwise(pair, units, sides):
            least[row] = max(least[row], STATED_FLOOR)
    words = sum(len(unit.tokens) * len(unit.places) for unit in units)
    keep = max(KEPT_AT_LEAST, KEPT_PER_1000_WORDS * words // 1000)
    sure = _sure_rows(candidates, table, units, sides, index)
    least[sorted(sure)] = np.maximum(least[sorted(sure)], sure_of.FLOOR)
    return Weighed(candidates, table, index, sides, raw, least, keep, sure)


def documents_of(units: Sequence[Unit]) -> int:
    """How many documents units stand in."""
    return len({unit.first.document for unit in units})


def length_prior(units: Sequence[Unit]) -> float:
    """What to add to log-odds for the length of the documents, see :data:`TYPICAL_UNITS`."""
    return math.log(TYPICAL_UNITS / max(SHORTEST, len(units)))


def best_pairs(
    units: Sequence[Unit],
    weighed: Weighed,
    raw: NDArray[np.float64],
    ranker: Ranker | None = None,
    cancelled: Callable[[], bool] = never,
) -> list[ScoredPair]:
    """The best pairs by ``raw`` (log-odds after the second look), most likely conflict first; ties in reading order.

    None when ``cancelled`` answered True.
    """
    candidates, sides, index = weighed.candidates, weighed.sides, weighed.index
    chosen = ranker or shipped_ranker()
    raw = np.maximum(raw, weighed.least)
    chinese = weighed.chinese(units)
    prior = raw + length_prior(units)
    score = np.where(chinese, chosen.probability(prior, chinese=True), chosen.probability(prior))
    order = np.argsort(-raw, kind="stable")[: weighed.keep]
    cases: list[Case] = []
    for i in order.tolist():
        if len(cases) % BLOCK == 0 and cancelled():
            return []
        cases.append(_case(candidates[i], units, sides, index))
    if chosen.terms and cases:
        company = calibration.company_of(raw[order])
        rows = [
            calibration.terms_of(case, float(raw[i]), float(near), len(units))
            for case, i, near in zip(cases, order.tolist(), company, strict=True)
        ]
        plain, other = (calibration.score(rows, weights) for weights in (chosen.terms, chosen.terms_zh))
        score[order] = np.where(chinese[order], other, plain)
    certain = [row for row in order.tolist() if row in weighed.sure]
    score[certain] = np.maximum(score[certain], sure_of.SCORE)
    return [
        ScoredPair(candidates[i], case, float(raw[i]), float(score[i]))
        for i, case in zip(order.tolist(), cases, strict=True)
    ]


def score_pairs(
    units: Sequence[Unit],
    encoded: Encoded,
    options: ReviewOptions,
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
    ranker: Ranker | None = None,
    verifier: Load | None = None,
    notice: Callable[[str], None] = lambda _: None,
    reader_for: Callable[[str], PairReader] | None = None,
) -> list[ScoredPair]:
    """The best pairs, most likely conflict first; ties keep reading order.

    ``notice`` is told, in a sentence, when the verifier could not be used. With ``reader_for`` the best pairs are also
    read together, in the full check all of them (:mod:`engine.conflicts.full_check`); what is read decides alone where
    ``ranker`` is switched off.

    Raises:
        EncodingCancelled: ``cancelled`` answered True while pairs were read again.
    """
    weighed = weigh_pairs(units, encoded, options, progress, cancelled, ranker)
    raw = weighed.raw
    if weighed.candidates and "verifier" not in options.without and "ranker" not in options.without:
        load = verifier or functools.partial(shipped_verifier, compensated="compensation" not in options.without)
        raw = second_look(
            units, encoded, weighed.candidates, weighed.table, weighed.sides, raw, 2 * weighed.keep, load, cancelled,
            notice,
        )  # fmt: skip
    if reader_for is not None and not cancelled():
        rows = rows_to_read(weighed.raw, documents_of(units), full=options.full_check)
        read = read_pairs(
            units, weighed.candidates, rows, reader_for, progress, cancelled, notice, asked=options.full_check
        )
        raw = reordered(
            raw, read, weighed.chinese(units), weighed.conditional(), alone="ranker" in options.without
        )
    return best_pairs(units, weighed, raw, ranker, cancelled)
