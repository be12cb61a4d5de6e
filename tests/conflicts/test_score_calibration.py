"""Scores: what a contract's other pairs, its length and the arbitration do to the same log-odds."""

from __future__ import annotations

import numpy as np
import pytest
from check_document import document_of
from hypothesis import given
from hypothesis import strategies as st

from engine.anchors.extract import extract_anchors
from engine.conflicts.calibration import COMPANY, CUT, TERMS, company_of, score, terms_of
from engine.conflicts.encoding import encode_units
from engine.conflicts.grounds import Case
from engine.conflicts.pairs import score_pairs
from engine.conflicts.ranker import shipped_ranker
from engine.conflicts.units import build_units
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder


def case_of(first: str, second: str) -> Case:
    document = document_of(f"1. {first}\n2. {second}\n")
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    (pair,) = score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    return pair.case


CASE = ("The Seller shall insure the goods in transit.", "The Seller shall not insure the goods in transit.")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_shipped_weights_name_known_terms_and_reward_log_odds(language: str) -> None:
    ranker = shipped_ranker()
    weights = ranker.terms if language == "en" else ranker.terms_zh
    assert set(weights) <= set(TERMS)
    assert weights["raw"] > 0
    assert weights["company"] > 0


def test_one_odd_pair_in_an_ordinary_contract_scores_less_than_one_in_bad_company() -> None:
    case, weights = case_of(*CASE), shipped_ranker().terms
    alone, among = (score([terms_of(case, 3.0, company, 400)], weights)[0] for company in (-5.0, 1.0))
    assert alone < 0.25 < among


def test_a_long_contract_has_more_pairs_that_look_bad() -> None:
    case, weights = case_of(*CASE), shipped_ranker().terms
    short, long, longer = (score([terms_of(case, 0.0, -2.0, n)], weights)[0] for n in (60, 900, 5000))
    assert short > long
    assert score([terms_of(case, 0.0, -2.0, 1000)], weights)[0] == longer


def test_company_leaves_the_pair_itself_out() -> None:
    raw = np.array([4.0, 1.0, 1.0, 1.0, 1.0, 1.0, -3.0, -6.0])
    company = company_of(raw)
    assert company[0] == 1.0
    assert company[1] == pytest.approx(8 / COMPANY)
    assert company[-1] == pytest.approx(8 / COMPANY)
    assert company_of(np.array([2.0])).tolist() == [-CUT]
    assert company_of(np.zeros(0)).shape == (0,)


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=40))
def test_company_is_bounded(values: list[float]) -> None:
    company = company_of(np.sort(np.array(values))[::-1])
    assert len(company) == len(values)
    assert np.all(np.abs(company) <= CUT)


def test_no_pairs_have_no_scores() -> None:
    assert score([], shipped_ranker().terms).shape == (0,)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_pair_that_looks_worse_never_scores_lower(language: str) -> None:
    case, ranker = case_of(*CASE), shipped_ranker()
    weights = ranker.terms if language == "en" else ranker.terms_zh
    for company in (-8.0, 0.0, 8.0):
        for units in (5, 40, 400, 5000):
            scores = score([terms_of(case, raw, company, units) for raw in (-6.0, 0.0, 3.0, 6.0)], weights)
            assert (np.diff(scores) >= 0).all()
