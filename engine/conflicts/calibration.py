"""How likely a pair is a conflict in a contract as people sign them: by the trees, the arbitration and its company.

The trees were trained on contracts with conflicts put into them. In an ordinary contract nearly every pair can stand,
so the same log-odds mean less there. Which sort a contract is shows in its other pairs: one that holds conflicts has
several that look bad, one that holds none has a single odd one at most (an empirical prior per contract).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.conflicts import grounds
from engine.conflicts.arbitration import State, arbitrate
from engine.conflicts.grounds import Case

#: What the curve is fitted over, in order; the weights file names the ones that it has.
TERMS = (
    "constant", "raw", "company", "units", "conflict", "unnamed", "apart", "bearers", "beside", "near_copy", "one_role",
    "raw_units", "company_units",
)  # fmt: skip

#: So many of a contract's other pairs are looked at for their company.
COMPANY = 5

#: A document's units count between these two bounds, beside a typical number of them.
SHORTEST, TYPICAL, LONGEST = 25, 400, 1000

#: Log-odds are cut here, so that no term decides alone.
CUT = 8.0


def company_of(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each pair the mean log-odds of the best other ones, float64 ``[n]``; ``raw`` is sorted, best first."""
    first = raw[: COMPANY + 1]
    if len(first) < 2:
        return np.full(len(raw), -CUT)
    out = np.full(len(raw), float(first[:COMPANY].mean()))
    for i in range(len(first)):
        out[i] = float(np.delete(first, i).mean())
    return np.asarray(np.clip(out, -CUT, CUT), np.float64)


def terms_of(case: Case, raw: float, company: float, units: int) -> NDArray[np.float64]:
    """The terms of one pair, float64 ``[len(TERMS)]``."""
    verdict, _ = arbitrate(case)
    own = max(-CUT, min(CUT, raw))
    length = math.log(min(max(units, SHORTEST), LONGEST) / TYPICAL)
    return np.array(
        [
            1.0,
            own,
            company,
            length,
            verdict is State.CONFLICT,
            case.differences.unnamed,
            grounds.apart(case),
            grounds.other_bearers(case) or case.differences.actors == "different",
            case.beside,
            grounds.near_copy(case),
            grounds.one_role(case),
            # In a short contract the same log-odds say less, of the pair and of its company.
            own * length,
            company * length,
        ],
        np.float64,
    )


def score(terms: Sequence[NDArray[np.float64]], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Probabilities, float64 ``[n]``."""
    if not terms:
        return np.zeros(0)
    odds = np.stack(terms) @ np.array([weights.get(name, 0.0) for name in TERMS])
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)
