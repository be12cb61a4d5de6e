"""The verifier's verdicts on the best pairs, mixed into their log-odds; what fails leaves them as they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts.candidates import Candidate
from engine.conflicts.differences import differences_of
from engine.conflicts.encoding import Encoded
from engine.conflicts.sides import Side
from engine.conflicts.units import Unit
from engine.conflicts.verifier import Verifier, VerifierError, VerifierPool
from engine.conflicts.verifier_inputs import Inputs, inputs_of, table_rows

#: Pairs judged at a time.
BATCH = 128

#: The verifier's weight beside the trees' (measured by folds of contracts; see the weights' card).
WEIGHT = 0.3

Load = Callable[[], Verifier]


def second_look(
    units: Sequence[Unit],
    encoded: Encoded,
    candidates: Sequence[Candidate],
    table: NDArray[np.float32],
    sides: Sequence[Side],
    raw: NDArray[np.float64],
    most: int,
    load: Load,
    cancelled: Callable[[], bool],
    notice: Callable[[str], None],
) -> NDArray[np.float64]:
    """The log-odds with the verifier's mixed in, for the ``most`` best pairs of one language; the others as they are.

    Args:
        table: the candidates' features; ``sides`` are the units'.
        raw: the ranker's log-odds, float64 ``[len(candidates)]``.
        load: gives the verifier.
        notice: told in a sentence when something failed.
    """
    if encoded.blocks is None:
        if encoded.fault:
            notice(encoded.fault)
        return raw
    try:
        verifier = load()
    except VerifierError as error:
        notice(f"The second look at the pairs was left out: {error}.")
        return raw
    chosen = rows_to_judge(units, candidates, raw, most)

    def inputs(rows: list[int]) -> Inputs:
        return inputs_at(units, encoded, candidates, table, sides, rows)

    with VerifierPool(verifier, capacity=len(chosen)) as pool:
        for start in range(0, len(chosen), BATCH):
            some = chosen[start : start + BATCH]
            pool.submit(some, lambda some=some: inputs(some))  # type: ignore[misc]  # mypy: defaults in lambdas
        verdicts = pool.collect(cancelled)
    if pool.fault:
        notice(pool.fault)
    return mixed(raw, table, verdicts, verifier)


def rows_to_judge(
    units: Sequence[Unit], candidates: Sequence[Candidate], raw: NDArray[np.float64], most: int
) -> list[int]:
    """The rows of the ``most`` best pairs that are of one language, best first."""
    return [
        row
        for row in np.argsort(-raw, kind="stable")[:most].tolist()
        if units[candidates[row].a].chinese == units[candidates[row].b].chinese
    ]


def inputs_at(
    units: Sequence[Unit],
    encoded: Encoded,
    candidates: Sequence[Candidate],
    table: NDArray[np.float32],
    sides: Sequence[Side],
    rows: list[int],
) -> Inputs:
    """What the verifier sees of the candidates at ``rows``; ``encoded`` must hold the units' snapshots."""
    from engine.states.snapshot import tensor_of

    assert encoded.blocks is not None
    pairs = [(candidates[row].a, candidates[row].b) for row in rows]
    compared = [(units[a], units[b], differences_of(units[a], units[b], sides[a], sides[b])) for a, b in pairs]
    return inputs_of(
        tensor_of(encoded.blocks), np.array(pairs, np.int64).reshape(-1, 2), table[rows], table_rows(compared)
    )


def mixed(
    raw: NDArray[np.float64], table: NDArray[np.float32], verdicts: Mapping[int, float], verifier: Verifier
) -> NDArray[np.float64]:
    """The trees' log-odds with verdicts (by row) mixed in, and what a person's labels add to them."""
    rows = np.fromiter(verdicts, np.int64, len(verdicts))
    scores = np.fromiter(verdicts.values(), np.float32, len(verdicts))
    out = raw.copy()
    out[rows] = (raw[rows] + WEIGHT * scores) / (1 + WEIGHT)
    if verifier.correction is not None:
        out[rows] += verifier.correction(table[rows], raw[rows], scores)
    return out
