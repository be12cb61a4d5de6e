"""Agreement beyond chance on nominal labels: Cohen, Fleiss, Krippendorff.

Each answers a :class:`Coefficient`: a value, or the reason why there is none. A coefficient is undefined
when everybody always gives the same one label: no disagreement was possible by chance, so none that was
avoided can be measured. That is no perfect agreement, and it is not called one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec


class Coefficient(msgspec.Struct, frozen=True):
    """A coefficient of agreement: ``value`` is at most 1, 0 for chance; None with ``because`` when undefined.

    ``units`` is the number of units it rests on, ``observed`` the plain share of agreeing pairs of labels.
    """

    value: float | None
    units: int
    observed: float | None
    because: str = ""


_NOTHING_SHARED = "no unit was labelled by two annotators"
_ONE_LABEL = "everybody gave the same label to every unit, so chance alone would agree as well"

Labels = Sequence[str | None]


def cohen(first: Labels, second: Labels) -> Coefficient:
    """Cohen's kappa of two annotators; units that one of them left out (None) are passed over.

    Source: J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20 (1960) 37-46. kappa = (p_o - p_e) / (1 - p_e) with p_e from each annotator's own shares.
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    n = len(pairs)
    if n == 0:
        return Coefficient(None, 0, None, _NOTHING_SHARED)
    observed = sum(a == b for a, b in pairs) / n
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(left[label] * right[label] for label in left) / (n * n)
    if expected == 1:
        return Coefficient(None, n, observed, _ONE_LABEL)
    return Coefficient((observed - expected) / (1 - expected), n, observed)


def fleiss(units: Sequence[Labels]) -> Coefficient:
    """Fleiss' kappa; ``units`` holds one row of labels per unit, one place per annotator.

    It needs the same number of labels for each unit, so units that somebody left out are passed over.
    Source: J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76
    (1971) 378-382.
    """
    raters = max((len(unit) for unit in units), default=0)
    full = [Counter(unit) for unit in units if None not in unit and len(unit) == raters]
    if raters < 2 or not full:
        return Coefficient(None, 0, None, "no unit was labelled by all annotators" if raters >= 2 else _NOTHING_SHARED)
    n = len(full)
    observed = sum(sum(c * (c - 1) for c in unit.values()) for unit in full) / (n * raters * (raters - 1))
    totals: Counter[str | None] = Counter()
    for unit in full:
        totals.update(unit)
    if len(totals) == 1:
        return Coefficient(None, n, observed, _ONE_LABEL)
    expected = sum((count / (n * raters)) ** 2 for count in totals.values())
    return Coefficient((observed - expected) / (1 - expected), n, observed)


def krippendorff(units: Sequence[Labels]) -> Coefficient:
    """Krippendorff's alpha for nominal labels, with units that some left out; any number of annotators.

    Source: K. Krippendorff, Computing Krippendorff's alpha-reliability (2011). alpha = 1 - D_o / D_e over
    the pairable labels: a unit with m labels adds its m (m - 1) ordered pairs with the weight 1 / (m - 1).
    """
    rows = [[label for label in unit if label is not None] for unit in units]
    rows = [row for row in rows if len(row) >= 2]
    if not rows:
        return Coefficient(None, 0, None, _NOTHING_SHARED)
    totals: Counter[str] = Counter()
    agreeing = 0.0
    for row in rows:
        counts = Counter(row)
        totals.update(counts)
        agreeing += sum(c * (c - 1) for c in counts.values()) / (len(row) - 1)
    n = sum(totals.values())
    observed = agreeing / n
    if len(totals) == 1:
        return Coefficient(None, len(rows), observed, _ONE_LABEL)
    expected = sum(count * (count - 1) for count in totals.values()) / (n * (n - 1))
    return Coefficient(1 - (1 - observed) / (1 - expected), len(rows), observed)
