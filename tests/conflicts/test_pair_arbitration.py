"""The automaton: always ends, never goes back, and says why."""

from __future__ import annotations

import pytest
from check_document import document_of

from engine.anchors.extract import extract_anchors
from engine.conflicts.arbitration import TABLE, VERDICTS, State, arbitrate
from engine.conflicts.candidates import find_candidates
from engine.conflicts.encoding import encode_units
from engine.conflicts.grounds import Case
from engine.conflicts.pairs import feature_table, score_pairs
from engine.conflicts.units import build_units
from engine.conflicts.wording import code_of, severity_of, summary_of
from engine.protocol.messages import ReviewOptions
from engine.states.ngrams import NgramEncoder

FILLER = (
    "Headings are for convenience of reading and bind nobody at all. "
    "The schedules form a part of the framework once they are signed. "
)


def case_of(first: str, second: str) -> Case:
    """The pair of two sentences, compared with a little company."""
    document = document_of(f"1. {first}\n2. {second}\n")
    units = build_units([document], {document.id: extract_anchors(document)})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    (scored,) = score_pairs(units, encoded, ReviewOptions(), lambda *_: None, lambda: False)
    return scored.case


def test_the_table_always_ends() -> None:
    order = list(State)
    for state in set(State) - VERDICTS:
        steps = [step for step in TABLE if step.source is state]
        assert steps[-1].test.__name__ == "_always"
        assert all(order.index(step.target) > order.index(state) for step in steps)


@pytest.mark.parametrize(
    ("first", "second", "verdict", "code"),
    [
        (
            "The Seller shall insure the goods during transport.",
            "The Seller shall not insure the goods during transport.",
            State.CONFLICT,
            "norm.modality",
        ),
        (
            "The Buyer shall pay each invoice within thirty (30) days.",
            "The Buyer shall pay each invoice within forty-five (45) days.",
            State.CONFLICT,
            "value.period",
        ),
        (
            "The Seller grants an exclusive licence of the marks to the Buyer.",
            "The Seller grants a nonexclusive licence of the marks to the Buyer.",
            State.CONFLICT,
            "norm.opposition",
        ),
        (
            "乙方不得将本合同项下的服务分包给第三方。",
            "乙方可以将本合同项下的服务分包给第三方。",
            State.CONFLICT,
            "norm.modality",
        ),
        (
            "甲方应当在收到发票后三十日内支付货款。",
            "甲方应当在收到发票后四十五日内支付货款。",
            State.CONFLICT,
            "value.period",
        ),
    ],
)
def test_conflicts(first: str, second: str, verdict: State, code: str) -> None:
    case = case_of(first, second)
    state, path = arbitrate(case)
    assert state is verdict
    assert code_of(case) == code
    assert next(step.state for step in path) == "same_matter"
    assert path[-1].state == verdict.value
    assert all(step.because and "{" not in step.because for step in path)


def test_a_mirrored_duty_is_consistent() -> None:
    case = case_of(
        "The Seller shall indemnify the Buyer against third-party claims.",
        "The Buyer shall indemnify the Seller against third-party claims.",
    )
    assert arbitrate(case)[0] is State.CONSISTENT


def test_an_exception_in_words_is_not_a_plain_conflict() -> None:
    case = case_of(
        "The Seller shall not subcontract any part of the services.",
        "Notwithstanding clause 1, the Seller may subcontract the transport services to carriers.",
    )
    assert arbitrate(case)[0] in (State.CHECK, State.RESOLVED)
    assert "overridden" in [step.state for step in arbitrate(case)[1]]


def test_words_of_a_finding() -> None:
    case = case_of(
        "The Buyer shall pay each invoice within thirty (30) days.",
        "The Buyer shall pay each invoice within forty-five (45) days.",
    )
    summary = summary_of(case, "value.period", "Section 4.1", "Section 9.3")
    assert summary.startswith("Section 4.1 gives thirty (30) days, Section 9.3 gives forty-five (45) days")
    assert severity_of(case, "value.period").value == "high"
    chinese = case_of("甲方应当在收到发票后三十日内支付货款。", "甲方应当在收到发票后四十五日内支付货款。")
    assert summary_of(chinese, "value.period", "第四条", "第九条").startswith("第四条约定三十日，第九条约定四十五日")


def test_candidates_are_found_and_few() -> None:
    lines = [
        f"{i}. The Supplier shall deliver item {chr(97 + i % 26)}{i} to warehouse {i} by lorry." for i in range(1, 120)
    ]
    lines += [
        "120. The Supplier shall keep the drawings of the turbine secret.",
        "121. The drawings of the turbine may be published.",
    ]
    document = document_of("\n".join(lines) + "\n")
    units = build_units([document], {})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    pairs, _ = find_candidates(units, encoded.vectors, lambda: False)
    names = [(units[p.a].text, units[p.b].text) for p in pairs]
    assert any("secret" in a and "published" in b for a, b in names)
    assert 2 * len(pairs) <= 60 * len(units)
    assert [(p.a, p.b) for p in pairs] == sorted({(p.a, p.b) for p in pairs})
    assert find_candidates(units, encoded.vectors, lambda: True)[0] == []


def test_features_are_numbers() -> None:
    document = document_of(
        FILLER + "\n1. The Seller shall pay. Payment of the price is due on receipt of the invoice.\n"
    )
    units = build_units([document], {})
    encoded = encode_units(units, lambda _: NgramEncoder(), lambda *_: None, lambda: False)
    _, table, _, _ = feature_table(units, encoded, lambda *_: None, lambda: False)
    assert (abs(table) < 1e6).all()
