"""Agreement: the values of published examples, and what is said where there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.matter import Annotator
from engine.matter.agreement import agreement
from engine.matter.coefficients import cohen, fleiss, krippendorff

# Fleiss (1971), table 1: 30 patients, 6 raters, 5 diagnoses; kappa = 0.430.
FLEISS_1971 = """
0 0 0 6 0|0 3 0 0 3|0 1 4 0 1|0 0 0 0 6|0 3 0 3 0|2 0 4 0 0|0 0 4 0 2|2 0 3 1 0|2 0 0 4 0|0 0 0 0 6|1 0 0 5 0|1 1 0 4 0
0 3 3 0 0|1 0 0 5 0|0 2 0 3 1|0 0 5 0 1|3 0 0 1 2|5 1 0 0 0|0 2 0 4 0|1 0 2 0 3|0 0 0 0 6|0 1 0 5 0|0 2 0 1 3|2 0 0 4 0
1 0 0 4 1|0 5 0 1 0|4 0 0 0 2|0 2 0 4 0|1 0 5 0 0|0 0 0 0 6
"""

# Krippendorff (2011), part C: 4 observers, 12 units, with missing data; nominal alpha = 0.743.
KRIPPENDORFF_2011 = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]


def test_fleiss_published():
    units = [
        [str(k) for k, count in enumerate(row.split()) for _ in range(int(count))]
        for row in FLEISS_1971.replace("\n", "|").strip("|").split("|")
    ]
    assert len(units) == 30
    assert fleiss(units).value == pytest.approx(0.430, abs=5e-4)


def test_krippendorff_published():
    observers = [[None if label == "." else label for label in row.split()] for row in KRIPPENDORFF_2011]
    result = krippendorff(list(zip(*observers, strict=True)))
    assert result.value == pytest.approx(0.743, abs=5e-4)
    assert result.units == 11


def test_krippendorff_published_binary():
    # Krippendorff (2011), part A: two observers, ten units, binary; alpha = 0.095.
    first, second = "0100000010", "1110010000"
    assert krippendorff(list(zip(first, second, strict=True))).value == pytest.approx(0.095, abs=5e-4)


def test_cohen_published():
    # Cohen (1960), table 1: proportions of 200 units in three categories; kappa = 0.492.
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    first = [str(i) for i in range(3) for j in range(3) for _ in range(table[i][j])]
    second = [str(j) for i in range(3) for j in range(3) for _ in range(table[i][j])]
    result = cohen(first, second)
    assert (result.units, result.observed) == (200, 0.7)
    assert result.value == pytest.approx(0.492, abs=5e-4)


def test_undefined_is_said():
    same = [["a", "a"]] * 5
    for result in (krippendorff(same), fleiss(same), cohen(["a"] * 5, ["a"] * 5)):
        assert result.value is None
        assert result.observed == 1
        assert "same label" in result.because
    for result in (krippendorff([["a", None]]), cohen(["a", None], [None, "b"]), krippendorff([]), fleiss([])):
        assert result.value is None
        assert result.because == "no unit was labelled by two annotators"
    assert fleiss([["a", None], ["b", "b"]]).units == 1
    assert fleiss([["a", None]]).because == "no unit was labelled by all annotators"


labels = st.sampled_from(["a", "b", "c", None])


@given(st.lists(st.tuples(labels, labels, labels), max_size=20))
def test_coefficients_stay_in_their_bounds(units):
    for result in (krippendorff(units), fleiss(units), cohen([u[0] for u in units], [u[1] for u in units])):
        assert (result.value is None) == bool(result.because)
        if result.value is not None:
            assert -1 - 1e-9 <= result.value <= 1 + 1e-9
            assert (result.value > 1 - 1e-9) == (result.observed == 1)


def test_pairs_of_clauses_are_the_units(matter, english, chinese, ends):
    matter.use_annotator(Annotator("a-two", "Bo"))
    matter.use_annotator(Annotator("a-one", "Ada"))
    whole, part = ends(english, "The Buyer shall pay within 30 days"), ends(english, "within 30 days")
    other = ends(english, "45 days")
    matter.add_link(whole + other, "value.period", aspect="Payment  period", annotator="a-one")
    matter.add_link(other + part, "value.period", aspect="payment period", annotator="a-two")
    matter.add_link(ends(chinese, "30日", "45日"), "value.period", annotator="a-one")
    result = agreement(matter)
    assert (result.annotators, result.units) == (("a-one", "a-two"), 2)
    assert result.code.value is None
    assert result.code.units == 1
    assert result.aspect.observed == 1
    # Bo looked at the Chinese document and said nothing: that is a judgement.
    matter.assign("a-two", chinese.id, "done")
    result = agreement(matter)
    assert result.code.units == 2
    assert result.conflict.value == pytest.approx(0)
    assert [(c.code, c.given) for c in result.by_code] == [("value.period", 3)]
    assert result.pairwise[0].kappa.observed == 0.5


def test_each_aspect_has_a_value_of_its_own(matter, english, chinese, ends):
    for who, name in (("a-two", "Bo"), ("a-one", "Ada")):
        matter.use_annotator(Annotator(who, name))
    pairs = {"price": ends(english, "30 days", "45 days"), "term": ends(chinese, "30日", "45日")}
    for aspect, pair in pairs.items():
        matter.add_link(pair, "value.period", aspect=aspect.upper(), annotator="a-one")
    matter.add_link(pairs["price"], "norm.scope", aspect="price ", annotator="a-two")
    matter.add_link(pairs["term"], "value.period", annotator="a-two")
    by = {each.aspect: each for each in agreement(matter).by_aspect}
    assert (by["price"].given, by["price"].alpha.value) == (2, pytest.approx(0))
    # Bo named no aspect on the term, and the same kind: nothing to disagree on.
    assert (by["term"].given, by["term"].alpha.value, by["term"].alpha.observed) == (1, None, 1)
    assert "same label" in by["term"].alpha.because


def test_a_matter_without_links(matter):
    result = agreement(matter)
    assert (result.units, result.pairwise, result.by_code) == (0, (), ())
    assert result.code.because
